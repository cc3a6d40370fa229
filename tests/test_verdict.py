#!/usr/bin/env python3
"""One verdict: what `tenon check` counts is what it explains, at any masses and lengths.

TENON names the program. Right values: Kutzbach's count of the planar mechanisms, and what no
change of a mass may change.
"""
import copy
import itertools
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFECTS = ROOT / "tests" / "data" / "defects"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
ONE_VERDICT = "rows rank redundant dof".split()


def tenon(*arguments):
    return subprocess.run(
        [TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


class VerdictTest(unittest.TestCase):
    def check(self, path):
        result = tenon("check", path, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        for key in ONE_VERDICT:
            if found["analysis"] is not None:
                self.assertEqual(found[key], found["analysis"][key], f"{path}: {key}")
        self.assertEqual(found["gruebler"], found["velocities"] - found["rows"])
        return found

    def check_model(self, model):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            path.write_text(json.dumps(model))
            return self.check(path)

    def test_nearly_parallel_axes(self):
        for name in ("tilted_hinge_1e-05", "tilted_hinge_0.0001"):
            found = self.check(DEFECTS / f"{name}.json")
            self.assertEqual((found["rank"], found["dof"]), (17, 1))
            self.assertEqual(found["analysis"]["unclear"], 0)

    def test_heavy_coupler(self):
        found = self.check(DEFECTS / "heavy_coupler_rank.json")
        self.assertEqual((found["rank"], found["dof"]), (17, 1))

    def test_masses_do_not_count(self):
        """The four-bar and ten flat parallelograms with masses from 1e-8 to 1e8 kg."""
        chance = random.Random(7)
        for name in ("tilted_hinge_1e-05", "change_point_chain"):
            model = json.loads((DEFECTS / f"{name}.json").read_text())
            wanted = self.check(DEFECTS / f"{name}.json")
            for _ in range(4):
                other = copy.deepcopy(model)
                for body in other["bodies"].values():
                    factor = 10.0 ** chance.uniform(-8.0, 8.0)
                    body["mass"] *= factor
                    body["inertia"] = [factor * value for value in body["inertia"]]
                found = self.check_model(other)
                for key in ONE_VERDICT:
                    self.assertEqual(found[key], wanted[key], f"{name}: {key}")

    def net(self, bulge):
        """A cloth of 20 x 20 bodies in ball joints, hung at two: 361 loops that hang together."""
        model = {"tenon": 1, "bodies": {}, "joints": {}}

        def ball(name, a, b, x, y):
            height = bulge * (math.sin(17.0 * x) * math.cos(11.0 * y) + x * y)
            model["joints"][name] = {"type": "spherical", "a": a, "b": b, "origin": [x, y, height]}

        for i, j in itertools.product(range(20), range(20)):
            model["bodies"][f"b{i}_{j}"] = {
                "position": [0.1 * i, 0.1 * j, 0], "mass": 0.01, "inertia": [1e-5, 1e-5, 1e-5]}
            for k, m in ((i - 1, j), (i, j - 1)):
                if k >= 0 and m >= 0:
                    ball(f"p{i}_{j}_{k}_{m}", f"b{i}_{j}", f"b{k}_{m}", 0.05 * (i + k), 0.05 * (j + m))
        for i in (0, 19):
            ball(f"hung{i}", f"b{i}_0", "ground", 0.1 * i, -0.05)
        return model

    def test_large_net_starts_at_once(self):
        """17 s of counting before, 0.05 s now. Flat, its bodies have 1200 velocities in the plane, all
        held by 1524 rows, and as many out of it, held by 762: 438 freedoms, 324 rows too many.
        """
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        curved = self.check_model(self.net(0.03))
        flat = self.check_model(self.net(0.0))
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        self.assertEqual((curved["rows"], curved["rank"], curved["dof"]), (2286, 2286, 114))
        self.assertEqual((flat["redundant"], flat["rank"], flat["dof"]), (324, 1962, 438))
        self.assertLess(spent, 5.0)


    def slider_crank(self, length):
        """Crank 0.3, rod 0.7 of `length`, falling; all that has a length scaled."""
        corner = [0.18 * length, 0, 0.24 * length]
        end = corner[0] + length * math.sqrt(0.49 - 0.24**2)

        def bar(p, q, mass):
            middle = [0.5 * (x + y) for x, y in zip(p, q)]
            return {"position": middle, "mass": mass, "inertia": [0.02 * mass * length**2] * 3}

        def joint(kind, a, b, origin, axis):
            return {"type": kind, "a": a, "b": b, "origin": origin, "axis": axis}

        return {
            "tenon": 1, "gravity": [0, 0, -9.81 * length],
            "bodies": {"crank": bar([0, 0, 0], corner, 0.6), "rod": bar(corner, [end, 0, 0], 1.4),
                       "block": {"position": [end, 0, 0], "mass": 1, "inertia": [0.01 * length**2] * 3}},
            "joints": {"o": joint("hinge", "crank", "ground", [0, 0, 0], [0, 1, 0]),
                       "p": joint("hinge", "rod", "crank", corner, [0, 1, 0]),
                       "q": joint("hinge", "block", "rod", [end, 0, 0], [0, 1, 0]),
                       "way": joint("slider", "block", "ground", [end, 0, 0], [1, 0, 0])},
            "simulation": {"step": 1e-3, "duration": 1.0}, "record": {"every": 0.5}}

    def test_units_of_length(self):
        """A slider-crank drawn in kilometres, metres, millimetres, micrometres: the same motion."""
        self.check(DEFECTS / "lengths_1e6.json")
        angle = {}
        for length in (1e-3, 1.0, 1e3, 1e6):
            model = self.slider_crank(length)
            found = self.check_model(model)
            self.assertEqual((found["rank"], found["dof"]), (17, 1))
            self.assertEqual(found["analysis"]["idle_motions"], [])
            with tempfile.TemporaryDirectory() as folder:
                path, table = pathlib.Path(folder) / "m.json", pathlib.Path(folder) / "m.csv"
                path.write_text(json.dumps(model))
                result = tenon("run", path, "--quiet", "--csv", table)
                self.assertEqual(result.returncode, 0, result.stderr)
                rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
                angle[length] = float(rows[-1].split(",")[rows[0].split(",").index("o.theta")])
        self.assertGreater(abs(angle[1.0]), 1.0)
        for length, value in angle.items():
            self.assertAlmostEqual(value, angle[1.0], 7, f"drawn at {length}")

    def test_pose_opens_at_its_own_scale(self):
        """A drawing that is open by 1e-5 of its size closes at any scale."""
        for length in (1e-3, 1.0, 1e3, 1e6):
            model = self.slider_crank(length)
            model["bodies"]["rod"]["position"][0] += 1e-5 * length
            model["joints"]["p"] = {
                "type": "hinge", "a": "rod", "b": "crank",
                "frame_a": {"position": [-0.5 * math.sqrt(0.49 - 0.24**2) * length, 0, 0.12 * length],
                            "quaternion": [math.sqrt(0.5), -math.sqrt(0.5), 0, 0]},
                "frame_b": {"position": [0.09 * length, 0, 0.12 * length],
                            "quaternion": [math.sqrt(0.5), -math.sqrt(0.5), 0, 0]}}
            found = self.check_model(model)
            self.assertEqual((found["rank"], found["dof"]), (17, 1))
            self.assertLess(found["position_error"], 1e-12 * max(1.0, length))

    def bars(self, kind, axis, length):
        """Two bars in line between fixed points: rigid, whatever the rank says."""
        ends = [0.0, 0.5 * length, 1.1 * length]
        model = {"tenon": 1, "bodies": {}, "joints": {}}
        for k, name in enumerate("pq"):
            model["bodies"][name] = {
                "position": [0.5 * (ends[k] + ends[k + 1]), 0, 0], "mass": 1.0,
                "inertia": [0.1 * length**2] * 3}
        for k, (name, a, b) in enumerate((("o", "p", "ground"), ("m", "q", "p"), ("e", "q", "ground"))):
            model["joints"][name] = {"type": kind, "a": a, "b": b, "origin": [ends[k], 0, 0]}
            if axis:
                model["joints"][name]["axis"] = axis
        return model

    def test_bars_in_line_are_rigid(self):
        """In hinges 1 freedom to first order, none to second; in balls 4, of which the two bars'
        spins about themselves are motions."""
        found = self.check(DEFECTS / "taut_toggle.json")["analysis"]
        self.assertEqual([found[k] for k in ("dof", "freedoms", "permanent", "momentary")], [1, 0, 3, 1])
        for length in (1e-6, 1e-3, 1.0, 1e3, 1e6):
            found = self.check_model(self.bars("hinge", [0, 1, 0], length))["analysis"]
            self.assertEqual([found[k] for k in ("dof", "freedoms", "permanent", "momentary")], [1, 0, 3, 1])
            found = self.check_model(self.bars("spherical", None, length))["analysis"]
            self.assertEqual([found[k] for k in ("dof", "freedoms", "permanent", "momentary")], [4, 2, 0, 1])

    def test_rods_and_locks_are_no_freedoms(self):
        """A loop closed by a hard rod, or by a locked distance, has the freedom of one closed by hinges."""
        for closing in ({"type": "rod"}, {"type": "distance", "locked": ["length"]}):
            model = {"tenon": 1, "world": "planar",
                     "bodies": {name: {"position": [x, 0.1], "mass": 1, "inertia": 0.01}
                                for name, x in (("arm", 0.2), ("rocker", 0.8))},
                     "joints": {"A": {"type": "hinge", "a": "arm", "origin": [0, 0]},
                                "B": {"type": "hinge", "a": "rocker", "origin": [0.8, 0]},
                                "R": {"a": "rocker", "b": "arm", "frame_c": {"position": [0.8, 0.2]},
                                      "frame_d": {"position": [0.3, 0.2]}} | closing}}
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.json"
                path.write_text(json.dumps(model))
                said = tenon("check", path).stdout
            self.assertIn("Freedom 1: A.theta turns about z; with it B.theta (ratio 1).", said)
            self.assertNotIn("Freedom 2", said)

    def parallelograms(self, count, length, chance):
        """Flat: every crank in line with the row of pivots. Bases of random lengths."""
        model = {"tenon": 1, "bodies": {}, "joints": {}}
        at, crank = 0.0, length * chance.uniform(0.3, 2.0)

        def hinge(name, a, b, x):
            model["joints"][name] = {"type": "hinge", "a": a, "b": b, "origin": [x, 0, 0], "axis": [0, 1, 0]}

        def bar(name, x):
            mass = 10.0 ** chance.uniform(-2, 2)
            model["bodies"][name] = {"position": [x, 0, 0], "mass": mass, "inertia": [0.1 * mass * length**2] * 3}

        for k in range(count + 1):
            bar(f"c{k}", at + 0.5 * crank)
            hinge(f"g{k}", f"c{k}", "ground", at)
            if k < count:
                base = length * chance.uniform(0.2, 3.0)
                bar(f"k{k}", at + crank + 0.5 * base)
                hinge(f"a{k}", f"k{k}", f"c{k}", at + crank)
                at += base
        for k in range(count):
            hinge(f"b{k}", f"k{k}", f"c{k + 1}", model["joints"][f"g{k + 1}"]["origin"][0] + crank)
        return model

    def test_flat_chains(self):
        """n parallelograms: 3 n rows repeat others for ever, n at this pose; 1 freedom nearby."""
        found = self.check(DEFECTS / "change_point_chain.json")["analysis"]
        self.assertEqual([found[k] for k in ("permanent", "momentary", "dof", "freedoms")], [30, 10, 11, 1])
        chance = random.Random(3)
        for count in (1, 2, 3, 5, 8, 13):
            for _ in range(3):
                length = 10.0 ** chance.uniform(-4, 4)
                found = self.check_model(self.parallelograms(count, length, chance))["analysis"]
                self.assertEqual(
                    [found[k] for k in ("permanent", "momentary", "dof", "freedoms")],
                    [3 * count, count, count + 1, 1])

    def loops_of(self, found):
        names = {json.dumps([loop["joints"], loop["bodies"]]) for loop in found["analysis"]["loops"]}
        self.assertEqual(len(names), len(found["analysis"]["loops"]))
        return names

    def in_space(self, model):
        """The same bodies and joints with planar bodies made rigid ones: frames keep their places."""
        model = copy.deepcopy(model)
        del model["world"]

        def lift(item):
            if "position" in item:
                item["position"] = [*item["position"], 0][:3]
            return item

        for body in model["bodies"].values():
            lift(body).pop("velocity", None)
            if "mass" in body:
                body["inertia"] = [1, 1, 1]
        for joint in model["joints"].values():
            for side in "frame_a", "frame_b":
                lift(joint[side])
        for marker in model.get("markers", {}).values():
            lift(marker)
        return model

    def test_planar_loops_are_the_loops_in_space(self):
        """Euler's count: joints - moving bodies independent loops where all hangs together on ground. Beams, whose rows across
        the plane are hard in space, are left out."""
        texts = {p: p.read_text() for p in sorted((ROOT / "examples").glob("*.yaml"))}
        paths = [p for p, text in texts.items() if "world: planar" in text and "\nflexible:" not in text]
        loops = 0
        for path in [*paths, DEFECTS / "parallelogram_planar.yaml"]:
            with tempfile.TemporaryDirectory() as folder:
                plain = pathlib.Path(folder) / "plain.yaml"
                result = tenon("pose", path, "--plain", "--out", plain)
                self.assertEqual(result.returncode, 0, result.stderr)
                model = yaml.safe_load(plain.read_text())
            for key in "simulation", "record", "gravity", "measures", "loads":
                model.pop(key, None)
            for joint in model["joints"].values():
                joint.pop("range", None)
            planar, space = self.check_model(model), self.check_model(self.in_space(model))
            self.assertEqual(self.loops_of(planar), self.loops_of(space), path)
            self.assertLessEqual(planar["redundant"], space["redundant"], path)
            loops += len(planar["analysis"]["loops"])
        self.assertGreater(loops, 10)
        self.assertEqual(len(planar["analysis"]["loops"]), 2)
        self.assertEqual([len(loop["joints"]) for loop in planar["analysis"]["loops"]], [4, 4])

    def test_planar_loop_is_to_blame(self):
        """Four sliders in a rectangle hold the turn of their bodies three times where twice is enough."""
        model = {"tenon": 1, "world": "planar", "bodies": {
            name: {"position": at, "mass": 1, "inertia": 1} for name, at in (("a", [1, 0]), ("b", [1, 1]), ("c", [0, 1]))},
            "joints": {
                "g": {"type": "slider", "a": "a", "origin": [0, 0], "axis": [1, 0]},
                "ab": {"type": "slider", "a": "b", "b": "a", "origin": [1, 0], "axis": [0, 1]},
                "bc": {"type": "slider", "a": "c", "b": "b", "origin": [1, 1], "axis": [1, 0]},
                "h": {"type": "slider", "a": "c", "origin": [0, 1], "axis": [0, 1]}}}
        found = self.check_model(model)
        self.assertEqual((found["rank"], found["dof"], found["redundant"]), (7, 2, 1))
        self.assertEqual([row["loop"] for row in found["analysis"]["dependent_rows"]], [0])
        self.assertEqual(found["analysis"]["loops"][0]["redundant"], 1)

    def beam(self, compliance, **first):
        """A bar of four pieces between two walls, joined by `solid`; the first joint may be another."""
        names = ["ground", "a", "b", "c", "ground"]
        model = {"tenon": 1, "bodies": {}, "joints": {}}
        for k, name in enumerate("abc"):
            model["bodies"][name] = {"position": [0.25 * (k + 1), 0, 0], "mass": 1, "inertia": [0.01, 0.01, 0.01]}
        for k in range(4):
            a, b = (names[k + 1], names[k]) if k < 3 else (names[k], "ground")
            model["joints"][f"s{k}"] = {"type": "solid", "a": a, "b": b, "origin": [0.25 * k + 0.125, 0, 0],
                                        "compliance": compliance}
        model["joints"]["s0"] = {"type": "hinge", "a": "a", "origin": [0, 0, 0], "axis": [0, 1, 0], **first}
        return model

    def test_what_yields_repeats_nothing(self):
        """Three bodies on one hinge, 18 - 5 freedoms; rigid, the wall at the end repeats 5 of its rows."""
        for stiffer in (1.0, 1e-6, 1e-12):
            model = self.beam([stiffer * 1e-6] * 6)
            found = self.check_model(model)
            self.assertEqual((found["rows"], found["redundant"], found["dof"]), (5, 0, 13))
            rigid = found["analysis"]["rigid"]
            self.assertEqual((rigid["rows"], rigid["redundant"], rigid["dof"]), (23, 5, 0))
            self.assertEqual(rigid["unique_by_compliance_of"], ["s1", "s2", "s3"])
            self.assertEqual(len(rigid["dependent_rows"]), 5)
            self.assertEqual(found["analysis"]["indeterminate"], [])
        self.assertEqual(self.check_model(self.beam([0] * 6))["redundant"], 5)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            path.write_text(json.dumps(model))
            said = tenon("check", path).stdout
            self.assertIn("degrees of freedom  13 (0 with all parts rigid)", said)
            self.assertIn("With all parts rigid 5 rows would repeat others: ", said)
            self.assertIn("Made unique by the compliance of s1, s2, s3.", said)
            self.assertNotIn("Smallest change", said)

    def test_what_yields_can_be_driven(self):
        """A motion of the hinge bends the bar; hard, the bar leaves it none."""
        drive = {"theta": {"position": {"step": [0, 0, 1, 1e-3]}}}
        for compliance, code in ((1e-6, 0), (1e-12, 0), (0, 1)):
            model = self.beam([compliance] * 6, drive=drive)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.json"
                path.write_text(json.dumps(model))
                result = tenon("check", path)
                self.assertEqual(result.returncode == 0, code == 0, result.stderr)
                self.assertEqual("no freedom left" in result.stderr, code != 0)

    def test_smallest_change_adds_no_freedom(self):
        """Eight spokes: 8 rings as point_line end 24 rows; without the slide there would be a freedom more."""
        found = self.check(DEFECTS / "umbrella.yaml")["analysis"]
        self.assertEqual(found["redundant"], 24)
        self.assertEqual({(c["joint"], c["type"]) for c in found["changes"]},
                         {(f"spoke[{k}].ring", "point_line") for k in range(8)})
        self.assertEqual((found["change_freedom"], found["change_complete"]), (0, 1))
        said = tenon("check", DEFECTS / "umbrella.yaml").stdout
        self.assertEqual(said.count("  Loop "), 1)
        self.assertIn("So do 7 more loops of the same joints, at spoke[1].ring, spoke[2].ring", said)
        changed = (DEFECTS / "umbrella.yaml").read_text().replace("ring: {type: hinge", "ring: {type: point_line")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(changed)
            found = self.check(path)
            self.assertEqual((found["redundant"], found["dof"]), (0, 1))

    def test_ranks_nearby_are_at_most_the_velocities(self):
        for name in ("miura_flat_rank_beyond_velocities", "change_said_complete"):
            found = self.check(DEFECTS / f"{name}.json")
            analysis = found["analysis"]
            self.assertLessEqual(analysis["generic_rank"], found["velocities"])
            self.assertGreaterEqual(analysis["freedoms"], 0)
            self.assertEqual(analysis["permanent"] + analysis["momentary"], analysis["redundant"])

    def test_change_is_counted_again(self):
        """The model changed as proposed has 2 rows that repeat others, one of them at this pose only."""
        found = self.check(DEFECTS / "change_said_complete.json")["analysis"]
        self.assertEqual(found["change_complete"], 0)
        said = tenon("check", DEFECTS / "change_said_complete.json").stdout
        self.assertIn("Changes that end part of it", said)
        self.assertNotIn("Motion is unaffected", said)  # there is none: rigid to second order

    def test_nothing_moves_is_not_unaffected(self):
        said = tenon("check", DEFECTS / "taut_toggle.json").stdout
        self.assertIn("none is left to second order", said)
        self.assertNotIn("Motion is unaffected", said)


if __name__ == "__main__":
    unittest.main()
