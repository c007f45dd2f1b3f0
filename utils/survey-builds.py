#!/usr/bin/env python3
"""How real submissions build: a table of ways, times and what sent some to a fallback.

    utils/survey-builds.py [--survey build/bin/build-survey] [--records FILE] FILE...
    utils/survey-builds.py --records FILE

Builds each FILE (.cu, or .py with load_inline) with utils/build-survey, which judges and runs nothing, and appends
its lines of JSON to --records; without files it makes the table of records that are there. A submission without a
function that a caller could be given (no binding, arguments that only Python has) is counted apart: it is built by nobody.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_ENTRY = {"entry-missing", "entry-unsupported"}


def build(survey, file):
    done = subprocess.run([survey, file], capture_output=True, text=True)
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode:
        records.append({"file": file, "state": "crashed", "reason": f"exit status {done.returncode}"})
    return records


def plain(reason, file):
    """Without the place, which is another one in each submission."""
    return " ".join(reason.replace(file, "").split())


def table(records):
    codes = {id(r): {reason["code"] for reason in r.get("reasons", [])} for r in records}
    usable = [r for r in records if not codes[id(r)] & NO_ENTRY]
    built = [r for r in usable if r["state"] in ("built", "cached")]
    ways = collections.Counter(r["strategy"] for r in built)
    print(f"{len(records)} submissions, {len(usable)} with a usable entry, {len(built)} built")
    for way, count in ways.most_common():
        seconds = sorted(r["seconds"] for r in built if r["strategy"] == way and r["state"] == "built")
        times = f"median {statistics.median(seconds):.2f} s, longest {seconds[-1]:.2f} s" if seconds else "all cached"
        print(f"  {way:<10} {count:>4} ({100 * count / len(built):.1f} % of those built)  {times}")
    print("\nBuilt by a fallback:")
    for r in built:
        if r["attempts"]:
            print(f"  {r['file']}: {r['strategy']}")
            for a in r["attempts"]:
                print(f"    {a['strategy']}, {a['seconds']:.1f} s: {plain(a['reason'], r['file'])}")
    print("\nNot built:")
    for r in usable:
        if r not in built:
            why = [reason["text"] for reason in r.get("reasons", [])] or [r.get("reason", "")]
            print(f"  {r['file']}: {plain(why[0], r['file'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--survey", default=str(ROOT / "build" / "bin" / "build-survey"))
    parser.add_argument("--records", help="file of JSON lines")
    options = parser.parse_args()
    if not options.files and not options.records:
        parser.error("no submissions and no records")
    records = []
    if options.records and pathlib.Path(options.records).exists():
        records = [json.loads(line) for line in open(options.records)]
    for file in options.files:
        new = build(options.survey, file)
        records += new
        if options.records:
            with open(options.records, "a") as out:
                out.writelines(json.dumps(r) + "\n" for r in new)
    table(records)


if __name__ == "__main__":
    main()
