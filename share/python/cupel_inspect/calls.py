"""What a call, an attribute or an operator of known operands gives."""

import ast
import base64
import binascii
import operator
import re
import zlib

from . import extensions, indirect, tensor_methods, torch_names, values
from .text import MAX_TEXT, Text, concatenate
from .values import (Class, Const, Dotted, Extension, ExtensionFunction, Function, Instance, Many,
                     EmptyTest, Mapping, Method, Number, Opened, Partial, Pointer, Sequence, Size,
                     Stream, String, Super, Tensor, TorchModule, Union, Unknown, is_tensor, join,
                     options)

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
_MAX_BITS, _MAX_ITEMS, _MAX_WIDTH = 4096, 1 << 16, 10_000


def operator_symbol(node):
    op = node.ops[0] if isinstance(node, ast.Compare) else node.op
    return "operator" + _SYMBOLS.get(type(op), "?")


def fold_binary(operation, left, right):
    if isinstance(left, String) and isinstance(right, String) and operation is ast.Add:
        return String(left.text + right.text)
    if isinstance(left, String) and operation is ast.Mult and isinstance(right, Const):
        return _repeat(left, right.value)
    if isinstance(left, String) and operation is ast.Mod:
        return _percent(left, right)
    if isinstance(left, Sequence) and isinstance(right, Sequence) and operation is ast.Add:
        if len(left.items) + len(right.items) > _MAX_ITEMS:
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


def _repeat(string, count):
    if not isinstance(count, int) or len(string.text.value) * count > MAX_TEXT:
        return Unknown()
    return String(concatenate([string.text] * max(0, count)))


def _is_wide(specification):
    """Whether a format asks for more characters than anybody would."""
    numbers = re.findall(r"\d+", specification)
    return any(len(n) > 5 or int(n) > _MAX_WIDTH for n in numbers)


def _percent(string, right):
    if any("*" in field or _is_wide(field) for field in re.findall(r"%[^a-zA-Z%]*", string.text.value)):
        return Unknown()
    items = right.items if isinstance(right, Sequence) else [right]
    known = [plain(i) for i in items]
    if any(k is None for k in known):
        return Unknown()
    try:
        return String(Text(string.text.value % tuple(known)))
    except (TypeError, ValueError, OverflowError):
        return Unknown()


def plain(value):
    """The Python value of a known string or number, else None."""
    if isinstance(value, String):
        return value.text.value
    if isinstance(value, Const) and value.value is not None:
        return value.value
    return None


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
    if not isinstance(node, ast.Slice) or node.step is not None:
        return Unknown()
    ends = []
    for part in (node.lower, node.upper):
        value = Const(None) if part is None else interpreter.evaluate(part, interpreter.scope)
        if not isinstance(value, Const) or not isinstance(value.value, (int, type(None))):
            return Unknown()
        ends.append(value.value)
    return String(owner.text.slice(*ends))


def format_value(interpreter, part, value, scope):
    """The Text of a replacement field of an f-string, or None."""
    known = plain(value)
    if known is None:
        return None
    specification = ""
    if part.format_spec is not None:
        # A specification has no place of its own in the tree before Python 3.12.
        pieces = part.format_spec.values
        if not all(isinstance(p, ast.Constant) for p in pieces):
            return None
        specification = "".join(p.value for p in pieces)
        if _is_wide(specification):
            return None
    if part.conversion == -1 and not specification and isinstance(value, String):
        return value.text
    try:
        converted = {115: str, 114: repr, 97: ascii}.get(part.conversion, lambda v: v)(known)
        return Text(format(converted, specification))
    except (TypeError, ValueError, OverflowError):
        return None


# Attributes.

