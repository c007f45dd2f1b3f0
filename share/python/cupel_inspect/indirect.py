"""Python's indirect ways to a name or an operator.

The operator module, namespaces as dicts, properties, special methods and decorators reach the same
functions of torch as a plain call does, and are followed to them.
"""

import ast

from . import calls, classes, values
from .values import (Class, Const, Dotted, Function, Instance, Many, Mapping, Sequence, TorchModule,
                     Unknown, is_tensor, join, options)

# What `operator.NAME(x, ...)` and `x.__NAME__(...)` compute on a tensor; questions of identity do
# not.
_OPERATORS = frozenset("""
    add sub mul truediv floordiv mod pow matmul lshift rshift and or xor neg pos abs invert inv not
    lt le gt ge eq ne iadd isub imul itruediv ifloordiv imod ipow imatmul ilshift irshift iand ior
    ixor radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul
""".split())

_SPECIAL = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv",
            ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul",
            ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or",
            ast.BitXor: "xor"}


class Caller(values.Value):
    """What operator.methodcaller or operator.attrgetter returns."""

    def __init__(self, names, arguments=(), keywords=None, calls=False):
        self.names = names
        self.arguments = list(arguments)
        self.keywords = keywords or {}
        self.calls = calls


def is_special_operator(name):
    return name.startswith("__") and name.endswith("__") and name[2:-2] in _OPERATORS


def call_operator_module(interpreter, node, name, arguments, keywords):
    """`operator.NAME(...)`."""
    last = name.rsplit(".", 1)[-1].strip("_")
    if last in ("methodcaller", "attrgetter") and arguments:
        text = values.text_of(arguments[0])
        if text is None:
            interpreter.record("dynamic-name", node, name)
            return Unknown()
        if last == "methodcaller":
            return Caller([text], arguments[1:], keywords, calls=True)
        return Caller(text.split("."))
    if last in _OPERATORS and any(is_tensor(a) for a in arguments):
        interpreter.record("tensor-operator", node, name)
        return interpreter.computed()
    if last == "getitem" and len(arguments) == 2:
        return join(*[interpreter.subscript(node, o, arguments[1]) for o in options(arguments[0])])
    if last == "call" and arguments:
        return join(*[calls.apply(interpreter, node, f, arguments[1:], keywords)
                      for f in options(arguments[0])])
    return Unknown()


def apply_caller(interpreter, node, caller, arguments):
    found = arguments[0] if arguments else Unknown()
    for name in caller.names:
        found = join(*[calls.attribute(interpreter, node, o, name) for o in options(found)])
    if not caller.calls:
        return found
    return join(*[calls.apply(interpreter, node, f, caller.arguments, caller.keywords)
                  for f in options(found)])


def reduce(interpreter, node, arguments):
    """`functools.reduce(function, items[, first])`."""
    items = interpreter.item_of(node, arguments[1])
    both = [arguments[2] if len(arguments) > 2 else items, items]
    return join(*[calls.apply(interpreter, node, f, both, {}) for f in options(arguments[0])])


def namespace(owner):
    """`owner.__dict__`, `vars(owner)`."""
    if isinstance(owner, Dotted):
        return Dotted(owner.name + ".__dict__")
    result = Mapping()
    if isinstance(owner, Instance):
        result.known = owner.attributes
    elif isinstance(owner, Class):
        result.known = owner.members
    return result


def subscript_namespace(interpreter, node, owner, key):
    """`torch.__dict__["relu"]`, `sys.modules["torch"]`; None for other names."""
    text = values.text_of(key)
    if owner.name == "sys.modules":
        base = None
    elif owner.name.endswith(".__dict__"):
        base = Dotted(owner.name[:-len(".__dict__")])
    else:
        return None
    if text is None:
        interpreter.record("dynamic-name", node, owner.name)
        return Unknown()
    return calls.attribute(interpreter, node, base, text) if base is not None else Dotted(text)


