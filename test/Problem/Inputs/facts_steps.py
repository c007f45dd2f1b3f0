#!/usr/bin/env python3
"""facts_steps.py CUPEL_SOURCE [PROBLEM]...: each reference against the steps that problems/facts.json has for it.

The steps name operators, attributes and order; here they are computed, in fp64, from the same values as the reference, at
the sizes of the case `ragged`: every attribute, sign and constant that can matter does. On torch's meta device they give the
shape of the output at benchmark size. Prints one line for a difference, and how many problems were compared.
"""

import importlib.util
import json
import pathlib
import sys

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(sys.argv[1])


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / "utils" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


attack = load("attack-problems")

SAME = {name: getattr(torch, name) for name in (
    "matmul bmm add sub mul div pow sqrt abs log einsum unsqueeze squeeze transpose triu tril relu sigmoid tanh selu "
    "softmax log_softmax cumsum cumprod flip select cat zeros_like argmax argmin logsumexp minimum clamp reshape "
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d").split()}
SAME |= {name: getattr(F, name) for name in (
    "leaky_relu gelu hardsigmoid softplus elu hardtanh hardswish mish linear cross_entropy kl_div").split()}


def reduced(function):
    def call(x, dim=None, keepdim=False):
        return function(x) if dim is None else function(x, dim=dim, keepdim=keepdim)
    return call


def pooled(function):
    return lambda x, kernel, **attributes: function(x, kernel, **attributes)


def group_norm(x, weight, bias, num_groups, eps):
    return F.group_norm(x, num_groups, weight, bias, eps)


def batch_norm(x, weight, bias, training, momentum, eps):
    return F.batch_norm(x, None, None, weight, bias, training, momentum, eps)


def triplet_margin(a, p, n, margin, norm_p, eps, swap, reduction):
    return F.triplet_margin_loss(a, p, n, margin=margin, p=norm_p, eps=eps, swap=swap, reduction=reduction)


OPERATORS = SAME | {
    "true": True, "false": False, "null": None, "inf": float("inf"),
    "dim": lambda t, i: t.size(i),
    "shape": lambda t: list(t.shape),
    "sum": reduced(torch.sum), "mean": reduced(torch.mean),
    "reduce_max": torch.amax, "reduce_min": torch.amin,
    "norm": lambda x, p, dim, keepdim: torch.linalg.vector_norm(x, p, dim, keepdim),
    "group_norm": group_norm, "batch_norm": batch_norm, "triplet_margin": triplet_margin,
    "instance_norm": lambda x, eps: F.instance_norm(x, eps=eps),
    "layer_norm": lambda x, weight, bias, normalized_shape, eps: F.layer_norm(x, normalized_shape, weight, bias, eps),
    "smooth_l1": F.smooth_l1_loss,
    "sdpa": lambda q, k, v, scale, causal, dropout_p: torch.softmax(q @ k.transpose(-1, -2) * scale, -1) @ v,
    "slice": lambda x, dim, start, end: x.narrow(dim, start, x.size(dim) + end - start),
    "adaptive_avg_pool2d": lambda x, output: F.adaptive_avg_pool2d(x, output),
    "adaptive_avg_pool3d": lambda x, output: F.adaptive_avg_pool3d(x, output),
}
for kind in ("max", "avg"):
    for d in (1, 2, 3):
        OPERATORS[f"{kind}_pool{d}d"] = pooled(getattr(F, f"{kind}_pool{d}d"))


def computed(steps, values):
    names = dict(values)
    for step in steps:
        target, expression = step.split(" = ", 1)
        names[target] = eval(expression, {"__builtins__": {}}, OPERATORS | names)  # Our own file.
    return names[target]


def real(values, convert):
    return {n: convert(v) if isinstance(v, torch.Tensor) and v.is_floating_point() else v for n, v in values.items()}


def difference(name, fact):
    toml = attack.measure.Problem(name, "benchmark", fact).toml
    source = toml["reference"]["source"].strip("\n")
    reference = attack.Function(attack.ast.parse(source), [p["name"] for p in toml.get("parameter", [])])
    values = real(attack.draw_all(attack.measure.Problem(name, "ragged", fact).case, 1), torch.Tensor.double)
    ours, wanted = reference(values)[0], computed(fact["steps"], values)
    if ours.shape != wanted.shape:
        return f"shape {list(ours.shape)}, and {list(wanted.shape)} by the steps"
    if not torch.allclose(ours.double(), wanted.double(), rtol=1e-9, atol=1e-12):
        return f"off by {(ours.double() - wanted.double()).abs().max().item():.3g}"
    large = {}
    for entry in (case := attack.measure.Problem(name, "benchmark", fact).case)["inputs"] + case["parameters"]:
        large[entry["name"]] = entry["value"] if "scalar" in entry else torch.empty(
            entry["shape"], dtype=getattr(torch, entry["dtype"]), device="meta")
    output = computed(fact["steps"], large)
    described = [str(output.dtype).removeprefix("torch."), *output.shape]
    return "" if described == fact["output"] else f"output {described}, and {fact['output']} in the facts"


def main():
    torch.set_num_threads(1)
    facts = json.loads((ROOT / "problems/facts.json").read_text())
    names = sys.argv[2:] or list(facts)
    for name in names:
        if why := difference(name, facts[name]):
            print(f"{name}: {why}")
    print(f"{len(names)} problems compared")


if __name__ == "__main__":
    main()
