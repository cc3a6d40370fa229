#!/usr/bin/env python3
"""`tenon run --gltf`: the file is what glTF 2.0 says, and what is in it is the mechanism.

The Khronos validator judges it too where the page's parts are built (tests/page). TENON names the program.
"""
import csv
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))

# 3 L-shaped extrusion, a box, a sphere, a capsule and a mesh: volumes by closed form
MODEL = """
tenon: 1
name: "shapes <&> \\"x\\""
gravity: [0, 0, -9.81]
bodies:
  ell: {position: [0, 0, 0], density: 1, shapes: [extrusion: {height: 0.5, points: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]]}]}
  "box \\"1\\"": {position: [5, 0, 1], velocity: {linear: [1, 0, 2]}, density: 1, shapes: [box: {size: [1, 2, 3]}]}
  ball: {position: [0, 9, 0], density: 1, shapes: [sphere: {radius: 1.5}]}
  pill: {position: [0, 0, 7], density: 1, shapes: [capsule: {radius: 0.5, length: 2}]}
  point: {kind: particle, mass: 1, position: [3, 3, 3]}
simulation: {step: 0.01, duration: 0.2}
record: {every: 0.05}
"""
VOLUMES = {"ell": (2.0, 1e-6), 'box "1"': (6.0, 1e-6), "ball": (14.1372, 0.03), "pill": (2.0944, 0.03)}


# a rubber bar that falls onto one end: free nodes, nodes of a rigid hold, nodes that stay; a body between two joints shows nothing
RUBBER = """
tenon: 1
gravity: [0, -9.81, 0]
materials: {rubber: {density: 1000, young: 1e5, poisson: 0.45, law: neo_hookean, damping: 5 ms}}
flexible:
  bar:
    solid: {grid: {size: [0.4, 0.1, 0.1], cells: [4, 2, 2], element: hex8}, holds: {root: {set: x_min, as: fixed}, tip: {set: x_max}}}
    material: rubber
bodies: {weight: {position: [0.4, 0.05, 0.05], mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], shapes: [box: {size: [0.02, 0.1, 0.1]}]}}
joints: {weld: {type: solid, a: weight, b: bar.tip, origin: [0.4, 0.05, 0.05]}}
draw: {up: z}
simulation: {integrator: generalized_alpha, step: 0.01, duration: 0.2}
record: {every: 0.1}
"""


def multiply(a, b):
    """4 x 4 matrices by columns."""
    return [sum(a[4 * k + i] * b[4 * j + k] for k in range(4)) for j in range(4) for i in range(4)]


def matrix_of(p, q):
    x, y, z, w = q
    return [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
            2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
            2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, *p, 1]


