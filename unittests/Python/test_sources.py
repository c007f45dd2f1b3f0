"""Sources of extensions, and where in the file their characters stand."""

import unittest

from support import inspect_text

HEAD = ("import os\nimport textwrap\nimport torch.nn as nn\n"
        "from torch.utils.cpp_extension import load, load_inline\n")
TAIL = ("\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return e.f(x)\n")


def build(source_lines, call):
    return inspect_text(HEAD + source_lines + "\ne = " + call + TAIL)


INLINE = "load_inline(name='e', cpp_sources='', cuda_sources=S, functions=['f'])"


class Sources(unittest.TestCase):
    def only(self, result):
        self.assertEqual(1, len(result["extensions"]))
        self.assertEqual([], result["extensions"][0]["unknown"])
        return result["extensions"][0]["cuda"][0]

    def place(self, source, needle):
        """Line and column in the file of `needle`'s first character."""
        at = source["text"].index(needle)
        run = [r for r in source["map"] if r[0] <= at][-1]
        return (run[1], run[2] + at - run[0]) if run[1] else None

    def test_texts(self):
        for name, lines, text in [
            ("plain", "S = 'int a;'", "int a;"),
            ("escapes", "S = 'a\\n\\tb\\x41'", "a\n\tbA"),
            ("raw", "S = r'a\\n'", "a\\n"),
            ("implicit", "S = ('ab' \"cd\"\n     'ef')", "abcdef"),
            ("sum", "A = 'x'\nS = A + 'y'\nS += 'z'", "xyz"),
            ("f-string", "N = 32\nS = f'int a[{N}]; {{}} {N * 2:>4}'", "int a[32]; {}   64"),
            ("format", "S = 'int a[{n}]; {{}}{0}'.format(1, n=4)", "int a[4]; {}1"),
            ("percent", "S = 'int a[%d];' % 5", "int a[5];"),
            ("replace", "S = 'BLOCK + BLOCK'.replace('BLOCK', str(64))", "64 + 64"),
            ("dedent", "S = textwrap.dedent('''\n    a\n      b\n    ''')", "\na\n  b\n"),
            ("join", "S = '\\n'.join(['a', 'b'])", "a\nb"),
            ("function", "def make(n):\n    return f'{n}!'\nS = make('x')", "x!"),
            ("strip", "S = '''\n  a\n'''.strip()", "a"),
        ]:
            with self.subTest(name):
                self.assertEqual(text, self.only(build(lines, INLINE))["text"])

    def test_places(self):
        source = self.only(build("N = 8\nS = f'''first\n  second {N} third'''\n", INLINE))
        self.assertEqual((6, 9), self.place(source, "first"))
        self.assertEqual((7, 3), self.place(source, "second"))
        self.assertEqual((7, 14), self.place(source, "third"))
        self.assertIsNone(self.place(source, "8"))

    def test_place_after_replace_and_dedent(self):
        lines = "S = textwrap.dedent('''\n    one XX\n    two''').replace('XX', 'at::mm')\n"
        source = self.only(build(lines, INLINE))
        self.assertEqual((6, 5), self.place(source, "one"))
        self.assertEqual((7, 28), self.place(source, "at::mm"))
        self.assertEqual((7, 5), self.place(source, "two"))

    def test_written_file(self):
        lines = ("import tempfile\nd = tempfile.mkdtemp()\np = os.path.join(d, 'k.cu')\n"
                 "with open(p, 'w') as f:\n    f.write('int a;')\n")
        self.assertEqual("int a;", self.only(build(lines, "load(name='e', sources=[p])"))["text"])

    def test_keywords_in_a_dict(self):
        lines = ("S = 'int a;'\nK = dict(cpp_sources='', functions=['f'])\n"
                 "def build(name, **rest):\n"
                 "    return load_inline(name=name, **{**K, 'cuda_sources': S}, **rest)\n")
        source = self.only(build(lines, "build('e', extra_cuda_cflags=['-O3'])"))
        self.assertEqual("int a;", source["text"])
        self.assertEqual((5, 6), self.place(source, "int"))
        result = build("import json", "load_inline(name='e', **json.loads(open('k').read()))")
        self.assertEqual(["cuda_sources"], result["extensions"][0]["unknown"])

    def test_unknown_source_is_told(self):
        result = build("S = open('k.cu').read()", INLINE)
        self.assertEqual(["cuda_sources"], result["extensions"][0]["unknown"])
        self.assertIn("evasion-python-unknown-source", {f["id"] for f in result["findings"]})

    def test_hostile_texts_end(self):
        for text in ["x = " + "(" * 150 + ")" * 150, "S = 'a' * 10**12\n" + TAIL,
                     "def f():\n    return f()\nf()\n" + TAIL,
                     "x = 1\n" + "if x:\n    y = 2\n" * 2000]:
            with self.subTest(text[:20]):
                self.assertIn(inspect_text(text)["parse"], ("complete", "partial"))


if __name__ == "__main__":
    unittest.main()
