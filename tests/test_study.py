#!/usr/bin/env python3
"""tenon study as its users call it. Results against the four-bar's closed form and against `tenon run`;
the same bytes from any number of processes, of mpirun too, interrupted and gone on with; what goes wrong."""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.path.abspath(os.environ.get("TENON", str(ROOT / "build" / "tenon")))
STUDIES = ROOT / "examples" / "studies"
# Of a study that is killed on its way: sanitizers make each case ten times as long.
FEW = os.environ.get("TENON_FEW") == "1"
SOME, MORE = (250, 500) if FEW else (1000, 2000)
# Open MPI as root, on fewer cores than processes, without a network
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm_rsh_agent": "false",
       "OMPI_MCA_odls_base_sigkill_timeout": "10",  # s that mpirun waits, always, for the others to end
       "ASAN_OPTIONS": "detect_leaks=0"}  # Open MPI keeps memory to its end; leaks are looked for without it

PENDULUM = """tenon: 1
name: pendulum
gravity: [0, 0, -9.81]
parameters: {length: 1 m, mass: 1 kg, side: [1, 2, 3], turns: 2}
bodies: {bob: {position: [=length, 0, 0], mass: =mass, inertia: [0.01, 0.01, 0.01]}}
joints: {pivot: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: [-10, 10]}}}
markers: {tip: {body: bob, position: [0, 0, 0]}}
measures: {tip: {marker: tip}, pull: {reaction: pivot, quantity: force, component: magnitude}}
simulation: {step: 5 ms, duration: 0.5 s}
"""


def rows_of(path):
    with open(path) as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return [{name: float(v) if v else math.nan for name, v in row.items()} for row in rows]


