#!/usr/bin/env python3
"""Outlines of other programs in the page: DXF and SVG files become bodies and points, beside areas and places by hand; joints that
are picked in space."""
import json
import math
import re
import tempfile
import unittest
from pathlib import Path

from desk import Desk, ROOT, tenon

# A plate of 80 x 40 mm with rounded ends (bulge 1: half a circle) and two holes, in inches; a disc; what cannot be a body.
DXF = [(0, "SECTION"), (2, "HEADER"), (9, "$INSUNITS"), (70, 1), (0, "ENDSEC"),
       (0, "SECTION"), (2, "BLOCKS"), (0, "BLOCK"), (8, "0"), (2, "hole"), (10, 0), (20, 0),
       (0, "CIRCLE"), (8, "0"), (10, 0), (20, 0), (40, 5 / 25.4), (0, "ENDBLK"), (8, "0"), (0, "ENDSEC"),
       (0, "SECTION"), (2, "ENTITIES"),
       (0, "LWPOLYLINE"), (8, "link"), (90, 4), (70, 1), (10, -40 / 25.4), (20, -20 / 25.4), (10, 40 / 25.4), (20, -20 / 25.4), (42, 1),
       (10, 40 / 25.4), (20, 20 / 25.4), (10, -40 / 25.4), (20, 20 / 25.4), (42, 1),
       (0, "INSERT"), (8, "link"), (2, "hole"), (10, -40 / 25.4), (20, 0),
       (0, "INSERT"), (8, "link"), (2, "hole"), (10, 40 / 25.4), (20, 0), (50, 90),
       (0, "CIRCLE"), (8, "disc"), (10, 150 / 25.4), (20, 0), (40, 20 / 25.4),
       # a triangle of three lines, in no order, one of them backwards
       (0, "LINE"), (8, "0"), (10, 0), (20, 100 / 25.4), (11, 30 / 25.4), (21, 100 / 25.4),
       (0, "LINE"), (8, "0"), (10, 0), (20, 140 / 25.4), (11, 0), (21, 100 / 25.4),
       (0, "LINE"), (8, "0"), (10, 0), (20, 140 / 25.4), (11, 30 / 25.4), (21, 100 / 25.4),
       (0, "LINE"), (8, "0"), (10, 9), (20, 9), (11, 10), (21, 9),
       (0, "TEXT"), (8, "0"), (1, "M8"), (10, 0), (20, 0), (0, "ENDSEC"), (0, "EOF")]

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 400 200">
<script>hacked = 1</script><g id="arm" transform="translate(100 100) rotate(90)">
<path d="M-40-20h80a20 20 0 012 40H-40zM0 0m-6,0a6,6 0 1,0 12,0a6,6 0 1,0 -12,0z"/><circle cx="20" cy="0" r="4"/></g>
<rect id="r1" x="200" y="20" width="60" height="40" rx="10"/><image href="http://127.0.0.1/x.png"/>
<path d="M300 40 C300 95.228 350 95.228 350 40 Z" /><text x="3" y="4">no</text></svg>"""


def dxf(pairs):
    return "".join(f"{code}\r\n{value}\r\n" for code, value in pairs)


class Outlines(Desk):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def begin(self):
        self.page.run("tenon.tell('')")
        self.click("#start")
        self.click("#start-blank")
        self.settle()
        self.assertEqual(self.page.run("[tenon.board.active, tenon.model.bodies.length]"), [True, 0])

    def drop(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        data = {"items": [], "files": [str(self.folder / name)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.page.call("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})
        self.page.wait(f"document.querySelector('.message:not([hidden])')?.textContent.startsWith({json.dumps(name)})")
        return self.said()

    def masses(self):
        """Of each body what the engine weighs, as an area in mm^2 of the thickness that it has in the text."""
        text = self.page.run("tenon.source")
        thick = {name: float(value) for name, value in re.findall(r"^  (\w+): .*(?:height|length): ([\d.]+) mm", text, re.M)}
        return {one["name"]: one["mass"] / 7850e-9 / thick[one["name"]] for one in
                self.page.run("tenon.model.bodies.map(({ name, mass }) => ({ name, mass }))")}

    def points(self):
        return self.page.run("tenon.board.sketch.points.map(({ x, y }) => [1000 * x, 1000 * y])")

    def test_a_dxf_drawing_becomes_bodies(self):
        """In inches, with arcs, blocks and loose lines; holes are points for pins; undone it is the empty drawing."""
        self.begin()
        before = self.page.run("tenon.source")
        said = self.drop("parts.dxf", dxf(DXF))
        self.assertIn("3 bodies, a point in each of 2 round holes", said)
        self.assertIn("Not read: 1 TEXT, 1 open line", said)
        areas = self.masses()
        self.assertEqual(sorted(areas), ["disc1", "link1", "part1"])
        # the straight pieces of an arc leave it by 0.02 mm at most
        self.assertAlmostEqual(areas["link1"], 80 * 40 + math.pi * 20 ** 2, delta=0.02 * math.pi * 40)
        self.assertAlmostEqual(areas["disc1"], math.pi * 20 ** 2, delta=1e-3)
        self.assertAlmostEqual(areas["part1"], 600, delta=1e-3)
        for place in ((-40, 0), (40, 0), (150, 0), (10, 100 + 40 / 3)):
            self.assertLess(min(math.dist(place, one) for one in self.points()), 2e-3, place)
        # the points are where pins go: two joints by hand, and a mechanism that the tool reads
        for place in ((-40, 0), (150, 0)):
            self.click("#tool-ground")
            self.click(self.page.run(f"""(() => {{ const box = tenon.stage.getBoundingClientRect(), [x, y] = tenon.board.screen({place[0]} / 1000, {place[1]} / 1000);
                return [box.left + x, box.top + y]; }})()"""))
        self.page.wait("tenon.model.joints.length === 2")
        path = self.folder / "m.yaml"
        path.write_text(self.page.run("tenon.source"), encoding="utf-8")
        check = tenon("check", path)
        self.assertRegex(check.stdout, r"degrees of freedom +5\n", check.stderr)
        for _ in range(3):
            self.page.run("tenon.undo()")
        self.assertEqual(self.page.run("tenon.source"), before)

    def test_an_svg_drawing_becomes_bodies(self):
        """Half a millimetre a unit, transforms, arcs whose flags stand together, curves; y goes up; nothing of it runs or is loaded."""
        self.begin()
        said = self.drop("parts.svg", SVG)
        self.assertIn("3 bodies, a point in its round hole", said)
        self.assertIn("1 <image>, 1 <text>", said)
        self.assertIn("1 hole that is not round", said)
        areas = self.masses()
        arc = math.hypot(2, 40) / 2 / 20  # of the path: the radius grows to half the chord
        self.assertAlmostEqual(areas["arm1"], (80 * 40 + 2 * 40 / 2 + math.pi * (20 * arc) ** 2 / 2) / 4, delta=0.5)
        self.assertAlmostEqual(areas["part1"], (60 * 40 - (4 - math.pi) * 100) / 4, delta=0.5)
        self.assertAlmostEqual(areas["part2"], 0.6 * 50 * 55.228 / 4, delta=0.5)  # 18 h w times the integral of t^2 (1 - t)^2
        self.assertLess(min(math.dist((50, -60), one) for one in self.points()), 1e-3)  # (20, 0), turned by 90 degrees
        self.assertFalse(self.page.run("typeof hacked !== 'undefined'"))

    def test_what_was_drawn_comes_back(self):
        """The outlines that the page writes, read by it: the same areas at the same places, with the bodies' names."""
        self.begin()
        self.page.run("""tenon.load(`tenon: 1
world: planar
gravity: [0, 0]
parameters: {A: [10 mm, 20 mm]}
bodies:
  bar: {position: [50 mm, 10 mm], angle: 30 deg, density: 7850, shapes: [box: {size: [60 mm, 12 mm, 4 mm]}]}
  cam: {position: =A, density: 7850, shapes: [extrusion: {points: [[0, 0], [30 mm, 0], [40 mm, 25 mm], [0, 20 mm]], height: 4 mm}]}
  wheel: {position: [-60 mm, 0], density: 7850, shapes: [cylinder: {radius: 25 mm, length: 4 mm}]}
joints: {}
`, 'own.yaml').then(() => tenon.board.open())""")
        middles = "tenon.model.bodies.map(({ name }, k) => [name, k])"
        self.assertEqual(len(self.page.run(middles)), 3)
        wanted = {"bar": 60 * 12, "cam": (30 * 25 + 40 * 20) / 2, "wheel": math.pi * 625}
        self.keep_downloads()
        self.click("[data-tab=out]")
        drawn = {"own.dxf": self.taken(".out button", "DXF in mm"), "own.svg": self.taken(".out button", "SVG in mm")}
        self.click("[data-tab=joints]")
        for name, text in drawn.items():
            with self.subTest(name):
                self.begin()
                self.assertNotIn("Not read", self.drop(name, text))
                areas = self.masses()
                self.assertEqual(sorted(areas), ["bar1", "cam1", "wheel1"])
                for body, area in wanted.items():
                    self.assertAlmostEqual(areas[body + "1"], area, delta=2e-2)
                for place in ((50, 10), (-60, 0)):
                    self.assertLess(min(math.dist(place, one) for one in self.points()), 2e-3)

    def test_drawings_that_cannot_be_read(self):
        self.begin()
        before = self.page.run("tenon.source")
        deep = [(0, "SECTION"), (2, "BLOCKS"), (0, "BLOCK"), (2, "a"), (10, 0), (20, 0), (0, "INSERT"), (2, "a"), (0, "ENDBLK"), (0, "ENDSEC"),
                (0, "SECTION"), (2, "ENTITIES"), (0, "INSERT"), (2, "a"), (10, 0), (20, 0), (0, "ENDSEC")]
        layers = "".join(dxf([(0, "BLOCK"), (2, f"b{k}"), (10, 0), (20, 0), *10 * [(0, "INSERT"), (2, f"b{k + 1}"), (10, 0), (20, 0)], (0, "ENDBLK")]) for k in range(8))
        bomb = dxf([(0, "SECTION"), (2, "BLOCKS")]) + layers + dxf([(0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"), (0, "INSERT"), (2, "b0"), (10, 0), (20, 0), (0, "ENDSEC")])
        curves = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0" + "C9e5 0 9e5 9e5 0 9e5 " * 2000 + "'/></svg>"
        for name, text, why in (("bomb.dxf", bomb, "more than 50000 entities"), ("bomb.svg", curves, "more than 20000 lines or 200000 points"), ("a.dxf", "nonsense\nfile\n", "no group code"), ("b.dxf", "AutoCAD Binary DXF\r\n", "binary"), ("c.dxf", dxf(DXF[:5]), "no section ENTITIES"),
                                ("d.dxf", dxf(deep), "no closed outline"), ("e.svg", "<svg", "as XML"), ("f.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "no closed outline"),
                                ("g.svg", "<!DOCTYPE s [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>", "entities"),
                                ("h.dxf", dxf([(0, "SECTION"), (2, "ENTITIES"), (0, "CIRCLE"), (10, "x"), (20, 0), (40, 1), (0, "ENDSEC")]), "in place of a number")):
            with self.subTest(name):
                self.assertIn(why, self.drop(name, text))
                self.assertEqual(self.page.run("tenon.source"), before)


SPACE = """tenon: 1
# two links of a robot
bodies:
  post: {position: [0, 0, 0.25], density: 1000, shapes: [cylinder: {radius: 0.1, length: 0.5}]}
  arm: {position: [0.4, 0, 0.6], density: 1000, shapes: [box: {size: [1, 0.2, 0.2]}]}
joints: {}
"""


class Space(Desk):
    def spot(self, x, y, z):
        return self.page.run(f"""(() => {{ const box = tenon.scene.canvas.getBoundingClientRect(), {{ camera }} = tenon.scene.view;
            camera.updateMatrixWorld();
            const p = tenon.scene.view.controls.target.clone().set({x}, {y}, {z}).project(camera);
            return [box.left + (0.5 + 0.5 * p.x) * box.width, box.top + (0.5 - 0.5 * p.y) * box.height]; }})()""")

    def test_joints_are_picked_on_bodies(self):
        """The axis of a cylinder, the ground, the middle of a face; one change of the text each, which moves as its closed form."""
        self.load(SPACE)
        self.page.run("(tenon.open('joints'), tenon.scene.view.look('y'), 0)")
        self.page.run("new Promise((done) => setTimeout(done, 400))")
        self.click(".newjoint > summary")
        self.settle()
        beside = self.spot(-0.16, 0, 0.3)
        for where in (self.spot(0, 0.1, 0.25), beside, self.spot(0, 0.1, 0.1)):
            self.click(where)
            self.settle()
        self.click("#join")
        self.page.wait("tenon.model.joints.length === 1")
        self.settle()
        text = self.page.run("tenon.source")
        found = re.search(r"hinge1: \{type: hinge, a: post, origin: \[(\S+) mm, (\S+) mm, (\S+) mm\], axis: \[0, 0, 1\]\}", text)
        self.assertTrue(found, text)
        self.assertLess(math.hypot(float(found[1]), float(found[2])), 1e-3)  # on the axis
        self.assertIn("# two links of a robot", text)
        self.page.run("(document.querySelector('.newjoint').open || document.querySelector('.newjoint > summary').click())")
        self.click("#pick-again")
        for where in (self.spot(0.4, 0.1, 0.6), self.spot(0, 0.1, 0.25), self.spot(0.4, 0.1, 0.6)):
            self.click(where)
            self.settle()
        self.click("#join")
        self.page.wait("tenon.model.joints.length === 2")
        self.settle()
        text = self.page.run("tenon.source")
        self.assertIn("hinge2: {type: hinge, a: arm, b: post, origin: [400 mm, 100 mm, 600 mm], axis: [0, 1, 0]}", text)
        self.assertIn("2 degrees of freedom", self.said())
        self.page.run("tenon.undo()")
        self.assertEqual(self.page.run("tenon.model.joints.map((one) => one.name)"), ["hinge1"])
        self.page.run("document.querySelector('.newjoint > summary').click()")
        # typed, without a pointer: the same text
        self.page.run("tenon.redo()")
        self.assertEqual(self.page.run("tenon.source"), text)

    def test_a_joint_of_a_body_with_itself(self):
        self.load(SPACE)
        self.page.run("tenon.open('joints')")
        self.click(".newjoint > summary")
        self.choose("[aria-label='to of the new joint']", "post")
        before = self.page.run("tenon.source")
        self.click("#join")
        self.settle()
        self.assertIn("needs two bodies", self.said())
        self.assertEqual(self.page.run("tenon.source"), before)
        self.click(".newjoint > summary")


if __name__ == "__main__":
    unittest.main()
