#!/usr/bin/env python3
"""tenon check: what is probably not meant, with its place; the freedoms in words, with ratios that closed
forms know.

TENON names the program.
"""
import math
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_examples import ROOT, TENON

BODY = "{mass: 1, inertia: [0.01, 0.01, 0.01]}"
HINGE = "type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]"
GRID = ("materials: {{m: {{density: 1000, young: 1e6, poisson: {poisson}}}}}\nflexible: {{s: {{solid: {{grid: {{size: [0.1, 0.1, 0.1], "
        "cells: [1, 1, 1], element: {element}}}, holds: {{b: {{set: z_min, as: fixed}}}}}}, material: m}}}}\n")

# what is odd: the model behind 'tenon: 1', place and beginning of the warning
CASES = {
    "marker": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}}}}}\nmarkers: {{m: {{body: a}}, n: {{body: a}}}}\n"
               "record: {markers: [n]}\n", "4:11: warning: nothing uses or records the marker 'm'"),
    "range in rad": (f"angle: deg\nbodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, range: {{theta: [-1.57, 1.57]}}}}}}\n",
                     "4:84: warning: joint 'h': a range up to 1.57 degrees: is it meant in rad?"),
    "range in degrees": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, range: {{theta: [-60, 90]}}}}}}\n",
                         "3:84: warning: joint 'h': a range up to 90 rad: is it meant in degrees?"),
    "far joint": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{type: hinge, a: a, origin: [50, 0, 0], axis: [0, 0, 1]}}}}\n",
                  "3:10: warning: joint 'h' is 408 times the size of body 'a' away from it"),
    "masses": (f"bodies: {{a: {BODY}, b: {{mass: 2e7, inertia: [0.01, 0.01, 0.01]}}}}\n"
               f"joints: {{h: {{{HINGE}}}, k: {{type: hinge, a: b, b: a, origin: [0, 0, 0], axis: [0, 1, 0]}}}}\n",
               "2:53: warning: the bodies' masses are decades apart: 2e+07 kg of 'b', 1 kg of 'a'"),
    "sizes": (f"bodies: {{a: {BODY}, b: {{mass: 1, inertia: [1e8, 1e8, 1e8]}}}}\n"
              f"joints: {{h: {{{HINGE}}}, k: {{type: hinge, a: b, b: a, origin: [0, 0, 0], axis: [0, 1, 0]}}}}\n",
              "2:53: warning: the bodies' radii of gyration are decades apart: 1.22e+04 m of 'b', 0.122 m of 'a'"),
    "lengths in mm": ("bodies: {a: {position: [300, 0, 0], density: 7850, shapes: [box: {size: [100, 20, 10]}]}}\n"
                      "joints: {h: {type: hinge, a: a, origin: [250, 0, 0], axis: [0, 0, 1]}}\n",
                      "2:10: warning: the lightest body, 'a', weighs 1.57e+08 kg: are its lengths meant in mm?"),
    "along nothing": ("world: planar\nbodies: {a: {mass: 1, inertia: 1}}\njoints: {h: {type: point_line, a: a, origin: [0, 0]}}\n",
                      "4:10: warning: joint 'h' (point_line) moves along nothing in the plane"),
    "held by nothing": (f"bodies: {{a: {BODY}, b: {BODY}}}\njoints: {{h: {{{HINGE}}}}}\n",
                        "2:53: warning: body 'b' is joined to nothing: it moves by itself"),
    "twice": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}}}, k: {{{HINGE}}}}}\n",
              "3:70: warning: joint 'k' does the same as joint 'h', at the same place"),
    "at a limit": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, range: {{theta: [0, 1]}}}}}}\n",
                   "3:10: warning: joint 'h': 'theta' starts at the lower end of its range, 0"),
    "coefficient": ("world: planar\nbodies: {a: {mass: 1, inertia: 1}}\njoints: {h: {type: pin, a: a, origin: [0, 0], "
                    "range: {y: [-1, .inf]}, friction: {x: {coefficient: 0.5}}}}\n",
                    "4:10: warning: the coefficient of friction of h.x does nothing: no constraint of a pin carries a force"),
    "hard and damped": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, damping: 5}}}}\n",
                        "3:78: warning: joint 'h': 'damping' does nothing: the joint is hard"),
    "hard row, ratio": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, compliance: [1e-3], damping_ratio: [1, 1]}}}}\n",
                        "3:104: warning: joint 'h': 'damping_ratio' does nothing: row fy is hard"),
    "nothing soft of a kind": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, linear_damping_ratio: 1, rotary_compliance: 1e-3}}}}\n",
                               "3:91: warning: joint 'h': 'linear_damping_ratio' does nothing: no row of the kind is soft"),
    "holds nothing": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{type: distance, a: a, frame_c: {{}}, frame_d: {{position: [0, 0, 1]}}, "
                      "stiffness: 1000}}\n", "3:92: warning: joint 'h': 'stiffness' does nothing: the joint holds nothing"),
    "row of nothing": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, compliance: [null, null, null, null, null, 1e-3]}}}}\n",
                       "3:81: warning: joint 'h': 'compliance' does nothing: nothing acts in row theta"),
    "undamped beam": ("flexible: {r: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}, section: {EA: 1e7, EI: 100, mass: 1}}}\n"
                      "joints: {h: {type: solid, a: r.start, origin: [0, 0, 0]}}\n",
                      "2:12: warning: nothing damps the beam 'r', which vibrates with up to 1.7e+03 Hz: a run with an accuracy takes long"),
    "few elements": ("flexible: {r: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 3}, section: {EA: 1e4, GA: 1e4, GJ: 1, EI: 1, mass: 1}, damping: 1 ms}}\n"
                     "joints: {h: {type: solid, a: r.start, origin: [0, 0, 0]}, k: {type: solid, a: r.end, "
                     "origin: [1, 0, 0]}}\n",
                     "2:12: warning: the beam 'r' has 3 elements between held ends: its deflections may be up to 44 % too small"),
    "one element": ("flexible: {r: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 1}, section: {EA: 1e4, EI: 1, mass: 1}, damping: 1 ms}}\n"
                    "joints: {h: {type: solid, a: r.start, origin: [0, 0, 0]}, k: {type: solid, a: r.end, origin: [1, 0, 0]}}\n",
                    "2:12: warning: the beam 'r' has 1 element between held ends: its deflections may be up to 100 % too small"),
    "tetrahedra that lock": (GRID.format(poisson=0.46, element="tet4"),
                             "3:12: warning: the solid 's' has a Poisson's ratio of 0.46: above 0.45 its elements (tet4) are too stiff"),
    "wedges that lock": (GRID.format(poisson=0.4999, element="wedge6"),
                         "3:12: warning: the solid 's' has a Poisson's ratio of 0.4999: above 0.45 its elements (wedge6) are too stiff"),
    "no limit": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, restitution: {{theta: 0.5}}}}}}\n",
                 "3:82: warning: joint 'h': 'restitution' does nothing: 'theta' has no limit to bounce at"),
    "no moment": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{type: rod, a: a, frame_c: {{}}, frame_d: {{position: [0, 0, 1]}}, "
                  "break_torque: 5}}\n", "3:90: warning: joint 'h': 'break_torque' does nothing: the joint carries no moment"),
    "no force": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{type: rotation_lock, a: a, origin: [0, 0, 0], break_force: 5}}}}\n",
                 "3:73: warning: joint 'h': 'break_force' does nothing: the joint carries no force"),
    "rotary rows left out": ("world: planar\nbodies: {a: {mass: 1, inertia: 1}}\njoints: {h: {type: hinge, a: a, origin: [0, 0], "
                             "rotary_compliance: 1e-3}}\n",
                             "4:68: warning: joint 'h': 'rotary_compliance' does nothing: no row of the kind acts"),
    "part of an effort": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}, drive: {{theta: {{position: {{sine: [1, 2, 0, 0]}}}}}}}}}}\n"
                          "measures: {m: {coordinate: h.theta, quantity: power, part: drive}, n: {coordinate: h.theta, "
                          "quantity: effort, part: motor}}\n", "4:68: warning: measure 'n' stays 0: h.theta has no part 'motor'"),
    "end of a table": (f"bodies: {{a: {BODY}}}\njoints: {{h: {{{HINGE}}}}}\nloads: {{f: {{body: a, force: "
                       "[0, {table: [[0, 1], [0.5, 2]], outside: refuse}, 0]}, g: {body: a, force: [0, {table: [[0, 1], [0.5, 2]]}, 0]}}\n",
                       "4:9: warning: the table of load 'f' ends at 0.5 s, the simulation at 1 s"),
    "material": (f"materials: {{steel: {{density: 7850}}}}\nbodies: {{a: {BODY}}}\n",
                 "2:13: warning: nothing is made of the material 'steel'"),
    "parameter": (f"parameters: {{length: 1 m}}\nbodies: {{a: {BODY}}}\n", "2:22: warning: nothing uses the parameter 'length'"),
    "part": (f"parts: {{leg: {{}}}}\nbodies: {{a: {BODY}}}\n", "2:9: warning: no instance makes the part 'leg'"),
}


