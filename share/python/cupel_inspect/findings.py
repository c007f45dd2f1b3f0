"""Turns what the interpreter saw into findings. The levels are those of docs/checks/python."""

import ast
import re

from . import torch_names, values
from .values import Const, Dotted, Function, Setting, Stream

_THREADS = ("threading.Thread", "threading.Timer", "_thread.", "concurrent.futures.",
            "multiprocessing.", "torch.multiprocessing.", "asyncio.", "queue.")
_PROGRAMS = ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn", "os.fork", "pty.",
             "os.posix_spawn")
_NETWORK = ("socket.", "requests.", "urllib.", "http.", "ftplib.", "smtplib.", "httpx.")
_FRAMES = ("inspect.stack", "inspect.currentframe", "inspect.getouterframes", "inspect.trace",
           "sys._getframe", "sys._current_frames", "traceback.extract_stack",
           "traceback.format_stack", "traceback.print_stack", "traceback.walk_stack",
           "gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys.settrace",
           "sys.setprofile", "threading.settrace")
_EXITS = ("sys.exit", "os._exit", "os.abort", "os.kill", "os.killpg", "signal.raise_signal")
_FILES = ("numpy.load", "numpy.fromfile", "numpy.memmap", "pickle.load", "joblib.load",
          "mmap.mmap", "shutil.", "os.open", "os.remove", "os.unlink", "os.rename", "os.replace")
_WRITES = ("torch.save", "numpy.save", "pickle.dump", "os.write")
_NATIVE = ("ctypes.", "cffi.", "_ctypes.")
# Types of numbers reach nothing; a pointer to text would read what it points at.
_NUMBER_TYPES = re.compile(
    r"ctypes\.(c_(u?int\d*|u?short|u?long(long)?|u?byte|s?size_t|float|(long)?double|bool|void_p)"
    r"|sizeof)")
_SLEEPS = ("time.sleep",)
# These import nothing.
_QUERIES = ("importlib.metadata.version", "importlib.invalidate_caches")
# Settings of torch that change the precision of the reference in the same process.
_PRECISION = ("torch.backends.cuda.matmul.", "torch.backends.cudnn.allow_tf32",
              "torch.backends.cudnn.conv.", "torch.backends.fp32_precision",
              "torch.backends.cudnn.fp32_precision", "torch.backends.cuda.preferred_")
_SUSPECT_IMPORTS = frozenset("""
    ctypes socket subprocess multiprocessing threading requests urllib http inspect gc pickle
    marshal dis code codeop signal mmap
""".split())


class Finding:
    """`unless_written_by`: arguments of extensions' functions. The finding holds when the C++ shows
    that none of them is written."""

    def __init__(self, check, level, node, message, notes=(), unless_written_by=()):
        self.check, self.level, self.node, self.message = check, level, node, message
        self.notes = list(notes)
        self.unless_written_by = sorted(unless_written_by)


def collect(interpreter, ran):
    """Findings of all events, each check and place once; `ran`: as models.run gives it."""
    found, seen = [], set()
    for event in interpreter.events:
        handler = _HANDLERS.get(event.kind)
        finding = handler(interpreter, event) if handler else None
        if finding is None:
            continue
        key = (finding.check, finding.node.lineno, finding.node.col_offset,
               *finding.unless_written_by)
        if key not in seen:
            seen.add(key)
            finding.notes += _path(event)
            found.append(finding)
    for one in ran:
        found += _whole_model(interpreter, one.cls, one.forward, one.calls_kernel)
    return found + (_whole_file(interpreter) if ran else [])


def _path(event):
    return [(call, "called from here") for call, _ in reversed(event.stack[1:])
            if hasattr(call, "lineno")]


def _live(event):
    return event.phase == "forward"


def _torch_call(interpreter, event):
    if _live(event):
        return Finding("fallback-python-torch-call", "reject", event.node,
                       f"forward leaves work to '{event.name}'")
    return None


def _module_call(interpreter, event):
    if _live(event):
        return Finding("fallback-python-module-call", "reject", event.node,
                       f"forward calls a '{event.name}' module, which computes with torch")
    return None


def _tensor_method(interpreter, event):
    if _live(event):
        return Finding("fallback-python-tensor-method", "reject", event.node,
                       f"forward leaves work to the tensor method '{event.name}'")
    return None


