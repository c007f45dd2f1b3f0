"""Helps the tests: a submission around the lines that a test is about."""

import contextlib
import os
import sys
import tempfile
import textwrap

from cupel_inspect import __main__ as inspector

PRELUDE = '''\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) {}
torch::Tensor run(torch::Tensor x) { return x; }
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run"])

'''


def inspect_text(text, dtypes=None):
    handle, path = tempfile.mkstemp(suffix=".py")
    with contextlib.closing(os.fdopen(handle, "w")) as out:
        out.write(text)
    sys.setrecursionlimit(inspector.RECURSION_LIMIT)
    try:
        return inspector.inspect(path, dtypes)
    finally:
        os.unlink(path)


def model(forward, init="self.w = nn.Parameter(torch.randn(4, 4))", before="", methods=""):
    """A submission whose ModelNew has these bodies; `before` stands at module level."""
    return (PRELUDE + textwrap.dedent(before) + "\nclass ModelNew(nn.Module):\n"
            "    def __init__(self, size=4):\n        super().__init__()\n"
            + textwrap.indent(textwrap.dedent(init), " " * 8) + "\n"
            + textwrap.indent(textwrap.dedent(methods), " " * 4)
            + "\n    def forward(self, x):\n"
            + textwrap.indent(textwrap.dedent(forward), " " * 8) + "\n")


def ids(result, *levels):
    return {f["id"] for f in result["findings"] if not levels or f["level"] in levels}


class Verdicts:
    """What a TestCase with these tables tests."""

    rejected = []  # (name, arguments of model(), the id that must reject)
    accepted = []  # (name, arguments of model()): no reject and no warning
    dtypes = None  # Of the problem's inputs, where it is known.

    def judged(self, parts, *levels):
        return ids(inspect_text(model(**parts), self.dtypes), *levels)

    def test_rejected(self):
        for name, parts, check in self.rejected:
            with self.subTest(name):
                self.assertIn(check, self.judged(parts, "reject"))

    def test_accepted(self):
        for name, parts in self.accepted:
            with self.subTest(name):
                self.assertEqual(set(), self.judged(parts, "reject", "warn"))
