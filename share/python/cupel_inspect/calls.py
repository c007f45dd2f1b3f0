"""What a call or an attribute of known operands gives: methods, modules, extensions."""

import ast
import re

from . import (classes, files, folding, formatting, indirect, named_calls, objects,
               operators, tensor_methods, torch_names, values)
from .text import Text, concatenate
from .values import (Class, Const, Dotted, Extension, ExtensionFunction, Function, Instance, Many,
                     Mapping, Method, Number, Opened, Partial, Pointer, Sequence, Size, Stream,
                     String, Super, Tensor, TorchModule, Unknown, join, options)

# What their `__call__` does, a call of them does.
_CALLABLES = (ExtensionFunction, Function, Partial, TorchModule)
# Methods of a module that only keep what they are given.
_KEEPING = ("register_", "load_", "append", "extend", "insert", "add_module", "set_")
_HOOKS = ("register_forward_hook", "register_forward_pre_hook")


# Of any type of ctypes: memory that is not the value's own.
_FOREIGN_MEMORY = ("from_address", "in_dll")


def attribute(interpreter, node, owner, name):
    if name in _FOREIGN_MEMORY and not isinstance(owner, Dotted):
        interpreter.record("call", node, f"ctypes.{name}")
    if name == "__dict__":
        return indirect.namespace(owner)
    if name == "__call__" and isinstance(owner, _CALLABLES):
        return owner
    if isinstance(owner, Dotted) and owner.name == "torch.device()" and name == "type":
        return String("cuda")
    if isinstance(owner, Dotted) and name == "__call__" and \
            owner.name.rsplit(".", 1)[-1][:1].islower():
        return owner
    if isinstance(owner, Dotted):
        if owner.name == interpreter.NAME and not name.startswith("__"):
            return indirect.of_own_module(interpreter, node, name)
        if owner.name == "__main__":
            interpreter.record("main-module", node, name)
        return Dotted(torch_names.normalize(f"{owner.name}.{name}"))
    if isinstance(owner, Tensor):
        found = _tensor_attribute(owner, name)
        return interpreter.tensor_attributes.get(name, found) if isinstance(found, Method) else found
    if isinstance(owner, Instance) and name == "__class__":
        return owner.cls
    if isinstance(owner, Instance):
        found = interpreter.method(owner, name)
        if isinstance(found, Function) and found.is_property and found.receiver is owner:
            return interpreter.get_property(node, found, owner, name)
        if found is not None:
            return join(*[objects.descriptor(interpreter, node, owner, name, o)
                          for o in options(found)])
        if name == "_modules":
            return indirect.namespace(owner)
        if name in torch_names.CALLS_OF_MODULES:
            return owner
        rest = Method(owner, name) if owner.cls.derives_from("torch.nn.Module") else Unknown()
        given = objects.missing(interpreter, node, owner, name)
        return rest if given is None else join(given, rest)
    if isinstance(owner, Class):
        found = owner.find(name)
        if isinstance(found, Function) and found.of_class:
            return found.bound(owner)
        return objects.enum_member(owner, found) if found is not None else Method(owner, name)
    if isinstance(owner, Function) and name == "__globals__":
        return values.Namespace(owner.scope.module().names)
    if isinstance(owner, Function):
        return interpreter.function_attributes.get((owner.node, name)) or Unknown()
    if isinstance(owner, Super):
        found = owner.instance.cls.find(name, after=owner.cls)
        if isinstance(found, Function):
            return Function(found.node, found.scope, owner.instance, found.cached)
        return Method(owner, name)
    if isinstance(owner, Extension):
        given = owner.record.attributes.get(name) if owner.record else None
        return ExtensionFunction(owner, name) if given is None else given
    if isinstance(owner, TorchModule):
        if name in owner.attributes:
            return owner.attributes[name]
        if torch_names.PARAMETER_NAME.match(name):
            return Tensor("weight", dtype="torch.float32")
        return Method(owner, name)
    if isinstance(owner, (Stream, operators.Library)):
        return Method(owner, name)
    if isinstance(owner, Opened):
        return files.attribute_of_file(owner, name)
    if isinstance(owner, files.PathObject):
        return files.attribute_of_path(owner, name)
    if isinstance(owner, formatting.Template):
        return String(owner.text) if name == "template" else Method(owner, name)
    if isinstance(owner, (String, Sequence, Many, Mapping, Method, classes.Made)):
        return Method(owner, name)
    return Method(owner, name) if isinstance(owner, Unknown) else Unknown()


