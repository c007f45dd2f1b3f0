"""python3 -m cupel_inspect FILE [DTYPES]: what the submission builds and does, as JSON."""

import ast
import json
import sys

from . import findings, models, torch_names
from .interpreter import Interpreter
from .scopes import Inputs
from .text import SourceFile, TooLong

# A submission is a few hundred lines; ast and the interpreter recurse.
MAX_BYTES = 4 << 20
RECURSION_LIMIT = 20_000


def read(path):
    with open(path, "rb") as handle:
        data = handle.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES} bytes")
    if b"\0" in data:
        raise ValueError("not a text file: it has a NUL byte")
    text = data.decode("utf-8-sig")
    # Python counts a lone carriage return as the end of a line, as universal newlines do.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def place(file, node):
    offset = file.offset(node.lineno, node.col_offset)
    return {"line": node.lineno, "column": offset - file.starts[node.lineno - 1] + 1}


def source_map(file, text):
    """Runs of consecutive characters: [offset in the text's UTF-8 bytes, line, column]."""
    runs, expected, offset = [], None, 0
    for i, origin in enumerate(text.origin):
        new_line = i > 0 and text.value[i - 1] == "\n"
        if origin != expected or new_line or i == 0:
            runs.append([offset, *(line_column(file, origin) if origin is not None else (0, 0))])
        expected = origin + 1 if origin is not None else None
        offset += len(text.value[i].encode(errors="replace"))
    return runs


def line_column(file, offset):
    low, high = 0, len(file.starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if file.starts[middle] <= offset:
            low = middle
        else:
            high = middle - 1
    return low + 1, offset - file.starts[low] + 1


def describe(file, record):
    def texts(sources):
        return [{"text": t.value, "map": source_map(file, t)} for t in sources]
    return {"name": record.name, "kind": record.kind, **place(file, record.node),
            "cuda": texts(record.cuda), "cpp": texts(record.cpp), "functions": record.functions,
            "flags": record.flags, "unknown": record.unknown,
            "unknown_flags": record.unknown_flags}


def describe_finding(file, found):
    return {"id": found.check, "level": found.level, **place(file, found.node),
            "message": found.message,
            "notes": [{**place(file, node), "message": message} for node, message in found.notes]}


def asks_dtypes(tree):
    """Whether the file compares with a dtype besides float32: what it does may depend on its inputs
    having another one."""
    return any(torch_names.dtype(ast.unparse(n)) in torch_names.DTYPES - {"torch.float32"}
               for node in ast.walk(tree) if isinstance(node, (ast.Compare, ast.match_case))
               for n in ast.walk(node) if isinstance(n, ast.Attribute))


def inspect(path, dtypes=None):
    """`dtypes`: of forward's arguments in their order, where a problem says them. Else float32 is
    assumed, and once more the dtypes that the file asks for."""
    text = read(path)
    file = SourceFile(text)
    tree = ast.parse(text)
    result = inspect_for(file, tree, Inputs(dtypes))
    if dtypes is None and asks_dtypes(tree):
        asked = inspect_for(file, tree, Inputs(assumed=torch_names.ASKED_DTYPE))
        # A file whose kernels want other inputs is no file for a float32 problem.
        if asked["calls"] and not result["calls"]:
            merge(asked, result, "float32", keeps_levels=True)
            return asked
        merge(result, asked, "another dtype", keeps_levels=False)
    return result


def merge(result, other, name, keeps_levels):
    """Adds what only inputs of dtype `name` lead to, as notes; what they do not lead to is no
    reject, unless the result `keeps_levels`, since the file is for others: then it warns that they
    lead to no kernel."""
    def key(finding):
        return finding["id"], finding["line"], finding["column"]
    result["calls"] = sorted({*result["calls"], *other["calls"]})
    result["calls_anywhere"] = sorted({*result["calls_anywhere"], *other["calls_anywhere"]})
    both = {key(f) for f in result["findings"]} & {key(f) for f in other["findings"]}
    for finding in result["findings"]:
        if key(finding) not in both and finding["level"] == "reject" and not keeps_levels:
            finding["level"] = "warn"
    for finding in other["findings"]:
        if key(finding) not in both:
            finding["message"] += f" (for inputs of {name})"
            finding["level"] = "warn" if keeps_levels and \
                finding["id"] == "fallback-python-no-kernel" else "note"
            result["findings"].append(finding)
    unsure = {key(f) for f in other["open_findings"]}
    result["open_findings"] = [f for f in result["open_findings"] if key(f) in unsure]


def inspect_for(file, tree, inputs):
    interpreter = Interpreter(file, tree, inputs)
    result = {"parse": "complete", "errors": []}
    try:
        ran = models.run(interpreter)
    except (TooLong, RecursionError):
        ran = []
        result["parse"] = "partial"
        result["errors"].append({"line": 1, "column": 1, "message":
                                 "the file is too deep or too long to follow"})
    calls_seen = [e for e in interpreter.events if e.kind == "extension-call"]
    called = {e.name for e in calls_seen if e.phase == "forward"}
    model = ran[0].cls if ran else None
    result["model"] = {"name": model.name, **place(file, model.node)} if model else None
    result["other_languages"] = findings.other_languages(interpreter)
    result["calls"] = sorted(called)
    result["calls_anywhere"] = sorted({e.name for e in calls_seen})
    result["extensions"] = [describe(file, r) for r in interpreter.extensions]
    found = findings.collect(interpreter, ran)
    result["findings"] = [describe_finding(file, f) for f in found if not f.unless_written_by]
    # What only the extensions' C++ can tell.
    result["open_findings"] = [
        {**describe_finding(file, f),
         "unless_written_by": [{"extension": index, "function": name, "argument": position}
                               for index, name, position in f.unless_written_by]}
        for f in found if f.unless_written_by]
    return result


def argument_dtypes(text):
    """`float32,int64,-`: of each argument of forward, `-` for a number."""
    return [None if name == "-" else torch_names.dtype("torch." + name) for name in text.split(",")]


def main():
    sys.setrecursionlimit(RECURSION_LIMIT)
    try:
        result = inspect(sys.argv[1], argument_dtypes(sys.argv[2]) if len(sys.argv) > 2 else None)
    except SyntaxError as error:
        result = {"parse": "failed", "errors": [
            {"line": error.lineno or 1, "column": error.offset or 1, "message": error.msg}]}
    except (RecursionError, MemoryError):  # Of Python's own parser.
        result = {"parse": "failed", "errors": [
            {"line": 0, "column": 0, "message": "the file is nested too deeply for Python"}]}
    except (OSError, ValueError) as error:
        result = {"parse": "failed",
                  "errors": [{"line": 0, "column": 0, "message": str(error)}]}
    # Lone surrogates of a hostile string are no JSON text.
    sys.stdout.write(json.dumps(result, ensure_ascii=True))


if __name__ == "__main__":
    main()
