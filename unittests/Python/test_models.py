"""What ModelNew may be besides a class statement."""

import unittest

from support import PRELUDE, ids, inspect_text

INHERITED, CALL = "fallback-python-inherited-forward", "fallback-python-torch-call"
FAST = """
class Fast(nn.Module):
    def __init__(self, n):
        super().__init__()
    def forward(self, x):
        return {}
def f(self, x):
    return {}
"""

# With {} as what forward returns.
MADE = {
    "alias": "ModelNew = Fast",
    "alias of an alias": "A = Fast\nModelNew = A",
    "type": "ModelNew = type('ModelNew', (nn.Module,), {'forward': f})",
    "type with dict()": "ModelNew = type('ModelNew', (nn.Module,), dict(forward=f))",
    "type of a class": "ModelNew = type('ModelNew', (Fast,), {})",
    "new_class": "import types\nModelNew = types.new_class('ModelNew', (nn.Module,), {},\n"
                 "                            lambda names: names.update(forward=f))",
    "function": "def ModelNew(n):\n    return Fast(n)",
    "lambda": "ModelNew = lambda n: Fast(n)",
    "partial": "import functools\nModelNew = functools.partial(Fast, 4)",
    "globals": "globals()['ModelNew'] = Fast",
    "one of two": "if torch.cuda.device_count() > 1:\n    ModelNew = Fast\nelse:\n"
                  "    class ModelNew(nn.Module):\n        def forward(self, x):\n"
                  "            return ext.run(x)",
    "on failure": "try:\n    class ModelNew(nn.Module):\n        def forward(self, x):\n"
                  "            return ext.run(x)\nexcept RuntimeError:\n    ModelNew = Fast",
}

OF_TORCH = {
    "class": "ModelNew = nn.ReLU",
    "alias": "A = nn.ReLU\nModelNew = A",
    "import": "from torch.nn import ReLU as ModelNew",
    "type": "ModelNew = type(nn.ReLU())",
    "derived": "class ModelNew(nn.ReLU):\n    pass",
    "derived from Sequential": "class ModelNew(nn.Sequential):\n    def __init__(self):\n"
                               "        super().__init__(nn.ReLU())",
    "function": "def ModelNew():\n    return nn.ReLU()",
    "lambda": "ModelNew = lambda: nn.ReLU()",
    "partial": "import functools\nModelNew = functools.partial(nn.ReLU, inplace=False)",
    "one of two": "ModelNew = Fast if torch.cuda.device_count() > 1 else nn.ReLU",
}


def made(source, result):
    return inspect_text(PRELUDE + FAST.replace("{}", result) + source + "\n")


class Models(unittest.TestCase):
    def test_made(self):
        for name, source in MADE.items():
            with self.subTest(name):
                found = made(source, "ext.run(x)")
                self.assertEqual(set(), ids(found, "reject", "warn"))
                self.assertIsNotNone(found["model"])
                self.assertIn(CALL, ids(made(source, "torch.relu(ext.run(x))"), "reject"))

    def test_of_torch(self):
        for name, source in OF_TORCH.items():
            with self.subTest(name):
                self.assertIn(INHERITED, ids(made(source, "ext.run(x)"), "reject"))

    def test_place(self):
        found = made("# ModelNew\nModelNew = nn.ReLU", "ext.run(x)")
        lines = (PRELUDE + FAST).count("\n") + 2
        self.assertEqual([lines], [f["line"] for f in found["findings"] if f["id"] == INHERITED])

    def test_unknown(self):
        """A class from elsewhere is not judged."""
        for source in ("from fast import ModelNew", "ModelNew = None", "ModelNew = 3"):
            with self.subTest(source):
                found = made(source, "ext.run(x)")
                self.assertIsNone(found["model"])
                self.assertEqual(set(), ids(found, "reject"))


if __name__ == "__main__":
    unittest.main()
