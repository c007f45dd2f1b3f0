"""Evaluates one submission under many values of the problem's `act` and prints what came of each.

    attack.py CUPEL SUBMISSION ACTS [--kill-cupel] [OPTION OF CUPEL EVAL]...

ACTS: `1-5,9`. On the CPU unless an option says otherwise. With --kill-cupel cupel gets SIGKILL while the submission runs. A line for each: the number, the verdict, the codes of all reasons. After each run nothing
may be left: no process (orphans come to this one), no file where cupel or a submission puts any, no shared
memory. What is left is printed as a line of its own and makes the exit status 1.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
INPUTS = pathlib.Path(__file__).parent
OPTIONS = [o for o in sys.argv[4:] if o != "--kill-cupel"]


def numbers(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def children():
    """Processes that this one has to answer for: pid and name."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
        except OSError:
            continue
        name, rest = stat[stat.index("(") + 1 :].rsplit(")", 1)
        if int(rest.split()[1]) == os.getpid():
            found.append(f"{entry.name} {name}")
    return found


def traces():
    """Names of what attacks of this folder try to leave outside of their own scratch folder."""
    names = set()
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/", "/usr/lib"):
        names |= {f"{folder}/{n}" for n in os.listdir(folder) if "cupel-hostile" in n}
    segments = pathlib.Path("/proc/sysvipc/shm")
    if segments.exists():
        names |= {f"sysv {l.split()[0]}" for l in segments.read_text().splitlines() if l.split()[0] == "1668641893"}
    return names


def submission(path, folder):
    """The submission with scale.h in the place of its mark: cupel takes one file."""
    text = pathlib.Path(path).read_text().replace("//@SCALE@\n", (INPUTS / "scale.h").read_text())
    file = folder / pathlib.Path(path).name
    file.write_text(text)
    return file


def start(cupel, source, act, folder):
    problem = folder / "scale.toml"
    problem.write_text((INPUTS / "scale.toml.in").read_text().replace("@ACT@", str(act)))
    # A folder of its own for temporary files, which must be empty afterwards. Others may enter it, as
    # they may enter /tmp: another user is what a candidate is.
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o711, exist_ok=True)
    return subprocess.Popen(
        [cupel, "eval", str(problem), str(source), "--device", "cpu", "--checks=-*",
         "--profile", "none", "--json", "-", "--timeout", "3", *OPTIONS],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        env={**os.environ, "TMPDIR": str(temporary), "CUPEL_SECRET": "42"},
    )


def left_behind(folder):
    files = [f"file {path}" for path in (folder / "tmp").iterdir()]
    return [f"process {child}" for child in children()] + files + sorted(traces())


def evaluate(cupel, source, act, folder):
    output, errors = start(cupel, source, act, folder).communicate(timeout=120)
    left = left_behind(folder)
    try:
        record = json.loads(output)
    except ValueError:
        return f"no record: {errors.strip()[:300]}", left, None
    codes = [r["code"] for r in record["reasons"] if r["code"] != "provenance-not-measured"]
    for case in record["correctness"].get("cases", []):
        codes += [r["code"] for r in case["reasons"]]
    return f"{record['verdict']} {' '.join(dict.fromkeys(codes))}".rstrip(), left, record


def candidate_runs(folder):
    """Whether a candidate with this folder in its environment is there, and so its keeper."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (b"\0candidate\0" in (process / "cmdline").read_bytes()
                    and os.fsencode(folder) in (process / "environ").read_bytes()):
                return True
        except OSError:  # It has ended, or is another user's.
            pass
    return False


def kill_cupel(cupel, source, act, folder):
    """Kills cupel when the submission is at work, and waits for its keepers."""
    running = start(cupel, source, act, folder)
    end = time.monotonic() + 60
    while not candidate_runs(folder):
        if time.monotonic() > end or running.poll() is not None:
            return "it did not come to a candidate", [], None
        time.sleep(0.01)
    time.sleep(1)
    running.kill()
    running.wait()
    end = time.monotonic() + 30
    while left_behind(folder) and time.monotonic() < end:
        try:
            os.waitpid(-1, os.WNOHANG)  # Orphans are ours to reap.
        except ChildProcessError:
            pass
        time.sleep(0.05)
    return "killed", left_behind(folder), None


def main():
    cupel, source, acts = sys.argv[1:4]
    attack = kill_cupel if "--kill-cupel" in sys.argv else evaluate
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    clean = True
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o711)
        folder = pathlib.Path(name)
        file = submission(source, folder)
        for act in numbers(acts):
            outcome, left, record = attack(cupel, file, act, folder)
            print(f"{act}: {outcome}", flush=True)
            for thing in left:
                print(f"{act}: LEFT BEHIND {thing}", flush=True)
            clean &= not left
            if os.environ.get("CUPEL_HOSTILE_VERBOSE") and record:
                print(json.dumps(record["reasons"] + record["correctness"]["cases"], indent=1))
    sys.exit(0 if clean else 1)


if __name__ == "__main__":
    main()
