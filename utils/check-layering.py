#!/usr/bin/env python3
"""Checks that each part of cupel uses only the parts it may use.

    check-layering.py [SOURCE_DIR]

Looks at the DEPENDS of every cupel_add_library and at every #include under lib/, include/cupel/ and
tools/. Prints each violation as FILE:LINE: error: TEXT and exits with status 1 if there is one.
"""

import pathlib
import re
import sys

# Library -> the libraries it may use, with the reason for the border. "Frontend <- Checks" in the
# design is Frontend in the row of Checks here. A phase never calls a later one.
ALLOWED = {
    # Knows nothing of kernels: errors, processes, files, text.
    "Support": set(),
    # What is asked for. Read before any submission is looked at.
    "Problem": {"Support"},
    # The submission, parsed; compares the entry with the problem.
    "Frontend": {"Support", "Problem"},
    # Judge what Frontend parsed.
    "Checks": {"Support", "Problem", "Frontend"},
    # CUDA on the CPU: rewrites what Frontend parsed.
    "Emulate": {"Support", "Problem", "Frontend"},
    # The halves of a submission: device code for nvcc, host code by Clang.
    "Split": {"Support", "Problem", "Frontend"},
    # Of Frontend only what it records of the entry and the launches, to write the adapter.
    "Build": {"Support", "Frontend"},
    # Statistics: pure computation.
    "Profile": {"Support"},
    # Runs what Build made, which it knows only as a path, by Profile's stopping rule.
    "Runner": {"Support", "Problem", "Profile"},
    # Reads the records of every phase and runs none.
    "Report": {"Support", "Problem", "Frontend", "Checks", "Build", "Profile", "Runner"},
    # Puts the phases in order.
    "Driver": {"Support", "Problem", "Frontend", "Checks", "Emulate", "Split", "Build", "Profile",
               "Runner", "Report"},
}

# Used through plain records in headers alone, so not linked: Build and its tests do without Clang.
HEADERS_ONLY = {("Build", "Frontend")}

# What comes from outside -> who may include it. The host half links no torch and no CUDA, and a
# compiler's internals stay where programs are understood.
OUTSIDE = {
    r"clang/": {"Frontend", "Checks", "Emulate", "Split"},
    r"toml\+\+/": {"Problem"},
    r"(ATen|c10|torch)/|cuda\w*\.h|cupti\w*\.h|nvrtc\.h|nvml\.h|nlohmann/": {"Worker"},
    r"llvm/": set(ALLOWED) | {"cupel"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
LIBRARY = re.compile(r"cupel_add_library\(\s*Cupel(\w+)(.*?)\)", re.DOTALL)
SOURCES = {".h", ".cpp", ".inc", ".def"}


class Checker:
    def __init__(self, root):
        self.root = root
        self.errors = []
        self.depends = {}
        self.used = {}  # (library, library it includes) -> first place

    def error(self, path, line, text):
        self.errors.append(f"{path.relative_to(self.root)}:{line}: error: {text}")

    def check(self):
        self.read_depends()
        for part, path in self.files():
            self.check_file(part, path)
        self.check_used_is_linked()
        return self.errors

    # CMake -----------------------------------------------------------------------------------

    def read_depends(self):
        for path in sorted((self.root / "lib").glob("*/CMakeLists.txt")):
            text = path.read_text()
            for match in LIBRARY.finditer(text):
                name, body = match.group(1), match.group(2)
                line = text.count("\n", 0, match.start()) + 1
                words = body.split()
                listed = words[words.index("DEPENDS") + 1:] if "DEPENDS" in words else []
                self.depends[name] = {w.removeprefix("Cupel") for w in listed}
                self.check_depends(path, line, name)

    def check_depends(self, path, line, name):
        if name not in ALLOWED:
            self.error(path, line, f"Cupel{name} is not in the table of utils/check-layering.py")
            return
        for other in sorted(self.depends[name] - ALLOWED[name] - {"LLVM", "Clang"}):
            self.error(path, line, f"Cupel{name} must not depend on Cupel{other}")
        if "Clang" in self.depends[name] and name not in OUTSIDE[r"clang/"]:
            self.error(path, line, f"Cupel{name} must not depend on CupelClang")

    # Includes --------------------------------------------------------------------------------

    def files(self):
        """Each source with the part it belongs to: a library, `Worker`, or a tool's name."""
        for top in ("lib", "include/cupel", "tools"):
            for path in sorted((self.root / top).rglob("*")):
                if path.suffix in SOURCES and path.is_file():
                    yield self.part_of(path), path

    def check_file(self, part, path):
        if part not in ALLOWED and part not in ("Worker", "cupel", "cupel-worker"):
            self.error(path, 1, f"'{part}' is not in the table of utils/check-layering.py")
            return
        for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if match := INCLUDE.match(text):
                self.check_include(part, path, line, match.group(2))

    def check_include(self, part, path, line, included):
        owner = "Worker" if part == "cupel-worker" else part
        # Headers that submissions include lie in share/, not in include/.
        if (match := re.match(r"cupel/(\w+)/", included)) and match.group(1) != "emulate":
            self.check_own_include(owner, path, line, included, match.group(1))
        if included.startswith(".") and self.part_of((path.parent / included).resolve()) != part:
            self.error(path, line, f"{included} is a private header of another part")
        for pattern, users in OUTSIDE.items():
            if re.match(pattern, included) and owner not in users:
                self.error(path, line, f"{part} must not include {included}")

    def part_of(self, path):
        """The part that a file under lib/, include/cupel/ or tools/ belongs to."""
        for top in ("lib", "include/cupel", "tools"):
            if path.is_relative_to(self.root / top):
                parts = path.relative_to(self.root / top).parts
                # The emulation's run-time belongs to the worker half.
                return "Worker" if parts[:2] == ("Emulate", "Runtime") else parts[0]
        return None

    def check_own_include(self, owner, path, line, included, library):
        if not (self.root / "include" / included).is_file():
            self.error(path, line, f"{included} is not in include/")
        if owner == "Worker":
            self.error(path, line, f"the worker must not include {included}")
        elif owner == "cupel":
            if library not in ("Driver", "Support"):
                self.error(path, line, f"the tool must go through Driver, not {included}")
        elif library != owner and library not in ALLOWED[owner]:
            self.error(path, line, f"{owner} must not use {library} ({included})")
        elif library != owner:
            self.used.setdefault((owner, library), (path, line))

    def check_used_is_linked(self):
        """What is included must be linked, directly or through what is linked."""
        for (owner, library), (path, line) in self.used.items():
            if owner not in self.depends or (owner, library) in HEADERS_ONLY:
                continue
            if library not in self.reachable(owner):
                self.error(path, line, f"Cupel{owner} uses {library} but its DEPENDS lacks Cupel{library}")

    def reachable(self, name):
        found, todo = set(), [name]
        while todo:
            for other in self.depends.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    checker = Checker(root)
    errors = checker.check()
    for error in errors:
        print(error, file=sys.stderr)
    if not checker.depends:
        sys.exit(f"check-layering.py: no libraries found in {root}")
    if errors:
        sys.exit(1)
    print(f"{len(checker.depends)} libraries keep to their layers")


if __name__ == "__main__":
    main()
