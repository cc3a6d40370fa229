#!/usr/bin/env python3
"""The guide is true: the models in it run, and what it quotes of the answers is what they are.

TENON names the program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from test_examples import ROOT, TENON

DOCS = ROOT / "docs"
BODY = "{mass: 1, inertia: [0.01, 0.01, 0.01]}"


def blocks(page, language="yaml"):
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)


def quoted(page):
    """The indented lines of the tool's answers."""
    return [line.strip() for line in (DOCS / page).read_text(encoding="utf-8").splitlines() if line.startswith("    ")
            and re.match(r"\s+(degrees of freedom|redundant rows|Freedom)", line)]


class Guide(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tenon(self, command, name, text, *options):
        path = self.folder / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([TENON, command, str(path), *options], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        return done.stdout

    def test_tutorial(self):
        one, two, changes, four = blocks("start/tutorial.md")
        crank, _, slide = changes.partition("\n")
        three = re.sub(r"  A: .*\n", crank + "\n", two)
        three = re.sub(r"  slide: .*\n", lambda _: slide, three)
        told = self.tenon("check", "step1.yaml", one) + self.tenon("check", "step2.yaml", two)
        for line in quoted("start/tutorial.md"):
            self.assertIn(line, told)
        self.assertGreaterEqual(len(quoted("start/tutorial.md")), 4)
        self.tenon("check", "step2.yaml", None, "--set", "r=80mm")
        self.tenon("run", "step3.yaml", three, "--time", "0.1")
        told = self.tenon("check", "step4.yaml", "tenon: 1\n" + four)
        self.assertIn("bodies              6 (6 moving)", told)
        self.assertIn("degrees of freedom  2", told)

    def test_motor(self):
        """The press does the work that the page says: force times way times rate; the numbers are those of the summary."""
        text, guide = blocks("howto/motor.md")
        page = (DOCS / "howto" / "motor.md").read_text(encoding="utf-8")
        told = self.tenon("run", "press.yaml", text)
        torque, rms = re.search(r"torque: \S+ \.\. (\S+) N m, mean \S+, rms (\S+);", told).groups()
        power, mean = re.search(r"power: \S+ \.\. (\S+) W, mean (\S+),", told).groups()
        work = float(re.search(r"work: (\S+) \.\. ", told).group(1))
        for value, unit in ((torque, "N m"), (rms, "N m"), (power, "W"), (mean, "W")):
            self.assertIn(f" {float(value):.0f} {unit}", page.replace("\n", " "))
        self.assertAlmostEqual(float(mean), 5e3 * 0.12, delta=0.01)
        self.assertAlmostEqual(work, -600, delta=0.01)
        by_way = re.sub(r"  guide: .*\n", lambda _: guide, text)
        by_way = re.sub(r"loads:\n.*\n", "", re.sub(r"  work: .*\n", "", by_way))
        told = self.tenon("run", "press.yaml", by_way, "--csv", str(self.folder / "press.csv"))
        self.assertIn("torque: -308", told)
        self.assertIn("guide.z.effort", (self.folder / "press.csv").read_text())

    def test_pictures_of_the_tutorial(self):
        pictures = re.findall(r'src="(tutorial/step\d.svg)"', (DOCS / "start" / "tutorial.md").read_text(encoding="utf-8"))
        self.assertEqual(len(pictures), 3)
        for name in pictures:
            self.assertIn("<path", (DOCS / "start" / name).read_text(encoding="utf-8"))

    def test_language(self):
        units, formulas, of_time, lists, repeated, parts, placed, aliases = blocks("reference/language.md")
        mass, position, spring, motor = units.splitlines()
        self.tenon("check", "units.yaml", f"tenon: 1\nbodies: {{a: {{{mass}, {position}, inertia: [1, 1, 1]}}}}\njoints:\n"
                   f"  h: {{type: cylindrical, a: a, origin: [0, 0, 0], axis: [0, 0, 1], {spring}, {motor}}}\n")
        for name, text in (("formulas", formulas), ("lists", lists), ("repeated", repeated), ("parts", parts)):
            self.tenon("check", f"{name}.yaml", "tenon: 1\n" + text)
        model = f"tenon: 1\nbodies: {{table: {BODY}, wheel: {BODY}}}\n" + of_time
        self.tenon("check", "of_time.yaml", model)
        self.tenon("run", "of_time.yaml", None, "--time", "2.5")
        self.tenon("check", "placed.yaml", f"tenon: 1\nparts: {{leg: {{bodies: {{bone: {BODY}}}}}}}\nbodies: {{trunk: {BODY}}}\n" + placed)
        self.tenon("check", "aliases.yaml", f"tenon: 1\nbodies: {{crank: {BODY}, rod: {BODY}}}\n" + aliases)

    def test_fragments_in_c(self):
        """What docs/howto/c_interface.md says in C compiles, fragment by fragment."""
        fragments = blocks("howto/c_interface.md", "c")
        self.assertGreater(len(fragments), 8)
        source = "#include <stdio.h>\n#include <stdlib.h>\n#include <tenon/io.h>\n#include <tenon/record.h>\n#include <tenon/tenon.h>\n"
        for k, fragment in enumerate(fragments):
            source += (f"void task{k}(tn_spec *spec, tn_model *model, tn_sim *sim, tn_diagnostics *diags);\n"
                       f"void task{k}(tn_spec *spec, tn_model *model, tn_sim *sim, tn_diagnostics *diags)\n{{\n"
                       f"(void)spec, (void)model, (void)sim, (void)diags;\n{fragment}}}\n")
        path = self.folder / "fragments.c"
        path.write_text(source, encoding="utf-8")
        done = subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-but-set-variable",
                               "-Wno-unused-but-set-parameter", f"-I{ROOT}/include", "-fsyntax-only", str(path)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_model_page(self):
        """docs/reference/model.md has every key of the schema with its meaning."""
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "make_model_page.py"), "--check"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
