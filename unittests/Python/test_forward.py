"""What forward may leave to torch and what not."""

import unittest

from support import Verdicts, ids, inspect_text, model

# (name, arguments of model(), the id that must be reported)
REJECTED = [
    ("module", dict(init="self.conv = nn.Conv2d(3, 3, 3)", forward="return ext.run(self.conv(x))"),
     "fallback-python-module-call"),
    ("module in a list", dict(init="self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])",
                              forward="for layer in self.layers:\n    x = layer(x)\nreturn ext.run(x)"),
     "fallback-python-module-call"),
    ("sequential", dict(init="self.net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())",
                        forward="return ext.run(self.net(x))"), "fallback-python-module-call"),
    ("own module around one", dict(before="""
        class Inner(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)
            def forward(self, x):
                return self.fc(x)
        """, init="self.inner = Inner()", forward="return ext.run(self.inner(x))"),
     "fallback-python-module-call"),
    ("function", dict(forward="return ext.run(torch.matmul(x, self.w))"),
     "fallback-python-torch-call"),
    ("alias", dict(before="act = F.relu", forward="return act(ext.run(x))"),
     "fallback-python-torch-call"),
    ("getattr", dict(forward="return getattr(torch, 're' + 'lu')(ext.run(x))"),
     "fallback-python-torch-call"),
    ("in a table", dict(before="ACTS = {'relu': torch.relu, 'gelu': F.gelu}",
                        forward="return ACTS['relu'](ext.run(x))"), "fallback-python-torch-call"),
    ("in a helper", dict(before="def finish(t):\n    return torch.sigmoid(t)",
                         forward="return finish(ext.run(x))"), "fallback-python-torch-call"),
    ("map", dict(forward="return list(map(torch.relu, [ext.run(x)]))[0]"),
     "fallback-python-torch-call"),
    ("in except", dict(forward="try:\n    return ext.run(x)\nexcept RuntimeError:\n"
                               "    return torch.relu(x)"), "fallback-python-torch-call"),
    ("for one shape", dict(forward="if x.size(0) % 4:\n    return torch.relu(x)\nreturn ext.run(x)"),
     "fallback-python-torch-call"),
    ("compiled", dict(before="fast = torch.compile(F.relu)", forward="return fast(ext.run(x))"),
     "fallback-python-torch-call"),
    ("method", dict(forward="return ext.run(x).softmax(dim=-1)"), "fallback-python-tensor-method"),
    ("method of a view", dict(forward="return ext.run(x).view(-1).sum()"),
     "fallback-python-tensor-method"),
    ("unbound method", dict(forward="return torch.Tensor.sum(ext.run(x))"),
     "fallback-python-tensor-method"),
    ("operator", dict(forward="return ext.run(x) * 2.0"), "fallback-python-tensor-operator"),
    ("weight operator", dict(forward="y = ext.run(x)\ny += self.w\nreturn y"),
     "fallback-python-tensor-operator"),
    ("matmul operator", dict(forward="return ext.run(x @ self.w)"),
     "fallback-python-tensor-operator"),
    ("mask", dict(forward="y = ext.run(x)\nreturn y[y > 0]"), "fallback-python-tensor-operator"),
    ("builtin sum", dict(forward="return sum([ext.run(x), ext.run(x)])"),
     "fallback-python-tensor-operator"),
    ("autograd function", dict(before="""
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return torch.relu(ext.run(x))
        """, forward="return Fn.apply(x)"), "fallback-python-torch-call"),
    ("no kernel", dict(forward="return x.view(-1)"), "fallback-python-no-kernel"),
    ("dead kernel", dict(init="self.fast = False",
                         forward="if self.fast:\n    return ext.run(x)\nreturn x.relu()"),
     "fallback-python-no-kernel"),
    ("returned argument", dict(before="", forward="y = torch.empty_like(x)\next.run(y)\nreturn x"),
     "work-python-returns-input"),
    ("argument in place", dict(forward="x.clamp_(min=0)\nreturn ext.run(x)"),
     "work-python-input-modified"),
]

ACCEPTED = [
    ("views", dict(forward="b, n = x.shape\ny = x.contiguous().view(b * n, -1).transpose(0, 1)\n"
                           "return ext.run(y).reshape(b, n)")),
    ("shape arithmetic", dict(forward="n = x.size(0) * x.shape[1] // 2 + 1\nassert n > 0\n"
                                      "return ext.run(x)")),
    ("allocation", dict(forward="y = torch.empty(x.shape, device=x.device, dtype=x.dtype)\n"
                                "ext.run(y)\nreturn y")),
    ("parameters held by a module", dict(init="self.fc = nn.Linear(4, 4)",
                                         forward="ext.run(self.fc.weight)\n"
                                                 "return ext.run(self.fc.bias)")),
    ("scalars", dict(init="self.scale = 2.0 * size", forward="s = self.scale * 0.5\n"
                                                             "ext.run(s)\nreturn ext.run(x)")),
    ("weights prepared in the constructor", dict(
        init="self.w = nn.Parameter(torch.randn(4, 4).t() * 0.1)", forward="return ext.run(x)")),
    ("names like torch's", dict(before="def relu(t):\n    return ext.run(t)\n"
                                       "class torch_like:\n    matmul = staticmethod(relu)",
                                forward="return torch_like.matmul(relu(x))")),
    ("CPU branch", dict(forward="if not x.is_cuda:\n    return torch.relu(x)\nreturn ext.run(x)")),
    ("device type", dict(forward="if x.device.type == 'cpu':\n    return F.relu(x)\n"
                                 "return ext.run(x)")),
    ("identity module", dict(init="self.skip = nn.Identity()", forward="return ext.run(self.skip(x))")),
    ("slices", dict(forward="return ext.run(x[:, 0:2, None])")),
    ("float of a float", dict(forward="return ext.run(x.float())")),
    ("device move", dict(forward="return ext.run(x.cuda())")),
    ("own autograd function", dict(before="""
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return ext.run(x)
            @staticmethod
            def backward(ctx, g):
                return torch.relu(g)
        """, forward="return Fn.apply(x)")),
    ("no grad", dict(forward="with torch.no_grad():\n    return ext.run(x)")),
    ("lazily built", dict(before="_cache = {}\ndef get():\n    if 'e' not in _cache:\n"
                                 "        _cache['e'] = load_inline(name='b', cpp_sources='', "
                                 "cuda_sources=SRC, functions=['run'])\n    return _cache['e']",
                          forward="return get().run(x)")),
    ("reference in the same file", dict(before="class Model(nn.Module):\n"
                                               "    def forward(self, x):\n"
                                               "        return torch.relu(x)\n",
                                        forward="return ext.run(x)")),
    ("unused helper", dict(methods="def slow(self, x):\n    return torch.relu(x)\n",
                           forward="return ext.run(x)")),
    ("other dtype's branch", dict(forward="if x.dtype == torch.float64:\n    return torch.relu(x)\n"
                                          "return ext.run(x)")),
]


class Forward(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED

    def test_inherited_forward(self):
        text = model(forward="return ext.run(x)").replace("(nn.Module)", "(nn.ReLU)")
        text = text[:text.index("    def forward")]
        self.assertIn("fallback-python-inherited-forward", ids(inspect_text(text), "reject"))

    def test_copy_is_a_warning(self):
        result = inspect_text(model(forward="return ext.run(x.clone())"))
        self.assertEqual({"fallback-python-tensor-copy"}, ids(result, "warn"))
        self.assertEqual(set(), ids(result, "reject"))


if __name__ == "__main__":
    unittest.main()
