#!/usr/bin/env python3
"""`tenon draw` as its users call it, and the pages of the joints: pictures are well-formed, show what they
should and are the same every time; every joint type has a page that is current and an example that holds.

TENON names the program.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
SVG = "{http://www.w3.org/2000/svg}"

PENDULUM = """
tenon: 1
name: "swing <&> \\"x\\""
gravity: [0, 0, -10]
bodies:
  bar: {position: [1, 0, 0], density: 1000, shapes: [box: {size: [2, 0.1, 0.1]}]}
joints:
  "pin & <1>":
    type: hinge
    a: bar
    origin: [0, 0, 0]
    axis: [0, -1, 0]
    range: {theta: [-1, 2]}
    set: {theta: 0.5}
    shaft_length: 0.4
    color: [0, 0, 1]
simulation: {step: 0.01, duration: 1}
"""

PLANAR = """
tenon: 1
bodies: {bar: {kind: planar, position: [1, 0, 0], mass: 1, inertia: 1}}
joints: {pin: {type: hinge, a: bar, origin: [0, 0, 0]}}
"""


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


def texts(root):
    return [node.text for node in root.iter(SVG + "text")]


class DrawTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def model(self, text):
        path = self.folder / "model.yaml"
        path.write_text(text)
        return path

    def draw(self, *arguments):
        """The root of the picture."""
        result = tenon("draw", *arguments, "--svg", "-")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        root = ElementTree.fromstring(result.stdout)
        self.assertEqual(root.tag, SVG + "svg")
        self.assertNotRegex(result.stdout, r"\b(nan|inf)\b")
        return root

    def test_every_example_is_drawn_inside_its_picture(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            root = self.draw(path)
            _, _, width, height = map(float, root.get("viewBox").split())
            count = 0
            for node in root.iter(SVG + "path"):
                for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", node.get("d")):
                    self.assertTrue(0 <= float(x) <= width and 0 <= float(y) <= height, path.name)
                    count += 1
            self.assertGreater(count, 20)

    def test_names_are_there(self):
        shown = texts(self.draw(EXAMPLES / "four_bar_linkage.yaml"))
        self.assertLessEqual({"joint0", "joint1", "joint2", "joint3", "four-bar linkage", "0.2 m"}, set(shown))

    def test_values_limits_and_odd_names(self):
        path = self.model(PENDULUM)
        root = self.draw(path)
        self.assertLessEqual({"pin & <1>", 'swing <&> "x"', f"theta = {0.5 * 57.29577951:.1f}\u00b0"},
                             set(texts(root)))
        self.assertNotIn("C", texts(root))
        self.assertLessEqual({"C", "D"}, set(texts(self.draw(path, "--values"))))

    def test_a_range_is_a_sector(self):
        def sectors(text):
            return sum(node.get("fill-opacity") == "0.14" for node in self.draw(self.model(text)).iter(SVG + "path"))
        self.assertEqual(sectors(PENDULUM), 2)  # the range and the value
        self.assertEqual(sectors(PENDULUM.replace("    range: {theta: [-1, 2]}\n", "")), 0)

    def test_time_moves_the_picture(self):
        path = self.model(PENDULUM)
        moved = texts(self.draw(path, "--time", "0.3"))
        self.assertIn("t = 0.3 s", moved)
        report = tenon("run", path, "--time", "0.3", "--csv", self.folder / "m.csv", "--quiet")
        self.assertEqual(report.returncode, 0, report.stderr)
        lines = [line for line in (self.folder / "m.csv").read_text().splitlines() if not line.startswith("#")]
        theta = float(lines[-1].split(",")[[c.strip('"') for c in lines[0].split(",")].index("pin & <1>.theta")])
        self.assertIn(f"theta = {theta * 57.29577951308232:.1f}\u00b0", moved)

    def test_views(self):
        path = self.model(PENDULUM)
        pictures = {view: ElementTree.tostring(self.draw(path, "--view", view)) for view in ("x", "y", "z", "iso")}
        self.assertEqual(len(set(pictures.values())), 4)
        self.assertEqual(pictures["iso"], ElementTree.tostring(self.draw(path)))
        flat = self.model(PLANAR)
        self.assertEqual(ElementTree.tostring(self.draw(flat)), ElementTree.tostring(self.draw(flat, "--view", "z")))

    def test_along_the_axis_a_bar_has_its_length(self):
        """The scale bar against the bar: 2 m seen along y are twice as long as 1 m."""
        root = self.draw(self.model(PENDULUM.replace("set: {theta: 0.5}", "set: {theta: 0}")), "--view", "y")
        bar = next(node for node in root.iter(SVG + "path") if node.get("class") == "bar")
        x0, x1 = map(float, re.fullmatch(r"M([\d.]+) [\d.]+V[\d.]+H([\d.]+)V[\d.]+", bar.get("d")).groups())
        label = next(text for text in texts(root) if re.fullmatch(r"[\d.]+ m", text))
        by_metre = (x1 - x0) / float(label.split()[0])
        widest = 0
        for node in root.find(f"{SVG}g[@class='faces']").iter(SVG + "path"):
            x = [float(v) for v in re.findall(r"[ML](-?[\d.]+)", node.get("d"))]
            widest = max(widest, max(x) - min(x))
        self.assertAlmostEqual(widest / by_metre, 2, delta=0.01)

    def test_one_joint(self):
        shown = texts(self.draw(EXAMPLES / "four_bar_linkage.yaml", "--joint", "joint2"))
        self.assertIn("joint2", shown)
        self.assertNotIn("joint1", shown)

    def test_same_bytes(self):
        paths = [self.folder / name for name in ("a.svg", "b.svg")]
        for path in paths:
            self.assertEqual(tenon("draw", EXAMPLES / "four_bar_linkage.yaml", "--svg", path).returncode, 0)
        self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())

    def test_many_faces_are_drawn_too(self):
        balls = ", ".join("{sphere: {radius: 0.1}, position: [%d, %d, 0]}" % (i % 5, i // 5) for i in range(25))
        root = self.draw(self.model("tenon: 1\nbodies: {balls: {density: 1, shapes: [%s]}}\n" % balls))
        self.assertGreater(len(list(root.iter(SVG + "path"))), 6000)

    def test_hollow_outlines(self):
        """An L from all sides, mesh and prism: the notch stays white."""
        model = """
