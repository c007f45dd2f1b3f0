#!/usr/bin/env python3
"""Compares cupel's times of a kernel with those of a program that times it by hand with CUDA events.

    utils/bench-timing.py --worker build/bin/cupel-worker --library libsmoke.so --program event-timing

Both (utils/smoke, built by utils/gpu-smoke.sh) launch the same object code, each sample with a cold L2 cache, in turns.
Issue: within 1 %. Exit status 1 when a kernel of over 20 us is not.
"""

import argparse
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker_client import Worker, case, tensor  # noqa: E402

KERNELS = [
    ("relu 0.5 GB", "cupel_call_0", case(tensor("x", [8192, 16384])), ["relu", str(8192 * 16384)]),
    ("relu 34 MB", "cupel_call_0", case(tensor("x", [512, 16384])), ["relu", str(512 * 16384)]),
    ("relu 1 MB", "cupel_call_0", case(tensor("x", [16, 16384])), ["relu", str(16 * 16384)]),
    ("matmul 2048", "cupel_call_1", case(tensor("a", [2048, 2048]), tensor("b", [2048, 2048])), ["matmul", "2048"]),
    ("matmul 512", "cupel_call_1", case(tensor("a", [512, 512]), tensor("b", [512, 512])), ["matmul", "512"]),
]
JUDGED_US, ALLOWED = 20, 0.01


class ByHand:
    def __init__(self, program, arguments):
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def block(self, samples):
        self.process.stdin.write(f"{samples}\n")
        self.process.stdin.flush()
        return [float(value) for value in self.process.stdout.readline().split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compare(options, entry, the_case, arguments):
    """Where its memory lies gives a process figures of its own, so that several of either are asked."""
    names = [item["name"] for item in the_case["inputs"]]
    ours, theirs = [], []
    for _ in range(options.processes):
        worker, by_hand = Worker(options.worker, "candidate"), ByHand(options.program, arguments)
        worker.ask("hello", device="cuda")
        worker.ask("load", library=options.library, entry=entry)
        by_hand.block(5)
        for index in range(options.rounds):
            reply = worker.ask("time", case=the_case, seed=f"{index + 1:x}", arguments=names, samples=options.samples,
                               warmup=5, time_limit_us=0, receive=[])
            ours += reply["samples_us"]
            theirs += by_hand.block(options.samples)
        worker.close()
        by_hand.close()
    return statistics.median(ours), statistics.median(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=50)
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    within = True
    print(f"{'kernel':14} {'cupel us':>10} {'by hand us':>10} {'ratio':>8}")
    for title, entry, the_case, arguments in KERNELS:
        mine, other = compare(options, entry, the_case, arguments)
        good = abs(mine / other - 1) <= ALLOWED
        judged = other > JUDGED_US
        within = within and (good or not judged)
        mark = f"  under {JUDGED_US} us" if not judged else "  ok" if good else "  OFF by more than 1 %"
        print(f"{title:14} {mine:10.2f} {other:10.2f} {mine / other:8.4f}{mark}", flush=True)
    print("all within 1 %" if within else "not all within 1 %")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
