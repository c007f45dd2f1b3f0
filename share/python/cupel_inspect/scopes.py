"""What a run keeps beside the values: events, names, how a block ended."""


class Event:
    """Something that happened at a place: `kind` names it, `name` says to what."""

    def __init__(self, kind, node, name, phase, stack, generation, detail=None):
        self.kind = kind
        self.node = node
        self.name = name
        self.phase = phase
        self.stack = stack
        self.generation = generation
        self.detail = detail


class Inputs:
    """The dtypes of forward's arguments: those of the problem in their order when it is `known`,
    else `assumed` for all tensors. None in the list is a number."""

    def __init__(self, dtypes=None, assumed="torch.float32"):
        self.known = dtypes is not None
        self.dtypes = dtypes or []
        self.assumed = assumed

    def dtype(self, index):
        return self.dtypes[index] if index < len(self.dtypes) else self.assumed

    def gives(self, index):
        """Whether the problem is known to give that argument."""
        return index < len(self.dtypes)


class Scope:
    def __init__(self, parent=None, cls=None, instance=None):
        self.names = {}
        self.parent = parent
        self.cls = cls
        self.instance = instance
        self.globals = set()
        self.nonlocals = set()
        self.is_class = False
        self.stars = []

    def module(self):
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name):
        """The scope in which an assignment to `name` leaves the value."""
        if name in self.globals:
            return self.module()
        scope = self.parent if name in self.nonlocals else None
        while scope is not None and (scope.is_class or name not in scope.names):
            scope = scope.parent
        return scope or self

    def find(self, name):
        scope = self
        while scope is not None:
            # A class's names are not seen from its methods.
            if name in scope.names and (scope is self or not scope.is_class):
                return scope.names[name]
            scope = scope.parent
        return None


class Flow:
    """How a block ended: `ended` when control cannot reach its end; `rest_is_empty` when it gets
    beyond only for inputs without elements."""

    def __init__(self, ended=False, returned=None):
        self.ended = ended
        self.returned = returned
        self.rest_is_empty = False
