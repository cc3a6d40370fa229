#!/usr/bin/env python3
"""What bench/accuracy measured, as docs/explanation/accuracy.md has it: report.py LINES TABLE.md PICTURE.svg

LINES are those that `work_precision` prints. At an error the time of an engine is read from the line between the two
runs beside it, both on logarithmic scales, of those runs that no other beats in error and time."""
import math
import pathlib
import subprocess
import sys

LEVELS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


def read(path):
    """{mechanism: {engine: [(error, seconds, asked)]}}"""
    out = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        mechanism, engine, asked, error, seconds = line.split("\t")
        if math.isfinite(float(error)) and math.isfinite(float(seconds)):
            out.setdefault(mechanism, {}).setdefault(engine, []).append((float(error), float(seconds), float(asked)))
    return out


def best(runs):
    """Those that are not beaten, from the coarsest."""
    kept = []
    for error, seconds, _ in sorted(runs):
        if not kept or seconds < kept[-1][1]:
            kept.append((error, seconds))
    return kept[::-1]


def time_at(runs, error):
    """Seconds for that error; None beyond what was measured. The coarsest run serves for coarser errors."""
    kept = best(runs)
    if error >= kept[0][0]:
        return kept[0][1]
    for (e0, t0), (e1, t1) in zip(kept, kept[1:]):
        if e1 <= error <= e0:
            share = math.log(error / e0) / math.log(e1 / e0)
            return t0 * (t1 / t0) ** share
    return None


def table(measured):
    lines = ["| mechanism | error | Tenon, ms | Simbody, ms | times as long |", "|---|---|---|---|---|"]
    worst = math.inf
    for mechanism, engines in measured.items():
        for level in LEVELS:
            times = [time_at(engines.get(name, []), level) if engines.get(name) else None for name in ("Tenon", "Simbody")]
            if None in times:
                continue
            worst = min(worst, times[1] / times[0])
            lines.append(f"| {mechanism} | {level:.0e} | {1e3 * times[0]:.3g} | {1e3 * times[1]:.3g} | {times[1] / times[0]:.1f} |")
    return "\n".join(lines) + "\n", worst


def plot(measured, picture):
    script = ["set terminal svg size 960,640 font 'DejaVu Sans,11' background 'white'", f"set output '{picture}'",
              "set multiplot layout 2,3", "set logscale xy", "set format '10^{%T}'", "set xlabel 'error'", "set ylabel 'CPU, s'",
              "set xrange [1e-2:1e-12]", "set grid", "set key top left"]
    for mechanism, engines in measured.items():
        curves, blocks = [], []
        for name, colour in (("Tenon", "#c00000"), ("Simbody", "#1f5fa8")):
            if engines.get(name):
                curves.append(f"'-' using 1:2 with linespoints pointtype 7 pointsize 0.5 linecolor rgb '{colour}' title '{name}'")
                blocks.append("\n".join(f"{error:.4e} {seconds:.4e}" for error, seconds in best(engines[name])) + "\ne")
        title = mechanism.replace("'", "’")
        script += [f"set title '{title}'", "plot " + ", ".join(curves), *blocks]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


def main():
    lines, text, picture = sys.argv[1:]
    measured = read(lines)
    rows, worst = table(measured)
    pathlib.Path(text).write_text(rows, encoding="utf-8")
    plot(measured, picture)
    print(f"at equal error Simbody takes {worst:.1f} times as long or more")


if __name__ == "__main__":
    main()
