"""Validates JSON against a JSON Schema: validate.py SCHEMA [FILE], standard input without FILE.

The standard library has no validator and tests may not need a package that a machine does not
have. This knows the keywords that docs/schema/ uses, and refuses every other one, so that no part
of a schema is silently not checked.
"""

import json
import os
import re
import sys

ANNOTATIONS = {"$schema", "$defs", "title", "description"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


class Validator:
    def __init__(self, path):
        self.folder = os.path.dirname(path)
        self.documents = {}
        self.root = self.load(path)

    def load(self, path):
        if path not in self.documents:
            with open(path, encoding="utf-8") as file:
                self.documents[path] = json.load(file)
        return self.documents[path]

    def resolve(self, reference, root):
        """The schema that a $ref names, and the document that its own references are relative to."""
        document, _, pointer = reference.partition("#")
        if document:
            root = self.load(os.path.join(self.folder, document))
        schema = root
        for key in filter(None, pointer.split("/")):
            schema = schema[key]
        return schema, root

    def errors(self, value, schema, root, place="$"):
        for keyword, wanted in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "check_" + keyword.replace("$", ""), None)
            if check is None:
                raise SystemExit(f"validate.py does not know the keyword '{keyword}'")
            yield from check(value, wanted, schema, root, place)

    def check_ref(self, value, wanted, schema, root, place):
        target, target_root = self.resolve(wanted, root)
        yield from self.errors(value, target, target_root, place)

    def check_type(self, value, wanted, schema, root, place):
        names = [wanted] if isinstance(wanted, str) else wanted
        if not any(TYPES[name](value) for name in names):
            yield f"{place}: expected {' or '.join(names)}, not {json.dumps(value)[:60]}"

    def check_enum(self, value, wanted, schema, root, place):
        if value not in wanted:
            yield f"{place}: {json.dumps(value)[:60]} is none of {json.dumps(wanted)}"

    def check_anyOf(self, value, wanted, schema, root, place):
        found = [list(self.errors(value, option, root, place)) for option in wanted]
        if all(found):
            yield from min(found, key=len)

    def check_required(self, value, wanted, schema, root, place):
        if isinstance(value, dict):
            for key in wanted:
                if key not in value:
                    yield f"{place}: has no '{key}'"

    def check_properties(self, value, wanted, schema, root, place):
        if isinstance(value, dict):
            for key, inner in wanted.items():
                if key in value:
                    yield from self.errors(value[key], inner, root, f"{place}.{key}")

    def check_items(self, value, wanted, schema, root, place):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.errors(item, wanted, root, f"{place}[{index}]")

    def check_minItems(self, value, wanted, schema, root, place):
        if isinstance(value, list) and len(value) < wanted:
            yield f"{place}: has fewer than {wanted} items"

    def check_maxItems(self, value, wanted, schema, root, place):
        if isinstance(value, list) and len(value) > wanted:
            yield f"{place}: has more than {wanted} items"

    def check_minimum(self, value, wanted, schema, root, place):
        if TYPES["number"](value) and value < wanted:
            yield f"{place}: {value} is less than {wanted}"

    def check_pattern(self, value, wanted, schema, root, place):
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{place}: {json.dumps(value)[:60]} does not match {wanted}"


def main():
    validator = Validator(sys.argv[1])
    text = open(sys.argv[2], encoding="utf-8").read() if len(sys.argv) > 2 else sys.stdin.read()
    # The records' own rule: what is not finite is a text.
    record = json.loads(text, parse_constant=lambda name: sys.exit(f"{name} is not JSON"))
    problems = list(validator.errors(record, validator.root, validator.root))
    print("\n".join(problems) or "valid")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
