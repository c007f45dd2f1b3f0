"""memory_peaks.py SOURCE < check.json: estimated memory at benchmark size against the peaks of docs/problems-h200.md."""

import json
import re
import statistics
import sys

peaks = {}
for line in open(f"{sys.argv[1]}/docs/problems-h200.md", encoding="utf-8"):
    if row := re.match(r"\| (\d)/\d+ \| (\S+) \|(?: [^|]* \|){4} +([\d.]+) \|", line):
        peaks[f"level{row[1]}/{row[2]}"] = float(row[3]) * 1e9
ratios = sorted(
    (problem["benchmark_memory"]["peak_bytes"] / peaks[problem["id"]], problem["id"]) for problem in json.load(sys.stdin)
)
if "-v" in sys.argv:
    for ratio, name in ratios:
        print(f"{ratio:.3f} {name}")


def within(share):
    return sum(1 - share <= ratio <= 1 + share for ratio, _ in ratios)


print(f"{len(ratios)} estimates, from {ratios[0][0]:.2f} to {ratios[-1][0]:.2f} of the peak,", end=" ")
print(f"median {statistics.median(ratio for ratio, _ in ratios):.2f}", end=", ")
print(f"{within(0.05)} within 5 %, {within(0.1)} within 10 %, {sum(ratio > 1.1 for ratio, _ in ratios)} higher")