def attribute(interpreter, node, owner, name):
    if name == "__dict__":
        return indirect.namespace(owner)
    if isinstance(owner, Dotted) and owner.name == "torch.device()" and name == "type":
        return String("cuda")
    if isinstance(owner, Dotted):
        return Dotted(torch_names.normalize(f"{owner.name}.{name}"))
    if isinstance(owner, Tensor):
        return _tensor_attribute(owner, name)
    if isinstance(owner, Instance):
        found = interpreter.method(owner, name)
        if isinstance(found, Function) and found.is_property and found.receiver is owner:
            return interpreter.get_property(node, found, owner, name)
        if found is not None:
            return found
        if name == "_modules":
            return indirect.namespace(owner)
        return Method(owner, name) if owner.cls.derives_from("torch.nn.Module") else Unknown()
    if isinstance(owner, Class):
        return owner.find(name) or Method(owner, name)
    if isinstance(owner, Function):
        return interpreter.function_attributes.get((owner.node, name)) or Unknown()
    if isinstance(owner, Super):
        found = owner.instance.cls.find(name, after=owner.cls)
        if isinstance(found, Function):
            return Function(found.node, found.scope, owner.instance, found.cached)
        return Method(owner, name)
    if isinstance(owner, Extension):
        return ExtensionFunction(owner, name)
    if isinstance(owner, TorchModule):
        if torch_names.PARAMETER_NAME.match(name):
            return Tensor("weight", dtype="torch.float32")
        return Method(owner, name)
    if isinstance(owner, Stream):
        return Method(owner, name)
    if isinstance(owner, Opened):
        return extensions.attribute_of_file(owner, name)
    if isinstance(owner, (String, Sequence, Many, Mapping, Method)):
        return Method(owner, name)
    return Method(owner, name) if isinstance(owner, Unknown) else Unknown()


def _tensor_attribute(tensor, name):
    if name in ("T", "mT", "H", "mH", "data", "real", "imag"):
        return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name in ("shape",):
        return Many(Size())
    if name in ("nbytes",):
        return Size()
    if name in ("ndim", "itemsize"):
        return Number()
    if name == "__cuda_array_interface__":
        return give_pointer(tensor)
    if name == "is_cuda":
        return Const(True)
    if name == "requires_grad":
        return Const(False)
    if name == "dtype":
        return Dotted(tensor.dtype) if tensor.dtype else Unknown()
    if name == "device":
        return Dotted("torch.device()")
    return Method(tensor, name)


# Calls.

def call(interpreter, node, scope):
    function = interpreter.evaluate(node.func, scope)
    arguments, keywords = [], {}
    for argument in node.args:
        starred = isinstance(argument, ast.Starred)
        value = interpreter.evaluate(argument.value if starred else argument, scope)
        if starred and isinstance(value, Sequence):
            arguments += value.items
        else:
            arguments.append(value)
    for keyword in node.keywords:
        keywords[keyword.arg] = interpreter.evaluate(keyword.value, scope)
    results = [apply(interpreter, node, option, arguments, keywords, scope)
               for option in options(function)]
    return join(*results)


def apply(interpreter, node, function, arguments, keywords, scope=None):
    """The result of calling `function`."""
    scope = scope or interpreter.scope
    if isinstance(function, Function):
        return interpreter.call_function(node, function, arguments, keywords)
    if isinstance(function, Class):
        return interpreter.construct(node, function, arguments, keywords)
    if isinstance(function, Instance):
        return _call_instance(interpreter, node, function, arguments, keywords)
    if isinstance(function, Partial):
        return apply(interpreter, node, function.function, function.arguments + arguments,
                     {**function.keywords, **keywords}, scope)
    if isinstance(function, indirect.Caller):
        return indirect.apply_caller(interpreter, node, function, arguments)
    if isinstance(function, ExtensionFunction):
        return _call_extension(interpreter, node, function, arguments, keywords)
    if isinstance(function, TorchModule):
        return _call_module(interpreter, node, function, arguments)
    if isinstance(function, Method):
        return _call_method(interpreter, node, function, arguments, keywords, scope)
    if isinstance(function, Dotted):
        return _call_dotted(interpreter, node, function.name, arguments, keywords, scope)
    give(interpreter, [*arguments, *keywords.values()], sure=False)
    return Unknown()


def give(interpreter, arguments, sure):
    """Code that may write them is given `arguments`: a kernel (`sure`), or what is not followed."""
    roots = [root for a in arguments for root in values.reachable(a)]
    for root in roots:
        root.written = True
        if sure:
            root.made_in = interpreter.generation
        else:
            root.unsure = interpreter.generation
            interpreter.gives_away |= interpreter.phase == "forward"
        if interpreter.capturing:
            remember_capture(interpreter.capturing[-1], root)
    return roots


def give_pointer(tensor):
    """Who has the address may write there."""
    tensor.root().written = True
    return Pointer(tensor)


