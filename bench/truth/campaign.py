#!/usr/bin/env python3
"""campaign.py: random mechanisms run with default settings, against a second run that is finer.

    bench/truth/campaign.py [--count 200] [--seed 1] [--accuracy 1e-6] [--tenon build/tenon] [--keep DIR] [--minutes M]
    bench/truth/campaign.py --print SEED > model.yaml

A mechanism is a tree of one to eight bodies with joints of all types, closed here and there by joints, rods, ropes and
springs as long as it can move, or a planar linkage of several equal loops whose rows repeat each other; lengths and masses
over 1e-3 to 1e3, speeds up to 1e4 rad/s, compliance from soft to stiff, friction, limits, drives. From seed 2001 on points
of bodies fall on planes and lines of segments that only push, with and without bouncing, and coordinates are coupled: geared
to each other, held in a range, or driven together. From seed 3001 on there is all else: worlds in the plane, loads of all kinds,
damping, friction by coefficient and with stiction, motors that go to a place, springs that end or whose rest moves, soft
joints, joints that break, given motions of couplings. It is run for some swings
of its slowest motion, or turns of its fastest, whichever is shorter, by the tool as a user would: the file names neither
integrator nor step. The reference is dormand_prince at a hundred-thousandth of the accuracy, or where that is too stiff
auto at a thousandth. Every run falls in one class:

    right      poses within ten times the accuracy of the reference, in sizes of the mechanism and rad
    apart      the two runs part because the motion itself does: a reference whose masses, speeds and gravity are off by
               the accuracy would be as far off (asked with 1e-9); seeds that need more than a tenth of it are printed
    refused    with an error, or exit code 2; the reason is counted
    unknown    no reference could be had
    WRONG      "ok", and not right: seeds are printed, files kept

Exit code 1 if there is any WRONG.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

# Joints of a tree: how many freedoms they leave, and their coordinates (m where the name is in LENGTHS).
JOINTS = {"hinge": (1, ["theta"]), "slider": (1, ["z"]), "cylindrical": (2, ["z", "theta"]), "screw": (1, ["theta"]),
          "slotted_hinge": (2, ["x", "theta"]), "universal": (2, ["roll", "pitch"]),
          "skewed_universal": (2, ["roll", "pitch"]), "constant_velocity": (2, ["bend_x", "bend_y"]),
          "gimbal": (3, ["roll", "pitch", "yaw"]), "spherical": (3, []), "spherical_tilt": (3, ["tilt"]),
          "spherical_rotation": (3, ["rotation"]), "spherical_swing_twist": (3, ["swing", "twist"]),
          "planar": (3, ["x", "y", "theta"]), "planar_translation": (2, ["x", "y"]), "ellipsoid": (4, ["theta"]),
          "solid": (0, []), "custom": (1, ["q"]), "free": (6, ["x", "y", "z"]), "rotation_lock": (3, []),
          "parallel_axes": (4, []), "point_plane": (5, []), "point_line": (4, ["z"]), "segmented_plane": (5, []),
          "wheel": (3, ["suspension", "steering", "spin"]), "pin": (6, ["x", "y", "z"]), "block_distance": (6, ["x", "y", "z"])}
LENGTHS = {"x", "y", "z", "suspension", "q"}
# Coordinates that may have limits, friction, springs and drives of their own. (Angles of a tilt, a swing or a
# rotation have no direction at zero, where the mechanisms start.)
DRIVEN = {"theta", "z", "x", "y", "roll", "pitch", "spin", "steering"}
# Joints that close a loop, of which a chain drawn closed stays closed.
CLOSING = ["spherical", "universal", "cylindrical", "planar", "point_line", "point_plane", "parallel_axes", "gimbal",
           "slotted_hinge", "constant_velocity", "spherical_tilt", "rotation_lock"]
ALLOWED = 10.0
SENSITIVE = 1e-9
# Seeds up to this draw no contacts and couplings: what was said of them stays true.
WITHOUT_CONTACTS = 2000
# And up to this none of what Wider adds.
WITHOUT_LOADS = 3000
DEFAULT = 1e-6  # accuracy of a file that names none


class Mechanism:
    """The text of a model, made from a seed alone."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.length = 10.0 ** r.uniform(-3, 3)
        self.mass = 10.0 ** r.uniform(-3, 3)
        self.gravity = r.choice([0.0, 9.81, 9.81])
        swing = math.sqrt(self.length / 9.81)
        self.speed = r.choice([0.0, 1.0, 10.0, 1e4 * 10.0 ** r.uniform(-3, 0) * swing]) / swing
        self.time = min(3.0 * swing, 20.0 / self.speed) if self.speed > 0 else 3.0 * swing
        self.rate = 1.0 / swing
        self.bodies, self.joints, self.lines, self.size = [], [], set(), self.length
        self.couplings, self.couplable = [], []
        if r.random() < 0.25:
            self.ladder(r.randint(2, 4))
        else:
            self.tree(r.randint(1, 8))
        if seed > WITHOUT_CONTACTS and len(self.couplable) + len(self.falling) > 0:
            self.contacts_and_couplings()

    def contacts_and_couplings(self):
        r = self.random
        for k in range(r.choice([0, 1, 1, 2])):
            if self.falling:
                self.contact(k, *self.falling.pop(r.randrange(len(self.falling))))
        for k in range(r.choice([0, 1, 1])):
            if len(self.couplable) > 1:
                self.couple(k, *r.sample(self.couplable, 2))

    def contact(self, k, body, place):
        """A point of a body that stays above a plane below it, or a line of segments, fixed or of another body."""
        r, L = self.random, self.length
        point = [p + self.number(-0.2, 0.2) for p in place]
        below = [point[0], point[1], point[2] - self.number(0.0, 0.5)]
        text = f"a: {body}, frame_c: {{position: {fmt(point)}}}, frame_d: {{position: {fmt(below)}}}"
        if r.random() < 0.3:
            text += f", restitution: {{distance: {r.uniform(0.1, 0.9)!r}}}"
        if r.random() < 0.5:
            self.joints.append(f"  contact{k}: {{type: half_space, {text}}}")
            return
        points = [[-4 * L, self.number(-1, 0)], [self.number(-2, -0.5), 0.0], [self.number(0.5, 2), 0.0], [4 * L, self.number(-1, 1)]]
        self.joints.append(f"  contact{k}: {{type: segmented_half_space, {text}, points: [{', '.join(map(fmt, points))}]}}")

    def couple(self, k, one, other):
        """The sum of two coordinates: geared, free within a range, or driven; lengths count by the mechanism's."""
        r = self.random
        terms = ", ".join(f"{{coordinate: {joint}.{name}, ratio: {r.choice([-1, 1]) * r.uniform(0.3, 3) / (self.length if name in LENGTHS else 1.0)!r}}}"
                          for joint, name in (one, other))
        hold = r.choice(["fixed", "fixed", "in_range", "motor"])
        if hold == "fixed" and self.freedoms <= 1:
            return
        text = f"terms: [{terms}]"
        if hold == "fixed":
            self.freedoms -= 1
        elif hold == "in_range":
            text += f", hold: in_range, range: [{-r.uniform(0.05, 0.5)!r}, {r.uniform(0.05, 0.5)!r}]"
        else:
            force = self.mass * 9.81 * self.length
            text += f", hold: in_range, motor: {{speed: {r.uniform(-1, 1) * self.rate!r}, max_force: {force * r.uniform(0.1, 3)!r}}}"
        self.couplings.append(f"  c{k}: {{{text}}}")

    def number(self, low, high):
        return self.length * self.random.uniform(low, high)

    def body(self, name, position, mass, size):
        a, b, c = (mass * size * size * self.random.uniform(0.05, 0.1) for _ in range(3))
        self.bodies.append(f"  {name}: {{position: {fmt(position)}, mass: {mass!r}, inertia: {fmt([a, b, c])}}}")

    def tree(self, count):
        r = self.random
        places, self.freedoms, self.falling = [(0.0, 0.0, 0.0)], 0, []
        for k in range(count):
            parent = r.randrange(len(places))
            pin = [p + self.number(-0.3, 0.3) for p in places[parent]]
            place = [p + self.number(0.2, 0.6) * r.choice([-1, 1]) for p in pin]
            places.append(tuple(place))
            self.body(f"b{k}", place, self.mass * 10.0 ** r.uniform(-1, 1), self.length)
            axis = [r.gauss(0, 1) for _ in range(3)]
            self.joint(k, parent, pin, axis)
            self.falling.append((f"b{k}", place))
        for k in range(r.choice([0, 0, 1, 2])):
            self.line(k, places)
        for k in range(r.choice([0, 0, 1, 2])):
            self.close(k, places)

    def joint(self, k, parent, pin, axis):
        r = self.random
        # half of the joints are of the types that machines are made of
        type_ = r.choice(["hinge", "hinge", "slider", "spherical", "universal", "cylindrical"] if r.random() < 0.5 else list(JOINTS))
        freedoms, coordinates = JOINTS[type_]
        self.freedoms += freedoms
        text = f"type: {type_}, a: b{k}"
        if parent > 0:
            text += f", b: b{parent - 1}"
        if type_ == "ellipsoid":  # at the end of an axis of its own
            semi = [self.number(0.5, 1.5) for _ in range(3)]
            text += (f", frame_c: {{position: {fmt(pin)}}}, frame_d: {{position: {fmt([pin[0], pin[1], pin[2] - semi[2]])}}}, "
                     f"semi_axis_a: {semi[0]!r}, semi_axis_b: {semi[1]!r}, semi_axis_c: {semi[2]!r}")
        elif type_ == "segmented_plane":
            L = self.length
            text += f", origin: {fmt(pin)}, axis: {fmt(axis)}, points: [{fmt([-3 * L, L])}, {fmt([-L, 0])}, {fmt([L, 0])}, {fmt([3 * L, L])}]"
        else:
            text += f", origin: {fmt(pin)}, axis: {fmt(axis)}"
        if type_ == "screw":
            text += f", pitch: {self.length * r.uniform(0.1, 1)!r}"
        if type_ == "skewed_universal":
            text += f", skew: {r.uniform(-1, 1)!r}"
        if type_ == "custom":
            text += (f", coordinates: {{q: length}}, axes: [{{translation: {fmt([r.gauss(0, 1) for _ in range(3)])}, coordinate: q}}, "
                     f"{{rotation: {fmt([r.gauss(0, 1) for _ in range(3)])}, coordinate: q, function: {{polynomial: [0, {r.uniform(-2, 2) / self.length!r}]}}}}]")
        if self.speed > 0 and type_ in ("hinge", "slider"):
            scale = 1.0 if coordinates[0] != "z" else self.length
            text += f", speed: {{{coordinates[0]}: {r.uniform(-1, 1) * self.speed * scale!r}}}"
        driven = [c for c in coordinates if c in DRIVEN]
        self.couplable += [(f"j{k}", c) for c in driven[:1] if "speed" not in text]
        if driven and r.random() < 0.35:
            text += self.extra(r.choice(driven))
        self.joints.append(f"  j{k}: {{{text}}}")

    def close(self, k, places):
        """A joint between two bodies of the tree, drawn closed, that leaves something to move."""
        r = self.random
        type_ = r.choice(CLOSING)
        rows = 6 - JOINTS[type_][0]
        if len(places) < 3 or self.freedoms <= rows:
            return
        a, b = sorted(r.sample(range(1, len(places)), 2))
        if (a, b) in self.lines:
            return
        self.lines.add((a, b))
        self.freedoms -= rows
        middle = [0.5 * (p + q) for p, q in zip(places[a], places[b])]
        axis = [r.gauss(0, 1) for _ in range(3)]
        self.joints.append(f"  loop{k}: {{type: {type_}, a: b{a - 1}, b: b{b - 1}, origin: {fmt(middle)}, axis: {fmt(axis)}}}")

    def extra(self, coordinate):
        r = self.random
        length = coordinate in LENGTHS
        unit = self.length if length else 1.0
        force = self.mass * 9.81 * (1.0 if length else self.length)
        kind = r.choice(["range", "friction", "spring", "stiff", "motor", "drive"])
        if kind == "range":
            return f", range: {{{coordinate}: [{-r.uniform(0.05, 0.5) * unit!r}, {r.uniform(0.05, 0.5) * unit!r}]}}"
        if kind == "friction":
            return f", friction: {{{coordinate}: {{force: {force * r.uniform(0.01, 1)!r}}}}}"
        if kind == "motor":
            return f", motor: {{{coordinate}: {{speed: {r.uniform(-1, 1) * self.rate * unit!r}, max_force: {force * r.uniform(0.1, 3)!r}}}}}"
        if kind == "drive":
            return f", drive: {{{coordinate}: {{position: {{sine: [{0.3 * unit!r}, {r.uniform(1, 3) * self.rate!r}, 0, 0]}}}}}}"
        stiff = 10.0 ** (r.uniform(0, 2) if kind == "spring" else r.uniform(3, 6))
        k = force / unit * stiff
        damping = 2 * r.uniform(0, 1) * math.sqrt(k * self.mass * (1.0 if length else self.length ** 2))
        return f", spring: {{{coordinate}: {{stiffness: {k!r}, damping: {damping!r}}}}}"

    def line(self, k, places):
        """A rod, rope or distance with a spring between two bodies; rods soft to stiff, or hard."""
        r = self.random
        if len(places) < 3:
            return
        a, b = sorted(r.sample(range(1, len(places)), 2))
        if (a, b) in self.lines:
            return
        self.lines.add((a, b))
        type_ = r.choice(["rod", "rod", "rope", "distance"])
        length = math.dist(places[a], places[b])
        text = (f"type: {type_}, a: b{a - 1}, b: b{b - 1}, frame_c: {{position: {fmt(places[a])}}}, "
                f"frame_d: {{position: {fmt(places[b])}}}")
        if type_ == "rope":
            text += f", range: {{length: [0, {length * r.uniform(1, 1.3)!r}]}}"
        elif type_ == "distance":
            stiff = self.mass * 9.81 / self.length * 10.0 ** r.uniform(0, 4)
            text += f", spring: {{length: {{stiffness: {stiff!r}, rest: {length * r.uniform(0.7, 1.1)!r}}}}}"
        elif self.freedoms <= 1 or r.random() < 0.7:
            stiff = self.mass * 9.81 / self.length * 10.0 ** r.uniform(0, 6)
            text += f", compliance: [{1.0 / stiff!r}], damping: [{2 * r.uniform(0, 1) * math.sqrt(stiff * self.mass)!r}]"
        else:
            self.freedoms -= 1
        self.joints.append(f"  line{k}: {{{text}}}")

    def ladder(self, cranks):
        """Equal cranks under one bar: all but two of them say nothing new, and out of plane more does."""
        self.freedoms, self.falling = 1, []
        r = self.random
        L, lean = self.length, r.uniform(0.3, 1.2)
        tip = [L * math.cos(lean), 0.0, L * math.sin(lean)]
        self.body("bar", [tip[0] + 0.5 * (cranks - 1) * L, 0.0, tip[2]], self.mass, cranks * L)
        for k in range(cranks):
            self.body(f"crank{k}", [k * L + 0.5 * tip[0], 0.0, 0.5 * tip[2]], self.mass * 10.0 ** r.uniform(-1, 1), L)
            speed = f", speed: {{theta: {self.speed * 0.3!r}}}" if k == 0 and self.speed > 0 else ""
            self.joints.append(f"  foot{k}: {{type: hinge, a: crank{k}, origin: {fmt([k * L, 0.0, 0.0])}, axis: [0, 1, 0]{speed}}}")
            self.joints.append(f"  head{k}: {{type: hinge, a: crank{k}, b: bar, "
                               f"origin: {fmt([k * L + tip[0], 0.0, tip[2]])}, axis: [0, 1, 0]}}")

    def let_go(self):
        """Without the speeds and drives of joints that loops leave no motion of their own."""
        self.joints = [re.sub(r", (speed: \{[^}]*\}|drive: \{\w+: \{position: \{[^}]*\}\}\})", "", joint) for joint in self.joints]

    def text(self, nudge=0.0):
        """nudge: relative, of gravity, masses and speeds: who is sensitive to it has a motion nobody can tell."""
        def scaled(lines, key):
            change = random.Random(1)  # the same for the same mechanism, another for each line
            return [re.sub(rf"({key})([-+0-9.e]+)", lambda m: m[1] + repr(float(m[2]) * (1 + nudge * change.uniform(-1, 1))), line)
                    for line in lines] if nudge else lines
        return "\n".join(["tenon: 1", f"gravity: [0, 0, {-self.gravity * (1 + nudge)!r}]", "bodies:",
                          *scaled(self.bodies, r"mass: "), "joints:", *scaled(self.joints, r"speed: \{(?:theta|z): "),
                          *(["couplings:", *self.couplings] if self.couplings else []),
                          f"simulation: {{duration: {self.time!r}}}",
                          f"record: {{every: {self.time / 20!r}, what: [poses]}}", ""])


