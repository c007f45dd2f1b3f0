"""Flags of load_inline: macros ahead of the source, flags that change what is built."""

import unittest

from support import ids, inspect_text, model

CHECK = "evasion-python-build-flag"
UNKNOWN = "evasion-python-unknown-source"


def build(arguments, before=""):
    return inspect_text(model(
        forward="return e2.run(x)",
        before=before + "\ne2 = load_inline(name='c', cpp_sources='int c;', cuda_sources=SRC,"
                        f" functions=['run'], {arguments})"))


def levels(result, check=CHECK):
    return [f["level"] for f in result["findings"] if f["id"] == check]


class Macros(unittest.TestCase):
    def lines(self, arguments, part="cuda", before=""):
        result = build(arguments, before)
        self.assertEqual([], [f for f in result["findings"] if f["level"] != "note"])
        texts = [t["text"] for t in result["extensions"][1][part]]
        return "".join(t for t in texts if "__global__" not in t)

    def test_definitions(self):
        for flags, lines in [
            ("['-DTILE=256']", "#define TILE 256\n"),
            ("['-DX']", "#define X 1\n"),
            ("['-DX=']", "#define X \n"),
            ("['-D', 'TILE=2']", "#define TILE 2\n"),
            ("['--define-macro', 'TILE=2']", "#define TILE 2\n"),
            ("['--define-macro=TILE=2']", "#define TILE 2\n"),
            ("['-O3 -DA=1 -DB=2']", "#define A 1\n#define B 2\n"),
            ("['-DA=1,B=2']", "#define A 1\n#define B 2\n"),
            ("['-DR=at::add(x,y)']", "#define R at::add(x,y)\n"),
            ("[\"'-DF(x)=x * 2'\"]", "#define F(x) x * 2\n"),
            ("['-DT=\\\\\"a\\\\\"']", "#define T \"a\"\n"),
            ("['-DA=1', '-UA', '-DA=2']", "#define A 1\n#undef A\n#define A 2\n"),
            ("['-Xcompiler', '-DA=1,-fPIC']", "#define A 1\n"),
            ("[f'-DTILE={N * 2}', '-D' + 'A=' + str(N)]", "#define TILE 64\n#define A 32\n"),
            ("'-O3 -DTILE=8'.split()", "#define TILE 8\n"),
            ("['-DA=b\\\\\\\\']", "#define A b\\/**/\n"),
            ("['-D_GLIBCXX_USE_CXX11_ABI=0']", ""),
            ("['-D2=3', '-D']", ""),
        ]:
            with self.subTest(flags):
                self.assertEqual(lines, self.lines(f"extra_cuda_cflags={flags}", before="N = 32"))

    def test_each_compiler_has_its_own(self):
        flags = "extra_cflags=['-DA=1'], extra_cuda_cflags=['-DB=2']"
        self.assertEqual("#define B 2\n", self.lines(flags))
        self.assertEqual("#define A 1\nint c;\n#undef A\n", self.lines(flags, "cpp"))

    def test_places(self):
        result = build("extra_cuda_cflags=['-DRET=at::relu(x)']")
        source, at = result["extensions"][1]["cuda"][0], len("#define RET ")
        run = [r for r in source["map"] if r[0] <= at][-1]
        lines = model(forward="return e2.run(x)").splitlines()
        self.assertEqual(len(lines[:lines.index("class ModelNew(nn.Module):") - 1]) + 2, run[1])
        self.assertGreater(run[2], 100)