def check(path, *options):
    return subprocess.run([TENON, "check", str(path), *options], capture_output=True, text=True, check=False)


def warnings(path, done):
    return [line.replace(f"{path}:", "", 1) for line in done.stderr.splitlines() if not line.startswith("    ")]


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "model.yaml"

    def write(self, text):
        self.path.write_text("tenon: 1\n" + text, encoding="utf-8")

    def test_findings(self):
        for name, (text, wanted) in CASES.items():
            with self.subTest(name):
                self.write(text)
                done = check(self.path)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(warnings(self.path, done), [wanted])
                self.assertEqual(check(self.path, "--werror").returncode, 1)

    def test_groups_without_rows(self):
        """Of a kind of row that the type never holds by, under the key that was written."""
        for joint, key in (("rod, a: a, frame_c: {}, frame_d: {position: [0, 0, 1]}, rotary_compliance: 1e-3", "rotary_compliance"),
                           ("point_plane, a: a, origin: [0, 0, 0], axis: [0, 0, 1], rotary_stiffness: 5", "rotary_stiffness"),
                           ("rotation_lock, a: a, origin: [0, 0, 0], linear_frequency: 3", "linear_frequency")):
            self.write(f"bodies: {{a: {BODY}}}\njoints: {{h: {{type: {joint}}}}}\n")
            told = warnings(self.path, check(self.path))
            self.assertRegex(told[0], rf"^3:\d+: warning: joint 'h': '{key}' does nothing: no row of the kind acts")
            self.assertEqual(int(told[0].split(":")[1]), len("joints: {h: {type: ") + joint.rindex(": ") + 3)

    def test_what_may_act_is_not_remarked(self):
        for joint in (f"{HINGE}, compliance: 1e-3, damping: 5, break_torque: 4, break_force: 3",
                      f"{HINGE}, compliance: 1e-3, damping: [5, null, 3]", f"{HINGE}, damping: 0",
                      f"{HINGE}, range: {{theta: [-1, 1]}}, restitution: {{theta: 0.5}}, compliance: [null, null, null, null, null, 1]",
                      "type: rope, a: a, frame_c: {}, frame_d: {position: [0, 0, 1]}, stiffness: 5, damping_ratio: 1",
                      "type: spherical_tilt, a: a, origin: [0, 0, 0], break_torque: 1, friction: {roll: {force: 1}}"):
            with self.subTest(joint):
                self.write(f"bodies: {{a: {BODY}}}\njoints: {{h: {{{joint}}}}}\n")
                self.assertEqual([line for line in warnings(self.path, check(self.path)) if "does nothing" in line], [])

    def test_beams_of_few_elements(self):
        """Nothing is said of enough elements, of ends that turn, and of what only hangs at an end."""
        for count, joint, body in ((4, "{type: solid, a: r.end, origin: [1, 0, 0]}", ""),
                                   (2, "{type: spherical, a: r.end, origin: [1, 0, 0]}", ""),
                                   (2, "{type: solid, a: load, b: r.end, origin: [1, 0, 0]}",
                                    "bodies: {load: {position: [1, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}}\n")):
            with self.subTest(joint, count=count):
                self.write(f"flexible: {{r: {{beam: {{from: [0, 0, 0], to: [1, 0, 0], elements: {count}}}, "
                           f"section: {{EA: 1e4, EI: 1, mass: 1}}, damping: 1 ms}}}}\n{body}"
                           f"joints: {{h: {{type: solid, a: r.start, origin: [0, 0, 0]}}, k: {joint}}}\n")
                self.assertEqual([line for line in warnings(self.path, check(self.path)) if "between held ends" in line], [])

    def test_solids_that_do_not_lock(self):
        for poisson, element in ((0.4999, "hex8"), (0.45, "tet4"), (0.4999, "hex20"), (0.4999, "hex27"), (0.4999, "tet10"), (0.4999, "wedge15")):
            with self.subTest(element):
                self.write(GRID.format(poisson=poisson, element=element))
                self.assertEqual(warnings(self.path, check(self.path)), [])

    def test_links_from_one_point_to_two_are_not_the_same(self):
        for kind in ("rod", "distance", "rope", "distance, spring: {length: {stiffness: 100}}"):
            for end, twice in (("[1, 0, 0]", False), ("[0, 0, 0]", True)):
                with self.subTest(kind, end=end):
                    one, two = (f"{{type: {kind}, a: a, frame_c: {{position: [0, 0, 1]}}, frame_d: {{position: {at}}}}}"
                                for at in ("[0, 0, 0]", end))
                    self.write(f"bodies: {{a: {{position: [0, 0, 1], mass: 1, inertia: [0.1, 0.1, 0.1]}}}}\n"
                               f"joints: {{l: {one}, d: {two}}}\n")
                    found = [line for line in warnings(self.path, check(self.path)) if "does the same" in line]
                    self.assertEqual(len(found), twice)

    def test_dead_point(self):
        """A slider-crank stretched out flat, its slider driven."""
        self.write("bodies: {crank: {position: [0.5, 0, 0], mass: 1, inertia: [1, 1, 1]}, rod: {position: [2, 0, 0], mass: 1, "
                   "inertia: [1, 1, 1]}, block: {position: [3, 0, 0], mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                   "  A: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
                   "  B: {type: hinge, a: rod, b: crank, origin: [1, 0, 0], axis: [0, 0, 1]}\n"
                   "  C: {type: hinge, a: block, b: rod, origin: [3, 0, 0], axis: [0, 0, 1]}\n"
                   "  S: {type: slider, a: block, origin: [3, 0, 0], axis: [1, 0, 0], locked: [z]}\n")
        done = check(self.path)
        self.assertIn("the model starts at a singular pose", done.stderr)

    def test_examples_are_as_they_are_meant(self):
        """No false alarm: the findings in examples are starts at limits, which their texts tell."""
        for path in sorted((ROOT / "examples").rglob("*.yaml")):
            if path.read_text().partition("study: 1")[1]:
                continue  # no model
            done = check(path)
            for line in warnings(path, done):
                with self.subTest(path.name):
                    self.assertRegex(line, "starts at the (lower|upper) end of its range|starts at a singular pose")

    def test_freedoms(self):
        """Gears by their ratio, a crank by the derivative of the slider's way."""
        self.write(f"bodies: {{a: {BODY}, b: {{position: [1, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}}}}\njoints:\n"
                   f"  one: {{{HINGE}}}\n  two: {{type: hinge, a: b, origin: [1, 0, 0], axis: [0, 0, 1]}}\n"
                   "couplings: {g: {gear: {a: one.theta, b: two.theta, ratio: -2/5}}}\n")
        self.assertIn("  Freedom 1: one.theta turns about z; with it two.theta (ratio -0.4).\n", check(self.path).stdout)
        crank, rod, angle = 0.3, 1.0, math.radians(50)
        x = crank * math.cos(angle)
        across = crank * math.sin(angle)
        end = x + math.sqrt(rod ** 2 - across ** 2)
        self.write(f"parameters: {{pin: [{x}, {across}, 0], end: [{end}, 0, 0]}}\n"
                   "bodies: {crank: {position: =pin/2, mass: 1, inertia: [1, 1, 1]}, rod: {position: =(pin+end)/2, mass: 1, "
                   "inertia: [1, 1, 1]}, block: {position: =end, mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                   "  A: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
                   "  B: {type: hinge, a: rod, b: crank, origin: =pin, axis: [0, 0, 1]}\n"
                   "  C: {type: hinge, a: block, b: rod, origin: =end, axis: [0, 0, 1]}\n"
                   "  S: {type: slider, a: block, origin: =end, axis: [1, 0, 0]}\n")
        ratio = float(re.search(r"S\.z \(ratio (\S+) m/rad\)", check(self.path).stdout).group(1))
        truth = -crank * math.sin(angle) * (1 + crank * math.cos(angle) / math.sqrt(rod ** 2 - across ** 2))
        self.assertAlmostEqual(ratio, truth, delta=1e-3)

    def test_freedoms_without_coordinates(self):
        """A rod has no coordinate: what swings on it is said to have none, not left out."""
        self.write("bodies: {a: {position: [0, 0, 1], mass: 1, inertia: [0.1, 0.1, 0.1]}}\njoints:\n"
                   "  l: {type: rod, a: a, frame_c: {position: [0, 0, 1]}, frame_d: {position: [0, 0, 0]}}\n")
        self.assertIn("Its freedoms are not described: no coordinate of a joint measures them.", check(self.path).stdout)
        self.write(f"bodies: {{a: {BODY}}}\njoints:\n  h: {{{HINGE}, locked: [theta]}}\n")
        self.assertNotIn("reedom", check(self.path).stdout.replace("degrees of freedom", ""))

    def test_freedoms_of_trees(self):
        told = check(ROOT / "examples" / "double_pendulum.yaml").stdout
        self.assertIn("  Freedom 1: shoulder.theta turns about y.\n  Freedom 2: elbow.theta turns about y.\n", told)


if __name__ == "__main__":
    unittest.main()
