"""Strings that know where in the source file each of their characters comes from."""

import ast
import bisect
import io
import re
import textwrap
import tokenize

# A submission has at most as many characters; what grows beyond is meant to.
MAX_TEXT = 4 << 20


class TooLong(Exception):
    """The file needs more steps, or makes longer strings, than any honest one."""


class Text:
    """A known string. `origin[i]` is the offset in the file of character i, or None."""

    def __init__(self, value, origin=None):
        self.value = value
        self.origin = origin if origin is not None else [None] * len(value)

    def __add__(self, other):
        return concatenate([self, other])

    def slice(self, begin, end, step=None):
        return Text(self.value[begin:end:step], self.origin[begin:end:step])

    def replace(self, old, new, count=-1):
        found = self.value.count(old.value) if old.value else 0
        found = found if count < 0 else min(found, count)
        if len(self.value) + found * (len(new.value) - len(old.value)) > MAX_TEXT:
            raise TooLong()
        pieces, position = [], 0
        while count != 0 and old.value:
            found = self.value.find(old.value, position)
            if found < 0:
                break
            pieces += [self.slice(position, found), new]
            position, count = found + len(old.value), count - 1
        return concatenate(pieces + [self.slice(position, None)])

    def strip(self, chars=None, left=True, right=True):
        begin = len(self.value) - len(self.value.lstrip(chars)) if left else 0
        end = len(self.value.rstrip(chars)) if right else len(self.value)
        return self.slice(begin, max(begin, end))

    def dedent(self):
        """As textwrap.dedent, which only removes characters at the beginning of lines."""
        return self._align(textwrap.dedent(self.value))

    def _align(self, shorter):
        """Self reduced to `shorter`, which came from it by deleting characters of its lines."""
        pieces, position = [], 0
        ours, theirs = lines_of(self.value), lines_of(shorter)
        for line, kept in zip(ours, theirs):
            begin = position + len(line) - len(kept)
            pieces.append(self.slice(begin, position + len(line)))
            position += len(line)
        return concatenate(pieces)


def concatenate(texts):
    texts = list(texts)
    if sum(len(text.value) for text in texts) > MAX_TEXT:
        raise TooLong()
    origin = []
    for text in texts:
        origin += text.origin
    return Text("".join(text.value for text in texts), origin)


def lines_of(text):
    """The lines of a text with their ends. str.splitlines ends a line at a form feed, Python and
    editors do not."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


class SourceFile:
    """The submission's text, with line starts for offsets and back."""

    def __init__(self, text):
        self.text = text
        self.starts = [0]
        self._lines = lines_of(text)
        for line in self._lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line, byte_column):
        """Offset of a place as the syntax tree gives it: columns there are UTF-8 bytes."""
        if line > len(self._lines):
            return len(self.text)
        prefix = self._lines[line - 1].encode()[:byte_column]
        return self.starts[line - 1] + len(prefix.decode(errors="ignore"))

    def node_place(self, offset):
        """Of an offset, as the syntax tree gives places: see offset."""
        line = bisect.bisect_right(self.starts, offset)
        return line, len(self.text[self.starts[line - 1]:offset].encode())

    def segment(self, node):
        begin = self.offset(node.lineno, node.col_offset)
        return begin, self.text[begin:self.offset(node.end_lineno, node.end_col_offset)]


def literal(file, node):
    """The Text of a string constant, implicit concatenation included."""
    begin, segment = file.segment(node)
    pieces = []
    for start, token in _string_tokens(segment):
        body_begin, body, raw = _body(token)
        pieces.append(_decode(body, begin + start + body_begin, raw))
    decoded = concatenate(pieces)
    # The tree is the authority; a literal that our decoder reads differently keeps its value and
    # the place of its first character.
    if decoded.value != node.value:
        return Text(node.value, [begin] * len(node.value))
    return decoded


