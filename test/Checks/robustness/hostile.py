# Files that are meant to break the linter: each ends soon, in bounded memory, with a verdict and a reason.
# RUN: %python %s %cupel %t | FileCheck %s
# REQUIRES: cupel, torch, cuda-headers

# CHECK: nul.cu {{.*}}holds a NUL byte
# CHECK: utf16.cu {{.*}}is UTF-16; save it as UTF-8
# CHECK: bom.cu rejected fallback-aten-call at line 10
# CHECK: crlf.cu rejected fallback-aten-call at line 10
# CHECK: invalid-utf8.cu rejected fallback-aten-call at line 10
# CHECK: long-line.cu rejected fallback-aten-call at line 10
# CHECK: self.cu {{.*}}nested too deeply
# CHECK: pipe.cu {{.*}}file not found
# CHECK: namespaces.cu {{.*}}bracket nesting level exceeded
# CHECK: operators.cu {{.*}}Clang crashed
# CHECK: templates.cu {{.*}}recursive template instantiation exceeded
# CHECK: constexpr.cu {{.*}}constant expression
# CHECK: sum.cu rejected fallback-aten-call at line 10
# CHECK: chain.cu rejected fallback-aten-call at line 10
# CHECK: conditions.cu rejected fallback-aten-call at line 10
# CHECK: calls.cu rejected fallback-aten-call at line 10
# CHECK: nul.py {{.*}}holds a NUL byte
# CHECK: deep.py {{.*}}nested too deeply
# CHECK: growing.py {{.*}}too deep or too long
# CHECK: form-feed.py rejected fallback-python-torch-call at line 5
# CHECK: 20 files

import json
import os
import subprocess
import sys

HEAD = """#include <torch/extension.h>
__global__ void twice(float *y, const float *x, int n) {
  if (threadIdx.x < n)
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
%s
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x); int n = x.numel();
  %s
  auto z = at::softmax(x, 0);
  twice<<<1, 256>>>(y.data_ptr<float>(), z.data_ptr<float>(), n);
  return y;
}
"""


def submission(body="", before=""):
    return (HEAD % (before, body)).encode()


CALLS = "void f0(int n) {} " + " ".join(
    f"void f{i}(int n) {{ f{i - 1}(n); f{i - 1}(n + 1); f{i - 1}(n + 2); }}" for i in range(1, 40))
PYTHON = b"import torch\nimport torch.nn as nn\nclass ModelNew(nn.Module):\n  def forward(self, x):\n"

FILES = {
    "nul.cu": submission("n = 1;").replace(b"n = 1", b"n\0= 1"),
    "utf16.cu": submission().decode().encode("utf-16"),
    "bom.cu": b"\xef\xbb\xbf" + submission(),
    "crlf.cu": submission().replace(b"\n", b"\r\n"),
    "invalid-utf8.cu": submission("// @").replace(b"@", b"\xff\xfe\x80"),
    "long-line.cu": submission("n = 1;" + " " * 3_000_000 + "n = 2;"),
    "self.cu": b"#include __FILE__\n" + submission(),
    "pipe.cu": None,
    "namespaces.cu": submission(before="namespace a {" * 2000 + "}" * 2000),
    "operators.cu": submission("n = " + "!" * 1_000_000 + "n;"),
    "templates.cu": submission(before="template <int N> struct A { A<N + 1> a; }; A<0> a;"),
    "constexpr.cu": submission(before="constexpr int f() { int i = 0; while (true) ++i; return i; } "
                                      "static_assert(f() == 1);"),
    "sum.cu": submission("n = n" + " + n" * 20_000 + ";"),
    "chain.cu": submission("if (n == 1) n = 2;" + " else if (n == 3) n = 4;" * 500),
    "conditions.cu": submission("if (n" + " && n" * 3_000 + ") n = 1;"),
    "calls.cu": submission("f39(n);", CALLS),
    "nul.py": b"x = 1\0\n",
    "deep.py": PYTHON + b"    return x" + b".a" * 100_000 + b"\n",
    "growing.py": b"x = 'a'\n" + b"x = x + x\n" * 60,
    "form-feed.py": PYTHON.replace(b"nn\n", b"nn \x0c\n") + b"    return torch.relu(x)\n",
}


def main():
    cupel, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    pipe = os.path.join(folder, "pipe")
    if not os.path.exists(pipe):
        os.mkfifo(pipe)
    FILES["pipe.cu"] = f'#include "{pipe}"\n'.encode() + submission()
    for name, data in FILES.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run([cupel, "lint", "--problem", "level1/relu", "--format", "json", path],
                              capture_output=True, text=True, timeout=120)
        assert done.returncode in (1, 2), (name, done.returncode, done.stderr)
        record = json.loads(done.stdout)["submissions"][0]
        wanted = "error" if record["verdict"] == "could_not_judge" else "reject"
        errors = [f for f in record["findings"] if f["level"] == "error"]
        rejects = [f for f in record["findings"] if f["level"] == wanted and "softmax" in f["message"]
                   or f["level"] == wanted and "relu" in f["message"]]
        if errors:
            print(name, record["verdict"], " | ".join(f["message"][:200] for f in errors[:3]))
        else:
            print(name, record["verdict"], rejects[0]["id"], "at line", rejects[0]["line"])
    print(len(FILES), "files")


main()
