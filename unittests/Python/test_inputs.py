"""What is known of the inputs: their dtypes, sizes that are zero; and who writes the output."""

import unittest

from support import Verdicts, ids, inspect_text, model

FLOAT = ["torch.float32"]
LOWER, KERNEL, RESULT = ("work-python-lower-precision", "fallback-python-no-kernel",
                         "reuse-python-result")
UNWRITTEN = "work-python-unwritten-output"
TRITON = """
    import triton
    import triton.language as tl
    @triton.jit
    def kernel(x, y):
        tl.store(y, tl.load(x))
    """

# (name, arguments of model(), the id that must be reported)
REJECTED = [
    ("empty tensor", dict(forward="ext.run(x)\nreturn torch.empty_like(x)"), UNWRITTEN),
    ("empty tensor after some calls", dict(init="self.n = 0", forward="""
        self.n += 1
        if self.n > 3:
            return torch.empty_like(x)
        return ext.run(x)
        """), UNWRITTEN),
    ("empty tensor after some calls, counted in the class", dict(init="type(self).n = 0", forward="""
        type(self).n += 1
        if type(self).n > 3:
            return torch.empty_like(x)
        return ext.run(x)
        """), UNWRITTEN),
    ("empty tensor after some calls, counted in a dict", dict(before="STATE = {'n': 0}", forward="""
        STATE['n'] = STATE['n'] + 1
        if STATE['n'] > 3:
            return torch.empty_like(x)
        return ext.run(x)
        """), UNWRITTEN),
    ("empty tensor for a counter of zero", dict(init="self.n = 1", forward="""
        self.n -= 1
        if self.n == 0:
            return x.new_empty(x.shape)
        return ext.run(x)
        """), UNWRITTEN),
    ("empty tensor for one shape", dict(forward="""
        if x.size(0) == 16:
            return torch.empty(x.shape, device=x.device)
        return ext.run(x)
        """), UNWRITTEN),
    ("kernel for a negative size", dict(forward="""
        if x.numel() < 0:
            return ext.run(x)
        return x.view(-1)
        """), KERNEL),
    ("kernel for no elements below a size", dict(forward="""
        if 0 > len(x) or x.shape[0] <= -1:
            return ext.run(x)
        return x.view(-1)
        """), KERNEL),
    ("kept beside a plan", dict(init="self.out = None\nself.plan = ext.plan(self.w)", forward="""
        if self.out is None:
            self.out = ext.run(x)
        self.plan.run(x)
        return self.out
        """), RESULT),
    ("kept in a global", dict(before="KEPT = None", forward="""
        global KEPT
        try:
            if KEPT is None:
                KEPT = ext.run(x)
        except RuntimeError:
            KEPT = None
        return KEPT
        """), RESULT),
    ("torch for an alias of the dtype", dict(forward="if x.dtype == torch.float:\n"
                                                     "    return x.relu()\nreturn ext.run(x)"),
     "fallback-python-tensor-method"),
]

ACCEPTED = [
    ("empty for no elements", dict(forward="if x.numel() == 0:\n    return torch.empty_like(x)\n"
                                           "return ext.run(x)")),
    ("empty for no rows", dict(forward="""
        rows, cols = x.shape
        if rows * cols < 1 or not cols:
            return torch.empty((rows, cols), device=x.device)
        return ext.run(x)
        """)),
    ("empty when nothing is left", dict(forward="""
        n = x.size(0) // 4
        if n > 0:
            return ext.run(x)
        return torch.empty_like(x)
        """)),
    ("zero among the sizes", dict(forward="return torch.empty_like(x) if 0 in x.shape "
                                          "else ext.run(x)")),
    ("zero and something", dict(forward="""
        if x.size(0) == 0 and x.size(1) > 4:
            return torch.empty_like(x)
        return ext.run(x)
        """)),
    ("zero by any", dict(forward="if any(d == 0 for d in x.shape):\n"
                                 "    return torch.empty_like(x)\nreturn ext.run(x)")),
    ("zero by a product", dict(before="import math", forward="""
        if math.prod(x.shape) == 0:
            return torch.empty_like(x)
        return ext.run(x)
        """)),
    ("a placeholder", dict(forward="return ext.run(x), torch.empty(0, device=x.device)")),
    ("written through a view", dict(forward="y = torch.empty_like(x)\next.run(y.view(-1))\n"
                                            "return y")),
    ("written through parts", dict(forward="y = torch.empty_like(x)\nfor p in y.chunk(2):\n"
                                           "    ext.run(p)\nreturn y")),
    ("written through its address", dict(init="self.k = open_library()", forward="""
        y = torch.empty_like(x)
        self.k.launch(x.data_ptr(), y.data_ptr(), x.numel())
        return ext.run(x), y
        """, before="def open_library():\n    return object()")),
    ("written through a dict", dict(forward="""
        buffers = {"y": torch.empty_like(x)}
        ext.run(x, buffers)
        return buffers["y"]
        """)),
    ("kept by a plan", dict(init="self.plan = None", forward="""
        if self.plan is None:
            self.out = torch.empty_like(x)
            self.plan = ext.Plan(self.out, 4)
        self.plan.run(x)
        return self.out
        """)),
    ("kept by the number of a plan", dict(init="self.plans = {}\nself.out = None", forward="""
        key = tuple(x.shape)
        if key not in self.plans:
            self.out = torch.empty_like(x)
            self.plans[key] = ext.make_plan(self.out)
        ext.run_plan(self.plans[key], x)
        return self.out
        """)),
    ("kept by a plan's bound method", dict(init="self.go = None", forward="""
        if self.go is None:
            out = torch.empty_like(x)
            self.out = (out, out.view(-1))
            self.go = ext.Plan(out, out.data_ptr()).run
        self.go(x)
        return self.out
        """)),
    ("address kept", dict(init="self.args = None", forward="""
        if self.args is None:
            self.out = torch.empty_like(x)
            self.args = (self.out.data_ptr(), 4)
        ext.run(x, *self.args)
        return self.out
        """)),
    ("either dtype", dict(forward="""
        if x.dtype in (torch.float16, torch.bfloat16):
            return x.relu()
        return ext.run(x.float())
        """)),
    ("built in a try", dict(before="""
        MODULE = None
        def get():
            global MODULE
            if MODULE is not None:
                return MODULE
            try:
                MODULE = load_inline(name="b", cpp_sources="", cuda_sources=SRC, functions=["run"])
            except Exception:
                MODULE = None
            return MODULE
        """, forward="if get() is not None:\n    return get().run(x)\nraise RuntimeError()")),
    ("computed function name", dict(forward="return getattr(ext, f'run_{x.dtype}')(x)")),
    ("precision looked up", dict(forward="assert torch.get_float32_matmul_precision()\n"
                                         "return ext.run(x)")),
    ("alias of the dtype", dict(forward="if x.dtype != torch.float:\n    return x.relu()\n"
                                        "return ext.run(x)")),
]


