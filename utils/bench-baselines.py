#!/usr/bin/env python3
"""Compares the worker's baselines with the same operators timed from Python, and prints the ratios.

    utils/bench-baselines.py --worker build/bin/cupel-worker [--kind eager] [--kind compiled]

Both take CUDA-event times with a cold L2 cache, in turns: `eager` beside the operators called one by one,
`compiled`, a package that share/python/make_baseline.py makes, beside torch.compile. Issue: within 2 %. Exit
status 1 when not.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker_client import Worker, case, open_problem, tensor  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent

OPERATORS = [
    ("relu 16x16384", {"x": [16, 16384]}, "torch.relu(x)"),
    ("relu 4096x16384", {"x": [4096, 16384]}, "torch.relu(x)"),
    ("softmax 4096x8192", {"x": [4096, 8192]}, "torch.softmax(x, 1)"),
    ("layer_norm 4096x4096", {"x": [4096, 4096]}, "torch.layer_norm(x, [4096])"),
    ("sum 8192x8192", {"x": [8192, 8192]}, "torch.sum(x, 1)"),
    ("matmul 2048", {"a": [2048, 2048], "b": [2048, 2048]}, "torch.matmul(a, b)"),
    ("conv2d 16x64x56x56", {"x": [16, 64, 56, 56], "w": [64, 64, 3, 3]}, "torch.conv2d(x, w)"),
    ("add+relu+sum", {"x": [4096, 4096]}, "torch.sum(torch.relu(x + 1.0))"),
]


class PythonTimer:
    def __init__(self):
        import torch

        self.torch = torch
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.cache = torch.empty(max(2 * l2, 32 << 20), dtype=torch.int8, device="cuda")
        self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def sample(self, call):
        # The device waits while Python launches, which takes torch.compile's wrapper some 60 us: both figures are
        # of the GPU's time.
        self.torch.cuda.synchronize()
        self.torch.cuda._sleep(200_000)
        self.cache.zero_()
        self.start.record()
        call()
        self.end.record()
        self.torch.cuda.synchronize()
        return 1e3 * self.start.elapsed_time(self.end)

    def block(self, call, samples):
        with self.torch.no_grad():
            for _ in range(5):
                self.sample(call)
            return [self.sample(call) for _ in range(samples)]


def make_package(source, shapes, path):
    request = {"source": source, "parameters": [], "autotune": False, "tf32": False, "device": "cuda", "package": path,
               "inputs": [{"name": name, "dtype": "float32", "shape": shape} for name, shape in shapes.items()]}
    subprocess.run([sys.executable, ROOT / "share/python/make_baseline.py"], input=json.dumps(request), text=True,
                   check=True, stdout=subprocess.DEVNULL)


def python_call(torch, kind, shapes, expression):
    values = [torch.randn(shape, device="cuda") for shape in shapes.values()]
    function = eval(f"lambda {', '.join(shapes)}: {expression}", {"torch": torch})  # noqa: S307: our own text
    if kind == "compiled":
        # Dynamo knows code by its file, line and name, which are the same for all of these: without this, it takes
        # the second operator for the first with another size, and compiles it for any.
        torch._dynamo.reset()
        function = torch.compile(function)
    return lambda: function(*values)


def source_of(shapes, expression):
    return f"def forward(self, {', '.join(f'{n}: Tensor' for n in shapes)}) -> Tensor:\n    return {expression}\n"


def make_packages(operators, folder):
    """A package for each operator. One after the other: the search for the fastest kernel would measure its neighbours'."""
    paths = [str(pathlib.Path(folder) / f"{index}.pt2") for index in range(len(operators))]
    for (_, shapes, expression), path in zip(operators, paths):
        make_package(source_of(shapes, expression), shapes, path)
    return paths


def compare(judge, timer, kind, shapes, expression, options, package):
    open_problem(judge, source_of(shapes, expression))
    the_case = case(*(tensor(name, shape) for name, shape in shapes.items()))
    call = python_call(timer.torch, kind, shapes, expression)
    ours, theirs = [], []
    for index in range(options.rounds):
        reply = judge.ask("time", baseline=kind, package=package, case=the_case, seed=f"{index + 1:x}",
                          samples=options.samples, time_limit_us=0, warmup=5)
        ours += reply["samples_us"]
        theirs += timer.block(call, options.samples)
    return ours, theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--kind", action="append", choices=["eager", "compiled"], help="default: eager")
    parser.add_argument("--operators", type=int, default=len(OPERATORS), help="only the first so many")
    parser.add_argument("--only", default="", help="only operators with this in their name")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--samples", type=int, default=50)
    options = parser.parse_args()
    judge = Worker(options.worker, "judge")
    judge.ask("hello", device="cuda")
    timer = PythonTimer()
    within = True
    print(f"{'baseline':9} {'operator':24} {'cupel us':>10} {'python us':>10} {'ratio':>8} {'spread':>8}")
    for kind in options.kind or ["eager"]:
        folder = tempfile.TemporaryDirectory()
        operators = [entry for entry in OPERATORS[:options.operators] if options.only in entry[0]]
        packages = make_packages(operators, folder.name) if kind == "compiled" else [""] * len(operators)
        for (title, shapes, expression), package in zip(operators, packages):
            ours, theirs = compare(judge, timer, kind, shapes, expression, options, package)
            mine, other = statistics.median(ours), statistics.median(theirs)
            quartiles = statistics.quantiles(ours, n=4)
            good = abs(mine / other - 1) <= 0.02
            within = within and good
            print(f"{kind:9} {title:24} {mine:10.2f} {other:10.2f} {mine / other:8.4f} "
                  f"{(quartiles[2] - quartiles[0]) / mine:8.4f}{'  ok' if good else '  OFF by more than 2 %'}", flush=True)
        folder.cleanup()
    judge.close()
    print("all within 2 %" if within else "not all within 2 %")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
