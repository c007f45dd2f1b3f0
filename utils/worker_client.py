"""Talks to a cupel-worker process (docs/protocol.md); for the programs in utils/ and the tests."""

import json
import os
import secrets
import subprocess
import time


class WorkerFailed(Exception):
    """The worker answered with an error record; .error is it."""

    def __init__(self, error):
        super().__init__(f"{error.get('stage')}: {error.get('code')}: {error.get('text')}")
        self.error = error


class WorkerGone(Exception):
    """The worker ended without an answer."""


class Worker:
    def __init__(self, program, role, prefix=(), through_stdio=False, **popen):
        """Starts `program role`; prefix is a command that runs it, such as a profiler. A prefix may close
        inherited descriptors, so through_stdio uses standard input and output instead."""
        self.count = 0
        if through_stdio:
            command = [*prefix, program, role, "--request-fd", "0", "--reply-fd", "1"]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **popen
            )
            self.requests, self.replies = self.process.stdin, self.process.stdout
            return
        request_read, request_write = os.pipe()
        reply_read, reply_write = os.pipe()
        command = [*prefix, program, role, "--request-fd", str(request_read), "--reply-fd", str(reply_write)]
        self.process = subprocess.Popen(command, pass_fds=(request_read, reply_write), **popen)
        os.close(request_read)
        os.close(reply_write)
        self.requests = os.fdopen(request_write, "wb")
        self.replies = os.fdopen(reply_read, "rb")

    def ask(self, command, **fields):
        """The reply's fields. Raises WorkerFailed or WorkerGone."""
        self.count += 1
        nonce = secrets.token_hex(8)
        request = {"id": self.count, "nonce": nonce, "command": command, **fields}
        start = time.monotonic()
        try:
            self.requests.write(json.dumps(request).encode() + b"\n")
            self.requests.flush()
        except BrokenPipeError as error:
            raise WorkerGone(f"status {self.process.wait()}") from error
        while True:
            line = self.replies.readline()
            if not line:
                raise WorkerGone(f"status {self.process.wait()}")
            if line.startswith(b"{"):  # A profiler around the worker writes lines of its own.
                break
        self.seconds = time.monotonic() - start
        reply = json.loads(line)
        assert reply["id"] == self.count and reply["nonce"] == nonce, line
        if not reply["ok"]:
            raise WorkerFailed(reply["error"])
        return reply

    def close(self):
        """Ends the worker; its exit status."""
        try:
            self.ask("close")
        except (WorkerGone, BrokenPipeError):
            pass
        try:
            self.requests.close()
        except BrokenPipeError:  # What it did not read any more is still to be flushed.
            pass
        self.replies.close()
        return self.process.wait()


def tensor(name, shape, dtype="float32", **init):
    """One input or parameter of a case; normal values unless init says otherwise."""
    return {
        "name": name,
        "dtype": dtype,
        "shape": list(shape),
        "init": init or {"kind": "normal", "mean": 0.0, "std": 1.0},
    }


def case(*inputs, parameters=(), name="case"):
    return {"name": name, "inputs": list(inputs), "parameters": list(parameters)}


NO_TOLERANCE = {"relative": None, "absolute": None}


def open_problem(judge, source, parameters=(), tolerance=None):
    return judge.ask(
        "open_problem",
        language="torchscript",
        source=source,
        parameters=list(parameters),
        tolerance=tolerance or NO_TOLERANCE,
    )
