#!/usr/bin/env python3
"""make_stewart.py > model.yaml: a Stewart platform, six driven legs under a plate that move it in all six ways.

Each leg is a tube on a universal joint, a rod under a ball joint, and a driven slider between them. The
legs' lengths follow sines of six phases; no two legs do the same. Gruebler's count is zero once the legs
are driven, nothing is redundant, and each leg's force is unique.
"""
import math

BASE, TOP, HEIGHT = 1.0, 0.6, 1.2  # m: radii of the joints below and above, height between
STROKE, RATE = 0.08, 4.0  # m, rad/s of the legs' motion


def joint_points(k):
    """Where leg k stands below and above: three pairs below, the same turned by 60 degrees above."""
    side = 1 if k % 2 else -1
    below = math.radians(120 * (k // 2) + side * 15)
    above = math.radians(120 * (k // 2) + side * 45)
    return (
        (BASE * math.cos(below), BASE * math.sin(below), 0.0),
        (TOP * math.cos(above), TOP * math.sin(above), HEIGHT),
    )


def phase(k):
    return 2 * math.pi * k / 6 + (0.4 if k % 2 else 0.0)


def stroke(k, t):
    """What leg k has grown by at time t, m."""
    return STROKE * (math.sin(RATE * t + phase(k)) - math.sin(phase(k)))


def vector(p):
    return "[" + ", ".join(f"{x:.17g}" for x in p) + "]"


def leg(k):
    p, q = joint_points(k)
    length = math.dist(p, q)
    u = [(b - a) / length for a, b in zip(p, q)]
    # R = Rz(roll) Ry(pitch) turns z to u
    rpy = f"[{math.atan2(u[1], u[0]):.17g}, {math.acos(u[2]):.17g}, 0]"
    for name, share, radius in (("tube", 0.25, 0.04), ("rod", 0.75, 0.025)):
        centre = [a + share * length * x for a, x in zip(p, u)]
        yield (
            f"  {name}{k}: {{position: {vector(centre)}, rpy: {rpy}, density: 2700,"
            f" shapes: [cylinder: {{radius: {radius}, length: {0.5 * length:.17g}}}]}}"
        )


def joints(k):
    p, q = joint_points(k)
    axis = [b - a for a, b in zip(p, q)]
    across = [-axis[1], axis[0], 0.0]  # level, square to the leg
    square = [-axis[0] * axis[2], -axis[1] * axis[2], axis[0] ** 2 + axis[1] ** 2]
    yield f"  foot{k}: {{type: universal, a: tube{k}, origin: {vector(p)}, axis: {vector(across)}, y_axis: {vector(square)}}}"
    yield f"  head{k}: {{type: spherical, a: rod{k}, b: plate, origin: {vector(q)}}}"
    yield (
        f"  leg{k}: {{type: slider, a: rod{k}, b: tube{k}, origin: {vector(p)}, axis: {vector(axis)}, drive: {{z:"
        f" {{position: {{sine: [{STROKE}, {RATE}, {phase(k):.17g}, {-STROKE * math.sin(phase(k)):.17g}]}}}}}}}}"
    )


def model():
    yield "# A Stewart platform, written by make_stewart.py: see there for what it is."
    yield "tenon: 1\nname: Stewart platform\ngravity: [0, 0, -9.81]\n\nbodies:"
    yield f"  plate: {{position: [0, 0, {HEIGHT}], density: 2700, shapes: [cylinder: {{radius: 0.7, length: 0.04}}]}}"
    for k in range(6):
        yield from leg(k)
    yield "\njoints:"
    for k in range(6):
        yield from joints(k)
    yield "\nmarkers:\n  centre: {body: plate}"
    for k in range(6):
        q = joint_points(k)[1]
        yield f"  top{k}: {{body: plate, position: {vector((q[0], q[1], 0.0))}}}"
    yield "\nsimulation: {duration: 5}"
    yield "record: {every: 0.01, what: [coordinates, multipliers, markers, energy]}"


if __name__ == "__main__":
    print("\n".join(model()))