def _call_instance(interpreter, node, instance, arguments, keywords):
    forward = interpreter.method(instance, "__call__") or interpreter.method(instance, "forward")
    if isinstance(forward, Function):
        return interpreter.call_function(node, forward, arguments, keywords)
    for base in instance.cls.order():
        if isinstance(base, Dotted) and torch_names.is_nn_class(base.name):
            return _call_module(interpreter, node, TorchModule(base.name), arguments)
    return Unknown()


def _call_extension(interpreter, node, function, arguments, keywords):
    interpreter.record("extension-call", node, function.name, detail=function.extension.record)
    return _extension_result(interpreter, [*arguments, *keywords.values()])


def _extension_result(interpreter, arguments):
    """A kernel may write all that it is given, and what the extension returns (a plan, a graph, the
    number of one) may keep it for a later call."""
    roots = give(interpreter, arguments, sure=True)
    result = Tensor("kernel", interpreter.generation)
    result.held = list(dict.fromkeys(roots))[:64]
    return result


def _call_module(interpreter, node, module, arguments):
    if module.name in torch_names.FREE_NN_MODULES:
        return arguments[0] if arguments else Unknown()
    if module.name == "torch.nn.Sequential" and module.children:
        result = arguments[0] if arguments else Unknown()
        for child in module.children:
            result = join(*[apply(interpreter, node, c, [result], {}) for c in options(child)])
        return result
    interpreter.record("module-call", node, module.name)
    return interpreter.computed()


def remember_capture(graph, tensor):
    graph.made = getattr(graph, "made", [])
    graph.made.append(tensor)


def _call_method(interpreter, node, method, arguments, keywords, scope):
    receiver, name = method.receiver, method.name
    if isinstance(receiver, Tensor):
        return _call_tensor_method(interpreter, node, receiver, name, arguments, keywords)
    if isinstance(receiver, String):
        return _call_string_method(receiver, name, arguments, keywords)
    if isinstance(receiver, (Sequence, Many, Mapping)):
        return _call_container_method(receiver, name, arguments)
    if isinstance(receiver, Opened):
        return extensions.call_file_method(interpreter, node, receiver, name, arguments)
    if isinstance(receiver, Stream):
        interpreter.record("stream-method", node, name, detail=(receiver, arguments))
        return Unknown()
    if isinstance(receiver, Method) and receiver.name == "graph object":
        if name == "replay":
            interpreter.record("graph-replay", node)
            for tensor in getattr(receiver, "made", []):
                tensor.made_in = interpreter.generation
        return Unknown()
    if isinstance(receiver, Super):
        own = interpreter.method(receiver.instance, "forward")
        if name == "__call__" and isinstance(own, Function):
            return interpreter.call_function(node, own, arguments, keywords)
        for base in receiver.instance.cls.order():
            if name == "forward" and isinstance(base, Dotted) and torch_names.is_nn_class(base.name):
                return _call_module(interpreter, node, TorchModule(base.name), arguments)
        return Unknown()
    if isinstance(receiver, TorchModule):
        if name in ("cuda", "to", "eval", "train", "half", "float", "double", "requires_grad_"):
            return receiver
        if name == "forward":
            return _call_module(interpreter, node, receiver, arguments)
        return Unknown()
    if isinstance(receiver, Instance):
        if name in ("register_buffer", "register_parameter", "add_module", "register_module") and \
                len(arguments) > 1 and values.text_of(arguments[0]):
            receiver.attributes[values.text_of(arguments[0])] = arguments[1]
        elif name in ("cuda", "to", "eval", "train", "float"):
            return receiver
        elif name in ("register_forward_hook", "register_forward_pre_hook") and arguments:
            receiver.hooks.append((node, arguments[0], name == "register_forward_pre_hook"))
        elif name in indirect.SUBMODULES:
            return indirect.submodules(interpreter, node, receiver, name, arguments)
        return Unknown()
    if isinstance(receiver, Class) and receiver.derives_from("torch.autograd.Function") and \
            name == "apply":
        forward = receiver.find("forward")
        if isinstance(forward, Function):
            context = [] if receiver.find("setup_context") else [Unknown()]
            return interpreter.call_function(node, forward, context + arguments, keywords)
    give(interpreter, [*arguments, *keywords.values()], sure=False)
    return Unknown()


