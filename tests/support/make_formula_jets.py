#!/usr/bin/env python3
"""make_formula_jets.py > tests/data/formula_jets.txt: formulas of x with their values and derivatives by mpmath.

Each line: formula; x; f; f'; f'', worked out with 60 digits. Every function and operator stands in some of them, alone and within
others.
"""

import random

import mpmath as mp

mp.mp.dps = 60
NAMES = {"sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "atan2": mp.atan2,
         "hypot": mp.hypot, "sqrt": mp.sqrt, "exp": mp.exp, "ln": mp.log, "log10": mp.log10, "sinh": mp.sinh, "cosh": mp.cosh,
         "tanh": mp.tanh, "abs": abs, "sign": mp.sign, "min": min, "max": max, "floor": mp.floor, "ceil": mp.ceil,
         "round": lambda a: mp.floor(a + mp.mpf(1) / 2), "pi": mp.pi}
ONE = ["sin", "cos", "tan", "atan", "exp", "sinh", "cosh", "tanh", "abs"]
ALONE = ["sin(3*x+1)", "cos(3*x+1)", "tan(0.7*x)", "asin(x/4)", "acos(x/4)", "atan(2*x)", "atan2(x, 1+x^2)", "atan2(1+x^2, x)",
         "hypot(x, 2)", "hypot(x-1, x+3)", "sqrt(x+4)", "exp(-x)*sin(4*pi*x)", "ln(x+4)", "log10(x+4)", "sinh(x)", "cosh(x)",
         "tanh(x)", "abs(x-0.3)", "sign(x)*x^2", "min(x, x^2-1)", "max(x, x^2-1)", "min(x, 1-x, 2*x)", "floor(2*x)*x",
         "ceil(2*x)*x", "round(2*x)*x", "(3*x) % 2", "(3*x) % -2", "x % (1+x^2)", "-x^2", "(x+4)^x", "(x+4)^-1.5", "x^3", "x^-2",
         "2^x", "x^0", "x^1", "1/(1+x^2)", "x/(x-5)", "10*x^3-2*x", "x < 1 ? x^2 : 2*x-1", "x >= 0 && x < 1 ? sin(x) : x",
         "x <= -1 || x > 1 ? exp(x) : cos(x)", "!(x < 0.5) ? x^3 : -x", "floor(x) == 1 ? x : x^2", "floor(x) != 1 ? x : x^2"]


def some(rng, depth):
    if depth == 0:
        return rng.choice(["x", "x", f"{rng.uniform(0.2, 2):.3f}"])
    kind = rng.randrange(6)
    a, b = some(rng, depth - 1), some(rng, depth - 1)
    if kind == 0:
        return f"{rng.choice(ONE)}({a})"
    if kind == 1:
        return f"({a} {rng.choice('+-')} {b})"
    if kind == 2:
        return f"{a}*({b})"
    if kind == 3:
        return f"({a})/(2 + ({b})^2)"
    if kind == 4:
        return rng.choice([f"sqrt(1 + ({a})^2)", f"ln(1.5 + ({a})^2)", f"(1 + ({a})^2)^0.3", f"hypot({a}, 1.5)",
                           f"atan2({a}, 1.2 + ({b})^2)", f"asin(0.9*sin({a}))", f"min({a}, {b})", f"max({a}, {b})"])
    return f"({a} < {b} ? {b} : {a})" if rng.random() < 0.3 else f"({a})^{rng.randrange(2, 5)}"


def to_python(text):
    """The formula in Python's signs; a choice a ? b : c at the top only, or in brackets."""
    text = text.replace("^", "**").replace("&&", " and ").replace("||", " or ").replace("!(", "not (")
    while "?" in text:
        at = text.index("?")
        depth, start = 0, at
        while start > 0 and not (depth == 0 and text[start - 1] == "("):
            start -= 1
            depth += {")": 1, "(": -1}.get(text[start], 0)
        depth, colon = 0, at
        while not (depth == 0 and text[colon] == ":"):
            depth += {"(": 1, ")": -1}.get(text[colon], 0)
            colon += 1
        depth, end = 0, colon
        while end < len(text) and not (depth == 0 and text[end] == ")"):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = (f"{text[:start]}(({text[at + 1:colon]}) if ({text[start:at]}) else ({text[colon + 1:end]})){text[end:]}")
    return text


def line(text, x):
    import re
    code = re.sub(r"(?<![\w.])(\d+\.?\d*(?:e-?\d+)?)", r"mpf('\1')", to_python(text))
    def f(v):
        return eval(code, {**NAMES, "mpf": mp.mpf, "x": mp.mpf(v)})
    x = mp.mpf(x)
    values = [f(x), mp.diff(f, x), mp.diff(f, x, 2)]
    if any(not mp.isfinite(v) or abs(v) > 1e6 or isinstance(v, mp.mpc) for v in values):
        return None
    return "; ".join([text, mp.nstr(x, 17)] + [mp.nstr(v, 22) for v in values])


def main():
    rng = random.Random(5)
    print("# Made by tests/support/make_formula_jets.py: formula; x; f; f'; f'', by mpmath with 60 digits.")
    for text in ALONE + [some(rng, 3) for _ in range(260)]:
        if "x" not in text:
            continue
        for x in (-1.7, -0.45, 0.2001, 0.83, 2.13):
            made = line(text, x)
            if made:
                print(made)


main()
