"""Drives cupel-worker over the protocol on the CPU: worker_tests.py SOURCE WORKER LIBRARY."""

import json
import os
import signal
import sys
import unittest

SOURCE, WORKER, LIBRARY = sys.argv[1:4]
sys.path.insert(0, os.path.join(SOURCE, "utils"))
from worker_client import Worker, WorkerFailed, WorkerGone, case, open_problem, tensor  # noqa: E402

RELU = "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n"
SMALL = case(tensor("x", [13, 101]))


class Test(unittest.TestCase):
    def worker(self, role):
        worker = self.silent_worker(role)
        worker.ask("hello", device="cpu")
        return worker

    def silent_worker(self, role):
        worker = Worker(WORKER, role)

        def end():
            worker.requests.close()
            worker.replies.close()
            worker.process.wait(20)

        self.addCleanup(end)
        return worker

    def judge(self, source=RELU, **fields):
        judge = self.worker("judge")
        open_problem(judge, source, **fields)
        return judge

    def candidate(self, entry):
        candidate = self.worker("candidate")
        candidate.ask("load", library=LIBRARY, entry=entry)
        return candidate

    def fails(self, code, worker, command, **fields):
        with self.assertRaises(WorkerFailed) as caught:
            worker.ask(command, **fields)
        self.assertEqual(caught.exception.error["code"], code, caught.exception)
        return caught.exception.error

    def judged(self, entry, the_case=SMALL, judge=None, arguments=("x",), command="call", **fields):
        judge = judge or self.judge()
        candidate = self.candidate(entry)
        expected = judge.ask("expect", case=the_case, seed="abc")
        reply = candidate.ask(command, case=the_case, seed="abc", arguments=list(arguments),
                              receive=expected["receive"], **fields)
        return expected, reply, judge.ask("compare", outputs=reply["outputs"])

    def codes(self, result):
        return [reason["code"] for reason in result["reasons"]]


class Judging(Test):
    def test_right(self):
        expected, reply, result = self.judged("good")
        self.assertEqual(expected["outputs"], [{"dtype": "float32", "shape": [13, 101], "bytes": 13 * 101 * 4,
                                                "all_equal": False}])
        self.assertEqual(expected["reference_precision"], "float64")
        self.assertEqual(reply["outputs"], [{"dtype": "float32", "shape": [13, 101], "device": "cpu",
                                             "contiguous": True, "overlaps": None, "copied": True}])
        self.assertEqual(reply["inputs_changed"], [])
        self.assertGreater(reply["host_us"], 0)
        self.assertEqual((result["state"], result["reasons"], result["mismatches"]), ("passed", [], 0))
        self.assertEqual(result["elements"], 13 * 101)
        self.assertGreater(result["allowed_error"], result["max_error"])

    def test_partial(self):
        _, _, result = self.judged("partial")
        self.assertEqual((result["state"], self.codes(result)), ("failed", ["unwritten-output"]))
        self.assertEqual(result["actual"], "nan")
        self.assertEqual(result["first_mismatch"], [6, 50])

    def test_zeros(self):
        _, _, result = self.judged("zeros")
        self.assertEqual(self.codes(result), ["wrong-values", "constant-output"])

    def test_in_place(self):
        _, reply, result = self.judged("in_place")
        self.assertEqual(result["state"], "passed")
        self.assertEqual((reply["inputs_changed"], reply["outputs"][0]["overlaps"]), (["x"], "x"))

    def test_past_the_end(self):
        _, reply, _ = self.judged("past_the_end")
        self.assertEqual(reply["inputs_changed"], ["x"])

    def test_wrong_shape_and_dtype(self):
        self.assertEqual(self.codes(self.judged("wrong_shape")[2]), ["wrong-shape"])
        self.assertEqual(self.codes(self.judged("wrong_dtype")[2]), ["wrong-dtype"])

    def test_several_outputs_parameters_and_numbers(self):
        source = ("def forward(self, x: Tensor, s: float) -> Tuple[Tensor, Tensor]:\n"
                  "    y = x * s + self.w\n"
                  "    return y, torch.sign(y).to(3)  # int32\n")
        judge = self.judge(source, parameters=["w"])
        the_case = case(tensor("x", [13, 101]), {"name": "s", "scalar": "float", "value": 1.5},
                        parameters=[tensor("w", [101], kind="uniform", low=-1, high=1)])
        expected, _, result = self.judged("pair", the_case, judge, ("x", "s", "w"))
        self.assertEqual([output["dtype"] for output in expected["outputs"]], ["float32", "int32"])
        self.assertEqual(result["state"], "passed", result)
        _, _, result = self.judged("good", the_case, judge)
        self.assertEqual(self.codes(result), ["output-count"])

    def test_buffers_are_poisoned_between_calls(self):
        judge = self.judge()
        expected, reply, result = self.judged("good", judge=judge)
        self.assertEqual(result["state"], "passed")
        again = judge.ask("compare", outputs=reply["outputs"])
        self.assertEqual(self.codes(again), ["unwritten-output"])

    def test_release_takes_the_buffers_away(self):
        judge = self.judge()
        expected = judge.ask("expect", case=SMALL, seed="1")
        self.assertTrue(os.path.exists("/dev/shm" + expected["receive"][0]["handle"]))
        judge.ask("release")
        self.assertFalse(os.path.exists("/dev/shm" + expected["receive"][0]["handle"]))
        self.fails("nothing-expected", judge, "compare", outputs=[])

    def test_output_that_was_not_handed_over(self):
        judge = self.judge()
        judge.ask("expect", case=SMALL, seed="1")
        result = judge.ask("compare", outputs=[{"dtype": "float32", "shape": [13, 101], "device": "cpu",
                                                "copied": False}])
        self.assertEqual(self.codes(result), ["not-received"])
        result = judge.ask("compare", outputs=[{"dtype": "float32", "shape": [13, 101], "device": "cuda"}])
        self.assertEqual(self.codes(result), ["wrong-device"])

    def test_reference_precision_falls_back(self):
        judge = self.judge("def forward(self, x: Tensor) -> Tensor:\n"
                           "    return torch.matmul(x, torch.ones([101, 2], dtype=6))\n")
        expected = judge.ask("expect", case=SMALL, seed="1")
        self.assertEqual(expected["reference_precision"], "float32")
        self.assertIn("does not run in fp64", expected["reference_precision_reason"])

    def test_measure_reference(self):
        def measure(source, **fields):
            return self.judge(source).ask("measure_reference", case=SMALL, seed="1", **fields)

        reply = measure(RELU, samples=3, warmup=1)
        self.assertEqual((len(reply["samples_us"]), reply["stopped_by"]), (3, "samples"))
        self.assertTrue(all(sample > 0 for sample in reply["samples_us"]))
        self.assertEqual(reply["peak_bytes"], None)  # Nobody counts on the CPU.
        self.assertEqual(reply["outputs"],
                         [{"dtype": "float32", "shape": [13, 101], "finite": True, "all_equal": False}])
        odd = ("def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
               "    return torch.log(x), x > 1e9, torch.argmax(x, 1)\n")
        outputs = measure(odd, samples=1)["outputs"]
        self.assertEqual([(o["dtype"], o["finite"], o["all_equal"]) for o in outputs],
                         [("float32", False, False), ("bool", True, True), ("int64", True, False)])

    def test_check_reference(self):
        reply = self.judge().ask("check_reference", case=SMALL, seed="1")
        self.assertEqual((reply["depends"], reply["independent"]), (["x"], []))
        self.assertEqual([m["name"] for m in reply["mutations"]],
                         ["zeros", "constant", "permuted", "half", "first_half", "first_slice", "row_mean", "input_copy"])
        self.assertTrue(all(m["state"] == "refused" for m in reply["mutations"]))
        self.assertTrue(reply["not_finite"] == [0] and reply["repeat_equal"])


