"""Reuse across calls, timing, the process and hidden code."""

import unittest

from support import Verdicts

REJECTED = [
    ("result by pointer", dict(init="self.seen = {}", forward="""
        key = x.data_ptr()
        if key not in self.seen:
            self.seen[key] = ext.run(x)
        return self.seen[key]"""), "reuse-python-result"),
    ("result in an attribute", dict(init="self.y = None", forward="""
        if self.y is None:
            self.y = ext.run(x)
        return self.y"""), "reuse-python-result"),
    ("global result", dict(before="_last = {}", forward="""
        if 'y' in _last:
            return _last['y']
        _last['y'] = ext.run(x)
        return _last['y']"""), "reuse-python-result"),
    ("memoised", dict(before="import functools\n@functools.cache\ndef go(t):\n    return ext.run(t)",
                      forward="return go(x)"), "reuse-python-result"),
    ("stream", dict(init="self.s = torch.cuda.Stream()",
                    forward="with torch.cuda.stream(self.s):\n    return ext.run(x)"),
     "timing-python-stream"),
    ("thread", dict(before="from concurrent.futures import ThreadPoolExecutor",
                    init="self.pool = ThreadPoolExecutor(1)", forward="return ext.run(x)"),
     "timing-python-thread"),
    ("sleep", dict(before="import time", forward="time.sleep(1)\nreturn ext.run(x)"),
     "timing-python-sleep"),
    ("patched timer", dict(before="import time\ntime.perf_counter = lambda: 0.0",
                           forward="return ext.run(x)"), "process-python-patch"),
    ("patched by setattr", dict(before="setattr(torch, 'allclose', lambda *a: True)",
                                forward="return ext.run(x)"), "process-python-patch"),
    ("TF32", dict(before="torch.backends.cuda.matmul.allow_tf32 = True",
                  forward="return ext.run(x)"), "work-python-global-precision"),
    ("frames", dict(before="import sys", forward="sys._getframe(1)\nreturn ext.run(x)"),
     "process-python-inspection"),
    ("the main program", dict(before="import __main__", forward="return __main__.Model()(x)"),
     "process-python-inspection"),
    ("the main program's names", dict(before="from __main__ import Model",
                                      forward="return Model()(x)"), "process-python-inspection"),
    ("the main program by its name", dict(before="import sys",
                                          forward="return getattr(sys.modules['__main__'], 'Model')()(x)"),
     "process-python-inspection"),
    ("what its own module never defines",
     dict(before="import sys", forward="return sys.modules[__name__].Model()(x)"),
     "process-python-inspection"),
    ("looked up in its own module",
     dict(before="import sys", forward="return getattr(sys.modules[__name__], 'Model')()(x)"),
     "process-python-inspection"),
    ("a global that the file never defines",
     dict(forward="ext.run(x)\nreturn globals()['Model']()(x)"), "process-python-inspection"),
    ("likewise, asked for", dict(forward="return globals().get('Model')()(ext.run(x))"),
     "process-python-inspection"),
    ("likewise, of a function",
     dict(before="def go(t):\n    return t", forward="return go.__globals__['Model']()(ext.run(x))"),
     "process-python-inspection"),
    ("subprocess", dict(before="import subprocess\nsubprocess.run(['true'])",
                        forward="return ext.run(x)"), "process-python-program"),
    ("socket", dict(before="import socket\nsocket.create_connection(('h', 1))",
                    forward="return ext.run(x)"), "process-python-network"),
    ("answer file", dict(forward="with open('answer.bin', 'rb') as f:\n    f.read()\n"
                                 "return ext.run(x)"), "process-python-file"),
    ("torch.load", dict(init="self.y = torch.load('y.pt')", forward="return ext.run(x)"),
     "process-python-file"),
    ("exit", dict(before="import os", methods="def __del__(self):\n    os._exit(0)\n",
                  forward="return ext.run(x)"), "process-python-exit"),
    ("exit at exit", dict(before="import atexit, os\natexit.register(lambda: os._exit(0))",
                          forward="return ext.run(x)"), "process-python-exit"),
    ("exit at exit, decorated", dict(before="import atexit, os\n@atexit.register\n"
                                            "def bye():\n    os._exit(0)",
                                     forward="return ext.run(x)"), "process-python-exit"),
    ("exit at exit, partial", dict(before="import atexit, functools, os\n"
                                          "atexit.register(functools.partial(os._exit, 0))",
                                   forward="return ext.run(x)"), "process-python-exit"),
    ("exit of an object", dict(before="import os, weakref\nweakref.finalize(ext, os._exit, 0)",
                               forward="return ext.run(x)"), "process-python-exit"),
    ("closure of a factory", dict(before="""
        def make():
            y = None
            def go(x):
                nonlocal y
                if y is None:
                    y = ext.run(x)
                return y
            return go
        go = make()""", forward="return go(x)"), "reuse-python-result"),
    ("closure two deep", dict(before="""
        def make():
            n, y = 0, None
            def inner():
                def go(x):
                    nonlocal n, y
                    n += 1
                    y = ext.run(x) if n < 5 else y
                    return y
                return go
            return inner()
        go = make()""", forward="return go(x)"), "reuse-python-result"),
    ("ctypes", dict(before="import ctypes\nctypes.CDLL('libcublas.so')", forward="return ext.run(x)"),
     "process-python-native"),
    ("exec", dict(before="exec('y = 1')", forward="return ext.run(x)"),
     "evasion-python-dynamic-code"),
    ("eval in forward", dict(forward="return eval('ext.run(x)')"), "evasion-python-dynamic-code"),
    ("computed name", dict(forward="return getattr(torch, x.name)(ext.run(x))"),
     "evasion-python-dynamic-code"),
    ("packed", dict(before="import base64\nS = base64.b64decode('YQ==').decode()",
                    forward="return ext.run(x)"), "evasion-python-packed-source"),
]

