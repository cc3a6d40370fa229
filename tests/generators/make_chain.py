#!/usr/bin/env python3
"""make_chain.py N > model.yaml: a hanging chain of N boxes on hinges, let go from the horizontal.

Boxes of 0.1 x 0.02 x 0.02 m and density 1000 kg/m^3 in a row along +x, the first one hinged to the
ground; the hinge axes are y and x of the world in turn. After 1 s the free end is at
    N = 10    (-0.8857568183, 0, -0.1077240120)
    N = 100   (7.5336801, 0, -4.90499985)
    N = 1000  (99.0369794, 0, -4.905)
as engines with very small steps agree.
"""
import sys

AXES = ("[0, 1, 0]", "[1, 0, 0]")


def decimal(tenths, hundredths=0):
    """tenths / 10 + hundredths / 100 as an exact decimal text."""
    total = 10 * tenths + hundredths
    return f"{total // 100}.{total % 100:02d}"


def model(n):
    yield f"""# A chain of {n} boxes on hinges, written by make_chain.py {n}.
tenon: 1
name: chain of {n}
gravity: [0, 0, -9.81]

bodies:"""
    for k in range(n):
        yield (
            f"  link{k}: {{position: [{decimal(k, 5)}, 0, 0], density: 1000,"
            " shapes: [box: {size: [0.1, 0.02, 0.02]}]}"
        )
    yield "\njoints:"
    for k in range(n):
        base = "ground" if k == 0 else f"link{k - 1}"
        yield (
            f"  hinge{k}: {{type: hinge, a: link{k}, b: {base}, origin: [{decimal(k)}, 0, 0],"
            f" axis: {AXES[k % 2]}}}"
        )
    yield f"""
markers:
  tip: {{body: link{n - 1}, position: [0.05, 0, 0]}}

simulation: {{integrator: generalized_alpha, step: 1.0e-3, duration: 1}}
record: {{every: 0.1, what: [markers, energy]}}"""


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 1:
        sys.exit("usage: make_chain.py N, with N > 0")
    print("\n".join(model(int(sys.argv[1]))))
