"""load_inline and load: which sources an extension is built from, and where they stand.

A macro that a flag defines is part of the source: it becomes a line ahead of it.
"""

import re
import types

from . import files, flags, values
from .flags import Flags
from .text import Text, concatenate
from .values import Const, Extension, Sequence, String, Unknown, options

_INLINE = ("torch.utils.cpp_extension.load_inline",)
_LOAD = ("torch.utils.cpp_extension.load",)
_POSITIONAL = {
    "load_inline": ["name", "cpp_sources", "cuda_sources", "functions", "extra_cflags",
                    "extra_cuda_cflags", "extra_ldflags"],
    "load": ["name", "sources", "extra_cflags", "extra_cuda_cflags", "extra_ldflags"],
}
# What begins so changes neither the source nor what is linked, whatever follows.
_HARMLESS_START = re.compile(
    r"-(gencode|-generate-code|arch|-gpu-architecture|code|-gpu-code|I|isystem|L|O|t|-threads"
    r"|-?maxrregcount|-?std|Xptxas|-ptxas-options|march|mtune)")


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
        self.attributes = {}  # That the file gave the module.
        self.flags = []
        self.unknown = []        # Sources that only running the file gives,
        self.unknown_flags = []  # and flags.
        self.flag_findings = []  # (node, level, message)


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
    read = {flag: _read_flags(interpreter, record, flag, named.get(flag))
            for flag in ("extra_cflags", "extra_cuda_cflags", "extra_ldflags")}
    if kind == "load_inline":
        record.cuda = _sources(record, named.get("cuda_sources"), "cuda_sources")
        record.cpp = _sources(record, named.get("cpp_sources"), "cpp_sources")
        record.functions = _functions(record, named.get("functions"))
        if None in keywords and not record.cuda:
            record.unknown.append("cuda_sources")
    else:
        for item in _items(named.get("sources")):
            path = values.text_of(files.text_of_path(item) or item)
            source = files.written(interpreter, item)
            ending = files.key_of(item) or ""
            if source is None:
                record.unknown.append(f"the source file {path or '(computed path)'}")
            elif ending.endswith((".cpp", ".cc", ".cxx", ".c")):
                record.cpp.append(source)
            else:
                record.cuda.append(source)
    _put_macros_ahead(record, read["extra_cflags"], read["extra_cuda_cflags"])
    # The same call reached twice, from the module and from forward, is one extension.
    for known in interpreter.extensions:
        if known.node is node:
            record.attributes = known.attributes
            known.__dict__.update(record.__dict__)
            return Extension(known)
    interpreter.extensions.append(record)
    return Extension(record)


def _read_flags(interpreter, record, keyword, value):
    read, words = Flags(links=keyword == "extra_ldflags"), []
    for item in _items(value):
        if isinstance(item, String):
            words += read.read(item.text)
        else:
            start = item.start if isinstance(item, values.Starts) else ""
            read.unsure |= not _HARMLESS_START.match(start)
    read.take(words)
    if read.unsure:
        record.unknown_flags.append(f"a flag of {keyword}")
    for offset, level, message in read.findings:
        node = record.node
        if offset is not None:
            line, column = interpreter.file.node_place(offset)
            node = types.SimpleNamespace(lineno=line, col_offset=column)
        record.flag_findings.append((node, level, message))
    return read


def set_variable(interpreter, node, key, value):
    """`os.environ[key] = value`."""
    found = flags.of_variable(values.text_of(key),
                              value.text if isinstance(value, String) else None)
    if found is not None:
        interpreter.record("build-variable", node, detail=found)


def _put_macros_ahead(record, cpp, cuda):
    """The C++ source stands ahead of the CUDA source in one text, and is compiled with flags of its
    own."""
    if cpp.lines and record.cpp:
        record.cpp.insert(0, concatenate(cpp.lines))
        if record.cuda:
            record.cpp.append(Text("".join(f"\n#undef {name}" for name in cpp.names) + "\n"))
    if cuda.lines and record.cuda:
        record.cuda.insert(0, concatenate(cuda.lines))


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
