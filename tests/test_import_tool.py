#!/usr/bin/env python3
"""The tool on models of other programs: run, check, view, import; what is told, what is written."""

import base64
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TENON = os.environ.get("TENON", str(Path(__file__).resolve().parent.parent / "build" / "tenon"))
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ARM = EXAMPLES / "arm.urdf"

MASS = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial>"
OBJ = "v 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\nf 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 2\n"


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class ImportTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def robot(self):
        """A folder as robots come in: a model with a mesh in the folder beside its own."""
        (self.folder / "robot" / "urdf").mkdir(parents=True)
        (self.folder / "robot" / "meshes").mkdir()
        (self.folder / "robot" / "meshes" / "part.obj").write_text(OBJ)
        path = self.folder / "robot" / "urdf" / "robot.urdf"
        path.write_text(f"<robot name='r'><link name='a'>{MASS}<visual><geometry><mesh "
                        "filename='package://robot/meshes/part.obj'/></geometry></visual></link></robot>")
        return path

    def test_check_and_run(self):
        run = tenon("check", ARM)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("degrees of freedom  7", run.stdout)
        self.assertIn("arm.urdf:17:5: note: 'collision' of 'link' is not carried over", run.stderr)
        run = tenon("run", ARM, "--time", "0.1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("within the requested accuracy", run.stdout)

    def test_grippers_start_closed(self):
        """At the lower end of its range, 0, where every joint of such a file starts: nothing to warn of."""
        path = self.folder / "gripper.urdf"
        path.write_text(f"<robot name='g'><link name='a'>{MASS}</link><link name='b'>{MASS}</link><joint name='j' type='prismatic'>"
                        "<parent link='a'/><child link='b'/><axis xyz='0 1 0'/><limit lower='0' upper='0.03' effort='1' velocity='1'/>"
                        "</joint></robot>")
        run = tenon("check", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("warning", run.stderr)

    def test_what_is_written_runs_the_same(self):
        out = self.folder / "arm.yaml"
        run = tenon("import", ARM, "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = []
        for model in (ARM, out):
            csv = self.folder / "motion.csv"
            self.assertEqual(tenon("run", model, "--time", "0.3", "--csv", csv).returncode, 0)
            rows.append(csv.read_text())
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(tenon("import", ARM).stdout, out.read_text())

    def test_root_may_move(self):
        self.assertIn("degrees of freedom  13", tenon("check", ARM, "--set", "root=free").stdout)
        run = tenon("check", ARM, "--set", "crank=2")
        self.assertEqual(run.returncode, 1)
        self.assertIn("there are: root (ground, free) and massless (kg)", run.stderr)

    def test_meshes_go_along(self):
        path = self.robot()
        out = self.folder / "out"
        out.mkdir()
        run = tenon("import", path, "--out", out / "robot.yaml")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((out / "meshes" / "part.obj").read_text(), OBJ)
        self.assertIn("meshes/part.obj", (out / "robot.yaml").read_text())
        self.assertEqual(tenon("check", out / "robot.yaml").returncode, 0)
        self.assertEqual(tenon("import", path, "--out", out / "robot.yaml").returncode, 0)  # again
        (out / "meshes" / "part.obj").write_text("something else")
        run = tenon("import", path, "--out", out / "robot.yaml")
        self.assertEqual(run.returncode, 1)
        self.assertIn("is another file than the mesh that belongs there", run.stderr)
        self.assertEqual((out / "meshes" / "part.obj").read_text(), "something else")

    def test_view_shows_the_model_with_its_meshes(self):
        out = self.folder / "page.html"
        run = tenon("view", self.robot(), "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        data = json.loads(re.search(r'type="application/json"[^>]*>(.*?)</script>', out.read_text(encoding="utf-8"),
                                    re.DOTALL).group(1))
        self.assertTrue(data["text"].startswith("tenon: 1"))
        again = self.folder / "page" / data["name"]  # the page reads its text under that name
        meshes = {name: base64.b64decode(bytes64) for name, bytes64 in data["files"].items()}
        for name, content in {data["name"]: data["text"].encode(), **meshes}.items():
            (again.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (again.parent / name).write_bytes(content)
        self.assertEqual(tenon("check", again).returncode, 0)
        self.assertEqual(list(data["files"]), ["meshes/part.obj"])

    def test_meshes_elsewhere_are_not_read(self):
        path = self.robot()
        (self.folder / "secret.obj").write_text(OBJ)
        (self.folder / "robot" / "meshes" / "part.obj").unlink()
        (self.folder / "robot" / "meshes" / "part.obj").symlink_to(self.folder / "secret.obj")
        run = tenon("check", path)
        self.assertIn("lies outside of the model's folder and package", run.stderr)
        self.assertIn("--allow FOLDER", run.stderr)
        run = tenon("check", path, "--allow", self.folder)
        self.assertNotIn("outside", run.stderr)
        self.assertEqual(tenon("check", path, "--allow", self.folder / "nowhere").returncode, 3)

    def test_notes_are_one_line_a_kind(self):
        geoms = "".join(f"<geom size='1' rgba='1 0 0 1' condim='{i}' contype='1' solref='1 1' margin='{i}'/>" for i in range(1, 200))
        path = self.folder / "m.xml"
        path.write_text("<mujoco><option cone='elliptic' iterations='3' jacobian='dense'/><worldbody><body><joint/>"
                        f"{geoms}</body></worldbody><sensor/><keyframe/><contact/></mujoco>")
        run = tenon("check", path)
        self.assertLess(len(run.stderr.splitlines()), 12)
        self.assertIn("bodies do not touch each other here (and 4 more of the kind)", run.stderr)
        self.assertIn("--notes all", run.stderr)
        every = tenon("check", path, "--notes", "all").stderr
        for name in ("contype", "condim", "margin", "contact", "cone", "rgba", "sensor"):
            self.assertIn(f"'{name}' of", every)
        self.assertEqual(tenon("check", path, "--notes", "some").returncode, 3)

    def test_keyframe(self):
        path = self.folder / "m.xml"
        path.write_text("<mujoco><worldbody><body><joint name='j' range='30 90'/><geom size='1'/></body></worldbody>"
                        "<keyframe><key name='home' qpos='1'/></keyframe></mujoco>")
        self.assertIn("--keyframe 'home' starts inside all ranges", tenon("check", path).stderr)
        out = self.folder / "m.yaml"
        self.assertEqual(tenon("import", path, "--keyframe", "home", "--out", out).returncode, 0)
        self.assertNotIn("outside", tenon("check", out).stderr)
        run = tenon("check", path, "--keyframe", "2")
        self.assertEqual(run.returncode, 1)
        self.assertIn("there is no keyframe '2'", run.stderr)

    def test_names_are_shown_escaped(self):
        path = self.folder / "m.yaml"
        path.write_text('tenon: 1\nname: "x\\e]0;y\\a\\e[2J"\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n')
        for command in ("check", "run"):
            run = tenon(command, path, *(["--time", "0.1"] if command == "run" else []))
            self.assertEqual(run.returncode, 0)
            self.assertNotIn("\x1b", run.stdout + run.stderr)
            self.assertIn("x\\x1b]0;y\\x07\\x1b[2J", run.stdout)
        path.write_text('tenon: 1\n"j\\e[2J": 3\n')
        run = tenon("check", path)
        self.assertNotIn("\x1b", run.stdout + run.stderr)
        # a line end in a name makes no line that looks like a message
        path = self.folder / "m.urdf"
        path.write_text("<robot name='r'><link name='a&#10;m.urdf:1:1: error: all is lost'/></robot>")
        self.assertNotIn("\nm.urdf:1:1: error", tenon("check", path).stderr)

    def test_the_file_itself_is_not_written_over(self):
        path = self.robot()
        text = path.read_text()
        self.assertEqual(tenon("import", path, "--out", path).returncode, 3)
        self.assertEqual(path.read_text(), text)

    def test_werror(self):
        self.assertEqual(tenon("import", ARM, "--werror").returncode, 0)  # notes alone
        skin = self.folder / "s.xml"
        skin.write_text("<mujoco><worldbody><body><joint/><geom size='1' contype='0'/></body></worldbody></mujoco>")
        self.assertEqual(tenon("check", skin, "--werror").returncode, 0)
        path = self.folder / "m.xml"
        path.write_text("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><tendon/></mujoco>")
        self.assertEqual(tenon("import", path).returncode, 0)
        self.assertEqual(tenon("import", path, "--werror").returncode, 1)

    def test_posed(self):
        out = self.folder / "posed.yaml"
        run = tenon("pose", ARM, "--set", "lift.theta=20deg", "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(tenon("check", out).returncode, 0)

    def test_posed_with_meshes_reads_back(self):
        path = self.robot()
        path.write_text(path.read_text().replace("</robot>", f"<link name='b'>{MASS}</link><joint name='j' type='continuous'>"
                                                 "<parent link='a'/><child link='b'/></joint></robot>"))
        plain = self.folder / "plain.yaml"
        self.assertEqual(tenon("import", path, "--out", plain).returncode, 0)
        for i, model in enumerate((path, plain)):
            out = self.folder / f"dir{i}"
            out.mkdir()
            run = tenon("pose", model, "--set", "j.theta=20deg", "--plain", "--out", out / "p.yaml")
            self.assertEqual(run.returncode, 0, run.stderr)
            run = tenon("check", out / "p.yaml")
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_what_is_not_read(self):
        for text, words in (("<sdf/>", "SDF is not read"), ("<robot xmlns:xacro='x'><xacro:include/></robot>", "run xacro first")):
            path = self.folder / "m.urdf"
            path.write_text(text)
            run = tenon("run", path)
            self.assertEqual(run.returncode, 1)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    unittest.main()