class Findings(unittest.TestCase):
    def test_rejected(self):
        for arguments in [
            "extra_cuda_cflags=['-include', 'more.h']", "extra_cflags=['-imacros more.h']",
            "extra_cflags=['-fplugin=p.so']", "extra_cuda_cflags=['--pre-include=more.h']",
            "extra_cuda_cflags=['-Xcompiler', '-include,more.h']",
            "extra_cuda_cflags=['-Xcompiler=-fplugin=p.so']", "extra_cuda_cflags=['-ccbin', './cc.sh']",
            "extra_cflags=['@flags.txt']", "extra_cuda_cflags=['-optf', 'f']",
            "extra_cflags=['-B/opt/tools/']", "extra_cflags=['-O3; true']",
            "extra_cflags=['-O3 `true`']", "extra_cflags=['-DA=\"$(true)\"']",
            "extra_cflags=['-O3\\n  command = true']",
            "extra_ldflags=['/srv/more.so']", "extra_ldflags=['more.o']",
            "extra_ldflags=['-L.', '-l:more.so']", "extra_ldflags=['-Wl,--wrap=cudaLaunchKernel']",
            "extra_ldflags=['-Xlinker', '--defsym=f=g']", "extra_ldflags=['-Wl,-z,interpose']",
            "extra_ldflags=['-Wl,-rpath,/x,more.so']", "extra_ldflags=['-lm', 'lib/more']",
            "extra_ldflags=['/srv/libcudart.so']",
        ]:
            with self.subTest(arguments):
                self.assertEqual(["reject"], levels(build(arguments)))

    def test_warned(self):
        self.assertEqual(["warn"], levels(build("extra_ldflags=['-lmore']")))
        for flags in ["['-DA=' + open('k').read()]", "[open('k').read()]",
                      "[f'-DA={__file__}']", "['-DA=%s' % __file__]"]:
            with self.subTest(flags):
                self.assertEqual(["warn"], levels(build(f"extra_cuda_cflags={flags}"), UNKNOWN))

    def test_accepted(self):
        for arguments in [
            "extra_cflags=['-O3', '-std=c++17', '-Wall', '-fopenmp', '-march=native', '']",
            "extra_cuda_cflags=['-O3', '--use_fast_math', '-std=c++17', '-lineinfo', '-w', '-t', '4']",
            "extra_cuda_cflags=['-gencode', 'arch=compute_90a,code=sm_90a', '-arch=sm_90']",
            "extra_cuda_cflags=['--generate-code=arch=compute_90,code=[sm_90,compute_90]']",
            "extra_cuda_cflags=['-Xcompiler', '-fPIC', '-Xcompiler=-O3,-Wall', '-Xptxas', '-v']",
            "extra_cuda_cflags=['--ptxas-options=-v,-dlcm=ca', '-diag-suppress=20012', '--restrict']",
            "extra_cuda_cflags=['-U__CUDA_NO_HALF_OPERATORS__', '-DNDEBUG', '-isystem', 'a/b']",
            "extra_cuda_cflags=['-ccbin', '/usr/bin/g++-12', '--compiler-bindir=/usr/bin']",
            "extra_cuda_cflags=[f'-gencode=arch=compute_{__file__},code=sm_{__file__}']",
            "extra_cuda_cflags=['-I%s/include' % __file__, '-I' + __file__, '-I/opt/cutlass/include']",
            "extra_ldflags=['-lcuda', '-lcudart', '-lcublas -lcublasLt', '-L/usr/local/cuda/lib64']",
            "extra_ldflags=['', '-Wl,-rpath,/usr/local/cuda/lib64', '-Wl,--no-as-needed', '-lnvrtc']",
            "extra_ldflags=['/usr/local/cuda/lib64/libcudart.so', '-L', '/srv/lib', '-lc10_cuda']",
            "extra_cflags=None, extra_ldflags=[], extra_include_paths=['include']",
        ]:
            with self.subTest(arguments):
                self.assertEqual(set(), ids(build(arguments), "reject", "warn"))

    def test_variables(self):
        for level, lines in [
            ("reject", "os.environ['LD_PRELOAD'] = 'more.so'"),
            ("reject", "os.environ['NVCC_APPEND_FLAGS'] = '-include more.h'"),
            ("reject", "os.environ.setdefault('CXX', './cc.sh')"),
            ("reject", "os.environ.update({'NVCC_CCBIN': '/usr/../srv/g++'})"),
            ("reject", "os.environ['CC'] = 'sh cc.sh'"),
            ("reject", "os.putenv('LD_AUDIT', 'more.so')"),
            ("warn", "os.environ['NVCC_APPEND_FLAGS'] = '-DRET=at::relu(x)'"),
            ("warn", "os.environ['NVCC_PREPEND_FLAGS'] = open('k').read()"),
            (None, "os.environ['NVCC_APPEND_FLAGS'] = '-O3 --use_fast_math -lineinfo'"),
            (None, "os.environ['CXX'] = 'ccache g++-12'\nos.environ['CC'] = '/usr/bin/gcc-12'"),
            (None, "os.environ['CXX'] = 'hipcc'"),
            (None, "os.environ['CXX'] = __file__\nos.environ['PATH'] = '/usr/local/cuda/bin'"),
            (None, "os.environ.setdefault('TORCH_CUDA_ARCH_LIST', '9.0a')"),
            (None, "os.environ['CUDA_HOME'] = '/usr/local/cuda'\nos.environ['MAX_JOBS'] = '4'"),
            (None, "os.environ.update(TORCH_EXTENSIONS_DIR='build')"),
        ]:
            with self.subTest(lines):
                found = levels(build("extra_cflags=['-O3']", "import os\n" + lines))
                self.assertEqual([level] if level else [], found)


if __name__ == "__main__":
    unittest.main()
