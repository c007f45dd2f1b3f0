#!/usr/bin/env python3
"""Runs the reference of every problem at benchmark size, and writes what it takes.

    utils/measure-problems.py --worker build/bin/cupel-worker --out problems-h200.jsonl
    utils/measure-problems.py --table problems-h200.jsonl > docs/problems-h200.md

Needs the worker and a Python (3.11 or later) without any package: no torch, no cupel. One worker measures
all; the problems with the least work come first, and each result is written at once, so that a run that
is cut off loses nothing. A run with the --out of an earlier one measures only what that one did not.
What a problem costs in time is the median of a few calls with a cold cache (docs/measuring.md).
"""

import argparse
import ast
import collections
import json
import operator
import os
import pathlib
import statistics
import sys
import threading
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))
from worker_client import NO_TOLERANCE, Worker, WorkerFailed, WorkerGone  # noqa: E402

GB = 1e9
# What the vendor states: bytes/s of the memory, fp32 flop/s without tensor cores (which TF32 would need,
# and TF32 is no fp32). NVIDIA H200 Tensor Core GPU datasheet, SXM; NVIDIA H100 datasheet, SXM.
STATED_PEAKS = {"NVIDIA H200": (4.8e12, 67e12), "NVIDIA H100 80GB HBM3": (3.35e12, 67e12)}
# A call that takes longer than this is one that hangs.
PROBLEM_LIMIT_S = 30

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
}


def evaluate(expression, sizes):
    """A number of a shape or of [cost]; docs/problem-format.md has the grammar."""
    if isinstance(expression, int):
        return expression

    def value(node):
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return sizes[name]
            case ast.UnaryOp(op=ast.USub()):
                return -value(node.operand)
            case ast.BinOp():
                return OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise ValueError(f"no shape expression: {expression}")

    return value(ast.parse(f"({expression})", mode="eval").body)


class Problem:
    def __init__(self, name, case_name, facts):
        text = (ROOT / "problems" / f"{name}.toml").read_text()
        self.toml = toml = tomllib.loads(text)
        self.name, self.level, self.number = name, toml["problem"]["level"], toml["problem"]["id"]
        self.facts = facts
        case = next(case for case in toml["case"] if case["name"] == case_name)
        self.sizes = case["sizes"]
        self.parameters = toml.get("parameter", [])
        inits = case.get("init", {})
        self.case = {
            "name": case_name,
            "inputs": [self.argument(entry, inits) for entry in toml["input"]],
            "parameters": [self.argument(entry, inits) for entry in self.parameters],
        }
        self.flops = evaluate(toml["cost"]["flops"], self.sizes)
        self.bytes = evaluate(toml["cost"]["bytes"], self.sizes)
        # The output's shape is known for the size that the facts are of.
        self.output = facts["output"] if "benchmark" in case["role"] else None

    def argument(self, entry, inits):
        if "scalar" in entry:
            return {key: entry[key] for key in ("name", "scalar", "value")}
        shape = [evaluate(dimension, self.sizes) for dimension in entry["shape"]]
        return {
            "name": entry["name"],
            "dtype": entry["dtype"],
            "shape": shape,
            "init": inits.get(entry["name"], entry["init"]),
        }

    def least_memory(self):
        """Bytes that the inputs, drawing the largest of them, and the output need together."""
        tensors = [bytes_of(t["dtype"], t["shape"]) for t in self.tensors()]
        output = bytes_of(self.output[0], self.output[1:]) if self.output else 0
        return sum(tensors) + max(max(tensors), output)

    def tensors(self):
        return [t for t in self.case["inputs"] + self.case["parameters"] if "shape" in t]

    def floor_us(self, peaks):
        """The least time by traffic and by arithmetic, and which of them it is."""
        by_bytes, by_flops = self.bytes / peaks["bytes_per_s"], self.flops / peaks["flop_per_s"]
        return 1e6 * max(by_bytes, by_flops), "bytes" if by_bytes >= by_flops else "flops"


def bytes_of(dtype, shape):
    count = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int16": 2}.get(dtype, 1)
    for size in shape:
        count *= size
    return count


def all_problems(case_name, only):
    facts = json.loads((ROOT / "problems/facts.json").read_text())
    unknown = [name for name in only if name not in facts]
    if unknown:
        sys.exit(f"measure-problems.py: no problem {', '.join(unknown)}")
    return [Problem(name, case_name, facts[name]) for name in facts if not only or name in only]