def _tensor_attribute(tensor, name):
    if name in ("T", "mT", "H", "mH", "data", "real", "imag"):
        return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name in ("shape",):
        return Many(Size())
    if name in ("nbytes",):
        return Size()
    if name in ("ndim", "itemsize"):
        return Number()
    if name == "__cuda_array_interface__":
        return give_pointer(tensor)
    if name == "is_cuda":
        return Const(True)
    if name == "requires_grad":
        return Const(False)
    if name == "dtype":
        return Dotted(tensor.dtype) if tensor.dtype else Unknown()
    if name == "device":
        return Dotted("torch.device()")
    if name == "__class__":
        return Dotted("torch.Tensor")
    return Method(tensor, name)


def call(interpreter, node, scope):
    function = interpreter.evaluate(node.func, scope)
    arguments, keywords = [], {}
    for argument in node.args:
        starred = isinstance(argument, ast.Starred)
        value = interpreter.evaluate(argument.value if starred else argument, scope)
        if starred and isinstance(value, Sequence):
            arguments += value.items
        else:
            arguments.append(value)
    for keyword in node.keywords:
        value = interpreter.evaluate(keyword.value, scope)
        if keyword.arg is None and isinstance(value, Mapping):
            keywords.update(value.known)
            value = value.rest
        if value is not None:
            keywords[keyword.arg] = value
    results = [apply(interpreter, node, option, arguments, keywords, scope)
               for option in options(function)]
    return join(*results)


def apply(interpreter, node, function, arguments, keywords, scope=None):
    """The result of calling `function`."""
    scope = scope or interpreter.scope
    if isinstance(function, Function) and function.node in interpreter.foreign:
        give(interpreter, [*arguments, *keywords.values()], sure=False)
        interpreter.record("foreign-kernel", node, interpreter.foreign[function.node])
        return Unknown()
    if isinstance(function, Function):
        return interpreter.call_function(node, function, arguments, keywords)
    if isinstance(function, Class):
        return interpreter.construct(node, function, arguments, keywords)
    if isinstance(function, Instance):
        return _call_instance(interpreter, node, function, arguments, keywords)
    if isinstance(function, Partial):
        return apply(interpreter, node, function.function, function.arguments + arguments,
                     {**function.keywords, **keywords}, scope)
    if isinstance(function, indirect.Caller):
        return indirect.apply_caller(interpreter, node, function, arguments)
    if isinstance(function, operators.Registration):
        return operators.take(interpreter, node, function, arguments)
    if isinstance(function, ExtensionFunction):
        return call_extension(interpreter, node, function, arguments, keywords)
    if isinstance(function, TorchModule):
        return _call_module(interpreter, node, function, arguments)
    if isinstance(function, Method):
        return _call_method(interpreter, node, function, arguments, keywords, scope)
    if isinstance(function, Dotted):
        return named_calls.call_dotted(interpreter, node, function.name, arguments, keywords, scope)
    objects.hand_over(interpreter, node, [*arguments, *keywords.values()])
    return Unknown()


def give(interpreter, arguments, sure, taker=None):
    """Code that may write them is given `arguments`: a kernel (`sure`), or what is not followed.

    `taker` names an extension's function. Its argument, and what that is a view of or made from,
    gets `(*taker, position)` as a writer, which the C++ side judges; any other writer is None.
    """
    found = [(root, (*taker, position) if taker and isinstance(argument, Tensor) else None)
             for position, argument in enumerate(arguments)
             for root in values.reachable(argument)]
    roots = [root for root, _ in found]
    for root, writer in found:
        root.writers.add(writer)
        if sure:
            root.made_in = interpreter.generation
        else:
            root.unsure = interpreter.generation
        if interpreter.capturing:
            remember_capture(interpreter.capturing[-1], root)
    return roots


def give_pointer(tensor):
    """Who has the address may write there."""
    tensor.root().writers.add(None)
    return Pointer(tensor)


def _call_instance(interpreter, node, instance, arguments, keywords):
    forward = interpreter.method(instance, "__call__") or interpreter.method(instance, "forward")
    if isinstance(forward, Function):
        result = interpreter.call_function(node, forward, arguments, keywords)
        return objects.run_hooks(interpreter, instance, arguments, result)
    if forward is not None:
        return join(*[apply(interpreter, node, f, arguments, keywords) for f in options(forward)])
    for base in instance.cls.order():
        if isinstance(base, Dotted) and torch_names.is_nn_class(base.name):
            return _call_module(interpreter, node, TorchModule(base.name), arguments)
    return Unknown()


