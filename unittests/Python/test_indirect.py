"""Indirect ways of Python to torch's functions, and to what an earlier call made."""

import unittest

from support import Verdicts

CALL, METHOD = "fallback-python-torch-call", "fallback-python-tensor-method"
OPERATOR, MODULE = "fallback-python-tensor-operator", "fallback-python-module-call"
RESULT = "reuse-python-result"

# (name, arguments of model(), the id that must be reported)
REJECTED = [
    ("operator.add", dict(before="import operator", forward="return operator.add(ext.run(x), x)"),
     OPERATOR),
    ("methodcaller", dict(before="import operator",
                          forward="return operator.methodcaller('relu')(ext.run(x))"), METHOD),
    ("attrgetter", dict(before="import operator",
                        forward="return operator.attrgetter('nn.functional.relu')(torch)(ext.run(x))"),
     CALL),
    ("reduce", dict(before="import functools",
                    forward="return functools.reduce(lambda a, b: a + b, [ext.run(x), x])"), OPERATOR),
    ("special method", dict(forward="return ext.run(x).__add__(x)"), OPERATOR),
    ("unbound special method", dict(forward="return torch.Tensor.__matmul__(ext.run(x), x)"), OPERATOR),
    ("__dict__", dict(forward="return torch.__dict__['relu'](ext.run(x))"), CALL),
    ("vars", dict(forward="return vars(F)['gelu'](ext.run(x))"), CALL),
    ("sys.modules", dict(before="import sys", forward="return sys.modules['torch'].relu(ext.run(x))"),
     CALL),
    ("computed key", dict(forward="return torch.__dict__[self.name](ext.run(x))"),
     "evasion-python-dynamic-code"),
    ("instance __dict__", dict(init="self.__dict__['f'] = torch.relu",
                               forward="return self.__dict__['f'](ext.run(x))"), CALL),
    ("star import", dict(before="from torch.nn.functional import *", forward="return gelu(ext.run(x))"),
     CALL),
    ("decorator", dict(before="""
        def finish(f):
            def wrapped(self, x):
                return torch.relu(f(self, x))
            return wrapped
        """, methods="@finish\ndef step(self, x):\n    return ext.run(x)",
        forward="return self.step(x)"), CALL),
    ("decorator with arguments", dict(before="""
        def finish(op):
            def decorate(f):
                def wrapped(self, x):
                    return op(f(self, x))
                return wrapped
            return decorate
        """, methods="@finish(torch.relu)\ndef step(self, x):\n    return ext.run(x)",
        forward="return self.step(x)"), CALL),
    ("property", dict(methods="@property\ndef out(self):\n    return self.y.exp()",
                      forward="self.y = ext.run(x)\nreturn self.out"), METHOD),
    ("property with setter", dict(methods="""
        @property
        def out(self):
            return self.y.exp()
        @out.setter
        def out(self, y):
            self.y = y
        """, forward="self.y = ext.run(x)\nreturn self.out"), METHOD),
    ("__getitem__", dict(before="""
        class Box:
            def __init__(self, t):
                self.t = t
            def __getitem__(self, i):
                return self.t.relu()
        """, forward="return Box(ext.run(x))[0]"), METHOD),
    ("__add__", dict(before="""
        class Box:
            def __init__(self, t):
                self.t = t
            def __add__(self, other):
                return torch.add(self.t, other.t)
        """, forward="return Box(ext.run(x)) + Box(x)"), CALL),
    ("__new__", dict(before="class Exp:\n    def __new__(cls, t):\n        return t.exp()",
                     forward="return Exp(ext.run(x))"), METHOD),
    ("metaclass", dict(before="""
        class Meta(type):
            def __call__(cls, t):
                return t.exp()
        class Exp(metaclass=Meta):
            pass
        """, forward="return Exp(ext.run(x))"), METHOD),
    ("own __call__", dict(methods="def __call__(self, x):\n    return torch.relu(x)",
                          forward="return ext.run(x)"), CALL),
    ("hook", dict(init="self.register_forward_hook(lambda m, i, o: torch.relu(o))",
                  forward="return ext.run(x)"), CALL),
    ("hook before", dict(init="self.register_forward_pre_hook(lambda m, i: (torch.relu(i[0]),))",
                         forward="return ext.run(x)"), CALL),
    ("children", dict(init="self.fc = nn.Linear(4, 4)",
                      forward="for m in self.children():\n    x = m(x)\nreturn ext.run(x)"), MODULE),
    ("get_submodule", dict(init="self.fc = nn.Linear(4, 4)",
                           forward="return ext.run(self.get_submodule('fc')(x))"), MODULE),
    ("match", dict(forward="""
        match x.dim():
            case 2:
                return torch.relu(ext.run(x))
            case _:
                return ext.run(x)
        """), CALL),
    ("default that keeps", dict(methods="""
        def step(self, x, kept={}):
            if "y" not in kept:
                kept["y"] = ext.run(x)
            return kept["y"]
        """, forward="return self.step(x)"), RESULT),
    ("attribute of a function", dict(before="""
        def step(x):
            if not hasattr(step, "y"):
                step.y = ext.run(x)
            return step.y
        """, forward="return step(x)"), RESULT),
    ("cached_property", dict(before="import functools",
                             methods="@functools.cached_property\ndef y(self):\n    return ext.run(self.x)",
                             forward="self.x = x\nreturn self.y"), RESULT),
    ("a tensor or a list", dict(init="self.c = {}", forward="""
        y = self.c.get("y", [])
        if x.numel() > 4:
            y = ext.run(x)
        return y.softmax(-1)
        """), METHOD),
    ("precision high", dict(before="torch.set_float32_matmul_precision('high')",
                            forward="return ext.run(x)"), "work-python-global-precision"),
    ("tf32", dict(before="torch.backends.cuda.matmul.allow_tf32 = True", forward="return ext.run(x)"),
     "work-python-global-precision"),
    ("after some calls", dict(init="self.calls = 0", forward="""
        self.calls += 1
        if self.calls > 5:
            return self.last
        self.last = ext.run(x)
        return self.last
        """), RESULT),
    ("after some calls, global", dict(before="calls = 0\nlast = None", forward="""
        global calls, last
        calls = calls + 1
        if calls > 5:
            return last
        last = ext.run(x)
        return last
        """), RESULT),
]