def _call_tensor_method(interpreter, node, tensor, name, arguments, keywords):
    if tensor.source == "kernel" and name not in tensor_methods.NAMES and \
            not name.startswith("__"):
        # An object of the extension: its methods may run kernels over what it keeps.
        interpreter.record("extension-call", node, name)
        return _extension_result(interpreter, [tensor, *arguments, *keywords.values()])
    dtypes = [a.name for a in [*arguments, *keywords.values()]
              if isinstance(a, Dotted) and a.name in torch_names.DTYPES]
    narrowed = name in ("half", "bfloat16") or \
        (name in ("to", "type") and any(d in torch_names.HALF_DTYPES for d in dtypes))
    if narrowed:
        if tensor.dtype not in torch_names.HALF_DTYPES:
            interpreter.record("precision", node, name, detail=tensor)
        return Tensor("torch", interpreter.generation, "torch.float16")
    if name in ("float", "to", "type", "cuda", "cpu") and not dtypes or \
            dtypes == [tensor.dtype] and tensor.dtype is not None:
        # Device moves, and conversions to the dtype that the tensor has, change nothing.
        same_dtype = name != "float" or tensor.dtype in ("torch.float32", None)
        if same_dtype and name != "cpu":
            return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name.endswith("_") and not name.endswith("__") and name not in torch_names.FREE_METHODS:
        interpreter.record("tensor-in-place", node, name, detail=tensor)
        give(interpreter, [tensor], sure=True)
    if name in torch_names.LISTS_OF_VIEWS:
        return Many(Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor))
    if name in torch_names.VIEWS:
        return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name in torch_names.ALLOCATIONS:
        return _allocate(interpreter, name, arguments, {"dtype": Dotted(tensor.dtype) if tensor.dtype
                                                        else Unknown(), **keywords})
    if name in torch_names.FILLED:
        return Tensor("torch", interpreter.generation, tensor.dtype)
    if name == "size":
        return Size() if arguments else Many(Size())
    if name in ("numel", "nelement", "__len__"):
        return Size()
    if name in ("data_ptr", "untyped_storage", "storage", "__dlpack__", "numpy"):
        return give_pointer(tensor)
    if name == "stride":
        return Number() if arguments else Many(Number())
    if name in ("dim", "ndimension", "element_size", "storage_offset", "get_device"):
        return Number()
    if name == "is_contiguous" or name.startswith("is_"):
        return Unknown()
    if name in torch_names.COPIES:
        interpreter.record("tensor-copy", node, name, detail=tensor)
        return tensor if name.endswith("_") else \
            Tensor("torch", interpreter.generation, dtypes[0] if dtypes else tensor.dtype)
    if indirect.is_special_operator(name):
        interpreter.record("tensor-operator", node, name)
        return interpreter.computed()
    if name in torch_names.FREE_METHODS or name.startswith("__"):
        return Unknown()
    interpreter.record("tensor-method", node, name)
    return interpreter.computed()


def _call_string_method(receiver, name, arguments, keywords):
    text = receiver.text
    known = [values.text_of(a) for a in arguments]
    if name == "replace" and len(arguments) >= 2 and None not in known[:2]:
        return String(text.replace(arguments[0].text, arguments[1].text))
    if name in ("strip", "lstrip", "rstrip") and None not in known:
        return String(text.strip(*known[:1], left=name != "rstrip", right=name != "lstrip"))
    if name == "join" and len(arguments) == 1 and isinstance(arguments[0], Sequence):
        pieces = []
        for i, item in enumerate(arguments[0].items):
            if not isinstance(item, String):
                return Unknown()
            pieces += ([text] if i else []) + [item.text]
        return String(concatenate(pieces))
    if name == "format":
        return _format(text, arguments, keywords)
    if name in ("substitute", "safe_substitute"):
        return Unknown()
    if name in ("encode", "decode"):
        return receiver
    if name in ("startswith", "endswith", "isdigit") and None not in known and known:
        return Const(getattr(text.value, name)(*known))
    if name in ("lower", "upper") and not arguments:
        changed = getattr(text.value, name)()
        # Some letters become two: the German sharp s in upper case.
        return String(Text(changed, text.origin if len(changed) == len(text.value) else None))
    if name in ("split", "splitlines"):
        return Many(Unknown())
    return Unknown()


