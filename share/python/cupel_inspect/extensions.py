"""load_inline and load: which sources an extension is built from, and where they stand."""

from . import values
from .text import Text
from .values import Const, Extension, Method, Opened, Sequence, String, Unknown, options

_INLINE = ("torch.utils.cpp_extension.load_inline",)
_LOAD = ("torch.utils.cpp_extension.load",)
_POSITIONAL = {
    "load_inline": ["name", "cpp_sources", "cuda_sources", "functions", "extra_cflags",
                    "extra_cuda_cflags", "extra_ldflags"],
    "load": ["name", "sources", "extra_cflags", "extra_cuda_cflags", "extra_ldflags"],
}
SOURCE_ENDINGS = (".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".c")


class Record:
    """One extension: `cuda` and `cpp` are lists of Text, or of None for a source that cannot be
    known; `functions` the names that load_inline binds."""

    def __init__(self, node, kind):
        self.node = node
        self.kind = kind
        self.name = ""
        self.cuda = []
        self.cpp = []
        self.functions = []
        self.flags = []
        self.unknown = []


def is_builder(name):
    return name in _INLINE + _LOAD


def build(interpreter, node, name, arguments, keywords):
    kind = name.rsplit(".", 1)[-1]
    named = dict(zip(_POSITIONAL[kind], arguments))
    named.update({k: v for k, v in keywords.items() if k is not None})
    record = Record(node, kind)
    record.name = values.text_of(named.get("name", Unknown())) or ""
    for flag in ("extra_cflags", "extra_cuda_cflags", "extra_ldflags", "extra_include_paths"):
        record.flags += [values.text_of(v) or "?" for v in _items(named.get(flag))]
    if kind == "load_inline":
        record.cuda = _sources(record, named.get("cuda_sources"), "cuda_sources")
        record.cpp = _sources(record, named.get("cpp_sources"), "cpp_sources")
        record.functions = _functions(record, named.get("functions"))
    else:
        for item in _items(named.get("sources")):
            path = values.text_of(item)
            source = interpreter.written_files.get(_path_key(item))
            ending = path or _path_key(item) or ""
            if source is None:
                record.unknown.append(f"the source file {path or '(computed path)'}")
            elif ending.endswith((".cpp", ".cc", ".cxx", ".c")):
                record.cpp.append(source)
            else:
                record.cuda.append(source)
    # The same call reached twice, from the module and from forward, is one extension.
    for known in interpreter.extensions:
        if known.node is node:
            known.__dict__.update(record.__dict__)
            return Extension(known)
    interpreter.extensions.append(record)
    return Extension(record)


def _items(value):
    if value is None:
        return []
    found = []
    for option in options(value):
        if isinstance(option, Sequence):
            found += option.items
        elif not (isinstance(option, Const) and option.value is None):
            found.append(option)
    return found


def _sources(record, value, keyword):
    found = []
    for item in _items(value):
        known = [o for o in options(item) if isinstance(o, String)]
        found += [o.text for o in known]
        if len(known) != len(options(item)):
            record.unknown.append(keyword)
    return found


def _functions(record, value):
    names = []
    for option in options(value) if value is not None else []:
        if isinstance(option, values.Mapping):
            names += list(option.known)
        else:
            names += [values.text_of(i) or "?" for i in _items(option)]
    return names


# Files that the script itself writes.

def _path_key(value):
    """Identity of a path: its text, or the value object when the folder is computed."""
    if isinstance(value, String):
        return value.text.value
    return getattr(value, "path_key", None)


class ComputedPath(Unknown):
    """A path in a folder that is only known at run time; `path_key` tells equal ones."""

    def __init__(self, key):
        self.path_key = key


def call_path_function(interpreter, node, name, arguments, keywords):
    if name in ("os.path.join", "pathlib.Path", "os.fspath") and arguments:
        if all(isinstance(a, String) for a in arguments):
            return String(Text("/".join(a.text.value for a in arguments)))
        known = [values.text_of(a) or getattr(a, "path_key", "?") for a in arguments]
        return ComputedPath("/".join(known))
    if name in ("tempfile.mkdtemp", "tempfile.gettempdir", "os.getcwd", "os.path.dirname",
                "os.path.abspath", "tempfile.TemporaryDirectory"):
        return ComputedPath(f"<{name}:{node.lineno}:{node.col_offset}>")
    if name in ("tempfile.NamedTemporaryFile",):
        suffix = values.text_of(keywords.get("suffix", Unknown())) or ""
        return Opened(ComputedPath(f"<{name}:{node.lineno}:{node.col_offset}>{suffix}"), True)
    return Unknown()


def open_file(interpreter, node, arguments, keywords):
    mode_value = arguments[1] if len(arguments) > 1 else keywords.get("mode")
    mode = values.text_of(mode_value) if mode_value is not None else "r"
    path = arguments[0] if arguments else Unknown()
    writes = mode is None or any(m in mode for m in "wax+")
    key = _path_key(path) or ""
    source = key.endswith(SOURCE_ENDINGS)
    if not source:
        interpreter.record("file-write" if writes else "file-read", node, key or "(computed path)")
    return Opened(path, writes)


def call_file_method(interpreter, node, opened, name, arguments):
    key = _path_key(opened.path)
    if name == "write" and arguments:
        if isinstance(arguments[0], String) and key is not None:
            interpreter.written_files[key] = arguments[0].text
        return Unknown()
    if name == "read":
        known = interpreter.written_files.get(key)
        return String(known) if known is not None else Unknown()
    if name == "__enter__":
        return opened
    return Unknown()


def attribute_of_file(opened, name):
    return opened.path if name == "name" else Method(opened, name)
