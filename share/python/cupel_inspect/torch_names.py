"""Which names of torch compute and which do not.

An allow list, as for C++ (docs/checks): whatever is not here and is called on the path from
forward does work that the submission's own kernels should do.
"""

import re

# Functions that allocate, look at metadata, make views or manage the device.
FREE_FUNCTIONS = frozenset("""
    empty empty_like empty_strided empty_permuted zeros zeros_like ones full
    transpose reshape flatten squeeze unsqueeze permute narrow t movedim moveaxis swapaxes
    swapdims view_as_real view_as_complex as_strided unflatten select split chunk unbind
    tensor_split broadcast_to expand_copy numel is_tensor is_floating_point is_complex
    is_contiguous is_grad_enabled is_inference_mode_enabled get_default_dtype device Size
    Generator manual_seed seed initial_seed no_grad enable_grad inference_mode set_grad_enabled
    result_type promote_types finfo iinfo broadcast_shapes _assert typename get_device
    are_deterministic_algorithms_enabled autocast _check _check_is_size _check_value
""".split())

# Whole modules whose functions do no tensor work.
FREE_MODULES = (
    "torch.cuda.", "torch.utils.", "torch.version.", "torch.backends.", "torch.random.",
    "torch.autograd.grad_mode.", "torch.autograd.profiler.", "torch.profiler.", "torch._C.",
    "torch.jit.", "torch.types.", "torch.library.", "torch._dynamo.", "torch.compiler.",
    "torch.fx.", "torch.amp.", "torch.autograd.function.", "torch.autograd.gradcheck",
    "torch.autograd.set_", "torch.autograd.graph.", "torch.nn.attention.", "torch.testing.",
    "torch.distributed.get_", "torch.distributed.is_", "torch.hub.", "torch.multiprocessing.",
    "torch.overrides.", "torch._logging.", "torch._utils.", "torch.accelerator.", "torch.cpu.",
)

# Whoever calls or builds with these has torch make the kernels.
COMPILERS = (
    "torch.compile", "torch.jit.script", "torch.jit.trace", "torch.jit.load", "torch.export.",
    "torch.fx.symbolic_trace", "torch.jit.CompilationUnit", "torch.jit.freeze",
    "torch.jit.optimize_for_inference", "torch._dynamo.optimize", "torch._inductor.",
    "torch.onnx.", "torch.package.",
)


# A class of these takes part in every call of torch.
MODES = ("torch.utils._python_dispatch.TorchDispatchMode", "torch.overrides.TorchFunctionMode")


def compiles(name):
    return name in COMPILERS or name.startswith(tuple(c for c in COMPILERS if c.endswith(".")))

# A copy or fill that torch makes: worth a warning, as in C++.
COPIES = frozenset("clone copy_ item to type float double int long cpu zero_ fill_ type_as".split())

FREE_METHODS = frozenset("""
    data_ptr size stride numel nelement dim ndimension element_size storage_offset is_contiguous
    contiguous view reshape transpose t permute unsqueeze squeeze flatten unflatten expand
    expand_as view_as reshape_as slice narrow select detach detach_ requires_grad_ movedim
    moveaxis swapaxes swapdims chunk split tensor_split unbind as_strided unfold
    new_empty new_empty_strided new_zeros new_ones new_full cuda record_stream get_device
    untyped_storage storage is_floating_point is_complex is_pinned pin_memory
    transpose_ unsqueeze_ squeeze_ resize_ t_ set_ is_shared is_set_to has_names
    is_signed is_same_size data __len__ tolist diagonal
""".split())

VIEWS = frozenset("""
    contiguous view reshape transpose t permute unsqueeze squeeze flatten unflatten expand
    expand_as view_as reshape_as slice narrow select detach detach_ requires_grad_ movedim
    moveaxis swapaxes swapdims as_strided unfold cuda transpose_ unsqueeze_ squeeze_ resize_ t_
    diagonal broadcast_to
""".split())

LISTS_OF_VIEWS = frozenset("chunk split tensor_split unbind".split())

ALLOCATIONS = frozenset("""
    empty empty_like empty_strided empty_permuted new_empty new_empty_strided
""".split())

FILLED = frozenset("zeros zeros_like ones full new_zeros new_ones new_full".split())

# Modules of torch.nn that change no value in the way KernelBench runs them.
FREE_NN_MODULES = frozenset("torch.nn.Identity torch.nn.Flatten torch.nn.Unflatten".split())

# Methods of a torch.nn module that call it.
CALLS_OF_MODULES = frozenset("__call__ _call_impl _wrapped_call_impl".split())

