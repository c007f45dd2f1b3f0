"""Statements over abstract values: names that branches leave, loops, assignments."""

import ast
import copy

from . import calls, classes, extensions, indirect, objects, tensor_methods, torch_names, values
from .scopes import Flow, Scope
from .values import (Class, Const, Counter, Dotted, EmptyTest, Extension, Function, Instance, Many,
                     Mapping, Method, Sequence, Size, Tensor, TorchModule, Unknown, is_tensor, join,
                     options)


class Statements:
    """A part of the Interpreter, which has the state."""

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
        self.count_step()
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
        self.record_return(node, value)
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
            if module == "__main__":
                self.record("main-module", node, alias.name)
            if alias.name == "*":
                scope.module().stars.append(module)
            else:
                scope.names[alias.asname or alias.name] = Dotted(f"{module}.{alias.name}")

    def do_FunctionDef(self, node, scope):
        cached = static = is_property = of_class = False
        for decorator in node.decorator_list:
            value = self.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator,
                                  scope)
            name = value.name if isinstance(value, Dotted) else ""
            cached |= name in ("functools.lru_cache", "functools.cache") or \
                name.startswith("cachetools.")
            static |= name in ("builtins.staticmethod", "staticmethod")
            of_class |= name == "builtins.classmethod"
            is_property |= name in ("builtins.property", "functools.cached_property")
            if isinstance(decorator, ast.Attribute) and \
                    decorator.attr in ("setter", "deleter") and \
                    isinstance(decorator.value, ast.Name) and decorator.value.id == node.name:
                return
            if torch_names.compiles(name):
                self.record("torch-compile", decorator, name)
            if name.split(".")[0] in torch_names.OTHER_LANGUAGES:
                self.foreign[node] = name.split(".")[0]
        function = Function(node, scope, cached=cached, static=static, is_property=is_property,
                            of_class=of_class)
        scope.names[node.name] = indirect.decorate(self, node, function, scope)

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, node, scope):
        bases = [self.evaluate(base, scope) for base in node.bases]
        body = Scope(parent=scope)
        cls = Class(node.name, bases, body.names, node)
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, scope)
            cls.metaclass = value if keyword.arg == "metaclass" else cls.metaclass
        cls.fields = objects.fields_of(self, node, bases, scope)
        for mode in torch_names.MODES:
            if cls.derives_from(mode):
                self.record("override", node, mode)
        body.cls, body.is_class = cls, True
        self.block(node.body, body)
        scope.names[node.name] = classes.finish(self, node, cls, scope)

    def do_Global(self, node, scope):
        scope.globals |= set(node.names)

    def do_Nonlocal(self, node, scope):
        scope.nonlocals |= set(node.names)

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
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                for option in options(self.evaluate(target.value, scope)):
                    if isinstance(option, Dotted):
                        self.record("patch", node, f"{option.name}.{target.attr}")

    def do_If(self, node, scope):
        value = self.evaluate(node.test, scope)
        test = value.truth()
        if test is not None:
            dead = node.orelse if test else node.body
            if dead:
                self.record("dead-branch", dead[0], detail=dead)
            return self.block(node.body if test else node.orelse, scope)
        empty = self.empty_side(value)
        flow = self.branches([node.body, node.orelse], scope, empty,
                             self.absent_attributes(node.test, scope))
        flow.rest_is_empty = empty == 1 and not node.orelse and not flow.ended and \
            isinstance(node.body[-1], (ast.Return, ast.Raise))
        return flow

    def absent_attributes(self, test, scope):
        """What `not hasattr(module, "name")`, alone or among others that hold too, says is not
        there."""
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) \
            else [test]
        absent = set()
        for part in parts:
            call = part.operand if isinstance(part, ast.UnaryOp) and \
                isinstance(part.op, ast.Not) else None
            if not isinstance(call, ast.Call) or len(call.args) != 2:
                continue
            function, owner, name = [self.evaluate(e, scope) for e in (call.func, *call.args)]
            if isinstance(function, Dotted) and function.name == "builtins.hasattr" and \
                    isinstance(owner, Dotted):
                absent.add(f"{owner.name}.{values.text_of(name)}")
        return absent

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

    def branches(self, bodies, scope, empty=None, absent=frozenset()):
        """Runs each body from the same names and joins what they leave; bodies[empty] is for inputs
        without elements, bodies[0] for the lack of the attributes `absent`."""
        before, after, returned = dict(scope.names), [], None
        self.branch_depth += 1
        for index, body in enumerate(bodies):
            scope.names.clear()
            scope.names.update(before)
            self.empty_depth += index == empty
            known, self.absent = self.absent, self.absent if index else self.absent | absent
            flow = self.block(body, scope)
            self.absent = known
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
        """Runs a body never, once and twice: two rounds reach what a value carries over."""
        return self.branches([[], node.body, node.body + node.body], scope)

    def or_else(self, node, scope, flow):
        """The `else` of a loop, which runs unless a `break` ends it."""
        if flow.ended or not node.orelse:
            return flow
        breaks = any(isinstance(n, ast.Break) for n in ast.walk(node))
        last = self.branches([node.orelse] + ([[]] if breaks else []), scope)
        if flow.returned is not None:
            last.returned = join(flow.returned, last.returned)
        return last

    def do_While(self, node, scope):
        test = self.evaluate(node.test, scope).truth()
        if test is False:
            return self.block(node.orelse, scope)
        flow = self.or_else(node, scope, self.loop(node, scope))
        if test is True and not any(isinstance(n, ast.Break) for n in ast.walk(node)):
            return Flow(True, flow.returned)
        return flow

    def do_For(self, node, scope):
        iterable = self.evaluate(node.iter, scope)
        items = values.known_items(iterable)
        # Rounds by number tell more only where they make sources and modules.
        if items is not None and (self.phase != "forward" or isinstance(iterable, Sequence)):
            returned = None
            for item in items:
                self.assign(node.target, item, scope)
                flow = self.branches([node.body], scope)
                returned = join(returned, flow.returned) if flow.returned is not None else returned
                if flow.ended:
                    return Flow(not any(isinstance(n, (ast.Break, ast.Continue))
                                        for n in ast.walk(node)), returned)
            return self.or_else(node, scope, Flow(False, returned))
        self.assign(node.target, self.item_of(node, iterable), scope)
        return self.or_else(node, scope, self.loop(node, scope))

    def do_With(self, node, scope):
        captured, managers = False, []
        for item in node.items:
            manager = self.evaluate(item.context_expr, scope)
            if isinstance(manager, Method) and manager.name == "cuda graph":
                captured = True
                self.capturing.append(manager.receiver)
            if isinstance(manager, Method) and manager.name == "stream scope":
                self.record("stream-scope", item.context_expr, detail=manager.receiver)
            entered = objects.special(self, item.context_expr, manager, "enter")
            managers.append((item.context_expr, manager))
            if item.optional_vars is not None:
                self.assign(item.optional_vars, manager if entered is None else entered, scope)
        flow = self.block(node.body, scope)
        for place, manager in reversed(managers):
            objects.special(self, place, manager, "exit", *[Const(None)] * 3)
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
            owner = scope.owner(target.id)
            if owner is not scope and self.phase == "forward" and \
                    indirect.counted(owner.names.get(target.id), value):
                value = Counter()
            # Names of this scope are joined where its branches meet, others here.
            joins = self.branch_depth and owner is not scope
            before = owner.names.get(target.id) if joins else None
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

    def after(self, old, value):
        """What outlives a call holds after an assignment of `value`."""
        if self.phase == "forward" and indirect.counted(old, value):
            value = Counter()
        return join(old if self.branch_depth else None, value)

    def set_attribute(self, node, owner, name, value):
        for option in options(owner):
            if isinstance(option, Instance):
                option.attributes[name] = self.after(option.attributes.get(name), value)
            elif isinstance(option, TorchModule):
                option.attributes[name] = join(option.attributes.get(name), value)
            elif isinstance(option, Class):
                option.members[name] = self.after(option.members.get(name), value)
            elif isinstance(option, Function):
                key = option.node, name
                self.function_attributes[key] = self.after(self.function_attributes.get(key), value)
            elif isinstance(option, Dotted) and option.name == self.NAME:
                names = self.scope.module().names
                names[name] = join(names.get(name), value)
            elif isinstance(option, Dotted):
                target = f"{option.name}.{name}"
                added = target in self.absent and self.is_alias(option, name, value)
                self.record("addition" if added else "patch", node, target, detail=value)
            elif isinstance(option, Extension):
                option.record.attributes[name] = join(option.record.attributes.get(name), value)
            elif isinstance(option, Tensor) and name in ("data", "grad"):
                self.record("tensor-data", node, name)
            elif isinstance(option, Tensor):
                if name == "__class__" or name in tensor_methods.NAMES:
                    self.record("patch", node, f"torch.Tensor.{name}")
                self.tensor_attributes[name] = join(self.tensor_attributes.get(name), value)

    @staticmethod
    def is_alias(module, name, value):
        """Whether `value` is what `module` itself or Python has under another name. A module that
        is not imported yet is not there either, and anything else would stand for it."""
        return isinstance(value, Dotted) and not name.startswith("__") and \
            value.name.split(".")[0] in (module.name.split(".")[0], "builtins")

    def set_item(self, node, owner, key, value):
        for option in options(owner):
            if isinstance(option, Tensor):
                self.record("tensor-copy", node, "operator[]=", detail=option)
                calls.give(self, [option], sure=True)
            elif isinstance(option, Mapping):
                text = values.text_of(key)
                if text is not None:
                    option.known[text] = self.after(option.known.get(text), value)
                else:
                    option.rest = join(option.rest, value)
            elif isinstance(option, Sequence):
                option.items = [join(i, value) for i in option.items]
            elif isinstance(option, Instance):
                objects.special(self, node, option, "setitem", key, value)
            elif isinstance(option, Many):
                option.item = join(option.item, value)
            elif isinstance(option, Dotted) and option.name.endswith("__dict__"):
                self.record("patch", node, option.name)
            elif isinstance(option, Dotted) and option.name == "os.environ":
                extensions.set_variable(self, node, key, value)
            elif isinstance(option, Dotted) and option.name == "sys.modules":
                self.record("patch", node, "sys.modules")
