#!/usr/bin/env python3
"""Looks for `.py` submissions that break the inspection (share/python/cupel_inspect).

usage: fuzz_python.py [--seconds N] [--random SEED] [--timeout S] [--save FOLDER] SEED_FOLDER...

Mutates the `.py` files below the seed folders: bytes, lines and subtrees of the syntax tree, from one
seed or from two. An input that reaches new lines of the inspection is kept for further mutation. Each
runs in this process, in the time of --timeout; the process may take 2 GiB. An exception other than those
that the command tells the user is a crash; more than the time is a hang. Either is printed with its
input (kept in --save) and ends the hunt with exit status 1.

Coverage comes from sys.settrace, so nothing but the standard library is needed.
"""

import argparse
import ast
import copy
import hashlib
import json
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "share" / "python"))

from cupel_inspect import __main__ as command  # noqa: E402

PACKAGE = str(pathlib.Path(command.__file__).parent)
LONGEST = 60_000  # Characters of an input.

SNIPPETS = [
    "x = x + x", "s = 'a' * 1000000", "s = s.replace('a', s)", "'%99999999d' % 1", "f'{s:>99999999}'",
    "n = 10 ** 64 ** 2", "n = n * n", "'{0}{1}'.format(s)", "s.join([s, s])", "b'\\x00' * 100",
    "'\\ud800'", "'\\x4'", "f'{x!r:{y}}'", "class A(A): pass", "self.forward(x)", "x[::0]", "del x",
    "global x", "lambda: (yield)", "[*x, *y]", "{**x}", "print(*x, **y)", "x: int", "import torch as t",
    "from .. import x", "async def f(): await f()", "with open(x) as f: f.write(s)", "while True: pass",
    "try:\n    pass\nexcept* ValueError:\n    pass", "match x:\n    case [a, *b]:\n        pass",
    "load_inline(name='m', cuda_sources=[s], functions=['f'])", "m = load(name='m', sources=['a.cu'])",
    "x.upper()", "'\u00df'.upper()", "'%c' % -1", "'{:c}'.format(-1)", "str(10 ** 5000)", "-x", "not x",
]


class Hang(BaseException):
    """Over the time; no Exception, so that nobody on the way takes it for one."""


def on_alarm(*_):
    raise Hang()


class Coverage:
    """Lines of the package that ran, each after which other line of its function."""

    def __init__(self):
        self.seen, self.fresh = set(), False

    def trace(self, frame, event, _):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        last = [0]

        def lines(frame, event, _):
            if event == "line":
                edge = (frame.f_code, last[0], frame.f_lineno)
                last[0] = frame.f_lineno
                if edge not in self.seen:
                    self.seen.add(edge)
                    self.fresh = True
            return lines
        return lines


def inspect(data, path):
    """As the command does it, but for exceptions: those that it has no answer to come out."""
    path.write_bytes(data)
    try:
        text = command.read(path)
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    json.dumps(command.inspect(path))


def failure_of(data, path, coverage, timeout):
    """The traceback of a crash, "hang", or None."""
    coverage.fresh = False
    signal.setitimer(signal.ITIMER_REAL, timeout)
    sys.settrace(coverage.trace)
    try:
        inspect(data, path)
    except Hang:
        return "hang: longer than %g s" % timeout
    except Exception:
        return traceback.format_exc(limit=-6)
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


