"""Work that forward leaves to other libraries, or to parts and methods of a torch module."""

import unittest

from support import ids, inspect_text, model

CALL, MODULE = "fallback-python-torch-call", "fallback-python-module-call"
MODEL = dict(before="from transformers import AutoModelForCausalLM as Auto",
             init="self.m = Auto.from_pretrained('gpt2')")
CONV = dict(init="self.c = nn.Conv2d(3, 3, 1)")

# (forward, further arguments of model(), the id that must be reported)
REJECTED = [
    ("return self.m(ext.run(x)).logits", MODEL, MODULE),
    ("return self.m(input_ids=ext.run(x)).logits", MODEL, MODULE),
    ("return self.m.lm_head(ext.run(x))", MODEL, MODULE),
    ("return ext.run(self.m.transformer.wte(x))", MODEL, MODULE),
    ("return self.m.transformer.h[0].attn(ext.run(x))", MODEL, MODULE),
    ("for layer in self.m.layers:\n    x = layer(x)\nreturn ext.run(x)", MODEL, MODULE),
    ("return self.c._conv_forward(ext.run(x), self.c.weight, None)", CONV, MODULE),
    ("return self.m.out_proj(ext.run(x))", dict(init="self.m = nn.MultiheadAttention(4, 2)"),
     MODULE),
    ("return self.m.layer1(ext.run(x))",
     dict(init="import torchvision.models as models\nself.m = models.resnet18()"), MODULE),
    ("return self.n(ext.run(x))",
     dict(init="from apex.normalization import FusedLayerNorm\nself.n = FusedLayerNorm(4)"),
     MODULE),
    ("y = np.maximum(x.cpu().numpy(), 0)\nreturn ext.run(x)", dict(before="import numpy as np"),
     CALL),
    ("return einsum(ext.run(x), x, 'a b, b c -> a c')", dict(before="from einops import einsum"),
     CALL),
    ("return flash_attn_func(ext.run(x), x, x)",
     dict(before="from flash_attn import flash_attn_func"), CALL),
    ("return ops.memory_efficient_attention(ext.run(x), x, x)",
     dict(before="import xformers.ops as ops"), CALL),
]

ACCEPTED = [
    ("return ext.run(x, self.m.lm_head.weight, self.m.config.hidden_size)", MODEL),
    ("for l in self.m.layers:\n    x = ext.run(x, l.mlp.up_proj.weight.t())\nreturn x", MODEL),
    ("return ext.run(x, self.c.weight, self.c.stride[0], self.c.in_channels)", CONV),
    ("return ext.run(x, self.m.in_proj_weight, self.m.out_proj.weight)",
     dict(init="self.m = nn.MultiheadAttention(4, 2)")),
    ("return Output(logits=ext.run(x))",
     dict(before="from transformers.modeling_outputs import CausalLMOutput as Output")),
    ("return ext.run(x, int(np.prod(x.shape[1:])))", dict(before="import numpy as np")),
    ("return rearrange(ext.run(x), 'a b -> b a')", dict(before="from einops import rearrange")),
    ("return ext.run(helper.prepare(x))", dict(before="import helper")),
    ("return ext.run(x, self.w)", dict(init="""
        import numpy as np
        self.w = nn.Parameter(torch.from_numpy(np.maximum(np.ones(4), 0)))
        """)),
    ("return ext.run(x, self.c.weight)", dict(init="""
        self.c = nn.Conv2d(3, 3, 1)
        self.c.load_state_dict({"weight": torch.ones(3)})
        """)),
]


class Libraries(unittest.TestCase):
    def test_rejected(self):
        for forward, parts, check in REJECTED:
            with self.subTest(forward):
                self.assertIn(check, ids(inspect_text(model(forward, **parts)), "reject"))

    def test_accepted(self):
        for forward, parts in ACCEPTED:
            with self.subTest(forward):
                self.assertEqual(set(), ids(inspect_text(model(forward, **parts)), "reject"))


if __name__ == "__main__":
    unittest.main()