def _format(text, arguments, keywords):
    """str.format, field by field so that the literal parts keep their places."""
    import string
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


def _call_container_method(receiver, name, arguments):
    if isinstance(receiver, Sequence) and name in ("append", "insert"):
        receiver.items.append(arguments[-1] if arguments else Unknown())
        return Const(None)
    if isinstance(receiver, Sequence) and name == "extend" and arguments and \
            isinstance(arguments[0], Sequence):
        receiver.items += arguments[0].items
        return Const(None)
    if isinstance(receiver, Sequence) and name == "pop":
        return join(*receiver.items)
    if isinstance(receiver, Mapping):
        everything = join(*receiver.known.values(), receiver.rest)
        if name in ("get", "pop", "setdefault"):
            text = values.text_of(arguments[0]) if arguments else None
            if name == "setdefault" and len(arguments) > 1:
                receiver.rest = join(receiver.rest, arguments[1])
            found = receiver.known.get(text) if text is not None else everything
            return join(found, *arguments[1:]) if found is not None else join(*arguments[1:])
        if name == "values":
            return Many(everything)
        if name == "items":
            return Many(Sequence([Unknown(), everything]))
        if name == "update" and arguments and isinstance(arguments[0], Mapping):
            receiver.known.update(arguments[0].known)
            receiver.rest = join(receiver.rest, arguments[0].rest)
    if name in ("numel",):
        return Number()
    return Unknown()


# Calls of imported names.

_PURE_DECODERS = {
    "base64.b64decode": base64.b64decode, "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode, "base64.b32decode": base64.b32decode,
    "base64.b16decode": base64.b16decode, "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "binascii.unhexlify": binascii.unhexlify, "binascii.a2b_base64": binascii.a2b_base64,
    # One byte more than is taken, so that a bomb is seen and not unpacked.
    "zlib.decompress": lambda data: zlib.decompressobj().decompress(data, MAX_TEXT + 1),
}

_NUMBER_BUILTINS = frozenset("len int float abs round max min sum pow divmod ord hash id".split())


def _call_dotted(interpreter, node, name, arguments, keywords, scope):
    name = torch_names.normalize(name)
    if name.startswith("builtins."):
        return _call_builtin(interpreter, node, name[9:], arguments, keywords, scope)
    if extensions.is_builder(name):
        return extensions.build(interpreter, node, name, arguments, keywords)
    if name in ("functools.partial",) and arguments:
        return Partial(arguments[0], arguments[1:], keywords)
    if name == "functools.reduce" and len(arguments) > 1:
        return indirect.reduce(interpreter, node, arguments)
    if name.startswith(("operator.", "_operator.")):
        return indirect.call_operator_module(interpreter, node, name, arguments, keywords)
    if name in ("textwrap.dedent", "inspect.cleandoc") and arguments and \
            isinstance(arguments[0], String):
        return String(arguments[0].text.dedent())
    if name in _PURE_DECODERS and arguments:
        return _decode_packed(interpreter, node, name, arguments[0])
    if name in ("dict", "collections.OrderedDict", "collections.defaultdict",
                "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary"):
        return Mapping()
    if torch_names.is_torch(name):
        return _call_torch(interpreter, node, name, arguments, keywords)
    interpreter.record("call", node, name, detail=arguments)
    give(interpreter, [*arguments, *keywords.values()], sure=False)
    return extensions.call_path_function(interpreter, node, name, arguments, keywords)


def _decode_packed(interpreter, node, name, argument):
    interpreter.record("decoded-source", node, name)
    packed = plain(argument)
    if packed is None:
        return Unknown()
    try:
        data = _PURE_DECODERS[name](packed if isinstance(packed, bytes) else packed.encode())
    except (ValueError, zlib.error, TypeError, AttributeError):
        return Unknown()
    if len(data) > MAX_TEXT:
        return Unknown()
    try:
        # Every character comes from the call: the packed text has no lines to point at.
        begin = interpreter.file.offset(node.lineno, node.col_offset)
        text = data.decode()
        return String(Text(text, [begin] * len(text)))
    except UnicodeDecodeError:
        return Const(data)


