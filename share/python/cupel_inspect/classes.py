"""How a class comes to be: metaclasses, `__init_subclass__`, decorators, `type(name, bases, dict)`.

Each may put another forward into the class than the one that is written there.
"""

from . import calls, values
from .values import Class, Dotted, Function, Mapping, Sequence, String, Tensor, Unknown, options


class Made(values.Value):
    """`super()` or `type` in the functions of a metaclass: who makes `cls`."""

    def __init__(self, cls):
        self.cls = cls


def finish(interpreter, node, cls, scope):
    """What the name of the class statement `node` stands for, once its body has run as `cls`."""
    interpreter.making.append(cls)
    try:
        made = _apply_metaclass(interpreter, node, cls)
    finally:
        interpreter.making.pop()
    hook = cls.find("__init_subclass__", after=cls)
    if isinstance(hook, Function):
        interpreter.call_function(node, hook, [cls], {})
    for decorator in reversed(node.decorator_list):
        value = interpreter.evaluate(decorator, scope)
        if isinstance(value, Function):
            changed = calls.apply(interpreter, decorator, value, [made], {})
            made = changed if isinstance(changed, Class) else made
    return made


def metaclass_of(cls):
    """The metaclass of the file's own, or None."""
    found = [m for c in cls.order() if isinstance(c, Class)
             for m in options(c.metaclass or Unknown()) if isinstance(m, Class)]
    return found[0] if found else None


def _apply_metaclass(interpreter, node, cls):
    metaclass, made = metaclass_of(cls), cls
    names = Mapping()
    names.known = dict(cls.members)
    arguments = [String(cls.name), Sequence(cls.bases), names]
    if isinstance(cls.metaclass, Function):
        result = interpreter.call_function(node, cls.metaclass, arguments, {})
        return result if isinstance(result, Class) else cls
    if metaclass is None:
        return cls
    maker, init = metaclass.find("__new__"), metaclass.find("__init__")
    if isinstance(maker, Function):
        result = interpreter.call_function(node, maker, [metaclass, *arguments], {})
        made = result if isinstance(result, Class) else cls
    if isinstance(init, Function):
        interpreter.call_function(node, init, [made, *arguments], {})
    return made


def maker_of(interpreter, cls):
    """What `super()` is in a function of `cls`, if that is a metaclass at work; else None."""
    is_metaclass = isinstance(cls, Class) and any(
        isinstance(b, Dotted) and b.name in ("builtins.type", "abc.ABCMeta") for b in cls.order())
    return Made(interpreter.making[-1]) if is_metaclass and interpreter.making else None


def make(interpreter, node, maker, name, arguments, keywords):
    """`super().NAME(...)`: `__call__` makes an instance, `__new__` the class."""
    if name == "__call__":
        return interpreter.instantiate(node, maker.cls, arguments, keywords)
    for argument in arguments:
        if isinstance(argument, Mapping):
            maker.cls.members.update(argument.known)
    return maker.cls


def make_from_type(node, arguments):
    """`type(name, bases, names)`."""
    name, bases, names = arguments
    return Class(values.text_of(name) or "?", bases.items if isinstance(bases, Sequence) else [],
                 dict(names.known) if isinstance(names, Mapping) else {}, node)


def make_by_body(interpreter, node, arguments, keywords):
    """`types.new_class(name, bases, keywords, body)`: `body` fills the names."""
    named = dict(zip(("name", "bases", "kwds", "exec_body"), arguments)) | keywords
    names = Mapping()
    for body in options(named.get("exec_body", Unknown())):
        calls.apply(interpreter, node, body, [names], {})
    return make_from_type(node, [named.get("name", Unknown()), named.get("bases", Unknown()),
                                 names])


def look_up_forward(interpreter, model, instance):
    """Runs what a `__getattribute__` of the file's own gives in place of forward."""
    hook = model.find("__getattribute__")
    if not isinstance(hook, Function):
        return
    given = interpreter.call_function(model.node, hook, [instance, String("forward")], {})
    for option in options(given):
        if not isinstance(option, Unknown):
            calls.apply(interpreter, model.node, option, [Tensor("input")], {})
