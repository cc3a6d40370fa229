#!/usr/bin/env python3
"""`tenon view` as its users call it: the file it writes, without a browser (tests/page tries it in one).

TENON names the program.
"""
import array
import base64
import html.parser
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>&lt;"


def tenon(*arguments, **more):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          check=False, **more)


class Parts(html.parser.HTMLParser):
    """Scripts by id, all tags, all attributes that could load something."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.tags, self.links, self.policy, self.inside = {}, [], [], "", None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        self.inside = attributes.get("id", "main") if tag == "script" else None
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.links += [value for key, value in attrs if key in ("src", "href")]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data


class ViewTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def page(self, model, *more):
        out = self.folder / "page.html"
        run = tenon("view", model, "--out", out, *more)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(str(out), run.stdout)
        return Parts(out.read_text(encoding="utf-8")), out

    def test_one_file_with_the_model_in_it(self):
        parts, out = self.page(EXAMPLES / "four_bar_linkage.yaml")
        data = json.loads(parts.scripts["tenon-model"])
        self.assertEqual(data["text"], (EXAMPLES / "four_bar_linkage.yaml").read_text(encoding="utf-8"))
        self.assertEqual(data["name"], "four_bar_linkage.yaml")
        self.assertNotIn(str(EXAMPLES), out.read_text(encoding="utf-8"))
        self.assertLess(out.stat().st_size, 3e6)
        self.assertEqual(parts.links, [])
        engine = base64.b64decode(parts.scripts["tenon-engine"])
        self.assertEqual(engine[:2], b"\x1f\x8b")
        for rule in ("default-src 'none'", "connect-src 'none'", "script-src 'sha256-", "base-uri 'none'"):
            self.assertIn(rule, parts.policy)
        self.assertNotIn("{{", parts.scripts["tenon-model"])

    def test_the_default_name_and_standard_output(self):
        run = tenon("view", EXAMPLES / "pendulum.yaml", cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (0, "pendulum.html: open it in a browser\n"))
        piped = tenon("view", EXAMPLES / "pendulum.yaml", "--out", "-")
        self.assertEqual(piped.stdout, (self.folder / "pendulum.html").read_text(encoding="utf-8"))

    def test_hostile_text_stays_text(self):
        model = self.folder / "model.yaml"
        plain, _ = self.page(EXAMPLES / "pendulum.yaml")
        name = json.dumps(HOSTILE)
        model.write_text("tenon: 1\nname: %s\nbodies: {%s: {mass: 1, inertia: [1, 1, 1]}}\n# %s\n"
                         % (name, name, HOSTILE), encoding="utf-8")
        parts, _ = self.page(model)
        self.assertEqual(parts.tags, plain.tags)
        self.assertEqual(json.loads(parts.scripts["tenon-model"])["text"], model.read_text(encoding="utf-8"))
        self.assertEqual(parts.scripts["main"], plain.scripts["main"])

    def test_meshes_come_along(self):
        mesh = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        (self.folder / "parts").mkdir()
        (self.folder / "parts" / "t.obj").write_text(mesh, encoding="utf-8")
        model = self.folder / "model.yaml"
        model.write_text("tenon: 1\nbodies:\n  a: {density: 1, shapes: [mesh: {file: parts/t.obj},"
                         " mesh: {file: parts/t.obj}]}\n", encoding="utf-8")
        parts, _ = self.page(model)
        files = json.loads(parts.scripts["tenon-model"])["files"]
        self.assertEqual({k: base64.b64decode(v).decode() for k, v in files.items()}, {"parts/t.obj": mesh})

    def record(self, model, *more):
        files = [self.folder / "motion.h5", self.folder / "motion.csv"]
        run = tenon("run", model, "--time", 0.2, "--every", 0.01, "--hdf5", files[0], "--csv", files[1], "--quiet",
                    *more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return files

    def test_a_recorded_motion_comes_along(self):
        """Every number of the file, in SI and rad, the same from HDF5 and from CSV."""
        for model in ("excavator", "planar_crank", "crane"):
            with self.subTest(model):
                found = []
                files = self.record(EXAMPLES / f"{model}.yaml")
                for file in files:
                    parts, _ = self.page(EXAMPLES / f"{model}.yaml", "--recording", file)
                    recording = json.loads(parts.scripts["tenon-model"])["recording"]
                    self.assertEqual(recording["name"], file.name)
                    columns = [name.split(" (")[0] for name in recording["columns"]]
                    numbers = array.array("d", base64.b64decode(recording["rows"]))
                    self.assertEqual(len(numbers), 21 * len(columns))
                    found.append({name: numbers[k::len(columns)].tolist() for k, name in enumerate(columns)})
                self.assertEqual(found[0], found[1])
                lines = files[1].read_text(encoding="utf-8").splitlines()
                units = next(x for x in lines if x.startswith("# units:"))[len("# units:"):].strip().split(",")
                rows = [line.split(",") for line in lines if not line.startswith("#")]
                for name, unit, last in zip(rows[0], units, rows[-1]):
                    scale = math.pi / 180 if unit.startswith("deg") else 1.0
                    self.assertAlmostEqual(found[0][name.split(" (")[0]][-1], float(last) * scale, delta=1e-14)

    def test_recordings_that_cannot_be_shown(self):
        model = EXAMPLES / "pendulum.yaml"
        (self.folder / "no.h5").write_bytes(b"\211HDF\r\n\032\n" + bytes(200))
        (self.folder / "no.csv").write_text("t,bob.px\n0,1\n", encoding="utf-8")
        (self.folder / "empty.csv").write_text("t\n", encoding="utf-8")
        good, _ = self.record(EXAMPLES / "double_pendulum.yaml")
        whole = good.read_bytes()
        (self.folder / "half.h5").write_bytes(whole[:len(whole) // 2])
        for name, why in (("none.h5", "none.h5"), ("no.h5", "damaged HDF5"), ("no.csv", "record the poses"),
                          ("empty.csv", "no rows"), ("motion.h5", "record the poses"), ("half.h5", "half.h5")):
            with self.subTest(name):
                run = tenon("view", model, "--recording", self.folder / name, "--out", self.folder / "p.html")
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertIn(why, run.stderr)
                self.assertFalse((self.folder / "p.html").exists())

    def test_cut_recordings_are_refused(self):
        """A file that ends early, wherever: a message, no page."""
        whole, _ = self.record(EXAMPLES / "pendulum.yaml")
        bytes_ = whole.read_bytes()
        for length in [0, 5, 8, *(len(bytes_) * k // 12 for k in range(1, 12))]:
            whole.write_bytes(bytes_[:length])
            run = tenon("view", EXAMPLES / "pendulum.yaml", "--recording", whole, "--out", self.folder / "p.html")
            self.assertEqual((run.returncode, run.stdout), (1, ""), length)
            self.assertIn("motion.h5: ", run.stderr)

    def test_mistakes(self):
        model = self.folder / "model.yaml"
        model.write_text("tenon: 1\nbodies: {a: {mas: 1}}\n", encoding="utf-8")
        run = tenon("view", model, "--out", self.folder / "page.html")
        self.assertEqual(run.returncode, 1)
        self.assertIn("model.yaml:2:14", run.stderr)
        self.assertFalse((self.folder / "page.html").exists())
        self.assertEqual(tenon("view", self.folder / "none.yaml").returncode, 1)
        nowhere = tenon("view", EXAMPLES / "pendulum.yaml", "--out", self.folder / "no" / "page.html")
        self.assertEqual((nowhere.returncode, nowhere.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
