"""check-layering.py says yes to a tree in order and names each planted violation."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "utils" / "check-layering.py"

TREE = {
    "lib/Support/CMakeLists.txt": "cupel_add_library(CupelSupport\n  A.cpp\n  DEPENDS CupelLLVM)\n",
    "lib/Support/A.cpp": '#include "cupel/Support/A.h"\n#include "llvm/ADT/StringRef.h"\n',
    "include/cupel/Support/A.h": "\n",
    "lib/Problem/CMakeLists.txt": "cupel_add_library(CupelProblem B.cpp DEPENDS CupelSupport)\n",
    "lib/Problem/B.cpp": '#include "cupel/Support/A.h"\n#include <toml++/toml.h>\n',
    "lib/Problem/Inner/C.cpp": '#include "../Private.h"\n',
    "lib/Problem/Private.h": "\n",
    "lib/Worker/W.cpp": "#include <torch/script.h>\n#include <cuda_runtime_api.h>\n",
    "tools/cupel/cupel.cpp": '#include "cupel/Driver/D.h"\n',
    "include/cupel/Driver/D.h": "\n",
}


class CheckLayering(unittest.TestCase):
    def run_on(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return subprocess.run(
                [sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False
            )

    def assert_violation(self, changes, expected):
        done = self.run_on(changes)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(expected, done.stderr)

    def test_accepts_a_tree_in_order(self):
        done = self.run_on({})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "2 libraries keep to their layers\n")

    def test_names_a_link_upwards(self):
        self.assert_violation(
            {"lib/Support/CMakeLists.txt": "cupel_add_library(CupelSupport A.cpp DEPENDS CupelProblem)"},
            "lib/Support/CMakeLists.txt:1: error: CupelSupport must not depend on CupelProblem")

    def test_names_an_include_upwards(self):
        self.assert_violation(
            {"lib/Support/A.cpp": '\n#include "cupel/Problem/P.h"\n', "include/cupel/Problem/P.h": ""},
            "lib/Support/A.cpp:2: error: Support must not use Problem (cupel/Problem/P.h)")

    def test_names_what_is_included_but_not_linked(self):
        self.assert_violation(
            {"lib/Problem/CMakeLists.txt": "cupel_add_library(CupelProblem B.cpp DEPENDS CupelLLVM)"},
            "lib/Problem/B.cpp:1: error: CupelProblem uses Support but its DEPENDS lacks CupelSupport")

    def test_names_foreign_headers_in_the_wrong_place(self):
        for part, header, name in [
            ("lib/Problem/B.cpp", "<clang/AST/Decl.h>", "Problem"),
            ("lib/Problem/B.cpp", "<cuda_runtime.h>", "Problem"),
            ("lib/Support/A.cpp", "<toml++/toml.h>", "Support"),
            ("lib/Worker/W.cpp", '"llvm/ADT/StringRef.h"', "Worker"),
        ]:
            self.assert_violation(
                {part: f"#include {header}\n"}, f"{part}:1: error: {name} must not include {header[1:-1]}")

    def test_keeps_the_worker_apart(self):
        self.assert_violation(
            {"lib/Worker/W.cpp": '#include "cupel/Support/A.h"\n'},
            "lib/Worker/W.cpp:1: error: the worker must not include cupel/Support/A.h")

    def test_keeps_private_headers_private(self):
        self.assert_violation(
            {"lib/Problem/B.cpp": '#include "../Support/Own.h"\n'},
            "lib/Problem/B.cpp:1: error: ../Support/Own.h is a private header of another part")

    def test_names_a_part_without_a_row(self):
        self.assert_violation(
            {"lib/Extra/E.cpp": "\n"},
            "lib/Extra/E.cpp:1: error: 'Extra' is not in the table of utils/check-layering.py")

    def test_an_empty_tree_is_no_success(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
