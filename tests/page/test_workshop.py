#!/usr/bin/env python3
"""The page as the place where mechanisms are made: by mouse and keys alone, one page for all cases.
"""
import base64
import csv
import io
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import time
import unittest
import zipfile
import zlib

from desk import Desk, HERE, READY, ROOT, TENON, tenon

# A quick-return shaper: the motor's effort has a peak each time the lever swings back.
SHAPER = """tenon: 1
name: quick-return shaper
gravity: [0, -9.81, 0]
parameters:
  r: 100 mm      # crank
  h: 250 mm      # crank axle above lever pivot
  L: 500 mm      # lever
  c: 150 mm      # connecting rod
  start: 30 deg
  O: "=[0, h, 0]"
  P: "=O + turn([r, 0, 0], start)"
  lean: "=direction(P)"
  E: "=turn([L, 0, 0], lean)"
  rail: 520 mm
  R: "=[E.x - sqrt(c^2 - (rail - E.y)^2), rail, 0]"
bodies:
  crank: {position: =(O+P)/2, rpy: [=start, 0, 0], shapes: [box: {size: [=r, 20 mm, 10 mm]}], density: 7850}
  stone: {position: =P, rpy: [=lean, 0, 0], shapes: [box: {size: [40 mm, 30 mm, 15 mm]}], density: 7850}
  lever: {position: =E/2, rpy: [=lean, 0, 0], shapes: [box: {size: [=L, 25 mm, 10 mm]}], density: 7850}
  rod: {position: =(E+R)/2, rpy: [=direction(R-E), 0, 0], shapes: [box: {size: [=c, 15 mm, 10 mm]}], density: 7850}
  ram: {position: =R, shapes: [box: {size: [400 mm, 40 mm, 40 mm]}], density: 7850}
joints:
  drive: {type: hinge, a: crank, origin: =O, axis: [0, 0, 1], motor: {theta: {speed: 60 rpm, max_force: 100 N m}}}
  pin: {type: hinge, a: stone, b: crank, origin: =P, axis: [0, 0, 1]}
  slot: {type: slider, a: stone, b: lever, origin: =P, axis: =P}
  foot: {type: hinge, a: lever, origin: [0, 0, 0], axis: [0, 0, 1]}
  top: {type: hinge, a: rod, b: lever, origin: =E, axis: [0, 0, 1]}
  end: {type: hinge, a: ram, b: rod, origin: =R, axis: [0, 0, 1]}
  rail: {type: slider, a: ram, origin: =R, axis: [1, 0, 0]}
simulation: {integrator: generalized_alpha, step: 5 ms, duration: 3}
markers: {tool: {body: ram}}
"""

# Driven at its block: from x = 0.18 m the block gets as far as l + r = 0.26 m.
TOGGLE = """tenon: 1
name: toggle driven over its dead point
world: planar
gravity: [0, 0]
parameters: {r: 100 mm, l: 160 mm, start: 60 deg, pin: "=turn([r, 0], start)", end: "=[pin.x + sqrt(l^2 - pin.y^2), 0]"}
bodies:
  crank: {position: =pin/2, angle: =start, shapes: [box: {size: [=r, 20 mm, 10 mm]}], density: 7850}
  rod: {position: =(pin+end)/2, angle: =direction(end-pin), shapes: [box: {size: [=l, 15 mm, 10 mm]}], density: 7850}
  block: {position: =end, shapes: [box: {size: [50 mm, 40 mm, 40 mm]}], density: 7850}
joints:
  A: {type: hinge, a: crank, origin: [0, 0]}
  B: {type: hinge, a: rod, b: crank, origin: =pin}
  C: {type: hinge, a: block, b: rod, origin: =end}
  slide: {type: slider, a: block, origin: =end, axis: [1, 0], drive: {z: {position: "=0.1*t"}}}
simulation: {duration: 2 s}
"""


