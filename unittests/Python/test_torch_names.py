"""Which names of torch do tensor work, under all their spellings."""

import unittest

from support import ids, inspect_text, model

COMPUTE = """
    torch.relu torch._scaled_mm torch._softmax torch._foreach_add torch._VF.relu torch.func.vmap
    torch._C._nn.gelu torch._C._linalg.linalg_det torch._C._fft.fft_rfft torch._refs.relu
    torch._C._TensorBase.relu torch._prims.exp torch._decomp.decompositions.gelu_backward
    torch.ao.nn.functional.relu torch.masked.sum torch.distributed.all_reduce torch.special.erf
    torch.nn.modules.activation.F.relu torch.autograd.functional.vjp torch.nn.utils.rnn.pad_sequence
    torch.signal.windows.hann torch.ops.aten.mul torch.ops.aten.mul.Tensor torch.ops.aten.relu.default
""".split()

COMPILE = """
    torch.compile torch.jit.script torch.jit.trace torch.jit.CompilationUnit torch.export.export
    torch._dynamo.optimize torch._inductor.compile torch.fx.symbolic_trace
""".split()

FREE = """
    torch.is_tensor torch._assert torch._check torch.cuda.synchronize torch.jit.is_scripting
    torch._C._cuda_getCurrentRawStream torch._C._get_tracing_state torch._utils._get_device_index
    torch.compiler.is_compiling torch.autograd.graph.save_on_cpu torch.nn.attention.sdpa_kernel
    torch.distributed.get_rank torch.backends.cuda.is_built torch.autograd.set_grad_enabled
    torch.ops.aten.view.default torch.ops.aten.t.default torch.ops.aten.empty_like.default
    torch.autocast torch.amp.autocast torch.random.fork_rng torch.testing.assert_close
""".split()


class TorchNames(unittest.TestCase):
    def found(self, name, init="pass"):
        return ids(inspect_text(model(f"y = {name}(ext.run(x))\nreturn ext.run(x)", init)),
                   "reject")

    def test_compute(self):
        for name in COMPUTE:
            with self.subTest(name):
                found = self.found(name)
                self.assertTrue({"fallback-python-torch-call", "fallback-python-tensor-method"} &
                                found)

    def test_compile(self):
        for name in COMPILE:
            with self.subTest(name):
                found = inspect_text(model("return ext.run(x)", f"self.f = {name}('f')"))
                self.assertIn("fallback-python-torch-call", ids(found, "reject"))

    def test_free(self):
        for name in FREE:
            with self.subTest(name):
                self.assertEqual(set(), self.found(name))


if __name__ == "__main__":
    unittest.main()
