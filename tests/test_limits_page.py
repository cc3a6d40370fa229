#!/usr/bin/env python3
"""The limits of docs/explanation/reliability.md: every row names a test that exists, and those of files and texts hold
at the limit and end one beyond it with a message, here.

TENON names the program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
BODY = "mass: 1, inertia: [1, 1, 1]"


class Page(unittest.TestCase):
    def rows(self):
        section = (ROOT / "docs" / "explanation" / "reliability.md").read_text(encoding="utf-8").partition("\n## Limits\n")[2]
        lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]

    def test_every_limit_has_a_test(self):
        rows = self.rows()
        self.assertGreaterEqual(len(rows), 24)
        for what, limit, beyond, test in rows:
            names = re.findall(r"`(test_\w+)`", test)
            self.assertTrue(names, f"{what} ({limit}, {beyond}): no test")
            for name in names:
                self.assertTrue(any((ROOT / "tests" / f"{name}{end}").exists() for end in (".c", ".py")), name)

    def test_loops_end_where_the_page_says(self):
        """Each constant has its number in its row; and every number of passes in the sources is in a row."""
        section = (ROOT / "docs" / "explanation" / "reliability.md").read_text(encoding="utf-8").partition("\n## Loops\n")[2]
        rows = [line for line in section.partition("\n## ")[0].splitlines() if "`TN_" in line]
        named = set()
        for row in rows:
            numbers = re.findall(r"\d+", row.split("|")[2].replace(" 000", "000"))
            for names, file in re.findall(r"((?:`TN_\w+`, )*`TN_\w+`) \(`(src/[\w/.]+)`\)", row):
                text = (ROOT / file).read_text(encoding="utf-8")
                for name in re.findall(r"TN_\w+", names):
                    value = re.search(rf"#define {name}\s+(\d+)\b", text)
                    self.assertTrue(value, f"{file} has no {name}")
                    self.assertIn(value.group(1), numbers, row)
                    named.add((file, name))
        self.assertGreaterEqual(len(named), 25)
        found = set()
        for path in sorted((ROOT / "src").rglob("*.[ch]")):
            for name, number in re.findall(r"#define (TN_\w*(?:PASSES|ROUNDS|SWEEPS|STAGE_ITERATIONS))\s+(\d+)",
                                           path.read_text(encoding="utf-8")):
                if int(number) > 20:
                    found.add((str(path.relative_to(ROOT)), name))
        self.assertLessEqual(found, named)

    def test_table_of_calls_is_made_of_the_headers(self):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "make_calls_page.py"), "--check"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_numbers_of_the_header_are_on_the_page(self):
        page = "\n".join(" | ".join(row) for row in self.rows()).replace("\u202f", "").replace(" 000", "000")
        header = (ROOT / "include" / "tenon" / "limits.h").read_text(encoding="utf-8")
        limits = re.findall(r"#define (TN_\w+)\s+(?:([\d.e-]+)|\(\(size_t\)(\d+) << 20\))\s*$", header, re.M)
        self.assertEqual(len(limits), len(re.findall(r"#define TN_", header)))
        rows = {name: row for row in page.splitlines() for name in re.findall(r"`(TN_\w+)`", row.split(" | ")[1])}
        for name, number, mebibytes in limits:  # in the row that names it, and nothing else is named
            self.assertRegex(rows.pop(name), rf"(?<!\d){number or mebibytes + ' MiB'}(?!\d)" if number != "1000000" else "1000000|a million")
        self.assertEqual(rows, {})

    def test_limits_are_defined_once(self):
        """What the header names is defined nowhere else."""
        header = (ROOT / "include" / "tenon" / "limits.h").read_text(encoding="utf-8")
        names = re.findall(r"#define (TN_\w+)", header)
        for path in [*(ROOT / "src").rglob("*.[ch]"), *(ROOT / "tool").rglob("*.[ch]")]:
            for name in re.findall(r"^#define (\w+)", path.read_text(encoding="utf-8"), re.M):
                self.assertNotIn(name, names, path)


class AtTheLimit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, text):
        (self.folder / "m.yaml").write_text("tenon: 1\n" + text, encoding="utf-8")
        done = subprocess.run([TENON, "check", "m.yaml"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def good(self, text):
        done = self.check(text)
        self.assertEqual(done.returncode, 0, done.stderr[:500])

    def refused(self, text, words):
        done = self.check(text)
        self.assertEqual(done.returncode, 1)
        self.assertIn(words, done.stderr)

    def test_files_of_a_model(self):
        """With the model itself 256."""
        for count in (255, 256):
            for i in range(count):
                (self.folder / f"f{i}.yaml").write_text(f"tenon: 1\nmarkers: {{m{i}: {{body: a}}}}\n", encoding="utf-8")
            text = f"include: [{', '.join(f'f{i}.yaml' for i in range(count))}]\nbodies: {{a: {{{BODY}}}}}\n"
            if count == 255:
                self.good(text)
            else:
                self.refused(text, "a model has at most 256 files")

    def test_files_that_include_files(self):
        for depth, refused in ((16, False), (17, True)):
            for i in range(depth):
                more = f"include: f{i + 1}.yaml\n" if i + 1 < depth else ""
                (self.folder / f"f{i}.yaml").write_text(f"tenon: 1\n{more}", encoding="utf-8")
            text = f"include: f0.yaml\nbodies: {{a: {{{BODY}}}}}\n"
            if refused:
                self.refused(text, "files include each other too deeply")
            else:
                self.good(text)

    def test_repetitions(self):
        fixed = "bodies: {a: {repeat: %d, kind: fixed}}\n"
        self.good(fixed % 100000)
        self.refused(fixed % 100001, "must be a whole number up to 100000")

    def test_nesting_of_formulas(self):
        text = "bodies: {a: {mass: =%s1%s, inertia: [1, 1, 1]}}\n"
        self.good(text % ("(" * 31, ")" * 31))
        self.refused(text % ("(" * 32, ")" * 32), "nested too deeply")

    def test_arguments_of_functions(self):
        text = "bodies: {a: {mass: '=max(%s)', inertia: [1, 1, 1]}}\n"
        self.good(text % ", ".join("12345678"))
        self.refused(text % ", ".join("123456789"), "max")

    def test_names_in_the_formula_of_a_measure(self):
        for count in (64, 65):
            markers = "".join(f"  k{i}: {{body: a}}\n" for i in range(count))
            measures = "".join(f"  m{i}: {{marker: k{i}, component: x}}\n" for i in range(count))
            text = (f"bodies: {{a: {{{BODY}}}}}\nmarkers:\n{markers}measures:\n{measures}"
                    f"  all: {{formula: '{' + '.join(f'm{i}' for i in range(count))}'}}\n")
            if count == 64:
                self.good(text)
            else:
                self.refused(text, "more than 64 names in a formula")

    def test_formulas_of_formulas(self):
        for count in (16, 17):
            chain = "".join(f"  f{i}: {{formula: '2*{f'f{i - 1}' if i else 'm'}'}}\n" for i in range(count))
            text = (f"bodies: {{a: {{{BODY}}}}}\nmarkers: {{k: {{body: a}}}}\n"
                    f"measures:\n  m: {{marker: k, component: x}}\n{chain}")
            if count == 16:
                self.good(text)
            else:
                self.refused(text, "too many formulas of formulas")

    def test_problems_that_are_shown(self):
        for count in (1000, 1001):
            done = self.check("bodies:\n" + "".join(f"  b{i}: {{{BODY}, colur: 1}}\n" for i in range(count)))
            self.assertEqual(done.stderr.count(" error: "), 1000)
            self.assertEqual("1 more problems not shown" in done.stderr, count == 1001)

    def test_cases_of_a_study(self):
        for counts, refused in (((1000, 1000000), False), ((1001, 1000000), True)):
            ends = ", ".join(f"{name}: {{range: {{from: 1, to: 2, count: {count}}}}}" for name, count in zip("xy", counts))
            (self.folder / "m.yaml").write_text(f"tenon: 1\nparameters: {{x: 1, y: 1}}\nbodies: {{a: {{{BODY}}}}}\n", encoding="utf-8")
            (self.folder / "s.yaml").write_text(f"study: 1\nmodel: m.yaml\nparameters: {{{ends}}}\nkeep: [nothing]\nsimulation:\n", encoding="utf-8")
            done = subprocess.run([TENON, "study", "s.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("more than 1000000000 cases are too many" if refused else "'nothing'", done.stderr)
            self.assertEqual(done.stderr.count("error:"), 1)

    def test_meshes(self):
        """A file with a hole of that size."""
        text = "bodies: {a: {mass: 1, shapes: [mesh: {file: m.stl}]}}\n"
        with open(self.folder / "m.stl", "wb") as file:
            file.truncate((1 << 30) + 1)
        self.refused(text, "m.stl")

    def test_tables(self):
        """64 MiB, most of them a comment."""
        text = (f"bodies: {{a: {{{BODY}}}}}\njoints:\n  j: {{type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1], "
                "drive: {theta: {position: {csv: {file: t.csv, column: y}}}}}\n")
        table = b"t,y\n0,0\n1,1\n"
        for size in (1 << 26, (1 << 26) + 1):
            (self.folder / "t.csv").write_bytes(b"#" + b"x" * (size - len(table) - 2) + b"\n" + table)
            if size == 1 << 26:
                self.good(text)
            else:
                self.refused(text, "t.csv")


if __name__ == "__main__":
    unittest.main()
