#!/usr/bin/env python3
"""What people have, in the page: files and folders dropped on it or chosen together, models of other programs with their
meshes, and the file that `tenon view --watch` follows.
"""
import csv
import http.client
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from desk import Desk, READY, ROOT, TENON, browser, is_ready, tenon

MASS = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"
# an octahedron of 0.2 m: 8 triangles
OBJ = ("v 0 0 .1\nv .1 0 0\nv 0 .1 0\nv -.1 0 0\nv 0 -.1 0\nv 0 0 -.1\n"
       "f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 2\nf 6 3 2\nf 6 4 3\nf 6 5 4\nf 6 2 5\n")
ROBOT = f"""<?xml version='1.0'?>
<robot name='two arms'>
<link name='base'/>
<link name='upper'>{MASS}<visual><geometry><mesh filename='package://arms/meshes/part.obj'/></geometry></visual></link>
<link name='lower'>{MASS}<visual><geometry><mesh filename='package://arms/meshes/part.obj'/></geometry></visual>
<collision><geometry><sphere radius='1'/></geometry></collision></link>
<joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/></joint>
<joint name='elbow' type='revolute'><parent link='upper'/><child link='lower'/><origin xyz='.5 0 0'/><axis xyz='0 1 0'/>
<limit lower='-2' upper='2' effort='10' velocity='1'/></joint>
</robot>
"""
SCENE = "<mujoco model='scene'><include file='arm.xml'/><worldbody><light pos='0 0 3'/></worldbody></mujoco>"
ARM = ("<mujoco model='arm'><asset><mesh name='part' file='part.obj'/></asset><worldbody><body name='arm'>"
       "<joint name='turn' axis='0 1 0'/><geom type='mesh' mesh='part' mass='1'/></body></worldbody></mujoco>")
LEVER = "tenon: 1\nname: lever\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n" \
        "joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"


