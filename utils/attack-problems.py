#!/usr/bin/env python3
"""Offers every problem outputs that a cheap or careless submission would give, and prints which are accepted.

    build/venv/bin/python utils/attack-problems.py [PROBLEM]...

`cupel problem check` has eight wrong outputs that mean something for any problem. These are more, and some
are right: what a computation does not depend on may be left out. So the list that is printed is for reading, as
docs/problems.md does ("How well they tell"). Equal bits are marked with `=`. Needs the worker, and torch in Python: the
outputs are made here, from the values that the worker would draw, and the worker's judge compares them,
on the CPU, at all check cases. An output is accepted when every case at which it could be made accepts it.
"""

import argparse
import ast
import copy
import ctypes
import importlib.util
import json
import math
import pathlib
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))
from worker_client import Worker, open_problem  # noqa: E402

spec = importlib.util.spec_from_file_location("measure", ROOT / "utils/measure-problems.py")
measure = importlib.util.module_from_spec(spec)
spec.loader.exec_module(measure)

SEED = 0xABC
OTHER_SEED = 0x123


# --- The values that the worker draws: lib/Worker/Draw.cpp. An honest output that is refused says when this is
# --- no longer the same.


def splitmix64(state):
    mask = (1 << 64) - 1
    z = (state + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def draw(tensor, seed):
    generator = torch.Generator()
    generator.manual_seed(seed - (1 << 64) if seed >= 1 << 63 else seed)
    init, shape = tensor["init"], tensor["shape"]
    empty = torch.empty(shape, dtype=getattr(torch, tensor["dtype"]))
    bound = init.get("gain", 1) / math.sqrt(math.prod(shape[1:]))
    match init["kind"]:
        case "uniform":
            values = empty.uniform_(init["low"], init["high"], generator=generator)
        case "normal":
            values = empty.normal_(init["mean"], init["std"], generator=generator)
        case "kaiming_uniform":
            values = empty.uniform_(-bound, bound, generator=generator)
        case "kaiming_normal":
            values = empty.normal_(0, bound, generator=generator)
        case "integers":
            values = empty.random_(init["low"], init["high"], generator=generator)
        case "bernoulli":
            values = empty.bernoulli_(init["p"], generator=generator)
        case "sign":
            values = empty.bernoulli_(init.get("p", 0.5), generator=generator).mul_(2).sub_(1)
        case "constant":
            values = empty.fill_(init["value"])
        case kind:
            raise SystemExit(f"attack-problems.py: cannot draw '{kind}'")
    transforms = init.get("transform", [])
    for name in [transforms] if isinstance(transforms, str) else transforms:
        values = transformed(values, name, generator)
    return values.contiguous()


def transformed(values, name, generator):
    match name:
        case "uneven":
            for d in range(values.dim()):
                shape = [values.size(d) if i == d else 1 for i in range(values.dim())]
                scale = torch.empty(shape, dtype=values.dtype).uniform_(-math.log(2.0), math.log(2.0), generator=generator)
                values.mul_(scale.exp_())
            return values
        case "sparse":
            return values.masked_fill(torch.empty_like(values).bernoulli_(7 / 8, generator=generator).bool(), 0)
        case "equal_rows":
            return values.narrow(0, 0, 1).expand_as(values).contiguous()
        case "special_values":
            normal = torch.finfo(values.dtype).tiny
            positive = torch.tensor([0.0, 1.0, 0.5, 2.0, 2.0**10, 2.0**15, normal, normal / 16], dtype=values.dtype)
            table = torch.stack([positive, -positive], 1).view(-1)
            index = torch.empty_like(values, dtype=torch.int64).random_(0, len(table), generator=generator)
            chosen = torch.empty_like(values).bernoulli_(0.25, generator=generator).bool()
            return torch.where(chosen, table.take(index), values)
        case "softmax":
            return values.softmax(-1)
        case "upper_triangular":
            return values.triu_()
        case "lower_triangular":
            return values.tril_()
        case "symmetric":
            return values.add(values.transpose(-1, -2)).div_(2)
    raise SystemExit(f"attack-problems.py: cannot do the transform '{name}'")


# --- References, and references with one place changed.


class Function:
    """A reference as a function of its inputs and parameters."""

    def __init__(self, tree, parameters):
        tree = Free().visit(copy.deepcopy(tree))
        arguments = tree.body[0].args
        arguments.args = arguments.args[1:] + [ast.arg(name, ast.Name("Tensor")) for name in parameters]
        self.call = torch.jit.CompilationUnit(ast.unparse(ast.fix_missing_locations(tree)) + "\n").forward

    def __call__(self, values):
        with torch.no_grad():
            result = self.call(*values.values())
        return [t.contiguous() for t in (result if isinstance(result, (tuple, list)) else [result])]


class Free(ast.NodeTransformer):
    """self.weight is an argument here, and torch.NAME an ATen operator, as in the worker."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        match node.value:
            case ast.Name(id="self"):
                return ast.Name(node.attr)
            case ast.Name(id="torch"):
                return ast.parse(f"torch.ops.aten.{node.attr}", mode="eval").body
        return node


def replacements(node):
    """What may stand in the place of node: less work, another number, another sign, a maximum that starts at 0."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            yield from node.args[:3]
            if name.startswith("max_pool") or name in ("amax", "amin"):
                bound = "max" if name == "amin" else "min"
                yield ast.parse(f"torch.clamp({ast.unparse(node)}, {bound}=0.0)", mode="eval").body
        case ast.BinOp():
            yield node.left
            yield node.right
            yield ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=float()):
            yield ast.Constant(node.value * 1.1 or 0.1)
            yield ast.Constant(0.0)
        case ast.Constant(value=int()):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(max(0, node.value - 1))


