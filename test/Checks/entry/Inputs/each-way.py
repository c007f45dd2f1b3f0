"""each-way.py CUPEL TEMPLATE PROBLEM OUTPUT: lints the template once with each line between its `#if 0`
and `#endif` alone, and says whether any of them has a finding of the module `entry`."""

import json
import subprocess
import sys

cupel, template, problem, output = sys.argv[1:]
head, rest = open(template).read().split("#if 0\n")
lines = rest.split("#endif")[0].splitlines()
reported = 0
for line in lines:
    with open(output, "w") as file:
        file.write(head + line + "\n")
    command = [cupel, "lint", "--format", "json", "--checks=entry-*", "--problem", problem, output]
    done = subprocess.run(command, capture_output=True, text=True)
    record = json.loads(done.stdout)["submissions"][0]
    assert record["parse"] == "complete" and record["verdict"], record
    for finding in record["findings"]:
        reported += 1
        print(line, finding)
print(len(lines), "ways,", reported or "none", "reported")
