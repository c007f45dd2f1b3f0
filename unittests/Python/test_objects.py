"""What Python calls by itself: special methods, descriptors, hooks, what is given away."""

import unittest

from support import Verdicts, ids, inspect_text, model

METHOD, CALL, MODULE = ("fallback-python-tensor-method", "fallback-python-torch-call",
                        "fallback-python-module-call")
PATCH, RESULT = "process-python-patch", "reuse-python-result"

# A class Box that keeps a tensor `t`; its special method has {0} as its body.
BOX = """
class Box:
    def __init__(self, t):
        self.t = t
    def __{0}__(self, *a):
        {1}
"""

# (special method, its body with {0} as what becomes of `self.t`, forward)
SPECIAL = [
    ("enter", "return {0}", "with Box({1}) as y:\n    return y"),
    ("exit", "self.t = {0}", "b = Box({1})\nwith b:\n    pass\nreturn b.t"),
    ("iter", "return iter([{0}])", "for y in Box({1}):\n    return y"),
    ("iter", "yield {0}", "y, = Box({1})\nreturn y"),
    ("next", "return {0}", "return next(Box({1}))"),
    ("neg", "return {0}", "return -Box({1})"),
    ("lt", "return {0}", "return Box({1}) < 3"),
    ("contains", "self.t = {0}\n        return True", "b = Box({1})\n3 in b\nreturn b.t"),
    ("setitem", "self.t = {0}", "b = Box({1})\nb[0] = 1\nreturn b.t"),
    ("len", "self.t = {0}\n        return 1", "b = Box({1})\nlen(b)\nreturn b.t"),
    ("call", "return {0}", "return Box({1})()"),
    ("getattr", "return {0}", "return Box({1}).other"),
]

