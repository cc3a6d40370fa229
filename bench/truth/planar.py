#!/usr/bin/env python3
"""planar.py: planar loops and trees full of what changes at once, judged by means that share nothing with a run.

    bench/truth/planar.py [--seed 1] [--count 100] [--minutes M] [--tenon build/tenon] [--keep DIR] [--judges all]
    bench/truth/planar.py --print SEED > model.yaml

A mechanism is a chain, a linkage of one or two loops or of cranks side by side, with several of these at once: dry and viscous
friction with and without stiction, limits that bounce or not, capped motors, springs, ropes, couplings with friction, motors
and ranges, given motions that set out from rest, and loads by sines, steps, splines, tables and pulses of a thousandth
of the time. Motion, efforts, forces and moments at the joints are compared with

    finer   itself, run at a thousandth of the accuracy
    coarse  itself, at a hundred times the accuracy
    twin    the same mechanism turned, mirrored, moved, in other units, its bodies and joints in another order, a for b
    space   the same in space, in a plane that lies anyhow, which makes its loops overconstrained
    steps   small_steps.c: Moreau's time stepping with 2e5 steps and half as many; forces within what they are next to a sample
    signs   friction within its bound and against the motion, limits that push, where they are and the right way

Each is right, or apart where data off by the accuracy would be as far off, or WRONG: printed, files kept. Refusals are counted.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
KINDS = {"none": 0, "polynomial": 1, "constant": 1, "sine": 2, "step": 3, "table": 4, "spline": 5}
COORDINATE = {"hinge": "theta", "slider": "z", "rope": "length", "distance": "length"}
RECORDS = 100
# Of what contradicts itself: given motions against ranges, more motions than freedoms.
FAIR = ("is limited and has 0", "no speeds satisfy all limits", "has no freedom left", "it is dependent", "at the end of its range")


def link(name, p, q, mass):
    size = math.dist(p, q)
    return {"name": name, "p": [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], "mass": mass, "inertia": mass * size * size / 10}


class Mechanism:
    """Numbers in SI units; what is made of them is in other classes."""

    def __init__(self, seed, features=None):
        self.random = r = random.Random(seed)
        self.gravity = r.choice([[0.0, -9.81], [0.0, -9.81], [0.0, 0.0], [3.0, -5.0]])
        self.time = r.choice([0.5, 1.0, 1.5])
        self.bodies, self.joints, self.loads, self.couplings = [], [], [], []
        self.freedoms = self.hung = 0
        self.shape = r.choice(["four", "four", "crank", "five", "six", "chain", "chain", "cart", "trammel", "cranks", "inverted", "alone"])
        getattr(self, self.shape)()
        self.drives = 0
        if r.random() < 0.3:
            self.hang()
        moving = [j for j in self.joints if j["type"] in ("hinge", "slider")]
        if r.random() < 0.6:
            j = r.choice(moving)
            j["speed"] = r.uniform(-4, 4)
        for _ in range(r.choice([1, 2, 3, 3, 4, 5])):
            self.feature(r.choice(moving))
        if self.shape != "cranks" and len(moving) > 1 and r.random() < 0.2:
            self.couple(*r.sample(moving, 2))
        for _ in range(r.choice([0, 1, 1, 2])):
            self.load(r.choice(moving))

    # shapes
    def at(self, x, y):
        return [x + self.random.uniform(-0.08, 0.08), y + self.random.uniform(-0.08, 0.08)]

    def mass(self):
        return 10 ** self.random.uniform(-0.7, 0.5)

    def bar(self, p, q):
        self.bodies.append(link(f"b{len(self.bodies)}", p, q, self.mass()))
        return len(self.bodies) - 1

    def pin(self, a, b, p, type_="hinge", axis=(1.0, 0.0)):
        self.joints.append({"name": f"j{len(self.joints)}", "type": type_, "a": a, "b": b, "p": list(p), "q": list(p), "axis": list(axis)})

    def four(self):
        A, B, C, D = self.at(0, 0), self.at(0, 0.35), self.at(0.8, 0.6), self.at(0.9, 0)
        a, b, c = self.bar(A, B), self.bar(B, C), self.bar(C, D)
        for j in ((a, None, A), (b, a, B), (c, b, C), (c, None, D)):
            self.pin(*j)
        self.freedoms += 1

    def crank(self):
        A, B, C = self.at(0, 0), self.at(0.1, 0.3), self.at(0.9, 0.1)
        a, b = self.bar(A, B), self.bar(B, C)
        s = self.bar([C[0] - 0.1, C[1]], [C[0] + 0.1, C[1]])
        for j in ((a, None, A), (b, a, B), (s, b, C)):
            self.pin(*j)
        angle = self.random.uniform(-0.3, 0.3)
        self.pin(s, None, C, "slider", (math.cos(angle), math.sin(angle)))
        self.freedoms += 1

    def five(self):
        p = [self.at(0, 0), self.at(-0.1, 0.4), self.at(0.4, 0.9), self.at(0.9, 0.5), self.at(0.8, 0)]
        bars = [self.bar(p[i], p[i + 1]) for i in range(4)]
        self.pin(bars[0], None, p[0])
        for i in range(1, 4):
            self.pin(bars[i], bars[i - 1], p[i])
        self.pin(bars[3], None, p[4])
        self.freedoms += 2

    def six(self):
        self.four()
        E, F, G = self.at(0.5, 0.8), self.at(1.2, 0.9), self.at(1.5, 0.1)
        a, b = self.bar(E, F), self.bar(F, G)
        self.pin(a, 1, E), self.pin(b, a, F), self.pin(b, None, G)

    def chain(self):
        count = self.random.choice([1, 2, 2, 3])
        p = [self.at(0.4 * i, 0.1 * i) for i in range(count + 1)]
        last = None
        for i in range(count):
            bar = self.bar(p[i], p[i + 1])
            self.pin(bar, last, p[i])
            last = bar
        self.freedoms += count

    def cart(self):
        p, q = self.at(0, 0), self.at(0.3, -0.5)
        a, b = self.bar([p[0] - 0.2, p[1]], [p[0] + 0.2, p[1]]), self.bar(p, q)
        angle = self.random.uniform(-0.3, 0.3)
        self.pin(a, None, p, "slider", (math.cos(angle), math.sin(angle)))
        self.pin(b, a, p)
        self.freedoms += 2

    def trammel(self):
        A, B = self.at(0.5, 0), self.at(0, 0.7)
        a, b = self.bar([A[0] - 0.1, A[1]], [A[0] + 0.1, A[1]]), self.bar([B[0], B[1] - 0.1], [B[0], B[1] + 0.1])
        c = self.bar(A, B)
        self.pin(a, None, A, "slider", (1.0, 0.0)), self.pin(b, None, B, "slider", (0.2, 1.0))
        self.pin(c, a, A), self.pin(c, b, B)
        self.freedoms += 1

    def cranks(self):
        tips = [(0.5 * i, 0.0) for i in range(3)]
        t = self.at(0.15, 0.4)
        bars = [self.bar(p, (p[0] + t[0], p[1] + t[1])) for p in tips]
        top = self.bar(t, (t[0] + 1.0, t[1]))
        for p, bar in zip(tips, bars):
            self.pin(bar, None, p), self.pin(top, bar, (p[0] + t[0], p[1] + t[1]))
        self.freedoms += 1

    def inverted(self):
        A, B, C = self.at(0, 0), self.at(0.2, 0.3), self.at(0.9, 0)
        a, sleeve, rod = self.bar(A, B), self.bar((B[0] - 0.1, B[1]), (B[0] + 0.1, B[1])), self.bar(B, C)
        self.pin(a, None, A), self.pin(sleeve, a, B), self.pin(rod, None, C)
        self.pin(sleeve, rod, B, "slider", (C[0] - B[0], C[1] - B[1]))
        self.freedoms += 1

    def alone(self):
        p = self.at(0, 0)
        a = self.bar([p[0] - 0.2, p[1]], [p[0] + 0.2, p[1]])
        angle = self.random.uniform(-1.5, 1.5)
        self.pin(a, None, p, self.random.choice(["slider", "hinge"]), (math.cos(angle), math.sin(angle)))
        self.freedoms += 1

    def hang(self):
        """A weight on a slide, on a rope to a body of the rest."""
        r, other = self.random, self.random.randrange(len(self.bodies))
        p = self.at(0.3, -1.0)
        w = self.bar([p[0] - 0.1, p[1]], [p[0] + 0.1, p[1]])
        angle = r.uniform(0.8, 2.2)
        self.pin(w, None, p, "slider", (math.cos(angle), math.sin(angle)))
        self.pin(w, other, p, "rope")
        rope = self.joints[-1]
        rope["q"] = list(self.bodies[other]["p"])
        rope["range"] = [None, math.dist(rope["p"], rope["q"]) * r.choice([1.0, r.uniform(1.0, 1.2)])]
        rope["rest"] = r.choice([0.0, 0.0, 0.4])
        self.hung = 1
        self.freedoms += 1

    # what changes
    def wave(self, size):
        r, T = self.random, self.time
        kind = r.choice(["sine", "step", "table", "spline", "pulse", "pulse", "constant", "polynomial"])
        if kind == "sine":
            return (kind, [size * r.uniform(0.3, 1), r.uniform(3, 40), r.uniform(-3, 3), size * r.uniform(-0.5, 0.5)])
        if kind == "step":
            begin = r.uniform(0, 0.8) * T
            return (kind, [begin, 0.0, begin + T * 10 ** r.uniform(-3, -0.5), size * r.choice([-1, 1])])
        if kind in ("table", "spline"):
            times = sorted(r.uniform(0, T) for _ in range(r.randint(2, 6)))
            return (kind, [v for t in times for v in (t, size * r.uniform(-1, 1))])
        if kind == "pulse":
            begin, width = r.uniform(0, 0.9) * T, T * 10 ** r.uniform(-4, -1)
            high = size * r.choice([-1, 1]) * min(100.0, 0.2 * T / width)
            pulse = [0.0, 0.0, begin, 0.0, begin + 0.3 * width, high, begin + 0.7 * width, high, begin + width, 0.0]
            return ("table", pulse + r.choice([[], [2 * T, 0.0], [2 * T, 0.0]]))  # else the last line goes on
        return (kind, [size * r.uniform(-1, 1)]) if kind == "constant" else ("polynomial", [0.0, size * r.uniform(-2, 2)])

    def feature(self, j):
        r = self.random
        kind = r.choice(["friction", "friction", "stiction", "viscous", "range", "range", "spring", "motor", "motor", "drive", "coefficient"])
        if kind == "drive":
            if self.drives + 1 > self.freedoms or "motor" in j or "speed" in j or j.get("drive") or self.shape == "cranks":
                return
            if "range" in j:  # a given motion beyond its own range, or pressed by it, is no question of friction or force
                return
            if any("speed" in other for other in self.joints):
                return
            self.drives += 1
            begin = r.choice([0.0, r.uniform(0, 0.5) * self.time])
            j["drive"] = r.choice([("step", [begin, 0.0, begin + r.uniform(0.1, 0.8) * self.time, r.uniform(-0.25, 0.25)]),
                                   ("sine", [r.uniform(0.05, 0.2), r.uniform(1, 12), 0.0, 0.0])])
        elif kind == "friction":
            j["friction"] = {"force": 10 ** r.uniform(-1.5, 1)}
        elif kind == "stiction" and sum("friction" in other for other in self.joints) < self.freedoms:
            force = 10 ** r.uniform(-1.5, 1)
            j["friction"] = {"force": force, "static_force": force * r.uniform(1, 2)}
        elif kind in ("viscous", "stiction"):
            j.setdefault("friction", {})["viscous"] = 10 ** r.uniform(-2, 1)
        elif kind == "coefficient" and self.shape == "cranks":
            pass  # what each of them carries is one of many ways
        elif kind == "coefficient":
            j["friction"] = {"coefficient": r.uniform(0.02, 0.4)} | ({"radius": r.uniform(0.01, 0.1)} if j["type"] == "hinge" else {})
        elif kind == "range":
            limits = [-r.choice([0.0, 1.0, 1.0]) * r.uniform(0.02, 0.4), r.uniform(0.02, 0.4)]
            bounce = r.choice([0.0, 0.0, 0.5])
            if not j.get("drive"):
                j["range"], j["rest"] = limits, bounce
        elif kind == "spring":
            j["spring"] = {"stiffness": 10 ** r.uniform(0, 3.5), "damping": r.choice([0.0, 10 ** r.uniform(-2, 0.5)]), "rest": r.uniform(-0.3, 0.3)}
        elif "drive" not in j:
            j["motor"] = {"speed": self.wave(4.0), "cap": 10 ** r.uniform(-0.5, 1.3)}

    def couple(self, one, other):
        r = self.random
        c = {"terms": [[j["name"], r.choice([-1, 1]) * r.uniform(0.3, 2)] for j in (one, other)]}
        kind = r.choice(["held", "friction", "motor", "range"])
        if kind == "held" and self.freedoms - self.drives < 2:
            kind = "friction"
        if kind == "held":
            c["held"] = True
            self.freedoms -= 1
        elif kind == "friction":
            c["force"] = 10 ** r.uniform(-1, 1)
        elif kind == "motor":
            c["motor"], c["cap"] = self.wave(3.0), 10 ** r.uniform(-0.5, 1)
        else:
            c["range"] = [-r.uniform(0.02, 0.3), r.uniform(0.02, 0.3)]
        self.couplings.append(c)

    def load(self, j):
        r = self.random
        if r.random() < 0.5:
            j["effort"] = self.wave(10.0)
        else:
            body = r.randrange(len(self.bodies))
            self.loads.append({"body": body, "at": [r.uniform(-0.1, 0.1), r.uniform(-0.1, 0.1)], "force": [self.wave(15.0), self.wave(15.0)],
                               "moment": self.wave(2.0) if r.random() < 0.3 else ("constant", [0.0])})


class Frame:
    """How a mechanism is written: turned, mirrored, moved, in other units, in another order, some joints the other way round."""

    def __init__(self, seed=None, space=False):
        self.space, self.turn, self.sign, self.move = space, 0.0, 1, [0.0, 0.0]
        self.length = self.mass = self.time = 1.0
        self.random = random.Random(seed)
        self.plain = seed is None
        if self.plain:
            return
        r = self.random
        self.turn, self.sign = r.uniform(-3, 3), r.choice([-1, 1])
        if space:
            self.sign = 1
        self.move = [r.uniform(-5, 5), r.uniform(-5, 5)]
        self.length, self.mass, self.time = (10.0 ** r.uniform(-2, 2) for _ in range(3))
        q = [r.gauss(0, 1) for _ in range(4)]
        n = math.sqrt(sum(v * v for v in q))
        w, x, y, z = (v / n for v in q)
        self.R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]

    def vector(self, v, factor):
        c, s = math.cos(self.turn), math.sin(self.turn)
        x, y = v[0] * self.sign, v[1]
        flat = [factor * (c * x - s * y), factor * (s * x + c * y)]
        return [sum(self.R[i][k] * flat[k] for k in range(2)) for i in range(3)] if self.space else flat

    def normal(self):
        return [row[2] for row in self.R]

    def point(self, p):
        return [a + b for a, b in zip(self.vector(p, self.length), self.vector(self.move, self.length))]

    @property
    def force(self):
        return self.mass * self.length / self.time ** 2


def function(f, y, x):
    """A function whose values count by y and arguments by x."""
    kind, n = f
    if kind == "constant":
        return {"constant": [n[0] * y]}
    if kind == "polynomial":
        return {kind: [c * y / x ** k for k, c in enumerate(n)]}
    if kind == "sine":
        return {kind: [n[0] * y, n[1] / x, n[2], n[3] * y]}
    return {kind: [v * (y if k % 2 else x) for k, v in enumerate(n)]}


class Text:
    """The model file of a mechanism in a frame."""

    def __init__(self, machine, frame, nudge=0.0):
        self.m, self.f, self.flip = machine, frame, {}
        self.nudge = random.Random(5)
        self.off = nudge
        f = frame
        bodies = list(machine.bodies)
        joints = list(machine.joints)
        if not f.plain:
            f.random.shuffle(bodies), f.random.shuffle(joints)
        out = {"tenon": 1, "world": "spatial" if f.space else "planar", "gravity": f.vector(machine.gravity, self.near(f.length / f.time ** 2)),
               "bodies": {b["name"]: self.body(b) for b in bodies}, "joints": {j["name"]: self.joint(j) for j in joints}}
        if machine.couplings:
            out["couplings"] = {f"c{k}": self.coupling(c) for k, c in enumerate(machine.couplings)}
        loads = {f"push{k}": self.load(load) for k, load in enumerate(machine.loads)}
        loads |= {f"act_{j['name']}": {"coordinate": f"{j['name']}.{COORDINATE[j['type']]}",
                                       "effort": function(j["effort"], self.unit(j) * self.sign(j) * f.force, f.time)}
                  for j in joints if "effort" in j}
        if loads:
            out["loads"] = loads
        measures = {}
        for j in joints:
            for part in ("friction", "limit"):
                if j["type"] in COORDINATE and ("friction" in j if part == "friction" else "range" in j):
                    measures[f"{part}_{j['name']}"] = {"coordinate": f"{j['name']}.{COORDINATE[j['type']]}", "quantity": "effort", "part": part}
        if measures:
            out["measures"] = measures
        out["simulation"] = {"duration": machine.time * f.time}
        out["record"] = {"every": machine.time * f.time / RECORDS}
        self.text = "\n".join(self.lines(out)) + "\n"

    def near(self, value):
        return value * (1 + self.off * self.nudge.uniform(-1, 1))

    def lines(self, out):
        for key, value in out.items():
            if isinstance(value, dict) and key not in ("simulation", "record"):
                yield f"{key}:"
                for name, item in value.items():
                    yield f"  {name}: {json.dumps(item)}"
            else:
                yield f"{key}: {json.dumps(value)}"

    def unit(self, j):
        """Of what acts along the coordinate, to a force; and of its inverse, of the coordinate."""
        return self.f.length if j["type"] == "hinge" else 1.0

    def sign(self, j):
        """Of the coordinate, against the plain one."""
        turned = -1 if self.flip.get(j["name"]) else 1
        return turned * (self.f.sign if j["type"] == "hinge" else 1)

    def measure(self, j):
        return 1.0 if j["type"] == "hinge" else self.f.length

    def body(self, b):
        f = self.f
        inertia = self.near(b["inertia"] * f.mass * f.length ** 2)
        out = {"position": f.point(b["p"]), "mass": self.near(b["mass"] * f.mass)}
        out["inertia"] = [[inertia * (1.0 if i == k else 0.0) for k in range(3)] for i in range(3)] if f.space else inertia
        return out

    def joint(self, j):
        f, r = self.f, self.f.random
        a, b = j["a"], j["b"]
        flip = self.flip[j["name"]] = not f.plain and b is not None and r.random() < 0.5 and j["type"] != "rope"
        if flip:
            a, b = b, a
        out = {"type": j["type"], "a": f"b{a}"}
        if b is not None:
            out["b"] = f"b{b}"
        if j["type"] == "rope":
            out |= {"frame_c": {"position": f.point(j["p"])}, "frame_d": {"position": f.point(j["q"])}}
        else:
            out["origin"] = f.point(j["p"])
            if j["type"] == "slider":
                out["axis"] = f.vector(j["axis"], 1.0)
            elif f.space:
                out["axis"] = f.normal()
        name = COORDINATE[j["type"]]
        s, y, act = self.sign(j), self.measure(j), self.unit(j) * f.force
        if "speed" in j:
            out["speed"] = {name: self.near(s * y * j["speed"] / f.time)}
        if "friction" in j:
            by = {"force": act, "static_force": act, "viscous": act * f.time / y, "coefficient": 1.0, "radius": f.length}
            out["friction"] = {name: {key: value * by[key] for key, value in j["friction"].items()}}
        if "range" in j:
            low, high = (s * y * v if v is not None else -s * math.inf for v in j["range"])
            if j["type"] == "rope":
                low = 0.0
            out["range"] = {name: sorted([low, high])}
            if j["rest"]:
                out["restitution"] = {name: j["rest"]}
        if "spring" in j:
            k = j["spring"]
            out["spring"] = {name: {"stiffness": k["stiffness"] * act / y, "damping": k["damping"] * act * f.time / y, "rest": s * y * k["rest"]}}
        if "motor" in j:
            out["motor"] = {name: {"speed": function(j["motor"]["speed"], s * y / f.time, f.time), "max_force": j["motor"]["cap"] * act}}
        if "drive" in j:
            out["drive"] = {name: {"position": function(j["drive"], s * y, f.time)}}
        return out

    def coupling(self, c):
        """Its value counts as the plain one does, so what acts on it is an energy."""
        f, by = self.f, {j["name"]: j for j in self.m.joints}
        energy = f.force * f.length
        out = {"terms": [{"coordinate": f"{n}.{COORDINATE[by[n]['type']]}", "ratio": ratio * self.sign(by[n]) / self.measure(by[n])} for n, ratio in c["terms"]]}
        if not c.get("held"):
            out["hold"] = "in_range"
        if "range" in c:
            out["range"] = c["range"]
        if "force" in c:
            out["friction"] = {"force": c["force"] * energy}
        if "motor" in c:
            out["motor"] = {"speed": function(c["motor"], 1 / f.time, f.time), "max_force": c["cap"] * energy}
        return out

    def load(self, load):
        f = self.f
        at = f.vector(load["at"], f.length)
        # in the mechanism's axes, which are those of a marker that does not move
        along = [f.vector([1, 0], 1.0), f.vector([0, 1], 1.0)]
        parts = {"body": f"b{load['body']}", "at": at}
        fx, fy = (function(g, f.force, f.time) for g in load["force"])
        if f.plain:
            return parts | {"force": [fx, fy], "moment": function(load["moment"], f.force * f.length, f.time)}
        return parts | {"x": (along[0], fx), "y": (along[1], fy)}


class Loads(Text):
    """A load in turned axes is two, since a component is a function: each component a share of one of them."""

    def lines(self, out):
        loads = {}
        for name, load in out.get("loads", {}).items():
            if "x" not in load:
                loads[name] = load
                continue
            body = {key: load[key] for key in ("body", "at")}
            for key in ("x", "y"):
                axis, f = load[key]
                (kind, n), = f.items()
                loads[f"{name}{key}"] = body | {"force": [{kind: self.share(kind, n, c)} for c in axis]}
            k = int(name[4:])
            moment = function(self.m.loads[k]["moment"], self.f.force * self.f.length * self.f.sign, self.f.time)
            (kind, n), = moment.items()
            loads[f"{name}m"] = {"body": body["body"], "moment": [{kind: self.share(kind, n, c)} for c in self.f.normal()] if self.f.space else moment}
        if loads:
            out["loads"] = loads
        return super().lines(out)

    @staticmethod
    def share(kind, n, c):
        if kind in ("constant", "polynomial"):
            return [v * c for v in n]
        if kind == "sine":
            return [n[0] * c, n[1], n[2], n[3] * c]
        return [v * c if k % 2 else v for k, v in enumerate(n)]


def run(tenon, folder, name, text, *options, seconds=20):
    model, table, report, events = (folder / f"{name}.{e}" for e in ("yaml", "csv", "json", "events"))
    model.write_text(text)
    try:
        done = subprocess.run([tenon, "run", model, "--csv", table, "--report", report, "--event-table", events, "--quiet", *options],
                              capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "too slow", "", []
    if done.returncode != 0 and any(word in done.stderr for word in FAIR):
        return "fair refusal", "", []
    if done.returncode != 0:
        return f"refused {done.returncode}", done.stderr.strip().split("\n")[0], []
    with open(table) as stream:
        lines = stream.readlines()
    unique = " ".join(line for line in lines if line.startswith("# not unique"))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return "ok", unique, [{k: float(v) for k, v in row.items() if v} for row in rows]


def told(machine, text, rows):
    """What is compared: of each sample motions, efforts, forces, as plain numbers."""
    f, out = text.f, []
    for row in rows:
        now = {"t": row["t"] / f.time}
        for j in machine.joints:
            name, s, y, act = COORDINATE[j["type"]], text.sign(j), text.measure(j), text.unit(j) * f.force
            key = f"{j['name']}.{name}"
            now["q " + j["name"]] = s * row[key] / y
            now["v " + j["name"]] = s * row[key + ".speed"] * f.time / y
            if key + ".effort" in row:
                now["e " + j["name"]] = s * row[key + ".effort"] / act
            force = [row.get(f"{j['name']}.f{c}") for c in "xyz"]
            if force[0] is not None:
                now["f " + j["name"]] = math.hypot(*(v for v in force if v is not None)) / f.force
        out.append(now)
    return out


def numbers(machine, rows):
    """What small_steps.c reads; the speeds at the start are those of the first sample."""
    def fn(f):
        return [KINDS[f[0]], len(f[1]), *f[1]] if f else [0, 0]
    out = [len(machine.bodies), len(machine.joints), len(machine.loads), len(machine.couplings), machine.time, *machine.gravity]
    for b in machine.bodies:
        n = b["name"]
        out += [*b["p"], 0.0, rows[0][n + ".vx"], rows[0][n + ".vy"], rows[0][n + ".w"], b["mass"], b["inertia"]]
    kinds = {"hinge": 0, "slider": 1, "rope": 2, "rod": 3, "solid": 4}
    for j in machine.joints:
        axis = [v / math.hypot(*j["axis"]) for v in j["axis"]]
        friction, spring = j.get("friction", {}), j.get("spring", {})
        force = friction.get("force", 0.0)
        low, high = j.get("range", [None, None])
        coefficient = friction.get("coefficient", 0.0) * friction.get("radius", 1.0)
        out += [kinds[j["type"]], j["a"], -1 if j["b"] is None else j["b"], *j["p"], *j["q"], *axis, force, friction.get("static_force", force),
                friction.get("viscous", 0.0), -1e300 if low is None else low, 1e300 if high is None else high, j.get("rest", 0.0),
                spring.get("stiffness", 0.0), spring.get("damping", 0.0), spring.get("rest", 0.0), j["motor"]["cap"] if "motor" in j else 0.0, 0.0, coefficient]
        out += fn(j["motor"]["speed"] if "motor" in j else None) + fn(j.get("drive")) + fn(j.get("effort"))
    for load in machine.loads:
        out += [load["body"], *load["at"]] + fn(load["force"][0]) + fn(load["force"][1]) + fn(load["moment"])
    index = {j["name"]: k for k, j in enumerate(machine.joints)}
    for c in machine.couplings:
        out.append(len(c["terms"]))
        for name, ratio in c["terms"]:
            out += [index[name], ratio]
        out += [1 if c.get("held") else 0, c.get("force", 0.0), c.get("cap", 0.0), *c.get("range", [-1e300, 1e300])] + fn(c.get("motor"))
    return " ".join(repr(v) for v in out)


def small_steps(program, machine, rows, steps):
    done = subprocess.run([program, str(steps), str(RECORDS)], input=numbers(machine, rows), capture_output=True, text=True)
    if done.returncode != 0:
        return None
    nb, nj, out = len(machine.bodies), len(machine.joints), []
    for line in done.stdout.splitlines():
        v = [float(x) for x in line.split()]
        now = {"t": v[0]}
        for k, j in enumerate(machine.joints):
            at = v[1 + 6 * nb + 8 * k:]
            now["q " + j["name"]], now["v " + j["name"]] = at[0], at[1]
            now["e " + j["name"]], now["f " + j["name"]] = (at[2], at[3]), (at[4], at[5])
        out.append(now)
    return out


def scales(machine, rows):
    """Of each kind the largest there is: 1 m or rad, the fastest, the strongest."""
    out = {"q": 1.0}
    for kind in "vef":
        out[kind] = max([1e-2 if kind == "v" else 1.0] + [abs(v) for row in rows for k, v in row.items() if k[0] == kind and k != "t"])
    return out


def off(one, other, scale, skip=()):
    """Worst of each kind, and where; of forces the third worst sample of a quantity, since one at an event may be either side's."""
    worst = collections.defaultdict(lambda: (0.0, "", 0.0))
    if len(one) != len(other):
        return {"q": (math.inf, "number of samples", 0.0)}
    series = collections.defaultdict(list)
    for a, b in zip(one, other):
        for key, x in a.items():
            if key == "t" or key in skip or key not in b:
                continue
            y = b[key]
            kind = key[0]
            low, high = y if isinstance(y, tuple) else (y, y)
            series[key].append((max(low - x, x - high, 0.0) / scale[kind], a["t"]))
    for key, values in series.items():
        values.sort(reverse=True)
        pick = values[min(3 if key[0] in "ef" else 1 if key[0] == "v" else 0, len(values) - 1)]
        if not pick[0] <= worst[key[0]][0]:
            worst[key[0]] = (pick[0], key, pick[1])
    return dict(worst)


