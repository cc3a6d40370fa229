#!/usr/bin/env python3
"""The machines among the examples, through the tool, against what is known about them: closed forms,
kinematics worked out here by other means, recorded solutions (tests/data).

TENON names the program.
"""
import math
import subprocess
import sys
import unittest

from test_examples import DATA, ROOT, TENON, largest, read, run

sys.path.insert(0, str(ROOT / "tests" / "generators"))
sys.dont_write_bytecode = True

import make_jansen  # noqa: E402
import make_stewart  # noqa: E402


class Machines(unittest.TestCase):
    def assert_closed(self, report, rank, redundant):
        self.assertLessEqual(report["max_position_error"], 1e-10)
        self.assertLessEqual(report["max_angle_error"], 1e-10)
        self.assertEqual((report["rank"], report["redundant"]), (rank, redundant))

    def test_pendulum(self):
        report, frames = run("pendulum.yaml")
        self.assert_closed(report, 2, 0)
        truth = read(DATA / "mechanisms" / "A01.csv")
        self.assertEqual(len(frames), len(truth))
        for frame, row in zip(frames, truth):
            self.assertAlmostEqual(frame["bob.x"], row["x"], delta=2e-4)
            self.assertAlmostEqual(frame["bob.y"], row["y"], delta=2e-4)

    def test_peaucellier(self):
        """R stays on its line, and O, P, R in a line with |OP| |OR| constant."""
        report, frames = run("peaucellier.yaml")
        self.assert_closed(report, 41, 9)
        self.assertLess(report["energy_max_drift"], 1e-5)
        self.assertGreater(max(frame["R.x"] for frame in frames), 0.27)
        self.assertLess(min(frame["R.x"] for frame in frames), -0.27)
        for frame in frames:
            px, py, rx, ry = (frame[key] for key in ("P.x", "P.y", "R.x", "R.y"))
            self.assertAlmostEqual(ry, -0.74375, delta=1e-9)
            self.assertAlmostEqual(px * ry - py * rx, 0, delta=1e-9)
            self.assertAlmostEqual(math.hypot(px, py) * math.hypot(rx, ry), 0.2975, delta=1e-9)

    def test_cardan_shaft(self):
        """tan g2 = cos(30 deg) tan g1 in the middle, and the ends turn alike."""
        report, frames = run("cardan_shaft.yaml")
        self.assert_closed(report, 17, 1)
        self.assertLess(report["energy_max_drift"], 1e-6)
        c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
        self.assertGreater(frames[-1]["back_bearing.theta"], 40)  # turns are counted
        for frame in frames:
            g1 = frame["front_bearing.theta"]
            g2 = math.atan2(frame["rim.x"] * s + frame["rim.z"] * c, frame["rim.y"])
            self.assertAlmostEqual(frame["back_bearing.theta"], g1, delta=1e-10)
            self.assertAlmostEqual(math.cos(g1) * math.sin(g2), c * math.sin(g1) * math.cos(g2), delta=1e-10)

    def test_footbridge(self):
        """At rest: slopes in arithmetic progression, m g / H apart, and the ends 5.6 m apart."""
        report, frames = run("footbridge.yaml")
        self.assert_closed(report, 26, 0)
        last = frames[-1]
        self.assertLess(last["energy.kinetic"], 1e-12)
        angles = [last["left.theta"]]
        for k in range(1, 12):
            angles.append(angles[-1] + last[f"hinge[{k}].theta"])
        start = -0.58768895348845529  # of plank 0, where its hinge counts from
        turn = 0.10685253699790144  # of each plank against the one before it, likewise
        slopes = [math.tan(start + k * turn + angle) for k, angle in enumerate(angles)]
        steps = [b - a for a, b in zip(slopes, slopes[1:])]
        self.assertLess(max(steps) - min(steps), 1e-6)
        self.assertAlmostEqual(sum(0.5 / math.hypot(1, slope) for slope in slopes), 5.6, delta=1e-9)
        pull = math.hypot(last["left.fx"], last["left.fy"]) / math.hypot(1, slopes[0] - steps[0] / 2)
        self.assertAlmostEqual(6 * 9.81 / pull, steps[0], delta=1e-6)

    def test_winch(self):
        """The rope's length stays, the motor holds the load's weight through the tackle, and gives no more than it has."""
        report, frames = run("winch.yaml", "--audit")
        self.assert_audit(report, 1e-6)
        for frame in frames:
            self.assertAlmostEqual(2 * frame["falls.length"] + 0.15 * frame["axle.theta"], 5.5, delta=1e-9)
            self.assertLess(frame["axle.m"], 250 + 1e-6)  # with the friction against it
        self.assertAlmostEqual(frames[-1]["axle.m"], 300 * 9.81 * 0.15 / 2, delta=1e-5)
        speed = (frames[-1]["axle.theta"] - frames[-101]["axle.theta"]) / (frames[-1]["t"] - frames[-101]["t"])
        self.assertAlmostEqual(speed, 4, delta=1e-6)

    def test_clutch(self):
        """The flywheel follows w = 300 (1 - exp(-t/6)) while the lining slips, then its gear's ratio exactly."""
        report, frames = run("clutch.yaml", "--audit")
        self.assert_audit(report, 1e-6)
        stuck = -6 * math.log(0.9)
        for frame in frames:
            wanted = 300 * (1 - math.exp(-frame["t"] / 6)) if frame["t"] < stuck else 30
            self.assertAlmostEqual(-frame["flywheel.w"], wanted, delta=1e-6)
            self.assertAlmostEqual(frame["shaft.w"], 60, delta=1e-9)
            if frame["t"] > 0:
                self.assertAlmostEqual(frame["lining.force"], -60 if frame["t"] < stuck else -6, delta=1e-5)
        exchanged = frames[-1]["energy.total"] - frames[-1]["energy.work"] + frames[-1]["energy.lost"]
        self.assertAlmostEqual(exchanged / frames[0]["energy.total"], 1, delta=1e-6)

    def test_truck(self):
        """The wheels roll, the stops hold, and behind the hump the motor keeps 4 m/s against the road's weight."""
        report, frames = run("truck.yaml", "--audit")
        self.assert_audit(report, 0.01)
        for frame in frames:
            for wheel in ("front", "rear"):
                self.assertAlmostEqual(frame[f"{wheel}_way.x"] + 0.4 * frame[f"{wheel}_way.theta"], 0, delta=1e-9)
                self.assertLess(abs(frame[f"{wheel}_strut.suspension"]), 0.12 + 1e-9)
        self.assertGreater(max(frame["driver.y"] for frame in frames), frames[0]["driver.y"] + 0.08)
        second = frames[-100:]  # rolling on, still swinging a little
        self.assertAlmostEqual((second[-1]["rear_way.x"] - second[0]["rear_way.x"]) / 0.99, 4, delta=0.01)
        weight = sum(frame["front_load"] + frame["rear_load"] for frame in second) / 100
        self.assertAlmostEqual(weight / (1640 * 9.81), 1, delta=0.01)

    def test_ragdoll(self):
        """Hard stops: nothing leaves its range, and impacts only take energy."""
        report, frames = run("ragdoll.yaml", "--time", "1.5")
        self.assert_closed(report, 41, 0)
        ranges = {"spine.swing": (0, 35), "neck.swing": (0, 45), "left.shoulder.swing": (0, 100), "right_leg.hip.swing": (0, 70),
                  "spine.twist": (-30, 30), "neck.twist": (-60, 60), "left.shoulder.twist": (-70, 70),
                  "left.elbow.theta": (0, 140), "right.elbow.theta": (0, 140), "left_leg.knee.theta": (0, 140),
                  "right_leg.knee.theta": (0, 140)}
        reached = 0
        for key, (low, high) in ranges.items():
            values = [math.degrees(frame[key]) for frame in frames]
            self.assertGreater(min(values), low - 1e-5, key)
            self.assertLess(max(values), high + 1e-5, key)
            reached += max(values) > high - 1e-5
        self.assertGreater(reached, 2)
        energy = [frame["energy.total"] for frame in frames]
        self.assertLess(max(b - a for a, b in zip(energy, energy[1:])), 1e-5 * energy[0])

    def assert_audit(self, report, energy):
        """Forces balance on every body at every step, and the energy's books close."""
        audit = report["audit"]
        self.assertEqual(audit["verdict"], "passed")
        self.assertLess(audit["energy_drift"]["worst"], energy)

    def assert_feet(self, frames, legs):
        """Feet where the crank's angle puts them, by circles that meet."""
        for frame in frames:
            angle = frame["shaft.theta"]
            self.assertAlmostEqual(angle, make_jansen.TURN * frame["t"], delta=1e-10)
            for k in range(legs):
                foot = make_jansen.leg_points(make_jansen.phase(k // 2) + angle, k % 2 == 0)["foot"]
                self.assertAlmostEqual(frame[f"leg[{k}].foot.x"], foot[0] / 100, delta=1e-9)
                self.assertAlmostEqual(frame[f"leg[{k}].foot.y"], foot[1] / 100, delta=1e-9)

    def test_jansen_pair(self):
        """Half a turn of two legs; what a whole minute of twelve does is in docs/start/examples.md."""
        report, frames = run("jansen.yaml", "--set", "legs=2", "--audit", "--time", "3", "--step", "2e-3")
        self.assert_closed(report, 78, 18)
        self.assert_audit(report, 1e-4)
        self.assert_feet(frames, 2)

    def test_jansen_walker(self):
        report, frames = run("jansen.yaml", "--audit", "--time", "0.3", "--step", "2e-3")
        self.assert_closed(report, 438, 108)
        self.assert_audit(report, 1e-4)
        self.assert_feet(frames, 12)

    def test_stewart_platform(self):
        """Each leg as long as it is told, with forces that move the plate."""
        report, frames = run("stewart.yaml", "--audit", "--time", "2")
        self.assert_closed(report, 78, 0)
        self.assert_audit(report, 1e-5)
        for frame in frames:
            for k in range(6):
                below, above = make_stewart.joint_points(k)
                now = math.dist(below, [frame[f"leg[{k}].top.{axis}"] for axis in "xyz"])
                self.assertAlmostEqual(now, math.dist(below, above) + make_stewart.stroke(k, frame["t"]), delta=1e-9)

    def test_excavator(self):
        """Boom and stick turn as the law of cosines says of their cylinders; it does not matter that it slews."""
        report, frames = run("excavator.yaml", "--audit", "--step", "2e-3")
        self.assert_closed(report, 72, 12)
        self.assert_audit(report, 1e-5)

        def angle(frame, cylinder, pivot, base, eye):
            a, b = math.dist(pivot, base), math.dist(pivot, eye)
            length = math.dist(base, eye) + frame[f"{cylinder}.z"]
            return math.acos((a * a + b * b - length * length) / (2 * a * b))

        boom = ("boom_cylinder", (0.4, 1.6), (0.9, 1.2), (2.6, 3.5))
        stick = ("stick_cylinder", (5.2, 3.6), (2.9, 4.0), (5.6, 4.6))
        for frame in frames:
            lifted = angle(frame, *boom) - angle(frames[0], *boom)
            self.assertAlmostEqual(frame["boom_foot.theta"], -lifted, delta=1e-9)
            curled = angle(frame, *stick) - angle(frames[0], *stick)
            self.assertAlmostEqual(frame["elbow.theta"], curled, delta=1e-9)
        for key, value in (("slew.theta", math.pi / 2), ("boom_cylinder.z", 0.35), ("stick_cylinder.z", 0.3),
                           ("bucket_cylinder.z", -0.15)):
            self.assertAlmostEqual(frames[-1][key], value, delta=1e-10)

    def test_car_suspension(self):
        """On the shaker to the full; the tyre carries the weight on average over whole periods."""
        report, frames = run("car_suspension.yaml", "--audit")
        self.assert_closed(report, 52, 0)
        self.assert_audit(report, 1e-3)
        for frame in frames:
            self.assertAlmostEqual(frame["shaker.z"], 0.02 * math.sin(4 * math.pi * frame["t"]), delta=1e-10)
            self.assertLess(abs(frame["strut.z"]), 0.08)
        last = frames[-100:]  # two periods
        weight = 9.81 * (400 + 6 + 3 + 8 + 18 + 1 + 3 + 2)
        self.assertAlmostEqual(sum(frame["tyre.fz"] for frame in last) / 100, weight, delta=1)

    def test_winding_stop(self):
        """One turn a second, then at rest at four turns to round-off for as long as the motor pushes."""
        report, frames = run("winding_stop.yaml")
        self.assert_closed(report, 5, 0)
        for before, after in zip(frames[100:400], frames[101:401]):
            self.assertAlmostEqual(after["arbor.theta"] - before["arbor.theta"], 0.02 * math.pi, delta=1e-9)
        for frame in frames[450:]:
            self.assertAlmostEqual(frame["arbor.theta"], 8 * math.pi, delta=1e-12)
            self.assertAlmostEqual(frame["barrel.wz"], 0, delta=1e-12)

    def test_crane(self):
        """The load against the pendulum of variable length on a moving point, by Runge and Kutta."""
        report, frames = run("crane.yaml", "--audit")
        self.assert_audit(report, 1e-4)

        def ramp(t, x0, y0, x1, y1):
            s, w = min(1.0, max(0.0, (t - x0) / (x1 - x0))), x1 - x0
            return (y0 + (y1 - y0) * s**3 * (10 - 15 * s + 6 * s * s), (y1 - y0) * 30 * (s * (1 - s)) ** 2 / w,
                    (y1 - y0) * 60 * s * (1 - s) * (1 - 2 * s) / w**2)

        def rates(t, y):
            length, speed, _ = ramp(t, 3, 3, 6, 1.5)
            push = ramp(t, 0, 0, 2, 3)[2]
            return (y[1], -(2 * speed * y[1] + 9.81 * math.sin(y[0]) + push * math.cos(y[0])) / length)

        h, y = 0.005, (0.0, 0.0)
        for step in range(2001):
            t = step * h
            if step % 10 == 0:
                frame, length, x = frames[step // 10], ramp(t, 3, 3, 6, 1.5)[0], ramp(t, 0, 0, 2, 3)[0]
                self.assertAlmostEqual(frame["hook.x"], x + length * math.sin(y[0]), delta=2e-4)
                self.assertAlmostEqual(frame["hook.z"], 5 - length * math.cos(y[0]), delta=2e-4)
            k1 = rates(t, y)
            k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
            k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
            k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
            y = tuple(a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4))

    def test_atwood(self):
        """Half of g, and the sum of the lengths is what it was."""
        report, frames = run("atwood.yaml")
        self.assert_closed(report, 1, 0)
        for frame in frames:
            fall = 0.5 * 4.905 * frame["t"] ** 2
            self.assertAlmostEqual(frame["up.z"], -2 + fall, delta=1e-10)
            self.assertAlmostEqual(frame["down.z"], -1 - fall, delta=1e-10)
            self.assertAlmostEqual(frame["left.length"] + frame["right.length"], 3, delta=1e-12)
            self.assertAlmostEqual(frame["light.vz"] + frame["heavy.vz"], 0, delta=1e-10)

    def test_clock_train(self):
        """The fall against m g / (m + sum I r^2 / R^2); seconds are 60 and 720 times minutes and hours."""
        report, frames = run("clock_train.yaml")
        self.assert_closed(report, 41, 0)
        self.assertLess(report["energy_max_drift"], 1e-10)
        wheels = [(2e-4, 1), (2e-5, 12), (1e-5, 90), (5e-5, 720), (1e-6, 4), (2e-6, 1)]
        felt = sum(inertia * ratio**2 for inertia, ratio in wheels) / 0.02**2
        self.assertGreater(abs(frames[-1]["seconds.theta"]), 160 * math.pi)
        for frame in frames:
            fall = 0.5 * 2 * 9.81 / (2 + felt) * frame["t"] ** 2
            self.assertAlmostEqual(frame["cord.z"], -fall, delta=1e-10)
            self.assertAlmostEqual(frame["seconds.theta"], 60 * frame["centre.theta"], delta=1e-9)
            self.assertAlmostEqual(frame["centre.theta"], 12 * frame["hours.theta"], delta=1e-9)

    def test_gallery(self):
        """docs/start/examples.md shows every example and is what the heads of the files say."""
        check = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "make_gallery.py", "--check"],
                               capture_output=True, text=True, check=False)
        self.assertEqual((check.stdout, check.returncode), ("", 0), check.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
