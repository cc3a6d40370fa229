#!/usr/bin/env python3
"""Parts, instances, repetitions and included files: where things end up and what they are called.

TENON names the program. What is wrong with them is in test_language_mistakes.py.
"""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

from test_examples import TENON, read

HEAD = "tenon: 1\n"


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def tenon(self, *arguments):
        done = subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def model(self, text, *settings):
        """The model as it is written out in full."""
        path = self.write("model.yaml", HEAD + text)
        out = self.folder / "written.yaml"
        self.tenon("pose", path, "--plain", "--out", out, *settings)
        return yaml.safe_load(out.read_text(encoding="utf-8"))

    def frames(self, text, *options):
        path = self.write("run.yaml", HEAD + text)
        csv = self.folder / "run.csv"
        self.tenon("run", path, "--csv", csv, *options)
        return read(csv)

    def test_names_are_paths(self):
        made = self.model("""
parts:
  wheel: {bodies: {rim: {mass: 1, inertia: [1, 1, 1]}}}
  axle:
    bodies: {shaft: {mass: 2, inertia: [1, 1, 1]}}
    instances: {wheel: {part: wheel, repeat: 2}}
    joints: {hub: {repeat: {k: 2}, type: solid, a: "wheel[k].rim", b: shaft, origin: [0, 0, 0]}}
bodies: {box: {mass: 3, inertia: [1, 1, 1]}}
instances:
  front: {part: axle}
  rear: {part: axle, repeat: [1, 2]}
joints:
  bearing: {type: hinge, a: front.shaft, b: box, origin: [0, 0, 0], axis: [0, 1, 0]}
  other: {type: hinge, a: "rear[1].shaft", b: box, origin: [0, 0, 0], axis: [0, 1, 0]}
""")
        self.assertEqual(list(made["bodies"]), [
            "box", "front.shaft", "front.wheel[0].rim", "front.wheel[1].rim", "rear[1].shaft", "rear[1].wheel[0].rim",
            "rear[1].wheel[1].rim", "rear[2].shaft", "rear[2].wheel[0].rim", "rear[2].wheel[1].rim"])
        self.assertEqual(made["joints"]["rear[2].hub[1]"]["a"], "rear[2].wheel[1].rim")
        self.assertEqual(made["joints"]["rear[2].hub[1]"]["b"], "rear[2].shaft")
        self.assertEqual(made["joints"]["other"]["a"], "rear[1].shaft")

    def test_own_names_hide_outer_ones(self):
        made = self.model("""
parameters: {mass: 5}
parts:
  a:
    parameters: {mass: 7}
    bodies: {bar: {mass: =mass, inertia: [1, 1, 1]}}
    joints: {to_own: {type: solid, a: bar, origin: [0, 0, 0]}, to_outer: {type: solid, a: bar, b: base, origin: [0, 0, 0]}}
bodies: {bar: {mass: =mass, inertia: [1, 1, 1]}, base: {mass: 1, inertia: [1, 1, 1]}}
instances: {one: {part: a}, two: {part: a, parameters: {mass: =mass + 1}}}
""")
        masses = {name: body["mass"] for name, body in made["bodies"].items()}
        self.assertEqual(masses, {"bar": 5, "base": 1, "one.bar": 7, "two.bar": 6})
        self.assertEqual(made["joints"]["two.to_outer"]["b"], "base")
        self.assertEqual(made["joints"]["two.to_own"]["a"], "two.bar")

    def test_index_everywhere(self):
        made = self.model("""
parameters: {n: 3}
materials: {m: {repeat: =n, density: =1000*(index + 1)}}
bodies:
  bar:
    repeat: {k: [1, =n]}
    material: m[k-1]
    shapes: [{repeat: {i: =k}, box: {size: [1, 1, 1]}, position: [=i, =k, 0]}]
markers: {tip: {repeat: {j: [2, 3]}, body: "bar[j]", position: [=j, 0, 0]}, none: {repeat: 0, body: "bar[j]"}}
""")
        self.assertEqual([len(made["bodies"][f"bar[{k}]"]["shapes"]) for k in (1, 2, 3)], [1, 2, 3])
        self.assertEqual([made["bodies"][f"bar[{k}]"]["density"] for k in (1, 2, 3)], [1000, 2000, 3000])
        self.assertEqual(made["bodies"]["bar[3]"]["shapes"][2]["position"], [2, 3, 0])
        self.assertEqual({name: marker["body"] for name, marker in made["markers"].items()},
                         {"tip[2]": "bar[2]", "tip[3]": "bar[3]"})

    LIMB = """
    bodies:
      one: {position: [0.1, 0.2, 0.3], rpy: [0.1, 0.2, 0.3], mass: 1, inertia: [0.1, 0.2, 0.25],
            velocity: {linear: [0.1, 0, 0.2], angular: [0.3, 0, 0.1]}}
      two: {position: [0.5, 0.2, 0.1], mass: 2, inertia: [0.2, 0.2, 0.3]}
      three: {position: [0.9, 0.1, 0], rpy: [0.3, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
      four: {position: [1.2, 0, 0.2], mass: 1, inertia: [0.1, 0.1, 0.1]}
      five: {position: [1.5, 0, 0.2], mass: 1, inertia: [0.1, 0.1, 0.1]}
      six: {position: [0, 1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
      seven: {position: [0, 2, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
    joints:
      axis: {type: universal, a: one, origin: [0, 0.1, 0], axis: [0.3, 1, 0.2]}
      two_axes: {type: universal, a: two, b: one, origin: [0.3, 0.2, 0.1], axis: [0, 0, 1], y_axis: [1, 1, 0]}
      frame: {type: cylindrical, a: three, b: two, frame: {position: [0.7, 0, 0], rpy: [0.4, 0.1, 0]}}
      origin: {type: gimbal, a: four, b: three, origin: [1, 0.1, 0]}
      frames: {type: universal, a: five, b: four, frame_c: {position: [1.4, 0, 0], rpy: [0.1, 0, 0]},
               frame_d: {position: [1.4, 0, 0]}}
      ground: {type: planar, a: six, frame_a: {position: [0, 0.1, 0]}, frame_b: {position: [0, 1.1, 0], rpy: [0, 0.2, 0]}}
      free: {type: free, a: seven, origin: [0, 2, 0.5]}
    couplings:
      rope: {rope_over_pulleys: {a: six, end_a: [0, 1, 0], pulley_a: [0, 1, 2], b: seven, end_b: [0, 2, 0],
             pulley_b: [0, 2, 2]}}
    markers:
      tip: {body: five, position: [0.1, 0, 0]}
      post: {body: ground, position: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}
"""
    RUN = """
simulation: {step: 1.0e-3, duration: 0.2}
record: {every: 0.02, what: [coordinates, markers, energy]}
"""

    def test_placed_instances_move_alike(self):
        """All that stands in a part turns with it: a turned part under turned gravity moves like the part itself."""
        limb = "\n".join(line[4:] for line in self.LIMB.splitlines())
        plain = self.frames("gravity: [1, 2, -9]\n" + limb + self.RUN)
        turn = (0.4, -0.7, 1.1)
        matrix = rotation(*turn)
        gravity = multiply(matrix, (1, 2, -9))
        placed = self.frames(f"gravity: {gravity}\nparts:\n  limb:\n" + self.LIMB +
                             f"instances: {{x: {{part: limb, position: [3, -2, 1], rpy: {list(turn)}}}}}\n" + self.RUN)
        self.assertEqual(len(plain), 11)
        for a, b in zip(plain, placed):
            self.assertEqual(len(a), len(b))
            for name, value in a.items():
                if name == "t" or name.startswith(("energy.kinetic", "energy.elastic")):
                    self.assertAlmostEqual(b[name], value, delta=1e-9)
                elif name.split(".")[0] in ("tip", "post"):
                    point = [a[f"{name.split('.')[0]}.{axis}"] for axis in "xyz"]
                    there = multiply(matrix, point)["xyz".index(name[-1])] + (3, -2, 1)["xyz".index(name[-1])]
                    self.assertAlmostEqual(b[f"x.{name}"], there, delta=1e-9, msg=name)
                elif not name.startswith("energy"):
                    self.assertAlmostEqual(b[f"x.{name}"], value, delta=1e-9, msg=name)

    def test_placed_by_a_joint(self):
        """The part goes where frame_a, turned by the coordinate, meets frame_b; what it is hung on stays."""
        made = self.model("""
parts:
  leg:
    bodies: {bone: {mass: 1, inertia: [0.01, 0.01, 0.01]}, foot: {mass: 0.2, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.3]}}
    joints: {ankle: {type: hinge, a: foot, b: bone, origin: [0, 0, -0.3], axis: [0, 1, 0]}}
bodies: {trunk: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 2]}}
instances: {leg: {part: leg, repeat: {k: 2}}}
joints:
  hip: {repeat: {k: 2}, type: hinge, a: "leg[k].bone", b: trunk, set: {theta: =30 deg}, frame_b: {position: [=0.4 - 0.8*k, 0, 0]},
      frame_a: {position: [0.1, 0, 0.15]}}
""")
        self.assertEqual(made["bodies"]["trunk"]["position"], [0, 0, 2])
        c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
        for k in (0, 1):
            bone = [0.4 - 0.8 * k - 0.1 * c, -0.1 * s, 2 - 0.15]  # the hinge turns about z
            for name, below in (("bone", 0), ("foot", 0.3)):
                place = made["bodies"][f"leg[{k}].{name}"]["position"]
                for got, want in zip(place, (bone[0], bone[1], bone[2] - below)):
                    self.assertAlmostEqual(got, want, delta=1e-14)

    def test_nested_places_multiply(self):
        made = self.model("""
angle: deg
parts:
  inner: {bodies: {dot: {position: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}}
  outer: {instances: {i: {part: inner, position: [0, 2, 0], rpy: [90, 0, 0]}}}
instances: {o: {part: outer, position: [10, 0, 0], rpy: [90, 0, 0]}}
""")
        for found, wanted in zip(made["bodies"]["o.i.dot"]["position"], [10 - 2 - 1, 0, 0]):
            self.assertAlmostEqual(found, wanted, delta=1e-12)

    def test_planar_instances(self):
        made = self.model("""
world: planar
parts: {p: {bodies: {dot: {position: [1, 0], mass: 1, inertia: 1}}}}
instances: {o: {part: p, repeat: 2, position: [=index, 3], angle: 90 deg}}
""")
        self.assertAlmostEqual(made["bodies"]["o[1]"  + ".dot"]["position"][0], 1, delta=1e-12)
        self.assertAlmostEqual(made["bodies"]["o[1].dot"]["position"][1], 4, delta=1e-12)
        self.assertAlmostEqual(made["bodies"]["o[1].dot"]["angle"], math.pi / 2, delta=1e-12)

    def test_includes(self):
        """Sections are added, a file counts in its own unit of angle, its own folder comes first."""
        self.write("lib/leg.yaml", HEAD + "angle: deg\nname: a leg\ngravity: [0, 0, 0]\nparameters: {tilt: 90, size: 2}\n"
                   "include: deep/foot.yaml\nbodies: {bone: {mass: =size, inertia: [1, 1, 1], rpy: [=tilt, 0, 0]}}\n"
                   "simulation: {duration: 77}\n")
        self.write("lib/deep/foot.yaml", "bodies: {foot: {mass: 4, inertia: [1, 1, 1], rpy: [1, 0, 0]}}\n")
        self.write("materials.yaml", HEAD + "materials: {steel: {density: 7850}}\nparameters: {a: 1, b: =2*a}\n")
        made = self.model("""
include: [materials.yaml]
parameters: {a: 10}
parts: {leg: {include: lib/leg.yaml}}
bodies: {block: {material: steel, shapes: [box: {size: [1, 1, 1]}], rpy: [1, 0, 0], position: [=b, 0, 0]}}
instances: {l: {part: leg, parameters: {size: 3}}, r: {part: leg}}
""")
        self.assertEqual(made["bodies"]["l.bone"]["mass"], 3)
        self.assertEqual(made["bodies"]["r.bone"]["mass"], 2)
        self.assertAlmostEqual(made["bodies"]["l.bone"]["quaternion"][3], math.sin(math.pi / 4), delta=1e-15)
        self.assertAlmostEqual(made["bodies"]["block"]["quaternion"][3], math.sin(0.5), delta=1e-15)
        self.assertAlmostEqual(made["bodies"]["r.foot"]["quaternion"][3], math.sin(0.5), delta=1e-15)
        self.assertEqual(made["bodies"]["block"]["position"][0], 20)  # the model's own a
        self.assertNotIn("simulation", made)
        self.assertEqual(made.get("name"), None)

    def test_pages_hold_the_whole_model(self):
        """A page has no other files and no settings: it gets the model that came of them."""
        self.write("lib/leg.yaml", "parameters: {size: 2}\nbodies: {bone: {mass: =size, inertia: [1, 1, 1]}}\n")
        path = self.write("model.yaml", HEAD + "parameters: {size: 5}\nparts: {leg: {include: lib/leg.yaml}}\n"
                          "instances: {a: {part: leg, parameters: {size: =size}}}\n")
        page = self.folder / "page.html"
        for settings, mass in (((), 5), (("--set", "size=7.5"), 7.5)):
            self.tenon("view", path, "--out", page, *settings)
            text = page.read_text(encoding="utf-8")
            self.assertTrue("a.bone" in text)
            self.assertTrue(f"mass: {mass}\\u000a" in text, mass)

    def test_the_chain_of_files_is_told(self):
        self.write("lib/leg.yaml", "include: foot.yaml\n")
        self.write("lib/foot.yaml", "bodies:\n  foot: {mass: 4 m}\n")
        path = self.write("model.yaml", HEAD + "parts:\n  leg:\n    include: lib/leg.yaml\ninstances: {a: {part: leg, repeat: 9}}\n")
        done = subprocess.run([TENON, "check", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        lines = [line for line in done.stderr.splitlines() if not line.startswith(" ")]
        self.assertEqual([line.replace(str(self.folder), "") for line in lines], [
            "/lib/foot.yaml:2:16: error: body 'a[0].foot': 'mass' is in kg, '4 m' is a length",
            "/lib/leg.yaml:1:10: note: included here", "/model.yaml:4:14: note: included here"])

    def test_nothing_outside_is_read(self):
        secret = self.write("secret.yaml", "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n")
        inside = self.folder / "inside"
        inside.mkdir()
        os.symlink(secret, inside / "link.yaml")
        os.symlink(self.folder, inside / "up")
        os.mkfifo(inside / "pipe.yaml")
        (inside / "folder.yaml").mkdir()
        for name in ("../secret.yaml", str(secret), "link.yaml", "up/secret.yaml", "sub/../../secret.yaml", "pipe.yaml",
                     "folder.yaml", "./../secret.yaml", "/dev/zero", "none.yaml", ""):
            with self.subTest(name):
                model = self.write("inside/model.yaml", HEAD + f"include: {json.dumps(name)}\nbodies: {{}}\n")
                done = subprocess.run([TENON, "check", model], capture_output=True, text=True, check=False, timeout=20)
                self.assertEqual(done.returncode, 1)
                self.assertIn("inside/model.yaml:2:10: error: ", done.stderr)
                self.assertIn("cannot be included", done.stderr)
                model = self.write("inside/mesh.yaml",
                                   HEAD + "bodies:\n  a: {density: 1, shapes: [mesh: {file: "
                                   + json.dumps(name.replace(".yaml", ".stl")) + "}]}\n")
                done = subprocess.run([TENON, "check", model], capture_output=True, text=True, check=False, timeout=20)
                self.assertEqual(done.returncode, 1)
                self.assertIn("inside/mesh.yaml:3:", done.stderr)

    def test_lists(self):
        """Lists and vectors by index: weights held by sliders that push back with the springs of a list."""
        text = """parameters:
  place: [0.1, 0.4, 0.2, 0.7]
  heavy: [1 kg, 250 g, 3 kg, 0.5 kg]
  pin: [[0, 1, 0], [0, 2, 3], "=[place[3], 0, 1]"]
  axis: [0, 0, 1]
  order: [2, 0, 1, 3]
bodies:
  w: {repeat: {k: 4}, position: ["=place[k]", "=pin[k % 3].y*1 m", "=pin[2][0]*axis[2]*1 m"], mass: "=heavy[k]", inertia: [1, 1, 1]}
joints:
  s: {repeat: {k: 4}, type: slider, a: "w[order[k]]", origin: "=[place[order[k]], 0, 0]*1 m", axis: =axis}
measures:
  a: {repeat: {k: 4}, coordinate: "s[k].z", quantity: acceleration}
  push: {repeat: {k: 4}, formula: "=a[k]*heavy[order[k]]"}
  last: "=a[order[0] + 1]*pin[1][2]*axis[2] + 0*s[order[0]].z.speed*1 Hz"
simulation: {duration: 0.01, step: 0.01}
"""
        row = self.frames(text)[0]
        place, heavy, order = (0.1, 0.4, 0.2, 0.7), (1.0, 0.25, 3.0, 0.5), (2, 0, 1, 3)
        for k in range(4):
            self.assertEqual(row[f"w[{k}].px"], place[k])
            self.assertEqual(row[f"w[{k}].py"], (1, 2, 0)[k % 3])
            self.assertEqual(row[f"w[{k}].pz"], 0.7)
            self.assertAlmostEqual(row[f"push[{k}]"], -9.81 * heavy[order[k]], 12)
        self.assertAlmostEqual(row["last"], -9.81 * 3, 12)

    def test_loads_and_measures_are_repeated(self):
        """Two pushed blocks: a = F/m = 2 m/s^2 and 4 m/s^2, told by measures of a repetition and a formula over two of them."""
        text = """tenon: 1
gravity: [0, 0, 0]
bodies: {block: {repeat: {k: 2}, position: [=k, 0, 0], mass: 1, inertia: [1, 1, 1]}}
markers: {m: {repeat: {k: 2}, body: "block[k]"}}
loads: {push: {repeat: {k: 2}, body: "block[k]", force: [=2*(k+1), 0, 0]}}
measures:
  v: {repeat: {k: 2}, marker: "m[k]", quantity: velocity, component: x}
  both: "=v[0] + v[1]"
simulation: {duration: 1}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(text)
            done = subprocess.run([TENON, "run", path, "--report", "-"], capture_output=True, text=True, check=True)
        measures = {name: m["max"] for name, m in json.loads(done.stdout)["measures"].items()}
        for name, value in (("v[0]", 2.0), ("v[1]", 4.0), ("both", 6.0)):
            self.assertAlmostEqual(measures[name], value, 9)

    def test_what_is_held_is_no_freedom(self):
        """A tie rod on a universal joint that cannot swing holds a suspension: what is left are two idle turns."""
        text = """tenon: 1
parameters: {mount: [0, 0.55, 0.55], ball: [0, 0.65, -0.15]}
bodies:
  arm: {position: [0, 0.45, -0.13], mass: 4, inertia: [0.1, 0.1, 0.1]}
  knuckle: {position: [0, 0.68, 0], mass: 25, inertia: [0.8, 0.8, 0.8]}
  rod: {position: =mount*1 m, mass: 3, inertia: [0.05, 0.05, 0.05]}
  tie: {position: [0.12, 0.48, -0.1], mass: 1, inertia: [0.02, 0.02, 0.02]}
joints:
  bush: {type: hinge, a: arm, origin: [0, 0.25, -0.11], axis: [1, 0, 0]}
  ball: {type: ball, a: knuckle, b: arm, origin: =ball*1 m}
  tube: {type: cylindrical, a: knuckle, b: rod, origin: =mount*1 m, axis: =mount - ball}
  top: {type: ball, a: rod, origin: =mount*1 m}
  outer: {type: ball, a: tie, b: knuckle, origin: [0.12, 0.65, -0.1]}
  inner: {type: universal, a: tie, origin: [0.12, 0.31, -0.09], axis: [0, 1, 0], x_axis: [1, 0, 0]}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(text)
            done = subprocess.run([TENON, "check", path], capture_output=True, text=True, check=True)
        self.assertIn("Freedom 1: tube.theta turns about", done.stdout)
        self.assertIn("Freedom 2: inner.roll turns about", done.stdout)
        self.assertNotIn("bush.theta", done.stdout)

    def test_limits(self):
        """A short text does not become a huge model: it is refused quickly and in words."""
        wide = "parts: {p0: {bodies: {b: {mass: 1, inertia: [1, 1, 1]}}}"
        for k in range(1, 12):
            wide += f", p{k}: {{instances: {{i: {{part: p{k - 1}, repeat: 10}}}}}}"
        cases = {
            "instances": (wide + "}\ninstances: {a: {part: p11}}\n", "at most 100000 instances"),
            "repeat": ("bodies: {a: {repeat: 1e9, mass: 1, inertia: [1, 1, 1]}}\n", "a whole number up to 100000"),
            "bodies of instances": (
                "parts: {p: {bodies: {b: {repeat: 100000, mass: 1, inertia: [1, 1, 1]}}}}\n"
                "instances: {x: {part: p, repeat: 100000}}\n", "the repetitions of this model are more than 2000000"),
            "shapes of bodies": (
                "bodies: {a: {repeat: 1000, mass: 1, inertia: [1, 1, 1], shapes: [{repeat: 100000, sphere: {radius: 1}}]}}\n",
                "the repetitions of this model are more than 2000000"),
            "aliases": ("bodies:\n  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
                f"  {chr(98 + k)}: &{chr(98 + k)} [{', '.join(['*' + chr(97 + k)] * 10)}]\n" for k in range(8)),
                "the aliases make too much"),
            "chain": ("parameters: {p0: 1, " + ", ".join(f"p{k}: =p{k - 1}" for k in range(500, 0, -1)) + "}\nbodies: {}\n",
                      "more than 100 parameters that each need the next one"),
        }
        for name, (text, message) in cases.items():
            with self.subTest(name):
                path = self.write("limit.yaml", HEAD + text)
                done = subprocess.run([TENON, "check", path], capture_output=True, text=True, check=False, timeout=30)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)


def rotation(roll, pitch, yaw):
    """Rz(roll) Ry(pitch) Rx(yaw)"""
    def about(axis, angle):
        c, s = math.cos(angle), math.sin(angle)
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        m = [[float(a == b) for b in range(3)] for a in range(3)]
        m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
        return m

    def product(a, b):
        return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return product(product(about(2, roll), about(1, pitch)), about(0, yaw))


def multiply(matrix, vector):
    return [sum(a * x for a, x in zip(row, vector)) for row in matrix]


if __name__ == "__main__":
    unittest.main()