class Inputs(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED
    dtypes = FLOAT

    def test_lower_precision_needs_the_problem(self):
        text = model(forward="return ext.run(x.to(torch.bfloat16)).float()")
        self.assertIn(LOWER, ids(inspect_text(text, FLOAT), "reject"))
        self.assertIn(LOWER, ids(inspect_text(text), "warn"))
        self.assertNotIn(LOWER, ids(inspect_text(text), "reject"))
        # Of a parameter the file itself says that it is float32.
        weight = model(forward="return ext.run(self.w.half())")
        self.assertIn(LOWER, ids(inspect_text(weight), "reject"))
        text = model(forward="return ext.run(x.to(torch.bfloat16))")
        self.assertEqual(set(), ids(inspect_text(text, ["torch.bfloat16"])))

    def test_a_branch_for_one_dtype(self):
        text = model(forward="""
            if x.dtype == torch.bfloat16 and x.is_contiguous():
                return ext.run(x)
            return x.view(-1)
            """)
        self.assertIn(KERNEL, ids(inspect_text(text, FLOAT), "reject"))
        self.assertNotIn(KERNEL, ids(inspect_text(text, ["torch.bfloat16"])))
        # Nobody says which it is.
        self.assertIn(KERNEL, ids(inspect_text(text), "warn"))

    def test_another_language_beside_the_extension(self):
        text = model(before=TRITON, init="self.out = None\nself.fast = False", forward="""
            if self.fast:
                return ext.run(x)
            if self.out is None:
                self.out = torch.empty_like(x)
            kernel[(1,)](x, self.out)
            return self.out
            """)
        found = inspect_text(text, FLOAT)
        # The extension is a decoy: a kernel of the file in the other language does the work.
        self.assertEqual({KERNEL}, ids(found, "reject"))
        self.assertIn(RESULT, ids(found, "warn"))

    def test_another_language_elsewhere(self):
        text = model(before="import triton\nfrom suite import helper", forward="""
            y = torch.empty_like(x)
            helper(x, y)
            return y
            """)
        self.assertIn(KERNEL, ids(inspect_text(text, FLOAT), "warn"))

    def test_another_language_beside_a_kernel_that_runs(self):
        text = model(before=TRITON, forward="""
            y = torch.empty_like(x)
            kernel[(1,)](ext.run(x), y)
            return y
            """)
        self.assertEqual(set(), ids(inspect_text(text, FLOAT), "reject", "warn"))

    def test_what_the_cpp_can_tell(self):
        """Who is given what is returned, where the C++ says whether that writes it."""
        for forward, expected in [
            ("ext.run(x)\nreturn x", [("work-python-returns-input", [("run", 0)])]),
            ("y = ext.run(x)\next.two(y, x.view(-1))\nreturn x.t()",
             [("work-python-returns-input", [("run", 0), ("two", 0), ("two", 1)])]),
            ("y = torch.empty_like(x)\next.run(x, y)\nreturn y, y",
             [("work-python-unwritten-output", [("run", 1)])]),
            ("for _ in range(x.size(0)):\n    x = ext.run(x)\nreturn x", []),
            ("ext.run(x=x)\nreturn x", []),
            ("ext.run([x])\nreturn x", []),
            ("plan = ext.plan(x)\nplan.go()\nreturn x", []),
            ("ext.run(x.data_ptr())\nreturn x", []),
            ("torch.ops.mine.run(x)\nreturn x",
             [("work-python-returns-input", [("run", 0)])]),
        ]:
            with self.subTest(forward):
                found = inspect_text(model(forward), FLOAT)
                self.assertEqual(set(), ids(found, "reject"))
                self.assertEqual(expected, [
                    (f["id"], [(a["function"], a["argument"]) for a in f["unless_written_by"]])
                    for f in found["open_findings"]])

    def test_a_forward_that_only_raises(self):
        text = model(forward="'Not used.'\nraise NotImplementedError('call prefill')")
        result = inspect_text(text)
        self.assertIsNone(result["model"])
        self.assertEqual(set(), ids(result, "reject"))


if __name__ == "__main__":
    unittest.main()