class Timing(Test):
    def test_samples(self):
        _, reply, result = self.judged("good", command="time", samples=4, warmup=1, time_limit_us=0)
        self.assertEqual((len(reply["samples_us"]), len(reply["host_us"]), reply["stopped_by"]), (4, 4, "samples"))
        self.assertEqual(result["state"], "passed")

    def test_time_limit(self):
        candidate = self.candidate("good")
        reply = candidate.ask("time", case=SMALL, seed="1", arguments=["x"], samples=10**9, time_limit_us=2e5,
                              receive=None)
        self.assertEqual(reply["stopped_by"], "time")
        self.assertGreater(len(reply["samples_us"]), 0)

    def test_result_kept_between_calls_is_wrong(self):
        _, _, result = self.judged("keeps", command="time", samples=4, warmup=1, time_limit_us=0)
        self.assertEqual(result["state"], "failed")

    def test_warm_samples_are_extra(self):
        _, reply, result = self.judged("good", command="time", samples=4, warmup=1, warm_samples=2, time_limit_us=0)
        self.assertEqual((len(reply["samples_us"]), len(reply["warm_us"])), (4, 2))
        self.assertEqual(result["state"], "passed")
        _, _, result = self.judged("keeps", command="time", samples=4, warm_samples=2, time_limit_us=0)
        self.assertEqual(result["state"], "failed")
        self.fails("bad-request", self.judge(), "time", baseline="eager", case=SMALL, seed="1", samples=3,
                   warm_samples=-1)

    def test_clocks_without_a_gpu(self):
        judge = self.judge()
        for action in ("start", "stop"):
            reply = judge.ask("clocks", action=action)
            self.assertEqual((reply["state"], reply["reason"]["code"]), ("not_measured", "no-cuda-device"))
        self.assertEqual(reply["sm_mhz"], [])
        self.assertIn("pause", self.fails("bad-request", judge, "clocks", action="pause")["text"])

    def test_peaks_without_a_gpu(self):
        reply = self.judge().ask("peaks")
        self.assertEqual((reply["state"], reply["reason"]["code"]), ("not_measured", "no-cuda-device"))

    def test_eager(self):
        judge = self.judge()
        reply = judge.ask("time", baseline="eager", case=SMALL, seed="1", samples=3, time_limit_us=0, warmup=1)
        self.assertEqual(len(reply["samples_us"]), 3)
        error = self.fails("bad-request", judge, "time", baseline="lazy", case=SMALL, seed="1", samples=3)
        self.assertIn("lazy", error["text"])