class Given(Desk):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page.front()
        self.page.run("tenon.load(%s, 'pendulum.yaml', null, [])" % json.dumps((ROOT / "examples" / "pendulum.yaml").read_text(encoding="utf-8")))
        self.page.run("(tenon.tell(''), tenon.files.last = [], tenon.open('joints'))")

    def robot(self):
        """A package as robots come in: a model with a mesh in the folder beside its own."""
        package = self.folder / "arms"
        (package / "urdf").mkdir(parents=True)
        (package / "meshes").mkdir()
        (package / "package.xml").write_text("<package><name>arms</name></package>", encoding="utf-8")
        (package / "meshes" / "part.obj").write_text(OBJ, encoding="utf-8")
        (package / "urdf" / "arms.urdf").write_text(ROBOT, encoding="utf-8")
        return package

    def drop(self, *paths):
        """As a hand drops files and folders from another window."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.page.call("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})

    def listed(self, page=None):
        return (page or self.page).run("[...document.querySelectorAll('.imported:not([hidden]) li')].map((one) => one.textContent)")

    def triangles(self, page=None):
        return (page or self.page).run("tenon.client.frame(tenon.wish(true)).then(({ list }) => list.triangles.length / 3)")

    def state_at(self, time_wanted, page=None):
        """Coordinates of all joints, simulated to a time."""
        return (page or self.page).run(f"""tenon.client.run({time_wanted}, tenon.wish(true)).then((frame) =>
            [tenon.model.joints.map((one) => one.name), [...frame.coordinates]])""")

    def test_a_folder_with_a_robot(self):
        """The text is that of `tenon import`, the motion that of `tenon run`, what is lost is listed by lines, meshes stay."""
        package = self.robot()
        self.drop(package)
        self.page.wait("tenon.name === 'arms.yaml' && tenon.model?.name === 'two arms'")
        text = self.page.run("tenon.source")
        run = tenon("import", package / "urdf" / "arms.urdf", "--out", self.folder / "arms.yaml")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(text, (self.folder / "arms.yaml").read_text(encoding="utf-8"))
        self.page.wait("document.querySelector('.message:not([hidden])')?.textContent.startsWith('arms.urdf is read')")
        for line in re.findall(r"arms\.urdf:\d+:\d+: \w+: (.*)", run.stderr):
            self.assertTrue(any(line in one for one in self.listed()), line)
        self.assertTrue(any(one.startswith("arms.urdf:6:1: 'collision' of 'link' is not carried over") for one in self.listed()),
                        self.listed())
        self.assertEqual(self.triangles(), 16)
        run = tenon("run", package / "urdf" / "arms.urdf", "--time", 0.5, "--every", 0.5, "--csv", self.folder / "m.csv", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(self.folder / "m.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        names, values = self.state_at(0.5)
        for k, name in enumerate(names):
            self.assertAlmostEqual(values[6 * k], float(rows[-1][f"{name}.theta"]), delta=1e-11)
        # the page that is saved has them too, and so has a link
        self.keep_downloads()
        self.click(".tabs button, [role=tab]", "Out")
        html = self.taken("button", "This page")
        (self.folder / "kept.html").write_text(html, encoding="utf-8")
        link = self.page.run("tenon.files.link()")
        kept = self.browser.page(self.folder / "kept.html")
        self.addCleanup(kept.close)
        is_ready(kept)
        self.assertEqual(self.triangles(kept), 16)
        self.assertEqual(kept.messages, [])
        kept.close()
        other = self.browser.page(None, width=800, height=500)
        self.addCleanup(other.close)
        other.call("Page.navigate", {"url": link})
        other.wait(READY)
        self.assertEqual(self.triangles(other), 16)
        # kept by the browser after a crash
        self.page.wait("tenon.files.draft()?.text === tenon.source")
        self.page.run("tenon.load('tenon: 1\\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\\n', 'other.yaml')")
        self.click("#start")
        self.click("#start-again")
        self.page.wait("tenon.model?.name === 'two arms'")
        self.assertEqual(self.triangles(), 16)
        self.assertEqual(self.page.messages, [])

    def test_meshes_may_come_later(self):
        package = self.robot()
        self.drop(package / "urdf" / "arms.urdf")
        self.page.wait("tenon.model?.name === 'two arms'")
        self.assertEqual(self.triangles(), 0)
        self.assertTrue(any("part.obj" in one for one in self.listed()), self.listed())
        self.drop(package / "meshes" / "part.obj")
        self.page.wait("tenon.brought.length === 1")
        self.page.wait("tenon.model?.name === 'two arms'")
        self.assertEqual(self.triangles(), 16)
        # and are drawn with, as any body: the text can be changed
        self.page.run("tenon.change(tenon.source.replace('two arms', 'three'))")
        self.page.wait("tenon.model?.name === 'three'")
        self.assertEqual(self.triangles(), 16)
        self.assertEqual(self.page.messages, [])

    def test_a_robot_that_is_read_otherwise(self):
        """What a hint says of `--set` is a button: a link that stands on the ground is free then, as the tool has it."""
        robot = self.folder / "box.urdf"
        robot.write_text(f"<robot name='box'><link name='box'>{MASS}</link></robot>", encoding="utf-8")
        self.drop(robot)
        self.page.wait("tenon.model?.name === 'box'")
        self.assertTrue(any("stands on the ground" in one for one in self.listed()), self.listed())
        self.page.run("tenon.open('text')")
        self.page.run("document.querySelector('.imported').open = true")
        self.settle() # the text is laid out: the button stays where it is
        self.click(".imported button", "read it with root=free")
        wanted = tenon("import", robot, "--set", "root=free", "--out", self.folder / "free.yaml")
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        self.page.wait("!document.querySelector('.imported li')?.textContent.includes('stands on the ground')")
        self.settle()
        self.assertEqual(self.page.run("tenon.source"), (self.folder / "free.yaml").read_text(encoding="utf-8"))

    def test_a_scene_with_the_robot_that_it_includes(self):
        for name, text in (("scene.xml", SCENE), ("arm.xml", ARM), ("part.obj", OBJ)):
            (self.folder / name).write_text(text, encoding="utf-8")
        self.drop(*[self.folder / name for name in ("arm.xml", "part.obj", "scene.xml")])
        self.page.wait("tenon.name === 'scene.yaml' && tenon.model")
        self.assertEqual(self.page.run("tenon.model.joints.map((one) => one.name)"), ["turn"])
        self.assertGreater(self.triangles(), 7)
        self.assertTrue(any("light" in one for one in self.listed()), self.listed())
        self.assertEqual(self.page.messages, [])

    def test_which_of_two_models(self):
        (self.folder / "one.yaml").write_text(LEVER.replace("lever", "one"), encoding="utf-8")
        (self.folder / "two.yaml").write_text(LEVER.replace("lever", "two"), encoding="utf-8")
        self.drop(self.folder / "one.yaml", self.folder / "two.yaml")
        self.page.wait("document.querySelector('dialog.choose')?.open")
        self.click("dialog.choose button", "two.yaml")
        self.page.wait("tenon.model?.name === 'two'")
        self.page.wait("!document.querySelector('dialog.choose')")

    def test_a_model_of_tenon_with_its_mesh(self):
        """In its folder, and all in one heap."""
        (self.folder / "set" / "meshes").mkdir(parents=True)
        (self.folder / "set" / "meshes" / "part.obj").write_text(OBJ, encoding="utf-8")
        model = self.folder / "set" / "lever.yaml"
        model.write_text(LEVER.replace("mass: 1, inertia: [1, 1, 1]", "density: 1000, shapes: [mesh: {file: meshes/part.obj}]"),
                         encoding="utf-8")
        for k, paths in enumerate(([self.folder / "set"], [model, self.folder / "set" / "meshes" / "part.obj"])):
            self.page.run("tenon.load('tenon: 1\\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\\n', 'other.yaml')")
            self.drop(*paths)
            self.page.wait("tenon.name === 'lever.yaml' && tenon.model?.name === 'lever'")
            self.assertEqual(self.triangles(), 8, k)
            self.assertAlmostEqual(self.page.run("tenon.model.bodies[0].mass"), 4 / 3, places=9)

    def test_chosen_together(self):
        """New, Open: several files of one dialog."""
        package = self.robot()
        self.page.run("(window.showOpenFilePicker = undefined, 0)")
        self.page.call("Page.setInterceptFileChooserDialog", {"enabled": True})
        chosen = {}
        heard = self.page.event

        def event(method, params):
            if method == "Page.fileChooserOpened":
                chosen.update(params)
            heard(method, params)

        self.page.event = event
        self.addCleanup(setattr, self.page, "event", heard)
        self.click("#start")
        self.click("#start-open")
        for _ in range(100):
            self.page.run("0")
            if chosen:
                break
            time.sleep(0.05)
        self.assertEqual(chosen["mode"], "selectMultiple")
        self.page.call("DOM.setFileInputFiles", {"backendNodeId": chosen["backendNodeId"],
                                                 "files": [str(package / "urdf" / "arms.urdf"), str(package / "meshes" / "part.obj")]})
        self.page.wait("tenon.model?.name === 'two arms'")
        self.assertEqual(self.triangles(), 16)

    def test_pasted_into_the_text(self):
        self.click(".tabs button, [role=tab]", "Text")
        self.page.wait("document.querySelector('.cm-content')")
        self.click(".cm-content")
        self.page.key("a", code="KeyA", windowsVirtualKeyCode=65, modifiers=2, commands=["selectAll"])
        self.page.call("Input.insertText", {"text": ROBOT.replace("package://arms/meshes/part.obj", "part.obj")})
        self.page.wait("tenon.model?.name === 'two arms' && tenon.source.startsWith('tenon: 1')")
        self.page.wait("document.querySelector('.cm-content').textContent.includes('tenon: 1')")
        self.assertTrue(any("'effort' of 'limit' is not carried over" in one for one in self.listed()), self.listed())

    def test_hostile_xml(self):
        """Limits hold as in the tool; what is shown stays; names are texts."""
        evil = "<img src=x onerror=hacked=1>"
        cases = {"bomb.urdf": "<!DOCTYPE r [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]><robot name='&c;'/>",
                 "file.urdf": "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot name='&a;'/>",
                 "other.urdf": "<!DOCTYPE r SYSTEM 'http://127.0.0.1/r.dtd'><robot name='&a;'/>",
                 "deep.urdf": "<robot name='r'>" + "<a>" * 100000,
                 "crowd.urdf": "<robot " + " ".join(f"a{k}=''" for k in range(50000)) + "/>",
                 "many.urdf": "<robot name='r'>" + "<link/>" * 1000001 + "</robot>",
                 "cut.urdf": "<robot name='r'><link name='a'>", "blank.urdf": " ",
                 "names.urdf": ROBOT.replace("two arms", evil.replace("<", "&lt;").replace(">", "&gt;"))
                 .replace("axis xyz='0 1 0'", "axis xyz='0 1 x'").replace("name='elbow'", f"name='{evil.replace('<', '&lt;')}'")}
        wanted = {"bomb.urdf": "declares entities", "file.urdf": "declares entities", "other.urdf": "names another file",
                  "deep.urdf": "more than 256 deep", "crowd.urdf": "more than 1000 attributes", "many.urdf": "more than 1000000 elements",
                  "cut.urdf": "ends before 'link'", "blank.urdf": "", "names.urdf": "must be 3 numbers"}
        for name, text in cases.items():
            (self.folder / name).write_text(text, encoding="utf-8")
            self.drop(self.folder / name)
            self.page.wait(f"document.querySelector('.message:not([hidden])')?.textContent.startsWith({json.dumps(name)})")
            self.assertIn(wanted[name], self.said())
            self.assertEqual(self.page.run("tenon.model.name"), "pendulum", name)
        run = tenon("check", self.folder / "names.urdf")
        self.assertEqual(len(self.listed()), len(re.findall(r": (?:error|warning|note): ", run.stderr)))
        self.assertFalse(self.page.run("typeof hacked !== 'undefined'"))
        self.assertEqual(self.page.messages, [])


class Watched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "lever.yaml"
        self.model.write_text(LEVER, encoding="utf-8")

    def watch(self, *options):
        self.tool = subprocess.Popen([TENON, "view", "--watch", str(self.model), *options], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.tool.stdout.close)
        self.addCleanup(self.tool.stderr.close)
        self.addCleanup(self.tool.wait)
        self.addCleanup(self.tool.kill)
        url = self.tool.stdout.readline().split(": open it")[0]
        self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
        return url

    def ask(self, url, path=None, method="GET", host=None):
        parts = urllib.parse.urlsplit(url)
        link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
        link.request(method, parts.path if path is None else path, headers={"Host": host or parts.netloc})
        answer = link.getresponse()
        body = answer.read()
        link.close()
        return answer.status, body, answer

    def test_the_page_follows_the_file(self):
        url = self.watch()
        page = self.browser.page(None, width=900, height=600)
        self.addCleanup(page.close)
        page.call("Page.navigate", {"url": url})
        page.wait(READY)
        page.run("tenon.tour.end()")
        self.assertIn("follows lever.yaml", page.run("document.querySelector('header').textContent"))
        page.run("tenon.play()")
        self.model.write_text(LEVER.replace("[1, 0, 0]", "[2, 0, 0]"), encoding="utf-8")
        page.wait("tenon.source.includes('[2, 0, 0]') && tenon.playing", 5)
        # mistakes: told with their line, the last good model stays
        self.model.write_text(LEVER.replace("type: hinge", "type: hinges"), encoding="utf-8")
        page.wait("document.querySelector('.message:not([hidden])')?.textContent.startsWith('lever.yaml:4:')", 5)
        self.assertTrue(page.run("tenon.source.includes('[2, 0, 0]') && tenon.model.name === 'lever'"))
        self.assertIn("What is wrong with lever.yaml", page.run("document.querySelector('.imported').textContent"))
        # written by renaming, as editors do
        (self.folder / "new").write_text(LEVER.replace("[1, 0, 0]", "[3, 0, 0]"), encoding="utf-8")
        (self.folder / "new").rename(self.model)
        page.wait("tenon.source.includes('[3, 0, 0]') && document.querySelector('.message').hidden", 5)
        self.assertTrue(page.run("document.querySelector('.imported').hidden"))
        # gone for a while
        self.model.unlink()
        page.wait("document.querySelector('.message:not([hidden])')?.textContent.startsWith('lever.yaml')", 5)
        self.model.write_text(LEVER, encoding="utf-8")
        page.wait("tenon.source.includes('[1, 0, 0]')", 5)
        # undo brings the text of before
        page.run("tenon.undo()")
        page.wait("tenon.source.includes('[3, 0, 0]')")
        # nothing but its own server is asked; Ctrl-C ends it at once, and the page says so
        self.assertEqual([one for one in page.messages if url not in one], [])
        self.tool.send_signal(signal.SIGINT)
        begun = time.time()
        self.assertEqual(self.tool.wait(5), 130)
        self.assertLess(time.time() - begun, 0.5)
        page.wait("document.querySelector('.message:not([hidden])')?.textContent.includes('has ended')", 5)

    def test_files_that_the_model_reads(self):
        """A mesh and a URDF that names it: both are followed."""
        (self.folder / "part.obj").write_text(OBJ, encoding="utf-8")
        self.model = self.folder / "arms.urdf"
        self.model.write_text(ROBOT.replace("package://arms/meshes/", ""), encoding="utf-8")
        url = self.watch()
        page = self.browser.page(None, width=900, height=600)
        self.addCleanup(page.close)
        page.call("Page.navigate", {"url": url})
        page.wait(READY)
        count = "tenon.client.frame(tenon.wish(true)).then(({ list }) => list.triangles.length / 3)"
        self.assertEqual(page.run(count), 16)
        (self.folder / "part.obj").write_text(OBJ.replace("v 0 0 .1", "v 0 0 .3"), encoding="utf-8")
        top = "tenon.client.frame(tenon.wish(true)).then(({ list }) => Math.max(...list.points))"
        page.wait(f"{top}.then((it) => it > 0.29)", 5)
        self.model.write_text(self.model.read_text(encoding="utf-8").replace("two arms", "two others"), encoding="utf-8")
        page.wait("tenon.model?.name === 'two others'", 5)

    def test_only_its_own_page_is_answered(self):
        url = self.watch()
        code, body, answer = self.ask(url)
        self.assertEqual(code, 200)
        self.assertIn(b"connect-src 'self'", body)
        self.assertNotIn(b"connect-src 'none'", body)
        self.assertEqual(answer.getheader("Cross-Origin-Resource-Policy"), "same-origin")
        self.assertIsNone(answer.getheader("Access-Control-Allow-Origin"))
        path, port = urllib.parse.urlsplit(url).path, urllib.parse.urlsplit(url).port
        self.assertEqual(self.ask(url, path + "model?1")[0], 204)
        self.assertEqual(json.loads(self.ask(url, path + "model?0")[1])["number"], 1)
        for code, wrong in ((404, {"path": "/"}), (404, {"path": "/" + "0" * 32 + "/"}), (404, {"path": path + "../etc/passwd"}),
                            (405, {"method": "POST"}), (403, {"host": f"evil.example:{port}"}), (403, {"host": "localhost"})):
            self.assertEqual(self.ask(url, **wrong)[0], code, wrong)
        # nobody else on the network: bound to the loopback alone
        with open("/proc/net/tcp", encoding="ascii") as table:
            bound = [line.split()[1] for line in table if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"]
        self.assertEqual(bound, [f"0100007F:{port:04X}"])

    def test_connections_that_say_nothing(self):
        """More of them than there are places, and heads without an end: others are answered all the same."""
        import socket
        url = self.watch()
        port, silent = urllib.parse.urlsplit(url).port, []
        for k in range(40):
            one = socket.create_connection(("127.0.0.1", port))
            silent.append(one)
            self.addCleanup(one.close)
            if k % 2:
                one.sendall(b"GET / HTTP/1.1\r\nX: ")
        begun = time.time()
        self.assertEqual(self.ask(url)[0], 200)
        self.assertLess(time.time() - begun, 3)
        try:
            silent[-1].sendall(b"x" * 100000)
        except OSError:
            pass
        self.assertEqual(self.ask(url)[0], 200)

    def test_what_it_refuses(self):
        for options in (["--out", "x.html"], ["--recording", "x.csv"]):
            run = tenon("view", "--watch", self.model, *options)
            self.assertEqual(run.returncode, 3)
            self.assertIn(options[0], run.stderr)
        self.model.write_text("tenon: 1\nbodies: {a: {mas: 1}}\n", encoding="utf-8")
        run = tenon("view", "--watch", self.model)
        self.assertEqual(run.returncode, 1)
        self.assertIn("lever.yaml:2", run.stderr)


if __name__ == "__main__":
    unittest.main()
