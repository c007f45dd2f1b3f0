"""What the file puts in the place of torch's functions, and operators that it registers itself."""

import unittest

from support import Verdicts

CALL, PATCH, RESULT = ("fallback-python-torch-call", "process-python-patch", "reuse-python-result")
RUN = "return ext.run(x)"
LIE = """
class Lie(torch.Tensor):
    def __sub__(self, other):
        return other
"""

# (name, arguments of model(), the id that must be reported)
REJECTED = [
    ("dispatch mode", dict(before="""
        from torch.utils._python_dispatch import TorchDispatchMode
        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, f, kinds, args=(), kwargs=None):
                return f(*args)
        Mode().__enter__()
        """, forward=RUN), PATCH),
    ("function mode", dict(before="""
        from torch.overrides import TorchFunctionMode
        class Mode(TorchFunctionMode):
            pass
        """, forward=RUN), PATCH),
    ("operator of torch", dict(before="torch.library.Library('aten', 'IMPL').impl("
                                      "'relu', lambda x: x, 'CUDA')", forward=RUN), PATCH),
    ("operator of torch by name", dict(before="""
        @torch.library.impl("aten::relu", "CUDA")
        def relu(x):
            return x
        """, forward=RUN), PATCH),
    ("tensor class of its own", dict(before=LIE, forward="return Lie(ext.run(x))"), PATCH),
    ("tensor class made", dict(
        before=LIE, forward="return torch.Tensor._make_subclass(Lie, ext.run(x))"), PATCH),
    ("tensor's class", dict(before=LIE, forward="y = ext.run(x)\ny.__class__ = Lie\nreturn y"),
     PATCH),
    ("tensor's method", dict(forward="y = ext.run(x)\ny.allclose = lambda *a: True\nreturn y"),
     PATCH),
    ("like a tensor", dict(before="""
        class Lie:
            def __init__(self, t):
                self.t = t
            @classmethod
            def __torch_function__(cls, f, kinds, args=(), kwargs=None):
                return True
        """, forward="return Lie(ext.run(x)), 1"), PATCH),
    ("function of the extension", dict(before="ext.run = torch.relu", forward=RUN), CALL),
    ("own operator", dict(before="""
        @torch.library.custom_op("mine::run", mutates_args=())
        def run(x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x)
        """, forward="return torch.ops.mine.run(ext.run(x))"), CALL),
    ("own operator by impl", dict(before="""
        torch.library.define("mine::run", "(Tensor x) -> Tensor")
        @torch.library.impl("mine::run", "CUDA")
        def run(x):
            return torch.relu(ext.run(x))
        """, forward="return torch.ops.mine.run.default(x)"), CALL),
    ("own operator of a library", dict(before="""
        lib = torch.library.Library("mine", "FRAGMENT")
        lib.define("run(Tensor x) -> Tensor")
        lib.impl("run", lambda x: torch.relu(ext.run(x)), "CUDA")
        """, forward="return torch.ops.mine.run(x)"), CALL),
    ("class method", dict(methods="@classmethod\ndef step(cls, t):\n    return torch.exp(t)",
                          forward="return ModelNew.step(ext.run(x))"), CALL),
    ("else of a loop", dict(forward="for _ in range(2):\n    y = ext.run(x)\nelse:\n"
                                    "    y = torch.relu(y)\nreturn y"), CALL),
    ("result on a tensor", dict(
        forward="if not hasattr(x, 'y'):\n    x.y = ext.run(x)\nreturn x.y"), RESULT),
    ("result on the extension", dict(forward="""
        if getattr(ext, "y", None) is None:
            ext.y = ext.run(x)
        return ext.y
        """), RESULT),
    ("result in __dict__", dict(forward="""
        if "y" not in self.__dict__:
            self.__dict__["y"] = ext.run(x)
        return self.__dict__["y"]
        """), RESULT),
    ("cachetools", dict(before="import cachetools\n@cachetools.cached({})\ndef step(x):\n"
                               "    return ext.run(x)", forward="return step(x)"), RESULT),
]

ACCEPTED = [
    ("own operator", dict(before="""
        @torch.library.custom_op("mine::run", mutates_args=())
        def run(x: torch.Tensor) -> torch.Tensor:
            return ext.run(x)
        @run.register_fake
        def _(x):
            return torch.empty_like(x)
        """, forward="return run(x) if x.dim() == 1 else torch.ops.mine.run(x)")),
    ("own operator by impl", dict(before="""
        torch.library.define("mine::run", "(Tensor x) -> Tensor")
        @torch.library.impl("mine::run", "CUDA")
        def run(x):
            return ext.run(x)
        @torch.library.register_fake("mine::run")
        def _(x):
            return torch.empty_like(x)
        """, forward="return torch.ops.mine.run(x)")),
    ("operator that the C++ registers", dict(forward="return torch.ops.mine.run.default(x)")),
    ("class method", dict(methods="@classmethod\ndef step(cls, t):\n    return ext.run(t)",
                          forward="return self.step(x) if x.dim() == 1 else ModelNew.step(x)")),
    ("else of a loop", dict(forward="for _ in range(2):\n    x = ext.run(x)\nelse:\n"
                                    "    x = ext.run(x, 1)\nreturn x")),
    ("attribute of the extension", dict(before="ext.tile = 4",
                                        forward="return ext.run(x, ext.tile)")),
    ("attribute of a tensor", dict(
        init="self.w = nn.Parameter(torch.ones(4))\nself.w.packed = True",
        forward="return ext.run(x, self.w, self.w.packed)")),
    ("settings of parameters", dict(
        init="self.w = nn.Parameter(torch.ones(4))\nself.w.requires_grad = True",
        forward="return torch.relu(x) if x.requires_grad else ext.run(x, self.w)")),
    ("object with the result", dict(before="""
        import dataclasses
        @dataclasses.dataclass
        class Output:
            logits: torch.Tensor
        """, forward="return Output(ext.run(x))")),
]


class Overrides(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED


if __name__ == "__main__":
    unittest.main()
