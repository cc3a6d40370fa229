#!/usr/bin/env python3
"""balance.py: energy and momentum balance of random mechanisms by every method of fixed steps, from the rows of the run.

    bench/truth/balance.py [--count 100] [--seed 1] [--steps 100] [--tenon build/tenon] [--keep DIR] [--minutes M]

The mechanisms are those of campaign.py. Those of odd seeds float: what hung on ground hangs on a body that nothing holds, and no
gravity acts. Every run by every method falls in one class:

    right      total - work + lost, and of what floats linear and angular momentum, stay what they were to 1e-9 of what is turned over
    reported   the report says so: it does not balance, or gives a figure of the same size
    refused    with an error, or exit code 2; the reason is counted
    WRONG      none of these: seeds are printed, files kept

Energy of a method of second order is WRONG where it is off by more than the share that the report calls allowed. What has no more energy
than the tolerance of poses gives it in a step is at rest. Exit code 1 if there is any WRONG.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import sys
import tempfile
import time

import campaign

METHODS = {"generalized_alpha": "integrator: generalized_alpha", "speeds": "integrator: generalized_alpha, formulation: stabilized_index_2",
           "backward_euler": "integrator: backward_euler", "constrained_backward_euler": "integrator: constrained_backward_euler",
           "impulses": "integrator: backward_euler, solver: sequential_impulses",
           "constrained_impulses": "integrator: constrained_backward_euler, solver: sequential_impulses"}
CLOSES = 1e-9
TOLERANCE = 1e-12  # of poses: what is off by it in a step moves by no more than that
MEASURES = "measures:\n  p: {momentum: linear}\n  l: {momentum: angular}\n"


def float_freely(text):
    """Without ground and gravity; loads act from outside and go."""
    text = re.sub(r"loads:\n(  load.*\n)*", "", text)
    text = re.sub(r"(?m)^damping: .*\n", "", text)
    text = re.sub(r"gravity: \[.*\]", "gravity: [0, 0]" if "world: planar" in text else "gravity: [0, 0, 0]", text)
    mass = float(re.search(r"mass: ([-+0-9.e]+)", text)[1])
    inertia = re.search(r"inertia: (\[[^]]*\]|[-+0-9.e]+)", text)[1]
    place = "[0, 0]" if "world: planar" in text else "[0, 0, 0]"
    text = text.replace("bodies:\n", f"bodies:\n  base: {{position: {place}, mass: {2.0 * mass!r}, inertia: {inertia}}}\n")
    lines = []
    in_joints = False
    for line in text.split("\n"):
        in_joints = line == "joints:" or (in_joints and line.startswith("  "))
        if in_joints and " a: " in line and ", b: " not in line:
            line = re.sub(r"( a: \w+)", r"\1, b: base", line, count=1)
        lines.append(line)
    return "\n".join(lines)


def model(seed, method, steps):
    machine = campaign.mechanism(seed)
    text = machine.text()
    if seed % 2:
        text = float_freely(text)
    every = re.search(r"duration: ([-+0-9.e]+)", text)
    step = float(every[1]) / steps
    text = text.replace("simulation: {", f"simulation: {{{METHODS[method]}, step: {step!r}, ")
    text = re.sub(r"record: \{.*\}", f"record: {{every: {step!r}, what: [energy, measures]}}", text)
    return text.replace("simulation:", MEASURES + "simulation:"), machine


def column(rows, stem):
    names = [name for name in rows[0] if name == stem or name.startswith((stem + ".", stem + "_"))]
    return [[float(row[name]) for name in names] for row in rows]


def drift(vectors):
    return max(math.dist(v, vectors[0]) for v in vectors)


def verify(tenon, folder, seed, method, steps):
    """(verdict, what)"""
    text, machine = model(seed, method, steps)
    status, report, rows = campaign.run(tenon, folder, text, seconds=60)
    if status != "ok":
        return "refused", campaign.kind_of("refused", status, report), text
    accuracy = report.get("accuracy") or {}
    turned = max(accuracy.get("energy_turnover") or 0.0, max(abs(float(row["energy.kinetic"])) for row in rows))
    total = [float(row["energy.total"]) - float(row["energy.work"]) + float(row["energy.lost"]) for row in rows]
    reported = max(accuracy.get("energy_made") or 0.0, accuracy.get("energy_faded") or 0.0)
    up, down = max(total) - total[0], total[0] - min(total)
    mass = sum(float(m) for m in re.findall(r"mass: ([-+0-9.e]+)", text))
    rest = mass * (TOLERANCE * steps / machine.time) ** 2
    size = max(abs(float(row[name])) for row in rows for name in ("energy.kinetic", "energy.potential", "energy.elastic", "energy.work"))
    wrong, silent = [], False
    order = accuracy.get("order")
    off = max(up, down) if order != 1 else max(up, 0.0)
    if off > CLOSES * turned + 1e-12 * size + rest:
        wrong.append(f"energy off by {off / turned if turned else math.inf:.2g} of {turned:.3g} J, reported {reported / turned if turned else 0:.3g}")
        may = 0.0 if order == 1 else accuracy["energy"]["allowed"]
        silent |= off > 1.01 * (accuracy.get("energy_made") or 0.0) + (may + CLOSES) * turned + 1e-9 * size
    if seed % 2:
        # the largest momentum that the energy could be
        kinetic = max(float(row["energy.kinetic"]) for row in rows)
        most = math.sqrt(2.0 * mass * kinetic)
        for name, key, unit in (("p", "linear_momentum", most), ("l", "angular_momentum", most * machine.size)):
            if kinetic > rest and drift(column(rows, name)) > CLOSES * unit:
                wrong.append(f"momentum {name} off by {drift(column(rows, name)) / unit:.2g}, reported {accuracy[key]['worst']:.2g}")
                silent |= accuracy[key]["worst"] < 0.1 * drift(column(rows, name)) / unit
    said = accuracy.get("verdict") not in ("balances", "within")
    if not wrong:
        return "right", "", text
    return ("reported" if said or not silent else "WRONG"), "; ".join(wrong) + f" [{accuracy.get('verdict')}: {accuracy.get('text')}]", text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--tenon", default="build/tenon")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many")
    parser.add_argument("--keep", help="folder for the models that are WRONG")
    options = parser.parse_args()
    begin, counts, reasons = time.monotonic(), collections.Counter(), collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        if time.monotonic() - begin > 60 * options.minutes:
            break
        for method in METHODS:
            with tempfile.TemporaryDirectory() as name:
                verdict, what, text = verify(options.tenon, pathlib.Path(name), seed, method, options.steps)
            counts[method, verdict] += 1
            if verdict == "refused":
                reasons[what] += 1
            if verdict == "WRONG":
                print(f"seed {seed} {method}: {what}", flush=True)
                if options.keep:
                    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                    pathlib.Path(options.keep, f"{seed}-{method}.yaml").write_text(text)
    for method in METHODS:
        print(f"{method}: " + ", ".join(f"{counts[method, v]} {v}" for v in ("right", "reported", "refused", "WRONG")))
    for reason, count in reasons.most_common(12):
        print(f"  {count:4d} {reason}")
    sys.exit(any(verdict == "WRONG" for _, verdict in counts))


if __name__ == "__main__":
    main()