def held_too_often(machine, rows):
    """Samples in which more is held by friction, limits, motors and drives than could move: what each holds is one of many ways."""
    always = machine.drives + sum("motor" in j for j in machine.joints) + sum(bool({"motor", "force", "range"} & set(c)) for c in machine.couplings)

    def held(row):
        count = always
        for j in machine.joints:
            q, rests = row["q " + j["name"]], abs(row["v " + j["name"]]) < 1e-6
            count += rests and "friction" in j
            count += any(bound is not None and abs(q - bound) < 1e-6 for bound in j.get("range", []))
        return count > machine.freedoms - machine.hung
    return [held(row) for row in rows]


def show(d):
    return " ".join(f"{k} {v[0]:.1e} ({v[1]} at {v[2]:.4g})" for k, v in d.items() if v[0] > 0)


def signs(machine, rows):
    """Friction and limits, told by themselves."""
    bad = []
    for j in machine.joints:
        key = f"{j['name']}.{COORDINATE[j['type']]}"
        friction = j.get("friction", {})
        for row in rows:
            f = row.get(f"friction_{j['name']}")
            if f is not None and "coefficient" not in friction:
                dry = max(friction.get("force", 0), friction.get("static_force", 0))
                v = row[key + ".speed"]
                rest = f + friction.get("viscous", 0.0) * v
                if abs(rest) > dry * (1 + 1e-6) + 1e-9 or (abs(v) > 1e-4 and rest * v > 1e-9):
                    bad.append(f"friction {key} {f} at {row['t']}")
                if abs(v) > 1e-4 and abs(abs(rest) - friction.get("force", 0.0)) > 1e-6 * dry + 1e-9:
                    bad.append(f"friction slides by {rest} {key} at {row['t']}")
            f = row.get(f"limit_{j['name']}")
            if f is not None:
                low, high = j["range"]
                q = row[key]
                if (low is not None and q < low - 1e-8) or q > high + 1e-8:
                    bad.append(f"beyond {key} {q} at {row['t']}")
                at_low, at_high = low is not None and abs(q - low) < 1e-7, abs(q - high) < 1e-7
                if (f > 1e-7 and not at_low) or (f < -1e-7 and not at_high):
                    bad.append(f"limit {key} {f} at {row['t']} where {q}")
    return bad


