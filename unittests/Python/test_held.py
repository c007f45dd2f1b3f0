"""Functions that a default or a class holds: called by that name, they do what they always do."""

import textwrap
import unittest

from support import PRELUDE, ids, inspect_text

BEFORE = "import functools\ndef step(x, f={0}):\n    return f(ext.run(x))\n" \
    "def keyword_step(x, *, f={0}):\n    return f(ext.run(x))\n"

# Bodies of ModelNew in which {0} is a function and {1} what calls it with the extension's result.
HOLDERS = {
    "default": "def forward(self, x, f={0}):\n    return f(ext.run(x))",
    "default of a keyword": "def forward(self, x, *, f={0}):\n    return f(ext.run(x))",
    "default of a helper": "def forward(self, x):\n    return step(x)",
    "keyword's default of a helper": "def forward(self, x):\n    return keyword_step(x)",
    "default of a lambda": "def forward(self, x):\n    return (lambda t, f={0}: f(t))(ext.run(x))",
    "lambda as default": "def forward(self, x, f=lambda t: ({0})(t)):\n    return f(ext.run(x))",
    "partial as default":
        "def forward(self, x, f=functools.partial({0})):\n    return f(ext.run(x))",
    "dict as default": "def forward(self, x, f={{'f': {0}}}):\n    return f['f'](ext.run(x))",
    "tuple as default": "def forward(self, x, fs=({0},)):\n    for f in fs:\n"
                        "        x = f(ext.run(x))\n    return x",
    "class": "op = {0}\ndef forward(self, x):\n    return self.op(ext.run(x))",
    "staticmethod": "op = staticmethod({0})\ndef forward(self, x):\n    return self.op(ext.run(x))",
    "staticmethod of a lambda": "op = staticmethod(lambda t: ({0})(t))\n"
                                "def forward(self, x):\n    return self.op(ext.run(x))",
    "by the class's name": "op = staticmethod({0})\n"
                           "def forward(self, x):\n    return ModelNew.op(ext.run(x))",
    "by type": "op = staticmethod({0})\n"
               "def forward(self, x):\n    return type(self).op(ext.run(x))",
    "by __class__": "op = staticmethod({0})\n"
                    "def forward(self, x):\n    return self.__class__.op(ext.run(x))",
    "list of the class": "ops = [{0}]\ndef forward(self, x):\n    return self.ops[0](ext.run(x))",
    "partialmethod": "def call(self, f, x):\n    return f(x)\n"
                     "op = functools.partialmethod(call, {0})\n"
                     "def forward(self, x):\n    return self.op(ext.run(x))",
    "globals": "def forward(self, x):\n    globals()['held'] = {0}\n    return held(ext.run(x))",
}

# Defaults that are no function: what the caller gives is not known.
HONEST = [
    "def forward(self, x, _run=ext.run):\n    return _run(x)",
    "def forward(self, x, *, _run=ext.run):\n    return _run(x)",
    "forward = lambda self, x: ext.run(x)",
    "forward = staticmethod(ext.run)",
    "def run(self, x):\n    return ext.run(x)\nforward = run",
    "def forward(self, x, dtype=torch.float32):\n    assert x.dtype == dtype\n"
    "    return ext.run(x)",
    "def forward(self, x, n=3):\n    if n == 4:\n        return ext.run(x)\n    return x.view(n)",
    "def forward(self, x, eps=1e-5, dims=(1, 2)):\n    return ext.run(x, eps * 2, dims[0] + 1)",
    "def forward(self, x, mask=None):\n    return ext.run(x) if mask is None else ext.run(x, mask)",
    "def forward(self, x, run=None):\n    return (run or ext.run)(x)",
    "def __init__(self):\n    super().__init__()\n    self.forward = lambda x: ext.run(x)",
]

# The bodies, and what must be reported.
REJECTED = [
    ("forward = staticmethod(torch.relu)", "fallback-python-torch-call"),
    ("forward = lambda self, x: x", "work-python-returns-input"),
    ("forward = nn.Identity()", "work-python-returns-input"),
    ("def forward(self, x, run=None):\n    return (run or torch.relu)(x)",
     "fallback-python-torch-call"),
    ("def forward(self, x, mask=None):\n    ext.run(x)\n    return x if mask is None else x * mask",
     "fallback-python-tensor-operator"),
    ("def forward(self, x, kept={}):\n    if 'y' not in kept:\n        kept['y'] = ext.run(x)\n"
     "    return kept['y']", "reuse-python-result"),
]


def with_body(body, before=""):
    return inspect_text(PRELUDE + before + "\nclass ModelNew(nn.Module):\n" +
                        textwrap.indent(body, "    ") + "\n")


class Held(unittest.TestCase):
    def test_torch(self):
        for held, check in [("torch.relu", "fallback-python-torch-call"),
                            ("nn.ReLU()", "fallback-python-module-call")]:
            for name, body in HOLDERS.items():
                with self.subTest(name, held=held):
                    found = with_body(body.format(held), BEFORE.format(held))
                    self.assertIn(check, ids(found, "reject"))

    def test_extension(self):
        for name, body in HOLDERS.items():
            with self.subTest(name):
                found = with_body(body.format("ext.run").replace("(ext.run(x))", "(x)"),
                                  BEFORE.format("ext.run").replace("(ext.run(x))", "(x)"))
                self.assertEqual(set(), ids(found, "reject", "warn"))

    def test_rejected(self):
        for body, check in REJECTED:
            with self.subTest(body):
                self.assertIn(check, ids(with_body(body), "reject"))

    def test_honest(self):
        for body in HONEST:
            with self.subTest(body):
                self.assertEqual(set(), ids(with_body(body), "reject", "warn"))


if __name__ == "__main__":
    unittest.main()
