#!/usr/bin/env python3
"""Compares the worker's counters with those of ncu, kernel by kernel, and prints the ratios.

Kernels of utils/smoke: one bound by memory, one by arithmetic, two small ones. Of each figure the median
of several profiles, with half its range in percent. Issue: occupancy and DRAM figures within 2 % of ncu for
the same kernel and sizes. Where ncu's own values of one kernel differ by more (those of 2 us do by 20 %), a
median inside their range counts too, and the line says so. Then the time of a whole process that takes
all counters of one call, and of one profile more in it, beside those under `ncu --set full` with the same metrics, and what
either adds to a process without counters: the issue asks for a tenth. Exit status 1 when a figure is neither, or more is added.
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker_client import Worker, case, tensor  # noqa: E402

CASES = [
    ("memory", "cupel_call_0", "smokeRelu", case(tensor("x", [8192, 16384]))),
    ("compute", "cupel_call_1", "smokeMatmul", case(tensor("a", [2048, 2048]), tensor("b", [2048, 2048]))),
    ("small", "cupel_call_0", "smokeRelu", case(tensor("x", [16, 16384]))),
    ("tiny", "cupel_call_0", "smokeRelu", case(tensor("x", [4, 1024]))),
]

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"

# (our key, ncu's metric, factor from ncu's unit to ours, judged)
FIGURES = [
    ("theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct", 0.01, True),
    ("achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", 0.01, True),
    ("dram_bytes", "dram__bytes.sum", 1, True),
    ("dram_gb_per_s", "dram__bytes.sum.per_second", 1e-9, True),
    ("dram_percent", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, True),
    ("l2_hit_rate", "lts__t_sector_hit_rate.pct", 0.01, False),
    ("sm_percent", "sm__throughput.avg.pct_of_peak_sustained_elapsed", 1, False),
    ("tensor_percent", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 1, False),
    ("l2_percent", "lts__throughput.avg.pct_of_peak_sustained_elapsed", 1, False),
    ("l2_bytes", "lts__t_bytes.sum", 1, False),
    ("l1_hit_rate", "l1tex__t_sector_hit_rate.pct", 0.01, False),
    ("issue_percent", "smsp__issue_active.avg.pct_of_peak_sustained_active", 1, False),
    ("load_sector_use", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 0.01, True),
    ("store_sector_use", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 0.01, True),
    ("shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1, False),
    ("local_load_bytes", "l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum", 1, True),
    ("long_scoreboard", STALL.format("long_scoreboard"), 1, False),
    ("registers", "launch__registers_per_thread", 1, True),
    ("time_us", "gpu__time_duration.sum", 1e-3, False),
]


def spread(values):
    """Half of what lies between the least and the greatest, in percent of the median."""
    middle = statistics.median(values)
    return f"{50 * (max(values) - min(values)) / middle:.1f} %" if middle else "-"


def arguments_of(the_case):
    return [entry["name"] for entry in the_case["inputs"]]


def from_worker(options, entry, kernel, the_case):
    worker = Worker(options.worker, "candidate")
    worker.ask("hello", device="cuda")
    worker.ask("load", library=options.library, entry=entry)
    values = {}
    for _ in range(options.repeat):
        reply = worker.ask("profile", case=the_case, seed="1", arguments=arguments_of(the_case), level="full")
        if reply["state"] != "measured":
            sys.exit(f"not measured: {reply['reason']}")
        records = [record for record in reply["kernels"] if kernel in record["name"]]
        if not records:
            sys.exit(f"no kernel {kernel} in {reply['kernels']}")
        if records[0]["state"] != "measured":
            sys.exit(f"counters not measured: {records[0]['reason']}")
        found = dict(records[0])
        for stall in found["stalls"]:
            found[stall["reason"]] = stall["cycles_per_instruction"]
        for key, *_ in FIGURES:
            if found.get(key) is not None:
                values.setdefault(key, []).append(found[key])
    worker.close()
    return values


def seconds_of(options, entry, the_case, prefix, command, **fields):
    """(seconds of a process that answers the command once, start and end included; seconds of a second answer)."""
    start = time.monotonic()
    worker = Worker(options.worker, "candidate", prefix=prefix, through_stdio=True)
    worker.ask("hello", device="cuda", **({"counters": fields["level"]} if command == "profile" else {}))
    worker.ask("load", library=options.library, entry=entry)
    request = {"case": the_case, "seed": "1", "arguments": arguments_of(the_case), **fields}
    worker.ask(command, **request)
    whole = time.monotonic() - start
    worker.ask(command, **request)
    again = worker.seconds
    start = time.monotonic()
    worker.close()
    return whole + time.monotonic() - start, again


def compare_times(options, name, entry, kernel, the_case):
    """Whether all counters of one call come ten times as fast as from `ncu --set full` with the same metrics. What
    counts is what either adds to a process that makes the call without counters: CUDA's start is nobody's doing."""
    ncu = [options.ncu, "--clock-control", "none", "--set", "full", "--log-file", os.devnull,
           "--kernel-name", f"regex:{kernel}", "--metrics", ",".join(f[1] for f in FIGURES)]
    plain = seconds_of(options, entry, the_case, (), "call", receive=[])
    ours = seconds_of(options, entry, the_case, (), "profile", level="full")
    theirs = seconds_of(options, entry, the_case, ncu, "call", receive=[])
    rows = [("a process, one call", ours[0], theirs[0]), ("added to it", ours[0] - plain[0], theirs[0] - plain[0]),
            ("a second call", ours[1], theirs[1]), ("added to it", ours[1] - plain[1], theirs[1] - plain[1])]
    for what, mine, other in rows:
        print(f"{name:8} {what:24} {mine:12.2f} s {'':8} {other:12.2f} s {'':8} {other / mine:7.1f}x", flush=True)
    return rows[1][2] >= 10 * rows[1][1]


def from_ncu(options, entry, kernel, the_case):
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "ncu.csv")
        prefix = [options.ncu, "--clock-control", "none", "--csv", "--print-units", "base", "--log-file", log,
                  "--kernel-name", f"regex:{kernel}", "--metrics", ",".join(f[1] for f in FIGURES)]
        worker = Worker(options.worker, "candidate", prefix=prefix, through_stdio=True)
        worker.ask("hello", device="cuda")
        worker.ask("load", library=options.library, entry=entry)
        for _ in range(options.repeat):
            worker.ask("call", case=the_case, seed="1", arguments=arguments_of(the_case), receive=[])
        worker.close()
        with open(log) as lines:
            text = lines.read()
    rows = [line for line in text.splitlines() if line.startswith('"')]
    values = {}
    for row in csv.DictReader(rows):
        if value := row["Metric Value"].replace(",", ""):
            values.setdefault(row["Metric Name"], []).append(float(value))
    if not values:
        print("  ncu gave nothing:\n" + text)
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--library", required=True, help="of utils/smoke, built by utils/gpu-smoke.sh")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--repeat", type=int, default=9, help="profiles whose median is taken, of either side")
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    subprocess.run([options.ncu, "--version"], check=True, stdout=subprocess.DEVNULL)
    within = quick = True
    print(f"{'kernel':8} {'figure':24} {'cupel':>14} {'+-':>8} {'ncu':>14} {'+-':>8} {'ratio':>8}")
    for name, entry, kernel, the_case in CASES:
        ours = from_worker(options, entry, kernel, the_case)
        theirs = from_ncu(options, entry, kernel, the_case)
        for key, metric, factor, judged in FIGURES:
            if key not in ours or metric not in theirs:
                print(f"{name:8} {key:24} {str(ours.get(key)):>14} {str(theirs.get(metric)):>14} {'-':>8}")
                within = within and not judged
                continue
            mine = statistics.median(ours[key])
            others = [value * factor for value in theirs[metric]]
            other = statistics.median(others)
            ratio = mine / other if other else (1.0 if mine == 0 else float("inf"))
            close = abs(ratio - 1) <= 0.02
            good = close or min(others) <= mine <= max(others)
            mark = ("" if not judged else "  ok" if close else "  ok: as far apart as ncu from itself" if good
                    else "  OFF by more than 2 %")
            within = within and (good or not judged)
            print(f"{name:8} {key:24} {mine:14.6g} {spread(ours[key]):>8} {other:14.6g} {spread(others):>8} "
                  f"{ratio:8.4f}{mark}", flush=True)
        quick = compare_times(options, name, entry, kernel, the_case) and quick
    print("all judged figures agree with ncu" if within else "not all judged figures agree with ncu")
    print("ten times as fast as ncu" if quick else "not ten times as fast as ncu")
    return 0 if within and quick else 1


if __name__ == "__main__":
    sys.exit(main())