def call_extension(interpreter, node, function, arguments, keywords):
    interpreter.record("extension-call", node, function.name, detail=function.extension.record)
    record, taker = function.extension.record, None
    # Of an argument by name the position is not known.
    if record in interpreter.extensions and not keywords:
        taker = interpreter.extensions.index(record), function.name
    return _extension_result(interpreter, [*arguments, *keywords.values()], taker)


def _extension_result(interpreter, arguments, taker=None):
    """A kernel may write all that it is given, and what the extension returns (a plan, a graph, the
    number of one) may keep it for a later call."""
    roots = give(interpreter, arguments, sure=True, taker=taker)
    result = Tensor("kernel", interpreter.generation)
    result.held = list(dict.fromkeys(roots))[:64]
    return result


def _call_module(interpreter, node, module, arguments):
    return objects.run_hooks(interpreter, module, arguments,
                             _call_forward(interpreter, node, module, arguments))


def _call_forward(interpreter, node, module, arguments):
    own = module.attributes.get("forward")
    if own is not None:
        return join(*[apply(interpreter, node, f, arguments, {}) for f in options(own)])
    if module.name in torch_names.FREE_NN_MODULES:
        return arguments[0] if arguments else Unknown()
    if module.name == "torch.nn.Sequential" and module.children:
        result = arguments[0] if arguments else Unknown()
        for child in module.children:
            result = join(*[apply(interpreter, node, c, [result], {}) for c in options(child)])
        return result
    interpreter.record("module-call", node, module.name)
    return interpreter.computed()


def remember_capture(graph, tensor):
    graph.made = getattr(graph, "made", [])
    graph.made.append(tensor)


def module_of(value):
    """The torch module of which `value` is a part or method, or None."""
    while isinstance(value, Method):
        value = value.receiver
    return value if isinstance(value, TorchModule) else None


def _call_method(interpreter, node, method, arguments, keywords, scope):
    receiver, name = method.receiver, method.name
    if name == "__setattr__":
        return objects.set_by_call(interpreter, node, receiver, arguments)
    if isinstance(receiver, Tensor):
        return call_tensor_method(interpreter, node, receiver, name, arguments, keywords)
    if isinstance(receiver, String):
        return _call_string_method(receiver, name, arguments, keywords)
    text = values.text_of(arguments[0]) if arguments else None
    if isinstance(receiver, values.Namespace) and name == "get" and text is not None:
        return join(indirect.of_own_module(interpreter, node, text), *arguments[1:])
    if isinstance(receiver, (Sequence, Many, Mapping)):
        return _call_container_method(receiver, name, arguments, keywords)
    if isinstance(receiver, Opened):
        return files.call_file_method(interpreter, node, receiver, name, arguments)
    if isinstance(receiver, files.PathObject):
        return files.call_path_method(interpreter, node, receiver, name, arguments, keywords)
    if isinstance(receiver, formatting.Template):
        return formatting.substitute(receiver, name, arguments, keywords)
    if isinstance(receiver, operators.Library):
        return receiver.call(interpreter, node, name, arguments, keywords)
    if isinstance(receiver, Stream):
        interpreter.record("stream-method", node, name, detail=(receiver, arguments))
        return Unknown()
    if isinstance(receiver, Method) and receiver.name == "graph object":
        if name == "replay":
            interpreter.record("graph-replay", node)
            for tensor in getattr(receiver, "made", []):
                tensor.made_in = interpreter.generation
        return Unknown()
    if isinstance(receiver, Super):
        own = interpreter.method(receiver.instance, "forward")
        if name == "__call__" and isinstance(own, Function):
            return interpreter.call_function(node, own, arguments, keywords)
        if name == "__getattr__" and arguments:
            return receiver.instance.attributes.get(values.text_of(arguments[0])) or Unknown()
        for base in receiver.instance.cls.order():
            if name == "forward" and isinstance(base, Dotted) and \
                    torch_names.is_nn_class(base.name):
                return _call_module(interpreter, node, TorchModule(base.name), arguments)
        return Unknown()
    if isinstance(receiver, TorchModule):
        if name in ("cuda", "to", "eval", "train", "half", "float", "double", "requires_grad_"):
            return receiver
        if name == "compile":
            interpreter.record("torch-compile", node, f"{receiver.name}.compile")
        if name in _HOOKS and arguments:
            return objects.add_hook(receiver, node, name, arguments)
        if name == "forward" or name in torch_names.CALLS_OF_MODULES:
            return _call_module(interpreter, node, receiver, arguments)
    module = module_of(receiver)
    if module is not None:
        # `conv._conv_forward(x, w, b)`, `model.decoder.layers[0](x)`.
        if not name.startswith(_KEEPING) and any(
                values.tensors(a) for a in [*arguments, *keywords.values()]):
            interpreter.record("module-call", node, module.name)
            return interpreter.computed()
        return Unknown()
    if isinstance(receiver, classes.Made):
        return classes.make(interpreter, node, receiver, name, arguments, keywords)
    if isinstance(receiver, Instance):
        if name in ("register_buffer", "register_parameter", "add_module", "register_module") and \
                len(arguments) > 1 and values.text_of(arguments[0]):
            receiver.attributes[values.text_of(arguments[0])] = arguments[1]
        elif name in ("cuda", "to", "eval", "train", "float"):
            return receiver
        elif name == "compile" and receiver.cls.derives_from("torch.nn.Module"):
            interpreter.record("torch-compile", node, f"{receiver.cls.name}.compile")
        elif name in _HOOKS and arguments:
            return objects.add_hook(receiver, node, name, arguments)
        elif name in indirect.SUBMODULES:
            return indirect.submodules(interpreter, node, receiver, name, arguments)
        return Unknown()
    if isinstance(receiver, Class) and name in torch_names.CALLS_OF_MODULES and arguments and \
            isinstance(arguments[0], Instance):
        return apply(interpreter, node, arguments[0], arguments[1:], keywords)
    if isinstance(receiver, Class) and receiver.derives_from("torch.autograd.Function") and \
            name == "apply":
        forward = receiver.find("forward")
        if isinstance(forward, Function):
            context = [] if receiver.find("setup_context") else [Unknown()]
            return interpreter.call_function(node, forward, context + arguments, keywords)
    objects.hand_over(interpreter, node, [*arguments, *keywords.values()])
    return Unknown()


