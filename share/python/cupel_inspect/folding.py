"""What an operator over known operands gives."""

import ast
import operator

from . import files, formatting, torch_names, values
from .text import MAX_TEXT, Text, concatenate
from .values import (Const, Dotted, EmptyTest, Many, Number, Sequence, Size, String, Union, Unknown,
                     join, options)

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
           ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
           ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
           ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor}
_COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
            ast.Gt: operator.gt, ast.GtE: operator.ge}
_SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
            ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|",
            ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.USub: "-", ast.Invert: "~",
            ast.UAdd: "+", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
            ast.GtE: ">="}

# Numbers and lists that grow beyond are not followed further.
_MAX_BITS, MAX_ITEMS = 4096, 1 << 16


def operator_symbol(node):
    op = node.ops[0] if isinstance(node, ast.Compare) else node.op
    return "operator" + _SYMBOLS.get(type(op), "?")


def fold_binary(operation, left, right):
    if operation is ast.Div and files.divide(left, right) is not None:
        return files.divide(left, right)
    if isinstance(left, String) and isinstance(right, String) and operation is ast.Add:
        return String(left.text + right.text)
    if operation is ast.Add and isinstance(left, (String, values.Starts)):
        return values.Starts(left.start if isinstance(left, values.Starts) else left.text.value)
    if isinstance(left, String) and operation is ast.Mult and isinstance(right, Const):
        return _repeat(left, right.value)
    if isinstance(left, String) and operation is ast.Mod:
        known = formatting.percent(left, right)
        return values.Starts(left.text.value.split("%")[0]) if isinstance(known, Unknown) else known
    if isinstance(left, Sequence) and isinstance(right, Sequence) and operation is ast.Add:
        if len(left.items) + len(right.items) > MAX_ITEMS:
            return Many(Unknown())
        return Sequence(left.items + right.items)
    if isinstance(left, Const) and isinstance(right, Const) and operation in _BINARY:
        numbers = isinstance(left.value, (int, float)) and isinstance(right.value, (int, float))
        if not numbers or (operation in (ast.Pow, ast.LShift) and abs(right.value) > 64):
            return Unknown()
        try:
            result = _BINARY[operation](left.value, right.value)
            if isinstance(result, int) and result.bit_length() > _MAX_BITS:
                return Number()
            return Const(result)
        except (ArithmeticError, TypeError, ValueError):
            return Unknown()
    if isinstance(left, values.Counter) or isinstance(right, values.Counter):
        return values.Counter()
    if isinstance(left, (Number, Const)) and isinstance(right, (Number, Const)):
        sizes = all(isinstance(v, Size) or _is_natural(v) for v in (left, right))
        return Size() if sizes and operation in (ast.Add, ast.Mult, ast.FloorDiv) else Number()
    return Unknown()


def _is_natural(value):
    return isinstance(value, Const) and isinstance(value.value, int) and value.value > 0


def _repeat(repeated, count):
    if not isinstance(count, int) or len(repeated.text.value) * count > MAX_TEXT:
        return Unknown()
    return String(concatenate([repeated.text] * max(0, count)))


def fold_compare(op, left, right):
    if isinstance(op, (ast.Is, ast.IsNot)) and not (_is_dtype(left) and _is_dtype(right)):
        none = [isinstance(v, Const) and v.value is None for v in (left, right)]
        unsure = any(isinstance(v, (Unknown, Union)) for v in (left, right))
        if any(none) and not unsure:
            return Const(all(none) == isinstance(op, ast.Is))
        return Unknown()
    if isinstance(left, String) and isinstance(right, String) and type(op) in _COMPARE:
        return Const(_COMPARE[type(op)](left.text.value, right.text.value))
    if isinstance(op, (ast.In, ast.NotIn)):
        return _fold_membership(isinstance(op, ast.In), left, right)
    if _is_dtype(left) and _is_dtype(right) and type(op) in _DTYPE_TESTS:
        same = torch_names.dtype(left.name) == torch_names.dtype(right.name) or \
            torch_names.ASKED_DTYPE in (left.name, right.name)
        return Const(same == isinstance(op, (ast.Eq, ast.Is)))
    if isinstance(left, Const) and isinstance(right, (Number, Unknown)) and type(op) in _MIRRORED:
        return fold_compare(_MIRRORED[type(op)](), right, left)
    if isinstance(left, Size) and isinstance(right, Const) and isinstance(right.value, int):
        return _compare_size(type(op), right.value)
    # Of other numbers nothing is known, but they may be made of sizes.
    if type(left) in (Number, Unknown) and isinstance(right, Const) and right.value == 0 and \
            not isinstance(right.value, bool) and \
            type(op) in (ast.Eq, ast.NotEq, ast.LtE, ast.Gt):
        return EmptyTest(isinstance(op, (ast.Eq, ast.LtE)))
    if isinstance(left, Const) and isinstance(right, Const) and type(op) in _COMPARE:
        try:
            return Const(bool(_COMPARE[type(op)](left.value, right.value)))
        except TypeError:
            return Unknown()
    return Unknown()


_DTYPE_TESTS = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
_MIRRORED = {ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.LtE: ast.GtE,
             ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _is_dtype(value):
    return isinstance(value, Dotted) and \
        (value.name in torch_names.DTYPES or value.name == torch_names.ASKED_DTYPE)


def _fold_membership(is_in, left, right):
    """`x.dtype in (torch.float16, torch.bfloat16)`, `0 in x.shape`."""
    zero = isinstance(left, Const) and left.value == 0
    if zero and isinstance(right, (Many, Sequence)) and \
            any(isinstance(o, Size) for o in options(_any_item(right))):
        return EmptyTest(is_in)
    if _is_dtype(left) and isinstance(right, Sequence) and all(_is_dtype(i) for i in right.items):
        names = {torch_names.dtype(i.name) for i in right.items}
        found = torch_names.dtype(left.name) in names or left.name == torch_names.ASKED_DTYPE
        return Const(found == is_in)
    return Unknown()


def _any_item(container):
    return container.item if isinstance(container, Many) else join(*container.items)


def _compare_size(op, bound):
    """A size, which is never negative, against a number."""
    outcomes = {bool(_COMPARE[op](size, bound)) for size in (0, 1, max(0, bound) + 1,
                                                             max(0, bound), max(0, bound - 1))}
    if len(outcomes) == 1:
        return Const(outcomes.pop())
    if bound == (1 if op in (ast.Lt, ast.GtE) else 0):
        return EmptyTest(op in (ast.Eq, ast.LtE, ast.Lt))
    return Unknown()


def slice_string(owner, node, interpreter):
    if not isinstance(node, ast.Slice):
        return Unknown()
    ends = []
    for part in (node.lower, node.upper, node.step):
        value = Const(None) if part is None else interpreter.evaluate(part, interpreter.scope)
        if not isinstance(value, Const) or not isinstance(value.value, (int, type(None))):
            return Unknown()
        ends.append(value.value)
    return Unknown() if ends[2] == 0 else String(owner.text.slice(*ends))
