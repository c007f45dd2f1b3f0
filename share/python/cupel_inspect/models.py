"""Which class ModelNew is, what it is made with and called with."""

import ast

from . import calls, classes, findings, objects, torch_names, values
from .values import Class, Const, Dotted, Function, Instance, Number, Tensor, TorchModule, Unknown


class Ran:
    """A class that ModelNew may be, what a call of its object calls, None when that is torch's, and
    whether that reached a kernel."""

    def __init__(self, cls, forward, calls_kernel):
        self.cls = cls
        self.forward = forward
        self.calls_kernel = calls_kernel


def run(interpreter):
    """Module level; then, of each class that ModelNew may be, the constructor, two calls of forward
    and the destructor. Returns a list of Ran."""
    interpreter.run_module()
    names = interpreter.scope.names
    # KernelBench wants ModelNew; suites made after it, as kernelbench.com's, want Model.
    name = "ModelNew" if "ModelNew" in names else "Model"
    ran = []
    for cls, instance in _made(interpreter, name, names.get(name)):
        # A __call__ of the file's own replaces the one of nn.Module that calls forward.
        forward = interpreter.method(instance, "__call__") or \
            interpreter.method(instance, "forward")
        # nn.Module's own forward only raises: whoever runs this class calls something else.
        if isinstance(forward, Function) and findings.only_raises(forward.node) or \
                forward is None and all(b.name == "torch.nn.Module" for b in cls.order()
                                        if isinstance(b, Dotted)):
            continue
        begin = len(interpreter.events)
        _call(interpreter, cls, instance, forward)
        ran.append(Ran(cls, forward, any(e.kind == "extension-call" and e.phase == "forward"
                                         for e in interpreter.events[begin:])))
    return ran


def _made(interpreter, name, value):
    """The classes that the value of `name` may be or make an object of, each with one."""
    interpreter.phase = "init"
    found = []
    for option in values.options(value) if value is not None else []:
        if isinstance(option, Class):
            given = _constructor_arguments(option.find("__init__"), bound=True)
            made = interpreter.construct(option.node, option, given, {})
            instance = next((o for o in values.options(made) if isinstance(o, Instance)), None)
            found.append((option, instance or interpreter.instantiate(option.node, option, given,
                                                                      {})))
            continue
        node = _binding(interpreter.tree, name)
        if isinstance(option, (Function, values.Partial)):
            given = _constructor_arguments(option, bound=False)
            option = calls.apply(interpreter, node, option, given, {})
        for made in values.options(option):
            if isinstance(made, Instance):
                found.append((made.cls, made))
            elif isinstance(made, (Dotted, TorchModule)) and torch_names.is_nn_class(made.name):
                cls = Class(name, [Dotted(made.name)], {}, node)
                found.append((cls, Instance(cls)))
    return list({id(cls): (cls, instance) for cls, instance in found}.values())


def _constructor_arguments(function, bound):
    if not isinstance(function, Function):
        return []
    parameters = function.node.args
    return [Unknown()] * (len(parameters.posonlyargs + parameters.args) - bound)


def _binding(tree, name):
    """The last statement that gives `name` its value; the file where none is seen to."""
    found = [n for n in ast.walk(tree)
             if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) or
             isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name or
             isinstance(n, ast.alias) and (n.asname or n.name) == name]
    return max(found or tree.body[:1], key=lambda n: n.lineno)


def _call(interpreter, cls, instance, forward):
    for generation in (1, 2):
        interpreter.phase, interpreter.generation = "forward", generation
        classes.look_up_forward(interpreter, cls, instance)
        for option in values.options(forward) if forward is not None else []:
            given = _forward_arguments(interpreter, option)
            node = interpreter.judged = option.node if isinstance(option, Function) else cls.node
            result = calls.apply(interpreter, node, option, given, {})
            if not isinstance(option, Function):
                interpreter.record("return", node, detail=result)
            objects.run_hooks(interpreter, instance, _forward_arguments(interpreter, option),
                              result)
        if forward is None and any(isinstance(b, Dotted) and torch_names.is_nn_class(b.name)
                                   for b in cls.order()):
            interpreter.record("module-call", cls.node, cls.order()[-1].name)
    interpreter.phase = "destructor"
    destructor = interpreter.method(instance, "__del__")
    if isinstance(destructor, Function):
        interpreter.call_function(destructor.node, destructor, [], {})


def _forward_arguments(interpreter, forward):
    """Abstract arguments of forward: tensors, but for those that are declared as numbers and those
    whose default says that they are something else."""
    inputs = interpreter.inputs
    if not isinstance(forward, Function):
        return [Tensor("input", dtype=inputs.dtype(0))]
    parameters = forward.node.args
    names = parameters.posonlyargs + parameters.args
    defaults = dict(zip([a.arg for a in reversed(names)], reversed(parameters.defaults)))
    arguments = []
    for index, argument in enumerate(names[forward.receiver is not None:]):
        note = ast.unparse(argument.annotation) if argument.annotation else ""
        tensor = Tensor("input", dtype=inputs.dtype(index))
        default = None
        if argument.arg in defaults and not inputs.gives(index):
            default = interpreter.default(forward, argument.arg, defaults[argument.arg])
        if note.split("[")[0] in ("int", "float", "bool", "str", "Optional[int]") or \
                inputs.dtype(index) is None:
            arguments.append(Number())
        elif any(note.startswith(p) for p in ("list", "List", "tuple", "Tuple", "Sequence")):
            arguments.append(values.Many(tensor))
        else:
            arguments.append(_argument(tensor, default))
    return arguments


def _argument(tensor, default):
    """What a parameter is that has this default, unless the caller gives it a tensor."""
    if default is None:
        return tensor
    if isinstance(default, Const) and default.value is None:
        return values.join(default, tensor)
    # A number or a string is what the problem gives in its place, whatever its value.
    return Unknown() if isinstance(default, (Const, values.String)) else default