class Wider(Mechanism):
    """One with all that model files know beside: loads, damping, friction by coefficient, soft joints, ... (spatial)."""

    def __init__(self, seed):
        self.loads, self.markers, self.head = [], [], []
        super().__init__(seed)
        r = self.random
        self.names = [line.split(":")[0].strip() for line in self.bodies]
        self.weight = self.mass * 9.81
        for k in range(r.choice([0, 1, 1, 2])):
            self.load(k)
        if r.random() < 0.3:
            self.head.append(f"damping: {{frame: {self.mass * self.rate * r.uniform(0, 1)!r}, rotary: {self.mass * self.length ** 2 * self.rate * r.uniform(0, 0.1)!r}}}")
        if r.random() < 0.25:
            self.soften(r.randrange(len(self.joints)))
        if r.random() < 0.15:
            self.weaken(r.randrange(len(self.joints)))

    def vector(self, scale):
        return [scale * self.random.gauss(0, 1) for _ in range(3)]

    def wave(self, size):
        """A number that swings, as text."""
        r = self.random
        return f"{{sine: [{size!r}, {r.uniform(0.5, 3) * self.rate!r}, {r.uniform(0, 3)!r}, {0.5 * size!r}]}}"

    def load(self, k):
        r, body, L = self.random, self.random.choice(self.names), self.length
        kind = r.choice(["force", "wave", "moment", "thrust", "effort", "field", "scale", "drag", "central"])
        text = f"body: {body}"
        if kind == "force":
            text += f", axes: {r.choice(['world', 'body'])}, at: {fmt(self.vector(0.3 * L))}, force: {fmt(self.vector(0.5 * self.weight))}"
        elif kind == "wave":
            text += f", axes: {r.choice(['world', 'body'])}, force: [0, {self.wave(self.weight)}, 0]"
        elif kind == "moment":
            text += f", axes: {r.choice(['world', 'body'])}, moment: {fmt(self.vector(0.3 * self.weight * L))}"
        elif kind == "thrust":
            other = r.choice([name for name in self.names if name != body] + ["ground"])
            self.markers += [f"  one{k}: {{body: {body}, position: {fmt(self.vector(0.2 * L))}}}",
                             f"  other{k}: {{body: {other}, position: {fmt([3.0 * L if other == 'ground' else 0.1 * L, 2 * L, L])}}}"]
            text = f"between: [one{k}, other{k}], thrust: {self.wave(0.5 * self.weight)}"
        elif kind == "effort":
            if not self.couplable:
                return
            joint, name = r.choice(self.couplable)
            text = f"coordinate: {joint}.{name}, effort: {self.wave(self.weight * (1.0 if name in LENGTHS else L))}"
        elif kind == "field":
            text = f"acceleration: [0, {self.wave(5.0)}, 0]"
        elif kind == "scale":
            text += f", gravity_scale: {r.uniform(-1, 2)!r}"
        elif kind == "drag":
            speed = L * self.rate
            text += (f", drag: {{linear: {self.weight / speed * r.uniform(0, 1)!r}, quadratic: {self.weight / speed ** 2 * r.uniform(0, 1)!r}, "
                     f"rotary: {self.weight * L / self.rate * r.uniform(0, 0.3)!r}, medium: {fmt(self.vector(speed))}}}")
        else:
            text = f"central: {{point: {fmt(self.vector(3 * L))}, strength: {9.81 * (3 * L) ** 2 * r.uniform(0.1, 1)!r}}}"
        self.loads.append(f"  load{k}: {{{text}}}")

    def extra(self, coordinate):
        r = self.random
        unit = self.length if coordinate in LENGTHS else 1.0
        force = self.mass * 9.81 * self.length / unit if unit == 1.0 else self.mass * 9.81
        kind = r.choice(["old", "stiction", "coefficient", "place", "capped", "moved", "law", "bounce", "locked"])
        if kind == "stiction":
            dry = force * r.uniform(0.01, 1)
            return f", friction: {{{coordinate}: {{force: {dry!r}, static_force: {dry * r.uniform(1, 1.5)!r}, viscous: {0.1 * force / (unit * self.rate) * r.random()!r}}}}}"
        if kind == "coefficient":
            more = f", radius: {0.05 * self.length!r}" if unit == 1.0 else ""
            return f", friction: {{{coordinate}: {{coefficient: {r.uniform(0.01, 0.3)!r}{more}}}}}"
        if kind == "place":
            return (f", motor: {{{coordinate}: {{position: {{sine: [{0.3 * unit!r}, {r.uniform(0.5, 2) * self.rate!r}, 0, 0]}}, "
                    f"max_force: {force * r.uniform(0.5, 5)!r}, time_constant: {r.uniform(0.05, 0.5) / self.rate!r}}}}}")
        if kind == "capped":
            return f", spring: {{{coordinate}: {{stiffness: {force / unit * 10.0 ** r.uniform(0, 3)!r}, damping: {force / unit / self.rate * r.random()!r}, max_force: {force * r.uniform(0.1, 1)!r}}}}}"
        if kind == "moved":
            return f", spring: {{{coordinate}: {{stiffness: {force / unit * 10.0 ** r.uniform(0, 3)!r}, rest: {{sine: [{0.5 * unit!r}, {r.uniform(0.5, 2) * self.rate!r}, 0, 0]}}}}}}"
        if kind == "law":
            return f", spring: {{{coordinate}: {{force: {{table: [[{-unit!r}, {2 * force!r}], [{-0.1 * unit!r}, 0], [{0.1 * unit!r}, 0], [{unit!r}, {-force!r}]]}}}}}}"
        if kind == "bounce":
            return (f", range: {{{coordinate}: [{-r.uniform(0.05, 0.5) * unit!r}, {r.uniform(0.05, 0.5) * unit!r}]}}, "
                    f"restitution: {{{coordinate}: {r.uniform(0.1, 0.95)!r}}}")
        if kind == "locked" and self.freedoms > 1:
            self.freedoms -= 1
            return f", locked: [{coordinate}]"
        return super().extra(coordinate)

    def soften(self, k):
        """A joint whose rows yield, all alike."""
        r = self.random
        if "compliance" in self.joints[k] or "contact" in self.joints[k]:
            return
        stiff = self.mass * 9.81 / self.length * 10.0 ** r.uniform(1, 5)
        self.joints[k] = self.joints[k][:-1] + f", linear_compliance: {1.0 / stiff!r}, rotary_compliance: {1.0 / (stiff * self.length ** 2)!r}}}"

    def weaken(self, k):
        """A joint that may break."""
        self.joints[k] = self.joints[k][:-1] + f", break_force: {self.mass * 9.81 * 10.0 ** self.random.uniform(-0.5, 1)!r}}}"

    def text(self, nudge=0.0):
        """Loads and markers stand before what every mechanism ends with."""
        parts = ["\n".join([title, *lines]) for title, lines in (("markers:", self.markers), ("loads:", self.loads)) if lines]
        text = super().text(nudge)
        at = text.index("simulation:")
        return text[:at] + "\n".join([*self.head, *parts, text[at:]])


