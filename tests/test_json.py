#!/usr/bin/env python3
"""Every JSON that the tool writes: no key stands twice in an object, where readers take the last without a word.

TENON names the program; the examples of the project are the input.
"""
import json
import struct
import tempfile
import unittest
import pathlib

from test_examples import ROOT
from test_tool import tenon

EXAMPLES = ROOT / "examples"
# One of each kind of what reports tell of: loops, events, measures, a joint that breaks, couplings, a plane.
MODELS = ["four_bar_hard.yaml", "ragdoll.yaml", "motor_press.yaml", "clock_train.yaml", "planar_crank.yaml", "truck.yaml",
          "winding_stop.yaml"]
LOOSE = """tenon: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {h: {type: hinge, a: a, origin: [1, 0, 0], axis: [0, 1, 0], break_force: 12}, h2: {type: brr, a: a}}
"""


def no_twins(pairs):
    keys = [key for key, _ in pairs]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise AssertionError(f"keys that stand twice in an object: {twice}")
    return dict(pairs)


def read(text):
    return json.loads(text, object_pairs_hook=no_twins)


class Json(unittest.TestCase):
    def test_reports(self):
        for name in MODELS:
            for options in (["--accuracy", "1e-7"], ["--audit"], ["--integrator", "generalized_alpha", "--step", "1e-3"]):
                with self.subTest(name, options=options):
                    report = read(tenon("run", EXAMPLES / name, "--time", "0.02", "--quiet", "--report", "-", *options).stdout)
                    controlled = report["integrator"] in ("auto", "dormand_prince")
                    self.assertEqual(report["accuracy"]["verdict"], "within" if controlled else "balances")
                    if "--accuracy" in options:
                        self.assertEqual(report["relative_accuracy"], 1e-7)

    def test_report_of_what_was_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.yaml")
            path.write_text(LOOSE)
            self.assertEqual(read(tenon("run", path, "--quiet", "--report", "-").stdout)["status"], "input")

    def test_what_is_said_of_models(self):
        for name in MODELS:
            for command in (["check", "--json"], ["inspect"], ["parameters", "--json"]):
                with self.subTest(name, command=command):
                    read(tenon(*command, EXAMPLES / name).stdout)
        read(tenon("schema").stdout)

    def test_head_of_films(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "film.glb")
            tenon("run", EXAMPLES / "planar_crank.yaml", "--time", "0.05", "--quiet", "--gltf", path)
            data = path.read_bytes()
            size, kind = struct.unpack_from("<I4s", data, 12)
            self.assertEqual(kind, b"JSON")
            read(data[20:20 + size].decode())


if __name__ == "__main__":
    unittest.main()
