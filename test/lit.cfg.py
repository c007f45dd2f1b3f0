# Configuration of the tool tests. Features are probed, never assumed: what a machine lacks makes a
# test unsupported there. CUPEL_REQUIRE_FEATURES="gpu,counters" turns a missing one into a failure,
# for machines that are known to have it.

import json
import os
import subprocess
import sys

import lit.formats

config.name = "cupel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cu", ".toml", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)

bin_dir = os.path.join(config.cupel_binary, "bin")
cupel = os.path.join(bin_dir, "cupel")
worker = os.path.join(bin_dir, "cupel-worker")


def output_of(command, timeout=120):
    """Standard output of a command, or None when it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def has_gpu():
    """Asks the driver itself in a process of its own: nvidia-smi may be there without a GPU."""
    probe = (
        "import ctypes as c; d = c.CDLL('libcuda.so.1'); n = c.c_int(0)\n"
        "assert d.cuInit(0) == 0 and d.cuDeviceGetCount(c.byref(n)) == 0 and n.value > 0"
    )
    return output_of([sys.executable, "-c", probe]) is not None


def worker_features():
    """What the worker says of itself: counters need CUPTI and a permission."""
    text = output_of([worker, "info"])
    try:
        return json.loads(text)["features"] if text else {}
    except (ValueError, KeyError, TypeError):
        return {}


def cuobjdump_there():
    """Of the CUDA toolkit, or of torch's triton (utils/compare-sass.py looks in the same places)."""
    folders = [os.path.dirname(config.nvcc), *os.environ.get("PATH", "").split(os.pathsep),
               os.path.join(os.path.dirname(config.torch_home), "triton/backends/nvidia/bin")]
    return any(os.access(os.path.join(folder, "cuobjdump"), os.X_OK) for folder in folders)


def probe():
    found = set()
    if config.cuda_home and os.path.exists(os.path.join(config.cuda_home, "include/cuda_runtime.h")):
        found.add("cuda-headers")
    # A sanitized cupel cannot be the compiler of host code: what Clang made is left to the end of that
    # process, and LeakSanitizer makes its exit status 1.
    if config.sanitized != "ON" and config.nvcc and output_of([config.nvcc, "--version"]):
        found.add("nvcc")
        if cuobjdump_there():
            found.add("cuobjdump")
    if config.torch_home and os.path.isdir(os.path.join(config.torch_home, "include/torch")):
        found.add("torch")
    if os.access(cupel, os.X_OK):
        found.add("cupel")
    if os.access(worker, os.X_OK) and config.worker_enabled == "ON":
        found.add("worker")
    # The host half says what it needs for it, and finds it from where it lies.
    doctor = output_of([cupel, "doctor"]) or ""
    if "worker" in found and "  ok       emulation" in doctor:
        found.add("emulation")
    # All that a container may refuse, but for control groups, which few may make.
    layers = ["privileges", "files", "processes", "network", "ipc", "host-name", "landlock", "system-calls"]
    if os.geteuid() == 0:
        layers.append("user")
    if all(f"  yes      {layer}\n" in doctor for layer in layers):
        found.add("isolation")
    if config.sanitized == "ON":
        found.add("sanitized")
    if has_gpu():
        found.add("gpu")
        if "worker" in found and worker_features().get("counters"):
            found.add("counters")
    return found


found = probe()
required = {f for f in os.environ.get("CUPEL_REQUIRE_FEATURES", "").replace(" ", "").split(",") if f}
if required - found:
    lit_config.fatal(
        "CUPEL_REQUIRE_FEATURES names what this machine does not have: "
        + ", ".join(sorted(required - found))
    )
config.available_features.update(found)
lit_config.note("features: " + (", ".join(sorted(found)) or "none"))

# Longer names first: lit replaces in order, and %cupel is a prefix of %cupel-worker.
config.substitutions.append(("%cupel-worker", worker))
config.substitutions.append(("%cupel-source", config.cupel_source))
config.substitutions.append(("%cupel-build", config.cupel_binary))
config.substitutions.append(("%cupel", cupel))
config.substitutions.append(("%problems", os.path.join(config.cupel_source, "problems")))
config.substitutions.append(("%examples", os.path.join(config.cupel_source, "docs", "examples")))
config.substitutions.append(("%shared-inputs", os.path.join(config.test_source_root, "Inputs")))
config.substitutions.append(("%torch-python", config.python or sys.executable))
config.substitutions.append(("%python", sys.executable))

# Tests see a fixed environment, and a cache of their own that later runs profit from: a PCH of
# torch's headers takes half a minute to make.
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools, os.environ.get("PATH", "")])
config.environment["CUPEL_CACHE_DIR"] = os.environ.get(
    "CUPEL_TEST_CACHE_DIR", os.path.join(config.cupel_binary, "test-cache")
)
config.environment["LC_ALL"] = "C.UTF-8"
for name in ("HOME", "CUDA_VISIBLE_DEVICES", "CUPEL_PYTHON", "CUPEL_CUDA_HOME", "CUPEL_TORCH_HOME",
             "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