def _call_builtin(interpreter, node, name, arguments, keywords, scope):
    if name == "str" and arguments:
        known = plain(arguments[0])
        if isinstance(arguments[0], String):
            return arguments[0]
        try:
            return String(Text(str(known))) if known is not None else Unknown()
        except ValueError:  # Python prints no integer of more than 4,300 digits.
            return Unknown()
    if name == "super":
        if arguments and isinstance(arguments[0], Class) and len(arguments) > 1:
            return Super(arguments[1], arguments[0]) if isinstance(arguments[1], Instance) \
                else Unknown()
        return interpreter.super_of(scope)
    if name in ("getattr", "hasattr") and len(arguments) >= 2:
        return _getattr(interpreter, node, name, arguments)
    if name == "setattr" and len(arguments) == 3:
        text = values.text_of(arguments[1])
        interpreter.set_attribute(node, arguments[0], text if text is not None else "?",
                                  arguments[2])
        return Const(None)
    if name in ("exec", "eval", "compile"):
        interpreter.record("exec", node, name)
        return Unknown()
    if name == "__import__" and arguments:
        text = values.text_of(arguments[0])
        interpreter.record("dynamic-import", node, text or "?")
        return Dotted(text) if text else Unknown()
    if name == "open":
        return extensions.open_file(interpreter, node, arguments, keywords)
    if name in ("exit", "quit"):
        interpreter.record("exit", node, name)
        return Unknown()
    if name in ("list", "tuple", "set", "sorted", "reversed", "iter", "frozenset"):
        return arguments[0] if arguments and isinstance(arguments[0], (Sequence, Many)) \
            else Sequence([]) if not arguments else Many(interpreter.item_of(node, arguments[0]))
    if name == "dict":
        result = Mapping()
        result.known.update({k: v for k, v in keywords.items() if k is not None})
        return result
    if name in ("enumerate", "zip") and arguments:
        items = [interpreter.item_of(node, a) for a in arguments]
        return Many(Sequence(([Number()] if name == "enumerate" else []) + items))
    if name == "map" and len(arguments) > 1:
        items = [interpreter.item_of(node, a) for a in arguments[1:]]
        return Many(join(*[apply(interpreter, node, f, items, {}) for f in options(arguments[0])]))
    if name == "range":
        return Many(Number())
    if name == "len" and arguments and isinstance(arguments[0], Sequence):
        return Const(len(arguments[0].items))
    if name == "len" and arguments and is_tensor(arguments[0]):
        return Size()
    if name in ("any", "all") and arguments and isinstance(arguments[0], Many) and \
            isinstance(arguments[0].item, EmptyTest) and \
            arguments[0].item.when_empty == (name == "any"):
        return arguments[0].item
    if name in ("sum", "max", "min", "abs", "pow") and \
            any(values.tensors(a) for a in arguments):
        interpreter.record("tensor-operator", node, name + "() over tensors")
        return interpreter.computed()
    if name in ("int", "float") and arguments and isinstance(arguments[0], Const) and \
            isinstance(arguments[0].value, (int, float)):
        return Const({"int": int, "float": float}[name](arguments[0].value))
    if name in ("int", "min", "max", "abs", "round") and arguments and \
            all(isinstance(interpreter.item_of(node, a) if isinstance(a, Many) else a, Size)
                for a in arguments):
        return Size()
    if name in _NUMBER_BUILTINS:
        return Number()
    if name in ("next",) and arguments:
        return interpreter.item_of(node, arguments[0])
    if name == "vars" and arguments:
        return join(*[indirect.namespace(o) for o in options(arguments[0])])
    if name in ("globals", "locals", "vars"):
        return Dotted("builtins.globals()")
    return Unknown()


def _getattr(interpreter, node, name, arguments):
    text = values.text_of(arguments[1])
    found = []
    for owner in options(arguments[0]):
        if text is None:
            if isinstance(owner, (Dotted, Tensor)):
                interpreter.record("dynamic-name", node, getattr(owner, "name", "a tensor"))
            # Whichever it is, it is a function of the extension.
            found.append(ExtensionFunction(owner, "?") if isinstance(owner, Extension)
                         else Unknown())
        elif name == "hasattr":
            found.append(Unknown())
        else:
            found.append(attribute(interpreter, node, owner, text))
    return join(*found, *arguments[2:]) if name == "getattr" else Unknown()