def table_of(path):
    """Columns by name, angles in rad as the page has them."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    units = next((line for line in lines if line.startswith("# units:")), None)
    names, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    scale = [math.radians(1) if unit.startswith("deg") else 1 for unit in units[9:].strip().split(",")] if units \
        else [1] * len(names)
    return {name: [float(row[k]) * scale[k] for row in rows] for k, name in enumerate(names)}


class WorkshopTest(Desk):
    # ---- the hand ----

    touching = False  # a finger instead of the mouse

    def click(self, where, text="", page=None, k=0):
        if not self.touching:
            super().click(where, text, page, k)
            return
        x, y = self.at(where, text, page, k) if isinstance(where, str) else where
        for kind, points in (("Start", [{"x": x, "y": y, "id": 0}]), ("End", [])):
            self.page.call("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def drag(self, *places):
        self.page.press(*places)

    def type(self, where, text):
        """Into a field, in place of what is there."""
        self.click(where)
        self.page.run("document.activeElement.select()")
        self.page.call("Input.insertText", {"text": text})
        self.page.key("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")

    # ---- what is clicked, slid, typed ----

    def test_the_tile_that_is_clicked_opens(self):
        """Before all tiles are drawn; what comes after does not take its place."""
        out = self.folder / "gallery.html"
        subprocess.run([sys.executable, ROOT / "scripts" / "make_page_gallery.py", TENON, out], check=True,
                       capture_output=True)
        page = self.browser.page(out)
        self.addCleanup(page.close)
        page.wait("document.querySelectorAll('.tile').length > 10")
        title = page.run("[...document.querySelectorAll('.tile')].find((one) => /bricard/i.test(one.textContent)).textContent")
        self.click(".tile", title, page)
        self.assertNotEqual(page.run("document.documentElement.dataset.ready"), "true")
        page.wait("tenon.name === 'bricard.yaml' && tenon.playing && tenon.frame.time > 0")
        for _ in range(10):
            time.sleep(0.1)
            self.assertEqual(page.run("[tenon.name, tenon.playing]"), ["bricard.yaml", True])
        self.click(".back", page=page)
        page.wait("tenon.name !== 'bricard.yaml'")
        self.assertEqual(page.messages, [])

    def test_an_angle_stays_at_the_end_of_its_slider(self):
        self.load((ROOT / "examples" / "double_pendulum.yaml").read_text(encoding="utf-8"))
        self.page.run("tenon.open('joints')")
        self.page.wait("document.querySelectorAll('.coordinate input[type=range]').length === 2")
        self.page.run("document.querySelector('.coordinate input[type=range]').scrollIntoView()")
        left, top, right, bottom, value = self.page.run("""(() => {
            const one = document.querySelector('.coordinate input[type=range]'), r = one.getBoundingClientRect();
            return [r.left, r.top, r.right, r.bottom, (one.value - one.min) / (one.max - one.min)];
        })()""")
        y, beyond = (top + bottom) / 2, min(right + 30, 1098)
        self.page.mouse("Moved", left + 8 + value * (right - left - 16), y, button="none", buttons=0)
        self.page.mouse("Pressed", left + 8 + value * (right - left - 16), y)
        seen = []
        for k in range(12):
            self.page.mouse("Moved", beyond - k % 2, y + k)
            time.sleep(0.03)
            seen.append(self.page.run("tenon.refresh().then(() => tenon.frame.coordinates[0])"))
        self.page.mouse("Released", beyond, y)
        self.page.run("tenon.refresh()")
        self.assertAlmostEqual(self.page.run("tenon.frame.coordinates[0]"), 2 * math.pi, delta=0.2)
        self.assertLessEqual(max(seen), 2 * math.pi + 1e-9)

    def test_rows_are_at_even_times(self):
        """Played ten times as fast as the clock: each step has its row, and the peak is the tool's."""
        self.load(SHAPER, "shaper.yaml")
        self.page.run("""(() => { const one = document.getElementById('speed');
            one.value = '10';
            one.dispatchEvent(new Event('change')); })()""")
        self.click(".transport .play")
        self.page.wait("tenon.frame.time >= 2.5")
        self.click(".transport .play")
        self.page.run("tenon.refresh()")
        (self.folder / "page.csv").write_text(self.page.run("tenon.client.csv()"), encoding="utf-8", newline="")
        ours = table_of(self.folder / "page.csv")
        pictures, end = self.page.run("[tenon.frame.frames, tenon.frame.time]")
        self.assertLess(pictures, 400)  # or this shows nothing
        self.assertLessEqual(max(abs(t - 5e-3 * k) for k, t in enumerate(ours["t"])), 1e-9)
        self.assertAlmostEqual(ours["t"][-1], end, places=9)
        (self.folder / "shaper.yaml").write_text(SHAPER, encoding="utf-8")
        run = tenon("run", self.folder / "shaper.yaml", "--time", "2.5", "--every", "0.005", "--csv", self.folder / "tool.csv",
                    "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        theirs = table_of(self.folder / "tool.csv")
        name = next(one for one in theirs if one.startswith("drive.theta.effort") or one.startswith("drive.") and "effort" in one)
        count = len(theirs["t"])
        peak = max(map(abs, theirs[name]))
        self.assertGreater(peak, 50)
        self.assertLessEqual(max(abs(a - b) for a, b in zip(ours[name][:count], theirs[name])), 1e-6 * peak)
        points, shown = self.page.run("[tenon.scene.traces.rows, tenon.scene.traces.bundle.object.geometry.instanceCount]")
        self.assertEqual(points, len(ours["t"]))
        self.assertEqual(shown, points - 1)
        self.page.run("(document.getElementById('speed').value = '1', tenon.speed = 1)")

    def test_a_dead_point_is_told_by_name(self):
        self.load(TOGGLE)
        self.click(".transport .play")
        self.page.wait("tenon.model && !tenon.playing && tenon.frame.failure !== ''")
        told = self.page.run("document.querySelector('.message').textContent")
        found = re.search(r"slide\.z has a dead point at ([0-9.]+) m", told)
        self.assertTrue(found, told)
        end = 0.1 * math.cos(math.pi / 3) + math.sqrt(0.16 ** 2 - (0.1 * math.sin(math.pi / 3)) ** 2)
        self.assertAlmostEqual(float(found[1]), 0.26 - end, places=6)

    def test_fields_take_units_and_mark_what_they_do_not_understand(self):
        self.load((ROOT / "examples" / "double_pendulum.yaml").read_text(encoding="utf-8"))
        self.page.run("tenon.open('joints')")
        self.page.wait("document.querySelectorAll('.coordinate input.number').length === 2")
        box = ".coordinate input.number"
        for text, value in (("0.5 rad", 0.5), ("-30", -math.pi / 6), ("0,1 rev", math.pi / 5)):
            self.type(box, text)
            self.page.run("tenon.refresh()")
            self.assertAlmostEqual(self.page.run("tenon.frame.coordinates[0]"), value, places=9)
            self.assertEqual(self.page.run(f"document.querySelector('{box}').getAttribute('aria-invalid')"), "false")
        for text, why in (("5 kg", "does not fit"), ("5 furlongs", "no unit"), ("five", "no number"), ("", "missing")):
            self.type(box, text)
            self.assertIn(why, self.page.run("document.querySelector('.why').textContent"))
            self.assertEqual(self.page.run(f"document.querySelector('{box}').getAttribute('aria-invalid')"), "true")
            self.assertAlmostEqual(self.page.run("tenon.frame.coordinates[0]"), math.pi / 5, places=9)
        self.type(box, "10 deg")
        self.assertEqual(self.page.run("document.querySelectorAll('.why').length"), 0)

    # ---- drawing ----

    def spot(self, x, y):
        """Where a place of the drawing, in mm, is on the screen."""
        return self.page.run(f"""(() => {{
            const box = tenon.stage.getBoundingClientRect(), [x, y] = tenon.board.screen({x} / 1000, {y} / 1000);
            return [box.left + x, box.top + y];
        }})()""")

    def draw(self, tool, *places):
        self.click(f"#tool-{tool}")
        for place in places:
            self.click(self.spot(*place))
        self.settle()

    def begin(self, button="#start-blank"):
        self.click("#start")
        self.click(button)
        self.page.wait("tenon.board.active && tenon.board.sketch && tenon.model.bodies.length === 0")
        self.settle()

    def type_length(self, bar, text):
        """In place of the dimension of a bar."""
        self.click("#tool-select")
        self.settle()
        self.click(f"[aria-label='length of {bar}']")
        self.page.run("document.activeElement.select()")
        self.page.call("Input.insertText", {"text": text})
        self.page.key("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
        self.settle()

    def told(self):
        return self.page.run("document.querySelector('.told').innerText")

    def source(self):
        return self.page.run("tenon.source")

    def pitch_circles(self):
        """Height of the centre and radius, m, of the circles that couplings are drawn as, with the rims of rings."""
        return self.page.run("""tenon.client.frame({ ...tenon.wish(true) }).then(({ list }) => {
            const found = [];
            for (let k = 0; k < list.ints.length / 12; k++)
                if (list.ints[12 * k] === 3 && list.ints[12 * k + 1] === 11)
                    found.push([list.reals[15 * k + 4], list.reals[15 * k + 10]]);
            return found;
        })""")

    def checked(self, text):
        """What the tool says of a text."""
        path = self.folder / "drawn.yaml"
        path.write_text(text, encoding="utf-8")
        check = tenon("check", path)
        self.assertEqual(check.returncode, 0, check.stderr + check.stdout)
        return path, check.stdout

    def test_a_crank_and_a_rocker_by_mouse(self):
        """Guided, told what is missing, saved, run by the tool with the same motion, and undone to the first text."""
        self.begin("#start-guided")
        first = self.source()
        self.assertIn("1/7", self.told())
        self.assertIn("Still missing: a bar", self.told())
        self.draw("bar", (0, 0), (0, 30))
        self.assertIn("the ground: pin bar1 to it", self.told())
        self.draw("ground", (0, 0))
        self.assertIn("1 degree of freedom: bar1 alone can move", self.told())
        self.draw("bar", (0, 30), (100, 60))
        self.assertIn("2 degrees of freedom", self.told())
        self.draw("bar", (100, 60), (90, 0))
        self.assertIn("5/7", self.told())
        self.assertIn("3 degrees of freedom", self.told())
        self.draw("ground", (90, 0))
        self.assertIn("1 degree of freedom: bar1, bar2, bar3 can move", self.told())
        self.draw("motor", (0, 0))
        self.draw("marker", (50, 45))
        self.assertIn("7/7", self.told())
        self.assertNotIn("missing", self.told())
        text = self.source()
        path, said = self.checked(text)
        self.assertRegex(said, r"degrees of freedom +1\n")
        self.click(".transport .play")
        self.page.wait("tenon.frame.time >= 0.6")
        self.click(".transport .play")
        self.settle()
        run = tenon("run", path, "--time", "0.5", "--every", "0.01", "--csv", self.folder / "drawn.csv", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        theirs = table_of(self.folder / "drawn.csv")
        (self.folder / "page.csv").write_text(self.page.run("tenon.client.csv()"), encoding="utf-8", newline="")
        ours, same = table_of(self.folder / "page.csv"), 0
        for k, t in enumerate(theirs["t"]):
            row = min(range(len(ours["t"])), key=lambda i: abs(ours["t"][i] - t))
            if abs(ours["t"][row] - t) < 1e-9:
                same += 1
                for name in ("A.theta", "B.theta", "C.theta", "D.theta", "mark1.x", "mark1.y"):
                    self.assertAlmostEqual(ours[name][row], theirs[name][k], delta=1e-9, msg=name)
        self.assertGreater(same, 20)
        self.click("[aria-label='back to the start']")
        self.settle()
        steps = 0
        while not self.page.run("document.querySelector('[aria-label=undo]').disabled"):
            self.click("[aria-label=undo]")
            self.settle()
            steps += 1
            self.assertLess(steps, 20)
        self.assertEqual(self.source(), first)
        self.assertGreaterEqual(steps, 7)
        while not self.page.run("document.querySelector('[aria-label=redo]').disabled"):
            self.click("[aria-label=redo]")
            self.settle()
        self.assertEqual(self.source(), text)

    # ---- six mechanisms, by the mouse and by a finger ----

    def type_value(self, of, text):
        """In place of a number that stands in the drawing, or in a field of the card."""
        self.click("#tool-select")
        self.settle()
        self.click(f"[aria-label='{of}']")
        self.page.run("document.activeElement.select()")
        self.page.call("Input.insertText", {"text": text})
        self.page.key("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
        self.settle()

    def put(self, spot, x, y):
        """The point that was drawn at a place of the grid goes where it is typed, in mm."""
        self.click("#tool-select")
        self.click(self.spot(*spot))
        self.settle()
        name, *there = self.page.run("(({ name, x, y }) => [name, 1000 * x, 1000 * y])(tenon.board.selectedPoint())")
        self.assertLess(math.dist(there, spot), 1e-6)
        for axis, value in (("x", x), ("y", y)):
            self.type_value(f"{axis} of {name} in mm", str(value))

    def lock(self, coordinate):
        """By the padlock in the panel of joints, when that lies still."""
        button, places = f"[aria-label='lock {coordinate}']", [None]
        while places[-1] != self.at(button):
            places.append(self.at(button))
            self.settle()
        self.page.press(tuple(places[-1]))  # always the mouse: how a tap in a panel that scrolls is taken is the browser's affair
        self.page.wait(f"document.querySelector(\"{button}\").getAttribute('aria-pressed') === 'true'")
        self.settle()

    def saved(self):
        """The text that Save gives."""
        self.keep_downloads()
        return self.taken("#save")

    def moves_as_the_tool(self, until):
        """Played in the page, saved, run by the tool: all coordinates and markers are the same. The tool's table."""
        self.click("[aria-label='back to the start']")
        self.settle()
        path, _ = self.checked(self.saved())
        self.click(".transport .play")
        self.page.wait(f"tenon.frame.time >= {until + 0.02}", 30)
        self.click(".transport .play")
        self.settle()
        (self.folder / "page.csv").write_text(self.page.run("tenon.client.csv()"), encoding="utf-8", newline="")
        run = tenon("run", path, "--time", str(until), "--every", "0.01", "--csv", self.folder / "drawn.csv", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        theirs, ours = table_of(self.folder / "drawn.csv"), table_of(self.folder / "page.csv")
        columns = [name for name in theirs if name in ours and re.search(r"\.(theta|z|length|x|y)$", name)]
        self.assertGreater(len(columns), 2)
        for k, t in enumerate(theirs["t"]):
            self.assertAlmostEqual(ours["t"][k], t, places=9)
            for name in columns:
                self.assertAlmostEqual(ours[name][k], theirs[name][k], delta=1e-9 * max(1, abs(theirs[name][k])), msg=f"{name} at {t}")
        return theirs

    def crank_rocker(self):
        """Hoecken's: ground, crank, coupler, rocker as 2, 1, 2.5, 2.5."""
        self.draw("bar", (0, 0), (-30, 0))
        self.draw("ground", (0, 0))
        self.draw("bar", (-30, 0), (60, 120))
        self.draw("bar", (15, 60), (60, 0))
        self.draw("ground", (60, 0))
        self.draw("motor", (0, 0))
        self.draw("marker", (60, 120))

    def follows_crank_rocker(self, table):
        """The given coupler curve, from the closed form; over 180 degrees of the crank it is straight to 1.4 mm over 120."""
        curve = []
        for theta, x, y in zip(table["A.theta"], table["mark1.x"], table["mark1.y"]):
            b = 0.03 * complex(math.cos(math.pi + theta), math.sin(math.pi + theta))
            far = 0.06 - b
            c = b + far / 2 + 1j * far / abs(far) * math.sqrt(0.075 ** 2 - (abs(far) / 2) ** 2)
            tip = b + 2 * (c - b)
            self.assertLess(abs(complex(x, y) - tip), 1e-8)
            curve.append(tip)
        straight = [tip.imag for theta, tip in zip(table["A.theta"], curve) if abs(theta) <= math.pi / 2]
        self.assertLess(max(straight) - min(straight), 1.4e-3)
        self.assertGreater(max(tip.real for tip in curve) - min(tip.real for tip in curve), 0.06)

    def shaper(self):
        self.draw("bar", (0, 50), (20, 50))
        self.draw("ground", (0, 50))
        self.draw("bar", (0, 0), (40, 100))
        self.draw("ground", (0, 0))
        self.draw("slot", (20, 50), (30, 75))
        self.draw("bar", (40, 100), (-10, 120))
        self.draw("slider", (-10, 120), (30, 120))
        self.draw("motor", (0, 50))

    def follows_shaper(self, table):
        """Of Whitworth's kind: the lever points to the crank's pin, the rod goes from its end to the ram."""
        start = table["rail1.z"][0]
        for theta, z in zip(table["A.theta"], table["rail1.z"]):
            pin = complex(0.02 * math.cos(theta), 0.05 + 0.02 * math.sin(theta))
            end = pin / abs(pin) * math.hypot(0.04, 0.1)
            x = end.real - math.sqrt(0.05 ** 2 + 0.02 ** 2 - (0.12 - end.imag) ** 2)
            self.assertAlmostEqual(z - start, x + 0.01, delta=1e-8)

    def scissor_lift(self):
        for ends in (((0, 0), (100, 50)), ((100, 0), (0, 50))):
            self.draw("bar", *ends)
        self.draw("pin", (50, 25))
        for ends in (((0, 50), (100, 100)), ((100, 50), (0, 100))):
            self.draw("bar", *ends)
        self.draw("pin", (50, 75))
        self.draw("ground", (0, 0))
        self.draw("slider", (100, 0), (140, 0))
        self.draw("motor", (0, 0))
        self.draw("marker", (100, 100))
        self.type_value("motor of A", "3 rpm")

    def follows_scissor_lift(self, table):
        length, lean = math.hypot(0.1, 0.05), math.atan2(0.05, 0.1)
        for t, x, y in zip(table["t"], table["mark1.x"], table["mark1.y"]):
            angle = lean + 0.1 * math.pi * t
            self.assertLess(math.dist((x, y), (length * math.cos(angle), 2 * length * math.sin(angle))), 1e-8)
        self.assertGreater(table["mark1.y"][-1] - table["mark1.y"][0], 0.03)

    def toggle_clamp(self):
        """A handle past its dead point, held there by a spring."""
        self.draw("bar", (-100, 0), (-50, 10))
        self.draw("ground", (-100, 0))
        self.draw("bar", (-50, 10), (0, 10))
        self.draw("plate", (0, 10), (40, 0), (100, -20), (0, 10))
        self.draw("ground", (40, 0))
        self.draw("spring", (-50, 10), (-50, 80))
        self.draw("damper", (-50, 10), (-90, 80))
        self.draw("load", (100, -20), (100, 0))
        self.type_value("stiffness of spring1", "2 N/mm")
        self.type_value("force1", "35")

    def follows_toggle_clamp(self, table):
        """Spring and load pull, and the damper takes it: at rest in the end, with the spring longer or shorter than drawn."""
        moved = [max(abs(one - column[0]) for one in column) for column in (table["A.theta"], table["spring1.length"])]
        self.assertGreater(moved[0], math.radians(0.5))
        self.assertGreater(moved[1], 1e-4)

    def planetary_gear(self):
        """Sun and planets of 40 and 10 mm, ring of 60: the ring is held by the lock in the panel of joints."""
        self.draw("plate", (0, 0), (50, 0), (0, 50), (0, 0))
        self.draw("ground", (0, 0))
        self.draw("gears", (0, 0), (50, 0), (40, 0))
        self.draw("gears", (0, 0), (50, 0), (60, 0))
        self.draw("gears", (0, 0), (0, 50), (0, 40))
        self.draw("gears", (0, 0), (0, 50), (0, 60))
        self.assertEqual(self.page.run("tenon.model.bodies.map((one) => one.name)"),
                         ["plate1", "wheel1", "wheel2", "ring1", "wheel3"])
        self.assertIn("2 degrees of freedom", self.told())
        radii = sorted(round(1000 * radius, 6) for _, radius in self.pitch_circles())
        self.assertEqual(radii, [10, 10, 10, 10, 40, 40, 60, 60, 66, 66])  # each planet with the sun, and in the ring with its rim
        self.draw("motor", (-20, -20))
        self.lock("A_3 theta")

    def follows_planetary_gear(self, table):
        """Willis: with the ring at rest the arm turns by 40/(40 + 60) of the sun, and the planets on it by -4 of what is left."""
        for sun, arm, one, other in zip(table["A_2.theta"], table["A.theta"], table["B.theta"], table["C.theta"]):
            self.assertAlmostEqual(arm, 0.4 * sun, delta=1e-9)
            for planet in (one, other):
                self.assertAlmostEqual(planet, -4 * (sun - arm), delta=1e-9)
        self.assertGreater(table["A_2.theta"][-1], 1)

    def jansen(self):
        """The leg with its eleven lengths, typed as places, and six copies of it."""
        self.draw("bar", (0, 0), (0, 15))
        self.draw("ground", (0, 0))
        self.draw("bar", (0, 15), (-45, 35))
        self.draw("bar", (0, 15), (-20, -45))
        self.draw("plate", (-40, -10), (-45, 35), (-80, -15), (-40, -10))
        self.draw("ground", (-40, -10))
        self.draw("bar", (-40, -10), (-20, -45))
        self.draw("bar", (-80, -15), (-55, -45))
        self.draw("plate", (-20, -45), (-55, -45), (-10, -90), (-20, -45))
        self.draw("motor", (0, 0))
        self.draw("marker", (-10, -90))
        for spot, place in (((-40, -10), (-38, -7.8)), ((-45, 35), (-46.736, 32.77)), ((-80, -15), (-77.668, -13.672)),
                            ((-20, -45), (-20.995, -43.231)), ((-55, -45), (-57.448, -47.487)), ((-10, -90), (-7.691, -90.39))):
            self.put(spot, *place)
        self.click("#tool-repeat")
        self.settle()
        self.type("[aria-label='how many copies']", "6")
        self.click(self.spot(0, 0))
        self.click(self.spot(0, 100))
        self.settle()

    def follows_jansen(self, table):
        points = dict(self.page.run("tenon.board.sketch.points.map(({ name, x, y }) => [name, [1000 * x, 1000 * y]])"))
        o, c, u, low, f, k, h, z = (points[name] for name in "ABCDEFGH")
        for (one, other), length in (((o, c), 15), ((c, u), 50), ((f, u), 41.5), ((f, k), 40.1), ((u, k), 55.8), ((f, low), 39.3),
                                     ((c, low), 61.9), ((k, h), 39.4), ((low, h), 36.7), ((h, z), 65.7), ((low, z), 49)):
            self.assertAlmostEqual(math.dist(one, other), length, delta=2e-3)
        self.assertEqual(len(self.page.run("tenon.model.bodies")), 49)
        feet = [list(zip(table[f"mark{n}.x"], table[f"mark{n}.y"])) for n in range(1, 8)]
        self.assertGreater(max(x for x, _ in feet[0]) - min(x for x, _ in feet[0]), 0.03)
        for n, foot in enumerate(feet):
            self.assertLess(max(math.dist((x, y + 0.1 * n), other) for (x, y), other in zip(feet[0], foot)), 1e-7)

    MECHANISMS = (("crank_rocker", 2), ("shaper", 1.2), ("scissor_lift", 0.6), ("toggle_clamp", 0.5), ("planetary_gear", 0.5),
                  ("jansen", 0.5))

    def test_six_mechanisms_by_mouse_and_by_touch(self):
        """Drawn by mouse, with numbers typed into fields, and by one finger that taps: the same texts. Saved, and moved by the
        tool as by the page, and as their closed forms say."""
        self.page.call("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
        self.addCleanup(self.page.call, "Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.addCleanup(setattr, self, "touching", False)
        for name, until in self.MECHANISMS:
            drawn = []
            for self.touching in (True, False):
                with self.subTest(name, touching=self.touching):
                    self.begin()
                    getattr(self, name)()
                    self.assertTrue(self.page.run("document.querySelector('.message').hidden"))
                    drawn.append(self.source())
            with self.subTest(name):
                self.assertEqual(drawn[0], drawn[-1])
                getattr(self, f"follows_{name}")(self.moves_as_the_tool(until))

    def test_every_tool_makes_what_it_says(self):
        """One drawing with all of them: read by the tool, with the freedoms that a count by hand gives."""
        self.begin()
        self.draw("bar", (-100, 0), (-100, 40))
        self.draw("ground", (-100, 0))
        self.draw("bar", (-100, 40), (0, 0))
        self.draw("slider", (0, 0), (60, 0))
        self.assertIn("1 degree of freedom: bar1, bar2, block1", self.told())
        self.draw("plate", (60, 60), (120, 60), (60, 100), (60, 60))
        self.draw("ground", (60, 60))
        self.assertIn("2 degrees of freedom", self.told())
        self.draw("spring", (120, 60), (140, 10))
        self.draw("damper", (60, 100), (0, 100))
        self.draw("load", (120, 60), (120, 70))
        self.draw("marker", (120, 60))
        self.draw("gears", (-60, -90), (40, -90), (0, -90))
        self.assertIn("3 degrees of freedom", self.told())
        self.draw("motor", (-100, 0))
        self.draw("bar", (-60, 120), (60, 120))
        self.draw("bar", (0, 80), (0, 140))
        self.draw("pin", (0, 120))
        self.assertIn("a joint that holds", self.told())
        self.draw("rod", (-60, 120), (-130, 120))
        text = self.source()
        for words in ("plate1: {position", "spring: {length: {stiffness: 500 N/m", "damping: 20 N s/m", "force: [0 N, 10 N]",
                      "gear: {a: ", "ratio: =-0.6/0.4", "motor: {theta: {speed: 30 rpm}}", "type: rod", "type: slider"):
            self.assertIn(words, text)
        # two bars on each other: three freedoms each, less two of the pin and one of the rod
        self.assertRegex(self.checked(text)[1], r"degrees of freedom +6\n")
        self.assertEqual(self.page.run("document.querySelector('.message').hidden"), True)

    def test_belts(self):
        """From a wheel of a pair of gears, 30 mm, to a new one of 20 mm: the same way round, as the radii say; and on an arm."""
        self.begin()
        self.draw("gears", (-60, 0), (-10, 0), (-30, 0))
        self.draw("belt", (-60, 0), (-60, 90))
        self.draw("motor", (-60, 0))
        self.assertIn("belt1: {belt: {a: A.theta, b: C.theta, ratio: =30/20}}", self.source())
        circles = [radius for y, radius in self.pitch_circles() if y > 0.05]
        self.assertEqual(len(circles), 1)
        self.assertAlmostEqual(circles[0], 0.02, places=9)  # drawn round the wheels that are there
        table = self.moves_as_the_tool(0.5)
        for a, b, c in zip(table["A.theta"], table["B.theta"], table["C.theta"]):
            self.assertAlmostEqual(b, -1.5 * a, delta=1e-9)
            self.assertAlmostEqual(c, 1.5 * a, delta=1e-9)
        # a wheel at rest, an arm, a belt round both: the wheel on the arm keeps its direction if it is as large
        self.begin()
        self.draw("bar", (0, 0), (80, 0))
        self.draw("ground", (0, 0))
        self.draw("belt", (0, 0), (80, 0))
        self.draw("motor", (40, 0))
        self.assertIn("A: {type: hinge, a: bar1, origin: =A, motor:", self.source())
        self.lock("A_2 theta")
        table = self.moves_as_the_tool(0.5)
        for arm, wheel in zip(table["A.theta"], table["B.theta"]):
            self.assertAlmostEqual(wheel, -arm, delta=1e-9)  # against the arm
        self.assertGreater(table["A.theta"][-1], 1)

    def test_welds(self):
        """Made, moved, taken away, made a pin, a slider and a pin in a slot, and all of it undone; freedoms as counted by hand."""
        self.begin()
        self.draw("bar", (-60, 0), (60, 0))
        self.draw("ground", (-60, 0))
        self.draw("bar", (20, -40), (20, 40))
        self.draw("weld", (20, 0))
        welded = self.source()
        self.assertIn("weld1: {type: solid, a: bar2, b: bar1, origin: =E}", welded)

        def has(freedoms, text=None):
            self.assertRegex(self.checked(text or self.source())[1], rf"degrees of freedom +{freedoms}\n")

        def chosen(x, y):
            self.click("#tool-select")
            self.click(self.spot(x, y))
            self.settle()

        def become(name, kind):
            self.page.run(f"""(() => {{ const box = document.querySelector("[aria-label='kind of {name}']");
                box.value = {json.dumps(kind)}; box.dispatchEvent(new Event("change")); }})()""")
            self.settle()
            return self.source()

        def undone():
            self.click("[aria-label=undo]")
            self.settle()
            return self.source()

        has(1)
        self.assertEqual(self.page.run("document.querySelectorAll('path.point.joint').length"), 1)  # a square, not the circle of a pin
        self.click("#tool-select")
        self.drag(self.spot(20, 0), self.spot(20, 10), self.spot(20, 20))
        self.settle()
        self.assertEqual(self.source(), welded.replace("E: [20 mm, 0 mm]", "E: [20 mm, 20 mm]"))
        has(1)
        self.assertEqual(undone(), welded)
        chosen(20, 0)
        self.click("#delete-chosen")
        self.settle()
        self.assertNotIn("weld1", self.source())
        self.assertNotIn("E: [", self.source())
        self.assertEqual(undone(), welded)
        chosen(20, 0)
        pinned = become("weld1", "hinge")
        self.assertEqual(pinned, welded.replace("solid", "hinge"))
        has(2)
        self.draw("motor", (20, 0))
        driven = self.source()
        self.assertIn("motor: {theta: {speed: 30 rpm}}", driven)
        chosen(20, 0)
        self.assertEqual(become("weld1", "solid"), welded)  # the motor is gone with the coordinate
        self.assertEqual(undone(), driven)
        chosen(20, 0)
        for kind, freedoms in (("slider", 2), ("slotted_hinge", 3), ("hinge", 2), ("solid", 1)):
            text = become("weld1", kind)
            self.assertIn(f"weld1: {{type: {kind}, a: bar2, b: bar1, origin: =E{', axis: =B - A' if kind[:2] == 'sl' else ''}}}", text)
            has(freedoms)
        self.assertEqual(become("weld1", ""), self.source())
        self.assertNotIn("weld1", self.source())
        self.assertEqual(undone(), welded)
        self.draw("bar", (-60, 80), (60, 80))
        self.draw("weld", (60, 80))
        self.assertRegex(self.source(), r"weld2: \{type: solid, a: bar3, origin: =\w\}")
        has(1)
        text = self.source()  # a pin or a weld on top of a weld, or of a pin, is refused by name
        for tool, place, told in (("ground", (60, 80), "bar3 is welded to the ground at"), ("weld", (60, 80), "bar3 is welded to the ground at"),
                                  ("ground", (-60, 0), "bar1 is pinned to the ground at A")):
            self.draw(tool, place)
            self.assertEqual(self.source(), text)
            self.assertIn(told, self.page.run("document.querySelector('.message').textContent"))
        self.draw("ground", (20, 0))  # of two bodies that are welded to each other one is pinned
        self.assertRegex(self.source(), r"E: \{type: hinge, a: bar\d, origin: =E\}")
        has(0)

    def test_points_lengths_and_deletion(self):
        """Dragged, typed, taken away: the numbers of the text change, its comments stay."""
        self.load("""# drawn by hand
tenon: 1
world: planar
gravity: [0, 0]
parameters:
  A: [0 mm, 0 mm]    # the axle
  r: 50 mm           # crank
  phi: 90 deg
  B: "=A + turn([r, 0], phi)"
  C: [100 mm, 50 mm] # free
bodies:
  bar1: {position: "=(A + B)/2", angle: =direction(B - A), density: 7850, shapes: [box: {size: [=r, 5 mm, 5 mm]}]}
  bar2: {position: "=(B + C)/2", angle: =direction(C - B), density: 7850, shapes: [box: {size: ["=norm(C - B)", 5 mm, 4 mm]}]}
joints:
  A: {type: hinge, a: bar1, origin: =A}  # to the ground
  B: {type: hinge, a: bar2, b: bar1, origin: =B}
couplings: {both: {gear: {a: A.theta, b: B.theta, ratio: 2}}}
""")
        if not self.page.run("tenon.board.active"):
            self.click("#draw")
        self.page.wait("tenon.board.active && tenon.board.sketch?.points.length === 3")
        self.settle()
        before = self.source()

        def changed():
            return [(a, b) for a, b in zip(before.splitlines(), self.source().splitlines()) if a != b]

        def moved(start, *to):
            self.click("#tool-select")
            self.drag(self.spot(*start), *[self.spot(*place) for place in to])
            self.settle()

        moved((100, 50), (110, 50), (120, 60))
        self.assertEqual(changed(), [("  C: [100 mm, 50 mm] # free", "  C: [120 mm, 60 mm] # free")])
        self.click("[aria-label=undo]")
        self.settle()
        self.assertEqual(self.source(), before)
        moved((0, 50), (20, 50), (30, 40))  # 50 mm at 53.13 degrees: the angle moves, the length with it to the grid
        (old_phi, phi), = [pair for pair in changed() if pair[0].startswith("  phi")]
        self.assertAlmostEqual(float(phi.split()[1]), math.degrees(math.atan2(40, 30)), delta=0.01)
        self.assertIn('B: "=A + turn([r, 0], phi)"', self.source())
        at = self.page.run("(({ x, y }) => [x, y])(tenon.board.sketch.points.find((point) => point.name === 'B'))")
        self.assertLess(math.dist(at, (0.03, 0.04)), 1e-6)
        self.click("[aria-label=undo]")
        self.settle()
        self.type_length("bar2", "4 in")
        self.assertEqual(changed(), [("  C: [100 mm, 50 mm] # free", "  C: [101.6 mm, 50 mm] # free")])
        self.click("#tool-select")
        self.click(self.spot(60, 50))
        self.click("#delete-chosen")
        self.page.wait("!tenon.source.includes('bar2')")
        self.settle()
        rest = self.source()
        for gone in ("bar2", "couplings", "C: ["):
            self.assertNotIn(gone, rest)
        for kept in ("# drawn by hand", "# the axle", "# crank", "# to the ground"):
            self.assertIn(kept, rest)
        self.checked(rest)

    def test_drawn_by_touch(self):
        """One finger picks; two come nearer, and nothing is drawn by them."""
        self.begin()
        self.page.call("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
        self.addCleanup(self.page.call, "Emulation.setTouchEmulationEnabled", {"enabled": False})

        def touch(*ways):
            for step in range(4):
                points = [{"x": a + (c - a) * step / 3, "y": b + (d - b) * step / 3, "id": k}
                          for k, (a, b, c, d) in enumerate(ways[:None if step else 1])]
                self.page.call("Input.dispatchTouchEvent", {"type": "touchMove" if step > 1 or (step and len(ways) == 1) else
                                                            "touchStart", "touchPoints": points})
            self.page.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            self.settle()

        def tap(x, y):
            touch((x, y, x, y))

        tap(*self.at("#tool-bar"))
        tap(*self.spot(0, 0))
        tap(*self.spot(0, 50))
        self.assertEqual(self.page.run("tenon.model.bodies.map((one) => one.name)"), ["bar1"])
        near = "tenon.scene.view.camera.zoom"
        before, (x, y) = self.page.run(near), self.spot(50, -50)
        touch((x - 20, y, x - 80, y), (x + 20, y, x + 80, y))
        self.assertGreater(self.page.run(near), 1.3 * before)
        self.assertEqual(self.page.run("[tenon.board.picks.length, tenon.model.bodies.length]"), [0, 1])
        tap(*self.at("#tool-ground"))
        tap(*self.spot(0, 0))
        self.assertEqual(self.page.run("tenon.model.joints.length"), 1)

    def test_drawn_by_keys(self):
        """The same text as by mouse; a point that is taken up goes with the arrow keys; the keys are in a list."""
        self.begin()
        self.draw("bar", (0, 0), (0, 40))
        self.draw("ground", (0, 0))
        self.draw("plate", (0, 40), (60, 40), (60, 80), (0, 40))
        wanted = self.source()
        self.begin()

        def go(x, y):
            self.page.key("ArrowUp")
            at, step = self.page.run("[[tenon.board.cursor.x, tenon.board.cursor.y], tenon.board.step(tenon.board.cursor.pixel)]")
            for way, back, far in (("ArrowRight", "ArrowLeft", x / 1000 - at[0]), ("ArrowUp", "ArrowDown", y / 1000 - at[1])):
                tens, ones = divmod(abs(round(far / step)), 10)
                for _ in range(tens):
                    self.page.key(way if far > 0 else back, modifiers=8)
                for _ in range(ones):
                    self.page.key(way if far > 0 else back)

        def keys(tool, *places):
            self.page.key(tool)
            for place in places:
                go(*place)
                self.page.key("Enter")

        keys("b", (0, 0), (0, 40))
        keys("g", (0, 0))
        keys("p", (0, 40), (60, 40), (60, 80), (0, 40))
        self.settle()
        self.assertEqual(self.source(), wanted)
        keys("v", (60, 80), (100, 20))
        self.settle()
        changed = [(a, b) for a, b in zip(wanted.splitlines(), self.source().splitlines()) if a != b]
        self.assertEqual(changed, [("  D: [60 mm, 80 mm]", "  D: [100 mm, 20 mm]")])
        self.page.key("z", modifiers=2)
        self.settle()
        self.assertEqual(self.source(), wanted)
        self.page.key("?")
        self.assertFalse(self.page.run("tenon.keyList.element.hidden"))
        said = self.page.run("tenon.keyList.element.textContent")
        for words in ("play, pause", "undo, redo", "pin between two bodies", "the next place of the grid"):
            self.assertIn(words, said)
        self.page.key("Escape")
        self.assertTrue(self.page.run("tenon.keyList.element.hidden"))

    def test_a_drawing_to_scale(self):
        """Bars and wheels in DXF and SVG, in mm: sizes and places as they were drawn, one layer a body."""
        self.begin()
        self.draw("bar", (0, 0), (0, 100))
        self.draw("ground", (0, 0))
        self.draw("plate", (0, 100), (60, 100), (60, 60), (0, 100))
        self.draw("gears", (-60, -90), (40, -90), (0, -90))
        self.click("[data-tab=out]")
        self.keep_downloads()
        dxf, svg = self.taken(".out button", "DXF in mm"), self.taken(".out button", "SVG in mm")
        lines = dxf.split("\r\n")
        pairs, found = list(zip(lines[::2], lines[1::2])), []
        self.assertEqual((pairs[0], pairs[-1]), (("0", "SECTION"), ("0", "EOF")))
        for code, value in pairs:
            if code == "0":
                found.append([value, "", {}])
            elif code == "8":
                found[-1][1] = value
            elif code in ("10", "20", "40"):
                found[-1][2][code] = float(value)
        corners = {}
        for kind, layer, numbers in found:
            if kind == "VERTEX":
                corners.setdefault(layer, []).append((numbers["10"], numbers["20"]))
        circles = {layer: (n["10"], n["20"], n["40"]) for kind, layer, n in found if kind == "CIRCLE"}
        # a bar is 12 mm wide, and as much longer than from pin to pin
        for have, want in zip(sorted(corners["bar1"]), [(-6, -6), (-6, 106), (6, -6), (6, 106)]):
            self.assertLess(math.dist(have, want), 1e-5)
        for have, want in zip(corners["plate1"], [(0, 100), (60, 100), (60, 60)]):
            self.assertLess(math.dist(have, want), 1e-5)
        self.assertEqual(sorted(circles.values()), [(-60, -90, 60), (40, -90, 40)])
        self.assertIn('<circle cx="-60" cy="90" r="60"><title>wheel1</title>', svg)
        self.assertRegex(svg, r'<svg [^>]*width="([0-9.]+)mm" height="[0-9.]+mm" viewBox="-130 [-0-9.]+ \1 ')
        wrong = self.page.run("""saved[1].text().then((text) =>
            new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length)""")
        self.assertEqual(wrong, 0)
        self.click("[data-tab=joints]")

    def choose(self, label, value):
        super().choose(f"[aria-label='{label}']", value)
        self.settle()

    def test_units_are_chosen(self):
        """Shown and typed as chosen, on the grid of that unit, and kept for the next page; each number of the text keeps its own."""
        self.begin()
        self.addCleanup(lambda: [self.choose(f"unit of {name}", value) for name, value in
                                 (("lengths", ""), ("angles", "deg"), ("turning", "deg/s"))])
        self.draw("bar", (0, 0), (0, 30))
        self.draw("ground", (0, 0))
        self.draw("motor", (0, 0))
        dim = "document.querySelector(\"[aria-label='length of bar1']\").textContent"
        before = self.source()
        for unit, said in (("in", "1.1811 in"), ("cm", "3 cm"), ("m", "0.03 m"), ("in", "1.1811 in")):
            self.choose("unit of lengths", unit)
            self.assertEqual(self.page.run(dim), said)
        self.assertEqual(self.source(), before)
        step = self.page.run("tenon.board.step(1e-4) / 0.0254")
        self.assertAlmostEqual(step, 0.05, places=12)
        self.draw("bar", (25.4, 0), (25.4, 25.4))
        self.assertIn("D: [1 in, 1 in]", self.source())
        self.click("#tool-select")
        self.type_length("bar1", "2")
        self.assertIn("B: [0 mm, 50.8 mm]", self.source())
        self.drag(self.spot(25.4, 25.4), self.spot(30, 30), self.spot(50.8, 25.4))
        self.settle()
        self.assertIn("D: [2 in, 1 in]", self.source())
        # 30 rpm as it is typed and read, pi rad/s as it is plotted
        self.choose("unit of turning", "rpm")
        self.choose("unit of angles", "rad")
        self.page.run("document.querySelectorAll('.joints details').forEach((one) => { one.open = true; })")
        self.page.wait("document.querySelector(\"[aria-label='target of the motor']\")")
        target = "document.querySelector(\"[aria-label='target of the motor']\").value"
        self.assertEqual(self.page.run(target), "30")
        self.type("[aria-label='target of the motor']", "60")
        self.settle()
        self.page.run("tenon.client.run(0.5, tenon.wish()).then(() => tenon.refresh())")
        self.assertAlmostEqual(self.page.run("tenon.frame.coordinates[0]"), math.pi, delta=1e-3)
        box = self.page.run("document.querySelector(\".coordinate input.number\").value")
        self.assertAlmostEqual(float(box), math.pi, delta=1e-3)
        self.choose("unit of turning", "rad/s")
        self.click("[data-tab=plots]")
        self.page.run("(tenon.plots.curves = [tenon.model.columns.indexOf('bar1.x'), tenon.model.columns.indexOf('A.theta.speed')])"
                      ".length && tenon.plots.rebuild()")
        self.page.wait("tenon.plots.panels.length === 2 && tenon.plots.panels[0].plot.data[1].length > 1")
        labels, last, raw = self.page.run("""(async () => {
            const data = await tenon.client.columns(tenon.plots.curves);
            return [tenon.plots.panels.map(({ plot }) => plot.axes[1].label),
                    tenon.plots.panels.map(({ plot }) => plot.data[1][plot.data[1].length - 1]),
                    data.slice(1).map((one) => one[one.length - 1])];
        })()""")
        self.assertEqual(labels, ["[in]", "[rad/s]"])
        self.assertAlmostEqual(last[0] * 0.0254, raw[0], places=12)
        self.assertAlmostEqual(last[1], 2 * math.pi, places=6)
        self.click("[data-tab=joints]")
        other = self.browser.page(self.folder / "page.html")
        self.addCleanup(other.close)
        other.wait(READY)
        self.assertEqual(other.run("['length', 'angle', 'turning'].map((one) => tenon.display.chosen(one))"), ["in", "rad", "rad/s"])
        self.page.front()

    def test_locks_hold_what_is_dragged(self):
        """Points, lengths, angles and bodies stay as they are, in the text, and it is told why; the text goes back to what it was."""
        self.begin()
        self.draw("bar", (0, 0), (0, 30))
        self.draw("ground", (0, 0))
        self.draw("bar", (0, 30), (100, 70))
        free = self.source()

        def told():
            return self.page.run("document.querySelector('.message').textContent")

        def places():
            return self.page.run("Object.fromEntries(tenon.board.sketch.points.map(({ name, x, y }) => [name, [1000 * x, 1000 * y]]))")

        def moved(*way):
            self.page.run("tenon.tell('')")
            self.drag(*[self.spot(*place) for place in way])
            self.settle()
            return places()

        self.click("#tool-select")
        self.click(self.spot(0, 30))
        self.settle()
        self.page.key("l")
        self.settle()
        self.assertIn("draw:\n  locked: [B]\n", self.source())
        self.assertEqual(self.page.run("[...document.querySelectorAll('.padlock')].map((one) => one.dataset.lock)"), ["B"])
        held = self.source()
        moved((0, 30), (20, 30), (30, 40))
        self.assertEqual(self.source(), held)
        self.assertEqual(told(), "B cannot go there: B is locked.")
        self.assertEqual(moved((100, 70), (100, 80), (120, 60))["C"], [120, 60])
        self.click("[aria-label=undo]")
        self.settle()
        self.click(self.spot(0, 30))
        self.page.key("L")
        self.settle()
        self.assertEqual(self.source(), free)
        # a length leads its ends, a length and an angle hold them
        self.click(self.spot(50, 50))
        self.click(".lock-chosen", "lock length")
        self.settle()
        now = moved((100, 70), (100, 80), (100, 100))
        self.assertAlmostEqual(math.dist(now["B"], now["C"]), math.hypot(100, 40), delta=1e-5)
        self.assertAlmostEqual(math.atan2(now["C"][1] - 30, now["C"][0]), math.atan2(70, 100), delta=1e-6)
        self.assertEqual(now["B"], [0, 30])
        held = self.source()
        self.type_length("bar2", "90")
        self.assertEqual((self.source(), told()), (held, "bar2 cannot be as long as that: the length of bar2 is locked."))
        self.click(self.spot(*[(a + b) / 2 for a, b in zip(now["B"], now["C"])]))
        self.click(".lock-chosen", "lock angle")
        self.settle()
        held = self.source()
        self.assertIn("locked: [bar2.length, bar2.angle]", held)
        moved(now["C"], (50, 80), (40, 60))
        self.assertEqual(self.source(), held)
        self.assertIn("C cannot go there: the length of bar2 is locked, the angle of bar2 is locked", told())
        self.checked(held)
        self.click(self.spot(*[(a + b) / 2 for a, b in zip(now["B"], now["C"])]))
        self.click(".lock-chosen", "locked length")
        self.settle()
        now, before = moved(now["C"], (50, 80), (50, 65)), now
        self.assertAlmostEqual((now["C"][0] - now["B"][0]) / (now["C"][1] - now["B"][1]),
                               (before["C"][0] - before["B"][0]) / (before["C"][1] - before["B"][1]), delta=1e-6)
        self.type_length("bar2", "80")
        now = places()
        self.assertAlmostEqual(math.dist(now["B"], now["C"]), 80, delta=1e-5)
        self.click(self.spot(*[(a + b) / 2 for a, b in zip(now["B"], now["C"])]))
        self.page.key("l")
        self.settle()
        self.assertIn("locked: [bar2.angle, bar2]", self.source())
        held = self.source()
        moved((0, 30), (20, 30), (30, 40))
        self.assertEqual((self.source(), told()), (held, "B cannot go there: B is a point of bar2, which is locked."))
        self.page.key("Delete")
        self.settle()
        self.click(self.spot(*[(a + b) / 2 for a, b in zip(now["B"], now["C"])]))
        self.page.key("Delete")
        self.settle()
        self.assertNotIn("locked", self.source())
        # what follows from numbers: the one of the length stays
        self.load("""tenon: 1
world: planar
gravity: [0, 0]
draw: {up: y, locked: [bar1.length]}  # as it is bought
parameters:
  A: [0 mm, 0 mm]
  r: 50 mm           # crank
  phi: 90 deg
  B: "=A + turn([r, 0], phi)"
bodies:
  bar1: {position: "=(A + B)/2", angle: =direction(B - A), density: 7850, shapes: [box: {size: [=r, 5 mm, 5 mm]}]}
joints:
  A: {type: hinge, a: bar1, origin: =A}
""")
        self.page.wait("tenon.board.active && tenon.board.sketch?.points.length === 2")
        self.settle()
        now = moved((0, 50), (20, 50), (40, 60))
        self.assertLess(math.dist(now["B"], (50 * 40 / math.hypot(40, 60), 50 * 60 / math.hypot(40, 60))), 1e-4)
        self.assertIn("  r: 50 mm           # crank", self.source())
        self.click("[aria-label=undo]")
        self.settle()
        self.click(self.spot(0, 18))
        self.click(".lock-chosen", "locked length")
        self.settle()
        self.assertIn("draw: {up: y}  # as it is bought", self.source())

    def test_copies_move_as_the_original(self):
        """Mirrored, shifted, turned: one change of the text each, and the copy's way is the original's, moved likewise."""
        self.begin()
        self.draw("bar", (20, 0), (20, 30))
        self.draw("ground", (20, 0))
        self.draw("bar", (20, 30), (110, 10))
        self.draw("slider", (110, 10), (160, 60))
        self.draw("spring", (20, 30), (-20, 90))
        self.draw("load", (110, 10), (110, 30))
        self.draw("motor", (20, 0))
        self.draw("gears", (40, -90), (110, -90), (70, -90))
        self.draw("motor", (40, -90))
        self.draw("marker", (60, 20))
        text = self.source().replace("gravity: [0, -9.81]", "gravity: [0, -9.81]  # down")
        self.load(text)
        self.settle()

        def ways(text, names):
            path = self.checked(text)[0]
            run = tenon("run", path, "--time", "0.4", "--every", "0.02", "--csv", self.folder / "copies.csv", "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
            table = table_of(self.folder / "copies.csv")
            return [list(zip(table[f"{name}.x"], table[f"{name}.y"])) for name in names]

        def copied(tool, places, count=1):
            self.click(f"#tool-{tool}")
            if count > 1:
                self.settle()
                self.type("[aria-label='how many copies']", str(count))
            for place in places:
                self.click(self.spot(*place))
            self.settle()
            made = self.source()
            self.assertEqual(self.page.run("document.querySelector('.message').hidden"), True)
            lines = iter(made.splitlines())
            self.assertTrue(all(line in lines for line in text.splitlines()))  # all of it, in order
            self.assertEqual(len(self.page.run("tenon.board.selected")), 5 * count)
            self.click("[aria-label=undo]")
            self.settle()
            self.assertEqual(self.source(), text)
            return made

        made = copied("mirror", [(0, 0), (0, 50)])
        self.assertIn("-30 rpm", made)
        self.assertEqual((made.count("gear:"), made.count("force: [")), (2, 2))
        one, other = ways(made, ["mark1", "mark2"])
        self.assertGreater(max(math.dist(p, one[0]) for p in one), 0.02)
        self.assertLess(max(math.dist((-x, y), p) for (x, y), p in zip(one, other)), 1e-7)
        made = copied("repeat", [(20, 0), (20, 150)], 2)
        one, *others = ways(made, ["mark1", "mark2", "mark3"])
        for k, other in enumerate(others, 1):
            self.assertLess(max(math.dist((x, y + 0.15 * k), p) for (x, y), p in zip(one, other)), 1e-7)
        text = text.replace("-9.81", "0")
        self.load(text)
        self.settle()
        made = copied("turn", [(0, 0), (100, 0), (0, 100)], 3)
        one, *others = ways(made, ["mark1", "mark2", "mark3", "mark4"])
        for k, other in enumerate(others, 1):
            turn = complex(0, 1) ** k
            self.assertLess(max(abs(complex(*p) * turn - complex(*q)) for p, q in zip(one, other)), 1e-7)
        # one bar of two, about the pin that it shares: Shift takes more, and the copies hang on that pin
        self.load("""tenon: 1
world: planar
gravity: [0, 0]
parameters: {A: [0 mm, 0 mm], B: [60 mm, 0 mm], C: [60 mm, 60 mm]}
bodies:
  bar1: {position: "=(A + B)/2", angle: =direction(B - A), density: 7850, shapes: [box: {size: ["=norm(B - A)", 9 mm, 5 mm]}]}
  bar2: {position: "=(B + C)/2", angle: =direction(C - B), density: 7850, shapes: [box: {size: ["=norm(C - B)", 9 mm, 4 mm]}]}
joints:
  A: {type: hinge, a: bar1, origin: =A}
  B: {type: hinge, a: bar2, b: bar1, origin: =B}
""")
        self.page.wait("tenon.board.active && tenon.board.sketch?.points.length === 3")
        self.click("#tool-select")
        self.click(self.spot(15, 0))
        x, y = self.spot(60, 45)
        self.page.mouse("Pressed", x, y, modifiers=8)
        self.page.mouse("Released", x, y, modifiers=8)
        self.settle()
        self.assertEqual(self.page.run("tenon.board.selected.map(([, name]) => name)"), ["bar1", "bar2"])
        self.draw("mirror", (0, 0), (60, 0))
        # bar1 lies on the mirror: it is its own image
        self.assertIn("D: [60 mm, -60 mm]", self.source())
        self.assertIn("B_2: {type: hinge, a: bar3, b: bar1, origin: =B}", self.source())
        self.assertEqual(self.page.run("tenon.model.bodies.map((one) => one.name)"), ["bar1", "bar2", "bar3"])

    def test_a_point_is_measured(self):
        """100 mm from the axle at 30 rpm: w r and w^2 r, as curves in a panel for each unit, as arrows, and x over y."""
        self.begin()
        self.draw("bar", (0, 0), (100, 0))
        self.draw("ground", (0, 0))
        self.draw("motor", (0, 0))
        self.draw("measure", (100, 0))
        speed = math.pi
        self.click("[data-tab=plots]")
        self.page.run("tenon.client.run(1.5, tenon.wish()).then(() => tenon.refresh())")
        names, units, curves = self.page.run("""(async () => {
            const all = tenon.plots.curves, data = await tenon.client.columns(all);
            return [all.map((k) => tenon.model.columns[k]), all.map((k) => tenon.model.units[k]),
                    data.slice(1).map((one) => [...one])];
        })()""")
        found = {name: (unit, curve) for name, unit, curve in zip(names, units, curves)}
        for quantity, unit, size in (("velocity", "m/s", 0.1 * speed), ("acceleration", "m/s^2", 0.1 * speed ** 2)):
            x, y = (found[f"mark1_{quantity}.{axis}"] for axis in "xy")
            self.assertEqual((x[0], y[0]), (unit, unit))
            for a, b in zip(x[1][1:], y[1][1:]):
                self.assertAlmostEqual(math.hypot(a, b), size, delta=1e-6 * size)
        self.page.run("tenon.plots.update(true)")
        panels = self.page.run("tenon.plots.panels.map(({ curves }) => curves.map((k) => tenon.model.units[k]))")
        for units in panels:
            self.assertEqual(len(set(units)), 1)
        self.assertGreaterEqual(len(panels), 2)
        place, arrows = self.page.run("[[...tenon.frame.vectors], tenon.scene.vectors.heads.mesh.count]")
        angle = 1.5 * speed
        wanted = [0.1 * math.cos(angle), 0.1 * math.sin(angle), 0, -0.1 * speed * math.sin(angle), 0.1 * speed * math.cos(angle), 0,
                  -0.1 * speed ** 2 * math.cos(angle), -0.1 * speed ** 2 * math.sin(angle), 0]
        self.assertLess(max(abs(a - b) for a, b in zip(place, wanted)), 1e-5)
        self.assertEqual(arrows, 3)  # one head, and two
        self.page.run("""(async () => {
            for (const name of ["mark1.x", "mark1.y"])
                tenon.plots.add(tenon.model.columns.indexOf(name));
            for (const name of [...tenon.plots.curves].filter((k) => !tenon.model.columns[k].startsWith("mark1.")))
                tenon.plots.curves = tenon.plots.curves.filter((k) => k !== name);
            tenon.plots.rebuild();
            const over = document.querySelector("[aria-label='over what']");
            over.value = String(tenon.model.columns.indexOf("mark1.x"));
            over.dispatchEvent(new Event("change"));
            await tenon.plots.update(true);
        })()""")
        self.page.wait("document.querySelector('.across')?.dataset.equal === 'true'")
        self.click("[data-tab=joints]")

    def test_a_photo_behind_the_grid(self):
        """Two marks of it are 80 mm apart, as is typed, and lie where they are put; the text knows nothing of it, the browser keeps it."""
        self.begin()
        self.draw("bar", (-100, -60), (-60, -60))
        before = self.source()
        rows = [bytearray(b"\xff" * 600) for _ in range(100)]
        for row in rows[46:55]:
            for x in (*range(16, 25), *range(176, 185)):
                row[3 * x:3 * x + 3] = b"\x00\x00\x00"

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 200, 100, 8, 2, 0, 0, 0)) + \
            chunk(b"IDAT", zlib.compress(b"".join(b"\x00" + bytes(row) for row in rows))) + chunk(b"IEND", b"")
        self.page.run("""(() => {
            const data = new DataTransfer(), bytes = Uint8Array.from(atob(%s), (letter) => letter.charCodeAt(0));
            data.items.add(new File([bytes], "photo.png", { type: "image/png" }));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        })()""" % json.dumps(base64.b64encode(png).decode()))
        self.page.wait("tenon.board.photo.there && tenon.board.tool.name === 'photo'")

        def darkness(*places):
            """Of the picture near places in mm, beside the lines of the ground; 0 for white."""
            return self.page.run("""tenon.scene.png(1).then(createImageBitmap).then((picture) => {
                const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
                const context = canvas.getContext("2d", { willReadFrequently: true }), { width } = tenon.stage.getBoundingClientRect();
                context.drawImage(picture, 0, 0);
                return %s.map(([x, y]) => {
                    const at = tenon.board.screen((x + 1.2) / 1000, (y + 1.2) / 1000).map((one) => one * picture.width / width);
                    return 255 - context.getImageData(...at, 1, 1).data[1];
                });
            })""" % json.dumps(places))

        x, y, width = self.page.run("(({ x, y, width }) => [1000 * x, 1000 * y, 1000 * width])(tenon.board.photo.kept)")
        marks = [(x + width * (px / 200 - 0.5), y) for px in (20.5, 180.5)]
        self.assertGreater(min(darkness(*marks)), 90)
        for mark in marks:
            self.click(self.spot(*mark))
        self.settle()
        apart = self.page.run("1000 * Math.hypot(tenon.board.known[0].x - tenon.board.known[1].x, tenon.board.known[0].y - tenon.board.known[1].y)")
        self.assertAlmostEqual(apart, 0.8 * width, delta=1)

        def typed(label, value):
            self.click(f"[aria-label='{label} on the photo in mm']")
            self.page.run("document.activeElement.select()")
            self.page.call("Input.insertText", {"text": str(value)})
            self.page.key("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
            self.settle()

        typed("length", 80)
        self.assertAlmostEqual(self.page.run("1000 * tenon.board.photo.kept.width"), 80 * width / apart, places=6)
        for mark in (marks[0], (marks[0][0] + 80, marks[0][1])):
            self.assertGreater(darkness(mark)[0], 90)
            self.click(self.spot(*mark))
        self.settle()
        typed("x of its first end", -40)
        for mark in ((-40, y), (40, y)):
            self.assertGreater(darkness(mark)[0], 90)
            self.click(self.spot(*mark))
        self.settle()
        typed("y of its first end", 10)
        self.assertGreater(min(darkness((-40, 10), (40, 10))), 90)
        self.assertLess(max(darkness((0, 12), (20, 8))), 40)
        self.assertEqual(self.source(), before)
        name = self.page.run("tenon.name")
        self.load(before, "other.yaml")
        self.settle()
        self.assertLess(max(darkness((-40, 10), (40, 10))), 40)
        self.load(before, name)
        self.settle()
        self.assertGreater(min(darkness((-40, 10), (40, 10))), 90)
        self.click("#tool-photo")
        self.settle()
        self.click(".photo button", "take the photo away")
        self.settle()
        self.assertLess(max(darkness((-40, 10), (40, 10))), 40)

    def test_films_are_of_simulated_time(self):
        """A bar at 30 rpm, two seconds of film that shows one, ten pictures a second: each picture has the bar where it is then, in
        all three formats, however long the pictures took."""
        self.begin()
        self.draw("bar", (0, 0), (100, 0))
        self.draw("ground", (0, 0))
        self.draw("motor", (0, 0))
        self.click("#draw")
        self.click("[data-tab=out]")
        for label, value in (("length of the film in seconds", 2), ("speed of the film", 0.5), ("pictures a second of the film", 10),
                             ("width of the film", 320)):
            self.type(f"[aria-label='{label}']", str(value))
        self.keep_downloads()
        for count, name in enumerate(("WebM from here on", "GIF", "PNG pictures"), 1):
            self.click(".out button", name)
            self.page.wait(f"saved.length === {count} && document.querySelector('.out [role=status]').textContent === ''")
            self.click("[aria-label='back to the start']")
            self.settle()
        webm, gif, archive = [base64.b64decode(one) for one in self.page.run("""Promise.all(saved.map((blob) => new Promise((done) => {
            const reader = new FileReader();
            reader.onload = () => done(reader.result.split(",")[1]);
            reader.readAsDataURL(blob);
        })))""")]
        wide, high, length, end = self.page.run("""new Promise((done) => {
            const video = document.createElement("video");
            video.muted = true;
            video.onended = () => done([video.videoWidth, video.videoHeight, video.duration, video.currentTime]);
            video.onerror = () => done([video.error.message, 0, 0, 0]);
            video.src = makeURL.call(URL, saved[0]);
            void video.play();
        })""")
        self.assertEqual((wide, length), (320, 2))
        self.assertAlmostEqual(end, 2, delta=0.11)
        self.assertTrue(webm.startswith(b"\x1a\x45\xdf\xa3"))
        self.assertEqual((gif[:6], int.from_bytes(gif[6:8], "little"), int.from_bytes(gif[8:10], "little")), (b"GIF89a", 320, high))
        with zipfile.ZipFile(io.BytesIO(archive)) as pictures:
            self.assertIsNone(pictures.testzip())
            self.assertEqual(pictures.namelist(), [f"{k + 1:05}.png" for k in range(20)])
            self.assertEqual({pictures.read(name)[:8] for name in pictures.namelist()}, {b"\x89PNG\r\n\x1a\n"})
            images = [base64.b64encode(pictures.read(name)).decode() for name in pictures.namelist()]
        # the bar's colour at 70 mm from the axle, where it is at that time, and none at the opposite side
        found, delays = self.page.run("""(async () => {
            const { width, height } = tenon.stage.getBoundingClientRect(), films = %s;
            const canvas = Object.assign(document.createElement("canvas"), { width: %d, height: %d });
            const context = canvas.getContext("2d", { willReadFrequently: true });
            const pixel = (x, y) => {
                const at = tenon.board.screen(x, y);
                return [...context.getImageData(at[0] * canvas.width / width, at[1] * canvas.height / height, 1, 1).data];
            };
            const looked = (k) => [0, Math.PI].map((turn) => {
                const angle = turn + Math.PI * k / 20;
                return pixel(0.07 * Math.cos(angle), 0.07 * Math.sin(angle));
            });
            const found = [], decoder = new ImageDecoder({ data: saved[1].stream(), type: "image/gif" }), delays = [];
            for (let k = 0; k < films.length; k++) {
                const bytes = Uint8Array.from(atob(films[k]), (letter) => letter.charCodeAt(0));
                context.drawImage(await createImageBitmap(new Blob([bytes], { type: "image/png" })), 0, 0);
                const png = looked(k), { image } = await decoder.decode({ frameIndex: k });
                context.drawImage(image, 0, 0);
                delays.push(image.duration);
                image.close();
                found.push([...png, ...looked(k)]);
            }
            return [found, [decoder.tracks.selectedTrack.frameCount, ...delays]];
        })()""" % (json.dumps(images), wide, high))
        self.assertEqual(delays, [20] + 20 * [100_000])
        for k, (bar, ground, drawn, empty) in enumerate(found):
            self.assertGreater(math.dist(bar, ground), 60, k)
            self.assertLess(math.dist(bar, drawn) + math.dist(ground, empty), 30, k)
            self.assertLess(math.dist(bar, found[0][0]), 40, k)
        self.click("[data-tab=joints]")

    def test_equations_of_a_loop(self):
        """A four-bar half a second on: angles, speeds and accelerations of its closed form, sums that vanish."""
        self.begin()
        self.draw("bar", (0, 0), (0, 30))
        self.draw("ground", (0, 0))
        self.draw("bar", (0, 30), (100, 70))
        self.draw("bar", (100, 70), (90, 0))
        self.draw("ground", (90, 0))
        self.draw("motor", (0, 0))
        self.click("[data-tab=report]")
        self.page.wait("document.querySelector('.equation-list')?.hidden === false")
        self.click(".equation-list summary")
        state = self.page.run("""tenon.client.run(0.5, tenon.wish()).then(() => tenon.refresh())
            .then(() => tenon.report.equations.update(true)).then(() => tenon.client.loopState())""")
        crank = state["motions"][0]
        b = 2 * complex(crank["x"], crank["y"])  # the crank's frame is in its middle
        self.assertAlmostEqual(crank["turning"], math.pi, places=6)
        far, d, e = 0.09 - b, math.hypot(0.1, 0.04), math.hypot(0.01, 0.07)
        along = (abs(far) ** 2 + d * d - e * e) / (2 * abs(far))
        coupler = far / abs(far) * complex(along, math.sqrt(d * d - along * along))
        rocker = b + coupler - 0.09

        def solved(right):
            """x, y of x coupler - y rocker = right"""
            det = -coupler.real * rocker.imag + rocker.real * coupler.imag
            return ((-right.real * rocker.imag + rocker.real * right.imag) / det,
                    (coupler.real * right.imag - coupler.imag * right.real) / det)

        w, a = crank["turning"], crank["spin"]
        speeds = solved(-w * b)
        spins = solved(-a * b - 1j * (w * w * b + speeds[0] ** 2 * coupler - speeds[1] ** 2 * rocker))
        for one, speed, spin in zip(state["motions"][1:], speeds, spins):
            self.assertAlmostEqual(one["turning"], speed, delta=1e-8)
            self.assertAlmostEqual(one["spin"], spin, delta=1e-4 * abs(spin))
        tables = self.page.run("""[...document.querySelectorAll('.equations table')].map((one) => [one.caption.textContent,
            [...one.rows].map((row) => [...row.cells].map((cell) => cell.textContent))])""")
        self.assertEqual([title for title, _ in tables], ["position", "velocity", "acceleration", "multipliers of the constraint rows"])
        (_, position), (_, velocity), (_, acceleration), (_, rows) = tables
        for table in (position, velocity, acceleration):
            self.assertEqual((len(table), table[-1][-1]), (6, "0, 0"))

        def number(text):
            return float(text.replace("−", "-"))

        shown = {row[0].split()[1]: [number(row[1])] for row in position[1:5]}
        for table in (velocity, acceleration):
            for row in table[1:5]:
                shown[row[0].split()[1]].append(number(row[1]))
        degree = math.radians(1)
        for name, wanted in (("bar2", (1e3 * d, speeds[0] / degree, spins[0] / degree)),
                             ("bar3", (1e3 * e, speeds[1] / degree, spins[1] / degree)), ("ground", (90, 0, 0))):
            for have, want in zip(shown[name], wanted):
                self.assertAlmostEqual(have, want, delta=1e-3 * abs(want))
        self.assertEqual(len(rows), 9)  # two of each hinge, under their heading
        self.click("[data-tab=joints]")

    def four_bar(self, motor=True):
        """Lengths 30, 107.7, 70.7, 90 mm: a crank-rocker."""
        self.begin()
        self.draw("bar", (0, 0), (0, 30))
        self.draw("ground", (0, 0))
        self.draw("bar", (0, 30), (100, 70))
        self.draw("bar", (100, 70), (90, 0))
        self.draw("ground", (90, 0))
        if motor:
            self.draw("motor", (0, 0))
        self.click("[data-tab=report]")
        self.page.wait("document.querySelector('.kinematics-list')?.hidden === false")

    def after(self, seconds):
        self.page.run(f"tenon.client.run({seconds}, tenon.wish()).then(() => tenon.refresh()).then(() => tenon.report.update(true))")

    def tables(self, inside):
        found = self.page.run(f"""[...document.querySelectorAll('{inside} table')].map((one) => [one.caption.textContent,
            [...one.rows].map((row) => [...row.cells].map((cell) => cell.textContent))])""")
        return {title: rows for title, rows in found}

    @staticmethod
    def number(text):
        return float(text.replace("−", "-"))

    def test_matrices_of_the_rows(self):
        """J, M, K and b of all rows and of one joint: as the formulas have them, and what is shown is that."""
        self.four_bar()
        self.click(".matrix-list summary")
        self.after(0.5)
        both = self.page.run("""Promise.all([tenon.client.matrices(-1), tenon.client.loopState()]).then(([all, loop]) => ({ rows: all.rows,
            names: all.velocities, u: all.u, lambda: all.lambda, b: [...all.rhs], spins: loop.motions.map((one) => one.turning),
            ...Object.fromEntries(["jacobian", "mass", "effective"].map((key) => [key, [...all[key].values]])) }))""")
        m, n = len(both["rows"]), len(both["names"])
        self.assertEqual((m, n), (9, 9))  # two of each pin, and the motor's
        self.assertIn("A.theta", both["rows"])
        jacobian = [both["jacobian"][n * r:n * r + n] for r in range(m)]
        mass = [both["mass"][n * r:n * r + n] for r in range(n)]
        for r in range(n):  # masses and inertias alone
            self.assertEqual([c for c in range(n) if mass[r][c] != 0], [r])
        for r in range(m):
            for c in range(m):
                wanted = sum(jacobian[r][k] * jacobian[c][k] / mass[k][k] for k in range(n))
                self.assertAlmostEqual(both["effective"][m * r + c], wanted, delta=1e-9 * abs(both["effective"][m * r + r]))
            self.assertAlmostEqual(both["b"][r], -sum(a * u for a, u in zip(jacobian[r], both["u"])), places=12)
        self.assertEqual([both["u"][3 * k + 2] for k in range(3)], both["spins"])
        shown = self.tables(".matrix-list")
        self.assertEqual(list(shown), ["J", "u", "M", "K = J M⁻¹ Jᵀ", "b = −J u", "λ, now [N, N m]"])
        self.assertEqual(shown["J"][0][1:], both["names"])
        self.assertEqual([row[0] for row in shown["J"][1:]], both["rows"])
        largest = max(map(abs, both["jacobian"]))
        for row, values in zip(shown["J"][1:], jacobian):
            for cell, value in zip(row[1:], values):
                self.assertAlmostEqual(self.number(cell), value, delta=1e-3 * abs(value) + 1e-9 * largest)
        for (_, cell), value in zip(shown["λ, now [N, N m]"][1:], both["lambda"]):
            self.assertAlmostEqual(self.number(cell), value, delta=1e-3 * abs(value) + 1e-9)
        # a pin alone: J = (1, z x r), K = 1/m + (z x r)^2 / I of the bar
        self.page.run("""(() => { const one = document.querySelector("[aria-label='rows of which joint']");
            one.value = "0"; one.dispatchEvent(new Event("change")); return tenon.refresh(); })()""")
        self.page.wait("document.querySelectorAll('.matrix-list table')[0].rows.length === 4")  # the motor's too
        one = self.page.run("tenon.client.matrices(0).then((all) => ({ k: [...all.effective.values], u: all.u, j: [...all.jacobian.values] }))")
        x, y, spin = (mass[k][k] for k in (0, 1, 2))
        self.assertEqual(x, y)
        arm = [one["j"][2], one["j"][n + 2]]  # both from the pin to the middle of the bar
        self.assertAlmostEqual(math.hypot(*arm), 0.015, places=12)
        for r in (0, 1):
            for c in (0, 1):
                self.assertAlmostEqual(one["k"][3 * r + c] * x, (r == c) + arm[r] * arm[c] * x / spin, places=9)
        # in space: a spatial model has them too, of its joints one by one
        self.load((ROOT / "examples" / "double_pendulum.yaml").read_text(encoding="utf-8"))
        self.page.run("tenon.open('report')")
        self.page.wait("document.querySelectorAll('.matrix-list table').length === 6 && document.querySelector('.kinematics-list').hidden")
        self.after(0.3)
        spatial = self.page.run("tenon.client.matrices(-1).then((all) => ({ b: [...all.rhs], rows: all.rows.length, u: all.u }))")
        self.assertEqual(spatial["rows"], 10)
        self.assertLess(max(map(abs, spatial["b"])), 1e-9)  # u is what J is written for
        self.assertGreater(max(map(abs, spatial["u"])), 0.1)
        self.click(".matrix-list summary")
        self.click("[data-tab=joints]")

    def test_instant_centres_and_polygons(self):
        """A four-bar at rest, and driven: poles where lines through the pins cross, ratios by them, polygons, limits by its lengths."""
        self.four_bar(motor=False)
        self.click(".kinematics-list summary")
        self.click(".kinematics-list input[type=checkbox]")
        self.page.wait("document.querySelectorAll('.spot').length === 6")
        o1, a, b, o2 = (0, 0), (0, 30), (100, 70), (90, 0)

        def crossing(p, q, r, s):
            """Of the lines p q and r s."""
            one, other = (q[0] - p[0], q[1] - p[1]), (s[0] - r[0], s[1] - r[1])
            t = ((r[0] - p[0]) * other[1] - (r[1] - p[1]) * other[0]) / (one[0] * other[1] - one[1] * other[0])
            return p[0] + t * one[0], p[1] + t * one[1]

        wanted = {"bar1 / ground": o1, "bar3 / ground": o2, "bar1 / bar2": a, "bar2 / bar3": b,
                  "bar2 / ground": crossing(o1, a, o2, b), "bar1 / bar3": crossing(o1, o2, a, b)}

        def check_poles():
            found = {row[0]: tuple(map(self.number, row[1].split(", "))) for row in self.tables(".kinematics-list")["instant centres"][1:]}
            self.assertEqual(set(found), set(wanted))
            for name, place in wanted.items():
                for have, want in zip(found[name], place):
                    self.assertAlmostEqual(have, want, delta=1e-4 * math.hypot(*place) + 1e-6)

        check_poles()
        self.assertIn("its one freedom", self.page.run("document.querySelector('.kinematics-list').textContent"))
        places = self.page.run("""(() => { tenon.scene.draw(false); return [...document.querySelectorAll('.spot')].map((one) =>
            [one.textContent.replace("/", " / "), ...one.style.transform.match(/-?[\\d.]+/g).map(Number)]); })()""")
        for name, x, y in places:
            box = self.page.run("(() => { const r = tenon.stage.getBoundingClientRect(); return [r.left, r.top]; })()")
            at = self.spot(*wanted[name])
            self.assertLess(math.hypot(x + box[0] - at[0], y + box[1] - at[1]), 1, name)
        across = wanted["bar1 / bar3"][0]
        ratio = across / (across - 90)  # of the rocker's speed to the crank's: by the distances of their pole from the pins
        ratios = {row[0]: row[1:] for row in self.tables(".kinematics-list")["beside A"][1:]}
        rocker = next(name for name in ratios if name in ("D", "E") or name.startswith("D"))
        self.assertAlmostEqual(self.number(ratios[rocker][0]), ratio, places=4)
        self.assertAlmostEqual(self.number(ratios[rocker][1]), 1 / ratio, delta=1e-3 * abs(1 / ratio))
        lengths = [30, math.hypot(100, 40), math.hypot(10, 70), 90]
        text = self.page.run("document.querySelector('.four-bar').textContent")
        self.assertIn("crank-rocker: bar1 turns round, bar3 rocks", text)
        low = high = None
        for k in range(3600):  # all round: the angle between coupler and rocker
            far = math.sqrt(30 ** 2 + 90 ** 2 - 2 * 30 * 90 * math.cos(math.tau * k / 3600))
            angle = math.degrees(math.acos((lengths[1] ** 2 + lengths[2] ** 2 - far ** 2) / (2 * lengths[1] * lengths[2])))
            angle = min(angle, 180 - angle)
            low, high = min(low or angle, angle), max(high or angle, angle)
        said = [self.number(one) for one in re.search(r"now, ([\d.]+)° to ([\d.]+)° in a turn", text).groups()]
        for have, want in zip(said, (low, high)):
            self.assertAlmostEqual(have, want, delta=0.06)
        # where the rocker turns back it stands still, whatever the crank does
        for k in range(2):
            self.click(self.page.run(f"""(() => {{ const one = [...document.querySelectorAll('.four-bar .chip')][{k}]; one.scrollIntoView({{ block: 'nearest' }});
                const r = one.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()"""))
            self.settle()
            self.page.run("tenon.report.update(true)")
            ratios = {row[0]: row[1:] for row in self.tables(".kinematics-list")["beside A"][1:]}
            self.assertLess(abs(self.number(ratios[rocker][0])), 1e-5)
        self.page.run("tenon.reset()")
        self.settle()
        # driven: the same poles, polygons of all pins
        self.draw("motor", (0, 0))
        self.page.run("tenon.open('report')")
        self.page.wait("document.querySelectorAll('.spot').length === 6")
        self.after(0.02)
        self.page.wait("document.querySelectorAll('.polygon').length === 2")
        arrows = self.page.run("[...document.querySelectorAll('.polygon')].map((one) => [...one.querySelectorAll('text')].map((it) => it.textContent).sort())")
        for names in arrows:
            self.assertEqual(len(names), 3)  # the two pins that move, and the pole
        vectors = self.page.run("""[...document.querySelector('.polygon').querySelectorAll('.vector')].map((one) =>
            ["x1", "y1", "x2", "y2"].map((key) => Number(one.getAttribute(key))))""")
        at = self.page.run("tenon.client.loopState().then((one) => [...one.places])")
        one, other = ((at[3] - at[0], at[4] - at[1]), (at[6] - at[9], at[7] - at[10]))  # crank and rocker, from the ground
        self.assertEqual(len(vectors), 2)
        for x1, y1, x2, y2 in vectors:  # each across its bar
            across = [abs((x2 - x1) * x - (y2 - y1) * y) / math.hypot(x, y) / math.hypot(x2 - x1, y2 - y1) for x, y in (one, other)]
            self.assertLess(min(across), 0.003)
        sizes = sorted(math.hypot(x2 - x1, y2 - y1) for x1, y1, x2, y2 in vectors)  # and as long as its speed
        speeds = sorted(abs(w) * math.hypot(*bar) for w, bar in zip((math.pi, self.page.run("tenon.client.loopState().then((one) => one.motions[2].turning)")),
                                                                    (one, other)))
        self.assertAlmostEqual(sizes[0] / sizes[1], speeds[0] / speeds[1], delta=0.005)
        self.click(".kinematics-list summary")
        self.page.wait("document.querySelectorAll('.spot').length === 0")
        self.click("[data-tab=joints]")

    def test_bodies_are_hidden(self):
        """A bar that is not shown is neither seen nor hit, its pin with the ground neither; "only" leaves one; all come back."""
        self.four_bar()
        self.click("[data-tab=look]")
        self.click(".bodies summary")

        def hit(x, y):
            self.page.run("tenon.refresh(true).then(() => tenon.scene.draw(false))")
            at = self.spot(x, y)
            return self.page.run(f"(() => {{ const found = tenon.scene.pick({at[0]}, {at[1]}); return found && tenon.model.bodies[found.body]?.name; }})()")

        self.assertEqual([hit(50, 50), hit(95, 35)], ["bar2", "bar3"])
        self.click("[aria-label='show bar2']")
        self.settle()
        self.assertEqual([hit(50, 50), hit(95, 35)], [None, "bar3"])
        self.click("[aria-label='show only bar2']")
        self.settle()
        self.assertEqual([hit(50, 50), hit(95, 35)], ["bar2", None])
        self.assertEqual(self.page.run("[...document.querySelectorAll('.bodies input')].map((one) => one.checked)"), [False, True, False])
        self.draw("marker", (50, 50))  # another model: what is hidden stays so by its name
        self.assertEqual([hit(50, 50), hit(95, 35)], ["bar2", None])
        self.page.run("tenon.open('look')")
        self.click("#show-all")
        self.settle()
        self.assertEqual([hit(50, 50), hit(95, 35)], ["bar2", "bar3"])
        self.click("[data-tab=joints]")

    def test_a_plane_that_is_seen_from_the_side(self):
        """There nothing can be drawn: the page says so, and goes on."""
        self.four_bar()
        text = self.source()
        self.click("[data-tab=look]")
        for view in ("+x", "−y"):
            self.click(f"[aria-label='look from {view}']")
            self.click("#tool-bar")
            for place in ((500, 300), (640, 200)):
                self.click(place)
            self.page.key("ArrowRight")
            self.page.key("Enter")
            self.settle()
            self.assertIn("seen from the side", self.page.run("document.querySelector('.message').textContent"))
            self.assertEqual(self.source(), text)
        self.click("[aria-label='look from home']")
        self.draw("bar", (0, 30), (-50, 60))
        self.assertIn("bar4", self.source())
        self.click("[data-tab=joints]")

    def test_curves_of_many_points(self):
        """Of a coupler 25 paths, each as the tool has that of a marker there; a click makes one a marker."""
        self.four_bar()
        self.after(1.5)
        self.click(".curve-list summary")
        self.page.wait("document.querySelectorAll('.choice').length === 25")
        self.assertEqual(self.page.run("document.querySelector(\"[aria-label='body whose curves are drawn']\").selectedOptions[0].textContent"), "bar2")
        self.assertGreater(self.page.run("tenon.scene.curves.bundle.object.geometry.instanceCount"), 25 * 100)
        self.click(self.page.run("""(() => { tenon.scene.draw(false); const r = document.querySelectorAll('.choice')[17].getBoundingClientRect();
            return [r.left + r.width / 2, r.top + r.height / 2]; })()"""))
        self.settle()
        found = re.search(r"mark1: \{body: bar2, position: \[(\S+) mm, (\S+) mm\]\}", self.source())
        self.assertTrue(found, self.source())
        at = [float(one) / 1000 for one in found.groups()]
        table = self.moves_as_the_tool(0.5)
        for k in range(len(table["t"])):
            cos, sin = math.cos(table["bar2.angle"][k]), math.sin(table["bar2.angle"][k])
            self.assertAlmostEqual(table["mark1.x"][k], table["bar2.x"][k] + cos * at[0] - sin * at[1], places=9)
            self.assertAlmostEqual(table["mark1.y"][k], table["bar2.y"][k] + sin * at[0] + cos * at[1], places=9)
        path = self.page.run("""(async () => { const { columns } = tenon.model, of = (...names) => tenon.client.columns(names.map((one) => columns.indexOf(one)));
            const [, x, y] = await of("mark1.x", "mark1.y");
            await tenon.report.curves.update(true);
            const p = tenon.scene.curves.bundle.positions, n = tenon.scene.curves.bundle.object.geometry.instanceCount;
            return [[...p.slice(6 * (n / 25) * 17, 6 * (n / 25) * 17 + 2)], [x[0], y[0]]]; })()""")
        for have, want in zip(*path):
            self.assertAlmostEqual(have, want, delta=1e-6)  # the picture has single precision
        self.page.run("tenon.open('report')")
        self.page.wait("document.querySelector('.curve-list summary')?.getClientRects().length > 0")
        self.click(".curve-list summary")
        self.page.wait("document.querySelectorAll('.choice').length === 0")
        self.click("[data-tab=joints]")

    def test_distances_and_angles(self):
        """A crank of 50 mm, seen from a point of the ground 100 mm away, and its angle from the x axis: by their formulas."""
        self.begin()
        self.draw("bar", (0, 0), (50, 0))
        self.draw("ground", (0, 0))
        self.draw("motor", (0, 0))
        self.draw("distance", (50, 0), (100, 0))
        self.draw("angle", (20, 0), (-60, -60))
        text = self.source()
        self.assertRegex(text, r"distance1: \{distance: \[mark1, mark2\]\}")
        self.assertRegex(text, r"mark2: \{body: ground, position: =\w\}")
        self.assertRegex(text, r"angle1: \{angle: \[frame1, frame2\]\}")
        self.draw("distance", (0, 0), (50, 0))  # of one body: it never changes
        self.assertEqual(self.source(), text)
        self.assertIn("does not change", self.page.run("document.querySelector('.message').textContent"))
        self.assertLessEqual({"distance1", "angle1"}, set(self.page.run("tenon.plots.curves.map((k) => tenon.model.columns[k].split('.')[0])")))
        table = self.moves_as_the_tool(0.4)
        for theta, far, angle in zip(table["A.theta"], table["distance1"], table["angle1"]):
            self.assertAlmostEqual(far, math.hypot(0.1 - 0.05 * math.cos(theta), 0.05 * math.sin(theta)), places=9)
            self.assertAlmostEqual(abs(angle), abs(theta), places=9)
        self.assertGreater(table["A.theta"][-1], 1)

    def test_runs_are_compared(self):
        """A motor at 30 rpm, kept, then at 60: both in one plot, to the row; the kept one as it was, until it is forgotten."""
        self.begin()
        self.draw("bar", (0, 0), (100, 0))
        self.draw("ground", (0, 0))
        self.draw("motor", (0, 0))
        self.draw("marker", (100, 0))
        self.click("[data-tab=plots]")
        self.page.run("""(() => { tenon.plots.curves = ["mark1.x", "mark1.y"].map((name) => tenon.model.columns.indexOf(name)); tenon.plots.rebuild(); })()""")
        self.click("#keep-run")
        self.settle()
        self.assertIn("nothing is simulated yet", self.page.run("document.querySelector('.message').textContent"))
        self.page.run("tenon.client.run(1, tenon.wish()).then(() => tenon.refresh())")
        self.click("#keep-run")
        self.settle()
        self.click("[aria-label='back to the start']")
        self.settle()
        self.type_value("motor of A", "60 rpm")
        self.page.run("tenon.client.run(0.5, tenon.wish()).then(() => tenon.refresh()).then(() => tenon.plots.update(true))")
        labels, dashes, data, size = self.page.run("""(() => { const { plot } = tenon.plots.panels[0];
            return [plot.series.slice(1).map((one) => one.label), plot.series.slice(1).map((one) => (one.dash ?? []).length > 0),
                    plot.data.map((one) => [...one]), tenon.display.of("m").size]; })()""")
        self.assertEqual(labels, ["mark1.x", "mark1.y", "mark1.x, run 1", "mark1.y, run 1"])
        self.assertEqual(dashes, [False, False, True, True])
        seen = [0, 0]
        for t, x, y, before_x, before_y in zip(*data):
            for run, (speed, one, other) in enumerate(((math.tau, x, y), (math.pi, before_x, before_y))):
                if one is not None:
                    seen[run] += 1
                    self.assertAlmostEqual(one * size, 0.1 * math.cos(speed * t), places=6)
                    self.assertAlmostEqual(other * size, 0.1 * math.sin(speed * t), places=6)
        self.assertEqual(seen[1], 2 * seen[0] - 1)  # rows of 1 s and of half a second
        self.keep_downloads()
        head, *lines = csv.reader(io.StringIO(self.taken("#plot-csv")))
        unit = "mm" if size == 1e-3 else "m"
        self.assertEqual(head, ["t [s]", f"mark1.x [{unit}]", f"mark1.y [{unit}]", f"mark1.x (run 1) [{unit}]", f"mark1.y (run 1) [{unit}]"])
        self.assertEqual([[float(cell) if cell else None for cell in line] for line in lines], [list(row) for row in zip(*data)])
        self.click("#plot-png")
        self.page.wait("saved.length === 2")
        self.assertEqual(self.page.run("saved[1].arrayBuffer().then((one) => [...new Uint8Array(one.slice(0, 4))])"), [137, 80, 78, 71])
        self.page.run("""(() => { const over = document.querySelector("[aria-label='over what']");
            over.value = String(tenon.model.columns.indexOf("mark1.x")); over.dispatchEvent(new Event("change")); return tenon.plots.update(true); })()""")
        self.page.wait("document.querySelector('.across')?.dataset.equal === 'true'")
        self.click("[aria-label='forget run 1']")
        self.settle()
        self.assertEqual(self.page.run("tenon.plots.kept.length"), 0)
        self.click("[data-tab=joints]")

    def test_templates_links_and_files(self):
        self.click("#start")
        count, kinds = self.page.run("[tenon.start.tiles.length, new Set(tenon.start.tiles.map((one) => one.template.kind)).size]")
        self.assertGreaterEqual(count, 25)
        self.assertGreaterEqual(kinds, 5)
        wrong = self.page.run("""Promise.all(tenon.start.tiles.map(async ({ template, text }) => [template.title,
            (await tenon.client.check(text)).filter((one) => one.severity !== "note").map((one) => one.message)]))
            .then((all) => all.filter(([, problems]) => problems.length > 0))""")
        self.assertEqual(wrong, [])
        self.click(".find input")
        self.page.call("Input.insertText", {"text": "walk"})
        self.assertEqual(self.page.run("[...document.querySelectorAll('.template')].filter((one) => !one.hidden).length"), 1)
        self.click(".template:not([hidden])")
        self.page.wait("tenon.model && tenon.model.name.includes('Jansen') && tenon.board.active")
        self.settle()
        self.assertIn("1 degree of freedom", self.told())
        text = self.source()
        link = self.page.run("tenon.files.link()")
        self.assertLess(len(link), 3000)
        # what was drawn last is kept; another model comes, then the link, then what was kept
        self.page.wait("tenon.files.draft()?.text === tenon.source")
        self.load("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n", "other.yaml")
        self.page.run(f"(location.hash = {json.dumps(link.split('#')[1])}, 0)")
        self.page.wait("tenon.name.includes('Jansen')")
        self.settle()
        self.assertEqual(self.source(), text)
        name = "<img src=x onerror=hacked=1>"
        for bad in ("#model=", "#model=!!", "#model=AAAA", "#model=" + "A" * 300):
            self.page.run(f"(location.hash = {json.dumps(bad)}, 0)")
        self.load(f"tenon: 1\nworld: planar\nname: {json.dumps(name)}\nparameters: {{A: [0 mm, 0 mm]}}\n"
                  f"bodies: {{{json.dumps(name)}: {{position: =A, mass: 1, inertia: 1}}}}\n", name)
        self.page.run("tenon.board.open()")
        self.settle()
        self.draw("ground", (0, 0))
        self.assertIn("<img", self.told())
        self.assertFalse(self.page.run("typeof hacked !== 'undefined'"))
        # dropped, and saved
        self.page.run("""(() => {
            const data = new DataTransfer();
            data.items.add(new File(["tenon: 1\\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}  # dropped\\n"], "dropped.yaml"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        })()""")
        self.page.wait("tenon.name === 'dropped.yaml' && tenon.model")
        self.keep_downloads()
        self.assertIn("# dropped", self.taken("#save"))

    def delay(self, slow):
        """Every answer of the engine is late by so many ms, until the case ends. It counts the models that are read."""
        self.page.run("""(() => {
            window.engine ??= tenon.client;
            window.acts = 0;
            tenon.client = new Proxy(engine, { get: (_, call) => call === "then" ? undefined : async (...values) => {
                acts += Number(call === "load");
                if (%d > 0)
                    await new Promise((done) => setTimeout(done, %d));
                return engine[call](...values);
            } });
        })()""" % (slow, slow))
        self.addCleanup(self.page.run, "(tenon.client = engine, 0)")

    def test_a_hand_that_is_faster_than_the_engine(self):
        """What is pressed while an edit is at work is done to the text that the edit leaves: none is lost, none overtakes."""
        acts = [("bar", (0, 0), (0, 30)), ("ground", (0, 0)), ("bar", (0, 30), (100, 60)), ("bar", (100, 60), (90, 0)),
                ("ground", (90, 0)), ("motor", (0, 0))]
        self.begin()
        for act in acts:
            self.draw(*act)
        wanted = self.source()
        self.assertIn("motor:", wanted)
        self.begin()
        self.delay(100)
        for tool, *places in acts:
            self.page.press(self.at(f"#tool-{tool}"))
            for place in places:
                self.click(self.spot(*place))
            if tool == "motor":
                self.click("[aria-label=undo]")
                self.click("[aria-label=redo]")
        self.assertNotEqual(self.source(), wanted)  # or this shows nothing
        self.settle()
        self.assertEqual(self.source(), wanted)
        # a point is dragged at once after it was drawn, and taken away at once after it was chosen
        self.draw("bar", (-60, -40), (-60, 20))
        before = self.source()
        self.click("#tool-bar")
        self.click(self.spot(-60, 20))
        self.click(self.spot(0, 60))
        self.click("#tool-select")
        self.drag(self.spot(0, 60), self.spot(0, 70), self.spot(20, 80))
        self.click(self.spot(-60, -10))
        self.page.key("Delete")
        self.settle()
        self.assertIn("[20 mm, 80 mm]", self.source())
        self.assertEqual((before.count("bar4: "), self.source().count("bar4: "), self.source().count("bar5: ")), (1, 0, 1))

    def scramble(self, seed, slow):
        """Clicks, drags and keys at random, as fast as they come; slow: delay.
        How many acts of the drawing there were, and what they made."""
        self.begin()
        self.delay(slow)
        dice = random.Random(seed)
        tools = self.page.run("[...document.querySelectorAll('.tool')].map((one) => one.id)") + 3 * ["tool-bar", "tool-plate"]
        box = self.page.run("(({ left, top, right, bottom }) => [left, top, right, bottom])(tenon.stage.getBoundingClientRect())")
        places = [(box[0] + 180 + 90 * i, box[1] + 100 + 90 * k) for i in range(4) for k in range(4)]
        self.assertTrue(all(x < box[2] - 20 and y < box[3] - 20 for x, y in places))
        for _ in range(25):
            self.click("#" + dice.choice(tools))
            for place in dice.sample(places, dice.randint(1, 4)):
                self.click(place)
            if dice.random() < 0.3:
                self.drag(dice.choice(places), dice.choice(places), dice.choice(places))
            if dice.random() < 0.3:
                self.page.key(dice.choice(["Delete", "Escape", "Enter", ".", "r", "l"]))
            if dice.random() < 0.1:
                self.click("[aria-label=undo]")
        self.settle()
        self.page.key("r")
        self.settle()
        return self.page.run("acts"), self.source()

    def test_any_input_leaves_the_page_whole(self):
        """At random: no error, the same drawing however slow the engine is, and undone it is the first text."""
        # what can be pressed there depends on what has been shown by then: here everything goes to the drawing
        self.page.run("""(document.head.append(Object.assign(document.createElement("style"),
            { id: "through", textContent: ".mark, .told, .message { pointer-events: none !important }" })), 0)""")
        self.addCleanup(self.page.run, "document.getElementById('through').remove()")
        self.begin()
        first = self.source()
        acts, text = self.scramble(58, 0)
        self.assertGreater(acts, 10)
        self.assertGreater(self.page.run("tenon.model.bodies.length"), 3)
        self.checked(text)
        undone = 0
        while not self.page.run("document.querySelector('[aria-label=undo]').disabled"):
            self.page.run("tenon.undo()")
            undone += 1
            self.assertLess(undone, 400)
        self.assertGreater(undone, 5)
        self.assertEqual(self.source(), first)
        self.assertEqual(self.scramble(58, 30)[1], text)

    def test_entries_of_a_text(self):
        """What the drawing writes with, in node."""
        web = pathlib.Path(TENON).parent / "page" / "web"
        out = self.folder / "entries.mjs"
        built = subprocess.run([web / "node_modules" / ".bin" / "esbuild", HERE / "test_entries.mjs", "--bundle",
                                "--platform=node", "--format=esm", f"--outfile={out}", "--log-level=warning"],
                               env={**os.environ, "NODE_PATH": str(web / "node_modules")}, capture_output=True, text=True,
                               check=False)
        self.assertEqual((built.returncode, built.stderr), (0, ""))
        done = subprocess.run(["node", out], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
