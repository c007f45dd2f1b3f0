#!/usr/bin/env python3
"""Fails when a check lacks its page, its test, or the look-alikes that its level asks for.

usage: utils/check-checks.py CUPEL [SOURCE_FOLDER]
"""

import json
import pathlib
import re
import subprocess
import sys

LOOK_ALIKES = 10  # Of a check that rejects (design section 6); others need one.


def problems_of(check, root):
    module, name = check["id"].split("-", 1)
    page = root / "docs" / "checks" / module / f"{name}.md"
    if not page.exists():
        yield f"no page {page.relative_to(root)}"
    else:
        text = page.read_text()
        if not text.startswith(f"# {check['id']}\n"):
            yield f"{page.relative_to(root)} does not start with the check's id"
        if f"**Level:** {check['level']}" not in text:
            yield f"{page.relative_to(root)} does not say 'Level: {check['level']}'"
        for heading in ("## Why",):
            if heading not in text:
                yield f"{page.relative_to(root)} has no '{heading}'"
        if len(re.findall(r"```\w+\n.*?\S.*?```", text, re.S)) < 2:
            yield f"{page.relative_to(root)} lacks an example of what is found or of what is accepted"
    tests = sorted((root / "test" / "Checks" / module).glob(f"{name}*.*"))
    texts = [t.read_text(errors="replace") for t in tests]
    if not any(f"[{check['id']}]" in t and re.search(rf"CHECK.*{check['level']}", t) for t in texts):
        yield f"no test in test/Checks/{module}/{name}* expects its '{check['level']}'"
    accepted = sum(len(re.findall(r"(?://|#) accepted: ", t)) for t in texts)
    needed = LOOK_ALIKES if check["level"] == "reject" else 1
    if accepted < needed:
        yield f"{accepted} accepted look-alikes in its tests, {needed} are needed"
    if not check["summary"] or check["summary"].endswith("."):
        yield "its summary is empty or ends with a full stop"


def orphans(checks, root):
    ids = {c["id"] for c in checks}
    for page in sorted((root / "docs" / "checks").glob("*/*.md")):
        if f"{page.parent.name}-{page.stem}" not in ids:
            yield f"{page.relative_to(root)} is no check's page"


def main():
    cupel = sys.argv[1]
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    listed = subprocess.run([cupel, "checks", "list", "--format", "json"], capture_output=True,
                            text=True, check=True)
    checks = json.loads(listed.stdout)
    failures = [f"{c['id']}: {p}" for c in checks for p in problems_of(c, root)]
    failures += orphans(checks, root)
    for failure in failures:
        print(failure)
    print(f"{len(checks)} checks, {len(failures)} failures")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
