#!/usr/bin/env python3
"""Compiles a problem's reference with torch's compiler into a package that C++ loads (AOTInductor).

Reads one JSON object from standard input:
    source      TorchScript text of the reference; TorchScript is a part of Python, so it runs here as it is
    inputs      [{name, dtype, shape} or {name, value}] in the order of forward's arguments
    parameters  [{name, dtype, shape}]
    autotune    whether to search for the fastest kernels ("max-autotune" without CUDA graphs)
    tf32        whether float32 products may be computed in TF32
    device      `cuda` or `cpu`
    package     the file to write
and writes it. What goes wrong ends in a traceback and exit status 1.

The package's arguments are all tensors, inputs first, then parameters: torch.compile does not bake weights in
either. Numbers are constants.
"""

import json
import math
import sys
import typing

import torch


class ScriptNamespace:
    """What `torch` is in TorchScript: torch's own names, and every operator of ATen."""

    def __getattr__(self, name):
        # torch._C._nn takes one number for a list of sizes, as TorchScript does; torch.ops.aten does not.
        for place in (torch, torch._C._nn, torch.ops.aten):
            if hasattr(place, name):
                return getattr(place, name)
        raise AttributeError(f"neither torch nor ATen has '{name}'")


def functions_of(source):
    names = {"torch": ScriptNamespace(), "Tensor": torch.Tensor, "math": math}
    names |= {name: getattr(typing, name) for name in ("Dict", "List", "Optional", "Tuple", "Union")}
    before = set(names)
    exec(compile(source, "reference", "exec"), names)  # The judge runs the same text.
    return {name: value for name, value in names.items() if name not in before and callable(value)}


class Reference(torch.nn.Module):
    """forward() takes the tensors alone; the numbers are known."""

    def __init__(self, request):
        super().__init__()
        self.inputs = request["inputs"]
        self.names = [entry["name"] for entry in request["parameters"]]
        self.owner = type("Owner", (), functions_of(request["source"]))

    def forward(self, *tensors):
        values = iter(tensors)
        arguments = [entry["value"] if "value" in entry else next(values) for entry in self.inputs]
        owner = self.owner()
        for name in self.names:
            setattr(owner, name, next(values))
        return owner.forward(*arguments)


def example(entry, device):
    dtype = getattr(torch, entry["dtype"])
    if dtype.is_floating_point:
        return torch.randn(entry["shape"], device=device).to(dtype)
    return torch.zeros(entry["shape"], dtype=dtype, device=device)


def main():
    request = json.load(sys.stdin)
    if request["tf32"]:
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.allow_tf32 = True
    entries = request["inputs"] + request["parameters"]
    tensors = tuple(example(entry, request["device"]) for entry in entries if "dtype" in entry)
    with torch.no_grad():
        program = torch.export.export(Reference(request), tensors, strict=False)
        options = {}
        if request["autotune"]:
            options = torch._inductor.list_mode_options("max-autotune-no-cudagraphs")
        torch._inductor.aoti_compile_and_package(program, package_path=request["package"], inductor_configs=options)


if __name__ == "__main__":
    main()
