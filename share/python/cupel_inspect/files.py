"""Files that the script writes and reads: paths, as strings and as objects of pathlib.

A source that the script writes and then builds is part of the submission; any other file is a
finding.
"""

from . import values
from .text import Text, concatenate
from .values import Method, Opened, Sequence, String, Unknown, join, options

SOURCE_ENDINGS = (".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".c")
_CLASSES = ("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath")
_FOLDERS = ("tempfile.mkdtemp", "tempfile.gettempdir", "os.getcwd", "tempfile.TemporaryDirectory",
            "pathlib.Path.cwd", "pathlib.Path.home")
_SAME = ("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser",
         "os.fspath", "os.path.expandvars")
_SAME_METHODS = ("resolve", "absolute", "expanduser", "as_posix", "__str__", "__fspath__")
_CHANGES = ("unlink", "rename", "replace", "rmdir", "symlink_to", "hardlink_to", "touch", "chmod")
_LISTS = ("glob", "rglob", "iterdir")


class ComputedPath(Unknown):
    """A path in a folder that is only known at run time; `path_key` tells equal ones. An unknown
    part is equal to none but itself, which is `kept` so that its identity stays its own."""

    def __init__(self, key, kept=()):
        self.path_key = key
        self.kept = kept


class PathObject(values.Value):
    """A pathlib.Path; `place` is the String or ComputedPath that it stands for."""

    def __init__(self, place):
        self.place = place

    def truth(self):
        return True


def key_of(value):
    """Identity of a path: its text, or the key when the folder is computed."""
    if isinstance(value, PathObject):
        value = value.place
    if isinstance(value, String):
        return value.text.value
    return getattr(value, "path_key", None)


def text_of_path(value):
    """`str(path)`; None for what is no path."""
    if isinstance(value, PathObject):
        return value.place
    return value if isinstance(value, ComputedPath) else None


def combine(parts):
    """The place that `os.path.join(*parts)` gives."""
    places = [p.place if isinstance(p, PathObject) else p for p in parts]
    keys = [key_of(p) for p in places]
    found = "/".join(f"<{id(p)}>" if key is None else key for p, key in zip(places, keys))
    return String(Text(found)) if all(isinstance(p, String) for p in places) else \
        ComputedPath(found, places)


def divide(left, right):
    """`path / name`; None when neither is a path object."""
    if not isinstance(left, PathObject) and not isinstance(right, PathObject):
        return None
    return PathObject(combine([left, right]))


def _with_key(path, change):
    """A path whose key is `change` of the key of `path`."""
    key = change(key_of(path))
    known = isinstance(path.place if isinstance(path, PathObject) else path, String)
    return String(Text(key)) if known else ComputedPath(key, [path])


def _folder_of(key):
    return key.rpartition("/")[0] or ("/" if key.startswith("/") else key + "/..")


def call_function(interpreter, node, name, arguments, keywords):
    """A function of os, tempfile or pathlib."""
    here = f"<{name}:{node.lineno}:{node.col_offset}>"
    if name == "os.path.join" and arguments:
        return combine(arguments)
    if name in _CLASSES:
        return PathObject(combine(arguments or [String(".")]))
    if name in _SAME and arguments:
        return text_of_path(arguments[0]) or arguments[0]
    if name == "os.path.dirname" and arguments and key_of(arguments[0]) is not None:
        return _with_key(arguments[0], _folder_of)
    if name in _FOLDERS:
        folder = ComputedPath(here)
        return PathObject(folder) if name.startswith("pathlib.") else folder
    suffix = values.text_of(keywords.get("suffix", Unknown())) or ""
    if name == "tempfile.NamedTemporaryFile":
        return Opened(ComputedPath(here + suffix), True)
    if name == "tempfile.mkstemp":
        path = ComputedPath(here + suffix)
        return Sequence([Opened(path, True), path])
    if name == "os.fdopen" and arguments and isinstance(arguments[0], Opened):
        return arguments[0]
    return Unknown()


def open_file(interpreter, node, arguments, keywords):
    mode_value = arguments[1] if len(arguments) > 1 else keywords.get("mode")
    mode = values.text_of(mode_value) if mode_value is not None else "r"
    path = arguments[0] if arguments else Unknown()
    if isinstance(path, Opened):  # Its descriptor.
        return path
    writes = mode is None or any(m in mode for m in "wax+")
    _record(interpreter, node, path, writes)
    key = key_of(path)
    if mode is not None and "w" in mode and key is not None:
        _start(interpreter, key)
    return Opened(path, writes)


def _record(interpreter, node, path, writes):
    key = key_of(path) or ""
    if not key.endswith(SOURCE_ENDINGS):
        interpreter.record("file-write" if writes else "file-read", node,
                           "(computed path)" if not key or "<" in key else key)


def _write(interpreter, path, texts):
    """Adds to what the file holds."""
    key = key_of(path)
    if key is None:
        return
    for pieces in interpreter.written_files.setdefault(key, [[]])[-1:]:
        pieces += [t.text if isinstance(t, String) else None for t in texts]


def _start(interpreter, key):
    """The file is written anew; in a branch, that is one of what it may hold."""
    before = interpreter.written_files.get(key, []) if interpreter.branch_depth else []
    interpreter.written_files[key] = [*before, []]


def written(interpreter, path):
    """The Text that the script has written to a file; None where that is not known."""
    found = [pieces for pieces in interpreter.written_files.get(key_of(path), []) if pieces]
    if not found or any(None in pieces for pieces in found):
        return None
    texts = [concatenate(pieces) for pieces in found]
    return texts[-1] if len({t.value for t in texts}) == 1 else None


def _read(interpreter, path):
    known = written(interpreter, path)
    return String(known) if known is not None else Unknown()


def call_file_method(interpreter, node, opened, name, arguments):
    if name == "write" and arguments:
        _write(interpreter, opened.path, arguments[:1])
    if name == "writelines" and arguments:
        lines = arguments[0].items if isinstance(arguments[0], Sequence) else arguments
        _write(interpreter, opened.path, lines)
    if name == "read":
        return _read(interpreter, opened.path)
    return opened if name == "__enter__" else Unknown()


def print_to(interpreter, arguments, keywords):
    """`print(text, file=f)`."""
    for opened in options(keywords.get("file", Unknown())):
        if isinstance(opened, Opened):
            plain = len(arguments) == 1 and set(keywords) == {"file"}
            _write(interpreter, opened.path,
                   [arguments[0], String("\n")] if plain else [Unknown()])


def attribute_of_file(opened, name):
    return opened.path if name == "name" else Method(opened, name)


def attribute_of_path(path, name):
    key = key_of(path)
    last = key.rpartition("/")[2]
    if name == "parent":
        return PathObject(_with_key(path, _folder_of))
    if name in ("name", "stem", "suffix"):
        part = {"name": last, "stem": last.rpartition(".")[0] or last,
                "suffix": last[last.rfind("."):] if "." in last else ""}[name]
        return String(Text(part)) if "<" not in part else Unknown()
    return Method(path, name)


def call_path_method(interpreter, node, path, name, arguments, keywords):
    if name in ("write_text", "write_bytes"):
        _record(interpreter, node, path, True)
        _start(interpreter, key_of(path))
        _write(interpreter, path, arguments[:1] or [Unknown()])
    elif name in ("read_text", "read_bytes"):
        _record(interpreter, node, path, False)
        return _read(interpreter, path)
    elif name == "open":
        return open_file(interpreter, node, [path, *arguments], keywords)
    elif name in _CHANGES:
        _record(interpreter, node, path, True)
    elif name in _LISTS:
        return values.Many(PathObject(ComputedPath(f"{key_of(path)}/<{name}>", [path])))
    elif name in _SAME_METHODS:
        return path.place if name.startswith(("as", "__")) else path
    elif name == "joinpath":
        return PathObject(combine([path, *arguments]))
    elif name in ("with_suffix", "with_name") and arguments:
        return _renamed(path, name, arguments[0])
    return Unknown()


def _renamed(path, name, given):
    text = values.text_of(given)
    if text is None:
        return PathObject(ComputedPath(f"{key_of(path)}/../<{id(given)}>", [path, given]))
    def change(key):
        folder, slash, last = key.rpartition("/")
        stem = last.rpartition(".")[0] or last
        return folder + slash + (text if name == "with_name" else stem + text)
    return PathObject(_with_key(path, change))
