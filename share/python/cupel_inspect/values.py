"""What the interpreter knows about a value."""

from .text import Text


class Value:
    """A value of which nothing is known."""

    def truth(self):
        """True, False or None when it is not known."""
        return None


class Unknown(Value):
    pass


class Starts(Unknown):
    """A string of which the beginning is known."""

    def __init__(self, start):
        self.start = start


class Number(Value):
    """A number that is not known."""


class Setting(Unknown):
    """What the getter of a setting of torch gives, which the function `name` sets."""

    def __init__(self, name):
        self.name = name


class Size(Number):
    """A dimension or count of elements that is not known; never negative."""


class Counter(Number):
    """A number that calls of forward change."""


class EmptyTest(Value):
    """A test of whether there are no elements: it is `when_empty` if there are none."""

    def __init__(self, when_empty):
        self.when_empty = when_empty


class Pointer(Number):
    """The address of a tensor: whoever is given it may write there."""

    def __init__(self, tensor):
        self.tensor = tensor


class Const(Value):
    """A known number, bool, None, bytes or Ellipsis."""

    def __init__(self, value):
        self.value = value

    def truth(self):
        return bool(self.value)


class String(Value):
    """A known string."""

    def __init__(self, text):
        self.text = text if isinstance(text, Text) else Text(text)

    def truth(self):
        return bool(self.text.value)


class Sequence(Value):
    """A list or tuple whose items are known."""

    def __init__(self, items):
        self.items = list(items)

    def truth(self):
        return bool(self.items)


class Many(Value):
    """A container of an unknown number of `item`s, such as a shape or a list filled in a loop."""

    def __init__(self, item):
        self.item = item


class Range(Many):
    """A range of known numbers."""

    def __init__(self, numbers):
        super().__init__(Number())
        self.numbers = numbers


class Mapping(Value):
    """A dict: values under known keys, and `rest`, the join of those under unknown ones."""

    def __init__(self):
        self.known = {}
        self.rest = None


class Namespace(Mapping):
    """The names of a module or function, itself; a computed one is not known."""

    def __init__(self, names):
        super().__init__()
        self.known = names


class Tensor(Value):
    """A tensor.

    source: `input` (argument of forward), `weight`, `empty` (allocated, unwritten), `kernel`
    (result of an extension), `torch` (result of a torch operator). `made_in` is the number of the
    call of forward in which its contents were made, `base` the tensor that it is a view of.
    `writers`: who was given it and may write it, as `calls.give` says. What an extension returns
    may be an object that keeps tensors: `held`. `unsure` is the last call in which code that is not
    followed was given it.
    """

    def __init__(self, source, made_in=0, dtype=None, base=None):
        self.writers = set()
        self.held = []
        self.unsure = 0
        self.for_empty = False  # Stands for a result without elements.
        self.source = source
        self.made_in = made_in
        self.dtype = dtype
        self.base = base.root() if base is not None else None

    def root(self):
        return self.base if self.base is not None else self


class Dotted(Value):
    """A name of an imported module: `torch.nn.functional.relu`."""

    _SETTINGS = ("torch.backends.", "torch.version.")

    def __init__(self, name):
        self.name = name

    def truth(self):
        # A module, class or function is; a setting may be anything.
        return None if self.name.startswith(self._SETTINGS) else True


class Extension(Value):
    """The module that load_inline or load returns."""

    def __init__(self, record):
        self.record = record


class ExtensionFunction(Value):
    def __init__(self, extension, name):
        self.extension = extension
        self.name = name


class Function(Value):
    """A function or lambda of the file; `receiver` is the bound self."""

    def __init__(self, node, scope, receiver=None, cached=False, static=False, is_property=False,
                 of_class=False):
        self.node = node
        self.scope = scope
        self.receiver = receiver
        self.cached = cached
        self.static = static
        self.is_property = is_property
        self.of_class = of_class  # By classmethod: the class goes first.

    def bound(self, receiver):
        return Function(self.node, self.scope, receiver, self.cached, self.static, self.is_property,
                        self.of_class)

    def unbound(self):
        """What staticmethod makes of it."""
        return Function(self.node, self.scope, None, self.cached, True, self.is_property)

    def as_property(self):
        return Function(self.node, self.scope, None, self.cached, False, True)

    def truth(self):
        return True


class Class(Value):
    def __init__(self, name, bases, members, node):
        self.name = name
        self.bases = bases
        self.members = members
        self.node = node
        self.metaclass = None
        self.fields = []  # Of a data class or named tuple, in the order of the constructor.

    def find(self, name, after=None):
        """The member, in method resolution order; `after`: only beyond that class."""
        order = self.order()
        if after is not None and after in order:
            order = order[order.index(after) + 1:]
        for base in order:
            if isinstance(base, Class) and name in base.members:
                return base.members[name]
        return None

    def order(self):
        found = [self]
        for base in self.bases:
            found += base.order() if isinstance(base, Class) else [base]
        return found

    def derives_from(self, *names):
        return any(isinstance(b, Dotted) and b.name in names for b in self.order())