class Measuring:
    def __init__(self, options):
        self.options = options
        self.begin = time.monotonic()
        self.worker = None
        self.device = {}

    def left(self):
        return self.options.budget - (time.monotonic() - self.begin)

    def ask(self, command, limit=PROBLEM_LIMIT_S, **fields):
        """Like Worker.ask, but ends a worker that takes too long."""
        limit = threading.Timer(max(1.0, min(limit, self.left())), self.worker.process.kill)
        limit.start()
        try:
            return self.worker.ask(command, **fields)
        finally:
            limit.cancel()

    def start(self):
        if not self.worker:
            self.worker = Worker(self.options.worker, "judge")
            # The first start on a machine reads gigabytes of libraries from its disk.
            self.device = self.ask("hello", limit=self.options.budget, device=self.options.device)

    def measure(self, source, parameters, case, samples, warmup):
        self.start()
        self.ask("open_problem", language="torchscript", source=source, parameters=parameters,
                 tolerance=NO_TOLERANCE)
        return self.ask("measure_reference", case=case, seed="1", samples=samples, warmup=warmup,
                        time_limit_us=2e6)

    def peaks(self):
        """What a copy and a matrix product reach here, and the peaks for the floor."""
        small = self.options.device == "cpu"
        n, count = (256, 1 << 20) if small else (8192, 1 << 29)

        def best(expression, names, shape):
            inputs = [{"name": name, "dtype": "float32", "shape": shape,
                       "init": {"kind": "normal", "mean": 0.0, "std": 1.0}} for name in names]
            source = f"def forward(self, {', '.join(f'{n}: Tensor' for n in names)}) -> Tensor:\n    return {expression}\n"
            return 1e-6 * min(self.measure(source, [], {"name": "peak", "inputs": inputs}, 3, 1)["samples_us"])

        measured = {"bytes_per_s": 8 * count / best("x * 2.0", ["x"], [count]),
                    "flop_per_s": 2 * n**3 / best("torch.matmul(a, b)", ["a", "b"], [n, n])}
        return {"stated": STATED_PEAKS.get(self.device["device_name"]), "measured": measured}

    def problem(self, problem):
        """The result of one problem; whatever happens is one."""
        need = problem.least_memory()
        if need > self.options.memory_gb * GB:
            return {"state": "not_run", "reason": f"needs at least {need / GB:.0f} GB"}
        if self.left() < 1:
            return {"state": "not_run", "reason": "no time left"}
        start = time.monotonic()
        try:
            reply = self.measure(problem.toml["reference"]["source"], [p["name"] for p in problem.parameters],
                                 problem.case, self.options.samples, self.options.warmup)
        except WorkerFailed as failure:
            self.end_if_gone()
            return {"state": "failed", "reason": f"{failure.error['code']}: {failure.error['text']}"[:500]}
        except WorkerGone as gone:
            self.worker = None
            seconds = time.monotonic() - start
            return {"state": "failed", "reason": f"the worker ended after {seconds:.1f} s ({gone})"}
        return {"state": "measured", "eager_us": statistics.median(reply["samples_us"]),
                "samples_us": reply["samples_us"], "host_us": reply["host_us"], "peak_bytes": reply["peak_bytes"],
                "outputs": reply["outputs"], "wall_s": round(time.monotonic() - start, 3)}

    def end_if_gone(self):
        """After an error that cost the context the worker ends itself."""
        try:
            self.worker.process.wait(0.2)
            self.worker = None
        except Exception:  # noqa: BLE001: it is still there
            pass


def oddities(problem, result, peaks):
    """What a reader of the table should know of one result."""
    if result["state"] != "measured":
        return [result["state"].replace("_", " ") + ": " + result["reason"]]
    odd = []
    for output in result["outputs"]:
        if not output["finite"]:
            odd.append("output has NaN or infinite values")
        if output["all_equal"] and output["shape"]:
            odd.append("output is constant")
    shapes = ", ".join(f"{output['dtype']}{output['shape']}" for output in result["outputs"])
    if problem.output and shapes != f"{problem.output[0]}{problem.output[1:]}":
        odd.append(f"output is {shapes}, not {problem.output[0]}{problem.output[1:]}")
    samples = result["samples_us"]
    if max(samples) > 1.2 * min(samples):
        odd.append(f"samples from {min(samples):.1f} to {max(samples):.1f} us")
    if (result["peak_bytes"] or 0) > 40 * GB:
        odd.append("over 40 GB")
    if result["eager_us"] < problem.floor_us(peaks)[0]:
        odd.append("faster than the floor")
    return odd


def read(file):
    """The entries of an --out; a run that was killed may have left half a line."""
    entries = []
    for line in pathlib.Path(file).read_text().splitlines():
        try:
            entries.append(json.loads(line))
        except ValueError:
            print(f"{file}: a line that is no JSON is left out: {line[:80]}", file=sys.stderr)
    return entries


