#!/usr/bin/env python3
"""check_constants.py [ROOT]: the numbers that decide about singular rows: few, and each with its reason.

Which rows of loops count as repetitions, what is in reach of the rows, whether a pose is near a change
point and what is done there: all of that is decided in DECIDING, and in SHARED beside other things. Every
number defined there stands in the table of docs/explanation/constraint_solver.md under TITLE, with the value it has; a number made
of others (an expression with TN_ names) is none of its own. More than MOST are too many.
"""

import re
import sys
from pathlib import Path

MOST = 25
TITLE = "## Numbers that decide about singular rows"

# files all of whose numbers count
DECIDING = ["src/solve/singular.h", "src/solve/reach.c", "src/solve/least_multipliers.c", "src/motion/closing/close_fold.h",
            "src/motion/closing/close_fold.c", "src/motion/closing/gap.h", "src/motion/closing/gap.c", "src/motion/closing/gap_fold.c",
            "src/motion/closing/purge.h", "src/motion/closing/purge.c", "src/motion/closing/metric.c", "src/motion/closing/project.c",
            "src/motion/ahead/beginning.c", "src/solve/weakest.c", "src/motion/ahead/fold_ahead.h",
            "src/motion/ahead/fold_ahead.c", "src/law/poles.c", "src/sim/gap_start.c", "src/coords/rows.c", "src/coords/ratios.c"]
# numbers of such files that decide nothing of the kind, and why
OTHERS = {
    "TN_KEEP_FACTOR": "of mechanisms without loops",
    "TN_PROJECT_MAX_PASSES": "a bound on the work for any drawing",
    "TN_COORDS_LEFT_OUT": "a row that does not count",
    "TN_WEAKEST_PASSES": "how often an iteration is gone through", "TN_GOLDEN": "numbers without a pattern",
    "TN_DEAD_POINT_MOTIONS": "how many motions are tried",
    "TN_FOLD_FAR": "up to where a distance can be measured", "TN_FOLD_PROBE": "of a difference quotient",
    "TN_FOLD_NEAR": "how long a part is", "TN_FOLD_BEHIND": "how long a part is", "TN_POLE_BEYOND": "where an event is looked for",
    "TN_GAP_NAMES": "of a message", "TN_GAP_TEXT": "of a message", "TN_GAP_SHARE": "of a message",
}
# numbers that count in files that are about something else
SHARED = {
    "src/assemble/system.h": ["TN_EPSILON"],
    "src/coords/coords.h": ["TN_SAME_MOTION"],
    "src/method/integrator/backward_euler.c": ["TN_FURTHEST_TURN", "TN_MOST_CREATED"],
    "src/method/alpha/alpha_newton.c": ["TN_STAGNATION_AFTER"],
}

DEFINITION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(TN_\w+)[ \t]+([^\n]*?)[ \t]*(?:/\*.*)?$", re.MULTILINE)
ROW = re.compile(r"^\| `(TN_\w+)` \| ([^|]*?) \| ([^|]*?) \|", re.MULTILINE)


def is_own(value):
    """Is it a number, not one made of others?"""
    return bool(re.search(r"\d", value)) and "TN_" not in value


def defined(root):
    """name: (value, file) of the numbers that count."""
    found = {}
    for name in DECIDING + list(SHARED):
        for match in DEFINITION.finditer((root / name).read_text(encoding="utf-8")):
            constant, value = match.groups()
            counts = constant in SHARED[name] if name in SHARED else constant not in OTHERS
            if counts and is_own(value):
                found[constant] = (value, name)
    return found


def table(text):
    """name: value of the rows under TITLE."""
    start = text.find(TITLE)
    end = text.find("\n#", start + 1)
    return {name: value for name, value, reason in ROW.findall(text[start:end]) if start >= 0 and reason.strip()}


def check(root):
    found, told, problems = defined(root), table((root / "docs/explanation/constraint_solver.md").read_text(encoding="utf-8")), []
    for name, (value, file) in found.items():
        if name not in told:
            problems.append(f"{file}: {name} ({value}) is not in the table of docs/explanation/constraint_solver.md")
        elif float(told[name]) != float(value):
            problems.append(f"docs/explanation/constraint_solver.md: {name} is {told[name]}, in {file} {value}")
    problems += [f"docs/explanation/constraint_solver.md: {name} is defined nowhere" for name in told if name not in found]
    if len(found) > MOST:
        problems.append(f"{len(found)} numbers decide about singular rows, more than {MOST}")
    return problems


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root)
    print("\n".join(problems) if problems else f"numbers that decide about singular rows: {len(defined(root))}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
