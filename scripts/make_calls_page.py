#!/usr/bin/env python3
"""make_calls_page.py [--check]: docs/reference/calls.md, every public call that takes an array, a count, a time, a callback or a
path, with its bounds and the test that tries one beyond.

C is read from the headers, Python and npm from their sources, options from the tables of the tool: nobody writes the list down.
--check: is the page as it would be made? (test_limits_page)
"""
import ast
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import make_misuse  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "calls.md"

KINDS = ("array", "count", "time", "callback", "path")
TIME = re.compile(r"^(h|time|duration|seconds|step|every)$")
COUNT = re.compile(r"^(count|.*_count|size|.*_size|.*length|threads|steps|index|k|row|column|side)$")
CALLBACK = re.compile(r"callback|_function$|handler$")

# What is one beyond, by kind, in C; every function below is called with each by test_misuse.
BEYOND = {
    "array": "NULL: `TN_ERROR_ARGUMENT`, or nothing is done; optional arrays may be NULL. How long it is, the caller says",
    "count": "0, below 0, `INT32_MIN`, `INT64_MAX`: a status, -1 or NULL",
    "time": "NaN, infinite, 0, negative, 1e308: a status, or NaN",
    "callback": "NULL: none; what it may call: [Callbacks](../howto/c_interface.md#callbacks)",
    "path": "NULL, \"\", a folder, a link, a device, a full disk: a status and a located problem",
}
C_TESTS = {
    "array": "`test_misuse`: `every_argument_wrong`",
    "count": "`test_misuse`: `every_argument_wrong`",
    "time": "`test_misuse`: `every_argument_wrong`; `test_finite`; `test_time_grid`: `what_is_no_grid`",
    "callback": "`test_misuse`: `changes_from_inside_a_step_are_refused`, `reading_from_inside_a_step_changes_nothing`",
    "path": "`test_files`: `Outputs`, `OneWriter`, `NoModel`; `test_misuse`",
}

# Python: what tries one beyond (bindings/python/tests): by the call, else by the parameter.
CALLS = {"Batch.step": "test_batches_have_limits", "Batch.place": "test_arrays_of_batches_have_their_shape",
         "Batch.reset": "test_reset_needs_a_mark_for_each", "Batch": "test_batches_have_limits", "Model.batch": "test_batches_have_limits",
         "Model.run": "test_run_of_no_time", "Simulation.run": "test_run_of_no_time", "Simulation.threads": "test_same_bits_with_threads",
         "Coordinate.drive": "test_exceptions_come_out_themselves", "Coordinate.motor": "test_exceptions_come_out_themselves",
         "Simulation.set_pose": "test_vectors_have_their_length", "Simulation.set_velocity": "test_vectors_have_their_length",
         "Simulation.apply_wrench": "test_vectors_have_their_length", "Simulation.place": "test_vectors_have_their_length",
         "Stage.add_wrench": "test_vectors_have_their_length", "Coordinate.range": "test_vectors_have_their_length",
         "Stage.add_derivatives": "test_derivatives_are_square",
         "Simulation.wrench": "test_refused_names_come_with_those_that_there_are",
         "Simulation.set_loads": "test_exceptions_come_out_themselves", "Study.run": "test_threads_of_a_study",
         "load": "test_names_with_nul", "loads": "test_names_with_nul", "Model.save": "test_names_with_nul",
         "Recording.to_csv": "test_names_with_nul", "Study": "test_names_with_nul", "Model.coordinates": "test_names_with_nul"}
OTHERS = "test_random_calls"
PARAMETERS = {"count", "steps", "efforts", "values", "speeds", "which", "loads", "position", "speed", "path", "name", "set", "body",
              "joint", "threads", "h", "time", "pose", "twist", "wrench", "effort", "state", "markers", "coordinates", "weight",
              "value", "ends", "locked", "enabled", "force", "moment", "max_force", "time_constant", "frame", "options", "stiffness",
              "damping", "duration", "step", "every"}
INSIDE = {"Computed", "Coordinate", "StudyTable", "Analysis", "Stage.__init__"}  # made by the package
NPM_TESTS = {"run": "test_runs_that_would_not_end", "step": "test_runs_that_would_not_end",
             "restore": "test_runs_that_would_not_end", "load": "test_mistakes"}
# Options by what their values are; one parser reads each kind (tool/options.c).
TOOL = {"TOOL_POSITIVE": ("a finite number above 0", "`test_tool`: `test_bad_numbers`, `test_wrong_calls`"),
        "TOOL_NOT_NEGATIVE": ("a finite number, 0 or more", "`test_tool`: `test_bad_numbers`, `test_wrong_calls`"),
        "FILE": ("a path", "`test_files`: `Outputs`, `OneWriter`, `NoModel`")}


def kind_of(kind, name):
    """Which of KINDS a parameter in C is, or None."""
    plain = kind.replace("const ", "").strip()
    base, stars = plain.rstrip("* "), plain.count("*")
    if CALLBACK.search(base) and base.startswith("tn_") and not base.endswith("function_kind"):
        return "callback"
    if plain == "char *":
        return "path" if name == "path" else None
    if stars == 1 and base in ("double", "int32_t", "int64_t", "unsigned char", "uint32_t"):
        return "array"
    if stars and (name.endswith("s") or name in ("block", "models", "status", "out")) and base not in make_misuse.OBJECTS:
        return "array" if base not in ("tn_diagnostics",) and stars == 1 and name not in ("options", "diags") else None
    if base == "double" and TIME.match(name):
        return "time"
    if base in ("int32_t", "int64_t", "size_t") and COUNT.match(name):
        return "count"
    return None


