#!/usr/bin/env python3
"""make_n_four_bar.py N > model.yaml: N parallelograms in a row, the N-four-bar of the IFToMM library.

N + 1 cranks stand upright on ground pivots (k, 0, 0), N couplers join their tips; every bar is 1 m
long and weighs 1 kg, gravity is 9.81 m/s^2 along -y and the tips start with 1 m/s along +x. All
cranks stay parallel for ever and turn like one pendulum: the exact motion is an elliptic function.
Twice a revolution all bars lie in one line and each parallelogram could fold.

The problem asks for slender bars (1/12 kg m^2 across, none along). A bar without inertia about its
axis is no rigid body, so here it has that of a square section of 0.1 m, 0.01/6 kg m^2; it plays no
part in a plane motion.
"""
import sys

ACROSS = "0.083333333333333333"  # kg m^2, m l^2 / 12
ALONG = "0.0016666666666666668"  # kg m^2, m a^2 / 6 with a = 0.1 m


def model(n):
    yield f"""# {n} parallelograms in a row (the N-four-bar of the IFToMM library), written by
# make_n_four_bar.py {n}: see there for what it is and where its numbers come from.
tenon: 1
name: {n}-four-bar
gravity: [0, -9.81, 0]

bodies:"""
    for k in range(n + 1):
        yield (
            f"  crank{k}: {{position: [{k}, 0.5, 0], mass: 1, inertia: [{ACROSS}, {ALONG}, {ACROSS}],"
            " velocity: {linear: [0.5, 0, 0], angular: [0, 0, -1]}}"
        )
    for k in range(n):
        yield (
            f"  coupler{k}: {{position: [{k}.5, 1, 0], mass: 1,"
            f" inertia: [{ALONG}, {ACROSS}, {ACROSS}], velocity: {{linear: [1, 0, 0]}}}}"
        )
    yield "\njoints:"
    for k in range(n + 1):
        yield f"  pivot{k}: {{type: hinge, a: crank{k}, b: ground, origin: [{k}, 0, 0], axis: [0, 0, 1]}}"
    for k in range(n):
        for side, crank in (("left", k), ("right", k + 1)):
            yield (
                f"  {side}{k}: {{type: hinge, a: coupler{k}, b: crank{crank},"
                f" origin: [{crank}, 1, 0], axis: [0, 0, 1]}}"
            )
    yield f"""
markers:
  first: {{body: crank0, position: [0, 0.5, 0]}}
  last: {{body: crank{n}, position: [0, 0.5, 0]}}

simulation: {{integrator: generalized_alpha, step: 1.0e-3, duration: 10}}
record: {{every: 0.01, what: [coordinates, markers, energy]}}"""


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 1:
        sys.exit("usage: make_n_four_bar.py N, with N > 0")
    print("\n".join(model(int(sys.argv[1]))))
