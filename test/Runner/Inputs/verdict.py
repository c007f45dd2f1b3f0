"""Runs `cupel eval` and prints exit status, verdict, codes of the reasons, and states."""

import json
import subprocess
import sys

done = subprocess.run(
    [sys.argv[1], "eval", *sys.argv[2:], "--json", "-"], capture_output=True, text=True, timeout=500
)
sys.stderr.write(done.stderr)
record = json.loads(done.stdout)
print("exit", done.returncode)
print("verdict", record["verdict"])
for reason in record["reasons"]:
    print("reason", reason["code"], "|", reason["text"])
print("correctness", record["correctness"]["state"])
print("timing", record["timing"]["state"])
