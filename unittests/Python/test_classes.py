"""Calls of modules by another name, and classes that get another forward than the one written."""

import textwrap
import unittest

from support import ids, inspect_text, model

RUN = "return ext.run(x)"
RELU = "lambda self, x: torch.relu(x)"
TORCH, MODULE = "fallback-python-torch-call", "fallback-python-module-call"

CALLS = [
    ("__call__", "self.a = nn.ReLU()", "return self.a.__call__(ext.run(x))"),
    ("_call_impl", "self.a = nn.ReLU()", "return self.a._call_impl(ext.run(x))"),
    ("by getattr", "self.a = nn.ReLU()", "return getattr(self.a, '__call__')(ext.run(x))"),
    ("kept", "self.a = nn.ReLU().__call__", "return self.a(ext.run(x))"),
    ("of its class", "self.a = nn.ReLU()", "return nn.ReLU.forward(self.a, ext.run(x))"),
    ("of nn.Module", "self.a = nn.ReLU()", "return nn.Module.__call__(self.a, ext.run(x))"),
    ("of its type", "self.a = nn.ReLU()", "return type(self.a).__call__(self.a, ext.run(x))"),
]

# In front of ModelNew, its bases.
CLASSES = [
    ("names", f"""
        class Meta(type):
            def __new__(m, n, b, d):
                d["forward"] = {RELU}
                return super().__new__(m, n, b, d)""", "nn.Module, metaclass=Meta"),
    ("names, if", f"""
        class Meta(type):
            def __new__(m, n, b, d):
                if n == "ModelNew":
                    d.update(forward={RELU})
                return super(Meta, m).__new__(m, n, b, d)""", "nn.Module, metaclass=Meta"),
    ("copied names", f"""
        class Meta(type(nn.Module)):
            pass
        class Other(type):
            def __new__(m, n, b, d):
                return type.__new__(m, n, b, {{**d, "forward": {RELU}}})""",
     "nn.Module, metaclass=Other"),
    ("of the made class", f"""
        class Meta(type):
            def __new__(m, n, b, d, **rest):
                made = super().__new__(m, n, b, dict(d))
                made.forward = {RELU}
                return made""", "nn.Module, metaclass=Meta"),
    ("__init__", f"""
        class Meta(type):
            def __init__(c, n, b, d):
                super().__init__(n, b, d)
                setattr(c, "forward", {RELU})""", "nn.Module, metaclass=Meta"),
    ("instances", """
        class Meta(type):
            def __call__(c, *a, **k):
                made = super().__call__(*a, **k)
                made.forward = lambda x: torch.relu(x)
                return made""", "nn.Module, metaclass=Meta"),
    ("function", f"""
        def meta(n, b, d):
            d["forward"] = {RELU}
            return type(n, b, d)""", "nn.Module, metaclass=meta"),
    ("inherited", f"""
        class Meta(type):
            def __init__(c, n, b, d):
                c.forward = {RELU}
        class Base(nn.Module, metaclass=Meta):
            pass""", "Base"),
    ("__init_subclass__", f"""
        class Base(nn.Module):
            def __init_subclass__(cls, **rest):
                cls.forward = {RELU}""", "Base"),
    ("__getattribute__", """
        class Base(nn.Module):
            def __getattribute__(self, name):
                return torch.relu if name == "forward" else super().__getattribute__(name)""",
     "Base"),
    ("decorator", f"""
        def change(cls):
            cls.forward = {RELU}
            return cls
        @change""", "nn.Module"),
    ("decorator, derived", """
        def change(cls):
            class Derived(cls):
                def forward(self, x):
                    return torch.relu(x)
            return Derived
        @change""", "nn.Module"),
]

HONEST = [
    ("ABCMeta", "import abc", "nn.Module, metaclass=abc.ABCMeta"),
    ("singleton", """
        class Meta(type):
            made = {}
            def __call__(cls, *a, **k):
                if cls not in cls.made:
                    cls.made[cls] = super().__call__(*a, **k)
                return cls.made[cls]""", "nn.Module, metaclass=Meta"),
    ("registry", """
        class Meta(type):
            known = {}
            def __new__(m, n, b, d):
                d["tag"] = n.lower()
                made = super().__new__(m, n, b, d)
                m.known[n] = made
                return made""", "nn.Module, metaclass=Meta"),
    ("wrapping decorator", """
        import functools
        def change(cls):
            old = cls.forward
            @functools.wraps(old)
            def forward(self, x):
                return old(self, x.contiguous())
            cls.forward = forward
            return cls
        @change""", "nn.Module"),
    ("data class", """
        import dataclasses
        @dataclasses.dataclass(frozen=True)
        class Settings:
            tile: int = 4
        """, "nn.Module"),
    ("subclasses are listed", """
        class Base(nn.Module):
            known = []
            def __init_subclass__(cls, **rest):
                super().__init_subclass__(**rest)
                Base.known.append(cls)
            def __getattribute__(self, name):
                return super().__getattribute__(name)""", "Base"),
]


def with_bases(before, bases):
    return inspect_text(model(RUN).replace(
        "class ModelNew(nn.Module):", textwrap.dedent(before) + f"\nclass ModelNew({bases}):"))


class Classes(unittest.TestCase):
    def test_calls(self):
        for name, init, forward in CALLS:
            with self.subTest(name):
                self.assertIn(MODULE, ids(inspect_text(model(forward, init)), "reject"))
        for forward in ["return torch.relu.__call__(ext.run(x))",
                        "return (lambda t: torch.relu(t)).__call__(ext.run(x))"]:
            with self.subTest(forward):
                self.assertIn(TORCH, ids(inspect_text(model(forward)), "reject"))

    def test_honest_calls(self):
        inner = "class Inner(nn.Module):\n    def forward(self, x):\n        return ext.run(x)\n"
        for name, init, forward in [
            ("own module", "self.a = Inner()", "return self.a.__call__(x)"),
            ("own module's class", "self.a = Inner()", "return type(self.a).forward(self.a, x)"),
            ("identity", "self.a = nn.Identity()", "return self.a.__call__(ext.run(x))"),
            ("extension", "self.a = ext.run.__call__", "return self.a(x)"),
            ("type of a tensor", "", "assert type(x) is torch.Tensor\nreturn ext.run(x)"),
        ]:
            with self.subTest(name):
                result = inspect_text(model(forward, init, before=inner))
                self.assertEqual(set(), ids(result, "reject", "warn"))

    def test_other_forward(self):
        for name, before, bases in CLASSES:
            with self.subTest(name):
                self.assertIn(TORCH, ids(with_bases(before, bases), "reject"))
        made = inspect_text(model(RUN).replace("ModelNew", "Real") +
                            f"\nModelNew = type('ModelNew', (nn.Module,), {{'forward': {RELU}}})\n")
        self.assertIn(TORCH, ids(made, "reject"))

    def test_honest_classes(self):
        for name, before, bases in HONEST:
            with self.subTest(name):
                self.assertEqual(set(), ids(with_bases(before, bases), "reject", "warn"))


if __name__ == "__main__":
    unittest.main()
