#!/usr/bin/env python3
"""make_misuse.py COMPILER OUT: a call of every public function with each argument wrong in turn.

Reads the preprocessed public headers, so nobody writes the list down. OUT is included by
tests/test_misuse.c, which has the good arguments (struct good) and judges.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = "#include <tenon/tenon.h>\n#include <tenon/io.h>\n#include <tenon/record.h>\n"

# what is made once per case: its expression
OBJECTS = {
    "tn_spec": "good->spec", "tn_model": "good->model", "tn_sim": "good->sim", "tn_diagnostics": "good->diags",
    "tn_recorder": "good->recorder", "tn_stage": "good->stage", "tn_analysis": "&good->analysis",
    "tn_batch": "good->batch", "FILE": "good->stream", "tn_shape_parameter": "good->parameter",
}
# what a pointer to definitions is by default
DEFAULTS = {
    "tn_world_def": "tn_default_world_def()", "tn_simulation_def": "tn_default_simulation_def()",
    "tn_record_def": "tn_default_record_def()", "tn_body_def": "tn_default_body_def()",
    "tn_joint_def": "tn_default_joint_def()", "tn_marker_def": "tn_default_marker_def()",
    "tn_coupling_def": "tn_default_coupling_def()", "tn_pulley_def": "tn_default_pulley_def()",
    "tn_load_def": "tn_default_load_def((tn_load_kind)0)", "tn_measure_def": "tn_default_measure_def((tn_quantity)0)",
    "tn_motor_def": "tn_default_motor_def()", "tn_friction_def": "tn_default_friction_def()",
    "tn_spring_def": "tn_default_spring_def()", "tn_shape_def": "tn_default_shape_def((tn_shape_kind)0)",
    "tn_sim_options": "tn_default_sim_options(good->model)", "tn_draw_options": "tn_default_draw_options()",
    "tn_coordinate_options": "tn_default_coordinate_options()", "tn_analysis_options": "tn_default_analysis_options()",
    "tn_time_grid": "tn_time_grid_of(1e-3, 1.0, NAN)", "tn_beam_def": "tn_default_beam_def()",
    "tn_cable_def": "tn_default_cable_def()", "tn_solid_def": "tn_default_solid_def()",
    "tn_solid_grid": "(tn_solid_grid){.kind = TN_HEX8}",
}
IDS = {"tn_body", "tn_joint", "tn_marker", "tn_coupling", "tn_load", "tn_measure_id", "tn_joint_type"}
# the last: of what was removed (tests/test_misuse.c); joints have that of the removed coupling too. FOREIGN: in
# a place of this model, but of something else
BAD_INDICES = ["-1", "-2", "7", "100000000", "INT32_MIN", "INT32_MAX", "REMOVED"]
# what describes things that were removed: names and definitions, which say so; requests, looked at later
DESCRIBES = re.compile(r"tn_model_\w+_(name|info|type|kind|has_\w+)|tn_spec_(body|joint|marker|coupling|load|measure)"
                       r"|tn_default_\w+|tn_joint_\w+|tn_coupling_as_joint")
STRUCTS = {  # good, then all numbers no numbers
    "tn_vec3": ["(tn_vec3){1.0, 0.0, 0.0}", "(tn_vec3){NAN, NAN, NAN}", "(tn_vec3){0.0, 0.0, 0.0}"],
    "tn_quat": ["(tn_quat){1.0, 0.0, 0.0, 0.0}", "(tn_quat){NAN, NAN, NAN, NAN}", "(tn_quat){0.0, 0.0, 0.0, 0.0}"],
    "tn_pose": ["tn_pose_identity()", "(tn_pose){{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}",
                "(tn_pose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}"],
    "tn_twist": ["(tn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}", "(tn_twist){{NAN, 0.0, 0.0}, {0.0, NAN, 0.0}}"],
    "tn_wrench": ["(tn_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}", "(tn_wrench){{NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}}"],
    "tn_beam_material": ["(tn_beam_material){7850.0, 210e9, 0.3}", "(tn_beam_material){NAN, NAN, NAN}",
                         "(tn_beam_material){0.0, 0.0, 0.0}"],
    "tn_solid": ["(tn_solid){0}", "(tn_solid){-1}", "(tn_solid){7}", "(tn_solid){INT32_MAX}"],
    "tn_stress": ["(tn_stress){1.0, 0.0, 0.0, 0.0, 0.0, 0.0}", "(tn_stress){NAN, 0.0, 0.0, NAN, 0.0, 0.0}"],
    "tn_location": ["(tn_location){NULL, 0, 0}", "(tn_location){NULL, -5, INT32_MAX}"],
}
CALLBACKS = {"tn_draw_callback": "draw_nothing", "tn_load_callback": "load_nothing"}
NUMBERS = {"double": ["0.5", "NAN", "INFINITY", "-1.0", "1e308", "0.0"]}
COUNTED = re.compile(r"count|size|length|width")  # how long an array is, only the caller knows
# of the program, not of an object; takes only what the library gave
UNCALLED = {"tn_set_allocator", "tn_set_assert_handler", "tn_set_stop", "tn_text_free"}
# what changes a simulation or a batch: refused from inside its own step
CHANGED = {"tn_sim *": 0, "tn_batch *": 1}
# what reads a simulation and makes something to be freed
OWNS = re.compile(r"tn_sim_(analyze|equations|change|spec)|_create")


def declarations(compiler):
    text = subprocess.run([compiler, "-E", "-P", "-I", str(ROOT / "include"), "-x", "c", "-"], input=HEADERS,
                          check=True, capture_output=True, text=True).stdout
    text = " ".join(text.split())
    found = re.findall(r'__attribute__ ?\(\(visibility\("default"\)\)\) ([^;{]*);', text)
    for line in found:
        line = re.sub(r"__attribute__ ?\(\(format.*$", "", line)
        match = re.match(r"(.*?)(\w+) ?\((.*)\)\s*$", line)
        yield match.group(2), match.group(1).strip(), [a.strip() for a in match.group(3).split(",")]


def split(argument):
    """(type, name, is it an array) of a parameter."""
    match = re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", argument)
    kind, name, array = match.group(1).strip(), match.group(2), match.group(3)
    return (kind + " *" if array else kind), name


def choices(kind, name, place):
    """Expressions for an argument: the first is good."""
    plain = kind.replace("const ", "").strip()
    base = plain.rstrip("* ")
    stars = plain.count("*")
    if plain in CALLBACKS:
        return [CALLBACKS[plain], "NULL"]
    if plain == "char *" and "const" in kind:
        return ["TN_TEST_OUTPUT \"/misuse.out\"" if name == "path" else "\"tenon: 1\"", "NULL", "\"\""]
    if stars == 1 and base in OBJECTS:
        return [OBJECTS[base], "NULL"]
    if stars == 1 and base == "tn_solid_mesh":
        return ["&((tn_solid_mesh[]){{NULL}})[0]", "NULL"]
    if stars == 1 and base in DEFAULTS:
        return [f"&(({base}[]){{{DEFAULTS[base]}}})[0]", "NULL", f"({kind})nothing()"]
    if stars:
        return [f"({kind})room({place})", "NULL"]
    if plain in IDS:
        as_joint = ["TN_COUPLING_JOINTS + REMOVED", "TN_COUPLING_JOINTS, FOREIGN"] if plain == "tn_joint" else []
        foreign = [] if plain == "tn_joint_type" else ["0, FOREIGN"]
        return [f"({plain}){{{i}}}" for i in ["0"] + as_joint + BAD_INDICES + foreign]
    if plain in STRUCTS:
        return STRUCTS[plain]
    if plain in NUMBERS:
        return NUMBERS[plain]
    if plain in ("int32_t", "int64_t", "uint32_t", "int", "size_t"):
        if plain == "int64_t":
            return ["1", "0", "-1", "INT64_MIN", "INT64_MAX"]
        if COUNTED.search(name):
            return ["1", "0"] + ([] if plain in ("size_t", "uint32_t") else ["-1", "INT32_MIN"])
        return ["0"] + [f"({plain}){i}" for i in BAD_INDICES]
    if plain == "tn_mat3":
        return ["(tn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}"]
    return [f"({plain}){i}" for i in ["0", "-1", "7777"]]  # an enum


def refusal(answer, call):
    """Is what a call answers a refusal? Nothing is answered: nothing may be written (the test looks)."""
    if answer == "tn_status":
        return f"return {call} != TN_OK;"
    if answer == "void":
        return f"{call};\n    return true;"
    if "char" in answer:
        return f"return *{call} == 0;"
    if "*" in answer:
        return f"return {call} == NULL;"
    if answer == "double":
        return f"return isnan({call});"
    if answer in IDS:
        return f"return {call}.i == -1;"
    if answer in ("int", "int32_t", "tn_coordinate_holder"):
        return f"return {call} == 0;"
    return f"const {answer} got = {call};\n    double first;\n    memcpy(&first, &got, sizeof first);\n    return isnan(first);"


def inside(answer, call):
    """Is a change from inside a step refused? What answers nothing is judged by what goes on after it."""
    if answer == "tn_status":
        return f"return {call} == TN_ERROR_BUSY;"
    return f"return {call} == NULL;" if "*" in answer else f"{call};\n    return true;"


def main():
    compiler, out = sys.argv[1:]
    calls, table, refusals, changes = [], [], [], []
    for name, answer, arguments in declarations(compiler):
        variadic = arguments[-1] == "..."
        parameters = [split(a) for a in arguments if a not in ("void", "...")]
        if name in UNCALLED or not parameters:
            continue
        lists = [choices(kind, label, i) for i, (kind, label) in enumerate(parameters)]
        text = []
        for i, options in enumerate(lists):
            expression = options[0]
            for k in range(1, len(options)):
                expression = f"v[{i}] == {k} ? {options[k]} : ({expression})"
            text.append(expression)
        stale = [i for i, (kind, _) in enumerate(parameters) if kind.replace("const ", "").strip() in IDS - {"tn_joint_type"}]
        call = f"{name}({', '.join(text)})"
        if stale and not DESCRIBES.fullmatch(name):
            calls.append(f"static bool refuses_{name}(struct good *good, const int *v)\n{{\n    (void)good;\n"
                         f"    {refusal(answer.replace('const ', '') if '*' not in answer else answer, call)}\n}}\n")
            report = next((i for i, (kind, _) in enumerate(parameters) if "report" in kind), -1)
            for i in stale:
                for k, option in enumerate(lists[i]):
                    if "REMOVED" in option or "FOREIGN" in option:
                        refusals.append(f'    {{"{name}", refuses_{name}, {i}, {k}, {report}, '
                                        f'{int(any("tn_stage" in kind for kind, _ in parameters))}}},')
        calls.append(f"static void call_{name}(struct good *good, const int *v)\n{{\n    (void)good;\n"
                     f"    (void)v;\n    {'touch' if '*' in answer else '(void)'}({name}({', '.join(text)}));\n}}\n" if not variadic else
                     f"static void call_{name}(struct good *good, const int *v)\n{{\n"
                     f"    {name}({', '.join(text)});\n}}\n")
        if parameters[0][0] in CHANGED:
            calls.append(f"static bool changes_{name}(struct good *good, const int *v)\n{{\n    (void)v;\n"
                         f"    {inside(answer, call)}\n}}\n")
            changes.append(f'    {{"{name}", changes_{name}, {CHANGED[parameters[0][0]]}}},')
        counts = ", ".join(str(len(options)) for options in lists)
        table.append(f'    {{"{name}", call_{name}, {len(lists)}, {{{counts}}}, '
                     f'{int(any("tn_stage" in kind for kind, _ in parameters))}, '
                     f'{int(parameters[0][0] == "const tn_sim *" and not OWNS.search(answer + name))}}},')
    Path(out).write_text("\n".join(calls) + "\nstatic const struct call calls[] = {\n" + "\n".join(table)
                         + "\n};\n\nstatic const struct refusal refusals[] = {\n" + "\n".join(refusals) + "\n};\n\nstatic const struct change changes[] = {\n"
                         + "\n".join(changes) + "\n};\n")


if __name__ == "__main__":
    main()