def of_own_module(interpreter, node, name):
    """`sys.modules[__name__].name`, `globals()["name"]`. What the file never defines, the program that runs it put
    there."""
    module = interpreter.scope.module()
    if name in module.names:
        return module.names[name]
    tree = interpreter.tree
    reads = {id(base) for n in ast.walk(tree) for base in _read_by_name(n)}
    if not module.stars and not any(_may_define(n, name) and id(n) not in reads
                                    for n in ast.walk(tree)):
        interpreter.record("main-module", node, name)
    return Unknown()


def _read_by_name(node):
    """The names of namespaces of which `node` reads one item or asks for it: `globals()["x"]`."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) or \
            isinstance(node, ast.Attribute) and node.attr == "get":
        bases = [node.value]
    else:
        bases = node.comparators if isinstance(node, ast.Compare) else []
    return [b.func if isinstance(b, ast.Call) else b for b in bases]


def _may_define(node, name):
    """Whether `node` may give the module a `name`; by computed names it may give it any."""
    if isinstance(node, ast.Name) and node.id in ("setattr", "globals", "vars", "exec"):
        return True
    if isinstance(node, ast.Attribute) and node.attr == "__globals__":
        return True
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id == name
    if isinstance(node, ast.Attribute):
        return node.attr == name and isinstance(node.ctx, ast.Store)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    return isinstance(node, ast.alias) and (node.asname or node.name) == name


def decorate(interpreter, node, function, scope):
    """What the decorators of the file's own make of `function`; those of libraries keep it."""
    result = function
    for decorator in reversed(node.decorator_list):
        made = isinstance(decorator, ast.Call)
        source = interpreter.evaluate(decorator.func if made else decorator, scope)
        if isinstance(source, Dotted) and source.name == "atexit.register":
            calls.apply(interpreter, decorator, source, [result], {})
        registers = isinstance(source, Dotted) and source.name.startswith("torch.library.")
        if not isinstance(source, (Function, Class)) and not (registers and made):
            continue
        value = interpreter.evaluate(decorator, scope) if made else source
        changed = calls.apply(interpreter, decorator, value, [result], {})
        result = changed if isinstance(changed, (Function, Instance)) else result
    return result


def construct(interpreter, node, cls, arguments, keywords):
    """What a call of `cls` gives when it has `__new__` or a metaclass; None when it has neither."""
    metaclass = classes.metaclass_of(cls)
    maker = metaclass.find("__call__") if metaclass is not None else None
    if isinstance(maker, Function):
        interpreter.making.append(cls)
        try:
            return interpreter.call_function(node, maker, [cls, *arguments], keywords)
        finally:
            interpreter.making.pop()
    maker = cls.find("__new__")
    if not isinstance(maker, Function):
        return None
    made = interpreter.call_function(node, maker, [cls, *arguments], keywords)
    return None if isinstance(made, (Unknown, Instance)) else made


def binary_special(interpreter, node, operation, left, right):
    """`a + b` by the file's own `__add__` or `__radd__`; None when there is none."""
    name = _SPECIAL.get(operation)
    for owner, other, prefix in ((left, right, "__"), (right, left, "__r")):
        if isinstance(owner, Instance) and name:
            found = interpreter.method(owner, f"{prefix}{name}__")
            if isinstance(found, Function):
                return interpreter.call_function(node, found, [other], {})
    return None


def submodules(interpreter, node, instance, name, arguments):
    """`children()`, `modules()`, `get_submodule("l")` and kin of a module of the file."""
    if name == "get_submodule":
        text = values.text_of(arguments[0]) if arguments else None
        if text in instance.attributes:
            return instance.attributes[text]
    found = [o for v in instance.attributes.values() for o in options(v)
             if isinstance(o, TorchModule) or
             (isinstance(o, Instance) and o.cls.derives_from("torch.nn.Module"))]
    if not found:
        return Unknown()
    if name == "get_submodule":
        return join(*found)
    return Many(Sequence([Unknown(), join(*found)]) if name.startswith("named_") else join(*found))


SUBMODULES = frozenset("children modules named_children named_modules get_submodule".split())


def counted(old, new):
    """A number that a call of forward changes is another one in each call."""
    numbers = isinstance(old, Const) and isinstance(new, Const) and \
        all(isinstance(v.value, (int, float)) and not isinstance(v.value, bool) for v in (old, new))
    return numbers and old.value != new.value