def children(pid):
    return [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def point_of(case, angle):
    """The coupler point at a crank angle, and the angle between coupler and rocker's pins."""
    ax, ay = case["crank"] * math.cos(angle), case["crank"] * math.sin(angle)
    dx, dy = case["ground_x"] - ax, case["ground_y"] - ay
    rocker, far = math.hypot(case["rocker"], case["pin_offset"]), math.hypot(dx, dy)
    alpha = math.acos((case["coupler"]**2 + far**2 - rocker**2) / (2 * case["coupler"] * far)) + math.atan2(dy, dx)
    along, beside = case["point_along"], case["point_beside"]
    point = (ax + along * math.cos(alpha) - beside * math.sin(alpha), ay + along * math.sin(alpha) + beside * math.cos(alpha))
    mu = math.acos((case["coupler"]**2 + rocker**2 - far**2) / (2 * case["coupler"] * rocker))
    return point, min(mu, math.pi - mu)


class InFolder(unittest.TestCase):
    """Studies in a folder of the case's own."""

    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def tenon(self, *arguments, prefix=(), **more):
        return subprocess.run([*prefix, TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=self.folder,
                              env={**os.environ, **(MPI if prefix else {})}, **more)

    def write(self, study, model=PENDULUM):
        (self.folder / "pendulum.yaml").write_text(model)
        (self.folder / "s.yaml").write_text("study: 1\nmodel: pendulum.yaml\n" + study)
        return "s.yaml"

    def four_bar(self, samples):
        for name in ("four_bar.yaml", "tolerances.yaml"):
            text = (STUDIES / name).read_text().replace("samples: 1000\n", f"samples: {samples}\n")
            (self.folder / name).write_text(text)
        return "tolerances.yaml"

    def done(self, *arguments, **more):
        run = self.tenon("study", *arguments, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def wait_for_journal(self, name):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if (self.folder / name).exists() and (self.folder / name).stat().st_size > 2000:
                return
            time.sleep(0.01)
        self.fail("no case came")

    def wait_until_free(self, name):
        """Workers of a killed study end with it, but not in the same instant."""
        until = time.monotonic() + 30
        while time.monotonic() < until and subprocess.run(["flock", "-n", self.folder / name, "true"]).returncode != 0:
            time.sleep(0.05)


class Study(InFolder):
    def test_a_case_that_does_not_end(self):
        """It is stopped at the limit and has failed; the others are as without."""
        shaken = PENDULUM.replace("turns: 2", "rate: 1").replace("markers:", "loads: {l: {body: bob, force: [\"=0.01*sin(rate*t)\", 0, 0]}}\nmarkers:")
        shaken = shaken.replace("simulation: {step: 5 ms, duration: 0.5 s}", "simulation: {accuracy: 1.0e-6, duration: 3 s}")
        study = "parameters: {rate: [1, 1.0e+9, 2]}\nsimulation: {duration: 3 s}\nkeep: [tip.x.max]\n"
        start = time.monotonic()
        done = self.tenon("study", self.write(study + "limit: 3 s\n", shaken), "--csv", "t.csv", "--quiet")
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        values = [row["tip.x.max"] for row in rows_of(self.folder / "t.csv")]
        self.assertEqual([math.isnan(value) for value in values], [False, True, False])
        self.assertEqual([row["status"] != 0 for row in rows_of(self.folder / "t.csv")], [False, True, False])
        for wrong in ("0 s", "-1 s", "1 m", "never"):
            done = self.tenon("study", self.write(study + f"limit: {wrong}\n", shaken))
            self.assertEqual(done.returncode, 1, wrong)
            self.assertIn("limit", done.stderr)

    def test_a_model_elsewhere_is_not_read(self):
        (self.folder / "in").mkdir()
        (self.folder / "pendulum.yaml").write_text(PENDULUM)
        for model in ("../pendulum.yaml", "../../../../../etc/passwd", "/etc/passwd"):
            (self.folder / "in" / "s.yaml").write_text(f"study: 1\nmodel: {model}\nsamples: 2\nparameters: {{length: [0.9, 1.1]}}\n")
            done = self.tenon("study", "in/s.yaml")
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("root:", done.stderr)
            if model == "../pendulum.yaml":
                self.assertIn("lies outside of the study's folder", done.stderr)
                again = self.tenon("study", "in/s.yaml", "--allow", ".")
                self.assertNotIn("outside", again.stderr)

    def test_tolerances_of_a_four_bar(self):
        """Every case agrees with the closed form of its lengths."""
        run = self.done(self.four_bar(200), "--csv", "t.csv")
        rows = rows_of(self.folder / "t.csv")
        self.assertEqual(len(rows), 200)
        for row in rows:
            poses = [point_of(row, 2 * math.pi * k / 72) for k in range(73)]
            self.assertAlmostEqual(row["transmission.angle.min"], math.degrees(min(mu for _, mu in poses)), 7)
            self.assertAlmostEqual(row["point.x.min"], min(x for (x, _), _ in poses), 11)
            self.assertAlmostEqual(row["point.x.max"], max(x for (x, _), _ in poses), 11)
            self.assertAlmostEqual(row["point.y.max"], max(y for (_, y), _ in poses), 11)
            self.assertTrue(0.08995 <= row["point_along"] <= 0.09005)
        for name, mean, deviation in [("crank", 0.1, 20e-6), ("ground_x", 0.3, 50e-6)]:
            values = [row[name] for row in rows]
            self.assertLess(abs(sum(values) / 200 - mean), deviation / 50)  # a Latin hypercube
            spread = math.sqrt(sum((v - mean) ** 2 for v in values) / 200)
            self.assertLess(abs(spread / deviation - 1), 0.02)
        self.assertIn("200 cases, 200 of them good", run.stdout)
        self.assertRegex(run.stdout, r"transmission.angle.min +-0\.\d+ +-0\.\d+ +-0\.\d+ +0\.8")  # it goes with the ground's length
        self.assertFalse((self.folder / "tolerances.journal").exists())

    def test_the_same_bytes(self):
        """One process, three, a study killed in the middle and gone on with, a worker killed."""
        study = self.four_bar(SOME)
        self.done(study, "--out", "one.h5", "--jobs", 1)
        whole = (self.folder / "one.h5").read_bytes()
        self.done(study, "--out", "three.h5", "--jobs", 3)
        self.assertEqual((self.folder / "three.h5").read_bytes(), whole)
        for what in ("study", "worker"):
            with self.subTest(killed=what):
                with subprocess.Popen([TENON, "study", study, "--out", "killed.h5", "--jobs", "2"], cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
                    self.wait_for_journal("killed.journal")
                    os.kill(run.pid if what == "study" else children(run.pid)[0], signal.SIGKILL)
                    run.wait(timeout=120)
                if what == "study":
                    self.assertFalse((self.folder / "killed.h5").exists())
                    self.wait_until_free("killed.journal")
                    again = self.done(study, "--out", "killed.h5")
                    self.assertRegex(again.stderr, r"killed.journal: [1-9]\d* cases are there already")
                self.assertEqual((self.folder / "killed.h5").read_bytes(), whole)
                (self.folder / "killed.h5").unlink()

    def test_interrupted(self):
        """Ctrl-C: what is missing is named, the rest is in the file, and the code is the shell's."""
        study = self.four_bar(MORE)
        with subprocess.Popen([TENON, "study", study, "--csv", "part.csv"], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            self.wait_for_journal("tolerances.journal")
            run.send_signal(signal.SIGINT)
            told = run.stderr.read()
        self.assertEqual(run.returncode, 128 + signal.SIGINT)
        missing = int(told.split(f" of {MORE} cases are missing")[0].split()[-1])
        rows = rows_of(self.folder / "part.csv")
        self.assertEqual(sum(row["status"] == -1 for row in rows), missing)
        self.assertTrue(all(math.isnan(row["point.x.min"]) == (row["status"] != 0) for row in rows))
        self.assertTrue((self.folder / "tolerances.journal").exists())

    def test_mpirun_without_mpi(self):
        """Copies of a tenon without MPI would each run the whole study."""
        alone = self.folder / "bin" / "tenon"
        alone.parent.mkdir()
        shutil.copy(TENON, alone)
        run = subprocess.run([alone, "study", self.four_bar(10)], cwd=self.folder, capture_output=True, text=True,
                             env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2"}, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("built without Open MPI", run.stderr)

    def test_simulation_is_that_of_run(self):
        """Statistics of a case are those of `tenon run` with these parameters, bit for bit."""
        study = self.write("parameters: {length: [0.5 m, 0.8 m], mass: {range: {from: 1 kg, to: 3 kg, count: 3}}}\n"
                           "simulation: {duration: 0.3 s}\n"
                           "keep: [tip.x.min, tip.z.rms, pull.max, pull.max_time, pull.mean, pivot.theta.last]\n")
        self.done(study, "--csv", "s.csv")
        rows = rows_of(self.folder / "s.csv")
        self.assertEqual([(row["length"], row["mass"]) for row in rows],
                         [(length, mass) for length in (0.5, 0.8) for mass in (1, 2, 3)])
        for row in rows:
            run = self.tenon("run", "pendulum.yaml", "--time", 0.3, "--set", f"length={row['length']} m", "--set",
                             f"mass={row['mass']} kg", "--quiet", "--report", "-")
            self.assertEqual(run.returncode, 0, run.stderr)
            text = json.dumps(json.loads(run.stdout)["measures"])
            for name in ("tip.x.min", "tip.z.rms", "pull.max", "pull.max_time", "pull.mean"):
                self.assertIn(json.dumps(row[name]), text, name)

    def test_check(self):
        study = self.write("parameters: {length: [1 m, 2 m]}\ncheck: true\n")
        self.done(study, "--csv", "s.csv")
        self.assertEqual([row["dof"] for row in rows_of(self.folder / "s.csv")], [1, 1])

    def test_failures(self):
        """A case that cannot be is recorded with its message, and the others are as they would be alone."""
        study = self.write("parameters: {length: [1 m, 2 m], mass: [1 kg, -1 kg]}\nsimulation:\n")
        run = self.done(study, "--csv", "s.csv")
        self.assertEqual([row["status"] == 0 for row in rows_of(self.folder / "s.csv")], [True, False, True, False])
        self.assertIn("2 failed", run.stdout)
        self.assertRegex(run.stdout, r"case 1: .*mass")
        self.assertIn("2 of 4 cases failed", run.stderr)

    def test_all_failed(self):
        """Nothing came of it: that is no success, and said without a summary too."""
        run = self.tenon("study", self.write("parameters: {mass: [-1 kg, -2 kg]}\nsimulation:\n"), "--quiet")
        self.assertEqual(run.returncode, 2)
        self.assertIn("2 of 2 cases failed", run.stderr)

    def test_one_pose(self):
        """Positions at one value of a coordinate; names of parameters are whole in the summary."""
        run = self.done(self.write("parameters: {length: [1 m, 2 m, 3 m]}\nsweep: {coordinate: pivot, from: 0.1, to: 0.1, count: 1}\n"
                                   "keep: [pivot.theta.last, tip.x.last]\n"), "--csv", "s.csv")
        self.assertEqual([round(row["pivot.theta.last"], 12) for row in rows_of(self.folder / "s.csv")], [0.1] * 3)
        self.assertEqual(len({row["tip.x.last"] for row in rows_of(self.folder / "s.csv")}), 3)
        self.assertRegex(run.stdout, r"correlation of ranks \(-1 \.\. 1\)\n +length\n")

    def test_who_turns_round(self):
        """About the change point: just the linkages fail whose crank and ground are longer than the other two."""
        study = self.four_bar(60)
        path = self.folder / study
        path.write_text(path.read_text().replace("{mean: 100 mm, deviation: 20 um}", "{mean: 200 mm, deviation: 20 um}"))
        run = self.done(study, "--csv", "s.csv")
        rows = rows_of(self.folder / "s.csv")
        for row in rows:
            stretched = math.hypot(row["crank"] + row["ground_x"], row["ground_y"])
            self.assertEqual(row["status"] != 0, stretched > row["coupler"] + math.hypot(row["rocker"], row["pin_offset"]))
        failed = sum(row["status"] != 0 for row in rows)
        self.assertTrue(10 < failed < 50)
        self.assertIn(f"{failed} failed", run.stdout)
        self.assertRegex(run.stdout, r"case \d+: the sweep stops at 1\d\d\.\d+ deg on its way to 180 deg: limited")

    def test_pictures_of_other_kinds_are_refused(self):
        study = self.four_bar(8)
        run = self.tenon("study", study, "--svg", "x.jpg")
        self.assertEqual(run.returncode, 3)
        self.assertIn("the picture would be no '.jpg' file", run.stderr)
        self.assertFalse((self.folder / "x.jpg").exists())

    def test_designs(self):
        for sampling in ("random", "latin_hypercube", "sobol"):
            study = self.write(f"samples: 64\nsampling: {sampling}\nseed: 3\n"
                               "parameters: {length: {uniform: [1 m, 2 m]}, mass: {uniform: [1 kg, 3 kg]}}\ncheck: true\n")
            self.done(study, "--csv", "s.csv")
            lengths = sorted(row["length"] for row in rows_of(self.folder / "s.csv"))
            one_each = all(1 + k / 64 <= value <= 1 + (k + 1) / 64 for k, value in enumerate(lengths))
            self.assertEqual(one_each, sampling != "random")

    def test_indices(self):
        """Ishigami's function, whose indices are known, as a measure."""
        (self.folder / "f.yaml").write_text(PENDULUM.replace("parameters: {", "parameters: {x: 0, y: 0, z: 0, ")
                                            .replace("measures: {", 'measures: {f: "=sin(x)+7*sin(y)^2+0.1*z^4*sin(x)", '))
        uniform = f"{{uniform: [{-math.pi!r}, {math.pi!r}]}}"
        (self.folder / "i.yaml").write_text("study: 1\nmodel: f.yaml\nsamples: 512\nsampling: sobol\nindices: true\n"
                                            f"parameters: {{x: {uniform}, y: {uniform}, z: {uniform}}}\n"
                                            "simulation: {duration: 1 ms, step: 1 ms}\nkeep: [f.last]\n")
        run = self.done("i.yaml", "--csv", "i.csv")
        self.assertEqual(len(rows_of(self.folder / "i.csv")), 5 * 512)
        told = {line.split()[-4]: [float(v) for v in line.split()[-3:]] for line in run.stdout.splitlines()
                if re.match(r" +(f.last +alone|total) ", line)}
        for name, right in (("alone", (0.3139, 0.4424, 0)), ("total", (0.5576, 0.4424, 0.2437))):
            for value, exact in zip(told[name], right):
                self.assertAlmostEqual(value, exact, delta=0.03)

    def test_mistakes(self):
        cases = [("parameters: {lenth: [1 m]}\ncheck: true\n", 3, "did you mean 'length'?"),
                 ("parameters: {length: [1 kg]}\ncheck: true\n", 3, "'length' is in m in the model, not in kg"),
                 ("parameters: {length: [1]}\ncheck: true\n", 3, "not in plain numbers"),
                 ("parameters: {length: [1 m, 2 kg]}\ncheck: true\n", 3, "value before is in m"),
                 ("parameters: {side: [1]}\ncheck: true\n", 3, "is a vector"),
                 ("parameters: {length: {uniform: [2 m, 1 m]}}\nsamples: 3\ncheck: true\n", 3, "the first the smaller"),
                 ("parameters: {length: {normal: {mean: 2 m}}}\nsamples: 3\ncheck: true\n", 3, "needs 'deviation'"),
                 ("parameters: {length: {normal: {mean: 2 m, devation: 1 m}}}\nsamples: 3\ncheck: true\n", 3, "did you mean 'deviation'?"),
                 ("parameters: {length: {table: {values: [1 m], weights: [1, 2]}}}\nsamples: 3\ncheck: true\n", 3, "one for each value"),
                 ("parameters: {length: {uniform: [1 m, 2 m]}}\ncheck: true\n", 3, "how many 'samples'"),
                 ("parameters: {length: {range: {from: 1 m, to: 2 m}}}\ncheck: true\n", 3, "needs 'count'"),
                 ("samples: 4\ncheck: true\n", 3, "there are no samples"),
                 ("indices: true\ncheck: true\n", 3, "there are no indices"),
                 ("indices: false\nparameters: {length: {uniform: [1 m, 2 m]}}\nsamples: 3\ncheck: true\n", 3, "must be true"),
                 ("parameters: {length: [1 m, 2 m], mass: {uniform: [1 kg, 2 kg]}}\nindices: true\nsamples: 3\ncheck: true\n", 3,
                  "'length' is a list or range"),
                 ("check: true\nsimulation:\n", 1, "needs one of"), ("", 1, "needs one of"),
                 ("check: true\nkep: [dof]\n", 4, "did you mean 'keep'?"),
                 ("check: true\nkeep: [dofs]\n", 4, "did you mean 'dof'?"),
                 ("simulation:\nkeep: [tip.x]\n", 4, "must end in what to keep"),
                 ("simulation:\nkeep: [tipp.x.max]\n", 4, "there is no 'tipp.x' to keep"),
                 ("simulation:\nkeep: [transmission.angle.min]\n", 4, "in a sweep only"),
                 ("sweep: {coordinate: pivot, from: 0, to: 1, count: 3}\nkeep: [pull.max]\n", 4, "no speeds, no forces"),
                 ("sweep: {coordinate: pivt, from: 0, to: 1, count: 3}\n", 3, "no coordinate 'pivt'"),
                 ("sweep: {coordinate: pivot, from: 0 m, to: 1, count: 3}\n", 3, "from"),
                 ("parameters: {length: {range: {from: 1 m, to: 2 m, count: 1000000}}, mass: {range: {from: 1 kg, to: 2 kg, count: 1000000}}}\ncheck: true\n",
                  3, "too many")]
        for text, line, told in cases:
            with self.subTest(text):
                run = self.tenon("study", self.write(text))
                self.assertEqual(run.returncode, 1, run.stdout)
                self.assertIn(told, run.stderr)
                self.assertRegex(run.stderr, rf"s\.yaml:{line}:\d+: error")
        self.assertFalse(list(self.folder.glob("*.h5*")) + list(self.folder.glob("*.journal")))
        self.assertEqual(self.tenon("study", "none.yaml").returncode, 1)
        self.assertIn("nothing is written over", self.tenon("study", self.write("check: true\n"), "--out", "pendulum.yaml").stderr)

    def test_formulas_in_a_sweep(self):
        """Over what a pose has; speeds and the time, also through another formula, are refused."""
        self.four_bar(3)
        model = self.folder / "four_bar.yaml"
        formulas = ("measures:\n  lean: =hip.theta - drive.theta\n  high: =point.y + 2*point.x + 0 m\n"
                    "  low: =-high\n  fast: =drive.theta.speed\n  late: =2*fast\n")
        model.write_text(model.read_text().replace("measures:\n", formulas))
        study = ("study: 1\nmodel: four_bar.yaml\nparameters: {crank: [99 mm, 101 mm]}\n"
                 "sweep: {coordinate: drive, from: 0 deg, to: 90 deg, count: 4}\n")
        (self.folder / "f.yaml").write_text(study + "keep: [lean.last, hip.theta.last, drive.theta.last, low.last, point.x.last,"
                                            " point.y.last]\n")
        self.done("f.yaml", "--csv", "f.csv")
        rows = rows_of(self.folder / "f.csv")
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertAlmostEqual(row["drive.theta.last"], 90, 9)
            self.assertAlmostEqual(row["lean.last"], row["hip.theta.last"] - row["drive.theta.last"], 9)
            self.assertAlmostEqual(row["low.last"], -row["point.y.last"] - 2 * row["point.x.last"], 12)
        for name in ("fast", "late"):
            (self.folder / "f.yaml").write_text(study + f"keep: [{name}.max]\n")
            self.assertIn("no speeds, no forces and no time", self.tenon("study", "f.yaml").stderr)

    def test_two_at_once(self):
        study = self.four_bar(MORE)
        with subprocess.Popen([TENON, "study", study, "--quiet"], cwd=self.folder) as run:
            self.wait_for_journal("tolerances.journal")
            second = self.tenon("study", study)
            run.kill()
        self.assertEqual(second.returncode, 1)
        self.assertIn("is at work on it", second.stderr)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_pictures(self):
        self.done(self.four_bar(50), "--svg", "s.svg")
        text = (self.folder / "s.svg").read_text()
        self.assertEqual(text.count("point.x.max (m)"), 2)
        self.assertGreater(text.count("<use"), 100)


if __name__ == "__main__":
    unittest.main()
