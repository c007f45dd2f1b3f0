#!/usr/bin/env python3
"""Prints how far honest and dishonest computations are from the tolerance of docs/correctness.md.

For each computation: the largest error as a multiple of what is allowed. Honest ones (another order of
summation, fused or split differently, fast intrinsics) must stay under 1 and lower precision must be over
it. The rule is written here a second time, from the page, and not taken from the worker.
"""

import argparse
import torch

RULE = {torch.float64: (1e-9, 16, 1e-6), torch.float32: (3e-5, 16, 1e-2),
        torch.float16: (2e-3, 4, 0.1), torch.bfloat16: (1.5e-2, 4, 0.1)}


def multiple(result, own, exact):
    relative, factor, ceiling = RULE[own.dtype]
    exact = exact.double()
    distance = (exact - exact.median()).abs()
    distance = distance[distance > 0]
    scale = distance.median().item() if distance.numel() else 0.0
    magnitude = exact.abs() + scale
    own_error = ((own.double() - exact).abs() / magnitude).max().item()
    allowed = max(relative, min(factor * own_error, ceiling)) * magnitude
    return ((result.double() - exact).abs() / allowed).max().item(), own_error


def rounded(x, bits):
    """float32 with a mantissa of `bits` bits, rounded to nearest even, as TF32 (10) or bf16 (7)."""
    drop = 23 - bits
    as_int = x.view(torch.int32)
    bias = ((as_int >> drop) & 1) + ((1 << (drop - 1)) - 1)
    return ((as_int + bias) >> drop << drop).view(torch.float32)


def sequential(a, b, dtype, steps=None):
    """A B summed up along k in order, in dtype, `steps` products at a time (1: as one thread does)."""
    k = a.shape[1]
    steps = steps or 1
    total = torch.zeros(a.shape[0], b.shape[1], dtype=dtype)
    for start in range(0, k, steps):
        total = total + (a[:, start:start + steps].to(dtype) @ b[start:start + steps].to(dtype)).to(dtype)
    return total


def split(a, b, parts):
    return sum(sequential(x, y, torch.float32, 8) for x, y in zip(a.chunk(parts, 1), b.chunk(parts, 0)))


def bf16x3(a, b):
    ah, bh = a.bfloat16().float(), b.bfloat16().float()
    al, bl = (a - ah).bfloat16().float(), (b - bh).bfloat16().float()
    return ah @ bh + (ah @ bl + al @ bh)


def show(title, own, exact, honest, dishonest):
    for kind, results in (("honest", honest), ("lower", dishonest)):
        for name, result in results.items():
            value, own_error = multiple(result, own, exact)
            wrong = (value > 1) == (kind == "honest")
            print(f"{title:34} {kind:7} {name:34} {value:10.3g}   own {own_error:.1e}{'   <-- WRONG' if wrong else ''}",
                  flush=True)


def matmuls(rows):
    for k in (64, 1024, 16384):
        for values, draw in (("normal", torch.randn), ("uniform", torch.rand)):
            a, b = draw(rows, k), draw(k, rows)
            exact = a.double() @ b.double()
            show(f"matmul k={k} {values}", a @ b, exact,
                 {"one by one": sequential(a, b, torch.float32), "eight by eight": sequential(a, b, torch.float32, 8),
                  "split k in 16": split(a, b, 16), "3 x bf16": bf16x3(a, b)},
                 {"tf32": rounded(a, 10) @ rounded(b, 10), "fp16 inputs": a.half().float() @ b.half().float(),
                  "bf16 inputs": a.bfloat16().float() @ b.bfloat16().float(),
                  "tf32 truncated": (a.view(torch.int32) & ~0x1FFF).view(torch.float32)
                                    @ (b.view(torch.int32) & ~0x1FFF).view(torch.float32)})
            for dtype in (torch.float16, torch.bfloat16):
                x, y = a.to(dtype), b.to(dtype)
                exact = x.double() @ y.double()
                if exact.abs().max() > 6e4:
                    continue
                show(f"matmul k={k} {values} {str(dtype)[6:]}", (x.float() @ y.float()).to(dtype), exact,
                     {"float32 one by one": sequential(x, y, torch.float32).to(dtype),
                      "float32 split": split(x.float(), y.float(), 16).to(dtype)},
                     {"sums in the dtype": sequential(x, y, dtype, 8),
                      "fp8 inputs": (x.to(torch.float8_e4m3fn).float() @ y.to(torch.float8_e4m3fn).float()).to(dtype)})