def read(path):
    """The JSON part and the binary part."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON"), "head"
    size_2, kind_2 = struct.unpack_from("<I4s", data, 20 + size)
    assert kind_2 == b"BIN\0" and 28 + size + size_2 == len(data), "binary part"
    return json.loads(data[20:20 + size]), data[28 + size:]


def numbers(document, binary, index):
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    kind = {5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
    flat = struct.unpack_from(f"<{width * accessor['count']}{kind}", binary, view["byteOffset"])
    return [flat[i:i + width] for i in range(0, len(flat), width)]


def volume(points):
    """Of a closed surface of triangles that run counter-clockwise seen from outside."""
    total = 0.0
    for a, b, c in zip(points[::3], points[1::3], points[2::3]):
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                  + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


class GltfTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        model = self.folder / "model.yaml"
        model.write_text(MODEL, encoding="utf-8")
        self.run_tenon("run", model, "--gltf", self.folder / "m.glb", "--csv", self.folder / "m.csv")
        self.document, self.binary = read(self.folder / "m.glb")

    def run_tenon(self, *arguments):
        run = subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def test_shapes_enclose_their_volumes(self):
        nodes = self.document["nodes"]
        for name, (wanted, tolerance) in VOLUMES.items():
            node = next(node for node in nodes if node.get("name") == name)
            inside = 0.0
            for child in node["children"]:
                mesh = self.document["meshes"][nodes[child]["mesh"]]
                points = numbers(self.document, self.binary, mesh["primitives"][0]["attributes"]["POSITION"])
                inside += volume(points)
            self.assertAlmostEqual(inside / wanted, 1.0, delta=tolerance, msg=name)

    def test_the_animation_is_the_motion(self):
        with open(self.folder / "m.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        animation = self.document["animations"][0]
        times = numbers(self.document, self.binary, animation["samplers"][0]["input"])
        self.assertEqual(len(times), len(rows))
        compared = 0
        for channel in animation["channels"]:
            name = self.document["nodes"][channel["target"]["node"]]["name"]
            values = numbers(self.document, self.binary, animation["samplers"][channel["sampler"]]["output"])
            keys = {"translation": ("px", "py", "pz"), "rotation": ("qx", "qy", "qz", "qw")}[channel["target"]["path"]]
            for row, time, value in zip(rows, times, values):
                self.assertAlmostEqual(time[0], float(row["t"]), delta=1e-6)
                if all(f"{name}.{key}" in row for key in keys):
                    for key, number in zip(keys, value):
                        self.assertAlmostEqual(number, float(row[f"{name}.{key}"]), delta=1e-5)
                        compared += 1
        self.assertGreater(compared, 4 * len(rows) * 3)

    def test_solids_are_skins(self):
        """At each frame the skinned vertices are the surface nodes of the solid, turned so that y is up."""
        model = self.folder / "rubber.yaml"
        model.write_text(RUBBER, encoding="utf-8")
        self.run_tenon("run", model, "--gltf", self.folder / "r.glb")
        document, binary = read(self.folder / "r.glb")
        nodes, (skin,), animation = document["nodes"], document["skins"], document["animations"][0]
        where = next(i for i, node in enumerate(nodes) if "skin" in node)
        self.assertEqual(nodes[where], {"name": "bar", "mesh": nodes[where]["mesh"], "skin": 0})
        self.assertEqual(document["scenes"][0]["nodes"], [0, where])
        primitive = document["meshes"][nodes[where]["mesh"]]["primitives"][0]
        places, joints, weights = (numbers(document, binary, primitive["attributes"][name])
                                   for name in ("POSITION", "JOINTS_0", "WEIGHTS_0"))
        inverse = numbers(document, binary, skin["inverseBindMatrices"])
        corners = [int(i) for (i,) in numbers(document, binary, primitive["indices"])]
        self.assertAlmostEqual(volume([places[i] for i in corners]), 0.4 * 0.1 * 0.1, delta=1e-8)
        self.assertEqual(set(weights), {(1.0, 0.0, 0.0, 0.0)})
        # 5 x 3 x 3 nodes: 9 stay with the world, 9 with the hold, the 24 others of the surface are joints of their own
        self.assertEqual((len(places), len(skin["joints"])), (42, 26))
        self.assertEqual({node["name"] for node in nodes if "name" in node and "mesh" not in node}
                         - {f"bar[{i}]" for i in range(45)}, {"mechanism", "bar.tip", "weight"})
        for frame, time in enumerate((0.0, 0.1, 0.2)):
            with self.subTest(time):
                pose = {0: ([0, 0, 0], nodes[0]["rotation"])}
                for channel in animation["channels"]:
                    sampler = animation["samplers"][channel["sampler"]]
                    node, value = channel["target"]["node"], numbers(document, binary, sampler["output"])[frame]
                    p, q = pose.get(node, ([0, 0, 0], [0, 0, 0, 1]))
                    pose[node] = (value, q) if channel["target"]["path"] == "translation" else (p, value)
                world = matrix_of(*pose[0])
                moves = [multiply(multiply(world, matrix_of(*pose[node])) if node else world, inverse[k])
                         for k, node in enumerate(skin["joints"])]
                skinned = sorted(tuple(sum(m[4 * k + i] * (*at, 1)[k] for k in range(4)) for i in range(3))
                                 for at, m in ((at, moves[int(joint[0])]) for at, joint in zip(places, joints)))
                self.run_tenon("draw", model, "--time", str(time), "--vtu", self.folder / "at", "--svg", self.folder / "at.svg")
                text = (self.folder / "at.bar.vtu").read_text(encoding="utf-8")
                flat = [float(x) for x in re.search(r'Name="Points"[^>]*>([^<]*)<', text).group(1).split()]
                wanted = [(x, z, -y) for x, y, z in zip(flat[::3], flat[1::3], flat[2::3])]
                for at in skinned:
                    self.assertLess(min(max(abs(a - b) for a, b in zip(at, one)) for one in wanted), 1e-6)

    def test_y_is_up(self):
        """The root turns z into y."""
        x, y, z, w = self.document["nodes"][0]["rotation"]
        up = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        for got, wanted in zip(up, (0, 1, 0)):
            self.assertAlmostEqual(got, wanted, delta=1e-6)

    def test_what_a_model_calls_up_is_y(self):
        """As it says, or guessed from gravity; pictures of `tenon draw` have it upright too."""
        for gravity, said, axis in (([0, 0, -9.81], "", 2), ([0, -9.81, 0], "", 1), ([-9.81, 0, 0], "", 0), ([0, 0, 0], "", 2),
                                    ([0, 0, -9.81], "draw: {up: y}", 1), ([0, -9.81, 0], "draw: {up: x}", 0),
                                    ([0, -9.81, 0], "draw: {up: from_gravity}", 1)):
            with self.subTest(gravity=gravity, said=said), tempfile.TemporaryDirectory() as folder:
                model, film = pathlib.Path(folder) / "m.yaml", pathlib.Path(folder) / "m.glb"
                tall = [0.1, 0.1, 0.1]
                tall[axis] = 2.0
                model.write_text(f"tenon: 1\ngravity: {gravity}\n{said}\nbodies: {{a: {{density: 1, shapes: "
                                 f"[box: {{size: {tall}}}]}}}}\nsimulation: {{duration: 0.01}}\n", encoding="utf-8")
                done = subprocess.run([TENON, "run", model, "--gltf", film, "--quiet"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                x, y, z, w = read(film)[0]["nodes"][0].get("rotation", (0, 0, 0, 1))
                turned = [(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
                          (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
                          (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))][axis]
                self.assertLess(max(abs(a - b) for a, b in zip(turned, (0, 1, 0))), 1e-8)
                svg = subprocess.run([TENON, "draw", model, "--plain", "--svg", "-"], capture_output=True, text=True).stdout
                faces = svg.split('class="faces"')[1].split("</g>")[0]
                points = [tuple(map(float, p)) for p in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", faces)]
                self.assertTrue(points, svg[:500])
                wide, high = (max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))
                self.assertGreater(high, 4 * wide)

    def test_bounds_hold(self):
        for index, accessor in enumerate(self.document["accessors"]):
            if "min" in accessor:
                columns = list(zip(*numbers(self.document, self.binary, index)))
                self.assertEqual([round(min(c), 6) for c in columns], [round(x, 6) for x in accessor["min"]])
                self.assertEqual([round(max(c), 6) for c in columns], [round(x, 6) for x in accessor["max"]])

    def test_a_place_that_cannot_be_written(self):
        run = subprocess.run([TENON, "run", self.folder / "model.yaml", "--gltf", self.folder / "no" / "m.glb"],
                             capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(run.returncode, 1)
        self.assertIn("m.glb", run.stderr)


if __name__ == "__main__":
    unittest.main()
