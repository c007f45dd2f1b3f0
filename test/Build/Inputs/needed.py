"""Prints the libraries that the library of a record needs."""

import json
import subprocess
import sys

library = json.load(open(sys.argv[1]))["build"]["library"]
dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
print("\n".join(line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line))
