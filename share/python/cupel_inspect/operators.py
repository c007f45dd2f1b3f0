"""torch.library: operators that the file registers, by functions of its own."""

from . import values
from .values import Unknown, join

# Of torch itself: who registers one changes what everybody else's call of it does.
_OWN = ("aten::", "prim::", "prims::")


class Library(values.Value):
    """A torch.library.Library for one name space."""

    def __init__(self, space):
        self.space = space

    def call(self, interpreter, node, name, arguments, keywords):
        if name == "impl" and len(arguments) > 1:
            _register(interpreter, node, self.full_name(arguments[0]), arguments[1])
        return Unknown()

    def full_name(self, name):
        text = values.text_of(name)
        return text if text is None or "::" in text else f"{self.space}::{text}"


class Registration(values.Value):
    """What `torch.library.impl(name, keys)` and its kin return: it takes the function."""

    def __init__(self, name):
        self.name = name


def call_library(interpreter, node, function, arguments, keywords):
    """`torch.library.FUNCTION(...)`."""
    given = dict(enumerate(arguments))
    first = given.get(0, Unknown())
    if function == "Library":
        return Library(values.text_of(first) or "?")
    if function not in ("impl", "custom_op", "register_kernel", "triton_op"):
        return Unknown()
    of_library = isinstance(first, Library)
    name = first.full_name(given.get(1, Unknown())) if of_library else values.text_of(first)
    taken = given.get(3 if of_library else 2, keywords.get("fn", keywords.get("func")))
    if taken is None:
        return Registration(name)
    _register(interpreter, node, name, taken)
    return taken


def take(interpreter, node, registration, arguments):
    """`registration(function)`."""
    function = arguments[0] if arguments else Unknown()
    _register(interpreter, node, registration.name, function)
    return function


def _register(interpreter, node, name, function):
    if name is None:
        return
    if name.startswith(_OWN):
        interpreter.record("override", node, name)
    key = name.split(".")[0]
    interpreter.operators[key] = join(interpreter.operators.get(key), function)


def registered(interpreter, name):
    """The functions of the file behind `torch.ops.SPACE.NAME`, or None."""
    parts = name.split(".")
    return interpreter.operators.get("::".join(parts[2:4])) if parts[1] == "ops" else None