def joined_string(file, node, format_value):
    """The Text of an f-string; `format_value(node)` gives the Text of a replacement field, or
    None when it is not known."""
    begin, segment = file.segment(node)
    values = list(node.values)
    pieces = []
    tokens = _string_tokens(segment) or [(0, segment)]
    for start, token in tokens:
        body_begin, body, raw = _body(token)
        base = begin + start + body_begin
        if "f" not in token[: body_begin].lower():
            pieces.append(_decode(body, base, raw))
            continue
        for kind, offset, text in _f_string_parts(body):
            if kind == "text":
                pieces.append(_decode(text, base + offset, raw, braces=True))
                continue
            field = next((v for v in values if isinstance(v, ast.FormattedValue)), None)
            if field is None:
                return None
            values = values[values.index(field) + 1:]
            known = format_value(field)
            if known is None:
                return None
            pieces.append(known)
    return concatenate(pieces)


def _string_tokens(segment):
    """(offset, token) of each string literal in `segment`, f-strings whole."""
    found, depth, opened = [], 0, None
    starts = [0]
    for line in lines_of(segment):
        starts.append(starts[-1] + len(line))
    f_start = getattr(tokenize, "FSTRING_START", None)
    f_end = getattr(tokenize, "FSTRING_END", None)
    try:
        # Parentheses let a literal that goes over several lines stand alone.
        for token in tokenize.generate_tokens(io.StringIO("(" + segment + ")").readline):
            begin = starts[token.start[0] - 1] + token.start[1] - (token.start[0] == 1)
            end = starts[token.end[0] - 1] + token.end[1] - (token.end[0] == 1)
            if f_start is not None and token.type == f_start:
                opened = begin if depth == 0 else opened
                depth += 1
            elif f_end is not None and token.type == f_end:
                depth -= 1
                if depth == 0:
                    found.append((opened, segment[opened:end]))
            elif token.type == tokenize.STRING and depth == 0:
                found.append((begin, segment[begin:end]))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []
    return found


def _body(token):
    """Offset of the body, the body and whether the literal is raw."""
    quote = min(i for i in (token.find('"'), token.find("'")) if i >= 0)
    raw = "r" in token[:quote].lower()
    width = 3 if token[quote:quote + 3] in ('"""', "'''") else 1
    return quote + width, token[quote + width:len(token) - width], raw


_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b",
           "f": "\f", "v": "\v"}
_WIDTH = {"x": 2, "u": 4, "U": 8}


def _decode(body, base, raw, braces=False):
    """Undoes the escapes of a literal's body; `braces`: `{{` and `}}` are one brace."""
    value, origin, i = [], [], 0
    while i < len(body):
        here, char = i, body[i]
        if braces and body[i:i + 2] in ("{{", "}}"):
            i += 2
        elif char != "\\" or raw or i + 1 == len(body):
            i += 1
        elif body[i + 1] == "\n":
            i += 2
            continue
        elif body[i + 1] in _SIMPLE:
            char, i = _SIMPLE[body[i + 1]], i + 2
        elif body[i + 1] in _WIDTH:
            width = _WIDTH[body[i + 1]]
            try:
                char = chr(int(body[i + 2:i + 2 + width], 16))
            except (ValueError, OverflowError):
                char = "\ufffd"
            i += 2 + width
        elif body[i + 1] in "01234567":
            end = i + 1
            while end < min(len(body), i + 4) and body[end] in "01234567":
                end += 1
            char, i = chr(int(body[i + 1:end], 8)), end
        else:
            i += 1
        value.append(char)
        origin.append(base + here)
    return Text("".join(value), origin)


def _f_string_parts(body):
    """Yields ("text", offset, text) and ("field", offset, text) of an f-string's body."""
    start = i = 0
    while i < len(body):
        if body[i:i + 2] in ("{{", "}}"):
            i += 2
        elif body[i] == "{":
            if start < i:
                yield "text", start, body[start:i]
            end = _field_end(body, i)
            yield "field", i, body[i:end]
            start = i = end
        else:
            i += 1
    if start < len(body):
        yield "text", start, body[start:]


def _field_end(body, begin):
    depth, i, quote = 0, begin, None
    while i < len(body):
        char = body[i]
        if quote:
            quote = None if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return len(body)
