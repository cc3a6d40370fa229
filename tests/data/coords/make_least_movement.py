#!/usr/bin/env python3
"""Makes least_movement.csv: rough drawings of the crank-rocker and the closed pose nearest to each.

Crank 1 m, coupler 3 m, rocker 2.5 m, ground 3 m; rods of 1 kg/m with inertia l^3 / 12 + l / 1000
about their middle. The consistent pose is disturbed at random by up to 20 % of a metre and 0.2 rad;
SciPy (SLSQP, then Newton on the optimality conditions with derivatives by finite differences)
finds the closed pose with the least sum of m |dx|^2 + J dtheta^2. Columns: disturbed x, y, theta of
crank, coupler, rocker; then the same of the nearest closed pose; then the least sum.
"""
import numpy as np
from scipy.optimize import minimize, fsolve

LENGTH = np.array([1.0, 3.0, 2.5])
GROUND = 3.0
MASS = LENGTH
INERTIA = LENGTH**3 / 12 + 1e-3 * LENGTH
WEIGHT = np.array([MASS, MASS, INERTIA]).T.ravel()


def end(u, body, side):
    x, y, t = u[3 * body:3 * body + 3]
    return np.array([x, y]) + side * 0.5 * LENGTH[body] * np.array([np.cos(t), np.sin(t)])


def gaps(u):
    return np.concatenate([end(u, 0, -1), end(u, 0, 1) - end(u, 1, -1),
                           end(u, 1, 1) - end(u, 2, 1), end(u, 2, -1) - [GROUND, 0.0]])


def jacobian(u):
    J = np.zeros((8, 9))
    for k in range(9):
        d = np.zeros(9)
        d[k] = 1e-6
        J[:, k] = (gaps(u + d) - gaps(u - d)) / 2e-6
    return J


def nearest(u0):
    found = minimize(lambda u: np.sum(WEIGHT * (u - u0) ** 2), u0, method="SLSQP",
                     jac=lambda u: 2 * WEIGHT * (u - u0),
                     constraints={"type": "eq", "fun": gaps, "jac": jacobian},
                     options={"maxiter": 500, "ftol": 1e-15})
    u = found.x
    y = np.linalg.lstsq(jacobian(u).T, -2 * WEIGHT * (u - u0), rcond=None)[0]
    kkt = lambda z: np.concatenate([2 * WEIGHT * (z[:9] - u0) + jacobian(z[:9]).T @ z[9:],
                                    gaps(z[:9])])
    z = fsolve(kkt, np.concatenate([u, y]), xtol=1e-14)
    return z[:9], np.sum(WEIGHT * (z[:9] - u0) ** 2), np.abs(kkt(z)).max()


def consistent():
    p, g = np.array([0.0, 1.0]), np.array([GROUND, 0.0])
    d = g - p
    l = np.hypot(*d)
    a = (LENGTH[1]**2 - LENGTH[2]**2 + l * l) / (2 * l)
    h = np.sqrt(LENGTH[1]**2 - a * a)
    q = p + a * d / l + h * np.array([-d[1], d[0]]) / l
    u = []
    for r, s in (([0.0, 0.0], p), (p, q), (g, q)):
        r, s = np.array(r), np.array(s)
        u += [*(0.5 * (r + s)), np.arctan2(s[1] - r[1], s[0] - r[0])]
    return np.array(u)


def main():
    random = np.random.default_rng(5)
    u = consistent()
    with open("least_movement.csv", "w") as out:
        for _ in range(20):
            u0 = u + random.uniform(-0.2, 0.2, 9)
            best, value, residual = nearest(u0)
            assert residual < 1e-8, residual
            out.write(",".join(f"{v:.15g}" for v in [*u0, *best, value]) + "\n")


main()
