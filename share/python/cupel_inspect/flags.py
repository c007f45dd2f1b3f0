"""Flags of load_inline and load: macros, which are part of the source, and what changes the build.

torch writes the flags into a ninja file, joined by blanks, and ninja gives the line to a shell;
nvcc splits the values of its options at commas (measured with nvcc 13.0 --dryrun).
"""

import re

from .text import Text, concatenate

_DEFINE = ("-D", "--define-macro")
_UNDEFINE = ("-U", "--undefine-macro")
_HOST = ("-Xcompiler", "--compiler-options", "-Xpreprocessor")
_LINKER = ("-Xlinker", "--linker-options", "-Wl")
_COMPILER = ("-ccbin", "--compiler-bindir")
_FOLDER = ("-L", "--library-path")
_LIBRARY = ("-l", "--library")
# Flags that take in code which is not in the file, or have another program make the code.
_ADDS_CODE = ("-include", "--pre-include", "-imacros", "-fplugin", "-fpass-plugin", "-Xclang",
              "-specs", "--specs", "-wrapper", "-optf", "--options-file", "--run", "-run",
              "-no-integrated-cpp")
# Of the linker: other symbols, other code at the start or the end, other libraries.
_RELINKS = ("--wrap", "-wrap", "--defsym", "-defsym", "-T", "--script", "-init", "-fini",
            "--just-symbols", "-plugin", "--plugin", "--audit", "--depaudit", "interpose",
            "--dynamic-linker")
# A program that the machine has: the file has none of its own there.
_COMPILER_NAME = re.compile(r"(?!.*\.\.)(/(usr|opt)/[\w./+-]+|[\w.+-]+)")
_MACRO = re.compile(r"([A-Za-z_]\w*(?:\([^)]*\))?)(?:=(.*))?", re.DOTALL)
_CODE_FILE = re.compile(r".*\.(so(\.\d+)*|a|o|obj|cu|cc|cpp|cxx|c|ptx|cubin|fatbin)", re.DOTALL)
# It only chooses between two layouts of std::string, and the headers are read by then.
_LAYOUT = "_GLIBCXX_USE_CXX11_ABI"
# Of the system, CUDA and torch. That vendor libraries are called, not that they are linked, is what
# fallback-vendor-call is about.
_LIBRARIES = re.compile(
    r"(c|m|dl|rt|pthread|util|z|stdc\+\+|stdc\+\+fs|atomic|gcc|gcc_s|gomp|omp|iomp5|numa|tbb"
    r"|cuda|cudart|cudart_static|cudadevrt|nvrtc|nvrtc-builtins|nvJitLink|nvptxcompiler_static"
    r"|nvToolsExt|nvidia-ml|culibos|cupti|cublas|cublasLt|cudnn\w*|cufft\w*|curand|cusparse\w*"
    r"|cusolver\w*|cutensor|nccl|npp\w*|torch|torch_cpu|torch_cuda|torch_python|c10|c10_cuda"
    r"|python[\d.]*)(_static)?")
_LIBRARY_FILE = re.compile(r"/(usr|lib|lib64|opt)/([\w.+-]*/)*lib([\w+-]+)\.(so(\.\d+)*|a)")


# Variables by which nvcc takes flags, the shell's programs take libraries, and gcc and torch other
# programs to compile with.
_FLAG_VARIABLES = ("NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS")
_COMPILER_VARIABLES = ("CC", "CXX", "NVCC_CCBIN")
_PROGRAM_VARIABLES = ("LD_PRELOAD", "LD_AUDIT", "GCC_EXEC_PREFIX", "COMPILER_PATH")


def of_variable(name, text):
    """Level and message of what `os.environ[name] = text` does to the build; None for nothing."""
    if name in _PROGRAM_VARIABLES:
        return "reject", f"'{name}' adds code that is not in this file"
    if name in _COMPILER_VARIABLES:
        known = text is None or _COMPILER_NAME.fullmatch(text.value.removeprefix("ccache "))
        return None if known else ("reject", f"'{name}' has '{text.value}' compile the source")
    if name not in _FLAG_VARIABLES:
        return None
    flags = Flags()
    flags.take(flags.read(text) if text is not None else [])
    for _, level, message in flags.findings:
        return level, message
    # They hold for all extensions, and no source is read with them.
    changes = text is None or bool(flags.lines)
    return ("warn", f"'{name}' may define macros, with which no source was judged") if changes \
        else None