def _tensor_operator(interpreter, event):
    if _live(event):
        return Finding("fallback-python-tensor-operator", "reject", event.node,
                       f"forward computes with {event.name} on tensors")
    return None


def _tensor_copy(interpreter, event):
    if _live(event):
        return Finding("fallback-python-tensor-copy", "warn", event.node,
                       f"torch copies or fills a tensor: '{event.name}'")
    return None


def _in_place(interpreter, event):
    sources = {t.root().source for t in values.tensors(event.detail)}
    if not _live(event) or not sources & {"input", "weight"}:
        return None
    if "input" in sources:
        return Finding("work-python-input-modified", "reject", event.node,
                       f"'{event.name}' changes an argument of forward in place")
    # Running statistics of a norm are updated in place by the reference too.
    return Finding("work-python-parameter-modified", "warn", event.node,
                   f"'{event.name}' changes a parameter or buffer in place")


def _precision(interpreter, event):
    if not _live(event):
        return None
    # Of a weight the file itself says what it is; of an argument only the problem does.
    own = event.detail.root().source == "weight"
    if event.detail.dtype is None or not (own or interpreter.inputs.known):
        return Finding("work-python-lower-precision", "warn", event.node,
                       f"'{event.name}' lowers the precision of a tensor in forward, if the "
                       "problem is in float32")
    return Finding("work-python-lower-precision", "reject", event.node,
                   f"'{event.name}' lowers the precision of a float32 tensor in forward")


def _torch_compile(interpreter, event):
    return Finding("fallback-python-torch-call", "reject", event.node,
                   f"'{event.name}' makes torch generate the kernels")


def _build_variable(interpreter, event):
    level, message = event.detail
    return Finding("evasion-python-build-flag", level, event.node, message)


def _memoised(interpreter, event):
    if not _live(event):
        return None
    return Finding("reuse-python-result", "reject", event.node,
                   f"'{event.name}' is memoised: it returns the stored result for a tensor seen "
                   "before")


def _is_default(name, value):
    """Whether a setting is given the value that torch starts with, or that it had, which changes
    nothing."""
    if isinstance(value, (Setting, Dotted)):
        return value.name == name
    if name == "torch.set_float32_matmul_precision":
        return values.text_of(value) == "highest"
    return name == "torch.backends.cuda.matmul.allow_tf32" and isinstance(value, Const) and \
        value.value is False


def _patch(interpreter, event):
    name = event.name
    if name.startswith(("torch.backends.",)):
        if name.startswith(_PRECISION) and not _is_default(name, event.detail):
            return Finding("work-python-global-precision", "reject", event.node,
                           f"'{name}' changes the precision of the whole process")
        return None
    if name.startswith(("os.environ", "self")):
        return None
    if name.startswith("sys.") and name != "sys.modules" and not name.startswith("sys.std"):
        return None
    return Finding("process-python-patch", "reject", event.node,
                   f"'{name}' of another module is replaced")


def _addition(interpreter, event):
    return Finding("process-python-patch", "warn", event.node,
                   f"'{event.name}' is added to another module, which does not have it")


def _override(interpreter, event):
    return Finding("process-python-patch", "reject", event.node,
                   f"'{event.name}' changes what torch does in the whole process")


def _call(interpreter, event):
    name = event.name
    def starts(prefixes):
        return name.startswith(prefixes)
    if starts(_THREADS):
        return Finding("timing-python-thread", "reject", event.node,
                       f"'{name}' runs work beside the call of forward")
    if starts(_PROGRAMS):
        return Finding("process-python-program", "reject", event.node,
                       f"'{name}' starts a program")
    if starts(_NETWORK):
        return Finding("process-python-network", "reject", event.node,
                       f"'{name}' uses the network")
    if starts(_FRAMES):
        return Finding("process-python-inspection", "reject", event.node,
                       f"'{name}' looks at the caller or its objects")
    if starts(_EXITS):
        return Finding("process-python-exit", "reject", event.node,
                       f"'{name}' ends the process")
    if starts(_FILES + _WRITES) and name != "shutil.which" and event.phase != "exit":
        return Finding("process-python-file", "reject", event.node, f"'{name}' uses a file")
    if starts(_NATIVE) and not _NUMBER_TYPES.fullmatch(name):
        return Finding("process-python-native", "reject", event.node,
                       f"'{name}' reaches native code beside the extension")
    if starts(_SLEEPS) and _live(event):
        return Finding("timing-python-sleep", "reject", event.node, f"forward calls '{name}'")
    if name in ("os.getenv", "os.environ.get"):
        return Finding("process-python-environment", "warn", event.node,
                       f"'{name}' reads the environment")
    if name.startswith("importlib.") and name not in _QUERIES:
        return Finding("evasion-python-dynamic-code", "reject", event.node,
                       f"'{name}' imports a module by a computed name")
    return None


