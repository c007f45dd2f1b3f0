#!/usr/bin/env python3
"""Compares the machine code of split builds with that of nvcc on the whole file.

    utils/compare-sass.py [--survey build/bin/build-survey] [--whole nvcc-slim] [--least 20] [FILE...]

Builds each submission both ways (nothing is run, no GPU is needed) and compares, kernel by kernel, what
cuobjdump -sass shows. Names of what has internal linkage hold a hash of the module, which is left out of
the comparison. Prints a line for each file; exit status 1 when a kernel differs, is missing, or fewer than
--least files were compared.

Without arguments: the examples of docs/examples that compile.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# `_GLOBAL__N__` and `_INTERNAL_` with the module's name, which ends in a hash or in the first external name; the
# length in front counts it.
MODULE = re.compile(r"(\d+)_(GLOBAL__N_|INTERNAL)_[0-9a-f]{8}_\d+_")
ADDRESS = re.compile(r"^/\*[0-9a-f]{4,}\*/\s*")


def find_cuobjdump():
    """Of the CUDA toolkit, else the one that torch's triton brings."""
    folders = ["/usr/local/cuda/bin"]
    for python in (os.environ.get("CUPEL_PYTHON", ""), sys.executable):
        triton = "lib/python3*/site-packages/triton/backends/nvidia/bin"
        folders += map(str, pathlib.Path(python).absolute().parent.parent.glob(triton))
    # It needs nvdisasm, which lies beside it.
    os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], *folders])
    return shutil.which("cuobjdump") or sys.exit("compare-sass: no cuobjdump (package cuda-cuobjdump)")


def builds(survey, strategy, files):
    done = subprocess.run([survey, "--strategy", strategy, *files], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        record = json.loads(line)
        yield record["file"], record


def without_module(name):
    while module := MODULE.search(name):
        name = f"{name[:module.start()]}_{module[2]}{name[module.end(1) + int(module[1]):]}"
    return name


def kernels(cuobjdump, library):
    """Kernel -> its instructions with their encodings."""
    done = subprocess.run([cuobjdump, "-sass", library], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"compare-sass: cuobjdump failed on {library}: {done.stderr}")
    result, current = {}, None
    for line in done.stdout.splitlines():
        line = line.strip()
        if line.startswith("Function :"):
            current = result.setdefault(without_module(line.split(":", 1)[1].strip()), [])
        elif current is not None and line.startswith("/*"):
            current.append(ADDRESS.sub("", line))
    return result


def why(record):
    attempts = record.get("attempts") or []
    return attempts[0]["reason"] if attempts else record.get("reason") or record["state"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--survey", default=str(ROOT / "build" / "bin" / "build-survey"))
    parser.add_argument("--whole", default="nvcc-slim", choices=["nvcc-slim", "nvcc-full"])
    parser.add_argument("--least", type=int, default=0, help="files that must be compared")
    options = parser.parse_args()
    files = options.files or [str(path) for path in sorted((ROOT / "docs/examples").glob("*.cu"))]
    cuobjdump = find_cuobjdump()
    split = dict(builds(options.survey, "split", files))
    compared = bad = total = 0
    for file, whole in builds(options.survey, options.whole, files):
        name, half = os.path.basename(file), split[file]
        states = {"built", "cached"}
        if half["state"] not in states or whole["state"] not in states:
            # What neither builds is no submission; what one builds and the other does not is told.
            print(f"{name}: not compared (split: {why(half)}; {options.whole}: {why(whole)})")
            continue
        ours, theirs = kernels(cuobjdump, half["library"]), kernels(cuobjdump, whole["library"])
        different = sorted(k for k in ours.keys() | theirs.keys() if ours.get(k) != theirs.get(k))
        compared += 1
        total += len(theirs)
        bad += bool(different)
        verdict = "DIFFERENT: " + ", ".join(different) if different else "the same"
        print(f"{name}: {len(theirs)} kernels, {verdict}", flush=True)
    print(f"{compared} files compared, {total} kernels, {bad} files differ")
    if bad or compared < options.least:
        sys.exit(1)


if __name__ == "__main__":
    main()