# (name, arguments of model(), the id that must be reported)
REJECTED = [
    ("module by __getattr__", dict(init="self.fc = nn.Linear(4, 4)", methods="""
        def __getattr__(self, n):
            return super().__getattr__('fc' if n == 'go' else n)
        """, forward="return self.go(ext.run(x))"), "fallback-python-module-call"),
    ("__getattr__", dict(methods="def __getattr__(self, n):\n    return F.relu",
                         forward="return self.act(ext.run(x))"), CALL),
    ("__getattribute__", dict(methods="""
        def __getattribute__(self, n):
            return F.relu if n == "act" else super().__getattribute__(n)
        """, forward="return self.act(ext.run(x))"), CALL),
    ("descriptor", dict(before="""
        class Get:
            def __init__(self, f):
                self.f = f
            def __get__(self, owner, kind=None):
                return self.f
        """, methods="act = Get(torch.relu)", forward="return self.act(ext.run(x))"), CALL),
    ("property by call", dict(methods="act = property(lambda self: torch.relu)",
                              forward="return self.act(ext.run(x))"), CALL),
    ("cached_property by call", dict(
        before="import functools", methods="act = functools.cached_property(lambda s: torch.relu)",
        forward="return self.act(ext.run(x))"), CALL),
    ("hook of a child", dict(
        init="self.i = nn.Identity()\nself.i.register_forward_hook(lambda m, i, o: torch.relu(o))",
        forward="return self.i(ext.run(x))"), CALL),
    ("hook before a child", dict(
        init="self.i = nn.Identity()\nself.i.register_forward_pre_hook(lambda m, i: i[0].relu())",
        forward="return self.i(ext.run(x))"), METHOD),
    ("hook of all modules", dict(
        init="nn.modules.module.register_module_forward_hook(lambda m, i, o: o)",
        forward="return ext.run(x)"), PATCH),
    ("forward of a child", dict(init="self.i = nn.Identity()\nself.i.forward = torch.relu",
                                forward="return self.i(ext.run(x))"), CALL),
    ("forward of a child by setattr", dict(
        init="self.i = nn.Identity()\nobject.__setattr__(self.i, 'forward', torch.relu)",
        forward="return self.i(ext.run(x))"), CALL),
    ("compiled child", dict(init="self.i = nn.Identity()\nself.i.compile()",
                            forward="return self.i(ext.run(x))"), CALL),
    ("empty module as a bag", dict(init="self.b = nn.Module()\nself.b.act = nn.ReLU()",
                                   forward="return self.b.act(ext.run(x))"), MODULE),
    ("namespace as a bag", dict(before="import types",
                                init="self.b = types.SimpleNamespace(act=torch.relu)",
                                forward="return self.b.act(ext.run(x))"), CALL),
    ("named tuple", dict(before="from collections import namedtuple\n"
                                "Box = namedtuple('Box', 'n, act')\nB = Box(1, act=torch.relu)",
                         forward="return B.act(ext.run(x))"), CALL),
    ("data class", dict(before="""
        import dataclasses
        @dataclasses.dataclass
        class Box:
            act: object
        B = Box(torch.relu)
        """, forward="return B.act(ext.run(x))"), CALL),
    ("typing.NamedTuple", dict(before="""
        from typing import NamedTuple
        class Box(NamedTuple):
            n: int
            act: object = torch.relu
        B = Box(n=1)
        """, forward="return B.act(ext.run(x))"), CALL),
    ("enum", dict(before="""
        import enum, functools
        class Act(enum.Enum):
            RELU = functools.partial(torch.relu)
        """, forward="return Act.RELU.value(ext.run(x))"), CALL),
    ("deque", dict(before="import collections\nQ = collections.deque([torch.relu])",
                   forward="return Q.popleft()(ext.run(x))"), CALL),
    ("ordered dict in Sequential", dict(
        before="from collections import OrderedDict",
        init="self.s = nn.Sequential(OrderedDict([('a', nn.ReLU())]))",
        forward="return self.s(ext.run(x))"), MODULE),
    ("starmap", dict(before="import itertools", forward="return next(itertools.starmap("
                     "lambda t: t.relu(), [(ext.run(x),)]))"), METHOD),
    ("accumulate", dict(before="import itertools", forward="return list(itertools.accumulate("
                        "[ext.run(x), x], torch.add))[-1]"), CALL),
    ("callback", dict(before="import contextlib", forward="""
        y = ext.run(x)
        with contextlib.ExitStack() as stack:
            stack.callback(y.relu_)
        return y
        """), METHOD),
    ("checkpoint", dict(before="from torch.utils.checkpoint import checkpoint",
                        init="self.a = nn.ReLU()", forward="return checkpoint(self.a, ext.run(x))"),
     MODULE),
    ("key of sorted", dict(forward="return sorted([ext.run(x)], key=lambda t: t.sum())[0]"),
     METHOD),
    ("object.__setattr__", dict(forward="object.__setattr__(torch, 'equal', None)\n"
                                        "return ext.run(x)"), PATCH),
    ("update of a module's names", dict(before="torch.__dict__.update(equal=None)",
                                        forward="return ext.run(x)"), PATCH),
    ("update of vars", dict(before="vars(torch).update({'equal': None})",
                            forward="return ext.run(x)"), PATCH),
    ("mock", dict(before="from unittest import mock\nmock.patch('torch.equal').start()",
                  forward="return ext.run(x)"), PATCH),
    ("result in a dict by setdefault", dict(init="self.c = {}", forward="""
        y = self.c.get("k")
        return y if y is not None else self.c.setdefault("k", ext.run(x))
        """), RESULT),
    ("result of the constructor", dict(init="self.y = torch.relu(torch.randn(4))",
                                       forward="ext.run(x)\nreturn self.y"), RESULT),
    ("result that the constructor had written", dict(
        init="self.y = torch.empty(4)\next.run(torch.randn(4), self.y)",
        forward="ext.run(x)\nreturn self.y"), RESULT),
    ("weights as the result", dict(forward="y = ext.run(x)\nreturn self.w.view(-1), self.w"),
     RESULT),
]

