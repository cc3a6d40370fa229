#!/usr/bin/env python3
"""make_jansen.py LEGS > model.yaml: legs of Theo Jansen's beach animals on one crankshaft.

Two legs share a crank pin, one to the left and its mirror image to the right; the pins are 60
degrees and 0.12 m apart. The lengths are Jansen's eleven numbers, in centimetres; every bar weighs
0.4 kg per metre. The frame stands still and the legs tread the air: Tenon has no ground contact.

A leg is six bodies on nine hinges, each a full hinge in space: nine of a leg's 45 rows are
redundant. In its plane it has no freedom of its own: the crank moves all.
"""
import math
import sys

# cm: crank m; fixed pivot a to the side of the crank's axis and l below it; the others as Jansen
# names them
A, B, C, D, E, F, G, H, I, J, K, L, M = 38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15
LINE_DENSITY = 0.4  # kg/m
WIDTH = 0.02  # m, of the square bars
PITCH = 0.12  # m between crank pins
TURN = math.pi / 3  # rad/s of the crank: ten turns in the minute that is simulated


def meet(p, rp, q, rq, side):
    """The point at distance rp from p and rq from q, on the left (+1) or right (-1) of p -> q."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    d = math.hypot(dx, dy)
    x = (rp * rp - rq * rq + d * d) / (2 * d)
    y = side * math.sqrt(rp * rp - x * x)
    return (p[0] + (x * dx - y * dy) / d, p[1] + (x * dy + y * dx) / d)


def leg_points(angle, left=True):
    """The leg's points in cm by name, for a crank at `angle`; a right leg is a left one mirrored."""
    if not left:
        return {name: (-x, y) for name, (x, y) in leg_points(math.pi - angle).items()}
    pin = (M * math.cos(angle), M * math.sin(angle))
    pivot = (-A, -L)
    knee = meet(pivot, B, pin, J, 1)  # above
    hip = meet(pivot, C, pin, K, -1)  # below
    heel = meet(pivot, D, knee, E, 1)
    ankle = meet(heel, F, hip, G, -1)
    foot = meet(ankle, I, hip, H, -1)
    return {"pin": pin, "pivot": pivot, "knee": knee, "hip": hip, "heel": heel, "ankle": ankle, "foot": foot}


# body: its corners; the first one is its origin, the second one lies on its x axis
BODIES = {
    "push": ("pin", "knee"),  # j
    "pull": ("pin", "hip"),  # k
    "upper": ("pivot", "knee", "heel"),  # b, e, d
    "rocker": ("pivot", "hip"),  # c
    "link": ("heel", "ankle"),  # f
    "lower": ("hip", "ankle", "foot"),  # g, i, h
}
HINGES = (
    ("push", "crank", "pin"),
    ("pull", "crank", "pin"),
    ("upper", "ground", "pivot"),
    ("rocker", "ground", "pivot"),
    ("push", "upper", "knee"),
    ("pull", "rocker", "hip"),
    ("lower", "rocker", "hip"),
    ("link", "upper", "heel"),
    ("link", "lower", "ankle"),
)


def number(value):
    return f"{value:.17g}"


def bar(p, q):
    """A box from p to q in the body's plane, in m."""
    length = math.dist(p, q)
    angle = math.atan2(q[1] - p[1], q[0] - p[0])
    return (
        f"box: {{size: [{number(length)}, {WIDTH}, {WIDTH}]}}, mass: {number(LINE_DENSITY * length)}, "
        f"position: [{number((p[0] + q[0]) / 2)}, {number((p[1] + q[1]) / 2)}, 0], rpy: [{number(angle)}, 0, 0]"
    )


def body(name, corners, z):
    (x0, y0), (x1, y1) = corners[:2]
    angle = math.atan2(y1 - y0, x1 - x0)
    c, s = math.cos(angle), math.sin(angle)
    local = [((c * (x - x0) + s * (y - y0)) / 100, (c * (y - y0) - s * (x - x0)) / 100) for x, y in corners]
    sides = [(0, 1)] if len(local) == 2 else [(0, 1), (1, 2), (2, 0)]
    yield f"  {name}:"
    yield f"    position: [{number(x0 / 100)}, {number(y0 / 100)}, {number(z)}]"
    yield f"    rpy: [{number(angle)}, 0, 0]"
    yield "    shapes:"
    for i, j in sides:
        yield f"      - {{{bar(local[i], local[j])}}}"


def crankshaft(pins):
    yield "  crank:"
    yield "    shapes:"
    middle, length = PITCH * (pins - 1) / 2, PITCH * pins
    yield f"      - {{cylinder: {{radius: 0.01, length: {number(length)}}}, mass: 1, position: [0, 0, {number(middle)}]}}"
    for k in range(pins):
        x, y = (M / 100 * math.cos(phase(k)), M / 100 * math.sin(phase(k)))
        yield (
            f"      - {{box: {{size: [{M / 100}, {WIDTH}, {WIDTH}]}}, mass: 0.1, rpy: [{number(phase(k))}, 0, 0],"
            f" position: [{number(x / 2)}, {number(y / 2)}, {number(PITCH * k)}]}}"
        )


def phase(pin):
    return pin * math.pi / 3


def model(legs):
    pins = (legs + 1) // 2
    word = "leg" if legs == 1 else "legs"
    yield f"# {legs} {word} of Theo Jansen's, written by make_jansen.py {legs}: see there for what it is."
    yield f"tenon: 1\nname: {legs} Jansen {word}\ngravity: [0, -9.81, 0]\n\nbodies:"
    yield from crankshaft(pins)
    corners = [leg_points(phase(k // 2), k % 2 == 0) for k in range(legs)]
    for k, points in enumerate(corners):
        for name, names in BODIES.items():
            yield from body(f"{name}{k}", [points[n] for n in names], PITCH * (k // 2))
    yield "\njoints:"
    yield f"  shaft: {{type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 0, 1],"
    yield f"    drive: {{theta: {{position: {{polynomial: [0, {number(TURN)}]}}}}}}}}"
    for k, points in enumerate(corners):
        for a, b, at in HINGES:
            base = b if b in ("crank", "ground") else f"{b}{k}"
            x, y = points[at]
            yield (
                f"  {a}_{b}{k}: {{type: hinge, a: {a}{k}, b: {base}, axis: [0, 0, 1],"
                f" origin: [{number(x / 100)}, {number(y / 100)}, {number(PITCH * (k // 2))}]}}"
            )
    yield "\nmarkers:"
    for k, points in enumerate(corners):
        origin, along, foot = (points[n] for n in BODIES["lower"])
        angle = math.atan2(along[1] - origin[1], along[0] - origin[0])
        c, s = math.cos(angle), math.sin(angle)
        x, y = foot[0] - origin[0], foot[1] - origin[1]
        yield (
            f"  foot{k}: {{body: lower{k}, position: [{number((c * x + s * y) / 100)},"
            f" {number((c * y - s * x) / 100)}, 0]}}"
        )
    yield (
        "\nsimulation: {duration: 60}\n"
        "record: {every: 0.01, what: [coordinates, markers, energy], joints: [shaft]}"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 1:
        sys.exit("usage: make_jansen.py LEGS, with LEGS > 0")
    print("\n".join(model(int(sys.argv[1]))))
