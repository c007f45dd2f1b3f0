"""Runs the file over abstract values: module level, the constructor and two calls of forward."""

import ast

from . import classes, files, indirect, values
from .expressions import Expressions
from .scopes import Event, Scope
from .statements import Statements
from .text import TooLong
from .values import Const, Function, Instance, Mapping, Sequence, String, Super, Unknown

# Bounds on the work for one file, so that a hostile one ends; forward of the largest KernelBench
# models stays two orders of magnitude below.
MAX_STEPS = 400_000
MAX_DEPTH = 40


class Interpreter(Statements, Expressions):
    NAME = "submission"  # As a module.

    def __init__(self, file, tree, inputs):
        self.file = file
        self.inputs = inputs
        self.tree = tree
        self.events = []
        self.extensions = []
        self.written_files = {}  # By path: each time it was written, the Texts, None for unknown.
        self.phase = "module"
        self.generation = 0
        self.stack = []
        self.steps = 0
        self.capturing = []
        self.making = []  # Classes that a metaclass is making.
        self.branch_depth = 0
        self.absent = frozenset()  # Attributes of modules that this branch is for the lack of.
        self.judged = None  # The function that is forward.
        self.foreign = {}  # Functions that are kernels in other languages: nodes, the languages.
        self.gives_away = False  # Forward hands tensors to code that is not followed.
        self.empty_depth = 0  # In code that runs for inputs without elements only.
        self.function_attributes = {}
        self.tensor_attributes = {}  # Of any tensor: the same may come again.
        self.operators = {}  # Functions of the file that torch.library registers, by "space::name".
        self.defaults = {}
        self.scope = Scope()
        self.scope.names["__name__"] = String(self.NAME)
        self.scope.names["__file__"] = files.ComputedPath("<__file__>")

    def count_step(self):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLong()

    def run_module(self):
        self.block(self.tree.body, self.scope)

    def record(self, kind, node, name="", detail=None):
        self.events.append(Event(kind, node, name, self.phase, list(self.stack), self.generation,
                                 detail))

    def call_function(self, node, function, arguments, keywords):
        """Runs `function`'s body with these arguments and returns the join of what it returns."""
        if len(self.stack) >= MAX_DEPTH or any(f is function.node for _, f in self.stack[-8:]):
            return Unknown()
        parameters = function.node.args
        scope = Scope(parent=function.scope, cls=function.scope.cls)
        positional = list(arguments)
        if function.receiver is not None:
            positional.insert(0, function.receiver)
            scope.instance = function.receiver
        names = [a.arg for a in parameters.posonlyargs + parameters.args]
        for name, value in zip(names, positional):
            scope.names[name] = value
        if parameters.vararg:
            scope.names[parameters.vararg.arg] = Sequence(positional[len(names):])
        known = {k: v for k, v in keywords.items() if k is not None}
        scope.names.update({k: v for k, v in known.items()})
        if parameters.kwarg:
            rest = scope.names[parameters.kwarg.arg] = Mapping()
            named = names + [a.arg for a in parameters.kwonlyargs]
            rest.known = {k: v for k, v in known.items() if k not in named}
            rest.rest = keywords.get(None)
        defaults = dict(zip(names[len(names) - len(parameters.defaults):], parameters.defaults))
        defaults.update({a.arg: d for a, d in zip(parameters.kwonlyargs, parameters.kw_defaults)
                         if d is not None})
        for name in names + [a.arg for a in parameters.kwonlyargs]:
            if name not in scope.names:
                scope.names[name] = self.default(function, name, defaults.get(name))
        if function.cached and any(values.tensors(a) for a in positional):
            self.record("memoised", node, getattr(function.node, "name", "lambda"))
        self.stack.append((node, function.node))
        try:
            if isinstance(function.node, ast.Lambda):
                value = self.evaluate(function.node.body, scope)
                self.record_return(function.node, value)
                return value
            flow = self.block(function.node.body, scope)
            return flow.returned if flow.returned is not None else Const(None)
        finally:
            self.stack.pop()

    def record_return(self, node, value):
        if len(self.stack) == 1 and self.stack[0][1] is self.judged:
            self.record("return", node, detail=value)

    def default(self, function, name, expression):
        """A parameter's default is made once, with the function, and shared by all calls."""
        if expression is None:
            return Unknown()
        key = (function.node, name)
        if key not in self.defaults:
            self.defaults[key] = self.evaluate(expression, function.scope)
        return self.defaults[key]

    def get_property(self, node, function, owner, name):
        value = self.call_function(node, function, [], {})
        decorators = getattr(function.node, "decorator_list", [])
        if decorators and not any(
                isinstance(d, ast.Name) and d.id == "property" for d in decorators):
            owner.attributes[name] = value  # functools.cached_property
        return value

    def construct(self, node, cls, arguments, keywords):
        made = indirect.construct(self, node, cls, arguments, keywords)
        return made if made is not None else self.instantiate(node, cls, arguments, keywords)

    def instantiate(self, node, cls, arguments, keywords):
        """An instance, whatever `__new__` and the metaclass do."""
        instance = Instance(cls)
        instance.attributes.update(zip(cls.fields, arguments))
        instance.attributes.update({n: keywords[n] for n in cls.fields if n in keywords})
        init = cls.find("__init__")
        if isinstance(init, Function):
            self.call_function(node, Function(init.node, init.scope, instance), arguments, keywords)
        return instance

    def method(self, instance, name):
        """The bound method or attribute `name` of `instance`."""
        if name in instance.attributes:
            return instance.attributes[name]
        found = instance.cls.find(name)
        if isinstance(found, values.Partial) and found.of_class:
            return found.bound(instance)
        if isinstance(found, Function) and not found.static:
            return found.bound(instance.cls if found.of_class else instance)
        return found

    def super_of(self, scope):
        maker = classes.maker_of(self, scope.cls)
        if maker is not None and scope.instance is None:
            return maker
        instance = scope.find("self") if scope.instance is None else scope.instance
        return Super(instance, scope.cls) if isinstance(instance, Instance) else Unknown()