def _environment(interpreter, event):
    return Finding("process-python-environment", "warn", event.node, "the environment is read")


def _file(interpreter, event):
    verb = "reads" if event.kind == "file-read" else "writes"
    return Finding("process-python-file", "reject", event.node,
                   f"the submission {verb} the file '{event.name}'")


def _exec(interpreter, event):
    return Finding("evasion-python-dynamic-code", "reject", event.node,
                   f"'{event.name}' runs code that is made at run time")


def _dynamic_import(interpreter, event):
    return Finding("evasion-python-dynamic-code", "reject", event.node,
                   f"'__import__' imports '{event.name}'")


def _main_module(interpreter, event):
    return Finding("process-python-inspection", "reject", event.node,
                   f"'{event.name}' of '__main__' belongs to the program that runs the submission")


def _dynamic_name(interpreter, event):
    return Finding("evasion-python-dynamic-code", "reject", event.node,
                   f"an attribute of '{event.name}' is looked up by a computed name")


def _exit(interpreter, event):
    return Finding("process-python-exit", "reject", event.node, f"'{event.name}' ends the process")


def _import(interpreter, event):
    root = event.name.split(".")[0]
    if root not in _SUSPECT_IMPORTS:
        return None
    return Finding("process-python-import", "note", event.node,
                   f"a kernel file has no use for the module '{root}'")


def _decoded(interpreter, event):
    return Finding("evasion-python-packed-source", "reject", event.node,
                   f"'{event.name}' unpacks text that is stored in an encoded form")


def _library(interpreter, event):
    return Finding("process-python-native", "reject", event.node,
                   f"'{event.name}' loads a library that is not built from this file")


def _setting(interpreter, event):
    given = event.detail[0] if event.detail else None
    if event.name != "torch.set_float32_matmul_precision" or _is_default(event.name, given):
        return None
    return Finding("work-python-global-precision", "reject", event.node,
                   f"'{event.name}' changes the precision of the whole process")


def _return(interpreter, event):
    if not _live(event):
        return None
    for cls in values.classes_in(event.detail):
        if cls.derives_from("torch.Tensor", "torch.nn.Parameter") or \
                cls.find("__torch_function__"):
            return Finding("process-python-patch", "reject", event.node,
                           f"forward returns a '{cls.name}', which answers for a tensor in its "
                           "own way")
    for tensor in values.tensors(event.detail):
        root = tensor.root()
        if not root.writers and root.source == "input":
            return _unwritten(event, root)
        if not root.writers and root.source == "empty" and not root.for_empty and \
                not _writes_unseen(interpreter):
            return _unwritten(event, root)
        if event.generation == 2 and root.made_in == 1 and root.source != "input":
            unsure = root.unsure == 2 or _writes_unseen(interpreter)
            return Finding("reuse-python-result", "warn" if unsure else "reject",
                           event.node, "the second call of forward can return a tensor that an "
                           "earlier call made")
    returned = values.certain_tensors(event.detail)
    if returned and all(t.root().made_in == 0 and t.root().source != "input" for t in returned):
        unsure = _writes_unseen(interpreter) or any(None in t.root().writers for t in returned)
        return Finding("reuse-python-result", "warn" if unsure else "reject", event.node,
                       "what forward returns was made before it was called")
    # A loop that may not run at all leaves its variable what it was, among others.
    for tensor in returned:
        root = tensor.root()
        if root.source in ("input", "empty") and None not in root.writers and \
                not root.for_empty and not _writes_unseen(interpreter):
            return _unwritten(event, root)
    return None


def _unwritten(event, root):
    """The finding for a return of `root`, unless one of those that were given it writes it."""
    check, message = {
        "input": ("work-python-returns-input", "forward returns its argument unchanged"),
        "empty": ("work-python-unwritten-output",
                  "forward returns a tensor that nothing has written")}[root.source]
    return Finding(check, "reject", event.node, message, unless_written_by=root.writers)