def changed_references(source, parameters):
    tree = ast.parse(source.strip("\n"))
    for place, node in enumerate(ast.walk(tree)):
        for number, other in enumerate(replacements(node)):
            if ast.dump(other) == ast.dump(node):
                continue
            changed = copy.deepcopy(tree)
            target = next(n for i, n in enumerate(ast.walk(changed)) if i == place)

            class Replace(ast.NodeTransformer):
                def visit(self, n):
                    return copy.deepcopy(other) if n is target else self.generic_visit(n)

            try:
                function = Function(Replace().visit(changed), parameters)
            except RuntimeError:  # It does not compile.
                continue
            # Two places can have the same text, and two replacements too.
            where = f"{node.lineno}:{node.col_offset}, {number}"
            yield f"{ast.unparse(node)} -> {ast.unparse(other)} ({where})", function


# --- Outputs that are wrong, and outputs of inputs that are.


def to_tf32(t):
    return ((t.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def wrong_outputs(outputs, values):
    """Names and functions that make a wrong output of a right one."""
    first = outputs[0]
    yield "zeros", torch.zeros_like
    yield "ones", torch.ones_like
    for d in range(first.dim()):
        n = first.size(d)
        if n == 1:
            continue
        yield f"slice 0 of dimension {d} repeated", lambda t, d=d: t.narrow(d, 0, 1).expand_as(t)
        yield f"half of dimension {d} repeated", lambda t, d=d, n=n: torch.cat([t.narrow(d, 0, n // 2)] * 3, d).narrow(d, 0, n)
        yield f"dimension {d} without its end", lambda t, d=d, n=n: torch.cat(
            [t.narrow(d, 0, n - 1), torch.zeros_like(t.narrow(d, 0, 1))], d)
        yield f"dimension {d} shifted", lambda t, d=d: t.roll(1, d)
        yield f"dimension {d} turned", lambda t, d=d: t.flip(d)
    if first.dim() > 1 and first.size(-1) == first.size(-2):
        yield "transposed", lambda t: t.transpose(-1, -2)
    for name, value in values.items():
        if isinstance(value, torch.Tensor) and value.dtype == first.dtype and value.numel() >= first.numel():
            yield f"copy of {name}", lambda t, v=value: v.reshape(-1)[: t.numel()].view(t.shape)
    if not first.is_floating_point():
        return
    for d in range(first.dim()):
        yield f"mean over dimension {d}", lambda t, d=d: t.mean(d, keepdim=True).expand_as(t)
        others = [i for i in range(first.dim()) if i != d]
        if others:
            yield f"mean of each slice of dimension {d}", lambda t, o=others: t.mean(o, keepdim=True).expand_as(t)
    yield "mean", lambda t: torch.full_like(t, t.double().mean().item())
    yield "half precision", lambda t: t.half().float()
    yield "bfloat16", lambda t: t.bfloat16().float()
    yield "TF32", to_tf32
    yield "times 0.999", lambda t: t * 0.999
    yield "absolute values", torch.abs
    yield "negative", torch.neg
    yield "without what is below 0", torch.relu


def wrong_values(case, values):
    """Names and inputs and parameters of which some are changed."""
    real = {name: v for name, v in values.items() if isinstance(v, torch.Tensor) and v.is_floating_point()}
    for name, convert in [("TF32", to_tf32), ("half precision", lambda t: t.half().float()),
                          ("bfloat16", lambda t: t.bfloat16().float())]:
        yield f"inputs in {name}", {n: convert(v) for n, v in real.items()}
    others = draw_all(case, OTHER_SEED)
    yield "other inputs", {t["name"]: others[t["name"]] for t in case["inputs"] if "shape" in t}
    for name, value in real.items():
        yield f"{name} = 0", {name: torch.zeros_like(value)}
        yield f"{name} = 1", {name: torch.ones_like(value)}
        yield f"{name} = its mean", {name: torch.full_like(value, value.mean().item())}
        yield f"other {name}", {name: others[name]}
        for d in range(value.dim()):
            if value.size(d) == 1:
                continue
            rest, end = value.narrow(d, 0, value.size(d) - 1), torch.zeros_like(value.narrow(d, 0, 1))
            yield f"{name} shifted in dimension {d}", {name: value.roll(1, d)}
            yield f"{name} without the end of dimension {d}", {name: torch.cat([rest, end], d)}


def draw_all(case, seed):
    values, number = {}, 0
    for entry in case["inputs"] + case["parameters"]:
        if "scalar" in entry:
            values[entry["name"]] = entry["value"]
        else:
            values[entry["name"]] = draw(entry, splitmix64((seed + number) & ((1 << 64) - 1)))
            number += 1
    return values


class Attack:
    """One problem: which outputs are accepted at which cases."""

    def __init__(self, judge, name, facts):
        self.judge, self.name, self.facts, self.accepted = judge, name, facts, {}
        toml = measure.Problem(name, "benchmark", facts).toml
        parameters = [p["name"] for p in toml.get("parameter", [])]
        source = toml["reference"]["source"]
        tolerance = toml.get("tolerance", {})
        open_problem(judge, source, parameters, {key: tolerance.get(key) for key in ("relative", "absolute")})
        self.reference = Function(ast.parse(source.strip("\n")), parameters)
        self.changed = list(changed_references(source, parameters))
        self.cases = [c["name"] for c in toml["case"] if "check" in c["role"] and "benchmark" not in c["role"]]

    def run(self):
        for case in self.cases:
            self.run_case(measure.Problem(self.name, case, self.facts).case)
        return {label: all(equal for _, equal in results) for label, results in self.accepted.items()
                if all(passed for passed, _ in results)}

    def run_case(self, case):
        values = draw_all(case, SEED)
        self.receive = self.judge.ask("expect", case=case, seed=hex(SEED))["receive"]
        self.right = self.reference(values)
        if not self.compare(self.right):
            raise SystemExit(f"attack-problems.py: {self.name}, {case['name']}: the right output is refused")
        for label, change in wrong_outputs(self.right, values):
            self.offer(label, lambda c=change: [c(t).contiguous() for t in self.right])
        for label, other in wrong_values(case, values):
            self.offer(label, lambda o=other: self.reference({**values, **o}))
        for label, function in self.changed:
            self.offer(label, lambda f=function: f(values))

    def offer(self, label, make):
        try:
            outputs = make()
        except (RuntimeError, IndexError):  # Nothing that could be handed in.
            return
        described = [(t.shape, t.dtype) for t in outputs]
        if described == [(t.shape, t.dtype) for t in self.right]:
            equal = all(torch.equal(a, b) for a, b in zip(outputs, self.right))
            self.accepted.setdefault(label, []).append((self.compare(outputs), equal))

    def compare(self, outputs):
        described = []
        for output, buffer in zip(outputs, self.receive):
            with open("/dev/shm" + buffer["handle"], "r+b") as memory:
                memory.write(ctypes.string_at(output.data_ptr(), output.nbytes))
            described.append({"dtype": str(output.dtype).removeprefix("torch."), "shape": list(output.shape),
                              "device": "cpu", "contiguous": True, "overlaps": None, "copied": True})
        return self.judge.ask("compare", outputs=described)["state"] == "passed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", default=str(ROOT / "build/bin/cupel-worker"))
    parser.add_argument("only", nargs="*", metavar="PROBLEM", help="default: all")
    options = parser.parse_args()
    torch.set_num_threads(1)
    judge = Worker(options.worker, "judge")
    judge.ask("hello", device="cpu")
    facts = json.loads((ROOT / "problems/facts.json").read_text())
    offered = accepted = 0
    for name in options.only or facts:
        attack = Attack(judge, name, facts[name])
        survivors = attack.run()
        offered += len(attack.accepted)
        accepted += len(survivors)
        for label, equal in survivors.items():
            print(f"{name}: {'=' if equal else ' '} {label}", flush=True)
    judge.close()
    print(f"{offered} outputs offered, {accepted} accepted")


if __name__ == "__main__":
    main()
