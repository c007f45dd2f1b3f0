#!/usr/bin/env python3
"""Wall time of `cupel eval` with a cached build, beside the GPU time of the samples that it takes.

    utils/bench-eval.py [--cupel build/bin/cupel] [--repeat 3] [PROBLEM=SUBMISSION.cu ...]

`eval --profile none` runs once to fill the caches and then --repeat times under the clock. What the samples
need is the sum of all timed samples of the candidate and of the eager baseline, in the run's own record; the
cache flush before each sample, warm-up, inputs and comparison are overhead. The issues set two limits: 3 times the
samples and 3 s for the start of two processes, then 2 times and 2 s. Exit status 1 when the median run is over either.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = [(3, 3), (2, 2)]  # Factor of the samples, seconds.


def evaluate(cupel, problem, submission):
    """(wall seconds, GPU seconds of all samples) of one run."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "run.json"
        start = time.monotonic()
        done = subprocess.run([cupel, "eval", problem, submission, "--device", "cuda", "--profile", "none",
                               "--stop-after", "run", "--json", str(record)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        wall = time.monotonic() - start
        if not record.exists():
            sys.exit(f"{problem} {submission}: {done.stderr.strip()}")
        run = json.loads(record.read_text())["run"]
    if not run["timing"]:
        sys.exit(f"{problem} {submission}: not timed: {run['timing_not_measured']}")
    return wall, sum(sum(series["samples_us"]) for series in run["timing"]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cupel", default=str(ROOT / "build/bin/cupel"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("pairs", nargs="*", metavar="PROBLEM=SUBMISSION.cu")
    options = parser.parse_args()
    pairs = options.pairs or [f"level1/{name}={ROOT}/docs/examples/{name}.cu" for name in ("relu", "softmax", "mse-loss")]
    within = True
    print(f"{'problem':24} {'wall s':>8} {'samples s':>10} " + " ".join(f"{f'of {f} x + {s} s':>14}" for f, s in LIMITS))
    for pair in pairs:
        problem, submission = pair.split("=", 1)
        evaluate(options.cupel, problem, submission)
        runs = sorted(evaluate(options.cupel, problem, submission) for _ in range(options.repeat))
        wall, samples = runs[len(runs) // 2]
        shares = [wall / (factor * samples + seconds) for factor, seconds in LIMITS]
        within = within and max(shares) <= 1
        print(f"{problem:24} {wall:8.2f} {samples:10.3f} " + " ".join(f"{share:14.2f}" for share in shares), flush=True)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
