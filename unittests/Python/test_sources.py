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
            ("f-string, width by value", "W = 4\nS = f'{8:>{W}}'", "   8"),
            ("format_map", "S = 'int a[{n}];'.format_map({'n': 4})", "int a[4];"),
            ("percent, tuple", "S = '%s a[%3d]; // 100%% %.2f' % ('int', 4, 0.5)",
             "int a[  4]; // 100% 0.50"),
            ("percent, dict", "S = '%(t)s a[%(n)d]; // 100%%' % {'t': 'int', 'n': 4}",
             "int a[4]; // 100%"),
            ("percent, dict()", "S = '%(t)s a;' % dict(t='int')", "int a;"),
            ("template", "import string\nS = string.Template('$t a[${n}]; $$').substitute("
             "{'t': 'int'}, n=4)", "int a[4]; $"),
            ("template by name", "from string import Template\nT = Template('$t a[$n];')\n"
             "V = dict(t='int')\nS = T.safe_substitute(**V)", "int a[$n];"),
            ("text of a template", "from string import Template\nS = Template('a $b').template",
             "a $b"),
            ("generator", "S = ';'.join(f'int a{i}' for i in range(3) if i != 1)",
             "int a0;int a2"),
            ("nested generator", "S = ' '.join(a + str(b) for a in 'x y'.split() for b in (1, 2))",
             "x1 x2 y1 y2"),
            ("loop over a range", "S = ''\nfor i in range(3):\n    S += f'{i},'", "0,1,2,"),
            ("loop over a dict", "S = 'int @A@ @B@;'\nfor k, v in {'@A@': 'a', '@B@': 'b'}.items():"
             "\n    S = S.replace(k, v)", "int a b;"),
            ("enumerate", "S = ''.join('%d%s' % p for p in enumerate(['a', 'b']))", "0a1b"),
            ("backwards", "S = ';b tni ;a tni'[::-1]", "int a; int b;"),
            ("each second", "S = 'i.n.t. .a.;.'[:-1:2]", "int a;"),
            ("reversed", "S = ''.join(reversed(';a tni'))", "int a;"),
            ("reversed list", "S = ' '.join(reversed(['a;', 'int']))", "int a;"),
            ("re.sub", "import re\nS = re.sub('@[A-Z]@', 'a', 'int @X@; float @Y@;')",
             "int a; float a;"),
            ("re.sub with a group", "import re\nS = re.sub(r'@(\\w+)', r'\\1_', 'int @a;')", "int a_;"),
            ("re.sub of nothing", "import re\nS = re.sub('@', 'a', 'int b;')", "int b;"),
            ("removeprefix", "S = '//int a;'.removeprefix('//')", "int a;"),
        ]:
            with self.subTest(name):
                self.assertEqual(text, self.only(build(lines, INLINE))["text"])

    def test_not_known(self):
        for name, lines in [
            ("step by a number that is not known", "S = 'int a;'[::len(os.listdir())]"),
            ("no step", "S = 'int a;'[::0]"),
            ("many repetitions", "import re\nS = re.sub('(i*)*x', '', 'int a;')"),
            ("broken pattern", "import re\nS = re.sub('(', '', 'int a;')"),
            ("no such group", "import re\nS = re.sub('i', r'\\2', 'int a;')"),
            ("function", "import re\nS = re.sub('i', lambda m: m[0], 'int a;')"),
        ]:
            with self.subTest(name):
                self.assertEqual(["cuda_sources"],
                                 build(lines, INLINE)["extensions"][0]["unknown"])

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

    def test_unknown_texts(self):
        for name, lines in [
            ("percent, name missing", "S = '%(t)s a;' % {'u': 'int'}"),
            ("percent, too many", "S = '%s a;' % ('int', 'b')"),
            ("percent, too few", "S = '%s %s;' % ('int',)"),
            ("percent, unknown", "S = '%s a;' % os.getpid()"),
            ("percent, width by value", "S = '%*d' % (4, 1)"),
            ("template, name missing", "from string import Template\n"
             "S = Template('$t a;').substitute()"),
            ("template, unknown", "from string import Template\n"
             "S = Template('$t a;').safe_substitute(t=os.getpid())"),
            ("template, unknown names", "import json\nfrom string import Template\n"
             "S = Template('$t a;').substitute(**json.loads(os.getcwd()))"),
            ("generator over unknown", "S = ''.join(f'{i}' for i in os.listdir('.'))"),
            ("long generator", "S = ''.join(f'{i}' for i in range(1000))"),
        ]:
            with self.subTest(name):
                extension = build(lines, INLINE)["extensions"][0]
                self.assertEqual(["cuda_sources"], extension["unknown"])

    def test_places_of_fields(self):
        for lines, place in [
            ("S = 'int %s;' % 'a'", (5, 18)),
            ("S = '%(x)s%(y)s' % {'x': 'int ', 'y': 'a'}", (5, 40)),
            ("import string\nS = string.Template('int $x').substitute(x='a')", (6, 45)),
        ]:
            with self.subTest(lines):
                source = self.only(build(lines, INLINE))
                self.assertEqual(place, self.place(source, "a"))

    def test_files_of_pathlib(self):
        head = "import tempfile\nfrom pathlib import Path\nT = 'int a;'\n"
        for lines, source in [
            ("p = Path('/tmp/k.cu')\np.write_text(T)", "p"),
            ("p = Path('/tmp/k.cu')\np.write_text(T)", "'/tmp/k.cu'"),
            ("p = Path(tempfile.mkdtemp()) / 'k.cu'\np.write_bytes(T.encode())", "str(p)"),
            ("p = Path(__file__).resolve().parent.joinpath('k.cu')\np.write_text(T)",
             "Path(__file__).resolve().parent / 'k.cu'"),
            ("d = tempfile.mkdtemp()\nPath(d, 'k.cu').write_text(T)", "os.path.join(d, 'k.cu')"),
            ("d = Path(tempfile.gettempdir()) / 'b'\nd.mkdir(parents=True, exist_ok=True)\n"
             "p = (d / 'k').with_suffix('.cu')\n"
             "if not p.exists() or p.read_text() != T:\n    p.write_text(T)", "os.fspath(p)"),
            ("p = Path(tempfile.mkdtemp()) / 'k.cu'\nwith p.open('w') as f:\n    f.write(T)",
             "p.as_posix()"),
            ("with tempfile.TemporaryDirectory() as d:\n    p = Path(d) / 'k.cu'\n"
             "    p.write_text(T)", "str(p)"),
            ("n, p = tempfile.mkstemp(suffix='.cu')\nwith os.fdopen(n, 'w') as f:\n"
             "    f.write(T)", "p"),
            ("p = os.path.join(tempfile.mkdtemp(), 'k.cu')\nwith open(p, 'w') as f:\n"
             "    f.write('int ')\n    f.writelines(['a', ';'])", "p"),
            ("p = Path(tempfile.mkdtemp()) / 'k.cu'\nfor _ in os.listdir('.'):\n"
             "    p.write_text(T)", "p"),
            ("d = Path(tempfile.mkdtemp())\nfor n, t in {'k.cu': T}.items():\n"
             "    (d / n).write_text(t)", "d / 'k.cu'"),
        ]:
            with self.subTest(lines, source=source):
                found = build(head + lines, f"load(name='e', sources=[{source}])")
                self.assertEqual("int a;", self.only(found)["text"])
                self.assertEqual([], found["findings"])

    def test_files_that_are_no_source(self):
        head = "import io\nimport tempfile\nfrom pathlib import Path\nS = 'int a;'\n"
        for lines in [
            "Path('/tmp/answer').write_text(S)",
            "Path('/tmp/answer').read_text()",
            "(Path.home() / 'a.bin').write_bytes(b'a')",
            "Path('answer.txt').open()",
            "[p.read_text() for p in Path('/work').glob('*')]",
            "Path('answer.txt').unlink()",
            "io.open('answer.txt')",
            "os.open('answer.txt', 0)",
        ]:
            with self.subTest(lines):
                found = build(head + lines, INLINE)["findings"]
                self.assertEqual(["process-python-file"], [f["id"] for f in found])

    def test_files_whose_text_is_not_known(self):
        """What is written must be known to its end, and the path must be that of the source."""
        head = "import tempfile\nfrom pathlib import Path\nT = 'int a;'\n" \
            "d = Path(tempfile.mkdtemp())\n"
        for lines, source in [
            ("with open(d / 'k.cu', 'w') as f:\n    f.write(T)\n    f.write(str(os.getpid()))",
             "d / 'k.cu'"),
            ("with open(d / 'k.cu', 'w') as f:\n    f.write(T)\n    print(os.getpid(), file=f)",
             "d / 'k.cu'"),
            ("(d / 'k.cu').write_text('int b;')\nif os.getpid() % 2:\n"
             "    (d / 'k.cu').write_text(T)", "d / 'k.cu'"),
            ("(d / 'k.cu').write_text(T)", "d / 'l.cu'"),
            ("(d / 'k.cu').write_text(T)", "d / os.listdir('.')[0]"),
            ("(d / 'k.cu').write_text(T)", "Path(tempfile.mkdtemp()) / 'k.cu'"),
        ]:
            with self.subTest(lines, source=source):
                found = build(head + lines, f"load(name='e', sources=[{source}])")
                self.assertEqual(1, len(found["extensions"][0]["unknown"]))

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