def other_languages(interpreter):
    """What the file imports to write kernels in besides CUDA."""
    return sorted({e.name.split(".")[0] for e in interpreter.events if e.kind == "import"}
                  & torch_names.OTHER_LANGUAGES)


def _not_followed(interpreter):
    """Whether the kernels may be in another language; then what is missing says nothing."""
    return not interpreter.extensions and bool(other_languages(interpreter))


def _writes_unseen(interpreter):
    """Whether what is not followed can write a tensor: a graph's replay, another language."""
    return _not_followed(interpreter) or any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and
        node.func.attr == "replay" for node in ast.walk(interpreter.tree))


_HANDLERS = {
    "torch-call": _torch_call, "module-call": _module_call, "tensor-method": _tensor_method,
    "tensor-operator": _tensor_operator, "tensor-copy": _tensor_copy, "tensor-in-place": _in_place,
    "precision": _precision, "torch-compile": _torch_compile, "memoised": _memoised,
    "build-variable": _build_variable, "patch": _patch, "addition": _addition,
    "override": _override, "call": _call, "environment": _environment,
    "file-read": _file, "file-write": _file, "exec": _exec,
    "dynamic-import": _dynamic_import, "dynamic-name": _dynamic_name,
    "main-module": _main_module, "exit": _exit,
    "import": _import, "decoded-source": _decoded, "library-load": _library,
    "torch-setting": _setting, "return": _return,
}


def _whole_model(interpreter, model, forward, calls_kernel):
    """What only the whole of forward shows: no kernel reached."""
    if forward is None:
        return [Finding("fallback-python-inherited-forward", "reject", model.node,
                        f"'{model.name}' has no forward of its own but a torch module's")]
    if calls_kernel or _not_followed(interpreter):
        return []
    if isinstance(forward, Function) and _is_inherited(model, forward):
        return [Finding("fallback-python-inherited-forward", "reject", model.node,
                        f"'{model.name}' inherits a forward that calls no kernel")]
    dead = [e for e in interpreter.events if e.kind == "dead-branch" and _live(e)]
    notes = [(e.node, "this branch is never taken") for e in dead]
    notes += [(e.node, f"'{e.name}' does the work") for e in interpreter.events
              if e.kind in _WORK and _live(e)][:1]
    # Another language's kernel may be what was given the tensors.
    level = "warn" if interpreter.gives_away and other_languages(interpreter) else "reject"
    node = forward.node if isinstance(forward, Function) else model.node
    # A lambda has no name, and another function's name says nothing.
    name = "__call__" if getattr(node, "name", "") == "__call__" else "forward"
    return [Finding("fallback-python-no-kernel", level, node,
                    f"{name} calls no function of a CUDA extension of this file", notes)]


_WORK = ("foreign-kernel", "torch-call", "module-call", "tensor-method", "tensor-operator")


def _is_inherited(model, forward):
    """Whether a class that `model` derives from defines `forward`; what is assigned to the class
    is its own."""
    return any(isinstance(base, values.Class) and forward.node in ast_children(base.node)
               for base in model.order() if base is not model)


def _whole_file(interpreter):
    """What is not known of the sources, and streams that nobody joins."""
    results = []
    for record in interpreter.extensions:
        for unknown in record.unknown + record.unknown_flags:
            results.append(Finding("evasion-python-unknown-source", "warn", record.node,
                                   f"{unknown} cannot be known before the file runs"))
        for node, level, message in record.flag_findings:
            results.append(Finding("evasion-python-build-flag", level, node, message))
    joined = any(e.kind == "stream-method" and e.name in
                 ("wait_stream", "synchronize", "wait_event", "record_event") for e in
                 interpreter.events) or any(e.kind == "call" and
                                            e.name == "torch.cuda.synchronize"
                                            for e in interpreter.events)
    for event in interpreter.events:
        own = event.kind == "stream-scope" and isinstance(event.detail, Stream) and event.detail.own
        if own and _live(event) and not joined:
            results.append(Finding("timing-python-stream", "reject", event.node,
                                   "work goes to a stream that the caller's stream never waits "
                                   "for"))
            break
    return results


def ast_children(node):
    return getattr(node, "body", [])  # A class that `type(...)` makes has no statements.


def only_raises(function):
    """Whether the body of a function is no more than a `raise`: whoever runs the class calls
    something else."""
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and
                                             isinstance(s.value, ast.Constant))] \
        if isinstance(function, ast.FunctionDef) else []
    return bool(body) and isinstance(body[0], ast.Raise)
