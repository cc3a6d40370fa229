#!/usr/bin/env python3
"""What has no direction, no inertia or no motion: told, or right.

TENON names the program. Right values: closed forms, and the same mechanism with a little inertia.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFECTS = ROOT / "tests" / "data" / "defects"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
FEW = os.environ.get("TENON_FEW") == "1"  # under sanitizers


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          check=False)


class Degenerate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def table(self, model, *arguments, code=0):
        path = self.folder / "out.csv"
        done = tenon("run", model, "--quiet", "--csv", path, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        with open(path, encoding="utf-8") as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        return rows, done.stderr

    def write(self, text):
        path = self.folder / "model.yaml"
        path.write_text(text)
        return path

    def test_lines_of_no_length(self):
        """48 J in a second out of a rope drawn at its knot, exit code 0; a spherical joint is meant."""
        rope = (DEFECTS / "rope_of_zero_length.yaml").read_text()
        for text in (rope, rope.replace("type: rope", "type: rod")):
            done = tenon("run", self.write(text))
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("'r' has zero length", done.stderr)
            self.assertIn("spherical", done.stderr)
        free = self.write(rope.replace("frame_d: {position: [0, 0, 0]}",
                                       "frame_d: {position: [0, 0, 0]}, range: {length: [0, 10]}"))
        rows, _ = self.table(free)  # slack: falls freely
        self.assertAlmostEqual(float(rows[-1]["a.pz"]), -0.5 * 9.81, 6)

    def test_rope_runs_out_through_its_pulley(self):
        """Atwood's heavy side takes the 2 m of the light one: at g/2 after sqrt(2 * 2 / (g / 2)) s."""
        rows, message = self.table(ROOT / "examples" / "atwood.yaml", "--time", "2", code=2)
        self.assertIn("joint left", message)
        self.assertAlmostEqual(float(rows[-1]["t"]), math.sqrt(2 * 2 / (9.81 / 2)), delta=0.03)

    def test_rope_runs_out_in_the_plane(self):
        """To an accuracy: the rope is named, not the body on it, when half a metre at g/2 has passed."""
        text = ("tenon: 1\nworld: planar\ngravity: [0, -9.81]\nbodies:\n"
                "  heavy: {kind: particle, position: [0, -0.5], mass: 3}\n"
                "  light: {kind: particle, position: [1, -0.5], mass: 1}\n"
                "couplings:\n"
                "  rope: {rope_over_pulleys: {a: heavy, end_a: [0, -0.5], pulley_a: [0, 0], b: light, end_b: [1, -0.5],"
                " pulley_b: [1, 0]}}\nsimulation: {duration: 0.6}\n")
        rows, message = self.table(self.write(text), code=2)
        self.assertIn("joint rope_b", message)
        self.assertNotIn("stiff", message)
        self.assertAlmostEqual(float(rows[-1]["t"]), math.sqrt(2 * 0.5 / (9.81 / 2)), delta=1.1e-3)
        # a rope that has time to its end is not what stops another body under a force that has no value
        text = text.replace("-0.5]", "-5]").replace("couplings:", "  other: {position: [3, 0], mass: 1, inertia: 1}\n"
                            "loads: {f: {body: other, force: [\"=1/(t - 0.5)\", 0]}}\ncouplings:")
        for step in ("0.6",) if FEW else ("0.001", "0.6"):
            _, message = self.table(self.write(text), "--step", step, code=2)
            self.assertNotIn("rope", message)

    def test_corners_of_couplings_are_told(self):
        """Where a ratio changes at once speeds jump: no step is short enough for that."""
        text = ("tenon: 1\nworld: planar\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                "joints: {p: {type: hinge, a: a, origin: [0, 0]}, q: {type: hinge, a: b, origin: [0, 0]}}\n"
                "couplings: {track: {mimic: {coordinate: p.theta, of: q.theta, function: {%s}}}}\n")
        for law, corner in (("table: [-1, -1, 0.5, 0, 1, 1]", "0.5"), ("table: [-1, -0.3, 0, 0, 1, 0.3]", None),
                            ("table: [0, 0, 1, 1]", None), ("spline: [-1, -1, 0.5, 0, 1, 1]", None)):
            done = tenon("check", self.write(text % law))
            self.assertEqual(done.returncode, 0, done.stderr)
            if corner:
                self.assertIn(f"'track': term 1: the table has a corner at x = {corner},", done.stderr)
            else:
                self.assertNotIn("corner", done.stderr)

    def test_a_freedom_of_first_order_only(self):
        """Two bars in line between fixed hinges bear no weight between them with any finite force: they fell and
        bounced with 72 J made out of nothing. Without a load that way they stand still."""
        model = json.loads((DEFECTS / "taut_toggle.json").read_text())
        for integrator in ("generalized_alpha", "backward_euler", "constrained_backward_euler", "dormand_prince"):
            done = tenon("run", DEFECTS / "taut_toggle.json", "--time", "0.01", "--integrator", integrator)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("no finite force bears them", done.stderr)
        for gravity in ([0, 0, 0], [0, -9.81, 0], [9.81, 0, 0]):
            model["gravity"] = gravity
            rows, errors = self.table(self.write(json.dumps(model)), "--time", "0.05")
            self.assertEqual(errors, "")
            for key in ("p.pz", "q.pz"):
                self.assertLess(max(abs(float(row[key])) for row in rows), 1e-9)
        # without the last hinge they swing
        bent = json.loads((DEFECTS / "taut_toggle.json").read_text())
        bent["joints"].pop("e")
        self.assertEqual(tenon("run", self.write(json.dumps(bent)), "--time", "0.05").returncode, 0)

    def test_velocities_that_begin_no_motion(self):
        """One crank of two flat parallelograms at 4 rad/s, all others at rest: 80 % of the energy was
        gone after a step. The same crank with the whole row turning is a motion."""
        model = json.loads((DEFECTS / "flat_start_speed.json").read_text())
        done = tenon("run", DEFECTS / "flat_start_speed.json")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("begin no motion", done.stderr)
        speed = 4.0
        cranks = {name: body for name, body in model["bodies"].items() if name.startswith("c")}
        tips = {}
        for name, body in model["bodies"].items():
            body.pop("velocity", None)
        for joint in model["joints"].values():
            joint.pop("speed", None)
        for name, body in cranks.items():
            reach = 0.2
            body["velocity"] = {"linear": [0, 0, -speed * reach], "angular": [0, speed, 0]}
            tips[name] = -2 * speed * reach
        for name, body in model["bodies"].items():
            if name not in cranks:
                body["velocity"] = {"linear": [0, 0, next(iter(tips.values()))], "angular": [0, 0, 0]}
        path = self.folder / "branch.json"
        path.write_text(json.dumps(model))
        report = self.folder / "r.json"
        done = tenon("run", path, "--quiet", "--report", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(report.read_text())
        self.assertGreater(found["energy_initial"], 0.1)
        self.assertLess(found["energy_max_drift"], 1e-3 * found["energy_initial"])

    def test_point_mass_on_a_light_cart(self):
        """1.6e-2 rad off in 10 s; now as with 1e-15 kg m^2, which needs no stand-in."""
        text = (DEFECTS / "zero_inertia.yaml").read_text()
        found, _ = self.table(self.write(text))
        wanted, _ = self.table(self.write(text.replace("inertia: 0}", "inertia: 1.0e-15}")))
        self.assertEqual(len(found), len(wanted))
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(float(a["pin.theta"]), float(b["pin.theta"]), 8)

    def test_point_mass_in_space(self):
        """A pendulum of length 1: its period by the arithmetic-geometric mean, from 90 degrees."""
        model = DEFECTS / "point_mass_in_space.yaml"
        found = json.loads(tenon("check", model, "--json").stdout)
        self.assertEqual((found["rows"], found["dof"]), (5, 1))
        a, b = 1.0, math.cos(math.pi / 4)
        for _ in range(6):
            a, b = (a + b) / 2, math.sqrt(a * b)
        period = 2 * math.pi / math.sqrt(9.81) / a
        for integrator, places in (("dormand_prince", 6), ("generalized_alpha", 4)):
            rows, _ = self.table(model, "--time", period, "--step", period / 4000, "--integrator", integrator)
            self.assertAlmostEqual(float(rows[len(rows) // 4]["pin.theta"]), math.pi / 2, places)
            self.assertAlmostEqual(float(rows[-1]["pin.theta"]), 0.0, places)

    def lift(self, which="type: hinge", breaks=None):
        """A scissor lift that no pose of is a change point, but whose weakest rows are as near as if one were; its load
        grows by a quarter a second."""
        text = (ROOT / "examples" / "scissor_lift.yaml").read_text()
        weight = '"=-load*9.81 m/s^2"'
        text = text.replace(weight, '{polynomial: [%s, "=-load*9.81 m/s^2/(4 s)"]}' % weight)
        text = text.replace("  push: =screw.z.effort\n",
                            "  push: =screw.z.effort\n  shoe: {reaction: shoe, quantity: force}\n")
        return self.write(text.replace(which, f"{which}, break_force: {breaks}") if breaks else text)

    def test_a_slow_lift_that_could_break(self):
        """Refused in its second step once, by looking 0.7 s ahead. Loads are those of a lift that cannot break; one that
        can does so when that one's load is as large (a cubic through the rows around)."""
        def size(row):
            return math.hypot(float(row["shoe.x"]), float(row["shoe.y"]))
        whole, _ = self.table(self.lift(), "--time", "1.6")
        rows, _ = self.table(self.lift(breaks=1e9), "--time", "1.6")
        for row, other in zip(rows, whole, strict=True):
            self.assertAlmostEqual(size(row) / size(other), 1, 9)
        report, limit = self.folder / "r.json", 20500
        _ = self.table(self.lift("shoe: {type: hinge", limit), "--time", "0.6", "--report", report)
        events = json.loads(report.read_text())["events"]
        self.assertEqual(events[0]["event"], "joint broke")
        n = next(n for n, row in enumerate(whole) if size(row) > limit)
        self.assertGreater(n, 2)
        when = [[float(row["t"]), size(row)] for row in whole[n - 2:n + 2]]
        self.assertAlmostEqual(sum(t * math.prod((limit - f) / (load - f) for _, f in when if f != load)
                                   for t, load in when), events[0]["time"], 7)

    def test_steps_that_do_not_look_for_breaks(self):
        """A parallelogram that turns through its flat pose, with a pin that may break: its load has a pole there. `auto` breaks it on
        the way, steps of one length never or later; they said that all was within tolerance."""
        text = """tenon: 1
gravity: [0, 0, 0]
bodies:
  c0: {position: [0, -0.5, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
  c1: {position: [1, -0.5, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
  bar: {position: [0.5, -1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  f0: {type: hinge, a: c0, origin: [0, 0, 0], axis: [0, 0, 1], speed: {theta: 2}}
  f1: {type: hinge, a: c1, origin: [1, 0, 0], axis: [0, 0, 1]}
  h0: {type: hinge, a: c0, b: bar, origin: [0, -1, 0], axis: [0, 0, 1]}
  h1: {type: hinge, a: c1, b: bar, origin: [1, -1, 0], axis: [0, 0, 1], break_force: 300}
loads: {push: {body: c1, axes: world, moment: [0, 0, 1e-3]}}
simulation: {duration: 1}
"""
        report = self.folder / "r.json"
        for arguments, code in ((("--integrator", "auto"), 0), (("--integrator", "generalized_alpha", "--step", "0.01"), 2)):
            done = tenon("run", self.write(text), "--quiet", "--report", report, *arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            told = json.loads(report.read_text())
            self.assertEqual(sum(event["event"] == "joint broke" for event in told["events"]), 0 if code else 1)
            self.assertEqual(told["accuracy"]["verdict"], "exceeded" if code else "within")
            self.assertEqual(told["accuracy"]["unwatched"]["allowed"], 0)
        self.assertIn("not watched in", done.stderr)
        self.assertIn("ask for an accuracy", done.stderr)

    def test_a_flat_parallelogram_on_a_stop(self):
        """Let go on the stop of a crank in its flat pose: nothing finite bears the other one. It fell, with 18 % of its
        energy made, or was stepped for minutes. Above the flat pose the stop has the moment of all weights, by virtual
        work (1 * 0.2 + 1 * 0.2 + 1.5 * 0.4) g cos(q)."""
        text = """tenon: 1
world: planar
gravity: [0, -9.81]
parameters: {q: 0 rad, arm: "=turn([0.4 m, 0 m], q)", base: "=[0.6 m, 0 m]"}
bodies:
  c0: {position: =arm/2, angle: =q, mass: 1, inertia: 0.02}
  c1: {position: =base + arm/2, angle: =q, mass: 1, inertia: 0.02}
  k: {position: =base/2 + arm, mass: 1.5, inertia: 0.02}
joints:
  a: {type: hinge, a: c0, origin: [0, 0], initial: {theta: =q}, range: {theta: [=q, 1]}}
  b: {type: hinge, a: c1, origin: =base}
  c: {type: hinge, a: k, b: c0, origin: =arm}
  d: {type: hinge, a: k, b: c1, origin: =base + arm}
simulation: {duration: 0.01}
"""
        for integrator in ("auto", "generalized_alpha", "dormand_prince"):
            done = tenon("run", self.write(text), "--integrator", integrator)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("no finite force bears them", done.stderr)
            for q in (0.001, 0.01, 0.1):
                rows, _ = self.table(self.write(text), "--integrator", integrator, "--set", f"q={q}rad")
                self.assertAlmostEqual(float(rows[-1]["a.theta.effort"]) / (9.81 * math.cos(q)), 1, 6)

    def test_a_driven_cardan_shaft_drawn_in_line_with_its_axes(self):
        """Where the cross lies in the plane of the shafts or across it all accelerations of a shaft without weight are
        none but for rounding, which was judged as if it were the size of them: contradicting constraints, refused. With t
        from there w2 / w1 = cos(b) / (1 - sin(b)^2 sin(w1 t)^2) where the driven cross pin is in the plane across both."""
        for bend in (0.3, 0.5, 1.0):
            s, c = math.sin(bend), math.cos(bend)
            for pins, shift in (("axis: [1, 0, 0], y_axis: [0, 1, 0]", math.pi / 2),
                                (f"axis: [0, 1, 0], y_axis: [{-c!r}, 0, {s!r}]", 0.0)):
                for drive in ("drive: {theta: {position: {polynomial: [0, 7]}}}", "motor: {theta: {speed: 7}}"):
                    rows, _ = self.table(self.write(f"""tenon: 1
gravity: [0, 0, 0]
bodies:
  i: {{position: [0, 0, -0.3], mass: 1, inertia: [0.01, 0.01, 0.02]}}
  o: {{position: [{0.3 * s!r}, 0, {0.3 * c!r}], rpy: [0, {bend}, 0], mass: 1, inertia: [0.01, 0.01, 0.02]}}
joints:
  hi: {{type: hinge, a: i, origin: [0, 0, -0.3], axis: [0, 0, 1], {drive}}}
  u: {{type: universal, a: o, b: i, origin: [0, 0, 0], {pins}}}
  ho: {{type: hinge, a: o, origin: [{0.3 * s!r}, 0, {0.3 * c!r}], axis: [{s!r}, 0, {c!r}]}}
simulation: {{duration: 0.5}}
record: {{every: 0.05}}
"""))
                    for row in rows[1:]:
                        turned = math.sin(7 * float(row["t"]) + shift)
                        self.assertAlmostEqual(float(row["ho.theta.speed"]), 7 * c / (1 - (s * turned) ** 2), 6)


if __name__ == "__main__":
    unittest.main()