def call_tensor_method(interpreter, node, tensor, name, arguments, keywords):
    if tensor.source == "kernel" and name not in tensor_methods.NAMES and \
            not name.startswith("__"):
        # An object of the extension: its methods may run kernels over what it keeps.
        interpreter.record("extension-call", node, name)
        return _extension_result(interpreter, [tensor, *arguments, *keywords.values()])
    dtypes = [a.name for a in [*arguments, *keywords.values()]
              if isinstance(a, Dotted) and a.name in torch_names.DTYPES]
    narrowed = name in ("half", "bfloat16") or \
        (name in ("to", "type") and any(d in torch_names.HALF_DTYPES for d in dtypes))
    if narrowed:
        if tensor.dtype not in torch_names.HALF_DTYPES:
            interpreter.record("precision", node, name, detail=tensor)
        return Tensor("torch", interpreter.generation, "torch.float16")
    if name in ("float", "to", "type", "cuda", "cpu") and not dtypes or \
            dtypes == [tensor.dtype] and tensor.dtype is not None:
        # Device moves, and conversions to the dtype that the tensor has, change nothing.
        same_dtype = name != "float" or tensor.dtype in ("torch.float32", None)
        if same_dtype and name != "cpu":
            return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name.endswith("_") and not name.endswith("__") and name not in torch_names.FREE_METHODS:
        interpreter.record("tensor-in-place", node, name, detail=tensor)
        give(interpreter, [tensor], sure=True)
    if name in torch_names.LISTS_OF_VIEWS:
        return Many(Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor))
    if name in torch_names.VIEWS:
        return Tensor(tensor.source, tensor.made_in, tensor.dtype, tensor)
    if name in torch_names.ALLOCATIONS:
        dtype = Dotted(tensor.dtype) if tensor.dtype else Unknown()
        return named_calls.allocate(interpreter, name, arguments, {"dtype": dtype, **keywords})
    if name in torch_names.FILLED:
        return Tensor("torch", interpreter.generation, tensor.dtype)
    if name == "size":
        return Size() if arguments else Many(Size())
    if name in ("numel", "nelement", "__len__"):
        return Size()
    if name in ("data_ptr", "untyped_storage", "storage", "__dlpack__", "numpy"):
        return give_pointer(tensor)
    if name == "stride":
        return Number() if arguments else Many(Number())
    if name in ("dim", "ndimension", "element_size", "storage_offset", "get_device"):
        return Number()
    if name == "is_contiguous" or name.startswith("is_"):
        return Unknown()
    if name in torch_names.COPIES:
        interpreter.record("tensor-copy", node, name, detail=tensor)
        return tensor if name.endswith("_") else \
            Tensor("torch", interpreter.generation, dtypes[0] if dtypes else tensor.dtype)
    if indirect.is_special_operator(name):
        interpreter.record("tensor-operator", node, name)
        return interpreter.computed()
    if name in torch_names.FREE_METHODS or name.startswith("__"):
        return Unknown()
    interpreter.record("tensor-method", node, name)
    return interpreter.computed()


