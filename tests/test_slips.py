#!/usr/bin/env python3
"""Slips that were taken without a word, or told without their place, or not told at all.

TENON names the program.
"""
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

from test_files import is_sanitized

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))

HEAD = """tenon: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}
joints:
  p: {type: hinge, a: a, frame_a: {position: [-0.5, 0, 0]}, frame_b: {position: [0, 0, 0]}%s}
  q: {type: hinge, a: a, b: b, frame_a: {position: [0.5, 0, 0]}, frame_b: {position: [-0.5, 0, 0]}}
"""


class Slips(unittest.TestCase):
    def tell(self, text, *arguments, command="check", code=1):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.yaml"
            path.write_text(text, encoding="utf-8")
            done = subprocess.run([TENON, command, str(path), *arguments], capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
            return done.stderr.replace(str(path), "m.yaml")

    def test_sections_without_anything_in_them(self):
        for section, words in (("spring", "a spring"), ("motor", "a motor"), ("friction", "friction")):
            for empty in ("{}", "{theta: {}}"):
                told = self.tell(HEAD % f", {section}: {empty}")
                self.assertIn(f"error: joint 'p': {words} without anything in it does nothing", told)
                self.assertTrue(told.startswith("m.yaml:6:"), told)
        self.assertEqual(self.tell(HEAD % ", spring: {theta: {stiffness: 1}}", code=0), "")

    def test_coordinates_of_the_wrong_kind(self):
        told = self.tell(HEAD % "" + "couplings:\n  r: {rack_and_pinion: {pinion: p.theta, rack: q.theta, "
                                     "radius: 0.1}}\n")
        self.assertIn("m.yaml:9:48: error: coupling 'r': 'rack': 'q.theta' is an angle, not a length", told)
        told = self.tell((HEAD % "").replace("type: hinge, a: a,", "type: slider, a: a,") +
                         "couplings:\n  s: {screw: {turn: p.z, advance: q.z, pitch: 0.1}}\n")
        self.assertIn("'turn': 'p.z' is a length, not an angle", told)

    def test_what_cannot_be_closed_has_its_place(self):
        open_loop = HEAD % "" + ("  r: {type: hinge, a: b, frame_a: {position: [0.5, 0, 0]}, "
                                 "frame_b: {position: [8, 0, 0]}}\n")
        told = self.tell(open_loop, "--quiet", command="run", code=2)
        self.assertIn("m.yaml:8:3: error: joint 'r' cannot be closed: it stays open by 1.5 m", told)
        self.assertNotIn("\nerror:", told)

    def test_a_start_outside_a_range_is_told_where(self):
        for acts in ("", ", friction: {theta: {viscous: 0.2}}", ", spring: {theta: {stiffness: 1, damping: 1}}",
                     ", friction: {theta: {force: 1}}", ", motor: {theta: {speed: 1}}"):
            told = self.tell(HEAD % (", range: {theta: [1, 2]}" + acts), code=0)
            self.assertTrue(told.startswith("m.yaml:6:3: warning: joint 'p' starts at theta = 0 rad, outside its range"),
                            acts + told)

    def test_a_start_outside_a_range_is_moved_in(self):
        """A flat parallelogram of a bar and a rod with a light coupler, 2, 5 and 35 degrees below the range of
        its arm: the first step moves it in, where the rows of the rod are weak."""
        lamp = """tenon: 1
world: planar
angle: deg
parameters: {q: %s deg, d: 40 mm, elbow: "=turn([0.4 m, 0 m], q)"}
bodies:
  base: {position: [0, 0], mass: 2, inertia: 0.01}
  arm: {position: =elbow/2, angle: =q, mass: 0.5, inertia: 0.007}
  plate: {position: =elbow, mass: 1 g, inertia: 1e-6}
  load: {position: "=elbow + [0.3 m, 0 m]", mass: 0.7, inertia: 0.02}
joints:
  foot: {type: solid, a: base, origin: [0, 0]}
  shoulder: {type: hinge, a: arm, b: base, origin: [0, 0], initial: {theta: =q}, range: {theta: [5, 175]}, friction: {theta: {viscous: 0.2}}}
  elbow: {type: hinge, a: plate, b: arm, origin: =elbow}
  parallel: {type: rod, a: plate, b: base, frame_c: {position: "=elbow - [d, 0]"}, frame_d: {position: ["=-d", 0]}}
  carries: {type: hinge, a: load, b: plate, origin: =elbow, friction: {theta: {viscous: 0.2}}}
  coil: {type: distance, a: arm, b: base, frame_c: {position: "=turn([0.12 m, 0 m], q)"}, frame_d: {position: [0, 80 mm]},
         spring: {length: {stiffness: 388}}}
simulation: {duration: 1 ms}
"""
        for start in (3, 0.1, -30):
            told = self.tell(lamp % start, "--quiet", "--csv", "-", command="run", code=0)
            self.assertIn("outside its range", told)

    def test_durations_that_never_end(self):
        told = self.tell(HEAD % "" + "simulation: {duration: 1.0e300}\n", command="run")
        self.assertIn("m.yaml:8:24: error: simulation: duration is too large: 1e+300", told)
        told = self.tell(HEAD % "" + "simulation: {step: 0.001, duration: 1.0e90}\n", command="run", code=3)
        self.assertIn("are too many steps", told)

    @unittest.skipIf(is_sanitized(), "sanitizers map terabytes")
    def test_lack_of_memory_is_told(self):
        """From memory that the program hardly starts in to enough: whatever it ends with is said."""
        count, codes = 1000, set()
        bodies = "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], position: [{i}, 0, 0]}}\n" for i in range(count))
        joints = "".join(f"  j{i}: {{type: hinge, a: b{i}, origin: [{i}, 0, 0], axis: [0, 1, 0]}}\n"
                         for i in range(count))
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder) / "m.yaml", pathlib.Path(folder) / "posed.yaml"
            path.write_text(f"tenon: 1\nbodies:\n{bodies}joints:\n{joints}", encoding="utf-8")
            for megabytes in range(10, 154, 8):
                limit = megabytes << 20

                def little(limit=limit):
                    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

                done = subprocess.run([TENON, "pose", str(path), "--set", "j0.theta=1", "--out", str(out)],
                                      capture_output=True, text=True, timeout=60, check=False, preexec_fn=little)
                codes.add(done.returncode)
                self.assertIn(done.returncode, (0, 1, 127), done.stderr)  # 127: no room for its libraries
                self.assertEqual(out.exists(), done.returncode == 0)
                if done.returncode:
                    self.assertNotEqual(done.stderr, "")
                out.unlink(missing_ok=True)
        self.assertLessEqual({0, 1}, codes)


if __name__ == "__main__":
    unittest.main()