def c_rows():
    found = {kind: {} for kind in KINDS}
    for name, _, arguments in make_misuse.declarations("gcc"):
        for argument in arguments:
            if argument in ("void", "..."):
                continue
            kind, label = make_misuse.split(argument)
            what = kind_of(kind, label)
            if what:
                found[what].setdefault(name, []).append(label)
    return found


def python_rows():
    """(call, parameters, test) of what users call."""
    rows = []
    for path in sorted((ROOT / "bindings" / "python" / "tenon").glob("_*.py")):
        if path.name in ("_errors.py", "_functions.py", "_builder.py", "_tool.py", "_files.py", "_numbers.py", "__init__.py"):
            continue
        for node in ast.parse(path.read_text()).body:
            inside = node.body if isinstance(node, ast.ClassDef) else [node]
            owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for one in inside:
                if not isinstance(one, ast.FunctionDef) or (one.name.startswith("_") and one.name != "__init__") \
                        or owner.startswith("_") or one.name.startswith("tenon_"):
                    continue
                names = [a.arg for a in one.args.args if a.arg != "self"] + ([one.args.kwarg.arg] if one.args.kwarg else [])
                call = owner + one.name
                given = [name for name in names if name in PARAMETERS]
                if given and call not in INSIDE and call.replace(".__init__", "") not in INSIDE:
                    call = call.replace(".__init__", "")
                    rows.append((call, given, CALLS.get(call, OTHERS)))
    return rows


def npm_rows():
    text = (ROOT / "web" / "npm" / "index.ts").read_text()
    names = re.findall(r"^(?:    |export async function )(\w+)\(([^)]+)\)(?:: [^{]*)? \{", text, re.M)
    return [(name, arguments) for name, arguments in names if name in NPM_TESTS]


def tool_rows():
    rows = {}
    for path in sorted((ROOT / "tool").rglob("*.c")):
        for name, word, kind in re.findall(r'\{"(--[\w-]+)", (?:"([^"]*)"|NULL), (TOOL_\w+)', path.read_text()):
            what = kind if kind in TOOL else "FILE" if word == "FILE" else None
            if what:
                rows.setdefault(what, set()).add(name)
    return rows


def check_tests():
    """Every test that is named is there."""
    python = "".join(p.read_text() for p in (ROOT / "bindings" / "python" / "tests").glob("*.py"))
    npm = (ROOT / "tests" / "page" / "test_npm.py").read_text()
    c = "".join(p.read_text() for p in (ROOT / "tests").glob("test_*"))
    wanted = [(f"def {t}(", python) for t in (OTHERS, *CALLS.values())] + [(f"def {t}(", npm) for t in NPM_TESTS.values()]
    for text in (*C_TESTS.values(), *(test for _, test in TOOL.values())):
        wanted += [(name, c) for name in re.findall(r"`([A-Za-z_]+)`", text) if not (ROOT / "tests" / f"{name}.py").exists()
                   and not (ROOT / "tests" / f"{name}.c").exists()]
    missing = [name for name, where in wanted if name not in where]
    if missing:
        sys.exit(f"make_calls_page: no such tests: {', '.join(missing)}")


def page():
    lines = ["# Calls and their bounds", "",
             "Every public call that takes an array, a count, a time, a callback or a path, what is one beyond its bounds, and the test",
             "that tries that. The page is made of the headers and sources by `scripts/make_calls_page.py`; `test_limits_page` compares.",
             "The limits themselves are in [What is promised](../explanation/reliability.md#limits).", "", "## C", ""]
    for kind, functions in c_rows().items():
        lines += [f"### {kind.capitalize()}", "", f"One beyond: {BEYOND[kind]}.", f"Tests: {C_TESTS[kind]}.", "",
                  "| function | arguments |", "| --- | --- |"]
        lines += [f"| `{name}` | {', '.join(f'`{a}`' for a in labels)} |" for name, labels in sorted(functions.items())] + [""]
    lines += ["## Python", "", "One beyond: `tenon.Error`, `ValueError`, `TypeError` or `MemoryError`, and nothing has changed. Tests are in",
              "`bindings/python/tests`.", "", "| call | arguments | test |", "| --- | --- | --- |"]
    lines += [f"| `{call}` | {', '.join(f'`{a}`' for a in given)} | `{test}` |" for call, given, test in python_rows()]
    lines += ["", "## npm", "", "One beyond: `RangeError`, `ModelError` or `StepError`. Tests are in `tests/page/test_npm.py`. The page of `tenon view`",
              "has the same engine.", "", "| call | arguments | test |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | `{arguments}` | `{NPM_TESTS[name]}` |" for name, arguments in npm_rows()]
    lines += ["", "## The tool", "", "One beyond: exit code 3 before anything is read, or 1 for files.", "",
              "| options | values | tests |", "| --- | --- | --- |"]
    lines += [f"| {', '.join(f'`{o}`' for o in sorted(options))} | {TOOL[what][0]} | {TOOL[what][1]} |"
              for what, options in sorted(tool_rows().items())]
    return "\n".join(lines) + "\n"


def main():
    check_tests()
    text = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit("docs/reference/calls.md: run scripts/make_calls_page.py")
        return
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
