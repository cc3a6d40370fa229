#!/usr/bin/env python3
"""Files: outputs that are inputs are refused, nothing is ever half there, signals end a run in order,
and what is no model ends with a message instead of taking all memory or all time.

TENON names the program.
"""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))

PENDULUM = """tenon: 1
gravity: [0, 0, -10]
bodies:
  bar: {position: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
joints: {pin: {type: hinge, a: bar, b: ground, origin: [0, 0, 0], axis: [0, 1, 0]}}
simulation: {step: 0.01, duration: 1}
"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
MESHED = PENDULUM.replace("mass: 1, inertia: [0.1, 0.1, 0.1]",
                          "mass: 1, shapes: [{mesh: {file: solid.obj}}]")


def tenon(*arguments, **options):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          check=False, **options)


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "model.yaml"
        self.model.write_text(PENDULUM)

    def refused(self, *arguments, cwd=None):
        result = tenon(*arguments, cwd=cwd)
        self.assertEqual(result.returncode, 3, (arguments, result.stderr))
        self.assertNotEqual(result.stderr, "")
        return result.stderr

    def written(self, name):
        """Bytes beside an output that is not complete."""
        return max((path.stat().st_size for path in self.folder.glob(f"{name}.*.part")), default=-1)

    def left_alone(self, *kept):
        """The model as it was, and nothing else but the files named."""
        self.assertEqual(self.model.read_text(), PENDULUM)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"model.yaml", *kept})


class Outputs(FilesTest):
    WAYS = (("run", "--csv"), ("run", "--hdf5"), ("run", "--gltf"), ("run", "--report"), ("draw", "--svg"),
            ("sweep-coordinate", "--csv"), ("pose", "--out"), ("view", "--out"))
    REST = {"sweep-coordinate": ("--joint", "pin.theta", "--from", "0", "--to", "1", "--steps", "3"),
            "pose": ("--set", "pin.theta=1")}

    def test_an_output_that_is_the_model(self):
        (self.folder / "link.yaml").symlink_to(self.model)
        (self.folder / "twin.yaml").hardlink_to(self.model)
        for command, option in self.WAYS:
            for name in ("model.yaml", "./model.yaml", "link.yaml", "twin.yaml", str(self.model)):
                message = self.refused(command, "model.yaml", option, name,
                                       *self.REST.get(command, ()), cwd=self.folder)
                self.assertIn(name, message)
                self.left_alone("link.yaml", "twin.yaml")

    def test_an_output_that_is_a_mesh(self):
        mesh = self.folder / "solid.obj"
        mesh.write_text(TETRAHEDRON)
        self.model.write_text(MESHED)
        self.refused("run", self.model, "--csv", mesh)
        self.refused("run", "model.yaml", "--report", "solid.obj", cwd=self.folder)
        self.assertEqual(mesh.read_text(), TETRAHEDRON)

    def test_an_output_that_is_another_file_of_the_model(self):
        """Included files and tables; a page over the recording it plays."""
        (self.folder / "more.yaml").write_text("tenon: 1\nmarkers:\n  tip: {body: bar}\n")
        (self.folder / "move.csv").write_text("t,y\n0,0\n1,1\n")
        moved = PENDULUM.replace("tenon: 1", "tenon: 1\ninclude: more.yaml").replace(
            "axis: [0, 1, 0]", "axis: [0, 1, 0], drive: {theta: {position: "
            "{csv: {file: move.csv, column: y}}}}")
        self.model.write_text(moved)
        first = tenon("run", "model.yaml", "--quiet", "--csv", "r.csv", cwd=self.folder)
        self.assertEqual(first.returncode, 0, first.stderr)
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for command, option in self.WAYS:
            for name in ("more.yaml", "move.csv"):
                self.refused(command, "model.yaml", option, name, *self.REST.get(command, ()), cwd=self.folder)
        self.refused("view", "model.yaml", "--recording", "r.csv", "--out", "./r.csv", cwd=self.folder)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_two_outputs_to_one_file(self):
        for first, second in (("out", "out"), ("out", "./out"), ("./out", f"{self.folder}/out")):
            for options in (("--csv", "--hdf5"), ("--csv", "--report"), ("--hdf5", "--report")):
                self.refused("run", "model.yaml", options[0], first, options[1], second, cwd=self.folder)
                self.left_alone()
        result = tenon("run", self.model, "--csv", "/dev/null", "--report", "/dev/null", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_files_appear_when_they_are_complete(self):
        """What was there before stays until then, and for good when there is nothing to put there."""
        table, report = self.folder / "a.csv", self.folder / "r.json"
        table.write_text("old")
        report.write_text("old")
        table.chmod(0o640)
        broken = self.folder / "broken.yaml"
        broken.write_text(PENDULUM.replace("hinge", "hinch"))
        self.assertEqual(tenon("run", broken, "--csv", table).returncode, 1)
        self.assertEqual(table.read_text(), "old")
        result = tenon("run", self.model, "--quiet", "--csv", table, "--report", report)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(table.read_text().splitlines()), 103)  # units, names, 101 frames
        self.assertEqual(table.stat().st_mode & 0o777, 0o640)
        self.assertEqual(json.loads(report.read_text())["status"], "ok")
        self.left_alone("a.csv", "r.json", "broken.yaml")

    def test_full_disk_leaves_what_was_there(self):
        """A limit on the size of files stands for the full disk: the posed model cannot be written."""
        target = self.folder / "posed.yaml"
        target.write_text("precious")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        result = tenon("pose", self.model, "--set", "pin.theta=1", "--out", target, preexec_fn=no_room)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cannot be written", result.stderr)
        self.assertEqual(target.read_text(), "precious")
        self.left_alone("posed.yaml")


class Libraries(FilesTest):
    """HDF5 is loaded when a file of it is asked for, and not before: with what it brings it would take most of a start."""

    def loader(self, *arguments, folder=None):
        """The tool where the loader finds a damaged HDF5 library first."""
        environment = dict(os.environ)
        if folder is not None:
            environment["LD_LIBRARY_PATH"] = str(folder)
        return tenon(*arguments, env=environment)

    def test_a_start_loads_few(self):
        told = tenon("version", env=dict(os.environ, LD_TRACE_LOADED_OBJECTS="1")).stdout
        self.assertIn("libfyaml", told)
        for name in ("hdf5", "curl", "crypto", "krb5"):
            self.assertNotIn(name, told)

    def test_without_hdf5(self):
        tool = pathlib.Path(TENON)
        parts = [tool, *tool.parent.glob("lib/libtenon_inside.so")]  # where tests link the library with its insides
        name = re.search(rb"libhdf5[\w.+-]*\.so[.\d]*", b"".join(part.read_bytes() for part in parts)).group().decode()
        table, good, bad = self.folder / "a.csv", self.folder / "a.h5", self.folder / "b.h5"
        self.assertEqual(tenon("run", self.model, "--hdf5", good).returncode, 0)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).write_text("no library\n" * 100)
            without = self.loader("run", self.model, "--csv", table, folder=folder)
            self.assertEqual(without.returncode, 0, without.stderr)
            for result in (self.loader("run", self.model, "--hdf5", bad, folder=folder),
                           self.loader("plot", good, "pin.theta", folder=folder)):
                self.assertNotEqual(result.returncode, 0)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(name, result.stderr)
            self.assertIn(f"{bad}: error: cannot write HDF5: ", self.loader("run", self.model, "--hdf5", bad, folder=folder).stderr)
        self.left_alone("a.csv", "a.h5")



class OneWriter(FilesTest):
    """Every file is written beside its place, under a name of its own, and moved there when it is whole."""

    def test_what_stands_beside_is_not_followed(self):
        victim = self.folder / "victim"
        victim.write_text("precious")
        for name in ("o.csv.part", "o.csv.aaaaaaaa.part"):
            (self.folder / name).symlink_to(victim)
        result = tenon("run", self.model, "--csv", self.folder / "o.csv", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(victim.read_text(), "precious")
        self.left_alone("victim", "o.csv.part", "o.csv.aaaaaaaa.part", "o.csv")

    def test_a_link_stays_one(self):
        (self.folder / "results").mkdir()
        (self.folder / "results" / "1.csv").write_text("old")
        link = self.folder / "last.csv"
        link.symlink_to("results/1.csv")
        result = tenon("run", self.model, "--csv", link, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(link.read_text().splitlines()), 103)
        (self.folder / "nowhere.csv").symlink_to("there/is/none.csv")
        self.assertEqual(tenon("run", self.model, "--csv", self.folder / "nowhere.csv", "--quiet").returncode, 1)

    def test_a_name_as_long_as_names_may_be(self):
        name = "n" * 251 + ".csv"
        result = tenon("run", self.model, "--csv", self.folder / name, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.left_alone(name)

    def test_two_runs_to_one_file(self):
        """The second is refused, in each way of writing; afterwards the file is that of the first."""
        for option, name in (("--csv", "o.csv"), ("--hdf5", "o.h5"), ("--gltf", "o.glb")):
            with subprocess.Popen([TENON, "run", str(self.model), "--quiet", "--time", "1e6", "--every", "0.01", option,
                                   str(self.folder / name)], stderr=subprocess.PIPE, text=True) as first:
                deadline = time.monotonic() + 60
                while self.written(name) < 0 and time.monotonic() < deadline:
                    time.sleep(0.01)
                for way, there in (("--csv", name), (option, name), ("--report", name)):
                    second = tenon("run", self.model, "--quiet", way, self.folder / there)
                    self.assertEqual(second.returncode, 1, second.stderr)
                    self.assertIn("another run is writing it", second.stderr)
                first.send_signal(signal.SIGTERM)
                first.communicate(timeout=60)
            self.assertTrue((self.folder / name).exists())
            self.assertEqual(self.written(name), -1)
            result = tenon("run", self.model, "--quiet", option, self.folder / name)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_many_begin_at_once(self):
        """However they meet, the file is that of one of them, and those that end well have written it."""
        out = self.folder / "o.csv"
        whole = []
        for seconds in ("1", "2"):
            tenon("run", self.model, "--time", seconds, "--csv", out, "--quiet")
            whole.append(out.read_text())
        for _ in range(6):
            runs = [subprocess.Popen([TENON, "run", str(self.model), "--time", seconds, "--csv", str(out), "--quiet"],
                                     stderr=subprocess.DEVNULL) for seconds in ("1", "2", "1", "2")]
            codes = [run.wait(timeout=60) for run in runs]
            self.assertIn(0, codes)
            self.assertLessEqual(set(codes), {0, 1})
            self.assertIn(out.read_text(), whole)
        self.left_alone("o.csv")

    def test_full_disk_and_a_picture(self):
        """gnuplot does not tell that a file could not be written."""
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot")
        table, picture = self.folder / "t.csv", self.folder / "o.svg"
        tenon("run", self.model, "--time", "20", "--csv", table, "--quiet")
        picture.write_text("precious")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        result = tenon("plot", table, "theta", "--out", picture, preexec_fn=no_room)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("o.svg", result.stderr)
        self.assertEqual(picture.read_text(), "precious")
        self.left_alone("t.csv", "o.svg")
        result = tenon("plot", table, "theta", "--out", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(picture.read_text().rstrip().endswith("</svg>"))

    def test_full_disk_and_a_recording(self):
        """What was there stays; what was recorded is beside it, and told."""
        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))

        for option, name in (("--csv", "a.csv"), ("--hdf5", "a.h5"), ("--gltf", "a.glb")):
            out = self.folder / name
            out.write_text("precious")
            result = tenon("run", self.model, "--time", "100", "--every", "0.01", option, out, "--quiet", preexec_fn=no_room)
            self.assertEqual(result.returncode, 1, (name, result.stderr))
            self.assertEqual(out.read_text(), "precious")
            left = [path.name for path in self.folder.glob(f"{name}.*.part")]
            self.assertEqual(len(left), 1)
            self.assertIn(left[0], result.stderr)

    def test_the_journal_of_a_study(self):
        study = self.folder / "t.yaml"
        study.write_text("study: 1\nmodel: model.yaml\nsimulation:\nkeep: [pin.theta.max]\n")
        for option in ("--csv", "--out", "--svg"):
            result = tenon("study", "t.yaml", option, "t.journal", cwd=self.folder)
            self.assertNotEqual(result.returncode, 0)
        self.left_alone("t.yaml")

    def test_a_journal_is_nothing_else(self):
        """It is appended to where it is: a file of another kind, a link, a second name, a pipe stay as they are."""
        victim, journal = self.folder / "victim", self.folder / "t.journal"
        (self.folder / "t.yaml").write_text("study: 1\nmodel: model.yaml\nsimulation:\nkeep: [pin.theta.max]\n")
        old = b"tenon journal 1\n" + bytes(24)

        def refused(words, kept):
            for more in ((), ("--restart",)):
                result = tenon("study", "t.yaml", *more, cwd=self.folder)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertRegex(result.stderr, f"t.journal: {words}")
                self.assertEqual(victim.read_bytes(), kept)
            journal.unlink()

        victim.write_bytes(b"precious")
        journal.write_bytes(b"precious")
        refused("is no journal", b"precious")
        for make in (journal.symlink_to, journal.hardlink_to):
            victim.write_bytes(old)
            make(victim)
            refused("Too many levels of symbolic links|has other names", old)
        os.mkfifo(journal)
        refused("is no journal", old)
        for text in (b"", old[:7], old):  # of a program that was killed as it began; of another study
            journal.write_bytes(text)
            result = tenon("study", "t.yaml", "--quiet", *(("--restart",) if text else ()), cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.left_alone("t.yaml", "t.h5", "victim")

    def test_results_are_plain_files(self):
        """What has no end is refused at once, also a pipe that nobody writes."""
        os.mkfifo(self.folder / "pipe")
        for path in ("/dev/zero", "/dev/random", self.folder / "pipe", self.folder):
            for command in (("plot", path, "x"), ("view", self.model, "--recording", path, "--out", self.folder / "v.html")):
                start = time.monotonic()
                result = tenon(*command)
                self.assertEqual(result.returncode, 1, (command, result.stderr))
                self.assertIn(str(path), result.stderr)
                self.assertLess(time.monotonic() - start, 30)
        with open(self.folder / "large.csv", "wb") as file:
            file.truncate(5 << 30)
        self.assertIn("4 GiB", tenon("plot", self.folder / "large.csv", "x").stderr)
        self.left_alone("pipe", "large.csv")


class Signals(FilesTest):
    def test_every_polite_signal_ends_a_run_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            table, hdf5 = self.folder / "a.csv", self.folder / "a.h5"
            report = self.folder / "r.json"
            with subprocess.Popen([TENON, "run", str(self.model), "--quiet", "--time", "1e6", "--every", "0.01", "--csv",
                                   str(table), "--hdf5", str(hdf5), "--report", str(report)],
                                  stderr=subprocess.PIPE, text=True) as process:
                deadline = time.monotonic() + 60
                while self.written("a.csv") <= 300000 and time.monotonic() < deadline:
                    time.sleep(0.02)
                process.send_signal(number)
                errors = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 128 + number, errors)
            found = json.loads(report.read_text())
            self.assertEqual(found["status"], "interrupted")
            lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            width = lines[0].count(",")
            self.assertTrue(all(line.count(",") == width for line in lines))
            self.assertAlmostEqual(float(lines[-1].split(",")[0]), found["sim_time"], delta=1e-6)
            self.assertEqual(hdf5.read_bytes()[:8], b"\x89HDF\r\n\x1a\n")
            self.assertGreater(hdf5.stat().st_size, 100000)
            self.left_alone("a.csv", "a.h5", "r.json")
            for path in (table, hdf5, report):
                path.unlink()


    FREE = ("tenon: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
            "joints: {j: {type: slider, a: a, origin: [0, 0, 0], axis: [1, 0, 0]}}\n"
            "loads: {l: {body: a, force: ['FORMULA', 0, 0]}}\nsimulation: {duration: 3 s}\n")

    @staticmethod
    def spun():
        """A rod of 64 stiff pieces that is spun up, in steps of 2.5 s: each takes minutes."""
        bodies = "".join(f"  n{k}: {{position: [{0.15625 * k}, 0], mass: 0.1875, inertia: 9.375e-05}}\n" for k in range(1, 65))
        joints = "".join(f"  s{k}: {{type: solid, a: n{k}, b: {f'n{k - 1}' if k > 1 else 'hub'}, origin: [{0.15625 * (k - 0.5)}, 0], "
                         "compliance: [5.6e-09, 1.5625e-08, 1.116e-05], damping: 0}\n" for k in range(1, 65))
        return ("tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n  hub: {position: [0, 0], mass: 1, inertia: 1}\n" + bodies
                + "joints:\n  A: {type: hinge, a: hub, origin: [0, 0], drive: {theta: {position: '=0.4*(t^2/2 + 5.7*(cos(0.42*t) - 1))'}}}\n"
                + joints + "simulation: {integrator: auto, accuracy: 1.0e-7, step: 2.5, duration: 20}\nrecord: {every: 2.5}\n")

    def test_a_signal_within_a_step(self):
        """Steps that take minutes: the run ends within a second or so, rolled back, with what was recorded."""
        shaken = self.FREE.replace("FORMULA", "=sin(1e9*t)")
        for name, text in (("sine", shaken), ("modulo", self.FREE.replace("FORMULA", "=1%(1-t)")), ("spin", self.spun())):
            self.model.write_text(text)
            table, report = self.folder / "a.csv", self.folder / "r.json"
            with subprocess.Popen([TENON, "run", str(self.model), "--quiet", "--csv", str(table), "--report", str(report)],
                                  stderr=subprocess.PIPE, text=True) as process:
                time.sleep(1.0)
                if process.poll() is not None:
                    process.communicate()
                    self.assertNotEqual(name, "sine")
                    continue
                all_before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                process.send_signal(signal.SIGTERM)
                fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
                before = int(fields[11]) / os.sysconf("SC_CLK_TCK")
                errors = process.communicate(timeout=60)[1]
            # a second of the processor's time, three in a build that is not optimised: others use the machine too
            used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - all_before - before
            self.assertLess(used, 3.0, name)
            print(f"\n{name}: ended {used:.2f} s after the signal", file=sys.stderr)
            self.assertEqual(process.returncode, 128 + signal.SIGTERM, (name, errors))
            self.assertEqual(json.loads(report.read_text())["status"], "interrupted")
            self.assertGreaterEqual(len(table.read_text().splitlines()), 3)  # the start is there
            self.assertEqual(self.written("a.csv"), -1)
            table.unlink()
            report.unlink()


class EveryCommand(FilesTest):
    """A signal ends each command at once: exit code 128 + signal, one line, nothing half written."""
    NET = ("tenon: 1\nbodies:\n  n: {repeat: 40000, position: [=index, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
           "joints:\n  h: {repeat: 40000, type: hinge, a: 'n[index]', origin: [=index, 0, 0], axis: [0, 1, 0]}\n")
    # what makes it read or compute for long; the others print, into a pipe that is full
    HEAVY = {"run": ("MODEL", "--time", "1e9", "--csv", "OUT"), "check": ("MODEL",), "inspect": ("MODEL",), "draw": ("MODEL", "--svg", "OUT"),
             "pose": ("MODEL", "--set", "pin.theta=1", "--out", "OUT"), "view": ("MODEL", "--out", "OUT"), "import": ("MODEL", "--out", "OUT"),
             "sweep-coordinate": ("MODEL", "--joint", "pin.theta", "--from", "0", "--to", "1", "--steps", "1e9", "--csv", "OUT"),
             "plot": ("TABLE", "theta", "--out", "PIPE"), "study": ("STUDY", "--out", "OUT"), "parameters": ("MODEL",),
             "completion": ("bash",), "joints": (), "functions": (), "schema": (), "man": (), "version": (), "help": (), "explain": ("STIFF",)}
    IN_ORDER = {"run", "study"}  # end by themselves, with what they have

    def started(self, command, words, model):
        """The command, at work on the model or blocked by what nobody reads."""
        names = {"MODEL": model, "OUT": "out", "TABLE": "table.csv", "PIPE": "pipe.svg", "STUDY": "study.yaml"}
        read, write = os.pipe()
        os.set_blocking(write, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(write, bytes(4096))
        os.set_blocking(write, True)
        process = subprocess.Popen([TENON, command, *(names.get(word, word) for word in words)], cwd=self.folder,
                                   stdout=subprocess.DEVNULL if command in self.IN_ORDER else write, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        os.close(write)
        self.addCleanup(os.close, read)
        self.hears(process)
        return process

    @staticmethod
    def hears(process):
        """It has begun: signals have their handlers."""
        deadline, heard = time.monotonic() + 30, "0"
        while not int(heard, 16) >> (signal.SIGTERM - 1) & 1 and time.monotonic() < deadline:
            heard = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text(), re.M).group(1)

    def ended(self, command, process, number):
        """What it has said."""
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        before, children = int(fields[11]) / os.sysconf("SC_CLK_TCK"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children - before, 1.0, command)
        self.assertEqual(process.returncode, 128 + number, (command, said))
        return said

    def test_all_of_them(self):
        listed = set(re.findall(r"^  ([a-z][a-z-]+) ", tenon("help").stdout, re.M))
        self.assertEqual(listed, set(self.HEAVY))
        out = self.folder / "out"
        (self.folder / "study.yaml").write_text("study: 1\nmodel: model.yaml\nsimulation: {duration: 1e6}\nkeep: [pin.theta.max]\n")
        os.mkfifo(self.folder / "pipe.yaml")
        os.mkfifo(self.folder / "pipe.svg")
        (self.folder / "table.csv").write_text("t,theta\n0,0\n1,1\n")
        model = os.open(self.folder / "pipe.yaml", os.O_RDWR)  # a file that is being written for ever
        self.addCleanup(os.close, model)
        for number, (command, words) in enumerate(self.HEAVY.items()):
            if command == "plot" and shutil.which("gnuplot") is None:
                continue
            computes = command in ("sweep-coordinate", "run")
            polite = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[number % 3]
            out.write_text("precious")
            process = self.started(command, words, "model.yaml" if computes else "pipe.yaml")
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and (self.written("out") <= 0 if computes else not self.sleeps(process)):
                time.sleep(0.01)
            said = self.ended(command, process, polite)
            if command not in self.IN_ORDER:
                self.assertEqual(said, "tenon: interrupted\n", command)
                self.assertEqual(out.read_text(), "precious", command)
            self.assertEqual(self.written("out"), -1, command)

    @staticmethod
    def sleeps(process):
        """It waits for input, or for somebody to read what it says."""
        return pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1][0] == "S"

    def test_while_it_works(self):
        """At any moment of a model that takes a second to read and to count: the file is the old one or the new one."""
        self.model.write_text(self.NET)
        out = self.folder / "out"
        for k, (command, words) in enumerate((name, self.HEAVY[name]) for name in ("check", "inspect", "parameters", "import", "draw", "view", "pose")):
            out.write_text("precious")
            process = self.started(command, words, "model.yaml")
            time.sleep(0.05 + 0.03 * k)
            self.assertEqual(self.ended(command, process, signal.SIGTERM), "tenon: interrupted\n")
            self.assertEqual(out.read_text(), "precious")
            self.assertEqual(self.written("out"), -1)

    def test_ignored_stays_ignored(self):
        """nohup: a model comes through a pipe after the signal."""
        os.mkfifo(self.folder / "pipe.yaml")
        process = subprocess.Popen([TENON, "check", str(self.folder / "pipe.yaml")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.hears(process)
        with open(self.folder / "pipe.yaml", "w", encoding="utf-8") as pipe:
            process.send_signal(signal.SIGHUP)
            pipe.write(PENDULUM)
        self.assertEqual(process.communicate(timeout=60)[1], b"")
        self.assertEqual(process.returncode, 0)


def is_sanitized():
    """Sanitizers map terabytes, which a limit refuses: memory is judged by the plain build alone."""
    cache = pathlib.Path(os.environ.get("TENON_BUILD", ROOT / "build")) / "CMakeCache.txt"
    text = cache.read_text(encoding="utf-8") if cache.exists() else ""
    return re.search(r"^TENON_SANITIZE:BOOL=(ON|TRUE|1)$", text, re.M | re.I) is not None


class NoModel(FilesTest):
    def limited(self, path, megabytes=1500):
        def limit():
            if not is_sanitized():
                resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))

        start = time.monotonic()
        result = tenon("check", path, preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertLess(time.monotonic() - start, 60)
        return result.stderr

    def test_nested_too_deeply(self):
        for text in ("[" * 4000000, "{a: " * 1000000, "- " * 2000000):
            self.model.write_text(text)
            self.assertIn("nested too deeply", self.limited(self.model, 100))

    def test_rows_of_dashes_are_no_depth(self):
        self.model.write_text("# " + "-" * 5000 + "\n" + PENDULUM)
        self.assertEqual(tenon("check", self.model).returncode, 0)

    def test_devices_and_folders(self):
        for path in ("/dev/zero", "/dev/null", self.folder):
            self.assertIn(str(path), self.limited(path, 100))

    def test_a_pipe_without_a_writer(self):
        pipe = self.folder / "pipe.yaml"
        os.mkfifo(pipe)
        self.assertIn("pipe.yaml", self.limited(pipe))
        (self.folder / "solid.obj").symlink_to(pipe)
        self.model.write_text(MESHED)
        self.assertIn("solid.obj", self.limited(self.model))

    def test_a_pipe_with_one(self):
        result = subprocess.run(["bash", "-c", f"'{TENON}' check <(sleep 0.3; cat '{self.model}')"],
                                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.model, encoding="utf-8") as model:
            result = tenon("check", "/dev/stdin", stdin=model)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
