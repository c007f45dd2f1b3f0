#!/usr/bin/env python3
"""Makes the files of a new check: header, source, docs page, lit test, and the lines in its module.

usage: utils/new-check.py MODULE NAME [--level reject|warn|note] [--summary TEXT]

The check's id is MODULE-NAME. A module that does not exist yet is made. What it writes builds and
its test fails until the check is written: the check finds nothing, the test expects a finding.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKS = ROOT / "lib" / "Checks"


def banner(file, text):
    head = f"//===- {file} - {text} "
    return head + "-" * max(3, 76 - len(head)) + "===//"


def camel(name):
    return "".join(word.capitalize() for word in name.split("-"))


HEADER = """{banner}
#ifndef {guard}
#define {guard}

#include "cupel/Checks/Check.h"

namespace cupel {{

class {cls}Check : public Check {{
public:
  {cls}Check();
  void run(CheckContext &Context) const override;
}};

}} // namespace cupel

#endif // {guard}
"""

SOURCE = """{banner}

#include "{cls}.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {{

{cls}Check::{cls}Check()
    : Check("{id}", Level::{level},
            "{summary}") {{}}

void {cls}Check::run(CheckContext &Context) const {{
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {{
      // Context.report(*this, Level::{level}, *Use, "...");
      (void)Use;
    }}
}}

}} // namespace cupel
"""

PAGE = """# {id}

**Level:** {word}

{summary}.

## Why

## {verb}

```cpp
```

## Accepted

```cpp
```
"""

TEST = """// RUN: not %cupel lint --checks={id} %s | FileCheck %s --implicit-check-not='[{id}]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: {name}.cu:[[#@LINE+1]]:{{{{[0-9]+}}}}: {word}: {{{{.*}}}} [{id}]
at::Tensor found(at::Tensor x) {{ return x; }}

// Look-alikes. None of them may be reported; a check that rejects needs ten lines with "accepted:".
at::Tensor accepted(at::Tensor x) {{
  return x; // accepted: say why
}}
"""

MODULE = """{banner}

#include "../Modules.h"
#include "cupel/Checks/Check.h"

namespace cupel {{

void register{Module}Checks(CheckRegistry &Registry) {{
}}

}} // namespace cupel
"""


def write(path, text):
    if path.exists():
        sys.exit(f"new-check.py: {path.relative_to(ROOT)} exists already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(f"wrote {path.relative_to(ROOT)}")


def insert_sorted(path, pattern, line):
    """Puts a line among those that match the pattern, in alphabetical order."""
    lines = path.read_text().split("\n")
    same = [i for i, text in enumerate(lines) if re.match(pattern, text)]
    at = next((i for i in same if lines[i] > line), same[-1] + 1 if same else None)
    if at is None:
        return False
    lines.insert(at, line)
    path.write_text("\n".join(lines))
    print(f"changed {path.relative_to(ROOT)}")
    return True


def make_module(module):
    cap = camel(module)
    path = CHECKS / cap / f"{cap}Checks.cpp"
    write(path, MODULE.format(banner=banner(path.name, f"the checks of module {module}"), Module=cap))
    insert_sorted(CHECKS / "Modules.h", r"void register\w+Checks",
                  f"void register{cap}Checks(CheckRegistry &Registry);")
    insert_sorted(CHECKS / "Modules.cpp", r"  register\w+Checks\(Registry\)",
                  f"  register{cap}Checks(Registry);")
    return path


def register(path, cls):
    insert_sorted(path, r'#include "(\.\./|cupel|\w+\.h)', f'#include "{cls}.h"')
    text = path.read_text()
    line = f"  Registry.add<{cls}Check>();"
    if "Registry.add<" in text:
        insert_sorted(path, r"  Registry\.add<", line)
        return
    path.write_text(re.sub(r"(void register\w+Checks\(CheckRegistry &Registry\) \{\n)",
                           r"\1" + line + "\n", text))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module")
    parser.add_argument("name")
    parser.add_argument("--level", choices=["reject", "warn", "note"], default="reject")
    parser.add_argument("--summary", default="One line that says what is found")
    args = parser.parse_args()
    for word in (args.module, args.name):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word):
            sys.exit(f"new-check.py: '{word}' is not in lower case with hyphens")
    if "-" in args.module:
        sys.exit("new-check.py: the module is one word, the first of the id")

    cls, check = camel(args.name), f"{args.module}-{args.name}"
    folder = CHECKS / camel(args.module)
    values = dict(
        cls=cls, id=check, name=args.name, level=args.level.capitalize(), word=args.level,
        summary=args.summary.rstrip("."),
        verb={"reject": "Rejected", "warn": "Warned", "note": "Noted"}[args.level],
        guard=f"CUPEL_LIB_CHECKS_{camel(args.module).upper()}_{cls.upper()}_H",
    )
    write(folder / f"{cls}.h", HEADER.format(banner=banner(f"{cls}.h", check), **values))
    write(folder / f"{cls}.cpp", SOURCE.format(banner=banner(f"{cls}.cpp", check), **values))
    write(ROOT / "docs" / "checks" / args.module / f"{args.name}.md", PAGE.format(**values))
    write(ROOT / "test" / "Checks" / args.module / f"{args.name}.cu", TEST.format(**values))
    module_list = folder / f"{camel(args.module)}Checks.cpp"
    register(module_list if module_list.exists() else make_module(args.module), cls)


if __name__ == "__main__":
    main()
