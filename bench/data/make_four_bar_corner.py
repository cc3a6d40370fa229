#!/usr/bin/env python3
"""make_four_bar_corner.py > four_bar_corner.csv: exact motion of examples/four_bar_hard.yaml.

The opposite bars are equally long, so the moving ones stay parallel to their start or turn as one:
two cranks of length L that turn by psi, one bar carried along. With masses m1 (cranks) and m2:

    I psi'' = G g cos(psi),  I = 2 (J + m1 L^2 / 4) + m2 L^2,  G = 2 m1 L / 2 + m2 L

from rest at psi = 0, cranks horizontal: an amplitude of 90 degrees about straight down, that is
sin(a/2) = k cd(w t | k^2) with a = pi/2 - psi, w^2 = G g / I, k = sin(45 degrees), cd = cn/dn.
The bars are plates with half-discs of 20 facets at both ends; their outline gives m1, m2 and J.
"""
import math

G, L, DENSITY, SLICES = 9.8, 1.0, 1000.0, 20


def plate(width, depth):
    """Mass and moment of inertia about the centre, axis along the depth."""
    r = width / 2
    outline = []
    for end in (1, -1):  # around the upper end and then the lower one, anticlockwise
        for k in range(SLICES + 1):
            angle = math.pi * k / SLICES + (0 if end > 0 else math.pi)
            outline.append((r * math.cos(angle), end * L / 2 + r * math.sin(angle)))
    area = polar = 0.0
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1]):
        cross = x0 * y1 - x1 * y0
        area += cross / 2
        polar += cross * (x0 * x0 + x0 * x1 + x1 * x1 + y0 * y0 + y0 * y1 + y1 * y1) / 12
    return DENSITY * depth * area, DENSITY * depth * polar


def jacobi(u, k):
    """sn, cn, dn by descending Landen transformation (Abramowitz and Stegun 16.4)."""
    a, c = [1.0], [k]
    b = math.sqrt(1 - k * k)
    while abs(c[-1]) > 1e-12:  # the next one is its square
        a.append((a[-1] + b) / 2)
        c.append((a[-2] - b) / 2)
        b = math.sqrt(a[-2] * b)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[n] / a[n] * math.sin(phi))) / 2
    sn = math.sin(phi)
    return sn, math.cos(phi), math.sqrt(1 - k * k * sn * sn)


def main():
    m1, j1 = plate(0.25, 0.3)
    m2, _ = plate(0.25, 0.2)
    inertia = 2 * (j1 + m1 * L * L / 4) + m2 * L * L
    moment = m1 * L + m2 * L
    w = math.sqrt(moment * G / inertia)
    print("t,x,z,psi")
    for k in range(101):
        t = k / 10
        _, cn, dn = jacobi(w * t, math.sqrt(0.5))
        psi = math.pi / 2 - 2 * math.asin(math.sqrt(0.5) * cn / dn)
        print(f"{t:.1f},{-0.5 + math.cos(psi) * L:.16e},{0.5 - math.sin(psi) * L:.16e},{psi:.16e}")


if __name__ == "__main__":
    main()