def elementwise():
    x = torch.randn(1 << 20)
    big = x * 3
    exp = big.exp()
    show("exp(3 normal)", exp, big.double().exp(),
         {"__expf: exp2(x * log2 e)": torch.exp2(big * 1.4426950408889634)}, {"half": exp.half().float(),
                                                                          "bf16": exp.bfloat16().float()})
    gelu = torch.nn.functional.gelu(x)
    show("gelu", gelu, torch.nn.functional.gelu(x.double()),
         {"erfc form": 0.5 * x * torch.erfc(-x * 0.7071067811865476)},
         {"tanh form": torch.nn.functional.gelu(x, approximate="tanh"), "half": torch.nn.functional.gelu(x.half()).float()})
    tanh = x.tanh()
    show("tanh", tanh, x.double().tanh(), {"by exp": 1 - 2 / (1 + torch.exp(2 * x))},
         {"tanh.approx: 11 bits": tanh * (1 + (torch.rand_like(tanh) - 0.5) * 2**-10)})
    sigmoid = x.sigmoid()
    show("sigmoid", sigmoid, x.double().sigmoid(), {"by exp": 1 / (1 + torch.exp(-x))}, {"bf16": sigmoid.bfloat16().float()})


def rows():
    for length in (1023, 16384):
        x = torch.randn(256, length)
        soft = torch.softmax(x, 1)
        e = torch.exp2(x * 1.4426950408889634)
        show(f"softmax {length}", soft, torch.softmax(x.double(), 1),
             {"without the maximum, exp2": e / torch.cumsum(e, 1)[:, -1:]}, {"half": torch.softmax(x.half(), 1).float()})
        for offset in (0.0, 10.0):
            y = x + offset
            norm = torch.nn.functional.layer_norm(y, [length])
            mean = y.mean(1, keepdim=True)
            variance = (y * y).mean(1, keepdim=True) - mean * mean
            one_pass = (y - mean) * torch.rsqrt(variance + 1e-5)
            half = torch.nn.functional.layer_norm(y.half(), [length]).float()
            show(f"layer_norm {length} mean {offset:g}", norm, torch.nn.functional.layer_norm(y.double(), [length]),
                 {"E[x^2] - E[x]^2": one_pass}, {"half": half})
        show(f"sum {length}", x.sum(1), x.double().sum(1), {"one by one": torch.cumsum(x, 1)[:, -1]},
             {"half": x.half().float().sum(1), "bf16": x.bfloat16().float().sum(1)})
        u = torch.rand(256, length)
        show(f"sum of uniform {length}", u.sum(1), u.double().sum(1), {"one by one": torch.cumsum(u, 1)[:, -1]},
             {"bf16 at the end": u.sum(1).bfloat16().float()})
        scan = torch.cumsum(x, 1)
        blocks = torch.cat([part for part in x.split(1024, 1)], 1)
        pieces, carry = [], torch.zeros(256, 1)
        for part in blocks.split(1024, 1):
            piece = torch.cumsum(part, 1) + carry
            carry = piece[:, -1:]
            pieces.append(piece)
        show(f"cumsum {length}", scan, x.double().cumsum(1), {"in blocks of 1024": torch.cat(pieces, 1)},
             {"half": x.half().float().cumsum(1)})
    loss = ((x - 1) ** 2).mean()
    show("mse, one number", loss, ((x.double() - 1) ** 2).mean(),
         {"one by one": torch.cumsum(((x - 1) ** 2).view(-1), 0)[-1] / x.numel()}, {"bf16": loss.bfloat16().float()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["matmuls", "elementwise", "rows"])
    parser.add_argument("--rows", type=int, default=64, help="rows and columns of the matrix products")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    options = parser.parse_args()
    parts = {"elementwise": elementwise, "rows": rows, "matmuls": lambda: matmuls(options.rows)}
    for name in [options.only] if options.only else parts:
        parts[name]()


if __name__ == "__main__":
    main()
