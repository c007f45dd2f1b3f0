"""Runs cupel_inspect from this file's own folder, also where Python is isolated (-I)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cupel_inspect.__main__ import main  # noqa: E402

main()
