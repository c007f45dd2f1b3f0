"""Expressions over abstract values."""

import ast
import builtins

from . import (calls, folding, formatting, indirect, objects, tensor_methods, torch_names,
               values)
from .scopes import Scope
from .text import joined_string, literal
from .values import (Const, Dotted, EmptyTest, Function, Instance, Many, Mapping, Method, Number,
                     Sequence, String, Tensor, TorchModule, Unknown, is_tensor, join, options)


class Expressions:
    """A part of the Interpreter, which has the state."""

    def evaluate(self, node, scope):
        self.count_step()
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
            return formatting.format_value(self, part, value, scope)
        text = joined_string(self.file, node, field)
        if text is not None:
            return String(text)
        first = node.values[0]
        return values.Starts(first.value) if isinstance(first, ast.Constant) else Unknown()

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
            if key is None and isinstance(item, Mapping):
                result.known.update(item.known)
                result.rest = join(result.rest, item.rest) if item.rest else result.rest
                continue
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
        own = objects.operator(self, node, type(node.op), value)
        if own is not None:
            return own
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
        return folding.fold_binary(operation, left, right)

    def eval_Compare(self, node, scope):
        left = self.evaluate(node.left, scope)
        rights = [self.evaluate(c, scope) for c in node.comparators]
        identity = isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn))
        if not identity and any(is_tensor(v) for v in [left, *rights]):
            return self.tensor_operator(node)
        if len(rights) != 1:
            return Unknown()
        is_in = isinstance(node.ops[0], (ast.In, ast.NotIn))
        owner, other = (rights[0], left) if is_in else (left, rights[0])
        own = objects.operator(self, node, type(node.ops[0]), owner, other)
        if own is not None:
            return own
        return folding.fold_compare(node.ops[0], left, rights[0])

    def tensor_operator(self, node):
        symbol = folding.operator_symbol(node)
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
            if isinstance(owner, values.Namespace):
                return indirect.of_own_module(self, node, text) if text is not None else Unknown()
            if text is not None and owner.rest is None:
                return Unknown()
            return join(*owner.known.values(), owner.rest)
        if isinstance(owner, Sequence) and isinstance(key, Const) and isinstance(key.value, int):
            return owner.items[key.value] if -len(owner.items) <= key.value < len(owner.items) \
                else Unknown()
        if isinstance(owner, String):
            return folding.slice_string(owner, node.slice, self)
        if isinstance(owner, Instance):
            own = self.method(owner, "__getitem__")
            return self.call_function(node, own, [key], {}) if isinstance(own, Function) \
                else Unknown()
        if isinstance(owner, values.Function) and owner.node in self.foreign:
            return owner  # `kernel[grid]`
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
            elif isinstance(option, Method) and calls.module_of(option) is not None:
                found.append(option)
            elif isinstance(option, Instance):
                found.append(objects.items(self, node, option))
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
        """Whether `node.attr`, no attribute that a tensor has of its own, would be a method."""
        return isinstance(calls.attribute(self, node, tensor, node.attr), Method)

    def comprehension(self, node, scope):
        inner = Scope(parent=scope, cls=scope.cls, instance=scope.instance)
        results = []
        exact = self.generate(node, list(node.generators), inner, results)
        if isinstance(node, ast.DictComp):
            result = Mapping()
            for key, value in results:
                text = values.text_of(key) if exact else None
                if text is not None:
                    result.known[text] = value
                else:
                    result.rest = join(result.rest, value)
            return result
        return Sequence(results) if exact else Many(join(*results))

    def generate(self, node, generators, scope, results):
        """Adds what the comprehension `node` gives in these loops; whether that is all of it."""
        if not generators:
            results.append((self.evaluate(node.key, scope), self.evaluate(node.value, scope))
                           if isinstance(node, ast.DictComp) else self.evaluate(node.elt, scope))
            return len(results) <= values.MAX_ROUNDS
        generator = generators[0]
        iterable = self.evaluate(generator.iter, scope)
        items = values.known_items(iterable)
        exact = items is not None and len(results) <= values.MAX_ROUNDS
        for item in items if exact else [self.item_of(node, iterable)]:
            self.assign(generator.target, item, scope)
            tests = [self.evaluate(condition, scope).truth() for condition in generator.ifs]
            if exact and False in tests:
                continue
            exact &= None not in tests
            exact &= self.generate(node, generators[1:], scope, results)
        return exact

    eval_ListComp = eval_SetComp = eval_GeneratorExp = eval_DictComp = comprehension

    def eval_Call(self, node, scope):
        return calls.call(self, node, scope)

    def eval_Await(self, node, scope):
        return self.evaluate(node.value, scope)
