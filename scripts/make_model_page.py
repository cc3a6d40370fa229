#!/usr/bin/env python3
"""make_model_page.py [--check]: docs/reference/model.md, every key of model files with what it means and an example.

The meanings are those of the schema (docs/tenon-model.schema.json, made from the tables that the reader
follows), the examples are found in examples/ and in the models of the tests.
"""
import json
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs" / "tenon-model.schema.json"
PAGE = ROOT / "docs" / "reference" / "model.md"
LONGEST = 70

HEAD = """\
# The model file

Every key, its meaning, and an example from the models of this project; written by `scripts/make_model_page.py` from the
schema. A file is YAML (JSON is a subset). Units, formulas, parameters, repetitions and parts: [language.md](language.md);
types of joints with their coordinates and parameters: [joints](joints/README.md); functions of time: `tenon functions`.
For editors: `# yaml-language-server: $schema=.../tenon-model.schema.json` at the head of a model completes and checks keys.
"""

# title, definition in the schema (None: the file itself), where values of its keys stand in a file
SECTIONS = [
    ("The file", None, []),
    ("Bodies", "body", ["bodies", "*"]),
    ("Shapes of a body", "shape", ["bodies", "*", "shapes", "*"]),
    ("Flexible bodies", "flexible", ["flexible", "*"]),
    ("Line of a beam", "beam", ["flexible", "*", "beam"]),
    ("Line of a cable", "cable", ["flexible", "*", "cable"]),
    ("Arc of a beam", "arc", ["flexible", "*", "beam", "arc"]),
    ("Section of a beam", "section", ["flexible", "*", "section"]),
    ("Mesh of a solid", "solid", ["flexible", "*", "solid"]),
    ("Grid of a solid", "grid", ["flexible", "*", "solid", "grid"]),
    ("Modes of a solid", "modal", ["flexible", "*", "solid", "modal"]),
    ("Holds of a solid", "hold", ["flexible", "*", "solid", "holds", "*"]),
    ("Joints", "joint", ["joints", "*"]),
    ("Drive of a coordinate", "drive", ["joints", "*", "drive", "*"]),
    ("Motor of a coordinate", "motor", ["joints", "*", "motor", "*"]),
    ("Friction of a coordinate", "friction", ["joints", "*", "friction", "*"]),
    ("Spring of a coordinate", "spring", ["joints", "*", "spring", "*"]),
    ("Axes of a custom joint", "axis", ["joints", "*", "axes", "*"]),
    ("Couplings", "coupling", ["couplings", "*"]),
    ("Markers", "marker", ["markers", "*"]),
    ("Loads", "load", ["loads", "*"]),
    ("Measures", "measure", ["measures", "*"]),
    ("Materials", "material", ["materials", "*"]),
    ("Instances of parts", "instance", ["instances", "*"]),
    ("Simulation", "properties/simulation", ["simulation"]),
    ("Record", "properties/record", ["record"]),
]


class Loader(yaml.SafeLoader):
    """Numbers with exponents as YAML 1.2 has them."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9.]+[eE][-+]?[0-9]+$"), list("-+.0123456789"))


def models():
    for folder in ("examples", "examples/joints", "tests/data/models"):
        for path in sorted((ROOT / folder).glob("*.yaml")):
            yield yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)


def places(value, path):
    """The values at a path in which * is any key or entry."""
    if not path:
        yield value
    elif path[0] == "*":
        entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        for entry in entries:
            yield from places(entry, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from places(value[path[0]], path[1:])


def short(key, value):
    text = yaml.safe_dump({key: value}, default_flow_style=True, width=10000, sort_keys=False).strip()[1:-1]
    return text.replace("|", "\\|")


def example(key, path, corpus):
    """A readable example of a key, or nothing."""
    found = [short(key, place[key]) for model in corpus for place in places(model, path)
             if isinstance(place, dict) and key in place]
    found = [text for text in found if len(text) <= LONGEST]
    return f"`{min(found, key=plainness)}`" if found else ""


def plainness(text):
    """Few digits first, then neither long nor short."""
    return bool(re.search("[0-9]{5,}", text)), abs(len(text) - 30), text


MOST_WORDS = 20  # more, as types of joints, have pages of their own


def allowed(entry):
    """Words that a value, or an entry of its list, may be."""
    if not isinstance(entry, dict):
        return []
    found = [entry["const"]] if "const" in entry else list(entry.get("enum", []))
    for part in (*entry.get("oneOf", []), *entry.get("anyOf", []), entry.get("items")):
        found += allowed(part)
    return [word for word in found if isinstance(word, str)]


def words(entry):
    """What a key with words may be."""
    told = [f"`{word}`" for word in allowed(entry)]
    return " One of " + ", ".join(told) + "." if 1 < len(told) <= MOST_WORDS else ""


def inner(entry):
    """The keys of a mapping that has no section of its own."""
    own = entry.get("properties", {})
    told = [f"`{key}`: {meaning}" for key, meaning in
            ((k, " ".join((v.get("description", "") + words(v)).split())) for k, v in own.items()) if key != "repeat" and meaning]
    return " Keys: " + " ".join(told) if told else ""


def rows(definition, path, corpus):
    own = {step for _, name, _ in SECTIONS for step in (name or "").split("/")}  # keys with a table of their own
    properties = dict(definition.get("properties", {}))
    for kind in definition.get("oneOf", []):  # one of several, as the kinds of shapes
        properties |= {key: entry for key, entry in kind.get("properties", {}).items() if key not in properties}
    for key, entry in properties.items():
        if isinstance(entry, dict):
            meaning = " ".join((entry.get("description", "") + words(entry) + (inner(entry) if path or key not in own else "")).split()).replace("|", "\\|")
            required = " (required)" if key in definition.get("required", []) else ""
            yield f"| `{key}`{required} | {meaning} | {example(key, path, corpus)} |"


def page():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    corpus = list(models())
    lines = [HEAD]
    for title, name, path in SECTIONS:
        definition = schema
        for step in (["$defs", name] if name and "/" not in name else (name or "").split("/")):
            definition = definition.get(step, definition) if step else definition
        lines += [f"## {title}\n", "| key | meaning | example |", "|---|---|---|", *rows(definition, path, corpus), ""]
    return "\n".join(lines)


def main():
    text = page()
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/reference/model.md is stale: python3 scripts/make_model_page.py")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