def run(options):
    problems = all_problems(options.case, options.only)
    out = pathlib.Path(options.out)
    done = read(out) if out.exists() else []
    measured = {entry["problem"] for entry in done if entry.get("state") == "measured"}
    measuring = Measuring(options)
    with out.open("a") as lines:
        def write(entry):
            lines.write(json.dumps(entry) + "\n")
            lines.flush()

        measuring.start()
        machine = {
            "machine": {key: measuring.device.get(key) for key in ("device_name", "torch", "cuda", "memory_bytes")},
            "peaks": measuring.peaks(),
            "case": options.case,
            "samples": options.samples,
            "warmup": options.warmup,
        }
        write(machine)
        print(f"ready after {time.monotonic() - measuring.begin:.1f} s: {json.dumps(machine)}", flush=True)
        peaks = peaks_of(machine)
        states = collections.Counter()
        for problem in sorted(problems, key=lambda problem: problem.floor_us(peaks)):
            if problem.name in measured:
                continue
            result = measuring.problem(problem)
            write({"problem": problem.name, **result})
            states[result["state"]] += 1
            odd = "; ".join(oddities(problem, result, peaks)) or "nothing odd"
            print(f"{problem.name}: {result.get('eager_us', 0):.1f} us, floor {problem.floor_us(peaks)[0]:.1f} us; {odd}", flush=True)
        if measuring.worker:
            measuring.worker.close()
    print(f"{', '.join(f'{count} {state}' for state, count in states.items())} in {time.monotonic() - measuring.begin:.1f} s")
    return 0 if set(states) <= {"measured"} else 1


def peaks_of(machine):
    values = machine["peaks"]["stated"] or machine["peaks"]["measured"].values()
    return dict(zip(("bytes_per_s", "flop_per_s"), values))


def table(file):
    """Prints the page. Floors and oddities are worked out here, so that a problem's [cost] can be corrected
    without a new run."""
    entries = read(file)
    machine = next(entry for entry in entries if "machine" in entry)
    # The last line of a problem counts: an earlier run may have failed where a later one did not.
    results = {entry["problem"]: entry for entry in entries if "problem" in entry}
    problems = all_problems(machine["case"], [])
    missing = {"state": "not_run", "reason": "the run was cut off"}
    peaks, measured, device = peaks_of(machine), machine["peaks"]["measured"], machine["machine"]
    count = sum(result["state"] == "measured" for result in results.values())
    print(f"""# The references at benchmark size

{count} of {len(problems)} problems, case `{machine['case']}`, measured by `utils/measure-problems.py` on {device['device_name']}, torch {device['torch']}, CUDA {device['cuda']}.

- *eager*: the reference in LibTorch with torch's defaults (TF32 in convolutions, none in matrix products), the median of {machine['samples']} cold calls after {machine['warmup']}.
- *floor*: the larger of `bytes` over {peaks['bytes_per_s'] / 1e12:.3g} TB/s and `flops` over {peaks['flop_per_s'] / 1e12:.3g} Tflop/s, {'what the vendor states' if machine['peaks']['stated'] else 'what was reached here'} for the memory and for fp32 without tensor cores. What uses those, as TF32 does, can be faster. Here a copy of 2 GiB reached {measured['bytes_per_s'] / 1e12:.3g} TB/s, a matrix product of 8192 {measured['flop_per_s'] / 1e12:.3g} Tflop/s.
- *peak*: the most that tensors held during a call, inputs and parameters included.

| id | problem | eager, us | floor, us | by | eager / floor | peak, GB | odd |
| --- | --- | ---: | ---: | --- | ---: | ---: | --- |""")
    for problem in sorted(problems, key=lambda problem: (problem.level, problem.number)):
        result = results.get(problem.name, missing)
        floor, by = problem.floor_us(peaks)
        eager, peak = result.get("eager_us"), result.get("peak_bytes")
        odd = "; ".join(oddities(problem, result, peaks)).replace("|", "\\|").replace("\n", " ")
        print(f"| {problem.level}/{problem.number} | {problem.name.split('/')[1]} | {f'{eager:.1f}' if eager else '-'} | {floor:.1f} | {by} "
              f"| {f'{eager / floor:.1f}' if eager else '-'} | {f'{peak / GB:.2f}' if peak else '-'} | {odd} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", default=str(ROOT / "build/bin/cupel-worker"))
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--case", default="benchmark", help="another case than the benchmark, as 'small' on the CPU")
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--warmup", type=int, default=1)
    parser.add_argument("--budget", type=float, default=85, metavar="S", help="seconds for all of it")
    parser.add_argument("--memory-gb", type=float, default=120, help="what needs more is said, not run")
    parser.add_argument("--out", default="problems.jsonl", help="one JSON object a line; appended to")
    parser.add_argument("--table", metavar="FILE", help="prints FILE, an earlier --out, as a page instead")
    parser.add_argument("only", nargs="*", metavar="PROBLEM", help="default: all")
    options = parser.parse_args()
    if options.table:
        table(options.table)
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
