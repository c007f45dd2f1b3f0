"""What a call of an imported or builtin name gives: torch's functions, the standard library's."""

import base64
import binascii
import zlib

from . import (calls, classes, extensions, files, folding, formatting, indirect, objects,
               operators, torch_names, values)
from .text import MAX_TEXT, Text
from .values import (Class, Const, Dotted, EmptyTest, Extension, ExtensionFunction, Function,
                     Instance, Many, Mapping, Method, Number, Partial, Sequence, Setting, Size,
                     Stream, String, Super, Tensor, TorchModule, Unknown, is_tensor, join, options)

_PURE_DECODERS = {
    "base64.b64decode": base64.b64decode, "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode, "base64.b32decode": base64.b32decode,
    "base64.b16decode": base64.b16decode, "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "binascii.unhexlify": binascii.unhexlify, "binascii.a2b_base64": binascii.a2b_base64,
    # One byte more than is taken, so that a bomb is seen and not unpacked.
    "zlib.decompress": lambda data: zlib.decompressobj().decompress(data, MAX_TEXT + 1),
}

# Of torch: they call their first argument with the others.
_APPLIERS = ("torch.utils.checkpoint.checkpoint", "torch.jit.fork")

_NUMBER_BUILTINS = frozenset("len int float abs round max min sum pow divmod ord hash id".split())


def call_dotted(interpreter, node, name, arguments, keywords, scope):
    name = torch_names.normalize(name)
    made = objects.make(interpreter, node, name, arguments, keywords)
    if made is not None:
        return made
    if name.endswith(".__setattr__"):
        return objects.set_by_call(interpreter, node, Dotted(name.rpartition(".")[0]), arguments)
    if name.startswith("builtins."):
        return _call_builtin(interpreter, node, name[9:], arguments, keywords, scope)
    if extensions.is_builder(name):
        return extensions.build(interpreter, node, name, arguments, keywords)
    if name == "functools.cached_property":
        return _call_builtin(interpreter, node, "property", arguments, keywords, scope)
    if name in ("functools.partial", "functools.partialmethod") and arguments:
        return Partial(arguments[0], arguments[1:], keywords, name.endswith("method"))
    if name == "types.new_class" and arguments:
        return classes.make_by_body(interpreter, node, arguments, keywords)
    if name == "functools.reduce" and len(arguments) > 1:
        return indirect.reduce(interpreter, node, arguments)
    if name.startswith(("operator.", "_operator.")):
        return indirect.call_operator_module(interpreter, node, name, arguments, keywords)
    if name in ("textwrap.dedent", "inspect.cleandoc") and arguments and \
            isinstance(arguments[0], String):
        return String(arguments[0].text.dedent())
    if name == "re.sub" and not keywords:
        return formatting.substitute_pattern(arguments)
    if name == "string.Template" and arguments and isinstance(arguments[0], String):
        return formatting.Template(arguments[0].text)
    if name in ("io.open", "codecs.open"):
        return files.open_file(interpreter, node, arguments, keywords)
    if name in _PURE_DECODERS and arguments:
        return _decode_packed(interpreter, node, name, arguments[0])
    owner, _, last = name.rpartition(".")
    if owner.endswith(".__dict__") and last in ("update", "setdefault", "pop", "__setitem__"):
        interpreter.record("patch", node, owner.removesuffix(".__dict__"))
    if name.startswith(("unittest.mock.patch", "mock.patch")):
        interpreter.record("patch", node, name)
    if name.startswith("atexit.register") and arguments:
        return _at_exit(interpreter, node, arguments, keywords)
    if name in ("os.environ.setdefault", "os.putenv") and len(arguments) > 1:
        extensions.set_variable(interpreter, node, *arguments[:2])
    if name == "os.environ.update" and arguments and isinstance(arguments[0], Mapping):
        for key, value in {**arguments[0].known, **keywords}.items():
            extensions.set_variable(interpreter, node, String(key or ""), value)
    if name == "importlib.util.find_spec" and arguments and \
            all(isinstance(o, String) for o in options(arguments[0])):
        return _find_module(interpreter, node, arguments[0])
    if name == "weakref.finalize" and len(arguments) > 1:
        return _at_exit(interpreter, node, arguments[1:], keywords)
    if torch_names.is_torch(name):
        return _call_torch(interpreter, node, name, arguments, keywords)
    if torch_names.is_library(name):
        given = any(values.reachable(a) for a in [*arguments, *keywords.values()])
        if given and not name.rpartition(".")[2][:1].isupper():
            interpreter.record("torch-call", node, name)
            return interpreter.computed()
        # It may have made a module.
        return Unknown() if given or name.startswith(("numpy.", "scipy.")) else TorchModule(name)
    interpreter.record("call", node, name, detail=arguments)
    objects.hand_over(interpreter, node, [*arguments, *keywords.values()])
    return files.call_function(interpreter, node, name, arguments, keywords)


