"""Formatting of strings, piece by piece, so that the literal parts keep their places."""

import ast
import re
import string

from . import values
from .text import Text, concatenate
from .values import Mapping, Sequence, String, Unknown

_MAX_WIDTH = 10_000
_PERCENT = re.compile(r"%(?:\(([^()]*)\))?([#0\- +]*\d*(?:\.\d*)?)[hlL]?([a-zA-Z%])")


class Template(values.Value):
    """A string.Template."""

    def __init__(self, text):
        self.text = text


def plain(value):
    """The Python value of a known string or number, else None."""
    if isinstance(value, String):
        return value.text.value
    if isinstance(value, values.Const) and value.value is not None:
        return value.value
    return None


def _is_wide(specification):
    """Whether a format asks for more characters than anybody would."""
    numbers = re.findall(r"\d+", specification)
    return any(len(n) > 5 or int(n) > _MAX_WIDTH for n in numbers)


def percent(pattern, right):
    """`pattern % right`."""
    text, pieces, position = pattern.text, [], 0
    named = right if isinstance(right, Mapping) and right.rest is None else None
    items = [] if named else list(right.items) if isinstance(right, Sequence) else [right]
    for found in [*_PERCENT.finditer(text.value), None]:
        between = text.slice(position, found.start() if found else None)
        if "%" in between.value:
            return Unknown()
        pieces.append(between)
        if found is None:
            break
        position = found.end()
        name, specification, conversion = found.groups()
        if conversion == "%":
            pieces.append(text.slice(position - 1, position))
        elif (name is None) == (named is None) and not _is_wide(specification):
            value = named.known.get(name) if named else items.pop(0) if items else None
            piece = _piece(value, specification if conversion == "s" else None,
                           lambda known: f"%{specification}{conversion}" % (known,))
            if piece is None:
                return Unknown()
            pieces.append(piece)
        else:
            return Unknown()
    return Unknown() if items else String(concatenate(pieces))


def _piece(value, specification, convert):
    """The Text of one value in a pattern, or None; a string that is not changed keeps its place."""
    known = plain(value)
    if known is None:
        return None
    if specification == "" and isinstance(value, String):
        return value.text
    try:
        return Text(convert(known))
    except (TypeError, ValueError, OverflowError):
        return None


def substitute(template, name, arguments, keywords):
    """`string.Template.substitute` and `safe_substitute`."""
    named = dict(keywords)
    for given in arguments[:1]:
        if not isinstance(given, Mapping) or given.rest is not None:
            return Unknown()
        named = {**given.known, **named}
    if None in named:
        return Unknown()
    text, pieces, position = template.text, [], 0
    for found in string.Template.pattern.finditer(text.value):
        pieces.append(text.slice(position, found.start()))
        position = found.end()
        key = found["named"] or found["braced"]
        if found["escaped"] is not None:
            pieces.append(text.slice(position - 1, position))
        elif key in named:
            piece = _piece(named[key], "", str)
            if piece is None:
                return Unknown()
            pieces.append(piece)
        elif name == "safe_substitute":
            pieces.append(text.slice(found.start(), position))
        else:
            return Unknown()
    return String(concatenate([*pieces, text.slice(position, None)]))


def format_value(interpreter, part, value, scope):
    """The Text of a replacement field of an f-string, or None."""
    known = plain(value)
    if known is None:
        return None
    specification = ""
    if part.format_spec is not None:
        # A specification has no place of its own in the tree before Python 3.12.
        pieces = [p.value if isinstance(p, ast.Constant)
                  else plain(interpreter.evaluate(p.value, scope))
                  for p in part.format_spec.values]
        if None in pieces or _is_wide("".join(map(str, pieces))):
            return None
        specification = "".join(map(str, pieces))
    if part.conversion == -1 and not specification and isinstance(value, String):
        return value.text
    try:
        converted = {115: str, 114: repr, 97: ascii}.get(part.conversion, lambda v: v)(known)
        return Text(format(converted, specification))
    except (TypeError, ValueError, OverflowError):
        return None


def format_string(text, arguments, keywords):
    """str.format, field by field so that the literal parts keep their places."""
    pieces, position, automatic = [], 0, 0
    try:
        parts = list(string.Formatter().parse(text.value))
    except ValueError:
        return Unknown()
    for literal, field, specification, conversion in parts:
        for char in literal:
            at = text.value.find(char, position)
            pieces.append(text.slice(at, at + 1))
            position = at + 1
            if char in "{}" and text.value[position:position + 1] == char:
                position += 1
        if field is None:
            continue
        if field == "":
            field, automatic = str(automatic), automatic + 1
        value = arguments[int(field)] if field.isdigit() and int(field) < len(arguments) \
            else keywords.get(field)
        known = plain(value) if value is not None else None
        if known is None or conversion or _is_wide(specification):
            return Unknown()
        try:
            pieces.append(value.text if isinstance(value, String) and not specification
                          else Text(format(known, specification)))
        except (TypeError, ValueError, OverflowError):
            return Unknown()
        end = text.value.find("}", position)
        position = end + 1 if end >= 0 else len(text.value)
    return String(concatenate(pieces))


def reverse(value):
    """`reversed(value)`; None when its items are not known."""
    if isinstance(value, String) and len(value.text.value) <= _MAX_SEARCHED:
        return Sequence([String(value.text.slice(i, i + 1))
                         for i in reversed(range(len(value.text.value)))])
    return Sequence(value.items[::-1]) if isinstance(value, Sequence) else None


# One repetition takes the square of this in the worst case; more of them are not searched for.
_MAX_SEARCHED = 1 << 15
_REPETITION = re.compile(r"\\.|([*+?{])\??")


def substitute_pattern(arguments):
    """`re.sub(pattern, replacement, text)` of known strings."""
    if len(arguments) != 3 or not all(isinstance(a, String) for a in arguments):
        return Unknown()
    pattern, replacement, text = (a.text for a in arguments)
    repetitions = sum(bool(m.group(1)) for m in _REPETITION.finditer(pattern.value))
    if repetitions > 1 or len(text.value) > _MAX_SEARCHED:
        return Unknown()
    pieces, position = [], 0
    try:
        for match in re.finditer(pattern.value, text.value):
            made = replacement if "\\" not in replacement.value else \
                Text(match.expand(replacement.value))
            pieces += [text.slice(position, match.start()), made]
            position = match.end()
    except (re.error, IndexError, OverflowError, RecursionError):
        return Unknown()
    return String(concatenate(pieces + [text.slice(position, None)]))