def _call_string_method(receiver, name, arguments, keywords):
    text = receiver.text
    known = [values.text_of(a) for a in arguments]
    if name == "replace" and len(arguments) >= 2 and None not in known[:2]:
        return String(text.replace(arguments[0].text, arguments[1].text))
    if name in ("strip", "lstrip", "rstrip") and None not in known:
        return String(text.strip(*known[:1], left=name != "rstrip", right=name != "lstrip"))
    if name == "join" and len(arguments) == 1 and isinstance(arguments[0], Sequence):
        pieces = []
        for i, item in enumerate(arguments[0].items):
            if not isinstance(item, String):
                return Unknown()
            pieces += ([text] if i else []) + [item.text]
        return String(concatenate(pieces))
    if name == "format":
        return formatting.format_string(text, arguments, keywords)
    if name == "format_map" and arguments and isinstance(arguments[0], Mapping):
        return formatting.format_string(text, [], arguments[0].known)
    if name in ("encode", "decode"):
        return receiver
    if name in ("removeprefix", "removesuffix") and known and known[0] is not None:
        left = len(text.value) - len(text.value.removeprefix(known[0]))
        right = len(text.value.removesuffix(known[0]))
        return String(text.slice(left, None) if name == "removeprefix" else text.slice(0, right))
    if name in ("startswith", "endswith", "isdigit") and None not in known and known:
        return Const(getattr(text.value, name)(*known))
    if name in ("lower", "upper") and not arguments:
        changed = getattr(text.value, name)()
        # Some letters become two: the German sharp s in upper case.
        return String(Text(changed, text.origin if len(changed) == len(text.value) else None))
    if name == "split" and not arguments and not keywords:
        words = [m.span() for m in re.finditer(r"\S+", text.value)]
        if len(words) <= folding.MAX_ITEMS:
            return Sequence([String(text.slice(*word)) for word in words])
    if name in ("split", "splitlines"):
        return Many(Unknown())
    return Unknown()


def _call_container_method(receiver, name, arguments, keywords):
    if isinstance(receiver, Sequence) and name in ("append", "appendleft", "insert"):
        receiver.items.append(arguments[-1] if arguments else Unknown())
        return Const(None)
    if isinstance(receiver, Sequence) and name == "extend" and arguments and \
            isinstance(arguments[0], Sequence):
        receiver.items += arguments[0].items
        return Const(None)
    if isinstance(receiver, Sequence) and name in ("pop", "popleft"):
        return join(*receiver.items)
    if isinstance(receiver, Mapping):
        everything = join(*receiver.known.values(), receiver.rest)
        if name in ("get", "pop", "setdefault"):
            text = values.text_of(arguments[0]) if arguments else None
            if name == "setdefault" and len(arguments) > 1:
                receiver.rest = join(receiver.rest, arguments[1])
            found = receiver.known.get(text, receiver.rest) if text is not None else everything
            return join(found, *arguments[1:]) if found is not None else join(*arguments[1:])
        if name in ("keys", "values", "items") and receiver.rest is None:
            pairs = [(String(key), value) for key, value in receiver.known.items()]
            return Sequence([Sequence(pair) if name == "items" else pair[name == "values"]
                             for pair in pairs])
        if name == "values":
            return Many(everything)
        if name == "items":
            return Many(Sequence([Unknown(), everything]))
        if name == "update":
            receiver.known.update({k: v for k, v in keywords.items() if k is not None})
        if name == "update" and arguments and isinstance(arguments[0], Mapping):
            receiver.known.update(arguments[0].known)
            receiver.rest = join(receiver.rest, arguments[0].rest)
    if name in ("numel",):
        return Number()
    return Unknown()