tenon: 1
bodies:
  l: {density: 1, shapes: [extrusion: {points: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]], height: 0.5}]}
"""
        root = self.draw(self.model(model), "--view", "z")
        area = 0
        for node in root.find(f"{SVG}g[@class='faces']").iter(SVG + "path"):
            if node.get("class") == "e":
                continue
            p = [tuple(map(float, pair)) for pair in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", node.get("d"))]
            area += sum(p[i][0] * p[i - 1][1] - p[i][1] * p[i - 1][0] for i in range(len(p))) / 2
        scale = 500 / 3  # pixels by m: 3 m fill the height
        self.assertAlmostEqual(abs(area) / scale ** 2, 4, delta=0.01)

    def test_what_is_refused(self):
        path = EXAMPLES / "four_bar_linkage.yaml"
        for code, words, arguments in (
                (3, "needs --svg", [path]),
                (3, "did you mean 'iso'", [path, "--svg", "-", "--view", "isi"]),
                (1, "did you mean 'joint1'", [path, "--svg", "-", "--joint", "joit1"]),
                (3, "at least 0", [path, "--svg", "-", "--time", "-1"]),
                (1, "No such file", [path, "--svg", self.folder / "no" / "where.svg"]),
                (1, "", [self.folder / "none.yaml", "--svg", "-"])):
            result = tenon("draw", *arguments)
            self.assertEqual(result.returncode, code, arguments)
            self.assertIn(words, result.stderr)
            self.assertNotEqual(result.stderr, "")


class Pages(unittest.TestCase):
    def names(self):
        return re.findall(r"^# (\S+)$", tenon("joints", "--markdown").stdout, re.MULTILINE)

    def test_pages_are_current(self):
        check = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "make_joint_pages.py", "--check", TENON],
                               capture_output=True, text=True, check=False)
        self.assertEqual((check.returncode, check.stdout, check.stderr), (0, "", ""))

    def test_every_type_has_an_example_that_holds(self):
        names = self.names()
        self.assertGreaterEqual(len(names), 19)
        self.assertEqual(sorted(path.stem for path in (EXAMPLES / "joints").glob("*.yaml")), sorted(names))
        for name in names:
            run = tenon("run", EXAMPLES / "joints" / f"{name}.yaml", "--report", "-")
            self.assertEqual((run.returncode, run.stderr), (0, ""), name)
            report = json.loads(run.stdout)
            self.assertAlmostEqual(report["sim_time"], 1, delta=1e-9)
            self.assertLessEqual(report["max_position_error"], 1e-10, name)
            self.assertLessEqual(report["max_angle_error"], 1e-10, name)

    def test_the_tool_prints_the_text(self):
        for name in self.names():
            page = tenon("joints", name).stdout
            self.assertIn((ROOT / "docs" / "reference" / "joints" / "text" / f"{name}.md").read_text(encoding="utf-8"), page)
            self.assertIn("degrees of freedom", page)


if __name__ == "__main__":
    unittest.main()