class Instance(Value):
    def __init__(self, cls):
        self.cls = cls
        self.attributes = {}
        self.hooks = []  # Of register_forward_hook: place, function, whether it runs before.

    def truth(self):
        return True


class TorchModule(Value):
    """An object of a torch.nn class: its parameters may be read, a call of it computes."""

    def __init__(self, name, children=()):
        self.name = name
        self.children = list(children)
        self.attributes = {}  # That the file gave it.
        self.hooks = []


class Method(Value):
    """A bound method of a value that is no function of the file: `x.view`."""

    def __init__(self, receiver, name):
        self.receiver = receiver
        self.name = name


class Partial(Value):
    """functools.partial, or partialmethod when it is one `of_class`: then `self` goes first."""

    def __init__(self, function, arguments, keywords, of_class=False):
        self.function = function
        self.arguments = arguments
        self.keywords = keywords
        self.of_class = of_class

    def bound(self, instance):
        return Partial(self.function, [instance, *self.arguments], self.keywords)


class Super(Value):
    def __init__(self, instance, cls):
        self.instance = instance
        self.cls = cls


class Opened(Value):
    """A file that was opened with a known or unknown path."""

    def __init__(self, path, writes):
        self.path = path
        self.writes = writes


class Stream(Value):
    """A CUDA stream: `current`, or one that the file made."""

    def __init__(self, own):
        self.own = own


class Union(Value):
    """One of several values."""

    def __init__(self, options):
        self.options = options

    def truth(self):
        truths = {option.truth() for option in self.options}
        return truths.pop() if len(truths) == 1 else None


def join(*values):
    """The value that is any of `values`."""
    options = []
    for value in values:
        if value is None:
            continue
        for option in value.options if isinstance(value, Union) else [value]:
            if not any(same(option, known) for known in options):
                options.append(option)
    if not options:
        return Unknown()
    # Bounds the work on code that builds a value in many branches.
    return options[0] if len(options) == 1 else Union(options[:16])


def same(a, b):
    if a is b:
        return True
    if isinstance(a, Const) and isinstance(b, Const):
        return type(a.value) is type(b.value) and a.value == b.value
    if isinstance(a, String) and isinstance(b, String):
        return a.text.value == b.text.value
    if isinstance(a, Dotted) and isinstance(b, Dotted):
        return a.name == b.name
    if isinstance(a, EmptyTest) and isinstance(b, EmptyTest):
        return a.when_empty == b.when_empty
    if isinstance(a, Starts) and isinstance(b, Starts):
        return a.start == b.start
    return type(a) is type(b) and isinstance(a, (Unknown, Number)) and not isinstance(a, Pointer)


def options(value):
    return value.options if isinstance(value, Union) else [value]


def is_tensor(value):
    """Whether `value` is a tensor whenever it is not None."""
    real = [o for o in options(value) if not (isinstance(o, Const) and o.value is None)]
    return bool(real) and all(isinstance(o, Tensor) for o in real)


def tensors(value):
    """All tensors that `value` may be or directly hold."""
    found = []
    for option in options(value):
        if isinstance(option, Tensor):
            found.append(option)
        elif isinstance(option, Sequence):
            found += [t for item in option.items for t in tensors(item)]
        elif isinstance(option, Many):
            found += tensors(option.item)
    return found


# A loop over more is followed by two rounds with any of the items.
MAX_ROUNDS = 32


def known_items(container):
    """The items of a short container in their order, where they are known; else None."""
    items = None
    if isinstance(container, Sequence):
        items = container.items
    elif isinstance(container, Range):
        items = [Const(n) for n in container.numbers[:MAX_ROUNDS + 1]]
    elif isinstance(container, TorchModule):
        items = container.children or None
    return items if items is not None and len(items) <= MAX_ROUNDS else None


def classes_in(value):
    """The classes of the file of which `value` may be or directly hold an object."""
    if isinstance(value, Sequence):
        return [c for item in value.items for c in classes_in(item)]
    return [o.cls for o in options(value) if isinstance(o, Instance)]


def certain_tensors(value):
    """The tensors that `value` certainly is or directly holds."""
    if isinstance(value, Sequence):
        return [t for item in value.items for t in certain_tensors(item)]
    return [value] if isinstance(value, Tensor) else []


def reachable(value, limit=256):
    """The roots of the tensors that who is given `value` can get at, among the first `limit` values
    in it."""
    found, seen, waiting = [], set(), list(options(value))
    while waiting and len(seen) < limit:
        option = waiting.pop()
        if id(option) in seen:
            continue
        seen.add(id(option))
        if isinstance(option, Tensor):
            root = option.root()
            found += [root, *root.held]
        elif isinstance(option, Pointer):
            found.append(option.tensor.root())
        else:
            for item in _parts(option)[:limit]:
                waiting += options(item)
    return found


def _parts(option):
    if isinstance(option, Sequence):
        return option.items
    if isinstance(option, Many):
        return [option.item]
    if isinstance(option, Mapping):
        return [*option.known.values(), *([] if option.rest is None else [option.rest])]
    return list(option.attributes.values()) if isinstance(option, Instance) else []


def text_of(value):
    """The string of a known string, else None."""
    return value.text.value if isinstance(value, String) else None
