#!/usr/bin/env python3
"""A formula that has no value is refused at its place, under every key of model files that takes one; one that has none
for a while is named by the run. Every key: those of the schema, in tests/data/models/everything.yaml.

TENON names the program.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from collections import Counter

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
EVERYTHING = ROOT / "tests" / "data" / "models" / "everything.yaml"
NUMBER = re.compile(r"^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?( ?[A-Za-z/^0-9*%]+)?$|^=")
NONE = ("0/0", "1/0", "sqrt(-1)", "1e400", "asin(2)", "ln(-1)", "0^(-1)", "(-8)^0.5", "1%0")
# What items of a section need beside the key that is tried.
NEEDED = {"bodies": "", "joints": "type: hinge, a: fine, ", "couplings": "", "markers": "body: fine, ", "loads": "", "instances": "part: p, ",
          "materials": "", "flexible": ""}
HEAD = ("tenon: 1\nparts: {p: {parameters: {theta: 1}, bodies: {q: {mass: 1, inertia: [1, 1, 1]}}}}\n"
        "bodies:\n  fine: {mass: 1, inertia: [1, 1, 1]}\n")
WORDS = re.compile(r"division by zero|no finite number|too large")


def leaves(node, path=()):
    """(keys, node) of each number or formula."""
    if isinstance(node, yaml.ScalarNode):
        if (node.style is None and NUMBER.match(node.value)) or node.value.startswith("="):
            yield path, node
    elif isinstance(node, yaml.SequenceNode):
        for inside in node.value:
            yield from leaves(inside, path)
    else:
        for key, inside in node.value:
            yield from leaves(inside, (*path, key.value))


def walk(schema, node, depth=0):
    """(keys, the value with FORMULA in it) of each place for a formula in a schema: `theta` where any name may be."""
    if not isinstance(node, dict) or depth > 7:
        return
    reference = node.get("$ref", "").rpartition("/")[2]
    if node.get("pattern") == "^=" or reference == "number":
        yield (), '"=FORMULA"'
    elif reference:
        yield from walk(schema, schema["$defs"][reference], depth)
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        yield from walk(schema, choice, depth + 1)
    named = [*node.get("properties", {}).items(), ("theta", node.get("additionalProperties")),
             *(("theta", inside) for inside in node.get("patternProperties", {}).values())]
    for key, inside in named:
        for path, text in walk(schema, inside, depth + 1):
            yield (key, *path), f"{{{key}: {text}}}"
    for inside in (node.get("items"), *node.get("prefixItems", ())):
        for path, text in walk(schema, inside, depth + 1):
            yield path, f"[{text}]"


class NoValue(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name) / "m.yaml"

    def tenon(self, *words):
        return subprocess.run([TENON, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)

    def kinds(self, text):
        """A leaf for each sequence of keys, names of items left out."""
        kinds = {}
        for path, node in leaves(yaml.compose(text)):
            if path != ("tenon",):
                named = path[0] not in ("simulation", "record", "damping")
                kinds.setdefault((path[0], *path[1 + named:]), node)
        return kinds

    def test_every_key_of_the_schema(self):
        text = EVERYTHING.read_text(encoding="utf-8")
        kinds = self.kinds(text)
        wanted = Counter(node.start_mark.line + 1 for node in kinds.values())
        self.assertGreater(len(kinds), 90)
        for formula in NONE:
            broken = text
            for node in sorted(kinds.values(), key=lambda node: -node.start_mark.index):
                broken = f'{broken[:node.start_mark.index]}"={formula}"{broken[node.end_mark.index:]}'
            self.model.write_text(broken, encoding="utf-8")
            done = self.tenon("check", "--allow", EVERYTHING.parent, self.model)
            self.assertEqual(done.returncode, 1, formula)
            found = Counter(int(line) for line in re.findall(r"m\.yaml:(\d+):\d+: error", done.stderr))
            self.assertEqual({line: count for line, count in wanted.items() if found[line] < count}, {}, formula)

    def test_all_others_of_the_schema(self):
        """Each key in an item of its own, on a line of its own; with the test above, there is no key that is not tried."""
        schema = json.loads((ROOT / "docs" / "tenon-model.schema.json").read_text(encoding="utf-8"))
        places = {}
        for key, inside in schema["properties"].items():
            for path, value in walk(schema, inside) if key != "parts" else ():
                places.setdefault((key, *path), value)
        for formula in NONE:
            lines, at = HEAD.splitlines(), {}
            for section, needed in NEEDED.items():
                lines += [f"{section}:"] * (section != "bodies")
                for path, value in places.items():
                    inside = value[len("{theta: "):-1].replace('matrix: ["=FORMULA"]', 'matrix: [["=FORMULA", 0, 0], [0, 1, 0], [0, 0, 1]]')
                    inside = inside.replace("FORMULA", formula)
                    if path[0] == section and inside.startswith("{"):
                        lines.append(f"  {section[0]}{len(lines)}: {{{needed}{inside[1:]}")
                        at[len(lines)] = path
            lines.append("simulation:")
            for path, value in places.items():
                if path[0] == "simulation":
                    lines.append(f"  {value[1:-1]}".replace("FORMULA", formula))
                    at[len(lines)] = path
            self.model.write_text("\n".join(lines) + "\n", encoding="utf-8")
            done = self.tenon("check", self.model)
            self.assertEqual(done.returncode, 1, formula)
            named = {int(line) for line, words in re.findall(r"m\.yaml:(\d+):\d+: error: (.*)", done.stderr) if WORDS.search(words)}
            tried = {[key for key in path if key != "theta"][-1] for line, path in at.items() if line in named}
            tried |= {key for path in self.kinds(EVERYTHING.read_text(encoding="utf-8")) for key in path}
            keys = {([key for key in path if key != "theta"] or [path[0]])[-1] for path in places}
            self.assertEqual(keys - tried, set(), formula)

    def test_measures_for_a_while(self):
        """x = cos(w t) of a body that turns at 1 rad/s: sqrt(x) has no value after pi/2 s."""
        self.model.write_text("tenon: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                              "joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], speed: {theta: 1}}}\n"
                              "markers: {k: {body: a, position: [0, 0, 0]}}\n"
                              "measures: {x: {marker: k, component: x}, root: =sqrt(x), fine: =x*x, none: =0/0}\n"
                              "simulation: {step: 0.01, duration: 2}\n", encoding="utf-8")
        done = self.tenon("run", self.model, "--quiet")
        self.assertEqual(re.findall(r"measure '(\w+)' has no value, first at t = ([\d.]+) s", done.stderr), [("root", "1.58"), ("none", "0")])
        self.model.write_text(self.model.read_text().replace("duration: 2", "duration: 1").replace(", none: =0/0", ""))
        done = self.tenon("run", self.model, "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_motions_that_start_too_far(self):
        """5^25 rad: no turn of a double is left. The joint and the place are named."""
        self.model.write_text("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\njoints:\n"
                              "  h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], drive: {theta: {position: '=(5-t)^25'}}}\n")
        for command in ("run", "check"):
            done = self.tenon(command, self.model)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"m\.yaml:4:\d+: error: joint 'h': the prescribed motion of 'theta' cannot start at 2\.98\d*e\+?17 rad")


if __name__ == "__main__":
    unittest.main()
