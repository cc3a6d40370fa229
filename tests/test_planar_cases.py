#!/usr/bin/env python3
"""Cases of another planar engine (tests/data/planar_cases.json, which explains its fields), against
the tool: one-joint projections with independent answers to 1e-12, in K, lambda and the velocities
after, by both solvers; end states and forces any engine must reach; trajectories against exact
physics. What of a case is not run is listed with the reason.

Joints here are b - a with A the case's b, so that forces and multipliers are those on b.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
CASES = {case["id"]: case for case in
         json.loads((ROOT / "tests/data/planar_cases.json").read_text())["cases"]}
SOLVERS = ("direct", "sequential_impulses")
INTEGRATORS = ("generalized_alpha", "constrained_backward_euler", "backward_euler")
EXACT = 1e-12
AT_STEPS = "simulation: {integrator: backward_euler, solver: sequential_impulses, events: at_steps}\n"

TYPES = {"weld": "solid", "revolute": "hinge", "angle": "rotation_lock", "prismatic": "slider",
         "wheel": "wheel"}

# What of a case is not run, and why. All others are, those named proj.position.* by
# tests/test_planar_correction.c.
NOT_RUN = {
    "junit.angle.simpleLinkage": "the speeds after the ratio has changed: both wheels get the same "
                                 "moment there, though their ratio is 1/2; see test_angles_turn_together",
    "proj.position.distance": "the second pass, wrong in the engine it comes from",
    "proj.position.revolute": "the second pass, wrong in the engine it comes from",
}


def numbers(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def body_line(body, velocity=None, spin=None):
    if body["type"] == "static":
        return f"  {body['id']}: {{kind: fixed, position: {numbers(body['com'])}, angle: {body['angle']!r}}}\n"
    return (f"  {body['id']}: {{position: {numbers(body['com'])}, angle: {body['angle']!r}, mass: {body['mass']!r}, "
            f"inertia: {body['inertia']!r}, center_of_mass: [0, 0], "
            f"velocity: {{linear: {numbers(velocity or body['v'])}, angular: {body['w'] if spin is None else spin!r}}}}}\n")


def joint_line(joint, extra=""):
    base = joint.get("a")
    text = f"  {joint['id']}: {{type: {TYPES[joint['type']]}, a: {joint['b']}"
    text += f", b: {base}" if base else ""
    text += f", origin: {numbers(joint.get('anchor', [0, 0]))}"
    if "axis" in joint:
        text += f", axis: {numbers(joint['axis'])}"
    return text + extra + "}\n"


def model(case, extra="", velocity=None, spin=None):
    text = f"tenon: 1\nworld: planar\ngravity: {numbers(case['world']['gravity'])}\nbodies:\n"
    text += "".join(body_line(body, velocity, spin) for body in case["bodies"])
    return text + "joints:\n" + "".join(joint_line(joint, extra) for joint in case["joints"])


def solve(matrix, rhs):
    """Gaussian elimination with pivoting."""
    rows = [list(row) + [value] for row, value in zip(matrix, rhs)]
    n = len(rows)
    for j in range(n):
        pivot = max(range(j, n), key=lambda r: abs(rows[r][j]))
        rows[j], rows[pivot] = rows[pivot], rows[j]
        for r in range(n):
            if r != j:
                factor = rows[r][j] / rows[j][j]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[j])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


class Cases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        path = self.folder / "case.yaml"
        path.write_text(text)
        return path

    def inspect(self, text):
        done = subprocess.run([TENON, "inspect", self.write(text), "--digits", "17"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def run_for(self, text, steps, step, integrator, solver="direct", iterations=50):
        """The frames, one dictionary each."""
        out = self.folder / "out.csv"
        done = subprocess.run(
            [TENON, "run", self.write(text), "--quiet", "--csv", out, "--step", repr(step), "--time",
             repr(steps * step), "--integrator", integrator, "--solver", solver, "--iterations", str(iterations)],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with out.open() as stream:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(line for line in stream if not line.startswith("#"))]

    def velocities_are(self, frame, want, tolerance=EXACT):
        for body in ("a", "b"):
            if f"{body}.vx" not in frame:
                continue
            for key, value in zip(("vx", "vy", "w"), [*want[body]["v"], want[body]["w"]]):
                self.assertAlmostEqual(frame[f"{body}.{key}"], value, delta=tolerance, msg=f"{body}.{key}")

    def after_a_step(self, text, want):
        """One step without forces: the velocities after the projection, by both solvers."""
        step = CASES["proj.weld.dynamic"]["world"]["dt"]
        for solver in SOLVERS:
            with self.subTest(solver=solver):
                self.velocities_are(self.run_for(text, 1, step, "backward_euler", solver)[-1], want)

    # ---- projections ----

    def test_equality_constraints(self):
        for name in ("weld.dynamic", "weld.static_a", "revolute.dynamic", "angle.dynamic",
                     "prismatic.dynamic", "wheel.line"):
            case = CASES["proj." + name]
            want = case["analytic"]
            with self.subTest(name):
                # the wheel's body b has been moved by 0.6 along the axis since it was joined
                extra = ", initial: {suspension: 0.6}" if name == "wheel.line" else ""
                text = model(case, extra)
                eq = self.inspect(text)
                for row, wanted in zip(eq["K"], want["K"], strict=True):
                    for value, known in zip(row, wanted, strict=True):
                        self.assertAlmostEqual(abs(value), abs(known), delta=EXACT) # rows may point back
                impulse = solve(eq["K"], eq["b"])
                for value, known in zip(impulse, want["lam"], strict=True):
                    self.assertAlmostEqual(abs(value), abs(known), delta=EXACT)
                self.after_a_step(text, want)

    def test_distances_and_pins(self):
        """A rod, a spring along a distance with the stiffness and damping of the reduced mass, and one
        to a point with those of the body's: backward Euler is the formula of the case."""
        for name in ("distance.dynamic", "distance.spring", "pin.spring"):
            case = CASES["proj." + name]
            joint = case["joints"][0]
            mass = {body["id"]: body["mass"] for body in case["bodies"]}
            ends = {"distance": ("anchor_b", "anchor_a"), "pin": ("anchor", "target")}[joint["type"]]
            text = f"type: rod, a: {joint['b']}" + (f", b: {joint['a']}" if "a" in joint else "")
            text += "".join(f", frame_{frame}: {{position: {numbers(joint[key])}}}" for frame, key in zip("cd", ends))
            if "spring" in joint:
                omega = 2 * math.pi * joint["spring"]["hz"]
                moved = mass["b"] if name == "pin.spring" else mass["a"] * mass["b"] / (mass["a"] + mass["b"])
                law = f"stiffness: {moved * omega ** 2!r}, damping: {2 * moved * joint['spring']['zeta'] * omega!r}"
                pulls = {"distance": f"spring: {{length: {{{law}, rest: {joint.get('length', 0.0)!r}}}}}",
                         "pin": f"pull: {{{law}}}"}[joint["type"]]
                text = text.replace("rod", joint["type"]) + ", " + pulls
            with self.subTest(name):
                self.after_a_step(self.bodies_of(case) + f"joints:\n  J: {{{text}}}\n", case["analytic"])

    def bodies_of(self, case):
        return model({**case, "joints": []}).replace("joints:\n", "")

    def rope_of(self, case, ratio=1):
        joint = case["joints"][0]
        keys = {"end_a": "anchor_a", "pulley_a": "ground_a", "end_b": "anchor_b", "pulley_b": "ground_b"}
        points = "".join(f", {key}: {numbers(joint[of])}" for key, of in keys.items())
        return (self.bodies_of(case) + f"couplings:\n  J: {{rope_over_pulleys: {{a: {joint['a']}, b: {joint['b']}"
                f"{points}, ratio: {ratio}}}}}\n")

    def test_pulley(self):
        case = CASES["proj.pulley.ratio1"]
        self.after_a_step(self.rope_of(case), case["analytic"])

    def test_pulley_with_ratios(self):
        """Equal masses: the force with ratio 1, 1/2 and 2, and who rises."""
        case = CASES["junit.pulley.simple"]
        checks = [op for op in case["ops"] if op["op"] == "check" and "force" in op["q"]]
        for ratio, check, rises in zip((1, "1/2", 2), checks, (0, 1, -1), strict=True):
            frame = self.run_for(self.rope_of(case, ratio), 4, case["world"]["dt"], "backward_euler")[-1]
            force = case["bodies"][0]["mass"] * (frame["b1.vy"] / frame["t"] - case["world"]["gravity"][1])
            self.assertAlmostEqual(force, check["expected"], delta=check["tol"])
            self.assertEqual(math.copysign(1, frame["b1.vy"]) if abs(frame["b1.vy"]) > 1e-12 else 0, rises)

    def test_atwood(self):
        case = CASES["traj.atwood"]
        truth = case["truth"]
        frame = self.run_for(self.rope_of(case), 120, 1.0 / 240.0, "generalized_alpha")[-1]
        self.assertAlmostEqual(frame["a.vy"], truth["a.v.y after 0.5 s"], delta=1e-10)
        self.assertAlmostEqual(frame["b.vy"], truth["b.v.y after 0.5 s"], delta=1e-10)
        self.assertAlmostEqual(frame["J_a.length"] + frame["J_b.length"], truth["total_length"], delta=1e-10)

    def test_pendulum_on_a_rod(self):
        case = CASES["traj.pendulum.distance"]
        frames = self.run_for(self.rod_of(case), 480, 1.0 / 240.0, "generalized_alpha")
        for frame in frames:
            self.assertAlmostEqual(frame["J.length"], 1.0, delta=1e-10)
            self.assertAlmostEqual(frame["energy.total"], case["truth"]["energy"], delta=1.4e-4 * 9.8)

    def test_saturated_motor(self):
        case = CASES["proj.revolute.motor_clamped"]
        self.after_a_step(model(case, ", motor: {theta: {speed: 5, max_force: 3}}"), case["analytic"])

    def test_motor_without_bound(self):
        case = CASES["proj.prismatic.motor"]
        v = case["analytic"]["converged_v"]
        want = {"a": {"v": v[:2], "w": v[2]}, "b": {"v": v[3:5], "w": v[5]}}
        self.after_a_step(model(case, ", motor: {z: {speed: 2}}"), want)

    def speeds_with(self, eq, impulse, case):
        """v + M^-1 J^T impulse of bodies a, b."""
        v = [x for body in case["bodies"] for x in (*body["v"], body["w"])]
        return [v[c] + sum(eq["J"][r][c] * impulse[r] for r in range(len(impulse))) / eq["M"][c][c]
                for c in range(len(v))]

    def test_limit_reached_within_the_step(self):
        """The other engine lets the row reach its limit at the step's end: its speed is C / h. The
        rows are those of the hinge with its angle held."""
        case = CASES["proj.revolute.limit_converged"]
        eq = self.inspect(model(case, ", locked: [theta]"))
        bias = case["joints"][0]["limits"][0] / case["world"]["dt"]
        impulse = solve(eq["K"], [b + (bias if i == 2 else 0.0) for i, b in enumerate(eq["b"])])
        for value, known in zip(impulse, case["analytic"]["lam"], strict=True):
            self.assertAlmostEqual(abs(value), abs(known), delta=EXACT)
        for value, known in zip(self.speeds_with(eq, impulse, case), case["analytic"]["v"], strict=True):
            self.assertAlmostEqual(value, known, delta=EXACT)

    def test_friction_beyond_its_bounds(self):
        """Both parts saturate: the moment, then the force in the direction of what would stop it."""
        case = CASES["proj.friction.clamped"]
        eq = self.inspect(model({**case, "joints": [{**case["joints"][0], "type": "weld"}]}))
        step, joint = case["world"]["dt"], case["joints"][0]
        turn = [0.0, 0.0, math.copysign(step * joint["max_torque"], eq["b"][2])]
        b = [eq["b"][r] - sum(eq["K"][r][c] * turn[c] for c in range(3)) for r in range(2)]
        stop = solve([row[:2] for row in eq["K"][:2]], b)
        share = step * joint["max_force"] / math.hypot(*stop)
        self.assertLess(share, 1.0)
        impulse = [share * stop[0], share * stop[1], turn[2]]
        for value, known in zip(impulse, case["analytic"]["lam"]):
            self.assertAlmostEqual(value, known, delta=EXACT)
        for value, known in zip(self.speeds_with(eq, impulse, case), case["analytic"]["v"], strict=True):
            self.assertAlmostEqual(value, known, delta=EXACT)

    # ---- what any engine must reach ----

    def held_still(self, name, row_force, velocities):
        case = CASES[name]
        for velocity in velocities:
            with self.subTest(velocity=velocity):
                frame = self.run_for(model(case, velocity=velocity), 4, case["world"]["dt"],
                                     "constrained_backward_euler")[-1]
                self.assertAlmostEqual(math.hypot(frame["J.fx"], frame["J.fy"]), row_force, delta=1e-5)
                self.assertAlmostEqual(frame["b.y"], 2.0, delta=1e-12)
                self.assertAlmostEqual(frame["b.x"], 0.0, delta=1e-12)

    def test_weld_and_hinge_hold(self):
        velocities = ([0.0, 0.0], [0.0, 1.0], [1.0, 1.0])
        self.held_still("junit.weld.standard", 4.9, velocities)
        self.held_still("junit.revolute.noLimitsNoMotor", 7.696902001294994, velocities)

    def test_slider_keeps_to_its_line(self):
        case = CASES["junit.prismatic.noLimitsNoMotor"]
        for velocity in ([0.0, 0.0], [0.0, 1.0], [1.0, 1.0]):
            frame = self.run_for(model(case, velocity=velocity), 4, case["world"]["dt"],
                                 "constrained_backward_euler")[-1]
            self.assertAlmostEqual(frame["b.y"], 2.0, delta=1e-12)
            self.assertAlmostEqual(frame["b.x"], velocity[0] * 4 * case["world"]["dt"], delta=1e-12)
            self.assertAlmostEqual(frame["b.angle"], 0.0, delta=1e-15)

    def test_motor_turns_and_stops_at_its_limit(self):
        case = CASES["junit.revolute.motor"]
        motor = ", motor: {theta: {speed: 0.3490658503988659, max_force: 1000}}"
        step = case["world"]["dt"]
        frames = self.run_for(model(case, motor), 1, step, "generalized_alpha")
        self.assertAlmostEqual(frames[-1]["J.theta"], 0.00581, delta=1e-5)
        self.assertAlmostEqual(frames[-1]["b.w"], 0.34906, delta=1e-5)
        limit = math.radians(5.0)
        frames = self.run_for(model(case, f"{motor}, range: {{theta: [{-limit!r}, {limit!r}]}}"), 31, step,
                              "generalized_alpha")
        self.assertAlmostEqual(frames[-1]["J.theta"], 0.08726, delta=1e-5)
        self.assertAlmostEqual(frames[-1]["b.w"], 0.0, delta=1e-5)

    def test_distance_rests_at_its_ends(self):
        """Whatever its spring wants; one of them starts outside and is moved to its end."""
        for name in ("upper", "lower"):
            case = CASES[f"junit.distance.{name}LimitWithSpring"]
            joint, check, body = case["joints"][0], case["ops"][1], case["bodies"][1]
            rate = 2.0 * math.pi * joint["spring"]["hz"]
            law = (f"stiffness: {body['mass'] * rate ** 2!r}, rest: {joint['length']!r}, "
                   f"damping: {2.0 * body['mass'] * joint['spring']['zeta'] * rate!r}")
            text = self.bodies_of(case) + (
                f"joints:\n  J: {{type: distance, a: b, frame_c: {{position: {numbers(joint['anchor_b'])}}}, "
                f"frame_d: {{position: {numbers(joint['anchor_a'])}}}, range: {{length: {numbers(joint['limits'])}}}, "
                f"spring: {{length: {{{law}}}}}}}\n")
            for integrator in INTEGRATORS:
                with self.subTest(name=name, integrator=integrator):
                    frame = self.run_for(text, case["ops"][0]["n"], case["world"]["dt"], integrator)[-1]
                    self.assertAlmostEqual(frame["J.length"], check["expected"], delta=check["tol"])

    def reaches(self, checks, values):
        """Values by the names of a list of checks; each within its tolerance."""
        for check in checks:
            self.assertAlmostEqual(values[check["q"]], check["expected"], delta=check["tol"], msg=check["q"])

    def checks_of(self, case):
        return [op for op in case["ops"] if op["op"] == "check"]

    def test_soft_distance(self):
        """Backward Euler is the case's formula: the state after 30 steps to round-off."""
        case = CASES["junit.distance.springOnly"]
        joint = case["joints"][0]
        text = self.bodies_of(case) + (
            f"joints:\n  J: {{type: distance, a: b, frame_c: {{position: {numbers(joint['anchor_b'])}}}, "
            f"frame_d: {{position: {numbers(joint['anchor_a'])}}}, spring: {{length: {{rest: {joint['length']!r}, "
            f"frequency: {joint['spring']['hz']}, damping_ratio: {joint['spring']['zeta']}}}}}}}\n")
        state = case["ops"][-1]["bodies"]["b"]
        for solver in SOLVERS:
            frame = self.run_for(text, 30, case["world"]["dt"], "backward_euler", solver)[-1]
            self.reaches(self.checks_of(case), {
                "dist": frame["J.length"], "J.torque": frame["J.m"], "J.force.x": -frame["J.fx"],
                "J.force.y": -frame["J.fy"]}) # on a there
            self.assertAlmostEqual(frame["b.y"], state["com"][1], delta=1e-14)
            self.assertAlmostEqual(frame["b.vy"], state["v"][1], delta=1e-14)

    def test_soft_weld(self):
        """A soft angle and a hard point, one after the other, six times a step as there: a spring along the
        angle of a joint that holds nothing, beside a hinge. After one step to round-off but for the
        position pass, after 21 within the case's tolerances, then a push that brings the spring to its
        cap for the whole of a step. Solved together angle and point have w = -0.17027 after the first
        step, which is what the test that it was transcribed from wants."""
        case = CASES["junit.weld.soft"]
        body, joint, checks = case["bodies"][1], case["joints"][0], self.checks_of(case)
        rate, step = 2.0 * math.pi * joint["spring"]["hz"], case["world"]["dt"]
        stiffness, damping = body["inertia"] * rate ** 2, 2.0 * body["inertia"] * joint["spring"]["zeta"] * rate
        sprung = (f"  S: {{type: planar, a: b, origin: {numbers(joint['anchor'])}, "
                  f"spring: {{theta: {{stiffness: {stiffness!r}, damping: {damping!r}, max_force: 5}}}}}}\n"
                  f"  J: {{type: hinge, a: b, origin: {numbers(joint['anchor'])}}}\n")

        def run(text, steps):
            return self.run_for(f"{self.bodies_of(case)}joints:\n{text}{sprung}{AT_STEPS}", steps, step,
                                "backward_euler", "sequential_impulses", case["world"]["velocity_iterations"])

        def values(frame):
            return {"b.w": frame["b.w"], "b.angle": frame["b.angle"],
                    "J.torque": frame["S.theta.effort"], "J.spring_torque": frame["S.theta.effort"],
                    "|J.force|": math.hypot(frame["J.fx"], frame["J.fy"])}
        frames = run("", 21)
        self.reaches(checks[:5], values(frames[1]))
        for check in checks[:5]:
            self.assertAlmostEqual(values(frames[1])[check["q"]], check["dyn4j"],
                                   delta=1e-8 if check["q"] == "b.angle" else 1e-14)
        self.reaches(checks[5:10], values(frames[21]))
        together = self.run_for(f"{self.bodies_of(case)}joints:\n{sprung}", 1, step, "backward_euler")[-1]
        self.assertAlmostEqual(together["b.w"], -0.17027, delta=5e-6)
        self.reaches(checks[10:], values(run(self.pushed(case, frames[21]), 22)[22]))

    def pushed(self, case, frame):
        """The force of the case's last step: a spring to the point that is there then, so weak that only its
        rest, which jumps far away, is felt."""
        push = next(op for op in case["ops"] if op["op"] == "apply_force_next_step")
        angle = frame["b.angle"]
        x, y = push["point"][0] - frame["b.x"], push["point"][1] - frame["b.y"]
        place = numbers([math.cos(angle) * x + math.sin(angle) * y,
                         math.cos(angle) * y - math.sin(angle) * x + case["bodies"][1]["com"][1]])
        rest = numbers([0.0, 0.0, frame["t"] + 0.005, 0.0, frame["t"] + 0.01, push["force"][1] / 1e-6,
                        1.0, push["force"][1] / 1e-6])
        return (f"  F: {{type: pin, a: b, frame_c: {{position: {place}}}, frame_d: {{position: {place}}}, "
                f"spring: {{y: {{stiffness: 1.0e-6, rest: {{table: {rest}}}}}}}}}\n")

    def test_sprung_wheel(self):
        """Thrown, thrown again, turned: by the same formula, to round-off."""
        case = CASES["junit.wheel.noLimitsNoMotor"]
        spring, checks, step = case["joints"][0]["spring"], self.checks_of(case), case["world"]["dt"]
        law = f", spring: {{suspension: {{frequency: {spring['hz']}, damping_ratio: {spring['zeta']}}}}}"
        thrown, moment = (next(op for op in case["ops"] if op["op"] == name)
                          for name in ("check_true", "apply_torque_next_step"))
        for solver in SOLVERS:
            for velocity in ([0.0, 0.0], [0.0, 1.0]):
                frame = self.run_for(model(case, law, velocity), 4, step, "backward_euler", solver)[-1]
                self.reaches(checks[:2], {"b.com.x": frame["b.x"], "b.com.y": frame["b.y"]})
            frame = self.run_for(model(case, law, [1.0, 1.0]), 4, step, "backward_euler", solver)[-1]
            self.assertAlmostEqual(frame["b.x"], thrown["dyn4j"], delta=1e-15)
            # on from there; the moment of the next step turns nothing but the wheel about its own centre
            turned = moment["torque"] * step * case["bodies"][1]["inv_inertia"]
            pose = {**case["bodies"][1], "com": [frame["b.x"], frame["b.y"]]}
            text = model({**case, "bodies": [case["bodies"][0], pose]},
                         f"{law}, initial: {{suspension: {frame['b.x']!r}}}", [frame["b.vx"], frame["b.vy"]], turned)
            frame = self.run_for(text, 1, step, "backward_euler", solver)[-1]
            self.reaches(checks[3:], {"b.com.y": frame["b.y"], "b.angle": frame["b.angle"],
                                      "|J.force|": math.hypot(frame["J.fx"], frame["J.fy"]), "J.torque": frame["J.m"]})
            state = case["ops"][-1]["bodies"]["b"]
            self.assertAlmostEqual(frame["b.x"], state["com"][0], delta=1e-15)
            self.assertAlmostEqual(frame["b.vx"], state["v"][0], delta=1e-14)
            self.assertAlmostEqual(frame["b.w"], state["w"], delta=1e-15)

    def servo(self, case, places, caps):
        """What a correction factor f leaves of an error in a step, 1 - f, a position motor leaves with the
        time constant -h / ln(1 - f)."""
        joint = case["joints"][0]
        constant = -case["world"]["dt"] / math.log1p(-joint["correction_factor"])
        motors = ", ".join(f"{key}: {{position: {place!r}, time_constant: {constant!r}, max_force: {cap!r}}}"
                           for key, place, cap in zip(("x", "y", "theta"), places, caps))
        return f"round: true, motor: {{{motors}}}}}\n"

    def ends_as(self, frame, state):
        """As that engine's state, to round-off."""
        for key, value in zip(("x", "y", "vx", "vy", "w"), [*state["com"], *state["v"], state["w"]]):
            self.assertAlmostEqual(frame[f"b.{key}"], value, delta=1e-12, msg=key)
        self.assertAlmostEqual(frame["b.angle"], state["angle"], delta=1e-12)

    def test_pin_arrives(self):
        """With bounds for whole steps the formula of the case; with events where they are, the place."""
        case = CASES["junit.pin.noSpring"]
        joint, checks = case["joints"][0], self.checks_of(case)
        text = self.bodies_of(case) + (
            f"joints:\n  J: {{type: pin, a: b, frame_c: {{position: {numbers(joint['anchor'])}}}, "
            f"frame_d: {{position: {numbers(joint['anchor'])}}}, "
            + self.servo(case, joint["target"], [float(joint["max_force"])] * 2))

        def values(frame):
            return {"J.torque": frame["J.m"], "b.com.x": frame["b.x"], "b.com.y": frame["b.y"],
                    "J.correction_force": math.hypot(frame["J.x.effort"], frame["J.y.effort"])}
        frames = self.run_for(text + AT_STEPS, 30, case["world"]["dt"], "backward_euler", "sequential_impulses")
        self.reaches(checks, values(frames[-1]))
        self.ends_as(frames[-1], case["ops"][-1]["bodies"]["b"])
        located = self.run_for(text, 30, case["world"]["dt"], "backward_euler")
        self.reaches([checks[0], *checks[2:]], values(located[-1]))
        for frame in frames + located:
            self.assertLess(values(frame)["J.correction_force"], joint["max_force"] + 1e-9)

    def test_motor_joint(self):
        """Without force nothing; with 100 N and 10 N m at their caps, then there. With bounds for whole steps
        that engine's states, with events where they are the parabola of 100 N."""
        case = CASES["junit.motor.simple"]
        joint, checks = case["joints"][0], self.checks_of(case)
        places = [0.0, 3.0, joint["angular_target"]]
        states = [op["bodies"]["b"] for op in case["ops"] if op["op"] == "state"]
        start = (self.bodies_of(case) + "joints:\n  J: {type: planar, a: b, frame_c: {position: [0, 2]}, "
                 "frame_d: {position: [0, 0]}, ")

        def run(caps, integrator, solver="direct", extra=""):
            return self.run_for(start + self.servo(case, places, caps) + extra, 25, case["world"]["dt"], integrator,
                                solver)

        def values(frame):
            return {"dist": math.hypot(frame["b.x"], frame["b.y"]), "b.angle": frame["b.angle"],
                    "J.force.y": frame["J.y.effort"], "J.torque": frame["J.theta.effort"]}
        self.reaches(checks[:2], values(run([0.0] * 3, "backward_euler")[-1]))
        stepped = run([100.0, 100.0, 10.0], "backward_euler", "sequential_impulses", AT_STEPS)
        located = run([100.0, 100.0, 10.0], "generalized_alpha")
        for check in checks[2:4]:
            check["tol"] = 1e-12 # that engine's are clamped to the last bit
        for frames in (stepped, located):
            self.reaches(checks[2:4], values(frames[5]))
            self.reaches(checks[4:], values(frames[25]))
        self.ends_as(stepped[5], states[0])
        self.ends_as(stepped[25], states[1])
        self.assertAlmostEqual(located[5]["b.y"], 2.0 + 0.5 * 100.0 / case["bodies"][1]["mass"] * located[5]["t"] ** 2,
                               delta=1e-12)

    def test_friction_stops_within_the_step(self):
        """The mean force over the step; then none. The body slides until it stops, v^2 m / (2 F), or with
        bounds for whole steps not at all."""
        case = CASES["junit.friction.large"]
        body, joint, checks = case["bodies"][1], case["joints"][0], self.checks_of(case)
        text = self.bodies_of(case) + (
            f"joints:\n  J: {{type: planar, a: b, origin: {numbers(joint['anchor'])}, round: true, friction: {{"
            + ", ".join(f"{key}: {{force: {bound!r}}}" for key, bound in zip(
                ("x", "y", "theta"), (joint["max_force"], joint["max_force"], joint["max_torque"]))) + "}}\n")
        step, mass = case["world"]["dt"], body["mass"]
        for integrator in INTEGRATORS:
            frames = self.run_for(text, 2, step, integrator)
            for before, after, part in zip(frames, frames[1:], (checks[:2], checks[2:])):
                change = [(after[f"b.{key}"] - before[f"b.{key}"]) / step for key in ("vx", "vy", "w")]
                self.reaches(part, {"|J.force|": mass * math.hypot(*change[:2]),
                                    "J.torque": abs(body["inertia"] * change[2])})
            self.assertAlmostEqual(math.hypot(frames[1]["b.vx"], frames[1]["b.vy"]), 0.0, delta=1e-12)
        frames = self.run_for(text + AT_STEPS, 2, step, "backward_euler", "sequential_impulses")
        for frame, part in zip(frames[1:], (checks[:2], checks[2:])):
            self.reaches(part, {"|J.force|": math.hypot(frame["J.x.effort"], frame["J.y.effort"]),
                                "J.torque": -frame["J.theta.effort"]}) # on a there
        self.ends_as(frames[1], case["ops"][3]["bodies"]["b"])
        slid = math.hypot(*body["v"]) ** 2 * mass / (2.0 * joint["max_force"])
        frame = self.run_for(text, 2, step, "generalized_alpha")[-1]
        self.assertAlmostEqual(math.hypot(frame["b.x"], frame["b.y"] - 2.0), slid, delta=1e-9)

    def test_angles_turn_together(self):
        """Speeds after one step, and the moment that gave them: the impulse over the step. A ratio of 1/2
        then changes nothing while both are held; alone it does, and the case goes on with two reactions
        that are equal, as if no frame carried the rest, so that the power of one is half that of the
        other. Tenon's gears keep power: b gets p, g gets -p/2, with b = g/2 after it."""
        case = CASES["junit.angle.simpleLinkage"]
        all_checks = self.checks_of(case)
        checks = all_checks[:3]
        eq = self.inspect(model(case))
        impulse = solve(eq["K"], eq["b"])
        self.assertAlmostEqual(abs(impulse[0]) / case["world"]["dt"], checks[2]["expected"], delta=checks[2]["tol"])
        for solver in SOLVERS:
            frame = self.run_for(model(case), 1, case["world"]["dt"], "backward_euler", solver)[-1]
            for check in checks[:2]:
                self.assertAlmostEqual(frame[check["q"][0] + ".w"], check["expected"], delta=EXACT)
            frames = self.run_for(model(case), 2, case["world"]["dt"], "backward_euler", solver)
            for check in all_checks[3:5]:
                self.assertAlmostEqual(frames[2][check["q"][0] + ".w"], check["expected"], delta=EXACT)
            self.assertAlmostEqual(frames[2]["J.m"], all_checks[5]["expected"], delta=all_checks[5]["tol"])
            self.gear_takes_over(case, checks[0]["expected"], solver)

    def gear_takes_over(self, case, w, solver):
        moving = [{**body, "w": w} for body in case["bodies"]]
        text = self.bodies_of({**case, "bodies": moving}) + (
            "joints:\n  g: {type: hinge, a: g, origin: [0, 0]}\n  b: {type: hinge, a: b, origin: [0, 2]}\n"
            "couplings:\n  J: {gear: {a: g.theta, b: b.theta, ratio: 1/2}}\n")
        frame = self.run_for(text, 1, case["world"]["dt"], "backward_euler", solver)[-1]
        # p = 2/5 of what b is off, times the inertia both have
        self.assertAlmostEqual(frame["b.w"], w - 0.4 * w, delta=1e-9)
        self.assertAlmostEqual(frame["g.w"], w + 0.2 * w, delta=1e-9)
        self.assertAlmostEqual(frame["J.force"] * case["world"]["dt"], -0.4 * w * case["bodies"][0]["inertia"],
                               delta=1e-9)

    # ---- trajectories, second order at 1/240 s, against exact physics ----

    def test_pendulum(self):
        case = CASES["traj.pendulum.revolute"]
        truth = case["truth"]
        frames = self.run_for(model(case), 480, 1.0 / 240.0, "generalized_alpha")
        energy = max(abs(frame["energy.total"] - frames[0]["energy.total"]) for frame in frames)
        bottom, turn = self.passages(frames)
        self.assertAlmostEqual(bottom, truth["first passage through the bottom (s)"], delta=1e-4)
        self.assertAlmostEqual(turn, truth["first turning point (s)"], delta=1e-4)
        # second order in the step, no drift: 1.14e-4 of what is exchanged in a swing, m g d
        self.assertLess(energy, 1.2e-4 * 9.8)
        # where the case records it, every second, and at half the step
        self.assertLess(self.largest_energy(case, 240), 1.04e-4 * 9.8)
        self.assertLess(self.largest_energy(case, 480), 0.26e-4 * 9.8)
        # a method that damps less keeps more
        self.assertLess(self.largest_energy(case, 240, "simulation: {spectral_radius: 0.9}\n"), 1e-4 * 9.8)

    def passages(self, frames):
        """Times of the first passage through the bottom and of the first turn."""
        bottom = turn = None
        for k in range(1, len(frames)):
            before, after = frames[k - 1], frames[k]
            # through the bottom: x changes sign; a cubic through four frames finds the time
            if bottom is None and before["b.x"] > 0.0 >= after["b.x"]:
                bottom = self.crossing(frames, k, "b.x")
            if turn is None and before["b.w"] < 0.0 <= after["b.w"] and after["t"] > 0.9:
                turn = self.crossing(frames, k, "b.w")
        return bottom, turn

    def test_pendulums_to_their_last_digits(self):
        hinge, rod = CASES["traj.pendulum.revolute"], CASES["traj.pendulum.distance"]
        for text in (model(hinge), self.rod_of(rod)):
            frames = self.run_for(text, 2400, 1.0 / 240.0, "dormand_prince")
            self.assertLess(max(abs(frame["energy.total"]) for frame in frames), 2e-9) # 4e-10, 1e-11
        bottom, turn = self.passages(self.run_for(model(hinge), 480, 1.0 / 240.0, "dormand_prince"))
        self.assertAlmostEqual(bottom, hinge["truth"]["first passage through the bottom (s)"], delta=1e-10)
        self.assertAlmostEqual(turn, hinge["truth"]["first turning point (s)"], delta=1e-10)

    def test_pendulums_led_by_their_speeds(self):
        """At every step of ten seconds, not only at whole ones: 8.0e-5 and 9.6e-5 of m g d."""
        hinge = model(CASES["traj.pendulum.revolute"])
        for text in (hinge, self.rod_of(CASES["traj.pendulum.distance"])):
            text += "simulation: {formulation: stabilized_index_2}\n"
            frames = self.run_for(text, 2400, 1.0 / 240.0, "generalized_alpha")
            self.assertLess(max(abs(frame["energy.total"]) for frame in frames), 1e-4 * 9.8)

    def rod_of(self, case):
        return self.bodies_of(case) + ("joints:\n  J: {type: rod, a: b, frame_c: {position: [1, 0]}, "
                                       "frame_d: {position: [0, 0]}}\n")

    def largest_energy(self, case, rate, extra=""):
        """Of ten seconds, J, at whole ones; the truth is 0."""
        frames = self.run_for(model(case) + extra, 10 * rate, 1.0 / rate, "generalized_alpha")
        return max(abs(frame["energy.total"]) for frame in frames[::rate])

    def crossing(self, frames, k, key):
        """Time at which the cubic through four frames vanishes between frames k-1 and k."""
        points = [(frames[i]["t"], frames[i][key]) for i in range(k - 2, k + 2)]
        low, high = points[1][0], points[2][0]

        def cubic(t):
            total = 0.0
            for i, (ti, yi) in enumerate(points):
                for j, (tj, _) in enumerate(points):
                    yi *= (t - tj) / (ti - tj) if i != j else 1.0
                total += yi
            return total

        rising = cubic(high) > cubic(low)
        for _ in range(60):
            middle = 0.5 * (low + high)
            if (cubic(middle) > 0.0) == rising:
                high = middle
            else:
                low = middle
        return 0.5 * (low + high)

    def test_chain_of_ten(self):
        scale = 10 * 9.8 * 5.0 # m g n L / 2
        for integrator, energy in (("generalized_alpha", 1e-4 * scale), ("dormand_prince", 1e-8)):
            result = self.report_of(model(CASES["traj.chain10"]), integrator)
            self.assertLess(result["max_position_error"], 1e-10)
            self.assertLess(abs(result["energy_final"] - result["energy_initial"]), energy)

    def report_of(self, text, integrator):
        """Of a second in steps of 1/240 s."""
        report = self.folder / "report.json"
        done = subprocess.run([TENON, "run", self.write(text), "--quiet", "--report", report, "--step",
                               repr(1.0 / 240.0), "--time", "1", "--integrator", integrator],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(report.read_text())

    def test_every_case_is_run(self):
        run = {"proj." + name for name in
               ("weld.dynamic", "weld.static_a", "revolute.dynamic", "angle.dynamic", "prismatic.dynamic",
                "wheel.line", "revolute.motor_clamped", "prismatic.motor", "revolute.limit_converged",
                "friction.clamped", "distance.dynamic", "distance.spring", "pin.spring", "pulley.ratio1")}
        run |= {"junit.weld.standard", "junit.revolute.noLimitsNoMotor", "junit.prismatic.noLimitsNoMotor",
                "junit.revolute.motor", "junit.pulley.simple", "junit.angle.simpleLinkage",
                "junit.distance.upperLimitWithSpring", "junit.distance.lowerLimitWithSpring", "traj.pendulum.revolute", "traj.chain10",
                "traj.pendulum.distance", "traj.atwood", "junit.weld.soft", "junit.distance.springOnly",
                "junit.wheel.noLimitsNoMotor", "junit.pin.noSpring", "junit.motor.simple", "junit.friction.large"}
        run |= {"proj.position." + name for name in ("revolute", "weld", "distance", "prismatic")}
        self.assertEqual(run, set(CASES))
        self.assertLessEqual(set(NOT_RUN), run)


if __name__ == "__main__":
    unittest.main()