def _find_module(interpreter, node, name):
    """Whether a module is there and where; what loads it is called by the name returned."""
    for option in options(name):
        interpreter.record("import", node, option.text.value)
    return join(Dotted("importlib.util.find_spec()"), Const(None))


def _at_exit(interpreter, node, arguments, keywords):
    """Runs what is registered for the end of the process; cleaning up is no finding there."""
    phase, interpreter.phase = interpreter.phase, "exit"
    for function in options(arguments[0]):
        calls.apply(interpreter, node, function, arguments[1:], keywords)
    interpreter.phase = phase
    return arguments[0]


def _decode_packed(interpreter, node, name, argument):
    interpreter.record("decoded-source", node, name)
    packed = formatting.plain(argument)
    if packed is None:
        return Unknown()
    try:
        data = _PURE_DECODERS[name](packed if isinstance(packed, bytes) else packed.encode())
    except (ValueError, zlib.error, TypeError, AttributeError):
        return Unknown()
    if len(data) > MAX_TEXT:
        return Unknown()
    try:
        # Every character comes from the call: the packed text has no lines to point at.
        begin = interpreter.file.offset(node.lineno, node.col_offset)
        text = data.decode()
        return String(Text(text, [begin] * len(text)))
    except UnicodeDecodeError:
        return Const(data)


def _call_builtin(interpreter, node, name, arguments, keywords, scope):
    if name == "str" and arguments:
        known = formatting.plain(arguments[0])
        if isinstance(arguments[0], String):
            return arguments[0]
        if files.text_of_path(arguments[0]) is not None:
            return files.text_of_path(arguments[0])
        try:
            return String(Text(str(known))) if known is not None else Unknown()
        except ValueError:  # Python prints no integer of more than 4,300 digits.
            return Unknown()
    if name in objects.BUILTINS and arguments:
        own = objects.special(interpreter, node, arguments[0], name)
        if own is not None:
            return own
    if name == "print":
        files.print_to(interpreter, arguments, keywords)
        return Const(None)
    if name == "super":
        if arguments and isinstance(arguments[0], Class) and len(arguments) > 1:
            maker = classes.maker_of(interpreter, arguments[0])
            if maker is not None:
                return maker
            return Super(arguments[1], arguments[0]) if isinstance(arguments[1], Instance) \
                else Unknown()
        return interpreter.super_of(scope)
    if name in ("getattr", "hasattr") and len(arguments) >= 2:
        return _getattr(interpreter, node, name, arguments)
    if name == "setattr" and len(arguments) == 3:
        text = values.text_of(arguments[1])
        interpreter.set_attribute(node, arguments[0], text if text is not None else "?",
                                  arguments[2])
        return Const(None)
    if name in ("exec", "eval", "compile"):
        interpreter.record("exec", node, name)
        return Unknown()
    if name == "__import__" and arguments:
        text = values.text_of(arguments[0])
        interpreter.record("dynamic-import", node, text or "?")
        return Dotted(text) if text else Unknown()
    if name == "type.__new__" and interpreter.making:
        return classes.make(interpreter, node, classes.Made(interpreter.making[-1]), "__new__",
                            arguments, keywords)
    if name == "type" and len(arguments) == 1:
        return join(*[o.cls if isinstance(o, Instance) else Dotted(o.name)
                      if isinstance(o, TorchModule) else Dotted("torch.Tensor")
                      if isinstance(o, Tensor) else Unknown() for o in options(arguments[0])])
    if name == "type" and len(arguments) == 3:
        return classes.make_from_type(node, arguments)
    if name == "open":
        return files.open_file(interpreter, node, arguments, keywords)
    if name in ("exit", "quit"):
        interpreter.record("exit", node, name)
        return Unknown()
    if name in ("sorted", "max", "min", "filter") and arguments:
        test = arguments[0] if name == "filter" else keywords.get("key", Unknown())
        item = join(*[interpreter.item_of(node, a) if not is_tensor(a) else a for a in arguments])
        for option in options(test):
            if not isinstance(option, Unknown):
                calls.apply(interpreter, node, option, [item], {})
    if name in ("list", "tuple") and arguments and values.known_items(arguments[0]):
        return Sequence(values.known_items(arguments[0]))
    if name in ("enumerate", "zip") and arguments and \
            None not in (known := [values.known_items(a) for a in arguments]):
        if name == "enumerate":
            known.insert(0, [Const(i) for i in range(len(known[0]))])
        return Sequence([Sequence(items) for items in zip(*known)])
    if name == "reversed" and arguments:
        turned = formatting.reverse(arguments[0])
        if turned is not None:
            return turned
    if name in ("list", "tuple", "set", "sorted", "reversed", "iter", "frozenset"):
        return arguments[0] if arguments and isinstance(arguments[0], (Sequence, Many)) \
            else Sequence([]) if not arguments else Many(interpreter.item_of(node, arguments[0]))
    if name in ("enumerate", "zip") and arguments:
        items = [interpreter.item_of(node, a) for a in arguments]
        return Many(Sequence(([Number()] if name == "enumerate" else []) + items))
    if name == "map" and len(arguments) > 1:
        items = [interpreter.item_of(node, a) for a in arguments[1:]]
        return Many(join(*[calls.apply(interpreter, node, f, items, {})
                           for f in options(arguments[0])]))
    if name == "range":
        bounds = [formatting.plain(a) for a in arguments]
        if bounds and all(isinstance(b, int) for b in bounds) and 0 not in bounds[2:]:
            return values.Range(range(*bounds))
        return Many(Number())
    if name == "len" and arguments and isinstance(arguments[0], Sequence):
        return Const(len(arguments[0].items))
    if name == "len" and arguments and is_tensor(arguments[0]):
        return Size()
    if name in ("any", "all") and arguments and isinstance(arguments[0], Many) and \
            isinstance(arguments[0].item, EmptyTest) and \
            arguments[0].item.when_empty == (name == "any"):
        return arguments[0].item
    if name == "isinstance" and len(arguments) == 2:
        same = all(isinstance(a, (TorchModule, Dotted)) for a in arguments) and \
            arguments[1].name in (arguments[0].name, "torch.nn.Module")
        return Const(True) if same else Unknown()
    if name in ("sum", "max", "min", "abs", "pow") and \
            any(values.tensors(a) for a in arguments):
        interpreter.record("tensor-operator", node, name + "() over tensors")
        return interpreter.computed()
    if name in ("int", "float") and arguments and isinstance(arguments[0], Const) and \
            isinstance(arguments[0].value, (int, float)):
        return Const({"int": int, "float": float}[name](arguments[0].value))
    if name in ("int", "min", "max", "abs", "round") and arguments and \
            all(isinstance(interpreter.item_of(node, a) if isinstance(a, Many) else a, Size)
                for a in arguments):
        return Size()
    if name in _NUMBER_BUILTINS:
        return Number()
    if name in ("next",) and arguments:
        return interpreter.item_of(node, arguments[0])
    if name == "vars" and arguments:
        return join(*[indirect.namespace(o) for o in options(arguments[0])])
    if name == "property" and arguments and isinstance(arguments[0], Function):
        return arguments[0].as_property()
    if name in ("staticmethod", "classmethod") and arguments:
        return join(*[o.unbound() if isinstance(o, Function) and name == "staticmethod" else o
                      for o in options(arguments[0])])
    if name in ("globals", "locals", "vars"):
        at_module = name == "globals" or not interpreter.stack
        return values.Namespace(interpreter.scope.module().names) if at_module else Unknown()
    return Unknown()


