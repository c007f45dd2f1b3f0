"""Files that are meant to break the inspection: each ends soon, in little memory, with an answer."""

import time
import tracemalloc
import unittest

from support import ids, inspect_text, model

GROWING = {
    "text doubles": "x = 'a'\n" + "x = x + x\n" * 60,
    "text replaces itself": "s = 'a' * 1000000\ns = s.replace('a', 'b' * 1000000)\n",
    "text is joined": "s = 'b' * 100000\ns = s.join(['a'] * 2 + [s, s] + [s] * 2)\n" + "s = s.join([s, s])\n" * 9,
    "text repeats": "s = 'a' * 10 ** 9\n",
    "file grows": "f = open('k.cu', 'w')\n" + "f.write('a' * 1000)\n" * 3000,
    "wide percent": "s = '%1000000000d' % 1\n",
    "wide by argument": "s = '%*d' % (1000000000, 1)\n",
    "wide format": "s = '{:>1000000000}'.format(1)\n",
    "wide f-string": "s = f'{1:1000000000}'\n",
    "list doubles": "x = [0]\n" + "x = x + x\n" * 60,
    "number grows": "n = 10 ** 64\n" + "n = n ** 64\n" * 9,
    "number multiplies": "n = 3\n" + "n = n * n\n" * 60,
    "bomb": "import zlib, base64\ns = zlib.decompress(base64.b64decode('{}'))\n",
}

ODD = {
    "letter that becomes two": "s = '\u00df'.upper()\nt = s.replace('S', 'x') + s[1:]\n",
    "no character": "s = '%c' % -1\nt = '{:c}'.format(-1)\nu = f'{-1:c}'\n",
    "number too long to print": "s = str(10 ** 64 * 10 ** 64)\nt = f'{10 ** 64}'\n",
    "lone surrogate": "s = '\\ud800'\n",
    "class of itself": "class A(A):\n    pass\n",
}


class Hostile(unittest.TestCase):
    def test_growth_is_bounded(self):
        import base64
        import zlib
        bomb = base64.b64encode(zlib.compress(b"x" * (64 << 20))).decode()
        for name, text in GROWING.items():
            with self.subTest(name):
                tracemalloc.start()
                begin = time.monotonic()
                result = inspect_text(text.replace("{}", bomb) if name == "bomb" else text)
                self.assertLess(time.monotonic() - begin, 15)
                self.assertLess(tracemalloc.get_traced_memory()[1], 400 << 20)
                tracemalloc.stop()
                self.assertIn(result["parse"], ("complete", "partial"))

    def test_growth_does_not_hide_what_came_before(self):
        result = inspect_text(model("return torch.relu(x)") + "s = 'a'\n" + "s = s + s\n" * 60)
        self.assertEqual(result["parse"], "partial")
        self.assertTrue(result["errors"])

    def test_odd_values(self):
        for name, text in ODD.items():
            with self.subTest(name):
                result = inspect_text(text + model("return ext.run(x)"))
                self.assertEqual(result["parse"], "complete")
                self.assertEqual([e["name"] for e in result["extensions"]], ["ext"])
                self.assertNotIn("fallback-python-no-kernel", ids(result))


if __name__ == "__main__":
    unittest.main()
