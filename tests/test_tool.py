#!/usr/bin/env python3
"""The command line as its users call it: exit codes, reports, files, messages.

TENON names the program; the examples of the project are the input.
"""
import csv
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))

REPORT_KEYS = set(
    "status steps sim_time wall_s cpu_s bodies joints dof rows rank redundant max_position_error"
    " max_angle_error max_gap max_gap_angle energy_initial energy_final energy_max_drift"
    " factorizations solves fallbacks".split()
)

FREE_FALL = """
tenon: 1
name: stone
gravity: [0, 0, -10]
bodies: {stone: {mass: 2, inertia: [1, 1, 1], velocity: {linear: [3, 0, 0]}}}
markers: {top: {body: stone, position: [0, 0, 1]}}
simulation: {step: 0.25, duration: 1}
"""

PENDULUM = """
tenon: 1
gravity: [0, 0, -10]
bodies: {bar: {position: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: hinge, a: bar, b: ground, origin: [0, 0, 0], axis: [0, 1, 0]}}
simulation: {step: 0.01, duration: 1}
"""


def tenon(*arguments, **options):
    return subprocess.run(
        [TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False, **options
    )


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def model(self, text, name="model.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def ok(self, *arguments):
        result = tenon(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def fails(self, code, *arguments):
        """The one message of a call that must fail."""
        result = tenon(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertNotEqual(result.stderr, "")
        self.assertNotIn("Sanitizer", result.stderr)
        return result.stderr

    def report(self, *arguments):
        return json.loads(self.ok("run", *arguments, "--report", "-"))

    def rows(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            table = list(csv.reader(line for line in file if not line.startswith("#")))
        return table[0], [[float(value) for value in row] for row in table[1:]]


TWO_GEARS = """
tenon: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 0.25]}
  b: {mass: 1, inertia: [1, 1, 0.5], position: [1, 0, 0]}
joints:
  ja: {type: hinge, a: a, frame: {}}
  jb: {type: hinge, a: b, frame: {position: [1, 0, 0]}}
couplings:
  first: {gear: {a: ja.theta, b: jb.theta, ratio: 3}}
  second: {gear: {a: ja.theta, b: jb.theta, ratio: 3}}
"""


class Run(ToolTest):
    def test_report_of_a_run(self):
        report = self.report(EXAMPLES / "four_bar_linkage.yaml", "--time", "0.5")
        self.assertLessEqual(REPORT_KEYS, set(report))
        self.assertEqual(report["status"], "ok")
        self.assertEqual(report["steps"], 50)
        self.assertAlmostEqual(report["sim_time"], 0.5, delta=1e-12)
        self.assertEqual((report["bodies"], report["joints"], report["rows"], report["compliant"]), (4, 4, 20, 20))
        self.assertIsNone(report["message"])
        self.assertEqual(report["integrator"], "constrained_backward_euler")

    def test_overconstrained_linkage_has_its_rank(self):
        report = self.report(EXAMPLES / "four_bar_hard.yaml", "--time", "0.1")
        self.assertEqual((report["rank"], report["redundant"], report["dof"]), (17, 3, 1))
        self.assertLess(report["max_position_error"], 1e-10)
        self.assertLess(report["max_angle_error"], 1e-10)
        self.assertLess(report["energy_max_drift"], 1e-3)

    def test_free_fall_is_written_as_it_happens(self):
        path = self.folder / "fall.csv"
        self.ok("run", self.model(FREE_FALL), "--csv", path, "--quiet")
        header, rows = self.rows(path)
        body = "px py pz qw qx qy qz vx vy vz wx wy wz".split()
        energies = "kinetic potential elastic total work lost".split()
        self.assertEqual(
            header,
            ["t"] + ["top." + c for c in "xyz"] + ["energy." + c for c in energies] + ["stone." + c for c in body],
        )
        self.assertEqual(len(rows), 5)
        for index, row in enumerate(rows):
            value = dict(zip(header, row))
            t = 0.25 * index
            self.assertAlmostEqual(value["t"], t, delta=1e-14)
            self.assertAlmostEqual(value["stone.px"], 3 * t, delta=1e-12)
            self.assertAlmostEqual(value["stone.pz"], -5 * t * t, delta=1e-12)
            self.assertAlmostEqual(value["stone.vz"], -10 * t, delta=1e-12)
            self.assertAlmostEqual(value["top.z"], 1 - 5 * t * t, delta=1e-12)
            self.assertAlmostEqual(value["energy.total"], 9, delta=1e-10)

    def test_reaction_of_a_pendulum_at_rest(self):
        model = self.model(PENDULUM.replace("position: [1, 0, 0]", "position: [0, 0, -1]"))
        path = self.folder / "rest.csv"
        self.ok("run", model, "--time", "0.1", "--csv", path, "--quiet", "--what", "all")
        header, rows = self.rows(path)
        value = dict(zip(header, rows[-1]))
        # in the axes of frame C, z along the pin: the weight is square to it, without moment
        self.assertAlmostEqual(math.hypot(value["pin.fx"], value["pin.fy"]), 10, delta=1e-9)
        for field in ("fz", "mx", "my", "mz"):
            self.assertAlmostEqual(value[f"pin.{field}"], 0, delta=1e-9)
        self.assertAlmostEqual(value["pin.theta"], 0, delta=1e-12)
        self.assertIn("pin.lambda4", header)
        self.assertNotIn("pin.lambda5", header)

    def test_a_given_time_is_the_duration(self):
        """The times looked at, where nothing else is said, are a thousandth of it."""
        model = self.model(PENDULUM.split("simulation")[0])
        self.assertEqual(self.report(model, "--time", "30")["steps"], 1000)
        self.assertEqual(self.report(model, "--time", "30", "--step", "0.01")["steps"], 3000)

    def test_a_drive_that_starts_elsewhere_is_told(self):
        text = PENDULUM.split("simulation")[0].replace("axis: [0, 1, 0]", "axis: [0, 1, 0], drive: {theta: {position: {polynomial: [START, 1]}}}")
        for start, told in (("0", False), ("0.001", False), ("0.3", True)):
            summary = self.ok("run", self.model(text.replace("START", start)), "--time", "0.1")
            self.assertEqual("  moved        " in summary, told)
            self.assertIn("moved as given      pin.theta", self.ok("check", self.model(text.replace("START", start))))

    def test_what_is_recorded(self):
        path = self.folder / "what.csv"
        for what, wanted in (([], "pin.theta pin.theta.speed pin.fx pin.fy pin.fz pin.mx pin.my pin.mz "
                                  + " ".join(f"pin.lambda{k}" for k in range(5))),
                             (["--what", "speeds"], "pin.theta.speed"), (["--what", "coordinates,speeds"], "pin.theta pin.theta.speed")):
            self.ok("run", self.model(PENDULUM), "--time", "0.01", "--csv", path, *what)
            header, _ = self.rows(path)
            self.assertEqual([name for name in header if name.startswith("pin.")], wanted.split())
        for what, message in (("forces", "did you mean"), ("speeds,", "there is no such thing to record as ''"), ("", "--what needs a value")):
            self.assertIn(message, self.fails(3, "run", self.model(PENDULUM), "--what", what))

    def test_last_step_is_shortened(self):
        report = self.report(self.model(FREE_FALL), "--time", "1", "--step", "0.3")
        self.assertEqual(report["steps"], 4)
        self.assertAlmostEqual(report["sim_time"], 1.0, delta=1e-14)

    def test_time_does_not_drift(self):
        report = self.report(self.model(FREE_FALL), "--time", "100", "--step", "0.01")
        self.assertEqual(report["steps"], 10000)
        self.assertAlmostEqual(report["sim_time"], 100.0, delta=2e-11)

    def test_records_every_so_often(self):
        path = self.folder / "fall.csv"
        model = self.model(FREE_FALL)
        self.ok("run", model, "--step", "0.01", "--every", "0.1", "--time", "0.95", "--csv", path, "--quiet")
        times = [row[0] for row in self.rows(path)[1]]
        expected = [0.1 * i for i in range(10)] + [0.95]
        self.assertEqual(len(times), len(expected))
        for got, want in zip(times, expected):
            self.assertAlmostEqual(got, want, delta=1e-12)

    def test_records_are_at_the_times_asked_for(self):
        """Whatever the steps: a record within one is computed there, and leaves the run as it was."""
        for integrator in ("generalized_alpha", "dormand_prince"):
            frames = []
            for every in ("0.1", "0.03"):
                path = self.folder / f"fall{every}.csv"
                self.ok("run", self.model(PENDULUM), "--step", "0.03", "--every", every, "--time", "0.3",
                        "--integrator", integrator, "--csv", path)
                header, rows = self.rows(path)
                frames.append(rows)
            first = header.index("bar.px")
            self.assertEqual([round(row[0], 12) for row in frames[0]], [0, 0.1, 0.2, 0.3])
            self.assertEqual(frames[0][-1], frames[1][-1])  # to the bit
            fine = self.folder / "fine.csv"
            self.ok("run", self.model(PENDULUM), "--step", "0.001", "--every", "0.1", "--time", "0.3",
                    "--integrator", "dormand_prince", "--csv", fine)
            for row, exact in zip(frames[0], self.rows(fine)[1]):
                for got, want in zip(row[first:first + 7], exact[first:first + 7]):
                    self.assertAlmostEqual(got, want, delta=2e-3 if integrator == "generalized_alpha" else 1e-8)

    def test_stops_when_asked_to(self):
        """At the end of the first step after which it is so; 1.1 w^2 = 20 sin(theta) until then."""
        model = self.model(PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], range: {theta: [-1, 1]}"))
        path = self.folder / "stopped.csv"
        for what, event in (("pin.theta > 0.5", None), ("pin.theta > 30deg", None), ("pin.theta >= 30 deg", None),
                            ("t > 0.1 s && 2*pin.theta > 60 deg", None), ("pin > 0.5", None), ("t > 0.2", None),
                            ("limit reached", "pin"), ("limit reached: pin", "pin"), ("joint broke", None)):
            with self.subTest(what):
                text = self.ok("run", model, "--integrator", "dormand_prince", "--stop-when", what, "--csv", path)
                header, rows = self.rows(path)
                theta, speed = header.index("pin.theta"), header.index("pin.theta.speed")
                self.assertEqual("stopped      as requested" in text, what != "joint broke")
                if event:
                    self.assertEqual([row[theta] >= 1 - 1e-12 for row in rows[-2:]], [False, True])
                elif what == "joint broke":
                    self.assertAlmostEqual(rows[-1][0], 1, delta=1e-12)
                else:
                    bound = math.radians(30) if "deg" in what else 0.5 if "pin" in what else None
                    column = theta if bound else 0
                    self.assertGreater(rows[-1][column], bound or 0.2)
                    self.assertLessEqual(rows[-2][column], (bound or 0.2) + 1e-12)
                    self.assertAlmostEqual(rows[-1][speed], math.sqrt(20 * math.sin(rows[-1][theta]) / 1.1), delta=1e-7)
        for what, message in (("limit reached: pan", "did you mean 'pin'"), ("pin.thetta > 1", "no coordinate 'thetta'"),
                              ("nonsense", "there is no event 'nonsense'"), ("pin.theta >", "is no angle"),
                              ("pin.theta > 3 m", "'>' of an angle and a length"), ("t + 1 > 2 s", "1 has no unit: as in 1 s"),
                              ("2*pin.theeta > 1", "did you mean 'pin.theta'"), ("!pin.theta", "an angle"),
                              ("pin.theta > 1e999", "1e999"), ("t > 1 s" + 300 * " ||0", "more than 511 characters")):
            self.assertIn(message, self.fails(3, "run", model, "--stop-when", what))

    def test_summary_shows_no_rounding(self):
        """Sub-steps no longer than the run, no energy of 1e-15 J, no times of extremes that read alike."""
        still = "tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: free, a: a, origin: [0, 0, 0]}}\ngravity: [0, 0, 0]\n" \
                "measures: {x: {marker: m, quantity: position}}\nmarkers: {m: {body: a, position: [1, 0, 0]}}\nsimulation: {duration: 0.1}\n"
        text = self.ok("run", self.model(still))
        self.assertRegex(text, r"parts +\d+ of 0\.\d+( to 0\.1)? s, ")
        self.assertIn("measure      x.x: 1 .. 1 m, mean 1, rms 1\n", text)
        driven = PENDULUM.replace("axis: [0, 1, 0]", 'axis: [0, 1, 0], drive: {theta: {position: "=2*pi*t"}}').replace("step: 0.01, ", "")
        text = self.ok("run", self.model(driven + "measures: {angle: =pin.theta, high: {marker: m, quantity: position}}\n"
                                         "markers: {m: {body: bar, position: [1, 0, 0]}}\n"))
        lines = [line for line in text.splitlines() if re.match("  (parts|  explicit|energy|measure) ", line)]
        self.assertNotRegex(" ".join(lines), r"e-1\d|e\+0\d")
        self.assertIn("0 at the end", text)

    def test_a_motion_that_its_range_holds_up_is_told(self):
        model = self.model(PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], range: {theta: [-1, 0.1]}, "
                                            'drive: {theta: {position: "=0.2*t"}}'))
        text = self.ok("run", model, "--report", self.folder / "held.json")
        self.assertIn("event        prescribed motion not followed: pin.theta at 0.51 s", text)
        self.assertIn("drives       a prescribed motion was not followed", text)
        events = json.loads((self.folder / "held.json").read_text())["events"]
        self.assertEqual([e["coordinate"] for e in events if e["event"] == "prescribed motion not followed"], ["theta"])
        self.assertIn("stopped      as requested", self.ok("run", model, "--stop-when", "prescribed motion not followed: pin"))

    def test_nothing_is_written_over_what_is_read(self):
        """Included files and tables are inputs as the model is."""
        (self.folder / "part.yaml").write_text("bodies: {bar: {position: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}\n")
        (self.folder / "push.csv").write_text("t,f\n0,1\n9,2\n")
        model = self.model(PENDULUM.replace("bodies: {bar: {position: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}",
                                            "include: part.yaml\nloads: {push: {coordinate: pin.theta, effort: "
                                            "{csv: {file: push.csv, column: f}}}}"))
        self.ok("run", model)
        for name in ("part.yaml", "push.csv", model.name):
            target = self.folder / name
            before = target.read_bytes()
            for command, option in (("run", "--csv"), ("run", "--hdf5"), ("run", "--report"), ("run", "--event-table"),
                                    ("pose", "--out"), ("draw", "--svg")):
                with self.subTest(name, option=option):
                    self.assertIn("is what the model is read from", self.fails(3, command, model, option, target))
                    self.assertEqual(target.read_bytes(), before)

    def test_summary_names_the_files(self):
        csv_path, h5_path = self.folder / "a.csv", self.folder / "a.h5"
        text = self.ok("run", self.model(FREE_FALL), "--csv", csv_path, "--hdf5", h5_path)
        self.assertIn(str(csv_path), text)
        self.assertIn(str(h5_path), text)
        self.assertEqual(h5_path.read_bytes()[:8], b"\x89HDF\r\n\x1a\n")

    def test_standard_output_is_written_behind_what_is_there(self):
        """A file that standard output goes to is not begun anew, and what others write later stays too."""
        path, model = self.folder / "all.txt", self.model(FREE_FALL)
        with open(path, "w") as file:
            for line in ("first", "second"):
                file.write(line + "\n")
                file.flush()
                subprocess.run([TENON, "run", str(model), "--csv", "-"], stdout=file, check=True)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[0], "first")
        again = lines.index("second")
        self.assertEqual(lines[1:again], lines[again + 1:])
        self.assertGreater(again, 3)
        for option in ("--hdf5", "--gltf"):
            self.assertIn("only --csv goes to standard output", self.fails(3, "run", model, option, "-"))

    def test_relative_tolerance_of_a_run(self):
        """A hundred times as tight a tolerance is at least ten times nearer to the tightest; others refuse it."""
        def end(tolerance):
            text = self.ok("run", self.model(PENDULUM), "--integrator", "dormand_prince", "--step", "0.5", "--time", "2",
                           "--relative-tolerance", tolerance, "--csv", "-")
            rows = [line for line in text.splitlines() if not line.startswith("#")]
            return float(dict(zip(rows[0].split(","), rows[-1].split(",")))["pin.theta"])
        tight = end("1e-12")
        coarse, fine = abs(end("1e-4") - tight), abs(end("1e-6") - tight)
        self.assertGreater(coarse, 10 * fine)
        self.assertGreater(fine, 0)
        message = self.fails(3, "run", self.model(PENDULUM), "--integrator", "generalized_alpha", "--relative-tolerance", "1e-4")
        self.assertIn("dormand_prince", message)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.ok("run", self.model(FREE_FALL), "--quiet"), "")

    def test_report_goes_to_a_file(self):
        path = self.folder / "report.json"
        text = self.ok("run", self.model(FREE_FALL), "--report", path)
        self.assertIn("stone", text)
        self.assertEqual(json.loads(path.read_text())["status"], "ok")

    def test_every_integrator_runs(self):
        bounds = {"generalized_alpha": 1e-10, "constrained_backward_euler": 1e-6, "backward_euler": 1e-6,
                  "dormand_prince": 1e-12}
        for name, bound in bounds.items():
            with self.subTest(name):
                report = self.report(self.model(PENDULUM), "--integrator", name)
                self.assertEqual(report["integrator"], name)
                self.assertLess(report["max_position_error"], bound)

    def test_failing_step_names_the_culprit_and_keeps_the_records(self):
        # At such a speed the round-off of one step is many metres: no step can close the joint.
        model = self.model(
            PENDULUM.replace("inertia:", "velocity: {linear: [0, 0, -1.0e+20], angular: [0, 1.0e+20, 0]}, inertia:")
        )
        path = self.folder / "failed.csv"
        result = tenon("run", model, "--csv", path, "--report", "-")
        self.assertEqual(result.returncode, 2, result.stderr)
        report = json.loads(result.stdout)
        self.assertNotEqual(report["status"], "ok")
        self.assertIn(report["culprit"], ("bar", "pin"))
        self.assertIn(report["culprit"], result.stderr)
        self.assertGreaterEqual(len(self.rows(path)[1]), 1)

    def test_interrupt_keeps_what_was_recorded(self):
        path = self.folder / "long.csv"
        command = [TENON, "run", str(self.model(PENDULUM)), "--time", "1e6", "--every", "0.01", "--csv", str(path), "--report", "-"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while not any(beside.stat().st_size > 100000 for beside in path.parent.glob("long.csv.*.part")) \
                    and time.monotonic() < deadline:  # until it is complete
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        report = json.loads(output)
        self.assertEqual(report["status"], "interrupted")
        self.assertAlmostEqual(self.rows(path)[1][-1][0], report["sim_time"], delta=0.05)


class BadInput(ToolTest):
    def test_missing_model(self):
        self.assertIn("nowhere.yaml", self.fails(1, "run", self.folder / "nowhere.yaml"))

    def test_problem_is_located(self):
        message = self.fails(1, "run", self.model(PENDULUM.replace("a: bar", "a: brr")))
        self.assertRegex(message, r"model\.yaml:5:\d+: error: ")
        self.assertIn("bar", message)

    def test_joint_that_cannot_be_closed(self):
        """A bar of 2 m between pivots 6 m apart: no numbers help, the joint is named."""
        model = self.model(
            """
tenon: 1
bodies: {bar: {mass: 1, inertia: [1, 1, 1]}}
joints:
  left: {type: hinge, a: bar, frame_a: {position: [-1, 0, 0]}, frame_b: {position: [-3, 0, 0]}}
  right: {type: hinge, a: bar, frame_a: {position: [1, 0, 0]}, frame_b: {position: [3, 0, 0]}}
"""
        )
        for command in ("run", "check", "inspect"):
            with self.subTest(command):
                self.assertRegex(self.fails(2, command, model), "'(left|right)'")

    def test_report_of_a_bad_model(self):
        result = tenon("run", self.model(PENDULUM.replace("a: bar", "a: brr")), "--report", "-")
        self.assertEqual(result.returncode, 1)
        report = json.loads(result.stdout)
        self.assertEqual(report["status"], "input")
        self.assertLessEqual(REPORT_KEYS, set(report))
        self.assertIsNone(report["steps"])
        self.assertIn("brr", report["message"])

    def test_full_disk(self):
        model = self.model(FREE_FALL)
        for arguments in (("--csv", "/dev/full"), ("--hdf5", "/dev/full"), ("--report", "/dev/full")):
            with self.subTest(arguments):
                self.assertIn("/dev/full", self.fails(1, "run", model, *arguments))

    def test_folder_that_does_not_exist(self):
        model = self.model(FREE_FALL)
        for option in ("--csv", "--hdf5", "--report"):
            with self.subTest(option):
                self.assertIn("no/such", self.fails(1, "run", model, option, self.folder / "no/such/file"))

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([TENON, "schema"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 1)


# A crank whose slider and angle are asked for what they cannot have, in degrees.
ASKED = """tenon: 1
world: planar
angle: {angle}
bodies:
  crank: {mass: 1, inertia: 0.002, position: [0.05, 0]}
  rod: {mass: 1, inertia: 0.005, position: [0.2, 0.1]}
  block: {mass: 2, inertia: 0.01, position: [0.3, 0.2]}
joints:
  A: {type: hinge, a: crank, origin: [0, 0]ASKED}
  B: {type: hinge, a: rod, b: crank, origin: [0.1, 0]}
  C: {type: hinge, a: block, b: rod, origin: [0.3, 0.2]}
  S: {type: slider, a: block, origin: [0.3, 0.2], axis: [1, 0]}
"""


class ToldInTheFilesUnit(ToolTest):
    """Values of coordinates in messages count as the file does, and say so."""

    def told(self, asked, angle="deg"):
        text = ASKED.replace("ASKED", asked).replace("{angle}", angle)
        return tenon("check", self.model(text)).stderr

    def test_what_cannot_be_set(self):
        self.assertIn("theta cannot be set to 100 deg, it is limited and comes to 10 deg",
                      self.told(", range: {theta: [-50, 10]}, set: {theta: 100}"))
        self.assertIn("theta cannot be set to 1.5 rad, it is limited and comes to 0.25 rad",
                      self.told(", range: {theta: [-0.5, 0.25]}, set: {theta: 1.5}", "rad"))

    def test_speeds(self):
        self.assertIn("theta cannot start with the speed 90 deg/s, it is dependent and has 0 deg/s",
                      self.told(", locked: [theta], speed: {theta: 90}"))

    def test_starts_of_motions(self):
        self.assertRegex(self.told(", range: {theta: [-50, 10]}, drive: {theta: {position: 100}}"),
                         r"the prescribed motion of 'theta' starts at 100 deg, but it is \w+ and comes to 10 deg")

    def test_two_motions_of_one_freedom(self):
        """They agree, and are one too many: it said that theta starts at 0 but comes to 0."""
        told = tenon("check", self.model("""tenon: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}}
joints:
  low: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1], drive: {theta: {position: {polynomial: [0, 1]}}}}
  high: {type: hinge, a: a, origin: [0, 0, 0.5], axis: [0, 0, 1], drive: {theta: {position: {polynomial: [0, 1]}}}}
"""))
        self.assertEqual(told.returncode, 2)
        self.assertIn("joint 'high': 'theta' cannot be given a motion, it has no freedom left", told.stderr)
        self.assertIn("joint 'low' has its coordinate 'theta' driven", told.stderr)

    def test_ends_of_ranges_in_the_way(self):
        """A parallelogram whose one crank is driven against the stop of the other: an innocent pin was named alone."""
        for leads in ("motor: {theta: {speed: -1}}", "drive: {theta: {position: {polynomial: [0, -1]}}}"):
            done = tenon("run", self.model("""tenon: 1
world: planar
gravity: [0, 0]
bodies:
  a: {mass: 1, inertia: 0.1, position: [0, 0.5]}
  b: {mass: 1, inertia: 0.1, position: [1, 0.5]}
  c: {mass: 1, inertia: 0.1, position: [0.5, 1]}
joints:
  A: {type: hinge, a: a, origin: [0, 0], LEADS}
  B: {type: hinge, a: b, origin: [1, 0], range: {theta: [-0.5, 1]}}
  C: {type: hinge, a: c, b: a, origin: [0, 1]}
  D: {type: hinge, a: c, b: b, origin: [1, 1]}
simulation: {duration: 1}
""".replace("LEADS", leads)))
            self.assertEqual(done.returncode, 2)
            self.assertIn("at the end of its range: B.theta", done.stderr)

    def test_starts_outside(self):
        self.assertIn("starts at theta = 0 deg, outside its range 20 deg .. 30 deg",
                      self.told(", range: {theta: [20, 30]}"))


class Usage(ToolTest):
    def test_bad_numbers(self):
        model = self.model(FREE_FALL)
        for option in ("--time", "--step", "--every"):
            for value in ("-1", "0", "abc", "1s", "nan", "inf", "1e999", ""):
                with self.subTest(option=option, value=value):
                    self.assertIn(option, self.fails(3, "run", model, option, value))

    def test_records_within_steps_are_refused(self):
        """A step has one record: more were promised, and 11 of 35 written."""
        model = self.model(PENDULUM)
        told = self.fails(3, "run", model, "--step", "0.01", "--every", "0.003")
        self.assertIn("--every 0.003 s is less than a step of 0.01 s", told)
        self.assertIn("less than a step", self.fails(3, "run", model, "--every", "0.003"))
        self.ok("run", model, "--step", "0.01", "--every", "0.01", "--quiet")
        path = self.folder / "fine.csv"
        self.ok("run", model, "--accuracy", "1e-6", "--time", "0.1", "--every", "0.003", "--csv", path, "--quiet")
        self.assertEqual(len(self.rows(path)[1]), 35)

    def test_unknown_option_is_guessed(self):
        self.assertIn("--time", self.fails(3, "run", self.model(FREE_FALL), "--tiem", "3"))

    def test_unknown_option_tells_all(self):
        self.assertIn(", --set\n", self.fails(3, "run", self.model(FREE_FALL), "--bogus"))
        self.assertNotIn("--set", self.fails(3, "plot", "t.csv", "--bogus"))

    def test_formulation(self):
        path = self.model(PENDULUM)
        plain, led = self.report(path), self.report(path, "--formulation", "stabilized_index_2")
        self.assertEqual((plain["formulation"], led["formulation"]), ("index_3", "stabilized_index_2"))
        self.assertLess(led["energy_max_drift"], 0.75 * plain["energy_max_drift"])
        self.assertIn("stabilized_index_2", self.fails(3, "run", path, "--formulation", "stabilised_index_2"))

    def test_events_at_steps(self):
        """Only with sequential impulses; the direct solver locates its events whatever the model says."""
        impulses = ("--integrator", "backward_euler", "--solver", "sequential_impulses")
        path = self.model(PENDULUM)
        self.assertEqual(self.report(path, *impulses, "--events", "at_steps")["factorizations"], 0)
        message = self.fails(3, "run", path, *impulses, "--events", "at_step")
        self.assertIn("at_steps", message)
        self.assertIn("events at_steps only with", self.fails(1, "run", path, "--events", "at_steps"))
        path = self.model(PENDULUM.replace(
            "simulation: {", "simulation: {integrator: backward_euler, solver: sequential_impulses, events: at_steps, "))
        self.assertEqual(self.report(path)["factorizations"], 0)
        self.assertGreater(self.report(path, "--solver", "direct")["factorizations"], 0)

    def test_unknown_integrator_is_guessed(self):
        message = self.fails(3, "run", self.model(FREE_FALL), "--integrator", "backward_eular")
        self.assertIn("backward_euler", message)

    def test_unknown_command_is_guessed(self):
        self.assertIn("run", self.fails(3, "rnu", "x"))

    def test_wrong_calls(self):
        model = self.model(FREE_FALL)
        for arguments in (
            (),
            ("run",),
            ("run", model, model),
            ("run", model, "--time"),
            ("run", model, "--time", "1", "--time", "2"),
            ("run", model, "--quiet=yes"),
            ("run", model, "--time", "1e9", "--step", "1e-9"),
            ("schema", "x"),
            ("help", "nothing"),
        ):
            with self.subTest(arguments):
                self.fails(3, *arguments)

    def test_option_with_equals_sign(self):
        self.assertEqual(self.report(self.model(FREE_FALL), "--time=0.5")["steps"], 2)


class Others(ToolTest):
    def test_help_everywhere(self):
        commands = ("run", "check", "inspect", "schema", "joints", "version", "help")
        overview = self.ok("help")
        for command in commands:
            self.assertIn(command, overview)
            page = self.ok(command, "--help")
            self.assertEqual(page, self.ok("help", command))
            self.assertIn("usage: tenon " + command, page)
        self.assertEqual(overview, self.ok("--help"))
        for option in ("--time", "--step", "--integrator", "--csv", "--hdf5", "--every", "--report", "--quiet"):
            self.assertIn(option, self.ok("help", "run"))

    def test_version(self):
        self.assertRegex(self.ok("version"), r"^tenon \d+\.\d+\.\d+\n$")
        self.assertEqual(self.ok("--version"), self.ok("version"))

    def test_check_counts(self):
        expected = {  # velocities, rows, rank: from the mechanisms' descriptions
            "four_bar_hard.yaml": (18, 20, 17),
            "bricard.yaml": (30, 30, 29),
            "slider_crank.yaml": (18, 20, 17),
            "double_pendulum.yaml": (12, 10, 10),
            "planar_weld_cantilever.yaml": (24, 24, 24),
            "rigid_body_joint.yaml": (6, 5, 5),
            "n_four_bar_40.yaml": (486, 605, 485),
        }
        for name, (velocities, rows, rank) in expected.items():
            with self.subTest(name):
                check = json.loads(self.ok("check", EXAMPLES / name, "--json"))
                self.assertEqual(check["velocities"], velocities)
                self.assertEqual(check["rows"], rows)
                self.assertEqual(check["rank"], rank)
                self.assertEqual(check["redundant"], rows - rank)
                self.assertEqual(check["dof"], velocities - rank)
                self.assertEqual(check["gruebler"], velocities - rows)
                self.assertLess(check["position_error"], 1e-14)
                self.assertLess(check["angle_error"], 1e-14)

    def test_check_for_people(self):
        text = self.ok("check", EXAMPLES / "bricard.yaml")
        self.assertRegex(text, r"redundant rows +1 ")
        self.assertRegex(text, r"degrees of freedom +1\n")

    def test_check_explains_redundancy(self):
        text = self.ok("check", EXAMPLES / "four_bar_hard.yaml")
        self.assertIn("(joints joint0, joint1, joint2, joint3): hinge 'joint3' rows fz, mx, my repeat joint0, "
                      "joint1, joint2. Motion is unaffected.", text)
        self.assertIn("Reactions fz, mx, my of joint0, joint1, joint2, joint3 are not unique", text)
        self.assertIn("make 'joint3' a point_line.", text)
        analysis = json.loads(self.ok("check", EXAMPLES / "four_bar_hard.yaml", "--json"))["analysis"]
        self.assertEqual((analysis["redundant"], analysis["permanent"], analysis["dof"]), (3, 3, 1))
        self.assertEqual({row["class"] for row in analysis["dependent_rows"]}, {"permanent"})
        self.assertEqual(analysis["reactions_not_unique"]["joint2"], ["fz", "mx", "my"])
        self.assertEqual(analysis["loops"][0]["joints"], ["joint0", "joint1", "joint2", "joint3"])
        self.assertEqual([row["terms"] for row in analysis["dependent_rows"] if not row["terms"]], [])

    def test_check_is_silent_where_nothing_is_redundant(self):
        text = self.ok("check", EXAMPLES / "double_pendulum.yaml")
        self.assertNotIn("repeat", text)
        self.assertNotIn("unique", text)

    def test_check_explains_a_contradiction(self):
        model = self.model('''
tenon: 1
bodies: {bar: {mass: 1, inertia: [1, 1, 1]}}
joints:
  left: {type: solid, a: bar, b: ground, frame_a: {position: [0, 0, 0]}, frame_b: {position: [0, 0, 0]}}
  right: {type: solid, a: bar, b: ground, frame_a: {position: [1, 0, 0]}, frame_b: {position: [1.01, 0, 0]}}
''')
        for options in ([], ["--json"]):
            result = tenon("check", model, *options)
            self.assertEqual(result.returncode, 2)
            if options:
                rows = json.loads(result.stdout)["analysis"]["dependent_rows"]
                conflict = [row for row in rows if row["class"] == "conflict"]
                self.assertEqual([(row["joint"], row["row"]) for row in conflict], [("right", "fx")])
                self.assertAlmostEqual(conflict[0]["residual"], 0.01, delta=1e-9)
            else:
                self.assertIn("'right' row fx repeats left, and contradicts them: open by 0.01 m", result.stdout)

    def test_particles_of_a_planar_world_stay_in_it(self):
        """Two velocities each: a braced square has no freedom across, a pendulum swings as the centre of a planar body does."""
        square = "tenon: 1\nworld: planar\nbodies: {A: {kind: particle, position: [0, 1], mass: 1}, B: {kind: particle, position: [1, 1], mass: 1}}\n" \
                 "joints:\n" + "".join(f"  {name}: {{type: rod, a: {a}, {b}frame_c: {{position: {p}}}, frame_d: {{position: {q}}}}}\n"
                                        for name, a, b, p, q in (("l", "A", "", "[0, 1]", "[0, 0]"), ("t", "B", "b: A, ", "[1, 1]", "[0, 1]"),
                                                                 ("r", "B", "", "[1, 1]", "[1, 0]"), ("d", "B", "", "[1, 1]", "[0, 0]"))) \
                 + "loads: {p: {body: B, force: [100, 0]}}\nsimulation: {duration: 0.1}\n"
        checked = json.loads(self.ok("check", "--json", self.model(square)))
        self.assertEqual([checked[key] for key in ("velocities", "rank", "dof")], [4, 4, 0])
        self.ok("run", self.model(square))
        swing = "tenon: 1\nworld: planar\nbodies: {A: {%s, position: [1, 0], mass: 2}}\n" \
                "joints: {l: {type: rod, a: A, frame_c: {position: [1, 0]}, frame_d: {position: [0, 0]}}}\n" \
                "measures: {p: {marker: m, quantity: position}}\nmarkers: {m: {body: A}}\nsimulation: {duration: 1, step: 1 ms}\n"
        ends = []
        for body in ("kind: particle", "inertia: 1"):
            for integrator in ("generalized_alpha", "auto", "backward_euler", "constrained_backward_euler", "dormand_prince"):
                path = self.folder / "swing.csv"
                self.ok("run", self.model(swing % body), "--integrator", integrator, "--csv", path)
                header, rows = self.rows(path)
                ends.append((integrator, rows[-1][header.index("p.x")]))
                self.assertNotIn("A.pz", header)  # columns of the plane
        for (integrator, one), (_, other) in zip(ends[:5], ends[5:]):
            self.assertAlmostEqual(one, other, delta=1e-9, msg=integrator)
        for where in ("position: [0, 1, 1]", "position: [0, 1], velocity: {linear: [0, 0, 1]}"):
            text = f"tenon: 1\nworld: planar\nbodies: {{A: {{kind: particle, {where}, mass: 1}}}}\n"
            self.assertIn("must lie in the plane: its z must be 0, is 1", self.fails(1, "check", self.model(text)))

    def test_a_limit_against_a_motion_names_both(self):
        """Not whichever joint of the loop is open most."""
        text = """tenon: 1
world: planar
bodies:
  crank: {position: [0, 0], mass: 1, inertia: 1}
  rod: {position: [0, -40 mm], mass: 1, inertia: 0.01}
  ram: {position: [0, -140 mm], mass: 1, inertia: 0.01}
joints:
  shaft: {type: hinge, a: crank, origin: [0, 0], %s}
  pin: {type: hinge, a: rod, b: crank, origin: [0, 60 mm]}
  end: {type: hinge, a: ram, b: rod, origin: [0, -140 mm]}
  guide: {type: slider, a: ram, origin: [0, -140 mm], axis: [0, -1], range: {z: [-5 mm, 100 mm]}}
simulation: {duration: 1 s}
"""
        for given, how in (('drive: {theta: {position: "=60 rpm*t"}}', "prescribed"),
                           ("speed: {theta: 60 rpm}, motor: {theta: {speed: 60 rpm}}", "driven by a motor without max_force")):
            with self.subTest(how):
                model = self.model(text % given)
                message = self.fails(2, "run", model, "--report", self.folder / "r.json")
                self.assertIn(f"joint guide: no speeds satisfy them: guide.z at its limit, shaft.theta {how}", message)
                self.assertEqual(json.loads((self.folder / "r.json").read_text())["culprit"], "guide")
                self.assertIn("TN_ERROR_CONFLICT", self.ok("explain", message.strip()))

    def test_run_report_names_indeterminate_multipliers(self):
        report = self.report(EXAMPLES / "four_bar_hard.yaml", "--time", "0.01")
        self.assertEqual(report["indeterminate"], [f"joint{j}.lambda{k}" for j in range(4) for k in (2, 3, 4)])
        self.assertEqual(self.report(self.model(PENDULUM), "--time", "0.1")["indeterminate"], [])

    def test_motion_that_hangs_on_shared_forces_is_told(self):
        """Friction of a press's guide, by the force that hinges across the plane share; not that of a force of its own."""
        press = (EXAMPLES / "motor_press.yaml").read_text()
        for text, told in ((press, ["guide.z"]), (press.replace(", coefficient: 0.1", ""), [])):
            path = self.model(text)
            checked = json.loads(self.ok("check", "--json", path))["analysis"]
            self.assertEqual(checked["friction_not_unique"], told)
            self.assertEqual("Friction of guide.z goes by forces" in self.ok("check", path), bool(told))
            self.assertEqual("Motion is unaffected." in self.ok("check", path), not told)
            printed, _, report = self.run_of(text)
            self.assertEqual(report["friction_not_unique"], told)
            self.assertEqual("not unique   the motion: friction of guide.z" in printed, bool(told))

    def test_breaking_under_shared_loads_is_told(self):
        """Of a square with both diagonals one that breaks: how they share is not said by rigid rods; soft ones say it."""
        square = """
tenon: 1
world: planar
bodies: {A: {position: [0, 1], mass: 1, inertia: 0.01}, B: {position: [1, 1], mass: 1, inertia: 0.01}}
joints:
  l: {type: rod, a: A, frame_c: {position: [0, 1]}, frame_d: {position: [0, 0]}%s}
  t: {type: rod, a: B, b: A, frame_c: {position: [1, 1]}, frame_d: {position: [0, 1]}%s}
  r: {type: rod, a: B, frame_c: {position: [1, 1]}, frame_d: {position: [1, 0]}%s}
  d1: {type: rod, a: A, frame_c: {position: [0, 1]}, frame_d: {position: [1, 0]}%s}
  d2: {type: rod, break_force: 30 N, a: B, frame_c: {position: [1, 1]}, frame_d: {position: [0, 0]}%s}
loads: {p: {body: B, force: ["=100*t", 0]}}
simulation: {duration: 0.5}
"""
        for soft, found in (("", ["d2"]), (", stiffness: 1e6", [])):
            text = square % (5 * (soft,))
            checked = self.ok("check", self.model(text))
            self.assertEqual("Whether and when d2 breaks is not determined" in checked, bool(found))
            printed, _, report = self.run_of(text)
            self.assertEqual(report["break_not_unique"], found)
            self.assertEqual("not unique   whether and when these break: d2" in printed, bool(found))
            self.assertIn("joint broke: d2", printed)
        self.assertEqual(json.loads(self.ok("check", "--json", self.model(square % (5 * ("",)))))["analysis"]["break_not_unique"], ["d2"])

    def test_impacts_that_rub_nothing_are_told(self):
        """A puck on a plate that is hit across: a coefficient takes its share of that, but where bounds are round; there it slides
        on, though nothing has pressed it before, so that friction had no direction."""
        text = """tenon: 1
gravity: [0, 0, 0]
bodies:
  puck: {mass: 1, inertia: [1, 1, 1]}
  hammer: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.1]}
joints:
  plate: {type: planar, a: puck, origin: [0, 0, 0], axis: [0, 0, 1], ROUND, speed: {x: 1}, friction: {x: {FRICTION}, y: {FRICTION}}}
  fall: {type: slider, a: hammer, b: puck, origin: [0, 0, 0.1], axis: [0, 0, 1], speed: {z: -1}, range: {z: [-0.1, 1]}}
"""
        for friction, bounds, told, speed in (("coefficient: 0.5", "true", 1, 1.0), ("coefficient: 0.5", "false", 0, 0.75),
                                              ("force: 1.0e-9", "true", 0, 1.0)):
            model = text.replace("FRICTION", friction).replace("ROUND", f"round: {bounds}")
            printed, table, report = self.run_of(model)
            rows = list(csv.DictReader(line for line in table.splitlines() if not line.startswith("#")))
            self.assertEqual("impacts      have no friction" in printed, bool(told))
            self.assertEqual(report["friction_spares_impulses"], told)
            self.assertAlmostEqual(float(rows[-1]["plate.x.speed"]), speed, delta=1e-7)
        games = "simulation: {integrator: backward_euler, solver: sequential_impulses, events: at_steps, step: 0.01}\n"
        printed, _, report = self.run_of(text.replace("FRICTION", "coefficient: 0.5").replace("ROUND", "round: true") + games)
        self.assertNotIn("have no friction", printed)
        self.assertEqual(report["friction_spares_impulses"], 0)

    def test_runs_tell_what_the_state_they_end_with_shares(self):
        """A parallelogram on two stops: from the start, or fallen there since."""
        text = """tenon: 1
world: planar
bodies:
  c0: {position: [0.1, 0.2], mass: 1, inertia: 0.02}
  bar: {position: [0.7, 0.4], mass: 2, inertia: 0.2}
  c1: {position: [1.1, 0.2], mass: 1, inertia: 0.02}
joints:
  f0: {type: hinge, a: c0, origin: [0, 0], range: {theta: [START, 1]}}
  h0: {type: hinge, a: bar, b: c0, origin: [0.2, 0.4]}
  h1: {type: hinge, a: bar, b: c1, origin: [1.2, 0.4]}
  f1: {type: hinge, a: c1, origin: [1, 0], range: {theta: [START, 1]}}
measures: {stop: "=f0.theta.effort", angle: "=f0.theta"}
"""
        shared = ["f0.lambda0", "f0.theta.effort", "h0.lambda0", "h1.lambda0", "f1.lambda0", "f1.theta.effort", "stop"]
        for start, at_start in (("0", True), ("-0.01", False)):
            printed, head, report = self.run_of(text.replace("START", start))
            self.assertIn("not unique   at the end: f0.theta.effort, f1.theta.effort, stop;", printed)
            self.assertEqual("# not unique: f0.theta.effort,f0.fx,f0.m,h0.fx" in head, at_start)
            told = [name for name in report["indeterminate"] if not name.endswith("lambda1")]
            self.assertEqual(told, shared)  # lambda1: cranks that lean have a share of the bar's pull in it
        printed, head, report = self.run_of(text.replace("START", "0", 1).replace("START", "-1"))
        self.assertNotIn("not unique", printed + head)
        self.assertEqual(report["indeterminate"], [])

    def run_of(self, text):
        """What is printed, the text of the table and the report."""
        table, report = self.folder / "table.csv", self.folder / "report.json"
        done = tenon("run", self.model(text), "--time", "0.5", "--csv", table, "--report", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, table.read_text(), json.loads(report.read_text())

    def audit(self, text):
        """Exit code, what was printed and the report's audit."""
        report = self.folder / "report.json"
        run = tenon("run", self.model(text), "--audit", "--report", report)
        return run.returncode, run.stdout, json.loads(report.read_text())["audit"]

    def test_audit_passes_and_prints_its_figures(self):
        code, printed, audit = self.audit(PENDULUM)
        self.assertEqual(code, 0)
        self.assertIn("audit        passed over 100 steps", printed)
        for line in ["forces on each body", "moments on each body", "joint error, m", "joint error, rad", "energy, relative"]:
            self.assertRegex(printed, rf"{line}\s+[0-9.e+-]+\s+allowed 1e-\d\d")
        self.assertEqual(audit["verdict"], "passed")
        self.assertLess(audit["force_balance"]["worst"], audit["force_balance"]["allowed"])

    def test_audit_fails_what_loses_energy(self):
        """Eleven steps a swing: the integrator takes more than a hundredth of the energy."""
        code, printed, audit = self.audit(PENDULUM.replace("{step: 0.01, duration: 1}", "{step: 0.2, duration: 4}"))
        self.assertEqual(code, 2)
        self.assertIn("audit        FAILED", printed)
        self.assertRegex(printed, r"energy, relative\s+0\.\d+\s+allowed 1e-02\s+EXCEEDED")
        self.assertEqual(audit["verdict"], "failed")
        self.assertGreater(audit["energy_drift"]["worst"], audit["energy_drift"]["allowed"])
        self.assertLess(audit["force_balance"]["worst"], audit["force_balance"]["allowed"])

    def test_audit_passes_from_a_dead_point(self):
        """A press that starts with crank and rod in line, with rows that repeat and friction by coefficient: near a
        fold refined solves find forces that plain ones of the tight iteration would undo."""
        self.ok("run", EXAMPLES / "motor_press.yaml", "--audit", "--integrator", "generalized_alpha", "--step", "1e-3",
                "--time", "0.5")

    def test_accuracy_is_told_in_joules_and_shares(self):
        """The line and the report say the same; beyond what may be both say so, and what is beyond."""
        report = self.folder / "report.json"
        run = tenon("run", self.model(PENDULUM), "--report", report)
        told = json.loads(report.read_text())["accuracy"]
        line = re.search(r"accuracy     balances, accuracy not controlled: fixed steps of order 2: energy made or lost (\S+) J \((\S+) % of the (\S+) J turned over\), (.*)", run.stdout)
        self.assertTrue(line, run.stdout)
        self.assertAlmostEqual(float(line[1]) / told["energy_made"], 1.0, delta=1e-3)
        self.assertAlmostEqual(float(line[3]) / told["energy_turnover"], 1.0, delta=1e-3)
        self.assertAlmostEqual(float(line[2]) / 100 / told["energy"]["worst"], 1.0, delta=0.05)
        self.assertAlmostEqual(told["energy"]["worst"], told["energy_made"] / told["energy_turnover"], delta=1e-15)
        self.assertRegex(line[4], r"^forces on each body balance(, moments too| to .* % of the largest, moments .*)$")
        run = tenon("run", self.model(PENDULUM.replace("{step: 0.01, duration: 1}", "{step: 0.2, duration: 4}")))
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stdout, r"accuracy     EXCEEDED: energy made or lost .* turned over\) where 1 % may be,")
        self.assertIn("the run is not accurate: energy made or lost ", run.stderr)

    def test_examples_close_as_written(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            if path.name != "rigid_body_joint.yaml":  # it sets a coordinate
                with self.subTest(path.name):
                    check = json.loads(self.ok("check", path, "--json"))
                    self.assertLess(check["moved_distance"], 5e-15)  # m, of some metres
                    self.assertLess(check["moved_angle"], 2e-15)

    def test_set_coordinate_moves_the_body(self):
        check = json.loads(self.ok("check", EXAMPLES / "rigid_body_joint.yaml", "--json"))
        self.assertAlmostEqual(check["moved_angle"], math.radians(35), delta=1e-14)

    def test_inspect_gives_the_equations(self):
        e = json.loads(self.ok("inspect", self.model(PENDULUM), "--digits", "17"))
        self.assertEqual(e["velocities"], ["bar." + c for c in "vx vy vz wx wy wz".split()])
        self.assertEqual(len(e["rows"]), 5)
        self.assertEqual(e["M"], [[(1 if i < 3 else 0.1) * (i == k) for k in range(6)] for i in range(6)])
        inverse = [1, 1, 1, 10, 10, 10]
        for i, row in enumerate(e["J"]):
            for k, other in enumerate(e["J"]):
                want = sum(a * m * b for a, m, b in zip(row, inverse, other))
                self.assertAlmostEqual(e["K"][i][k], want, delta=1e-12)
        self.assertEqual([abs(b) for b in e["b"]], [0] * 5)
        third = self.model(PENDULUM.replace("mass: 1", "mass: 0.333333333333333"))
        self.assertIn("0.333333,", self.ok("inspect", third))  # short, unless asked otherwise
        self.assertIn("0.33333333333333298,", self.ok("inspect", third, "--digits", "17"))
        self.assertIn("0.33,", self.ok("inspect", third, "--digits", "2"))

    def test_couplings_are_inspected_and_checked(self):
        """Two equal gears: K = 1/I_b + r^2 / I_a in all four places, and one row too many."""
        path = self.model(TWO_GEARS)
        e = json.loads(self.ok("inspect", path, "--digits", "17"))
        self.assertEqual(e["rows"][-2:], ["first.value", "second.value"])
        for row in e["K"][-2:]:
            for value in row[-2:]:
                self.assertAlmostEqual(value, 1 / 0.5 + 9 / 0.25, delta=1e-12)
        one = json.loads(self.ok("inspect", path, "--joint", "second"))
        self.assertEqual(one["rows"], ["second.value"])
        report = json.loads(self.ok("check", "--json", path))
        self.assertEqual((report["couplings"], report["rank"], report["redundant"], report["dof"]), (2, 11, 1, 1))
        analysis = report["analysis"]
        self.assertEqual((analysis["couplings"], analysis["dof"], analysis["redundant"]), (2, 1, 1))
        self.assertEqual(analysis["dependent_rows"][0]["joint"], "second")
        self.assertEqual([term["joint"] for term in analysis["dependent_rows"][0]["terms"]], ["first"])
        self.assertEqual(analysis["indeterminate"], ["first.force", "second.force"])
        text = self.ok("check", path)
        self.assertIn("coupling 'second' repeats first", text)
        self.assertIn("leave out coupling 'second'", text)

    def test_inspect_one_joint(self):
        path = EXAMPLES / "double_pendulum.yaml"
        e = json.loads(self.ok("inspect", path, "--joint", "elbow"))
        self.assertEqual(len(e["rows"]), 5)
        self.assertTrue(all(row.startswith("elbow.") for row in e["rows"]))
        self.assertIn("elbow", self.fails(1, "inspect", path, "--joint", "elbw"))

    def test_joints_catalogue(self):
        text = self.ok("joints")
        for name in ("hinge", "revolute", "slider", "cylindrical", "spherical", "solid"):
            self.assertIn(name, text)
        self.assertIn("theta", self.ok("joints", "revolute"))
        self.assertIn("hinge", self.fails(1, "joints", "hinje"))

    def test_messages_are_explained(self):
        """The page of messages and what the tool prints are one text; a message of the page is one that the sources have."""
        page, events = ((ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8") for name in ("messages", "summary"))
        of_events = re.findall("^### (.*)", events, flags=re.M)
        entries = dict(part.split("\n", 1) for part in re.split("^### ", re.sub("^## .*?(?=^### )", "", page, flags=re.M | re.S),
                                                                flags=re.M)[1:])
        self.assertGreater(len(entries), 30)
        self.assertEqual(self.ok("explain").splitlines(), list(entries) + of_events)
        literal, said = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'), []
        for path in [*(ROOT / "src").rglob("*.c"), *(ROOT / "tool").rglob("*.c")]:
            said += ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)) for one in literal.findall(path.read_text(encoding="utf-8"))]
        printed = " ".join("".join(self.ok("explain", part) for part in ("TN_ERROR_", "...", "velocities did not fit")).split())
        for title, text in entries.items():
            with self.subTest(title):
                plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.replace("`", ""))
                told = [" ".join(one.split()) for one in re.split("^- ", plain, flags=re.M)]
                self.assertEqual([one.split(":")[0] for one in told[1:]], ["What", "Where", "Why", "Do"])
                words = [title, told[0].strip("*."), *(re.sub("^(What|Where|Why|Do): ", r"\1 ", one) for one in told[1:])]
                self.assertIn(" ".join(one for one in words if one), printed)
                if not title.startswith("TN_"):
                    self.assertTrue(any(re.search(".*".join(map(re.escape, title.split("..."))), one) for one in said), title)
        for code in ("load", "Singular"):  # words of other messages too
            self.assertEqual(self.ok("explain", code).count("What"), 1)
        model = self.model("tenon: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                           "joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}}\n")
        warning = re.search("warning: (.*)", tenon("check", model).stderr)[1]
        self.assertIn("a joint of type free says that it is meant", " ".join(self.ok("explain", warning).split()))
        self.assertEqual(self.ok("explain", "CANNOT GO").count("Do "), 1)
        self.assertIn("TN_ERROR_STIFF", self.fails(1, "explain", "TN_ERROR_STTIFF"))

    def test_events_are_explained(self):
        """Every event of the library and of runs, as the summary prints it."""
        header = (ROOT / "include" / "tenon" / "sim.h").read_text(encoding="utf-8")
        names = re.findall(r'X\(TN_EVENT_\w+, "([^"]+)"\)', header)
        own = (ROOT / "tool" / "runs" / "run_events.c").read_text(encoding="utf-8")
        names += re.findall(r'\[RUN_EVENT_\w+\] = "([^"]+)"', own)
        self.assertGreaterEqual(len(names), 14)
        for name in names:
            with self.subTest(name):
                self.assertTrue(self.ok("explain", f"  event        {name}: joint.z at 0.5 s, and 3 more").startswith(f"{name}\n  What   "))
        self.assertIn("'tenon explain' lists all", self.fails(1, "explain", "nothing of the kind"))

    def test_schema_is_json(self):
        schema = json.loads(self.ok("schema"))
        self.assertIn("joints", schema["properties"])

    def test_every_example_runs(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            with self.subTest(path.name):
                report = self.report(path, "--time", "0.05")
                self.assertEqual(report["status"], "ok")
                self.assertEqual(report["fallbacks"], 0)
                self.assertLess(report["max_angle_error"], 1e-9)

    def test_formulas_without_a_value_are_named(self):
        """sqrt(1 - t) and the like have none after 1 s: nothing that they move is off, or elsewhere, without a word."""
        acts = {"motor": 'motor: {theta: {speed: "=sqrt(1-t)", max_force: 5}}',
                "tracking motor": 'motor: {theta: {speed: "=sqrt(1-t)"}}',
                "position motor": 'motor: {theta: {position: "=sqrt(1-t)", time_constant: 0.1, max_force: 5}}',
                "drive": 'drive: {theta: {position: "=(1-t)^2.5"}}',
                "rest": 'spring: {theta: {stiffness: 5, rest: "=(1-t)^1.5"}}'}
        for name, act in acts.items():
            path = self.folder / "m.yaml"
            path.write_text("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\njoints:\n"
                            f"  j: {{type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], {act}}}\n")
            for method in ("generalized_alpha", "backward_euler", "constrained_backward_euler", "dormand_prince"):
                with self.subTest(name, method=method):
                    run = tenon("run", path, "--time", "2", "--step", "0.01", "--integrator", method, "--quiet")
                    self.assertEqual(run.returncode, 2)
                    self.assertRegex(run.stderr, r"failed at t = (1|0\.9\d*) s: .*joint j")


if __name__ == "__main__":
    unittest.main(verbosity=1)
