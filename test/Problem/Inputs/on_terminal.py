"""on_terminal.py COLUMNS COMMAND...: what COMMAND prints to a terminal of that width."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
child = subprocess.Popen(sys.argv[2:], stdout=theirs, env=environment)
os.close(theirs)
output = b""
while True:
    try:
        part = os.read(ours, 65536)
    except OSError:  # The other end is closed.
        break
    if not part:
        break
    output += part
sys.stdout.buffer.write(output.replace(b"\r\n", b"\n"))
sys.exit(child.wait())