class Planar(Wider):
    """Chains and trees in the plane, closed by joints and rods."""

    def tree(self, count):
        r = self.random
        self.head.append("world: planar")
        places, self.freedoms, self.falling = [(0.0, 0.0)], 0, []
        for k in range(count):
            parent = r.randrange(len(places))
            pin = [p + self.number(-0.3, 0.3) for p in places[parent]]
            places.append(tuple(p + self.number(0.2, 0.6) * r.choice([-1, 1]) for p in pin))
            mass = self.mass * 10.0 ** r.uniform(-1, 1)
            self.bodies.append(f"  b{k}: {{position: {fmt(places[-1])}, mass: {mass!r}, inertia: {mass * self.length ** 2 * r.uniform(0.05, 0.1)!r}}}")
            self.flat_joint(k, parent, pin)
        for k in range(r.choice([0, 0, 1, 2])):
            self.line(k, places)
        for k in range(r.choice([0, 0, 1, 2])):
            a, b = sorted(r.sample(range(1, len(places)), 2)) if len(places) > 2 else (0, 0)
            if b == 0 or (a, b) in self.lines or self.freedoms <= 2:
                continue
            self.lines.add((a, b))
            self.freedoms -= 2
            self.joints.append(f"  loop{k}: {{type: hinge, a: b{a - 1}, b: b{b - 1}, origin: {fmt([0.5 * (p + q) for p, q in zip(places[a], places[b])])}}}")

    def flat_joint(self, k, parent, pin):
        r = self.random
        type_, name = r.choice([("hinge", "theta"), ("hinge", "theta"), ("slider", "z"), ("solid", ""), ("slotted_hinge", "theta")])
        self.freedoms += {"hinge": 1, "slider": 1, "solid": 0, "slotted_hinge": 2}[type_]
        text = f"type: {type_}, a: b{k}" + (f", b: b{parent - 1}" if parent > 0 else "") + f", origin: {fmt(pin)}"
        if type_ in ("slider", "slotted_hinge"):
            text += f", axis: {fmt([r.gauss(0, 1), r.gauss(0, 1)])}"
        if self.speed > 0 and type_ in ("hinge", "slider"):
            text += f", speed: {{{name}: {r.uniform(-1, 1) * self.speed * (self.length if name == 'z' else 1.0)!r}}}"
        elif name:
            self.couplable.append((f"j{k}", name))
        if name and r.random() < 0.35:
            text += self.extra(name)
        self.joints.append(f"  j{k}: {{{text}}}")

    def ladder(self, cranks):
        self.tree(cranks)

    def load(self, k):
        r, body, L = self.random, self.random.choice(self.names), self.length
        kind = r.choice(["force", "moment", "effort", "field", "drag"])
        text = f"body: {body}"
        if kind == "force":
            text += f", axes: {r.choice(['world', 'body'])}, at: {fmt(self.vector(0.3 * L)[:2])}, force: [{self.wave(self.weight)}, {self.weight!r}]"
        elif kind == "moment":
            text += f", moment: {self.wave(0.3 * self.weight * L)}"
        elif kind == "effort" and self.couplable:
            joint, name = r.choice(self.couplable)
            text = f"coordinate: {joint}.{name}, effort: {self.wave(self.weight * (1.0 if name in LENGTHS else L))}"
        elif kind == "field":
            text = f"acceleration: [{self.wave(5.0)}, 0]"
        else:
            speed = L * self.rate
            text += f", drag: {{linear: {self.weight / speed * r.uniform(0, 1)!r}, quadratic: {self.weight / speed ** 2 * r.uniform(0, 1)!r}}}"
        self.loads.append(f"  load{k}: {{{text}}}")

    def text(self, nudge=0.0):
        return super().text(nudge).replace("gravity: [0, 0, ", "gravity: [0, ")


