#!/usr/bin/env python3
"""Build time of submissions, cupel beside load_inline, both cold, on this machine.

    utils/bench-build.py [--cupel build/bin/cupel] [--python PYTHON] [--arch 9.0a] [--require 2.5]
                         [PROBLEM=SUBMISSION.cu ...]

For each submission cupel builds for a GPU that need not be there with an empty build cache (`cupel eval
--device cuda --stop-after build`; the record's `build.seconds`, so neither lint nor its precompiled header
counts, but the adapter does) and Python's
torch.utils.cpp_extension compiles the same file for the same architecture with an empty folder (the call
alone, without `import torch`). The two take turns, one after the other, never at once. Prints a line for
each, and the medians; exit status 1 when it is below --require.

Without arguments: the honest examples, docs/examples/NAME.cu for the problem level1/NAME.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

LOAD_INLINE = r"""
import json, re, sys, time
from torch.utils import cpp_extension
source = open(sys.argv[1]).read()
binds = "PYBIND11_MODULE" in source or "TORCH_LIBRARY" in source
declaration = "" if binds else re.search(r"^[\w:<>, ]+[ &]forward\s*\([^)]*\)", source, re.M).group(0) + ";"
start = time.monotonic()
if binds:
    cpp_extension.load_inline("submission", cpp_sources=[], cuda_sources=[source], build_directory=sys.argv[2])
else:
    cpp_extension.load_inline("submission", cpp_sources=[declaration], cuda_sources=[source],
                              functions=["forward"], build_directory=sys.argv[2])
print(json.dumps(time.monotonic() - start))
"""


def cupel_seconds(cupel, problem, submission, cache):
    """Seconds and the build record; the cache keeps the precompiled header, never a build."""
    for kind in ("build", "adapter"):
        subprocess.run(["rm", "-rf", os.path.join(cache, kind)], check=True)
    done = subprocess.run(
        [cupel, "eval", problem, submission, "--device", "cuda", "--stop-after", "build", "--json", "-"],
        capture_output=True, text=True, env={**os.environ, "CUPEL_CACHE_DIR": cache},
    )
    try:
        build = json.loads(done.stdout)["build"]
    except (ValueError, KeyError, TypeError):
        sys.exit(f"bench-build: cupel did not build {submission}:\n{done.stdout}{done.stderr}")
    if build["state"] != "built":
        sys.exit(f"bench-build: {submission}: {build['state']}: {build.get('reasons')}")
    return build["seconds"], build


def load_inline_seconds(python, submission, arch):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [python, "-c", LOAD_INLINE, submission, folder], capture_output=True, text=True,
            env={**os.environ, "TORCH_CUDA_ARCH_LIST": arch},
        )
    if done.returncode:
        sys.exit(f"bench-build: load_inline failed on {submission}:\n{done.stdout}{done.stderr}")
    return float(done.stdout.strip().splitlines()[-1])


def examples():
    for path in sorted((ROOT / "docs" / "examples").glob("*.cu")):
        if list((ROOT / "problems" / "level1").glob(path.stem + ".toml")):
            yield f"level1/{path.stem}={path}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", nargs="*", metavar="PROBLEM=SUBMISSION")
    parser.add_argument("--cupel", default=str(ROOT / "build" / "bin" / "cupel"))
    parser.add_argument("--python", default=os.environ.get("CUPEL_PYTHON", "python3"))
    parser.add_argument("--arch", default="9.0a", help="as TORCH_CUDA_ARCH_LIST spells it")
    parser.add_argument("--require", type=float, default=0, help="exit status 1 below this ratio")
    options = parser.parse_args()
    pairs = options.pairs or list(examples())
    if not pairs:
        parser.error("no submissions")

    ratios, seconds = [], []
    print(f"{'submission':<28} {'strategy':<10} {'cupel':>8} {'load_inline':>12} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as cache:
        for pair in pairs:
            problem, _, submission = pair.partition("=")
            ours, build = cupel_seconds(options.cupel, problem, submission, cache)
            seconds.append(ours)
            theirs = load_inline_seconds(options.python, submission, options.arch)
            ratios.append(theirs / ours)
            name = os.path.basename(submission)
            print(f"{name:<28} {build['strategy']:<10} {ours:>7.2f}s {theirs:>11.2f}s {ratios[-1]:>6.1f}x",
                  flush=True)
    median = statistics.median(ratios)
    print(f"median of {len(ratios)}: {median:.1f}x (lowest {min(ratios):.1f}x), "
          f"cupel {statistics.median(seconds):.2f} s")
    if median < options.require:
        sys.exit(f"bench-build: the median is below {options.require}")


if __name__ == "__main__":
    main()