# Attributes of a torch.nn module that are tensors.
PARAMETER_NAME = re.compile(
    r"(.*_)?(weight|bias|running_mean|running_var)(_[gv]|_[ih]h_l\d+(_reverse)?)?$")

HALF_DTYPES = frozenset("""
    torch.float16 torch.half torch.bfloat16 torch.float8_e4m3fn torch.float8_e5m2
""".split())

DTYPES = frozenset("""
    torch.float32 torch.float torch.float64 torch.double torch.float16 torch.half torch.bfloat16
    torch.float8_e4m3fn torch.float8_e5m2 torch.int8 torch.uint8 torch.int16 torch.short torch.int32
    torch.int torch.int64 torch.long torch.bool torch.complex64 torch.complex128
""".split())

_SHORT_DTYPES = {"torch.float": "torch.float32", "torch.double": "torch.float64",
                 "torch.half": "torch.float16", "torch.short": "torch.int16",
                 "torch.int": "torch.int32", "torch.long": "torch.int64"}


def dtype(name):
    """One spelling for each."""
    return _SHORT_DTYPES.get(name, name)


# Other libraries that compute with tensors. What else is given a tensor may be a helper of the
# suite's, or an extension that was built before.
_LIBRARIES = re.compile(
    r"(numpy|scipy|einops\.(einsum|reduce|layers)|opt_einsum|torchvision|torchaudio|torchao"
    r"|xformers|flash_attn\w*|flashinfer|apex|transformers|timm|kornia|transformer_engine"
    r"|torch_scatter|torch_sparse|mamba_ssm|causal_conv1d|fla|liger_kernel|vllm|sgl_kernel"
    r"|deep_gemm|bitsandbytes|onnxruntime|tensorrt|jax|tensorflow|sklearn|cuml|cudnn|nvmath)\b")
_CONVERSIONS = ("numpy.array", "numpy.asarray", "numpy.ascontiguousarray")


def is_library(name):
    return _LIBRARIES.match(name) is not None and name not in _CONVERSIONS


# Of an argument, which then has the dtype that it is compared with.
ASKED_DTYPE = "torch.(as asked)"

# Kernel languages that cupel does not judge.
OTHER_LANGUAGES = frozenset("triton cupy tilelang numba cutlass pycuda cuda taichi warp".split())


def is_torch(name):
    return name == "torch" or name.startswith("torch.")


_SPELLINGS = tuple(
    [("torch.nn.modules.activation.", "torch.nn."), ("torch._C._nn.", "torch.nn.functional."),
     ("torch._C._VariableFunctions.", "torch."), ("torch._VF.", "torch."),
     ("torch._C._TensorBase.", "torch.Tensor."), ("torch._C.TensorBase.", "torch.Tensor.")] +
    [(f"torch._C._{part}.{part}_", f"torch.{part}.")
     for part in ("linalg", "fft", "special", "sparse", "nested")])


_OVERLOAD = re.compile(r"(torch\.ops\.\w+\.\w+)\.\w+")


def normalize(name):
    """One spelling for names that torch exports twice, and for the overloads of an operator."""
    overload = _OVERLOAD.fullmatch(name)
    if overload:
        return overload[1]
    for long, short in _SPELLINGS:
        if name.startswith(long):
            return short + name[len(long):]
    return name


def is_nn_class(name):
    """`torch.nn.Conv2d` and kin: a class of torch.nn or torchvision's models."""
    last = name.rsplit(".", 1)[-1]
    return (name.startswith("torch.nn.") and not name.startswith("torch.nn.functional.")
            and not name.startswith("torch.nn.init.") and last[:1].isupper()
            and last not in ("Parameter", "Module", "UninitializedParameter", "Buffer",
                             "ParameterList", "ParameterDict"))


def computes(name):
    """Whether calling the function `name` of torch does tensor work."""
    if not is_torch(name) or name in DTYPES:
        return False
    owner, _, last = name.rpartition(".")
    if owner == "torch" or owner.startswith("torch._") and not name.startswith(FREE_MODULES):
        # An underscore before it is no other function: torch._scaled_mm, torch._foreach_add.
        bare = last.lstrip("_")
        return last not in FREE_FUNCTIONS and bare[:1].islower() and \
            not bare.startswith(("is_", "get_", "set_default_"))
    if name.startswith(FREE_MODULES) or name.startswith("torch.nn.init."):
        return False
    return last not in FREE_METHODS | COPIES and last[:1].islower()
