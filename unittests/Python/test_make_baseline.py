"""The reference as make_baseline.py hands it to torch's compiler; what torch makes of it needs a GPU."""

import importlib.util
import unittest

TORCH = importlib.util.find_spec("torch") is not None
if TORCH:
    import torch

    import make_baseline


@unittest.skipUnless(TORCH, "this Python has no torch")
class References(unittest.TestCase):
    def run_source(self, source, inputs, parameters=(), values=()):
        request = {"source": source, "inputs": inputs, "parameters": list(parameters)}
        return make_baseline.Reference(request)(*values)

    def test_numbers_stand_between_tensors(self):
        x, y = torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0])
        got = self.run_source("def forward(self, x: Tensor, a: float, y: Tensor) -> Tensor:\n    return x * a + y\n",
                              [{"name": "x", "dtype": "float32", "shape": [2]}, {"name": "a", "value": 3.0},
                               {"name": "y", "dtype": "float32", "shape": [2]}], values=(x, y))
        self.assertEqual(got.tolist(), [13.0, 26.0])

    def test_parameters_are_attributes_and_come_last(self):
        got = self.run_source("def forward(self, x: Tensor) -> Tensor:\n    return x + self.bias\n",
                              [{"name": "x", "dtype": "float32", "shape": [1]}],
                              [{"name": "bias", "dtype": "float32", "shape": [1]}],
                              (torch.tensor([1.0]), torch.tensor([5.0])))
        self.assertEqual(got.tolist(), [6.0])

    def test_operators_that_only_torchscript_has(self):
        x = torch.arange(8.0).reshape(1, 2, 2, 2)
        got = self.run_source("def forward(self, x: Tensor) -> Tensor:\n    return torch.adaptive_avg_pool2d(torch.silu(x), 1)\n",
                              [{"name": "x", "dtype": "float32", "shape": [1, 2, 2, 2]}], values=(x,))
        wanted = torch.nn.functional.adaptive_avg_pool2d(torch.nn.functional.silu(x), 1)
        self.assertTrue(torch.equal(got, wanted))

    def test_functions_beside_forward(self):
        got = self.run_source("def twice(self, x: Tensor) -> Tensor:\n    return x + x\n\n"
                              "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    return x, self.twice(x)\n",
                              [{"name": "x", "dtype": "float32", "shape": [1]}], values=(torch.tensor([4.0]),))
        self.assertEqual([t.item() for t in got], [4.0, 8.0])

    def test_an_unknown_operator_is_named(self):
        with self.assertRaisesRegex(AttributeError, "rleu"):
            self.run_source("def forward(self, x: Tensor) -> Tensor:\n    return torch.rleu(x)\n",
                            [{"name": "x", "dtype": "float32", "shape": [1]}], values=(torch.tensor([4.0]),))