def judge(options, folder, seed, judges):
    machine = Mechanism(seed)
    plain = Loads(machine, Frame())
    status, unique, rows = run(options.tenon, folder, "plain", plain.text)
    if status != "ok":
        return [(status, unique)]
    out = []
    base = told(machine, plain, rows)
    stuck = held_too_often(machine, base)
    base = [{k: v for k, v in row.items() if k[0] in "tqv" or not held} for row, held in zip(base, stuck)]
    scale = scales(machine, base)
    skip = {k for row in base for k in row if k != "t" and k[0] in "ef" and any(f"{k[2:]}.{what}" in unique for what in ("theta.effort", "z.effort", "length.effort", "fx"))}
    if any(k[0] == "e" for k in skip):  # one of many: what is told of it is of the start alone
        skip |= {k for row in base for k in row if k[0] == "e"}

    def nudged(kind):
        more = told(machine, plain, run(options.tenon, folder, "nudged", Loads(machine, Frame(), 1e-6).text, "--accuracy", "1e-9")[2])
        return off(base, more, scale, skip).get(kind, (0.0,))[0]

    def compare(name, text, limits, *settings):
        status, note, other = run(options.tenon, folder, name, text.text, *settings)
        if status != "ok":
            out.append((f"{name} {status}", note))
            return
        weigh(name, told(machine, text, other), limits)

    def weigh(name, other, limits):
        d = off(base, other, scale, skip)
        wrong = {k: v for k, v in d.items() if not v[0] <= limits[k]}
        if wrong:
            kind = next(iter(wrong))
            far = nudged(kind)
            out.append((f"{'apart' if 10 * far > wrong[kind][0] else 'WRONG'} {name}", f"{show(d)} nudged {far:.1e}"))
        else:
            out.append((f"right {name}", show(d)))

    same = {"q": 1e-5, "v": 1e-4, "e": 1e-3, "f": 1e-3}
    if "finer" in judges:
        compare("finer", plain, same, "--accuracy", "1e-9")
    if "coarse" in judges:
        compare("coarse", plain, {"q": 1e-3, "v": 1e-2, "e": 3e-2, "f": 3e-2}, "--accuracy", "1e-4")
    if "twin" in judges:
        compare("twin", Loads(machine, Frame(seed)), same)
    if "space" in judges and not any("coefficient" in j.get("friction", {}) for j in machine.joints):
        compare("space", Loads(machine, Frame(seed + 7, True)), same)
    if "steps" in judges:
        coarse, fine = (small_steps(options.program, machine, rows, n) for n in (100000, 200000))
        if fine:
            d = off(base, fine, scale, skip)
            e = off([{k: v for k, v in row.items() if k[0] in "qv"} | {"t": row["t"]} for row in coarse], fine, scale, skip)
            own = 20 * max(e.get("q", (0,))[0], e.get("v", (0,))[0])
            limits = {"q": max(1e-4, own), "v": max(1e-3, own), "e": max(2e-3, own), "f": max(2e-3, own)}
            wrong = {k: v for k, v in d.items() if not v[0] <= limits[k]}
            if own > 1:
                out.append(("unknown steps", show(e)))
            elif wrong:
                kind = next(iter(wrong))
                far = nudged(kind)
                out.append((f"{'apart' if 100 * far > wrong[kind][0] else 'WRONG'} steps", f"{show(d)} own {show(e)} nudged {far:.1e}"))
            else:
                out.append(("right steps", show(d)))
    if "signs" in judges:
        bad = signs(machine, rows)
        out.append(("WRONG signs" if bad else "right signs", "; ".join(bad[:2])))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tenon", default="build/tenon")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--print", type=int, metavar="SEED")
    parser.add_argument("--keep")
    parser.add_argument("--judges", default="finer,coarse,twin,space,steps,signs")
    options = parser.parse_args()
    if options.print is not None:
        print(Loads(Mechanism(options.print), Frame()).text, end="")
        return
    begin, counts, done = time.monotonic(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as build:
        options.program = f"{build}/small_steps"
        subprocess.run(["cc", "-O3", "-march=native", "-o", options.program, HERE / "small_steps.c", "-lm"], check=True)
        for seed in range(options.seed, options.seed + options.count):
            if time.monotonic() - begin > 60 * options.minutes:
                break
            done += 1
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for verdict, note in judge(options, folder, seed, options.judges.split(",")):
                    counts[verdict] += 1
                    if not verdict.startswith("right"):
                        print(f"seed {seed} {verdict}: {note}", flush=True)
                        if options.keep:
                            keep = pathlib.Path(options.keep)
                            keep.mkdir(parents=True, exist_ok=True)
                            for file in folder.glob("*.yaml"):
                                (keep / f"{seed}-{file.name}").write_text(file.read_text())
    print(f"{done} mechanisms: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
    sys.exit(any(v.startswith("WRONG") for v in counts))


if __name__ == "__main__":
    main()