class Flags:
    """What the flags of one compiler, or of the linker, say.

    lines: Text of `#define` and `#undef` lines, in their order; names: of the macros; findings:
    (offset in the file or None, level, message); unsure: whether a flag cannot be known that may
    change the source."""

    def __init__(self, links=False):
        self.lines = []
        self.names = []
        self.findings = []
        self.unsure = False
        self._links = links

    def read(self, text):
        """One string of the list, which may hold several flags."""
        words, is_command = shell_words(text.strip())
        if is_command:
            self._find(text, "reject", "has the shell run more than the compiler")
        return words

    def take(self, words):
        waiting = list(words)
        while waiting:
            word = waiting.pop(0)
            self._take_one(word, waiting)

    def _take_one(self, word, waiting):
        known = word.value
        if (value := _argument(word, _DEFINE, waiting)) is not None:
            for part in split_at_commas(value):
                self._define(part)
        elif (value := _argument(word, _UNDEFINE, waiting)) is not None:
            for part in split_at_commas(value):
                if re.fullmatch(r"[A-Za-z_]\w*", part.value):
                    self.lines.append(concatenate([Text("#undef "), part, Text("\n")]))
        elif (value := _argument(word, _HOST, waiting)) is not None:
            self.take(split_at_commas(value))
        elif (value := _argument(word, _COMPILER, waiting)) is not None:
            if not _COMPILER_NAME.fullmatch(value.value):
                self._find(word, "reject", f"has '{value.value}' compile the source")
        elif (value := _argument(word, _LINKER, waiting)) is not None or \
                (value := word.slice(4, None) if known.startswith("-Wl,") else None) is not None:
            for part in split_at_commas(value):
                self._link(part)
        elif known.startswith("@") or re.match(r"-B\s*/", known) or any(
                known == flag or known.startswith((flag + "=", flag + "-")) or
                flag in ("-include", "-imacros") and known.startswith(flag)
                for flag in _ADDS_CODE):
            self._find(word, "reject", f"'{known}' adds code that is not in this file")
        elif self._links and (value := _argument(word, _LIBRARY, waiting)) is not None:
            self._library(word, value.value)
        elif self._links and _argument(word, _FOLDER, waiting) is not None:
            pass
        elif self._links and "/" in known and not known.startswith("-"):
            self._file(word)
        elif self._links:
            self._link(word)

    def _define(self, macro):
        match = _MACRO.fullmatch(macro.value)
        if not match or match[1] == _LAYOUT:
            return
        name = macro.slice(0, match.end(1))
        value = Text("1") if match[2] is None else macro.slice(match.start(2), match.end(2))
        # As GCC does it; and the last backslash of a line would take in the next one.
        value = value.slice(0, (value.value + "\n").index("\n"))
        end = "/**/\n" if value.value.endswith("\\") else "\n"
        self.names.append(name.value.split("(")[0])
        self.lines.append(concatenate([Text("#define "), name, Text(" "), value, Text(end)]))

    def _link(self, word):
        if any(word.value == flag or word.value.startswith(flag + "=") for flag in _RELINKS):
            self._find(word, "reject", f"'{word.value}' has the linker change what is called")
        elif _CODE_FILE.fullmatch(word.value) and not word.value.startswith("-"):
            self._file(word)

    def _library(self, word, name):
        if name.startswith(":") or "/" in name:
            self._find(word, "reject", f"'{word.value}' is not built from this file")
        elif not _LIBRARIES.fullmatch(name):
            self._find(word, "warn", f"'{name}' is no library of the system, CUDA or torch")

    def _file(self, word):
        match = _LIBRARY_FILE.fullmatch(word.value)
        if not match or not _LIBRARIES.fullmatch(match[3]):
            self._find(word, "reject", f"'{word.value}' is not built from this file")

    def _find(self, text, level, message):
        place = next((o for o in text.origin if o is not None), None)
        self.findings.append((place, level, message))


def _argument(word, names, waiting):
    """The argument of `word` where it is one of the options `names`; None where it is none."""
    for name in names:
        if word.value == name:
            return waiting.pop(0) if waiting else Text("")
        if word.value.startswith(name + "="):
            return word.slice(len(name) + 1, None)
        if len(name) == 2 and word.value.startswith(name):
            return word.slice(2, None)
    return None


def split_at_commas(text):
    """Parts of an option's value; those in parentheses stay whole, as they are meant."""
    parts, depth, begin = [], 0, 0
    for i, char in enumerate(text.value):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth <= 0:
            parts.append(text.slice(begin, i))
            begin = i + 1
    return parts + [text.slice(begin, None)]


def shell_words(text):
    """The words that a shell makes of `text`, and whether there is an operator of the shell in it.
    Parentheses are left as they are: outside of quotes they are an error there."""
    words, pieces, quote, is_command = [], None, None, False
    i, value = 0, text.value
    while i < len(value):
        char = value[i]
        i += 1
        if quote != "'" and (char == "`" or value[i - 1:i + 1] == "$("):
            is_command = True
        if quote is None and char.isspace():
            is_command |= char == "\n"  # Ends the line of the ninja file.
            words += [concatenate(pieces)] if pieces is not None else []
            pieces = None
            continue
        pieces = pieces if pieces is not None else []
        if quote is None and char in "'\"":
            quote = char
        elif char == quote:
            quote = None
        elif char == "\\" and i < len(value) and \
                (quote is None or quote == '"' and value[i] in '"\\$`'):
            pieces.append(text.slice(i, i + 1))
            i += 1
        else:
            is_command |= quote is None and char in ";|&<>"
            pieces.append(text.slice(i - 1, i))
    return words + ([concatenate(pieces)] if pieces is not None else []), is_command