ACCEPTED = [
    ("scratch memory", dict(init="self.buf = {}", forward="""
        if x.shape not in self.buf:
            self.buf[x.shape] = torch.empty_like(x)
        ext.run(self.buf[x.shape])
        return ext.run(x)""")),
    ("output buffer", dict(init="self.out = None", forward="""
        if self.out is None:
            self.out = torch.empty_like(x)
        ext.run(self.out)
        return self.out""")),
    ("cached launch plan", dict(before="import functools\n@functools.lru_cache\n"
                                       "def plan(n):\n    return n // 128",
                                forward="plan(x.size(0))\nreturn ext.run(x)")),
    ("joined stream", dict(init="self.s = torch.cuda.Stream()", forward="""
        self.s.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.s):
            y = ext.run(x)
        torch.cuda.current_stream().wait_stream(self.s)
        return y""")),
    ("logs and scratch files at exit", dict(before="""
        import atexit, logging, shutil, tempfile
        atexit.register(logging.shutdown)
        atexit.register(shutil.rmtree, tempfile.mkdtemp(), ignore_errors=True)""",
                                            forward="return ext.run(x)")),
    ("settings in a closure", dict(before="""
        import functools
        def make(tile):
            settings = dict(tile=tile)
            def go(x):
                return ext.run(x) if settings["tile"] else ext.run(x)
            return functools.partial(go)
        go = make(4)""", forward="return go(x)")),
    ("extension and scratch memory in a closure", dict(before="""
        def make():
            e2 = scratch = None
            calls = 0
            def go(x):
                nonlocal e2, scratch, calls
                calls += 1
                if e2 is None:
                    e2 = load_inline(name="c", cpp_sources="", cuda_sources=SRC,
                                     functions=["run"])
                if scratch is None or scratch.numel() < x.numel():
                    scratch = torch.empty_like(x)
                e2.run(scratch)
                return e2.run(x)
            return go
        go = make()""", forward="return go(x)")),
    ("own module", dict(before="import sys\ndef go(t):\n    return ext.run(t)",
                        forward="return sys.modules[__name__].go(x)")),
    ("own module's later name", dict(before="import sys\nthis = sys.modules[__name__]\n"
                                            "this.run = ext.run",
                                     forward="return ext.run(x) if hasattr(this, 'run') else x")),
    ("own module's names by setattr", dict(before="import sys\nthis = sys.modules[__name__]\n"
                                                  "setattr(this, 'ready', True)",
                                           forward="this.ready\nreturn ext.run(x)")),
    ("own module's file", dict(before="import sys\nPATH = sys.modules[__name__].__file__",
                               forward="return ext.run(x)")),
    ("extension in a global by name", dict(before="def get():\n"
                                                  "    if '_ext' not in globals():\n"
                                                  "        globals()['_ext'] = ext\n"
                                                  "    return globals()['_ext']",
                                           forward="return get().run(x)")),
    ("global that is defined later", dict(before="def get():\n    return globals()['_e']\n_e = ext",
                                          forward="return get().run(x)")),
    ("globals that update defines", dict(before="globals().update(run=ext.run)",
                                         forward="return globals()['run'](x)")),
    ("class in a global by name", dict(before="class Gelu:\n    def run(self, t):\n"
                                              "        return ext.run(t)",
                                       forward="return globals()['Gelu']().run(x)")),
    ("own test", dict(before="if __name__ == '__main__':\n    import subprocess\n"
                             "    subprocess.run(['nvidia-smi'])\n    exec('1')",
                      forward="return ext.run(x)")),
    ("build settings", dict(before="import os\nos.environ['CUDA_HOME'] = '/usr/local/cuda'\n"
                                   "torch.backends.cudnn.benchmark = True",
                            forward="return ext.run(x)")),
    ("own attributes", dict(before="class Box:\n    pass\nbox = Box()\nbox.time = 3\n"
                                   "setattr(box, 'x', 4)", forward="return ext.run(x)")),
    ("getattr with a known name", dict(forward="return getattr(ext, 'run')(x)")),
    ("fast math flag", dict(before="e2 = load_inline(name='c', cpp_sources='', cuda_sources=SRC,"
                                   " functions=['run'], extra_cuda_cflags=['--use_fast_math'])",
                            forward="return e2.run(x)")),
]


class Process(Verdicts, unittest.TestCase):
    rejected, accepted = REJECTED, ACCEPTED


if __name__ == "__main__":
    unittest.main()
