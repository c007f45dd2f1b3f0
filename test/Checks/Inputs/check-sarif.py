"""Checks the parts of the SARIF 2.1.0 schema that cupel writes: required members, their types and
ranges, that indices point where ids say, and what people need beyond the schema: help for each
rule, a fingerprint for each result, a code flow for each that has notes.

usage: check-sarif.py LOG.sarif RECORDS.json: the same files, linted with --format json
"""

import json
import re
import sys
import urllib.parse

log = json.load(open(sys.argv[1]))
findings = [f for s in json.load(open(sys.argv[2]))["submissions"] for f in s["findings"]]
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
for run in log["runs"]:
    driver = run["tool"]["driver"]
    assert isinstance(driver["name"], str) and isinstance(driver["version"], str)
    rules = driver["rules"]
    assert len({r["id"] for r in rules}) == len(rules), "rule ids are unique"
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        assert all(isinstance(t, str) for t in rule["properties"]["tags"])
        if rule["properties"]["tags"] != ["compiler"]:
            page = rule["help"]["markdown"]
            assert page.startswith(f"# {rule['id']}\n") and "## Why" in page
            assert rule["id"].startswith(rule["properties"]["tags"][0] + "-")
            assert rule["properties"]["cupelLevel"] in ("note", "warn", "reject")
    assert isinstance(run["invocations"][0]["executionSuccessful"], bool)
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")

    def check_location(location):
        physical = location["physicalLocation"]
        uri = physical["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9._~/:%-]+", uri) and urllib.parse.urlparse(uri).path
        region = physical.get("region")
        if region:
            assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1

    assert len(run["results"]) == len(findings), "each finding is a result"
    prints = [r["partialFingerprints"]["cupelFinding/v1"] for r in run["results"]]
    assert len(set(prints)) == len(prints), "fingerprints tell results apart"
    for result, finding in zip(run["results"], findings):
        assert (result["ruleId"], result["message"]["text"]) == (finding["id"], finding["message"])
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert all(isinstance(v, str) and v for v in result["partialFingerprints"].values())
        for location in result["locations"]:
            check_location(location)
        steps = 0
        for flow in result.get("codeFlows", []):
            assert flow["threadFlows"], "a code flow has at least one thread flow"
            for thread in flow["threadFlows"]:
                assert thread["locations"], "a thread flow has at least one location"
                for step in thread["locations"]:
                    check_location(step["location"])
                    assert step["location"]["message"]["text"]
                    steps += 1
        assert steps == (len(finding["notes"]) + 1 if finding["notes"] else 0)
        place = result["locations"][0]["physicalLocation"]
        print(result["ruleId"], result["level"], place["artifactLocation"]["uri"],
              place.get("region", {}).get("startLine"), "steps", steps)
print("valid")
