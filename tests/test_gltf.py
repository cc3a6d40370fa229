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
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    flat = struct.unpack_from(f"<{width * accessor['count']}f", binary, view["byteOffset"])
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
