#!/usr/bin/env python3
"""tenon plot as its users call it: which columns a word stands for, and that the curves drawn are the numbers."""
import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.path.abspath(os.environ.get("TENON", str(ROOT / "build" / "tenon")))
SVG = "{http://www.w3.org/2000/svg}"


def tenon(*arguments, **more):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def curves(svg):
    """Title of each curve: its points in the picture, y up."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(SVG + "g"):
        if group.get("id", "").startswith("gnuplot_plot"):
            lines = " ".join(path.get("d") for path in group.iter(SVG + "path")).split("M")[2:]  # [1]: of the key
            points = re.findall(r"(-?[\d.]+),(-?[\d.]+)", " ".join(lines))
            title = "".join(next(group.iter(SVG + "text")).itertext())
            found[title] = [(float(x), -float(y)) for x, y in points]
    return found


def straight(a, b):
    """How far b is from a straight line over a, relative to its range."""
    n, mean_a, mean_b = len(a), sum(a) / len(a), sum(b) / len(b)
    slope = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b)) / sum((x - mean_a) ** 2 for x in a)
    assert n == len(b) and slope > 0
    return max(abs(y - mean_b - slope * (x - mean_a)) for x, y in zip(a, b)) / (max(b) - min(b))


class Plot(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.kept.name)
        self.addCleanup(self.kept.cleanup)

    def table(self, text):
        path = self.folder / "table.csv"
        path.write_text(text)
        return path

    def titles(self, *words, table):
        done = tenon("plot", table, *words, "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(curves(done.stdout))

    def test_a_run_in_hdf5(self):
        """The same curves as of the same run as comma-separated values."""
        run = tenon("run", ROOT / "examples/planar_crank.yaml", "--time", 0.3, "--every", 0.01, "--csv", "motion.csv",
                    "--hdf5", "motion.h5", "--quiet", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        pictures = [tenon("plot", self.folder / name, "theta", "energy.total", "--out", "-").stdout
                    for name in ("motion.csv", "motion.h5")]
        self.assertEqual(curves(pictures[0]), curves(pictures[1]))
        self.assertGreater(len(curves(pictures[0])), 1)

    def test_a_run(self):
        """The points drawn are the numbers of the file, on straight scales."""
        run = tenon("run", ROOT / "examples/planar_crank.yaml", "--time", 0.3, "--every", 0.01, "--csv", "motion.csv",
                    "--quiet", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        done = tenon("plot", "motion.csv", "theta", "main.fx", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, "motion.svg\n"), done.stderr)
        drawn = curves((self.folder / "motion.svg").read_text())
        self.assertEqual(list(drawn), ["main.theta", "big_end.theta", "small_end.theta", "main.fx"])
        with open(self.folder / "motion.csv") as stream:
            rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
        for name, points in drawn.items():
            self.assertEqual(len(points), len(rows), name)
            self.assertLess(straight([float(r["t"]) for r in rows], [x for x, _ in points]), 1e-3)
            self.assertLess(straight([float(r[name]) for r in rows], [y for _, y in points]), 1e-3)

    def test_words(self):
        table = self.table("t,a.x,a.y,b.x,\"b.lambda0 (not unique)\",note\n0,1,2,3,4,hello\n1,2,3,4,5,\n")
        self.assertEqual(self.titles("x", table=table), ["a.x", "b.x"])
        self.assertEqual(self.titles("a", table=table), ["a.x", "a.y"])
        self.assertEqual(self.titles("b.x", "a.y", table=table), ["b.x", "a.y"])
        self.assertEqual(self.titles("b.lambda0", table=table), ["b.lambda0 (not unique)"])
        self.assertEqual(self.titles("b", "--over", "a.x", table=table), ["b.x", "b.lambda0 (not unique)"])

    def test_mistakes(self):
        table = self.table("t,a.theta,note\n0,1,hello\n1,2,\n")
        for words, code, told in [(["a.thta"], 1, "did you mean 'a.theta'?"), (["thta"], 1, "did you mean 'theta'?"),
                                  (["note"], 1, "'note' has no numbers"), ([], 3, "a.theta"),
                                  (["theta", "--over", "s"], 1, "no column 's'"),
                                  (["theta", "--out", table], 3, "nothing is written over it")]:
            done = tenon("plot", table, *words)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(told, done.stderr)
        self.assertIn("has no rows", tenon("plot", self.table("t,a\n"), "a").stderr)
        self.assertIn("cannot be read", tenon("plot", self.folder / "none.csv", "a").stderr)
        self.assertFalse(list(self.folder.glob("*.svg*")))

    def test_units_share_panels(self):
        """One panel for each unit, with the unit beside it."""
        table = self.table("# made by hand\nt,a,b,c\n# units: s,rad,N,rad\n0,1,2,3\n1,2,3,4\n")
        svg = tenon("plot", table, "a", "b", "c", "--out", "-").stdout
        texts = ["".join(text.itertext()).strip() for text in ElementTree.fromstring(svg).iter(SVG + "text")]
        self.assertEqual([texts.count("rad"), texts.count("N"), texts.count("t (s)")], [1, 1, 1])

    def test_names_are_no_commands(self):
        """Column names with quotes, line ends, backquotes and formulas are drawn as they are."""
        wicked = ["it's", "`touch hacked`", "$(touch hacked)", "a_{b}^2", "<b>&amp;", "'; system 'touch hacked'"]
        header = ",".join('"' + name.replace('"', '""') + '"' for name in ["t", *wicked])
        table = self.table(header + "\n0,1,2,3,4,5,6\n1,2,3,4,5,6,7\n")
        self.assertEqual(self.titles(*wicked, table=table), wicked)
        self.assertFalse((ROOT / "hacked").exists() or pathlib.Path("hacked").exists())

    def test_a_model_is_no_table(self):
        for name in ("double_pendulum.yaml", "planar_crank.yaml"):
            done = tenon("plot", ROOT / "examples" / name, "theta", cwd=self.folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is no table of results; 'tenon run MODEL --csv FILE' writes one", done.stderr)
        done = tenon("plot", self.table("t,a.x,b.x,c\n0,1,2,3\n1,2,3,4\n"), "q")
        self.assertIn("there are: t, a.x, b.x, c, x\n", done.stderr)  # each once

    def test_files_of_other_kinds_are_not_written(self):
        table = self.table("t,x\n0,1\n1,2\n")
        for name in ("w.pdf", "w.csv", "w.yaml", "x.jpg"):
            done = tenon("plot", table, "x", "--out", self.folder / name)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"the picture would be no '{pathlib.Path(name).suffix}' file", done.stderr)
            self.assertFalse((self.folder / name).exists())
        for name in ("w.svg", "w.SVG", "w", "w.PNG", ".hidden"):
            self.assertEqual(tenon("plot", table, "x", "--out", self.folder / name).returncode, 0)
        self.assertEqual((self.folder / "w.PNG").read_bytes()[1:4], b"PNG")
        done = tenon("draw", ROOT / "examples/planar_crank.yaml", "--svg", self.folder / "d.png")
        self.assertEqual((done.returncode, (self.folder / "d.png").exists()), (3, False))

    def test_without_gnuplot(self):
        table = self.table("t,a\n0,1\n1,2\n")
        done = tenon("plot", table, "a", env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("gnuplot-nox", done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["table.csv"])

    def test_png(self):
        done = tenon("plot", self.table("t,a\n0,1\n1,2\n"), "a", "--out", self.folder / "a.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "a.png").read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
