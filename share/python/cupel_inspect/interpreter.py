"""Runs the file over abstract values: module level, the constructor and two calls of forward."""

import ast
import builtins
import copy

from . import calls, indirect, tensor_methods, torch_names, values
from .text import Text, TooLong, joined_string, literal
from .values import (Class, Const, Counter, Dotted, EmptyTest, Function, Instance, Many, Mapping, Method,
                     Number, Sequence, Size, String, Super, Tensor, TorchModule, Union, Unknown,
                     is_tensor, join, options)

# Bounds on the work for one file, so that a hostile one ends; forward of the largest KernelBench
# models stays two orders of magnitude below.
MAX_STEPS = 400_000
MAX_DEPTH = 40


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


class Scope:
    def __init__(self, parent=None, cls=None, instance=None):
        self.names = {}
        self.parent = parent
        self.cls = cls
        self.instance = instance
        self.globals = set()
        self.is_class = False
        self.stars = []

    def module(self):
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

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


class Interpreter:
    def __init__(self, file, tree, inputs):
        self.file = file
        self.inputs = inputs
        self.tree = tree
        self.events = []
        self.extensions = []
        self.written_files = {}
        self.phase = "module"
        self.generation = 0
        self.stack = []
        self.steps = 0
        self.capturing = []
        self.branch_depth = 0
        self.gives_away = False  # Forward hands tensors to code that is not followed.
        self.empty_depth = 0  # In code that runs for inputs without elements only.
        self.function_attributes = {}
        self.defaults = {}
        self.scope = Scope()
        self.scope.names["__name__"] = String("submission")
        self.scope.names["__file__"] = Unknown()

    def record(self, kind, node, name="", detail=None):
        self.events.append(Event(kind, node, name, self.phase, list(self.stack), self.generation,
                                 detail))

    # Statements.

    def run_module(self):
        self.block(self.tree.body, self.scope)

    def block(self, body, scope):
        returned, depth, ended = None, self.empty_depth, False
        for statement in body:
            flow = self.statement(statement, scope)
            if flow.returned is not None:
                returned = join(returned, flow.returned)
            self.empty_depth += flow.rest_is_empty
            if flow.ended:
                ended = True
                break
        self.empty_depth = depth
        return Flow(ended, returned)

    def statement(self, node, scope):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLong()
        method = getattr(self, "do_" + type(node).__name__, None)
        if method is None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.evaluate(child, scope)
            return Flow()
        return method(node, scope) or Flow()

    def do_Expr(self, node, scope):
        self.evaluate(node.value, scope)

    def do_Return(self, node, scope):
        value = self.evaluate(node.value, scope) if node.value else Const(None)
        if self.empty_depth:
            self.mark_empty(value)
        if len(self.stack) == 1:
            self.record("return", node, detail=value)
        return Flow(True, value)

    def do_Raise(self, node, scope):
        if node.exc:
            self.evaluate(node.exc, scope)
        return Flow(True)

    def do_Break(self, node, scope):
        return Flow(False)

    def do_Import(self, node, scope):
        for alias in node.names:
            self.record("import", node, alias.name)
            name = alias.name if alias.asname else alias.name.split(".")[0]
            scope.names[alias.asname or name] = Dotted(name)

    def do_ImportFrom(self, node, scope):
        module = node.module or ""
        self.record("import", node, module)
        for alias in node.names:
            if alias.name == "*":
                scope.module().stars.append(module)
            else:
                scope.names[alias.asname or alias.name] = Dotted(f"{module}.{alias.name}")

    def do_FunctionDef(self, node, scope):
        cached = static = is_property = False
        for decorator in node.decorator_list:
            value = self.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator,
                                  scope)
            name = value.name if isinstance(value, Dotted) else ""
            cached |= name in ("functools.lru_cache", "functools.cache")
            static |= name in ("builtins.staticmethod", "staticmethod")
            is_property |= name in ("builtins.property", "functools.cached_property")
            if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter") and \
                    isinstance(decorator.value, ast.Name) and decorator.value.id == node.name:
                return
            if name in ("torch.compile", "torch.jit.script", "torch.jit.trace"):
                self.record("torch-compile", decorator, name)
        function = Function(node, scope, cached=cached, static=static, is_property=is_property)
        scope.names[node.name] = indirect.decorate(self, node, function, scope)

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, node, scope):
        bases = [self.evaluate(base, scope) for base in node.bases]
        body = Scope(parent=scope)
        cls = Class(node.name, bases, body.names, node)
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, scope)
            cls.metaclass = value if keyword.arg == "metaclass" else cls.metaclass
        body.cls, body.is_class = cls, True
        self.block(node.body, body)
        scope.names[node.name] = cls

    def do_Global(self, node, scope):
        scope.globals |= set(node.names)

    do_Nonlocal = do_Global

    def do_Assign(self, node, scope):
        value = self.evaluate(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def do_AnnAssign(self, node, scope):
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, scope), scope)

    def do_AugAssign(self, node, scope):
        load = copy.copy(node.target)
        load.ctx = ast.Load()
        left, right = self.evaluate(load, scope), self.evaluate(node.value, scope)
        value = self.binary(node, type(node.op), left, right)
        if is_tensor(left):
            self.record("tensor-in-place", node, "operator", detail=left)
            calls.give(self, [left], sure=True)
        self.assign(node.target, value, scope)

    def do_Delete(self, node, scope):
        pass

    def do_If(self, node, scope):
        value = self.evaluate(node.test, scope)
        test = value.truth()
        if test is not None:
            dead = node.orelse if test else node.body
            if dead:
                self.record("dead-branch", dead[0], detail=dead)
            return self.block(node.body if test else node.orelse, scope)
        empty = self.empty_side(value)
        flow = self.branches([node.body, node.orelse], scope, empty)
        flow.rest_is_empty = empty == 1 and not node.orelse and not flow.ended and \
            isinstance(node.body[-1], (ast.Return, ast.Raise))
        return flow

    @staticmethod
    def empty_side(test):
        """0 or 1: the true or the false side of `test` is for inputs without elements; or None."""
        if isinstance(test, EmptyTest):
            return 0 if test.when_empty else 1
        return 1 if isinstance(test, Size) else None

    @staticmethod
    def mark_empty(value):
        for tensor in values.tensors(value):
            tensor.root().for_empty = True

    def branches(self, bodies, scope, empty=None):
        """Runs each body from the same names and joins what they leave; bodies[empty] is for inputs
        without elements."""
        before, after, returned = dict(scope.names), [], None
        self.branch_depth += 1
        for index, body in enumerate(bodies):
            scope.names.clear()
            scope.names.update(before)
            self.empty_depth += index == empty
            flow = self.block(body, scope)
            self.empty_depth -= index == empty
            returned = join(returned, flow.returned) if flow.returned is not None else returned
            if not flow.ended:
                after.append(dict(scope.names))
        self.branch_depth -= 1
        scope.names.clear()
        if not after:
            scope.names.update(before)
            return Flow(True, returned)
        for name in {n for names in after for n in names}:
            scope.names[name] = join(*[names.get(name) for names in after])
        return Flow(False, returned)

    def loop(self, node, scope):
        """A body that runs never, once or more often: two rounds reach what a value carries over."""
        return self.branches([[], node.body, node.body + node.body], scope)

    def do_While(self, node, scope):
        test = self.evaluate(node.test, scope).truth()
        if test is False:
            return self.block(node.orelse, scope)
        flow = self.loop(node, scope)
        if test is True and not any(isinstance(n, ast.Break) for n in ast.walk(node)):
            return Flow(True, flow.returned)
        return flow

    def do_For(self, node, scope):
        iterable = self.evaluate(node.iter, scope)
        if isinstance(iterable, Sequence) and len(iterable.items) <= 32:
            returned = None
            for item in iterable.items:
                self.assign(node.target, item, scope)
                flow = self.branches([node.body], scope)
                returned = join(returned, flow.returned) if flow.returned is not None else returned
                if flow.ended:
                    return Flow(not any(isinstance(n, (ast.Break, ast.Continue))
                                        for n in ast.walk(node)), returned)
            return Flow(False, returned)
        self.assign(node.target, self.item_of(node, iterable), scope)
        return self.loop(node, scope)

    def do_With(self, node, scope):
        captured = False
        for item in node.items:
            manager = self.evaluate(item.context_expr, scope)
            if isinstance(manager, Method) and manager.name == "cuda graph":
                captured = True
                self.capturing.append(manager.receiver)
            if isinstance(manager, Method) and manager.name == "stream scope":
                self.record("stream-scope", item.context_expr, detail=manager.receiver)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, manager, scope)
        flow = self.block(node.body, scope)
        if captured:
            self.capturing.pop()
        return flow

    do_AsyncWith = do_With

    def do_Try(self, node, scope):
        handlers = [h.body for h in node.handlers]
        flow = self.branches([node.body + node.orelse] + [node.body[:0] + h for h in handlers],
                             scope)
        last = self.block(node.finalbody, scope)
        returned = join(flow.returned, last.returned) if flow.returned or last.returned else None
        return Flow(flow.ended or last.ended, returned)

    do_TryStar = do_Try

    def do_Match(self, node, scope):
        subject = self.evaluate(node.subject, scope)
        for case in node.cases:
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None)
                if name is not None:
                    scope.names[name] = subject if pattern is case.pattern else Unknown()
            if case.guard is not None:
                self.evaluate(case.guard, scope)
        last = node.cases[-1]
        always = last.guard is None and isinstance(last.pattern, ast.MatchAs) and \
            last.pattern.pattern is None
        return self.branches([case.body for case in node.cases] + ([] if always else [[]]), scope)

    def assign(self, target, value, scope):
        if isinstance(target, ast.Name):
            owner = scope.module() if target.id in scope.globals else scope
            if target.id in scope.globals and self.phase == "forward" and \
                    indirect.counted(owner.names.get(target.id), value):
                value = Counter()
            # Names of this scope are joined where its branches meet, others here.
            before = owner.names.get(target.id) if self.branch_depth and owner is not scope else None
            owner.names[target.id] = join(before, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target, value, scope)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(target, self.evaluate(target.value, scope), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.set_item(target, self.evaluate(target.value, scope),
                          self.evaluate(target.slice, scope), value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Many(value), scope)

    def unpack(self, target, value, scope):
        known = value.items if isinstance(value, Sequence) else None
        if known is not None and len(known) == len(target.elts):
            for element, item in zip(target.elts, known):
                self.assign(element, item, scope)
            return
        for element in target.elts:
            self.assign(element, self.item_of(target, value), scope)

    def set_attribute(self, node, owner, name, value):
        for option in options(owner):
            if isinstance(option, Instance):
                old = option.attributes.get(name)
                if self.phase == "forward" and indirect.counted(old, value):
                    value = Counter()
                old = old if self.branch_depth else None
                option.attributes[name] = join(old, value)
            elif isinstance(option, Class):
                option.members[name] = value
            elif isinstance(option, Function):
                old = self.function_attributes.get((option.node, name)) if self.branch_depth else None
                self.function_attributes[option.node, name] = join(old, value)
            elif isinstance(option, Dotted):
                self.record("patch", node, f"{option.name}.{name}", detail=value)
            elif isinstance(option, Tensor) and name in ("data", "grad"):
                self.record("tensor-data", node, name)

    def set_item(self, node, owner, key, value):
        for option in options(owner):
            if isinstance(option, Tensor):
                self.record("tensor-copy", node, "operator[]=", detail=option)
                calls.give(self, [option], sure=True)
            elif isinstance(option, Mapping):
                text = values.text_of(key)
                if text is not None and not self.branch_depth:
                    option.known[text] = value
                else:
                    option.rest = join(option.rest, value)
            elif isinstance(option, Sequence):
                option.items = [join(i, value) for i in option.items]
            elif isinstance(option, Many):
                option.item = join(option.item, value)
            elif isinstance(option, Dotted) and option.name.endswith("__dict__"):
                self.record("patch", node, option.name)
            elif isinstance(option, Dotted) and option.name == "sys.modules":
                self.record("patch", node, "sys.modules")

    # Expressions.

    def evaluate(self, node, scope):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLong()
        method = getattr(self, "eval_" + type(node).__name__, None)
        if method is None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.evaluate(child, scope)
            return Unknown()
        return method(node, scope)

    def eval_Constant(self, node, scope):
        if isinstance(node.value, str):
            return String(literal(self.file, node))
        return Const(node.value)

    def eval_JoinedStr(self, node, scope):
        def field(part):
            value = self.evaluate(part.value, scope)
            return calls.format_value(self, part, value, scope)
        text = joined_string(self.file, node, field)
        return String(text) if text is not None else Unknown()

    def eval_Name(self, node, scope):
        found = scope.find(node.id)
        stars = scope.module().stars
        if found is None and stars and not hasattr(builtins, node.id):
            return Dotted(torch_names.normalize(f"{stars[-1]}.{node.id}"))
        return found if found is not None else Dotted("builtins." + node.id)

    def eval_Tuple(self, node, scope):
        items = []
        for element in node.elts:
            value = self.evaluate(element.value if isinstance(element, ast.Starred) else element,
                                  scope)
            if isinstance(element, ast.Starred):
                if not isinstance(value, Sequence):
                    return Many(self.item_of(element, value))
                items += value.items
            else:
                items.append(value)
        return Sequence(items)

    eval_List = eval_Set = eval_Tuple

    def eval_Dict(self, node, scope):
        result = Mapping()
        for key, value in zip(node.keys, node.values):
            item = self.evaluate(value, scope)
            text = values.text_of(self.evaluate(key, scope)) if key is not None else None
            if text is not None:
                result.known[text] = item
            else:
                result.rest = join(result.rest, item)
        return result

    def eval_Lambda(self, node, scope):
        return Function(node, scope)

    def eval_NamedExpr(self, node, scope):
        value = self.evaluate(node.value, scope)
        self.assign(node.target, value, scope)
        return value

    def eval_IfExp(self, node, scope):
        condition = self.evaluate(node.test, scope)
        test = condition.truth()
        if test is not None:
            return self.evaluate(node.body if test else node.orelse, scope)
        sides = [self.evaluate(node.body, scope), self.evaluate(node.orelse, scope)]
        if self.empty_side(condition) is not None:
            self.mark_empty(sides[self.empty_side(condition)])
        return join(*sides)

    def eval_BoolOp(self, node, scope):
        stops = isinstance(node.op, ast.Or)
        results = []
        for part in node.values:
            value = self.evaluate(part, scope)
            results.append(value)
            if value.truth() is stops:
                break
        tests = [self.empty_side(r) for r in results]
        # One test that holds for no elements suffices for `and`, all are needed for `or`.
        if 0 in tests and (not stops or set(tests) == {0}):
            return EmptyTest(True)
        if 1 in tests and (stops or set(tests) == {1}):
            return EmptyTest(False)
        unknown = [r for r in results[:-1] if r.truth() is None]
        return join(*unknown, results[-1]) if unknown else results[-1]

    def eval_UnaryOp(self, node, scope):
        value = self.evaluate(node.operand, scope)
        if isinstance(node.op, ast.Not):
            truth, empty = value.truth(), self.empty_side(value)
            if empty is not None:
                return EmptyTest(empty == 1)
            return Const(not truth) if truth is not None else Unknown()
        if is_tensor(value):
            return self.tensor_operator(node)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            operation = {ast.USub: lambda v: -v, ast.UAdd: lambda v: +v, ast.Invert: lambda v: ~v}
            try:
                return Const(operation[type(node.op)](value.value))
            except TypeError:
                return Unknown()
        return Number() if isinstance(value, Number) else Unknown()

    def eval_BinOp(self, node, scope):
        return self.binary(node, type(node.op), self.evaluate(node.left, scope),
                           self.evaluate(node.right, scope))

    def binary(self, node, operation, left, right):
        if is_tensor(left) or is_tensor(right):
            own = indirect.binary_special(self, node, operation, left, right)
            return own if own is not None else self.tensor_operator(node)
        own = indirect.binary_special(self, node, operation, left, right)
        if own is not None:
            return own
        return calls.fold_binary(operation, left, right)

    def eval_Compare(self, node, scope):
        left = self.evaluate(node.left, scope)
        rights = [self.evaluate(c, scope) for c in node.comparators]
        identity = isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn))
        if not identity and any(is_tensor(v) for v in [left, *rights]):
            return self.tensor_operator(node)
        if len(rights) != 1:
            return Unknown()
        return calls.fold_compare(node.ops[0], left, rights[0])

    def tensor_operator(self, node):
        symbol = calls.operator_symbol(node)
        self.record("tensor-operator", node, symbol)
        return self.computed()

    def computed(self, dtype=None):
        tensor = Tensor("torch", self.generation, dtype)
        if self.capturing:
            calls.remember_capture(self.capturing[-1], tensor)
        return tensor

    def eval_Subscript(self, node, scope):
        owner, key = self.evaluate(node.value, scope), self.evaluate(node.slice, scope)
        return join(*[self.subscript(node, option, key) for option in options(owner)])

    def subscript(self, node, owner, key):
        if isinstance(owner, Tensor):
            parts = key.items if isinstance(key, Sequence) else [key]
            if any(values.tensors(p) or isinstance(p, (Sequence, Many)) for p in parts):
                self.record("tensor-operator", node, "operator[] with a tensor index")
                return self.computed()
            return Tensor(owner.source, owner.made_in, owner.dtype, owner)
        if isinstance(owner, Mapping):
            text = values.text_of(key)
            if text is not None and text in owner.known:
                return owner.known[text]
            if text is not None and owner.rest is None:
                return Unknown()
            return join(*owner.known.values(), owner.rest)
        if isinstance(owner, Sequence) and isinstance(key, Const) and isinstance(key.value, int):
            return owner.items[key.value] if -len(owner.items) <= key.value < len(owner.items) \
                else Unknown()
        if isinstance(owner, String):
            return calls.slice_string(owner, node.slice, self)
        if isinstance(owner, Instance):
            own = self.method(owner, "__getitem__")
            return self.call_function(node, own, [key], {}) if isinstance(own, Function) else Unknown()
        if isinstance(owner, Dotted):
            found = indirect.subscript_namespace(self, node, owner, key)
            if found is not None:
                return found
            self.record("environment" if owner.name == "os.environ" else "lookup", node, owner.name)
            return Unknown()
        return self.item_of(node, owner)

    def item_of(self, node, container):
        """One item of a container."""
        found = []
        for option in options(container):
            if isinstance(option, (Sequence,)):
                found += option.items
            elif isinstance(option, Many):
                found.append(option.item)
            elif isinstance(option, Mapping):
                found += [*option.known.values(), option.rest]
            elif isinstance(option, Tensor):
                found.append(Tensor(option.source, option.made_in, option.dtype, option))
            elif isinstance(option, TorchModule):
                found += option.children or [Unknown()]
            else:
                found.append(Unknown())
        return join(*found)

    def eval_Slice(self, node, scope):
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part, scope)
        return Unknown()

    def eval_Starred(self, node, scope):
        return self.evaluate(node.value, scope)

    def eval_Attribute(self, node, scope):
        owner = self.evaluate(node.value, scope)
        found = options(owner)
        # `cache["graph"].replay()`: one of the values in the cache is a tensor, this one is not.
        if node.attr not in tensor_methods.NAMES and not node.attr.startswith("__"):
            found = [o for o in found if not isinstance(o, Tensor) or not self.is_method(o, node)] \
                if any(not isinstance(o, (Tensor, Const)) for o in found) else found
        return join(*[calls.attribute(self, node, option, node.attr) for option in found])

    def is_method(self, tensor, node):
        """Whether `tensor` has no attribute `node.attr` of its own, so that it would be a method."""
        return isinstance(calls.attribute(self, node, tensor, node.attr), Method)

    def comprehension(self, node, scope):
        inner = Scope(parent=scope, cls=scope.cls, instance=scope.instance)
        for generator in node.generators:
            iterable = self.evaluate(generator.iter, inner)
            self.assign(generator.target, self.item_of(node, iterable), inner)
            for condition in generator.ifs:
                self.evaluate(condition, inner)
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inner)
            result = Mapping()
            result.rest = self.evaluate(node.value, inner)
            return result
        return Many(self.evaluate(node.elt, inner))

    eval_ListComp = eval_SetComp = eval_GeneratorExp = eval_DictComp = comprehension

    def eval_Call(self, node, scope):
        return calls.call(self, node, scope)

    def eval_Await(self, node, scope):
        return self.evaluate(node.value, scope)

    # Functions of the file.

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
            scope.names[parameters.kwarg.arg] = Mapping()
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
                return self.evaluate(function.node.body, scope)
            flow = self.block(function.node.body, scope)
            return flow.returned if flow.returned is not None else Const(None)
        finally:
            self.stack.pop()

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
        if function.node.decorator_list and not any(
                isinstance(d, ast.Name) and d.id == "property" for d in function.node.decorator_list):
            owner.attributes[name] = value  # functools.cached_property
        return value

    def construct(self, node, cls, arguments, keywords):
        made = indirect.construct(self, node, cls, arguments, keywords)
        if made is not None:
            return made
        instance = Instance(cls)
        init = cls.find("__init__")
        if isinstance(init, Function):
            self.call_function(node, Function(init.node, init.scope, instance), arguments, keywords)
        return instance

    def method(self, instance, name):
        """The bound method or attribute `name` of `instance`."""
        if name in instance.attributes:
            return instance.attributes[name]
        found = instance.cls.find(name)
        if isinstance(found, Function) and not found.static:
            return Function(found.node, found.scope, instance, found.cached,
                            is_property=found.is_property)
        return found

    def super_of(self, scope):
        instance = scope.find("self") if scope.instance is None else scope.instance
        return Super(instance, scope.cls) if isinstance(instance, Instance) else Unknown()