def _getattr(interpreter, node, name, arguments):
    text = values.text_of(arguments[1])
    found = []
    for owner in options(arguments[0]):
        if text is None:
            if isinstance(owner, (Dotted, Tensor)):
                interpreter.record("dynamic-name", node, getattr(owner, "name", "a tensor"))
            # Whichever it is, it is a function of the extension.
            found.append(ExtensionFunction(owner, "?") if isinstance(owner, Extension)
                         else Unknown())
        elif name == "hasattr":
            found.append(Unknown())
        else:
            found.append(calls.attribute(interpreter, node, owner, text))
    return join(*found, *arguments[2:]) if name == "getattr" else Unknown()


def _call_torch(interpreter, node, name, arguments, keywords):
    owner, _, last = name.rpartition(".")
    if (last == "forward" or last in torch_names.CALLS_OF_MODULES) and arguments and \
            (torch_names.is_nn_class(owner) or owner == "torch.nn.Module"):
        return join(*[calls.apply(interpreter, node, o, arguments[1:], keywords)
                      for o in options(arguments[0])])
    if name in ("torch.cuda.is_available",):
        return Const(True)
    if name.startswith("torch.Tensor.") and arguments and is_tensor(arguments[0]):
        return join(*[calls.call_tensor_method(interpreter, node, t, last, arguments[1:], keywords)
                      for t in values.tensors(arguments[0])])
    if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"):
        given = [t.dtype for a in arguments[:1] for t in values.tensors(a)]
        return Tensor("weight", dtype=given[0] if given and given[0] else "torch.float32")
    if name in ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.ParameterList"):
        return arguments[0] if arguments else Sequence([])
    if name in ("torch.Tensor._make_subclass", "torch.Tensor._make_wrapper_subclass") and \
            arguments and isinstance(arguments[0], Class):
        return Instance(arguments[0])
    if name == "torch.nn.Module":
        return objects.bag(node, "Module", {}, name)
    if name.startswith("torch.nn.modules.module.register_module_") and "hook" in name:
        interpreter.record("override", node, name)
        return Unknown()
    if name in _APPLIERS and arguments:
        return join(*[calls.apply(interpreter, node, f, arguments[1:], {})
                      for f in options(arguments[0])])
    if torch_names.is_nn_class(name):
        return TorchModule(name, [c for a in arguments for c in _children(a)]
                           if name == "torch.nn.Sequential" else [])
    if name in ("torch.cuda.Stream", "torch.cuda.ExternalStream", "torch.Stream"):
        interpreter.record("stream-made", node)
        return Stream(own=True)
    if name in ("torch.cuda.current_stream", "torch.cuda.default_stream"):
        return Stream(own=False)
    if name in ("torch.cuda.stream", "torch.cuda.StreamContext") and arguments:
        return Method(arguments[0], "stream scope")
    if name in ("torch.cuda.graph",) and arguments:
        return Method(arguments[0], "cuda graph")
    if name == "torch.cuda.CUDAGraph":
        interpreter.record("graph-made", node)
        return Method(Unknown(), "graph object")
    if name in ("torch.cuda.make_graphed_callables",):
        interpreter.record("graph-made", node)
        return arguments[0] if arguments else Unknown()
    if torch_names.compiles(name):
        interpreter.record("torch-compile", node, name)
        return TorchModule(name)
    if name in ("torch.load", "torch.hub.load", "torch.from_file"):
        interpreter.record("file-read", node, name)
        return Tensor("torch", interpreter.generation)
    if name in ("torch.set_float32_matmul_precision", "torch.use_deterministic_algorithms",
                "torch.backends.cuda.enable_flash_sdp"):
        interpreter.record("torch-setting", node, name, detail=arguments)
        return Unknown()
    if name == "torch.get_float32_matmul_precision":
        return Setting("torch.set_float32_matmul_precision")
    if name.startswith("torch.ops.load"):
        interpreter.record("library-load", node, name)
        return Unknown()
    if name.startswith("torch.library."):
        return operators.call_library(interpreter, node, last, arguments, keywords)
    registered = operators.registered(interpreter, name)
    if registered is not None:
        return join(*[calls.apply(interpreter, node, f, arguments, keywords)
                      for f in options(registered)])
    if name.startswith("torch.ops.") and not name.startswith(("torch.ops.aten.", "torch.ops.prim",
                                                              "torch.ops.torchvision.")):
        # An operator that a TORCH_LIBRARY of the file registers.
        return _call_registered_operator(interpreter, node, last, arguments, keywords)
    if last in torch_names.ALLOCATIONS:
        return allocate(interpreter, last, arguments, keywords)
    if last in torch_names.FILLED:
        return Tensor("torch", interpreter.generation)
    if last in torch_names.LISTS_OF_VIEWS and arguments:
        return Many(interpreter.item_of(node, arguments[0]))
    if last in torch_names.VIEWS and arguments and is_tensor(arguments[0]):
        return arguments[0]
    if "out" in keywords:
        calls.give(interpreter, [keywords["out"]], sure=True)
    elif torch_names.computes(name) and name.endswith("_"):
        calls.give(interpreter, arguments, sure=True)
    if torch_names.computes(name):
        interpreter.record("torch-call", node, name)
        return interpreter.computed()
    return Unknown()


def _children(argument):
    """The modules in an argument of nn.Sequential."""
    if isinstance(argument, Mapping):
        return argument.known.values()
    return [argument.item] if isinstance(argument, Many) else [argument]


def allocate(interpreter, name, arguments, keywords):
    dtype = keywords.get("dtype")
    like = [t.dtype for a in arguments[:1] for t in values.tensors(a)] if "like" in name else []
    made = Tensor("empty", interpreter.generation,
                  dtype.name if isinstance(dtype, Dotted) else like[0] if like
                  else "torch.float32" if dtype is None else None)
    sizes = arguments[0].items if arguments and isinstance(arguments[0], Sequence) else arguments
    made.for_empty = any(isinstance(s, Const) and s.value == 0 for s in sizes)
    return made


def _call_registered_operator(interpreter, node, name, arguments, keywords):
    record = interpreter.extensions[-1] if interpreter.extensions else None
    return calls.call_extension(interpreter, node, ExtensionFunction(Extension(record), name),
                           arguments, keywords)
