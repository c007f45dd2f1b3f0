"""Drives judge and candidate through every command on the GPU and says what came back.

Part of utils/gpu-smoke.sh. Each step prints PASS or FAIL with the reply; a failing step stops nothing.
"""

import argparse
import json
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker_client import Worker, WorkerFailed, WorkerGone, case, open_problem, tensor  # noqa: E402

FAILURES = []
RELU = "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n"
SMALL = case(tensor("x", [64, 1024]))
BIG = case(tensor("x", [4096, 16384]))


def short(value):
    text = json.dumps(value)
    return text if len(text) < 1500 else text[:1500] + "..."


def step(name, run):
    start = time.monotonic()
    try:
        good, detail = run()
    except Exception:  # noqa: BLE001: everything is a result here
        good, detail = False, traceback.format_exc()
    took = time.monotonic() - start
    if not good:
        FAILURES.append(name)
    print(f"{'PASS' if good else 'FAIL'} {name} ({took:.2f} s): {detail}", flush=True)


class Pair:
    """A judge and a candidate with one entry loaded."""

    def __init__(self, options, entry=0, source=RELU):
        self.judge = Worker(options.worker, "judge")
        self.candidate = Worker(options.worker, "candidate")
        self.hello = self.judge.ask("hello", device="cuda")
        self.judge_start = self.judge.seconds
        self.candidate.ask("hello", device="cuda")
        self.candidate_start = self.candidate.seconds
        open_problem(self.judge, source)
        self.candidate.ask("load", library=options.library, entry=f"cupel_call_{entry}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for worker in (self.judge, self.candidate):
            worker.close()

    def judged(self, the_case, seed="abc", command="call", **fields):
        expected = self.judge.ask("expect", case=the_case, seed=seed)
        names = [entry["name"] for entry in the_case["inputs"]]
        reply = self.candidate.ask(command, case=the_case, seed=seed, arguments=names,
                                   receive=expected["receive"], **fields)
        return expected, reply, self.judge.ask("compare", outputs=reply["outputs"])


def judge_one(options, entry, the_case, state, code=None, source=RELU, **fields):
    def run():
        with Pair(options, entry, source) as pair:
            expected, reply, result = pair.judged(the_case, **fields)
            codes = [reason["code"] for reason in result["reasons"]]
            kinds = [buffer["kind"] for buffer in expected["receive"]]
            good = result["state"] == state and (code is None or code in codes)
            return good, short({"receive": kinds, "precision": expected["reference_precision"], "reply": reply
                                if len(json.dumps(reply)) < 800 else {"outputs": reply["outputs"]},
                                "compare": result})
    return run


def call_fails(options, entry, code, gone=False):
    def run():
        with Pair(options, entry) as pair:
            try:
                pair.judged(SMALL)
            except WorkerFailed as failure:
                status = None
                if gone:
                    status = pair.candidate.process.wait(20)
                good = failure.error["code"] == code and (not gone or status == 3)
                return good, short({"error": failure.error, "status": status})
            return False, "the call succeeded"
    return run


def start_up(options):
    def run():
        with Pair(options) as pair:
            return True, (f"judge {pair.judge_start:.2f} s, candidate {pair.candidate_start:.2f} s, " + short(pair.hello))
    return run


def timing(options):
    def run():
        with Pair(options) as pair:
            expected = pair.judge.ask("expect", case=BIG, seed="77")
            reply = pair.candidate.ask("time", case=BIG, seed="77", arguments=["x"], samples=50, warmup=5,
                                       time_limit_us=2e6, receive=expected["receive"])
            wall = pair.candidate.seconds
            result = pair.judge.ask("compare", outputs=reply["outputs"])
            base = pair.judge.ask("time", baseline="eager", case=BIG, seed="78", samples=50, warmup=5, time_limit_us=2e6)
            ours, eager = sorted(reply["samples_us"]), sorted(base["samples_us"])
            gap = sorted(h - s for h, s in zip(reply["host_us"], reply["samples_us"]))
            text = (f"candidate median {ours[25]:.1f} us of {len(ours)} (min {ours[0]:.1f}, max {ours[-1]:.1f}), eager "
                    f"{eager[25]:.1f} us, host minus device median {gap[25]:.1f} us max {gap[-1]:.1f}; "
                    f"block took {wall:.2f} s; {result['state']} {short(result['reasons'])}")
            return result["state"] == "passed" and len(ours) == 50, text
    return run


def unjoined_stream(options):
    def run():
        with Pair(options, 6) as pair:
            reply = pair.candidate.ask("time", case=SMALL, seed="5", arguments=["x"], samples=10, warmup=2,
                                       time_limit_us=0, receive=None)
            gap = sorted(h - s for h, s in zip(reply["host_us"], reply["samples_us"]))
            return gap[5] > 300, f"host minus device: median {gap[5]:.1f} us (spins 2e6 cycles on a side stream)"
    return run


def kept_result(options):
    def run():
        with Pair(options, 8) as pair:
            _, reply, result = pair.judged(BIG, seed="99", command="time", samples=10, warmup=2, time_limit_us=0)
            median = sorted(reply["samples_us"])[5]
            return result["state"] == "failed", f"median {median:.1f} us, {short(result)}"
    return run


def profile(options, entry, level, provenance, the_case=BIG, replay="call"):
    def run():
        worker = Worker(options.worker, "candidate")
        worker.ask("hello", device="cuda")
        worker.ask("load", library=options.library, entry=f"cupel_call_{entry}")
        names = [item["name"] for item in the_case["inputs"]]
        reply = worker.ask("profile", case=the_case, seed="3", arguments=names, level=level, replay=replay)
        took = worker.seconds
        status = worker.close()
        kernels = reply["kernels"]
        good = (reply["state"] == "measured" and kernels and kernels[0]["provenance"] == provenance
                and kernels[0]["state"] == "measured")
        return bool(good), f"{took:.2f} s, exit {status}, " + short(reply)
    return run


def check_reference(options):
    def run():
        with Pair(options) as pair:
            reply = pair.judge.ask("check_reference", case=SMALL, seed="8")
            good = reply["depends"] == ["x"] and all(
                mutation["state"] == "refused" for mutation in reply["mutations"]
            )
            return good, short(reply)
    return run


def out_of_memory(options):
    def run():
        with Pair(options) as pair:
            try:
                pair.judge.ask("expect", case=case(tensor("x", [1 << 20, 1 << 20])), seed="1")
            except WorkerFailed as failure:
                return failure.error["code"] == "out-of-memory", short(failure.error)
            return False, "a case of 4 TiB was accepted"
    return run


def large_case(options):
    """8 GiB in, 8 GiB out, 32 GiB in fp64: must fit an H200, or fall back and say so."""
    def run():
        with Pair(options) as pair:
            _, reply, result = pair.judged(case(tensor("x", [32768, 65536])), seed="1")
            return result["state"] == "passed", short(result) + f" expect+call+compare, compare {pair.judge.seconds:.2f} s"
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", required=True)
    parser.add_argument("--library", required=True)
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    matmul = "def forward(self, a: Tensor, b: Tensor) -> Tensor:\n    return torch.matmul(a, b)\n"
    square = case(tensor("a", [1024, 1024]), tensor("b", [1024, 1024]))
    step("start of both processes", start_up(options))
    step("relu passes", judge_one(options, 0, SMALL, "passed"))
    step("matmul passes", judge_one(options, 1, square, "passed", source=matmul))
    step("half of the output missing", judge_one(options, 2, SMALL, "failed", "unwritten-output"))
    step("failed launch that nobody looks at", call_fails(options, 7, "cuda-error"))
    step("illegal address", call_fails(options, 3, "cuda-error", gone=True))
    step("exception", call_fails(options, 9, "exception"))
    step("in place", judge_one(options, 5, SMALL, "passed"))
    step("timing", timing(options))
    step("result kept between timed calls", kept_result(options))
    step("stream that nobody joins", unjoined_stream(options))
    step("profile basic", profile(options, 0, "basic", "submission"))
    step("profile full", profile(options, 0, "full", "submission"))
    step("profile full, kernel replay", profile(options, 0, "full", "submission", replay="kernel"))
    step("profile full, matmul", profile(options, 1, "full", "submission", square))
    step("profile full, torch's kernel", profile(options, 4, "full", "torch"))
    step("check_reference", check_reference(options))
    step("case too large for the memory", out_of_memory(options))
    step("case of 8 GiB", large_case(options))
    print(f"{len(FAILURES)} steps failed: {FAILURES}" if FAILURES else "all steps passed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