ACCEPTED = [
    ("operator on sizes", dict(before="import operator, functools", forward="""
        n = functools.reduce(operator.mul, x.shape, 1)
        m = operator.floordiv(n + 255, 256) + operator.itemgetter(0)([1, 2])
        assert m > 0 and operator.is_not(x, None)
        return ext.run(x)
        """)),
    ("methodcaller on text", dict(before="import operator\nNAME = operator.methodcaller('upper')('e')",
                                  forward="return ext.run(x)")),
    ("methodcaller of a view", dict(before="import operator",
                                    forward="return ext.run(operator.methodcaller('contiguous')(x))")),
    ("extension by name", dict(forward="return vars(self)['f'](x)", init="self.f = ext.run")),
    ("allocation by name", dict(forward="y = torch.__dict__['empty_like'](x)\next.run(y)\nreturn y")),
    ("question of sys.modules", dict(before="import sys\nHAS = 'torch' in sys.modules",
                                     forward="return ext.run(x)")),
    ("star import of math", dict(before="from math import *",
                                 forward="assert ceil(x.numel() / 256)\nreturn ext.run(x)")),
    ("decorator around the kernel", dict(before="""
        import functools
        def checked(f):
            @functools.wraps(f)
            def wrapped(self, x):
                assert x.is_cuda
                return f(self, x.contiguous())
            return wrapped
        """, methods="@checked\ndef step(self, x):\n    return ext.run(x)",
        forward="return self.step(x)")),
    ("property of a size", dict(methods="@property\ndef blocks(self):\n    return (self.n + 255) // 256",
                                forward="self.n = x.numel()\nassert self.blocks\nreturn ext.run(x)")),
    ("staticmethod", dict(methods="@staticmethod\ndef step(x):\n    return ext.run(x)",
                          forward="return self.step(x)")),
    ("own class around tensors", dict(before="""
        class Plan:
            def __new__(cls, n):
                return super().__new__(cls)
            def __init__(self, n):
                self.n = n
            def __getitem__(self, i):
                return self.n
            def __add__(self, other):
                return Plan(self.n + other.n)
        """, forward="p = Plan(x.numel()) + Plan(1)\nassert p[0] is not None\nreturn ext.run(x)")),
    ("own __call__ that goes to forward", dict(
        methods="def __call__(self, x):\n    return super().__call__(x.contiguous())",
        forward="return ext.run(x)")),
    ("hook that checks", dict(
        init="self.register_forward_pre_hook(lambda m, i: None)", forward="return ext.run(x)")),
    ("children initialised", dict(init="""
        self.fc = nn.Linear(4, 4)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.zeros_(m.bias)
        """, forward="return ext.run(self.fc.weight)")),
    ("match over kernels", dict(forward="""
        match x.dim():
            case 2:
                return ext.run(x)
            case other:
                return ext.run(x.view(other, -1))
        """)),
    ("plans in a default", dict(methods="""
        def blocks(self, n, plans={}):
            if n not in plans:
                plans[n] = (n + 255) // 256
            return plans[n]
        """, forward="assert self.blocks(x.numel())\nreturn ext.run(x)")),
    ("extension at a function", dict(before="""
        def library():
            if not hasattr(library, "module"):
                library.module = ext
            return library.module
        """, forward="return library().run(x)")),
    ("what a cache of many things holds", dict(init="self.c = {}", forward="""
        key = tuple(x.shape)
        if key not in self.c:
            self.c[key] = torch.empty_like(x)
            self.c["plans"] = {}
            self.c["library"] = open_library()
        plan = self.c["plans"].get(key)
        self.c["library"].launch(x.data_ptr())
        return ext.run(x)
        """, before="def open_library():\n    return object()")),
    ("half parameter", dict(init="self.h = nn.Parameter(torch.empty(4, dtype=torch.bfloat16))",
                            forward="return ext.run(self.h.to(torch.bfloat16))")),
    ("precision that torch starts with", dict(before="""
        torch.set_float32_matmul_precision("highest")
        torch.backends.cuda.matmul.allow_tf32 = False
        """, forward="return ext.run(x)")),
    ("a tool looked for", dict(before="import shutil\nHAS = shutil.which('ninja') is not None",
                               forward="return ext.run(x)")),
    ("counted", dict(init="self.calls = 0", forward="self.calls += 1\nreturn ext.run(x)")),
    ("counted and printed", dict(init="self.calls = 0", forward="""
        self.calls += 1
        if self.calls == 1:
            print("first call")
        return ext.run(x)
        """)),
]


class Indirect(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED


if __name__ == "__main__":
    unittest.main()