def mechanism(seed):
    if seed <= WITHOUT_LOADS:
        return Mechanism(seed)
    return (Planar if seed % 4 == 0 else Wider)(seed)


def fmt(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def of_processor(seconds):
    """Seconds of the processor, however busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def run(tenon, folder, text, *options, seconds=120):
    """(status, report, rows of poses)"""
    model, table, report = (folder / name for name in ("model.yaml", "out.csv", "report.json"))
    model.write_text(text)
    done = subprocess.run([tenon, "run", model, "--csv", table, "--report", report, "--quiet", *options],
                          capture_output=True, text=True, preexec_fn=lambda: of_processor(seconds))
    if done.returncode == -signal.SIGXCPU:
        return "too slow", {}, []
    data = json.loads(report.read_text()) if report.is_file() and report.stat().st_size else {}
    if done.returncode != 0:
        return data.get("status") or "input", data | {"stderr": done.stderr}, []
    with open(table) as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return "ok", data, rows


def distance(one, other, size):
    """Of poses, sizes or rad."""
    worst = 0.0 if len(one) == len(other) > 1 and any(key.endswith((".px", ".x")) for key in one[0]) else math.inf
    for a, b in zip(one, other):
        for key in a:
            if key.endswith((".px", ".py", ".pz", ".x", ".y")):
                worst = max(worst, abs(float(a[key]) - float(b[key])) / size)
            elif key.endswith(".angle"):
                worst = max(worst, abs(math.remainder(float(a[key]) - float(b[key]), 2 * math.pi)))
            elif key.endswith(".qw"):
                stem = key[:-2]
                dot = sum(float(a[stem + c]) * float(b[stem + c]) for c in ("qw", "qx", "qy", "qz"))
                sign = 1.0 if dot > 0 else -1.0
                worst = max(worst, 2 * math.sqrt(sum((float(a[stem + c]) - sign * float(b[stem + c])) ** 2
                                                     for c in ("qw", "qx", "qy", "qz"))))
    return worst


def reference(tenon, folder, text, accuracy):
    for name, share in (("dormand_prince", 1e-5), ("auto", 1e-3)):
        status, _, rows = run(tenon, folder, text, "--integrator", name, "--accuracy", f"{max(accuracy * share, 1e-12):g}",
                              seconds=60)
        if status == "ok":
            return rows
    return None


def judge(tenon, folder, seed, accuracy):
    machine = mechanism(seed)
    options = ["--accuracy", f"{accuracy:g}"] if accuracy != DEFAULT else []
    status, report, rows = run(tenon, folder, machine.text(), *options)
    if status != "ok" and "it is dependent" in (report.get("message") or report.get("stderr", "")):
        machine.let_go()
        status, report, rows = run(tenon, folder, machine.text(), *options)
    if status != "ok":
        return "refused", status, report
    truth = reference(tenon, folder, machine.text(), accuracy)
    if truth is None:
        return "unknown", "", report
    error = distance(rows, truth, machine.size)
    if error <= ALLOWED * accuracy:
        return "right", error, report
    nudged = reference(tenon, folder, machine.text(SENSITIVE), accuracy)
    apart = distance(nudged, truth, machine.size) if nudged else 0.0
    far = apart * accuracy / SENSITIVE
    if far > error > 0.1 * far:
        print(f"seed {seed}: apart, as with data off by {error / far:.2f} of the accuracy", flush=True)
    return ("apart" if far > error else "WRONG"), error, report


def kind_of(verdict, status, report):
    """What a refusal is told as: of the message what is not names and numbers."""
    message = report.get("message") or next(iter(report.get("stderr", "").strip().splitlines()), "")
    return f"{verdict}: {status}: " + re.sub(r"'[^']*'|[-+0-9.e]*\d[-+0-9.e]*|\b(j|b|line|loop|contact|foot|head|crank)\d+\b|.*yaml:", "", message)[:90] \
        if verdict == "refused" else verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--accuracy", type=float, default=1e-6)
    parser.add_argument("--tenon", default="build/tenon")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many")
    parser.add_argument("--print", type=int, metavar="SEED", help="write the model of a seed and end")
    parser.add_argument("--keep", help="folder for the models that are WRONG or refused")
    options = parser.parse_args()
    if options.print is not None:
        print(mechanism(options.print).text(), end="")
        return
    begin, done = time.monotonic(), 0
    counts, reasons, implicit = collections.Counter(), collections.Counter(), 0
    for seed in range(options.seed, options.seed + options.count):
        if time.monotonic() - begin > 60 * options.minutes:
            break
        done += 1
        with tempfile.TemporaryDirectory() as name:
            verdict, what, report = judge(options.tenon, pathlib.Path(name), seed, options.accuracy)
        counts[verdict] += 1
        implicit += bool(report.get("implicit_parts"))
        if verdict in ("refused", "WRONG", "unknown"):
            reasons[kind_of(verdict, what, report)] += 1
            message = report.get("message") or report.get("stderr", "").strip().splitlines()[:1]
            print(f"seed {seed}: {verdict} {what} {message if verdict == 'refused' else ''}", flush=True)
            if options.keep:
                pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                pathlib.Path(options.keep, f"{verdict}-{seed}.yaml").write_text(mechanism(seed).text())
    print(f"{done} mechanisms, accuracy {options.accuracy:g}: "
          + ", ".join(f"{counts[v]} {v}" for v in ("right", "apart", "refused", "unknown", "WRONG"))
          + f"; {implicit} of them with implicit parts")
    for reason, count in reasons.most_common():
        print(f"  {count:4d} {reason}")
    sys.exit(counts["WRONG"] > 0)


if __name__ == "__main__":
    main()