ACCEPTED = [
    ("__getattr__ of a module", dict(init="self.inner = ext", methods="""
        def __getattr__(self, n):
            try:
                return super().__getattr__(n)
            except AttributeError:
                return getattr(self.__dict__["inner"], n)
        """, forward="return self.run(x)")),
    ("extension that is built when used", dict(before="""
        class Lazy:
            made = None
            def __getattr__(self, n):
                if self.made is None:
                    self.made = load_inline(name="l", cpp_sources="", cuda_sources=SRC)
                return getattr(self.made, n)
        L = Lazy()
        """, forward="return L.run(x)")),
    ("extension by a descriptor", dict(before="""
        class Lazy:
            def __get__(self, owner, kind=None):
                return ext
        """, methods="k = Lazy()", forward="return self.k.run(x)")),
    ("hooks that check and lay out", dict(init="""
        self.register_forward_pre_hook(self.check)
        self.register_forward_pre_hook(lambda m, i: (i[0].contiguous(),))
        """, methods="def check(self, m, i):\n    assert i[0].dim() == 2",
        forward="return ext.run(x)")),
    ("forward of a child", dict(
        init="self.l = nn.Linear(4, 4)\nself.l.forward = lambda t: ext.run(t, self.l.weight)",
        forward="return self.l(x)")),
    ("children that are replaced", dict(before="""
        class Own(nn.Module):
            def __init__(self, l):
                super().__init__()
                self.weight = l.weight
            def forward(self, x):
                return ext.run(x, self.weight)
        """, init="self.m = nn.Sequential(nn.Linear(4, 4), nn.ReLU())\n"
                  "self.m = nn.Sequential(*[Own(l) for l in self.m if isinstance(l, nn.Linear)])",
        forward="return self.m(x)")),
    ("bags of weights", dict(init="""
        self.b = nn.Module()
        self.b.w = nn.Parameter(torch.ones(4))
        """, forward="return ext.run(x, self.b.w)")),
    ("bags of numbers", dict(before="""
        import dataclasses, enum, types
        from collections import namedtuple
        from typing import NamedTuple
        class Mode(enum.Enum):
            MEAN = 0
        @dataclasses.dataclass(frozen=True)
        class Tile:
            m: int
            def __post_init__(self):
                object.__setattr__(self, "m", self.m * 2)
        class Grid(NamedTuple):
            x: int = 1
        Block = namedtuple("Block", "x y")
        T, G, B, N = Tile(4), Grid(x=2), Block(1, 2), types.SimpleNamespace(n=3)
        """, forward="return ext.run(x, Mode.MEAN.value, T.m * G.x, B.y, N.n)")),
    ("workspace object", dict(before="""
        class Workspace:
            t = None
            def __call__(self, n):
                if self.t is None or self.t.numel() < n:
                    self.t = torch.empty(n, device="cuda")
                return self.t
            def __len__(self):
                return self.t.numel()
        W = Workspace()
        """, forward="return ext.run(x, W(x.numel()), len(W))")),
    ("context manager", dict(before="""
        class Guard:
            def __init__(self, d):
                self.d = torch.cuda.device(d)
            def __enter__(self):
                self.d.__enter__()
                return self
            def __exit__(self, *a):
                return self.d.__exit__(*a)
        """, forward="with Guard(x.device):\n    return ext.run(x)")),
    ("checkpoint of a kernel", dict(before="from torch.utils.checkpoint import checkpoint",
                                    forward="return checkpoint(ext.run, x)")),
    ("layout over a tree", dict(before="from torch.utils._pytree import tree_map", forward="""
        x, = tree_map(lambda t: t.contiguous(), (x,))
        return ext.run(x)
        """)),
    ("state beside the result", dict(init="self.h = torch.zeros(4)",
                                     forward="return ext.run(x), self.h")),
    ("buffer that a kernel writes", dict(init="self.register_buffer('b', torch.zeros(4))",
                                         forward="ext.run(x, self.b)\nreturn self.b")),
    ("plan of the constructor", dict(
        init="self.y = torch.empty(4)\nself.plan = ext.Plan(self.y)",
        forward="self.plan.run(x)\nreturn self.y")),
]

# Only warned about: what is not followed may write what is returned.
WARNED = [
    dict(init="self.y = torch.zeros(4)\nself.p = self.y.data_ptr()",
         forward="ext.run(x)\nreturn self.y"),
    dict(init="""
        self.x, self.g = torch.zeros(4), torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.g):
            self.y = ext.run(self.x)
        """, forward="ext.copy(x, self.x)\nself.g.replay()\nreturn self.y"),
]


class Objects(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED

    def test_warned(self):
        for parts in WARNED:
            with self.subTest(parts["init"]):
                found = inspect_text(model(**parts))
                self.assertEqual(set(), ids(found, "reject"))
                self.assertEqual({RESULT}, ids(found, "warn"))

    def test_special_methods(self):
        for name, body, forward in SPECIAL:
            with self.subTest(name, body=body):
                box = BOX.format(name, body.format("self.t.relu()"))
                found = inspect_text(model(forward.replace("{1}", "ext.run(x)"), before=box))
                self.assertIn(METHOD, ids(found, "reject"))
                box = BOX.format(name, body.format("ext.run(self.t)"))
                found = inspect_text(model(forward.replace("{1}", "x.contiguous()"), before=box))
                self.assertEqual(set(), ids(found, "reject", "warn"))


if __name__ == "__main__":
    unittest.main()
