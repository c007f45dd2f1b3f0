"""Objects of the file's own classes: what Python calls by itself, and plain bags of attributes."""

import ast

from . import calls, values
from .values import (Class, Const, Dotted, Function, Instance, Mapping, Method, Partial, Sequence,
                     String, Unknown, join, options)

_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt",
            ast.GtE: "ge", ast.In: "contains", ast.NotIn: "contains"}
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool"}
# Builtin functions that call the special method of their name.
BUILTINS = frozenset("len bool int float str repr hash abs round next reversed".split())
_BAGS = ("types.SimpleNamespace", "argparse.Namespace")
_ENUMS = ("enum.Enum", "enum.Flag")
_MAPPINGS = ("builtins.dict", "collections.OrderedDict", "collections.defaultdict",
             "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary", "types.MappingProxyType")


def special(interpreter, node, owner, name, *arguments):
    """What `owner.__NAME__(...)` of the file's own gives; None when it has none."""
    if not isinstance(owner, Instance):
        return None
    found = owner.cls.find(f"__{name}__")
    if not isinstance(found, Function):
        return None
    return interpreter.call_function(node, Function(found.node, found.scope, owner), arguments, {})


def operator(interpreter, node, operation, owner, *arguments):
    """A comparison or unary operator."""
    name = _COMPARE.get(operation) or _UNARY.get(operation)
    return special(interpreter, node, owner, name, *arguments) if name else None


def descriptor(interpreter, node, owner, name, found):
    """What the class's `found` gives as `owner.NAME`: that of its `__get__`, if it has one."""
    if name in owner.attributes:
        return found
    given = special(interpreter, node, found, "get", owner, owner.cls)
    return found if given is None else given


def missing(interpreter, node, owner, name):
    """`owner.NAME` by `__getattr__` or `__getattribute__`; None when it has neither."""
    given = [special(interpreter, node, owner, hook, String(name))
             for hook in ("getattr", "getattribute")]
    return join(*given) if any(g is not None for g in given) else None


def items(interpreter, node, owner):
    """One item of an object that is iterated over."""
    iterator = special(interpreter, node, owner, "iter")
    if isinstance(iterator, Instance):
        return special(interpreter, node, iterator, "next") or Unknown()
    if iterator is not None:
        return interpreter.item_of(node, iterator)
    return special(interpreter, node, owner, "getitem", values.Number()) or Unknown()


def enum_member(cls, value):
    """A member of an enum that is no number."""
    return bag(cls.node, cls.name, {"value": value}) \
        if cls.derives_from(*_ENUMS) and not isinstance(value, Function) else value


def bag(node, name, attributes, base=None):
    made = Instance(Class(name, [Dotted(base)] if base else [], {}, node))
    made.attributes.update(attributes)
    return made


def make(interpreter, node, name, arguments, keywords):
    """What a constructor of the standard library gives that holds values; None for others."""
    if name in _BAGS:
        return bag(node, name, {k: v for k, v in keywords.items() if k is not None})
    if name in _MAPPINGS:
        given = arguments[1:] if name.endswith("defaultdict") else arguments
        return _mapping(given[0] if given else None, keywords)
    if name == "collections.deque":
        known = values.known_items(arguments[0]) if arguments else []
        return Sequence(known) if known is not None else None
    if name == "collections.namedtuple" and len(arguments) > 1:
        made = Class(values.text_of(arguments[0]) or "?", [], {}, node)
        names = values.text_of(arguments[1])
        made.fields = names.replace(",", " ").split() if names is not None else \
            [values.text_of(i) for i in values.known_items(arguments[1]) or []]
        return made
    return None


def _mapping(given, keywords):
    result = Mapping()
    if isinstance(given, Mapping):
        result.known.update(given.known)
        result.rest = given.rest
    for pair in values.known_items(given) or []:
        if isinstance(pair, Sequence) and len(pair.items) == 2:
            text = values.text_of(pair.items[0])
            if text is not None:
                result.known[text] = pair.items[1]
            else:
                result.rest = join(result.rest, pair.items[1])
    result.known.update({k: v for k, v in keywords.items() if k is not None})
    return result


def fields_of(interpreter, node, bases, scope):
    """The fields that a data class or typing.NamedTuple has by its annotations."""
    is_tuple = any(isinstance(b, Dotted) and b.name == "typing.NamedTuple" for b in bases)
    for decorator in node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        value = interpreter.evaluate(function, scope)
        is_tuple |= isinstance(value, Dotted) and value.name == "dataclasses.dataclass"
    return [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and
            isinstance(s.target, ast.Name)] if is_tuple else []


def set_by_call(interpreter, node, receiver, arguments):
    """`object.__setattr__(o, name, value)`, `o.__setattr__(name, value)`, by whatever class."""
    owner = receiver.instance if isinstance(receiver, values.Super) else receiver
    if len(arguments) == 3:
        owner, *arguments = arguments
    if len(arguments) == 2 and owner is not None:
        interpreter.set_attribute(node, owner, values.text_of(arguments[0]) or "?", arguments[1])
    return Const(None)


def add_hook(receiver, node, name, arguments):
    """`register_forward_hook` and `register_forward_pre_hook` of a module."""
    receiver.hooks.append((node, arguments[0], name == "register_forward_pre_hook"))
    return Unknown()


def run_hooks(interpreter, module, arguments, result):
    """What a call of `module` gives after its hooks."""
    for node, hook, before in module.hooks:
        given = [module, Sequence(arguments)] + ([] if before else [result])
        changed = join(*[calls.apply(interpreter, node, h, given, {}) for h in options(hook)])
        if not before:
            result = join(*[result if isinstance(o, Const) and o.value is None else o
                            for o in options(changed)])
    return result


def hand_over(interpreter, node, arguments):
    """Code that is not followed is given `arguments`: it may write the tensors, and call a function
    with them."""
    given = calls.give(interpreter, arguments, sure=False)
    if interpreter.phase != "forward":
        return
    interpreter.gives_away |= bool(given)
    for given in arguments:
        others = [t for a in arguments if a is not given for t in values.tensors(a)]
        for option in options(given):
            of_tensor = isinstance(option, Method) and isinstance(option.receiver, values.Tensor)
            if isinstance(option, (Function, Partial)) or of_tensor or others and \
                    isinstance(option, (Dotted, values.ExtensionFunction)):
                calls.apply(interpreter, node, option, others, {})
