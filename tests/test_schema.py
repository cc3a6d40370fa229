"""The JSON Schema of model files accepts what the reader accepts and refuses files whose structure is
broken. A validator that nobody here wrote (python3-jsonschema) is the judge."""
import json
import pathlib
import re
import sys

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs" / "tenon-model.schema.json"
BROKEN = ROOT / "tests" / "data" / "broken"
DICTIONARY = ROOT / "fuzz" / "fuzz_model.dict"


class Loader(yaml.SafeLoader):
    """YAML 1.2 numbers and booleans: PyYAML takes 1e-3 for a text and `on` for true."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers
            if tag not in ("tag:yaml.org,2002:float", "tag:yaml.org,2002:int",
                           "tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"),
                             list("tTfF"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
               r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"), list("-+.0123456789"))


def construct_number(loader, node):
    text = node.value.lower().replace(".inf", "inf").replace(".nan", "nan")
    value = float(text)
    return int(value) if value == value and abs(value) < 1e15 and value == int(value) else value


Loader.add_constructor("tag:yaml.org,2002:float", construct_number)


def load(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)


def names(node):
    """Every key and every chosen word of the schema."""
    if isinstance(node, list):
        return set().union(*map(names, node))
    if not isinstance(node, dict):
        return set()
    own = set(node.get("properties", ())) | {word for word in node.get("enum", ()) if isinstance(word, str)}
    return own.union(*map(names, node.values()))


def main():
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    models = [path for path in (ROOT / "examples").rglob("*.yaml") if "study" not in load(path)]
    good = sorted(models) + sorted((ROOT / "tests/data/models").glob("*.yaml"))
    for path in good:
        for error in validator.iter_errors(load(path)):
            failures.append(f"{path.name}: {list(error.absolute_path)}: {error.message[:200]}")

    structural = 0
    for path in sorted(BROKEN.glob("*.yaml")):
        if not path.read_text(encoding="utf-8", errors="replace").startswith("# structure"):
            continue
        structural += 1
        if validator.is_valid(load(path)):
            failures.append(f"{path.name}: accepted")

    page = (ROOT / "docs/reference/model.md").read_text(encoding="utf-8")
    for words in (["held", "at_most", "at_least", "in_range"], ["refuse", "least_squares"], ["world", "body", "marker"],
                  ["located", "at_steps"], ["all", "poses", "velocities"]):
        listed = ", ".join(f"`{word}`" for word in words)
        failures += [] if f"One of {listed}" in page else [f"docs/reference/model.md does not list {listed}"]

    words = set(re.findall(r'^"(.*)"$', DICTIONARY.read_text(encoding="utf-8"), re.MULTILINE))
    failures += [f"{DICTIONARY.name}: {name} is missing" for name in sorted(names(schema) - words)]

    print(f"{len(good)} good files, {structural} files of broken structure, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures or not good or structural < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