class Errors(Test):
    def call(self, entry, **fields):
        candidate = self.candidate(entry)
        return candidate, dict(case=SMALL, seed="1", arguments=["x"], receive=[], **fields)

    def test_errors_of_the_call(self):
        for entry, code, text in [("throws", "exception", "this entry throws"), ("throws_int", "exception", "no std::"),
                                  ("number", "bad-result", "Double"), ("nothing", "bad-result", "nothing")]:
            with self.subTest(entry):
                candidate, fields = self.call(entry)
                error = self.fails(code, candidate, "call", **fields)
                self.assertEqual(error["stage"], "call")
                self.assertIn(text, error["text"])
                self.assertEqual(candidate.close(), 0)

    def test_death_in_the_call(self):
        for entry, status in [("crashes", -signal.SIGSEGV), ("exits", 0)]:
            with self.subTest(entry):
                candidate, fields = self.call(entry)
                with self.assertRaises(WorkerGone):
                    candidate.ask("call", **fields)
                self.assertEqual(candidate.process.wait(), status)

    def test_load(self):
        candidate = self.worker("candidate")
        self.fails("nothing-loaded", candidate, "call", case=SMALL, seed="1", arguments=["x"], receive=[])
        self.fails("load-failed", candidate, "load", library="/nowhere/lib.so", entry="good")
        self.fails("load-failed", candidate, "load", library=WORKER, entry="good")
        self.fails("entry-missing", candidate, "load", library=LIBRARY, entry="absent")

    def test_problem(self):
        judge = self.worker("judge")
        self.fails("bad-request", judge, "expect", case=SMALL, seed="1")
        fields = dict(parameters=[], tolerance={"relative": None, "absolute": None})
        self.fails("unsupported-language", judge, "open_problem", language="python", source="", **fields)
        error = self.fails("reference-error", judge, "open_problem", language="torchscript",
                           source=RELU.replace("relu", "rleu"), **fields)
        self.assertIn("rleu", error["text"])
        open_problem(judge, "def forward(self, x: Tensor) -> Tensor:\n    return torch.matmul(x, x)\n")
        self.fails("reference-failed", judge, "expect", case=SMALL, seed="1")

    def test_memory(self):
        judge = self.judge()
        error = self.fails("out-of-memory", judge, "expect", case=case(tensor("x", [1 << 20, 1 << 20])), seed="1")
        self.assertRegex(error["text"], r"needs 4\.0 TiB, and .* are free")
        judge.ask("expect", case=SMALL, seed="1")

    def test_requests(self):
        candidate = self.candidate("good")
        self.assertIn("'fly'", self.fails("unknown-command", candidate, "fly")["text"])
        self.fails("bad-request", candidate, "call", case=SMALL, seed="xyz", arguments=["x"], receive=[])
        self.fails("bad-request", candidate, "call", case=SMALL, seed="1", arguments=["z"], receive=[])
        self.fails("bad-request", candidate, "time", case=SMALL, seed="1", arguments=["x"], samples=0)
        self.fails("bad-request", candidate, "profile", case=SMALL, seed="1", arguments=["x"], level="deep")
        self.fails("bad-request", candidate, "call", case=case(tensor("x", [3], kind="gauss")), seed="1",
                   arguments=["x"], receive=[])
        self.fails("receive-failed", candidate, "call", case=SMALL, seed="1", arguments=["x"],
                   receive=[{"kind": "shm", "handle": "/cupel-absent", "bytes": 1 << 20}])
        self.fails("bad-request", self.silent_worker("judge"), "expect", case=SMALL, seed="1")

    def test_lines_that_are_no_requests(self):
        candidate = self.candidate("good")
        for line in [b"", b"{", b"[1]", b'{"id": 5, "nonce": "n"}', b"\xff\xfe"]:
            candidate.requests.write(line + b"\n")
            candidate.requests.flush()
            reply = json.loads(candidate.replies.readline())
            self.assertFalse(reply["ok"])
            self.assertEqual(reply.get("id"), 5 if b"id" in line else None)

    def test_device(self):
        self.fails("bad-request", self.silent_worker("judge"), "hello", device="tpu")

    def test_profile_without_a_gpu(self):
        candidate = self.candidate("good")
        reply = candidate.ask("profile", case=SMALL, seed="1", arguments=["x"], level="full")
        self.assertEqual((reply["state"], reply["reason"]["code"], reply["kernels"]),
                         ("not_measured", "no-cuda-device", []))

    def test_hello_probes_when_asked(self):
        candidate = self.worker("candidate")
        self.assertNotIn("counters", candidate.ask("hello", device="cpu")["features"])
        self.assertEqual(candidate.ask("hello", device="cpu", probe=True)["features"]["counters"], False)

    def test_ends_with_the_pipe(self):
        candidate = self.candidate("good")
        candidate.requests.close()
        self.assertEqual(candidate.process.wait(20), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