def _call_torch(interpreter, node, name, arguments, keywords):
    last = name.rsplit(".", 1)[-1]
    if name in ("torch.cuda.is_available",):
        return Const(True)
    if name.startswith("torch.Tensor.") and arguments and is_tensor(arguments[0]):
        return join(*[_call_tensor_method(interpreter, node, t, last, arguments[1:], keywords)
                      for t in values.tensors(arguments[0])])
    if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"):
        given = [t.dtype for a in arguments[:1] for t in values.tensors(a)]
        return Tensor("weight", dtype=given[0] if given and given[0] else "torch.float32")
    if name in ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.ParameterList"):
        return arguments[0] if arguments else Sequence([])
    if torch_names.is_nn_class(name):
        children = arguments if name == "torch.nn.Sequential" else []
        return TorchModule(name, children)
    if name in ("torch.cuda.Stream", "torch.cuda.ExternalStream", "torch.Stream"):
        interpreter.record("stream-made", node)
        return Stream(own=True)
    if name in ("torch.cuda.current_stream", "torch.cuda.default_stream"):
        return Stream(own=False)
    if name in ("torch.cuda.stream", "torch.cuda.StreamContext") and arguments:
        return Method(arguments[0], "stream scope")
    if name in ("torch.cuda.graph",) and arguments:
        return Method(arguments[0], "cuda graph")
    if name == "torch.cuda.CUDAGraph":
        interpreter.record("graph-made", node)
        return Method(Unknown(), "graph object")
    if name in ("torch.cuda.make_graphed_callables",):
        interpreter.record("graph-made", node)
        return arguments[0] if arguments else Unknown()
    if name in ("torch.compile", "torch.jit.script", "torch.jit.trace", "torch.jit.load",
                "torch.export.load", "torch.fx.symbolic_trace"):
        interpreter.record("torch-compile", node, name)
        return TorchModule(name)
    if name in ("torch.load", "torch.hub.load", "torch.from_file"):
        interpreter.record("file-read", node, name)
        return Tensor("torch", interpreter.generation)
    if name in ("torch.set_float32_matmul_precision", "torch.use_deterministic_algorithms",
                "torch.backends.cuda.enable_flash_sdp"):
        interpreter.record("torch-setting", node, name, detail=arguments)
        return Unknown()
    if name.startswith("torch.ops.load"):
        interpreter.record("library-load", node, name)
        return Unknown()
    if name.startswith("torch.ops.") and not name.startswith(("torch.ops.aten.", "torch.ops.prim",
                                                              "torch.ops.torchvision.")):
        # An operator that a TORCH_LIBRARY of the file registers.
        return _call_registered_operator(interpreter, node, last, arguments, keywords)
    if last in torch_names.ALLOCATIONS:
        return _allocate(interpreter, last, arguments, keywords)
    if last in torch_names.FILLED:
        return Tensor("torch", interpreter.generation)
    if last in torch_names.LISTS_OF_VIEWS and arguments:
        return Many(interpreter.item_of(node, arguments[0]))
    if last in torch_names.VIEWS and arguments and is_tensor(arguments[0]):
        return arguments[0]
    if "out" in keywords:
        give(interpreter, [keywords["out"]], sure=True)
    elif torch_names.computes(name) and name.endswith("_"):
        give(interpreter, arguments, sure=True)
    if torch_names.computes(name):
        interpreter.record("torch-call", node, name)
        return interpreter.computed()
    return Unknown()


def _allocate(interpreter, name, arguments, keywords):
    dtype = keywords.get("dtype")
    like = [t.dtype for a in arguments[:1] for t in values.tensors(a)] if "like" in name else []
    made = Tensor("empty", interpreter.generation,
                  dtype.name if isinstance(dtype, Dotted) else like[0] if like
                  else "torch.float32" if dtype is None else None)
    sizes = arguments[0].items if arguments and isinstance(arguments[0], Sequence) else arguments
    made.for_empty = any(isinstance(s, Const) and s.value == 0 for s in sizes)
    return made


def _call_registered_operator(interpreter, node, name, arguments, keywords):
    record = interpreter.extensions[-1] if interpreter.extensions else None
    return _call_extension(interpreter, node, ExtensionFunction(Extension(record), name),
                           arguments, keywords)
