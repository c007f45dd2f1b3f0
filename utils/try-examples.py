#!/usr/bin/env python3
"""Judges the submissions in docs/examples and compares the verdicts with the table of its README.

    utils/try-examples.py --out examples.jsonl              what is accepted, by `cupel eval`
    utils/try-examples.py --lint                            all of them, by `cupel lint`: nothing is built or run

Each result is printed, and written to --out, as soon as it is there. Exit status 1 when a verdict is another.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs/examples"


def rows():
    """(file, problem, expected) of each line of the table; a file can be tried on several problems."""
    for line in (EXAMPLES / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].endswith("`"):
            for problem in re.findall(r"`([^`]+)`", cells[1]):
                yield cells[0].strip("`"), problem, cells[2]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout, done.stderr


def lint(options, file, problem, expected):
    output, error = run([options.cupel, "lint", "--problem", problem, "--format", "json", str(EXAMPLES / file)])
    wanted = "rejected" if "by the linter" in expected else "accepted"
    try:
        submission = json.loads(output)["submissions"][0]
    except ValueError:
        return wanted, {"verdict": "none", "text": error.strip()}
    # What does not compile is for nvcc to say.
    if "does not compile" in expected:
        wanted = submission["verdict"]
    return wanted, {"verdict": submission["verdict"], "text": "; ".join(sorted({f["id"] for f in submission["findings"]}))}


def evaluate(options, file, problem, expected):
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.json"
        _, error = run([options.cupel, "eval", problem, str(EXAMPLES / file), "--json", str(record), "--device",
                        options.device, "--profile", options.profile, "--timeout", str(options.timeout),
                        *(f"--case={name}" for name in options.case)])
        wanted = expected.split(":")[0].split(" ")[0]
        if not record.exists():
            return wanted, {"verdict": "none", "text": error.strip()}
        record = json.loads(record.read_text())
    timing = record["timing"]
    speedup = [b["speedup"] for b in timing.get("baselines") or [] if b["name"] == "eager" and b["state"] == "measured"]
    return wanted, {"verdict": record["verdict"], "device": record["device"], "correctness": record["correctness"]["state"],
                    "candidate_us": timing.get("candidate_us"), "speedup": speedup[0] if speedup else None,
                    "text": "; ".join(reason["code"] for reason in record["reasons"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cupel", default=str(ROOT / "build/bin/cupel"))
    parser.add_argument("--lint", action="store_true")
    parser.add_argument("--all", action="store_true", help="also those that are rejected, one of which hangs")
    parser.add_argument("--device", default="auto", choices=["auto", "cuda", "cpu"])
    parser.add_argument("--profile", default="none", choices=["none", "basic", "full"])
    parser.add_argument("--timeout", type=int, default=60, metavar="S", help="for the run of one")
    parser.add_argument("--case", action="append", default=[], help="only this case; may be given again")
    parser.add_argument("--budget", type=float, default=1e9, metavar="S", help="none is begun after that")
    parser.add_argument("--out", metavar="FILE", help="one JSON object a line")
    parser.add_argument("only", nargs="*", metavar="FILE", help="as softmax.cu; default: all")
    options = parser.parse_args()
    begin, wrong, count = time.monotonic(), 0, 0
    for file, problem, expected in rows():
        if options.only and file not in options.only:
            continue
        if not (options.lint or options.all or expected.startswith("accepted")):
            continue
        start = time.monotonic()
        if start - begin > options.budget:
            print(f"no time left for {file} and what follows")
            return 1
        wanted, result = (lint if options.lint else evaluate)(options, file, problem, expected)
        good = result["verdict"] == wanted
        wrong, count = wrong + (not good), count + 1
        result = {"file": file, "problem": problem, "as_expected": good, **result,
                  "seconds": round(time.monotonic() - start, 1)}
        print(f"{'PASS' if good else 'FAIL'} {json.dumps(result)}", flush=True)
        if options.out:
            with open(options.out, "a") as lines:
                lines.write(json.dumps(result) + "\n")
    print(f"{count - wrong} of {count} as the table says")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
