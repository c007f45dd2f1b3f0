"""output_bytes.py SOURCE < check.json: [cost].bytes of every problem, at every case that ran, is what the inputs,
the parameters and the outputs that the reference gave hold."""

import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("measure", f"{sys.argv[1]}/utils/measure-problems.py")
measure = importlib.util.module_from_spec(spec)
spec.loader.exec_module(measure)

facts = json.loads((measure.ROOT / "problems/facts.json").read_text())
cases = 0
for checked in json.load(sys.stdin):
    name = checked["id"]
    for case in checked["cases"]:
        problem = measure.Problem(name, case["name"], facts[name])
        tensors = sum(measure.bytes_of(t["dtype"], t["shape"]) for t in problem.tensors())
        outputs = sum(map(measure.bytes_of, case["dtypes"], case["shapes"]))
        if tensors + outputs != problem.bytes:
            print(f"{name}, {case['name']}: {tensors} + {outputs} bytes, not {problem.bytes}")
        if len(case["shapes"][0]) != len(facts[name]["output"]) - 1 or case["dtypes"] != facts[name]["output"][:1]:
            print(f"{name}, {case['name']}: output {case['dtypes']} {case['shapes']}, not like {facts[name]['output']}")
        cases += 1
print(f"{cases} cases compared")