class Mutator:
    def __init__(self, seeds, rng):
        self.corpus, self.rng = list(seeds), rng

    def next(self):
        data = self.rng.choice(self.corpus)
        for _ in range(self.rng.choice([1, 1, 1, 2, 3, 5])):
            data = self.rng.choice([self.bytes, self.lines, self.snippet, self.tree, self.tree])(data)
        return data[:LONGEST]

    def bytes(self, data):
        data, rng = bytearray(data), self.rng
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data) + 1)
            what = rng.randrange(4)
            if what == 0:
                del data[at:at + rng.randint(1, 20)]
            elif what == 1:
                data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 4)))
            elif what == 2:
                data[at:at] = data[at:at + rng.randint(1, 40)] * rng.randint(1, 8)
            else:
                data[at:at] = rng.choice([b"\0", b"\r", b"\xef\xbb\xbf", b"{", b"}", b"\\", b'"""', b"'",
                                          b"f'", b"rb'", b"(" * 60, b"\xff"])
        return bytes(data)

    def lines(self, data):
        rng = self.rng
        lines, others = data.split(b"\n"), rng.choice(self.corpus).split(b"\n")
        at, other = rng.randrange(len(lines)), rng.randrange(len(others))
        count = rng.randint(1, 6)
        lines[at:at + rng.choice([0, count])] = others[other:other + count]
        return b"\n".join(lines)

    def snippet(self, data):
        lines = data.split(b"\n")
        at = self.rng.randrange(len(lines))
        indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
        new = self.rng.choice(SNIPPETS).encode().replace(b"\n", b"\n" + indent)
        lines.insert(at, indent + new)
        return b"\n".join(lines)

    def tree(self, data):
        """Puts an expression or a statement of some seed into the place of another."""
        try:
            ours, theirs = ast.parse(data), ast.parse(self.rng.choice(self.corpus))
            kind = self.rng.choice([ast.expr, ast.stmt])
            places = [(node, field, i) for node in ast.walk(ours)
                      for field, value in ast.iter_fields(node)
                      for i, item in enumerate(value if isinstance(value, list) else [value])
                      if isinstance(item, kind)]
            parts = [n for n in ast.walk(theirs) if isinstance(n, kind)]
            node, field, i = self.rng.choice(places)
            new = copy.deepcopy(self.rng.choice(parts))
            if isinstance(getattr(node, field), list):
                getattr(node, field)[i] = new
            else:
                setattr(node, field, new)
            return ast.unparse(ours).encode(errors="replace")
        except Exception:  # No tree, or one that cannot be written: the bytes do as well.
            return self.bytes(data)


def seeds_below(folders):
    # What is meant to be slow is tested elsewhere.
    files = sorted(f for folder in folders for f in pathlib.Path(folder).rglob("*.py")
                   if f.parent.name != "robustness")
    return [f.read_bytes() for f in files if f.stat().st_size <= LONGEST]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--random", type=int, default=None, help="seed of the random numbers")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one input")
    parser.add_argument("--save", type=pathlib.Path, default=None, help="folder for what fails")
    parser.add_argument("folders", nargs="+", help="with seeds")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    sys.setrecursionlimit(command.RECURSION_LIMIT)
    signal.signal(signal.SIGALRM, on_alarm)
    seeds = seeds_below(args.folders)
    if not seeds:
        sys.exit("fuzz_python.py: no .py file below " + " ".join(args.folders))
    mutator = Mutator(seeds, random.Random(args.random))
    coverage, failures, slowest, runs = Coverage(), {}, 0.0, 0
    end = time.monotonic() + args.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "input.py"
        while runs < len(seeds) or time.monotonic() < end:
            data = seeds[runs] if runs < len(seeds) else mutator.next()
            begin = time.monotonic()
            failure = failure_of(data, path, coverage, args.timeout)
            slowest, runs = max(slowest, time.monotonic() - begin), runs + 1
            if failure is not None:
                # One input for each place that fails.
                failures.setdefault(failure.strip().split("\n")[-3:][0] + failure[-80:], (failure, data))
            elif coverage.fresh and runs > len(seeds):
                mutator.corpus.append(data)
    for failure, data in failures.values():
        name = hashlib.sha256(data).hexdigest()[:16] + ".py"
        print(failure, name, sep="\n")
        if args.save:
            args.save.mkdir(parents=True, exist_ok=True)
            (args.save / name).write_bytes(data)
        else:
            print(repr(data[:4000]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{len(seeds)} seeds, {runs} inputs, {len(coverage.seen)} edges, "
          f"{len(mutator.corpus) - len(seeds)} inputs kept, {len(failures)} failures, "
          f"slowest {slowest:.1f} s, {memory} MiB")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
