#!/usr/bin/env python3
"""campaign.py: random mechanisms run with default settings, against a second run that is finer.

    bench/truth/campaign.py [--count 200] [--seed 1] [--accuracy 1e-6] [--tenon build/tenon] [--keep DIR]

A mechanism is a tree of one to eight bodies with joints of random types, closed here and there by rods, ropes or
springs, or a planar linkage of several equal loops whose rows repeat each other; lengths and masses over 1e-3 to 1e3,
speeds up to 1e4 rad/s, compliance from soft to stiff, friction, limits, drives. It is run for some swings of its slowest
motion, or turns of its fastest, whichever is shorter, by the tool as a user would. The reference is dormand_prince at a
hundred-thousandth of the accuracy, or where that is too stiff auto at a thousandth. Every run falls in one class:

    right      poses within ten times the accuracy of the reference, in sizes of the mechanism and rad
    apart      the two runs part because the motion itself does (a run from a start that differs by 1e-9 does too)
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
import subprocess
import sys
import tempfile

# Joints of a chain, with the coordinates that may have limits, friction and drives.
JOINTS = {"hinge": ["theta"], "slider": ["z"], "cylindrical": ["z", "theta"], "universal": ["roll", "pitch"],
          "spherical": [], "planar": [], "screw": ["theta"]}
ALLOWED = 10.0
SENSITIVE = 1e-9


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
        if r.random() < 0.25:
            self.ladder(r.randint(2, 4))
        else:
            self.tree(r.randint(1, 8))

    def number(self, low, high):
        return self.length * self.random.uniform(low, high)

    def body(self, name, position, mass, size):
        a, b, c = (mass * size * size * self.random.uniform(0.05, 0.1) for _ in range(3))
        self.bodies.append(f"  {name}: {{position: {fmt(position)}, mass: {mass!r}, inertia: {fmt([a, b, c])}}}")

    def tree(self, count):
        r = self.random
        places = [(0.0, 0.0, 0.0)]
        for k in range(count):
            parent = r.randrange(len(places))
            pin = [p + self.number(-0.3, 0.3) for p in places[parent]]
            place = [p + self.number(0.2, 0.6) * r.choice([-1, 1]) for p in pin]
            places.append(tuple(place))
            self.body(f"b{k}", place, self.mass * 10.0 ** r.uniform(-1, 1), self.length)
            axis = [r.gauss(0, 1) for _ in range(3)]
            self.joint(k, parent, pin, axis)
        for k in range(r.choice([0, 0, 1, 2])):
            self.line(k, places)

    def joint(self, k, parent, pin, axis):
        r = self.random
        type_ = r.choice(list(JOINTS))
        text = f"type: {type_}, a: b{k}, origin: {fmt(pin)}, axis: {fmt(axis)}"
        if parent > 0:
            text += f", b: b{parent - 1}"
        if type_ == "screw":
            text += f", pitch: {self.length * r.uniform(0.1, 1)!r}"
        coordinates = JOINTS[type_]
        if coordinates and self.speed > 0 and type_ in ("hinge", "slider"):
            scale = 1.0 if coordinates[0] != "z" else self.length
            text += f", speed: {{{coordinates[0]}: {r.uniform(-1, 1) * self.speed * scale!r}}}"
        if coordinates and r.random() < 0.35:
            text += self.extra(coordinates[0])
        self.joints.append(f"  j{k}: {{{text}}}")

    def extra(self, coordinate):
        r = self.random
        unit = self.length if coordinate == "z" else 1.0
        force = self.mass * 9.81 * (1.0 if coordinate == "z" else self.length)
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
        damping = 2 * r.uniform(0, 1) * math.sqrt(k * self.mass * (1.0 if coordinate == "z" else self.length ** 2))
        return f", spring: {{{coordinate}: {{stiffness: {k!r}, damping: {damping!r}}}}}"

    def line(self, k, places):
        """A rod between two bodies, soft to stiff, or hard."""
        r = self.random
        if len(places) < 3:
            return
        a, b = sorted(r.sample(range(1, len(places)), 2))
        if (a, b) in self.lines:
            return
        self.lines.add((a, b))
        text = (f"type: rod, a: b{a - 1}, b: b{b - 1}, frame_c: {{position: {fmt(places[a])}}}, "
                f"frame_d: {{position: {fmt(places[b])}}}")
        if r.random() < 0.7:
            stiff = self.mass * 9.81 / self.length * 10.0 ** r.uniform(0, 6)
            text += f", compliance: [{1.0 / stiff!r}], damping: [{2 * r.uniform(0, 1) * math.sqrt(stiff * self.mass)!r}]"
        self.joints.append(f"  line{k}: {{{text}}}")

    def ladder(self, cranks):
        """Equal cranks under one bar: all but two of them say nothing new, and out of plane more does."""
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

    def text(self, nudge=0.0):
        """nudge: relative, of gravity: who is sensitive to it has a motion nobody can tell."""
        return "\n".join(["tenon: 1", f"gravity: [0, 0, {-self.gravity * (1 + nudge)!r}]", "bodies:", *self.bodies,
                          "joints:", *self.joints,
                          f"simulation: {{accuracy: 1.0e-6, duration: {self.time!r}, step: {self.time / 20!r}}}",
                          f"record: {{every: {self.time / 20!r}, what: [poses]}}", ""])


def fmt(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def run(tenon, folder, text, *options, timeout=120):
    """(status, report, rows of poses)"""
    model, table, report = (folder / name for name in ("model.yaml", "out.csv", "report.json"))
    model.write_text(text)
    try:
        done = subprocess.run([tenon, "run", model, "--csv", table, "--report", report, "--quiet", *options],
                              capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "too slow", {}, []
    data = json.loads(report.read_text()) if report.is_file() and report.stat().st_size else {}
    if done.returncode != 0:
        return data.get("status") or "input", data | {"stderr": done.stderr}, []
    with open(table) as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return "ok", data, rows


def distance(one, other, size):
    """Of poses, sizes or rad."""
    worst = 0.0 if len(one) == len(other) > 1 and any(key.endswith(".px") for key in one[0]) else math.inf
    for a, b in zip(one, other):
        for key in a:
            if key.endswith((".px", ".py", ".pz")):
                worst = max(worst, abs(float(a[key]) - float(b[key])) / size)
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
                              timeout=60)
        if status == "ok":
            return rows
    return None


def judge(tenon, folder, seed, accuracy):
    mechanism = Mechanism(seed)
    status, report, rows = run(tenon, folder, mechanism.text(), "--accuracy", f"{accuracy:g}")
    if status != "ok":
        return "refused", status, report
    truth = reference(tenon, folder, mechanism.text(), accuracy)
    if truth is None:
        return "unknown", "", report
    error = distance(rows, truth, mechanism.size)
    if error <= ALLOWED * accuracy:
        return "right", error, report
    nudged = reference(tenon, folder, mechanism.text(SENSITIVE), accuracy)
    apart = distance(nudged, truth, mechanism.size) if nudged else 0.0
    return ("apart" if apart * accuracy / SENSITIVE * 0.1 > error else "WRONG"), error, report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--accuracy", type=float, default=1e-6)
    parser.add_argument("--tenon", default="build/tenon")
    parser.add_argument("--keep", help="folder for the models that are WRONG or refused")
    options = parser.parse_args()
    counts, reasons, implicit = collections.Counter(), collections.Counter(), 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as name:
            verdict, what, report = judge(options.tenon, pathlib.Path(name), seed, options.accuracy)
        counts[verdict] += 1
        implicit += bool(report.get("implicit_parts"))
        if verdict in ("refused", "WRONG", "unknown"):
            reasons[f"{verdict}: {what if verdict == 'refused' else ''}"] += 1
            message = report.get("message") or report.get("stderr", "").strip().splitlines()[:1]
            print(f"seed {seed}: {verdict} {what} {message if verdict == 'refused' else ''}", flush=True)
            if options.keep:
                pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                pathlib.Path(options.keep, f"{verdict}-{seed}.yaml").write_text(Mechanism(seed).text())
    print(f"{options.count} mechanisms, accuracy {options.accuracy:g}: "
          + ", ".join(f"{counts[v]} {v}" for v in ("right", "apart", "refused", "unknown", "WRONG"))
          + f"; {implicit} of them with implicit parts")
    for reason, count in reasons.most_common():
        print(f"  {count:4d} {reason}")
    sys.exit(counts["WRONG"] > 0)


if __name__ == "__main__":
    main()
