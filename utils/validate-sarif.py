#!/usr/bin/env python3
"""Validates SARIF files against the OASIS schema, which is not part of this tree.

usage: utils/validate-sarif.py sarif-schema-2.1.0.json FILE...

Needs the package jsonschema. The schema is in the repository oasis-tcs/sarif-spec, in
sarif-2.1/schema. Exit status 1 when a file does not fit; each mistake is printed with its path.
"""

import json
import sys

import jsonschema


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    schema = json.load(open(sys.argv[1]))
    validator = jsonschema.validators.validator_for(schema)(schema)
    failures = 0
    for path in sys.argv[2:]:
        for error in validator.iter_errors(json.load(open(path))):
            print(f"{path}: {'/'.join(map(str, error.path))}: {error.message[:300]}")
            failures += 1
    print(f"{len(sys.argv) - 2} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
