#!/usr/bin/env python3
"""make_sequences.py COMPILER OUT: a call of every public function whose arguments are drawn by their types.

Functions, structures and enumerations are read from the preprocessed public headers, as in make_misuse.py. OUT is included by
fuzz/fuzz_sequences.c, which has the objects (struct world) and draws what cannot be told from a type.
"""
import re
import subprocess
import sys
from pathlib import Path

import make_misuse

OBJECTS = {"tn_spec": "w->spec", "tn_model": "w->model", "tn_sim": "any_sim(w)", "tn_diagnostics": "w->diags",
           "tn_recorder": "w->recorder", "tn_batch": "w->batch", "tn_stage": "w->stage", "tn_analysis": "&w->analysis",
           "tn_equations": "&w->equations", "FILE": "w->stream", "tn_shape_parameter": "any_shape_parameter(w)"}
MADE = ("tn_spec", "tn_model", "tn_sim", "tn_recorder", "tn_batch")  # written through a pointer, freed when another one comes
CALLBACKS = {"tn_load_callback": "load_calls", "tn_draw_callback": "draw_calls", "tn_function_callback": "motion_calls"}
NAMED = {  # by the names of parameters; (name, or type and name): the expression
    "context": "w", "block": "any_block(w)", "path": "any_path(w)", "format": '"%s"', "length": "any_length(w)",
    "source_length": "any_length(w)", "text": "w->text", "source": "w->text", "size": "any_size(w)", "threads": "1 + pick(w, 2)",
    "h": "any_time(w)", "step": "any_time(w)", "every": "any_time(w)", "duration": "any_time(w)", "index": "any_index(w)",
    "model_count": "one_or_less(w)", "step_count": "any_steps(w)", "k": "any_steps(w)", "column": "any_index(w)",
    "coordinate": "any_index(w)", "row": "any_index(w)", "term": "any_index(w)", "field": "any_index(w)", "variable": "any_letter(w)",
}
# Not called: of the program, not of an object; what frees what others hold is drawn seldom by fuzz_sequences itself.
UNCALLED = make_misuse.UNCALLED | {"tn_allow_path", "tn_spec_destroy", "tn_model_destroy", "tn_sim_destroy", "tn_recorder_destroy",
                                   "tn_batch_destroy", "tn_diagnostics_destroy", "tn_spec_create", "tn_diagnostics_create"}
# What keeps part of its way when it fails, or says that it leaves what it could do.
GOES_ON = {"tn_sim_advance", "tn_sim_take_step"}


def preprocessed(compiler):
    text = subprocess.run([compiler, "-E", "-P", "-I", str(make_misuse.ROOT / "include"), "-x", "c", "-"],
                          input=make_misuse.HEADERS, check=True, capture_output=True, text=True).stdout
    return " ".join(text.split())


def read_enumerations(text):
    """Name: how many values."""
    return {name: len([v for v in body.split(",") if v.strip()]) for body, name in
            re.findall(r"typedef enum (?:\w+ )?\{([^}]*)\} (tn_\w+);", text)}


def read_structures(text):
    """Name: [(type, field, lengths)]."""
    found = {}
    for body, name in re.findall(r"typedef struct (?:\w+ )?\{([^{}]*)\} (tn_\w+);", text):
        fields = []
        for line in body.split(";"):
            match = re.match(r"\s*((?:const )?\w+ (?:const )?\**(?:const \*)?)\s*(.+)$", line.strip())
            if match:
                for field in match.group(2).split(","):
                    label, *lengths = re.findall(r"\w+|\[[^\]]*\]", field)
                    fields.append((match.group(1).strip() + " *" * ("*" in field), label, lengths))
        found[name] = fields
    return found


class Writer:
    def __init__(self, text):
        self.enumerations, self.structures = read_enumerations(text), read_structures(text)
        self.needed, self.bodies = [], {}

    def value(self, kind, name):
        """The expression of a value, or None."""
        if kind in make_misuse.IDS:
            return f"any_{kind}(w)"
        if kind in self.enumerations:
            return f"({kind})any_of(w, {self.enumerations[kind]})"
        if kind == "double":
            return NAMED.get(name, "any_number(w)") if name in ("h", "step", "every", "duration") else "any_number(w)"
        if kind in ("int32_t", "int", "uint32_t", "int64_t", "size_t", "char"):
            return f"({kind}){NAMED.get(name, 'any_count(w)')}"
        if kind in self.structures:
            return self.structure(kind)
        return None

    def structure(self, kind):
        """A function that draws one: its default with some fields drawn, or all of them where there is none."""
        if kind not in self.bodies:
            self.bodies[kind] = None
            default = make_misuse.DEFAULTS.get(kind)
            start = default.replace("good->", "w->").replace("(tn_load_kind)0", "(tn_load_kind)any_of(w, 7)").replace(
                "(tn_quantity)0", "(tn_quantity)any_of(w, 31)").replace("(tn_shape_kind)0", "(tn_shape_kind)any_of(w, 9)") if default else None
            lines = []
            for type_, field, lengths in self.structures[kind]:
                if "*" in type_ or field == "cookie" or field.endswith("count"):
                    if type_.replace(" ", "") == "constchar*" and field != "file":
                        lines.append(f"x.{field} = any_name(w);")
                    continue
                expression = self.value(type_, field)
                if expression is None:
                    continue
                if not lengths:
                    lines.append(f"x.{field} = {expression};")
                else:
                    at = "".join("[0]" for _ in lengths)
                    lines.append(f"for (size_t k = 0; k < sizeof x.{field} / sizeof x.{field}{at}; k++)\n"
                                 f"            (&x.{field}{at})[k] = {expression};")
            if start is None:
                text = f"    {kind} x;\n    memset(&x, 0, sizeof x);\n" + "".join(f"    {line}\n" for line in lines)
            else:
                cases = "".join(f"    case {k}:\n        {line}\n        break;\n" for k, line in enumerate(lines))
                text = (f"    {kind} x = {start};\n    for (int n = changes(w); n > 0; n--)\n    switch (pick(w, {max(1, len(lines))})) {{\n"
                        f"{cases}    default:\n        break;\n    }}\n")
            if kind == "tn_function_def":
                text = f"    {kind} x = any_function(w);\n"
            self.bodies[kind] = f"static {kind} draw_{kind}(world *w)\n{{\n{text}    return x;\n}}\n"
            self.needed.append(kind)
        return f"draw_{kind}(w)"

    def pointer(self, kind, base, name, place):
        """The expression of a pointer."""
        constant = kind.startswith("const")
        if base == "char":
            return NAMED.get(name, "any_name(w)") if constant else f"(char *)room(w, {place})"
        if base in OBJECTS:
            return f"GIVEN(w, {OBJECTS[base]})"
        if base == "tn_joint_data":
            return "NULL"  # its lists and functions are the program's
        if base == "double" and constant:
            return f"GIVEN(w, any_numbers(w, {place}))"
        if base == "void":
            return NAMED.get(name, f"room(w, {place})")
        if constant and base in self.structures and base != "tn_accuracy":
            return f"GIVEN(w, any_{base}s(w, {place}))"
        return f"GIVEN(w, ({base} *)room(w, {place}))"

    def argument(self, kind, name, place):
        plain = kind.replace("const ", "").strip()
        base, stars = plain.rstrip("* ").replace("const", "").replace("*", "").strip(), plain.count("*")
        if plain in CALLBACKS:
            return f"GIVEN(w, {CALLBACKS[plain]})"
        if stars == 2:
            if base in MADE and "const" not in kind:
                return f"GIVEN(w, &w->made_{base})"
            if kind == "char **":
                return "&w->written"
            return "w->models" if base == "tn_model" else f"({kind})room(w, {place})"
        if name == "length" and stars:
            return "&w->written_length"
        if name == "time" and plain == "double":
            return "any_moment(w)"
        return self.pointer(kind, base, name, place) if stars else self.value(plain, name)

    def arrays(self, base):
        value = self.structure(base)
        return (f"static const {base} *any_{base}s(world *w, int place)\n{{\n    {base} *x = room(w, place);\n"
                f"    for (int k = 0; k < ARRAY; k++)\n        x[k] = {value};\n    return x;\n}}\n")


def main():
    compiler, out = sys.argv[1:]
    writer = Writer(preprocessed(compiler))
    calls, table, arrays = [], [], set()
    for name, answer, arguments in make_misuse.declarations(compiler):
        parameters = [make_misuse.split(a) for a in arguments if a not in ("void", "...")]
        if name in UNCALLED or not parameters:
            continue
        if any("tn_solid_mesh" in a for a in arguments):  # its lists are the program's
            continue
        drawn = [writer.argument(kind, label, k) for k, (kind, label) in enumerate(parameters)]
        assert None not in drawn, (name, parameters, drawn)
        arrays |= {found for text in drawn for found in re.findall(r"any_(tn_\w+)s\(", text) if found in writer.structures}
        if arguments[-1] == "...":
            drawn.append('"x"')
        lines = [f"    {kind} a{k} = ({kind}){text};\n".replace("const double *const", "const double *") if kind not in writer.structures
                 else f"    {kind} a{k} = {text};\n" for k, ((kind, _), text) in enumerate(zip(parameters, drawn))]
        lines = [re.sub(r"\((tn_\w+_callback)\)GIVEN", r"GIVEN", line) for line in lines]
        lines = [re.sub(r"= \((tn_(?:body|joint|marker|coupling|load|measure_id|joint_type))\)any", r"= any", line) for line in lines]
        frees = "".join(f"    if (a{k})\n        {base}_free(a{k});\n" for k, (kind, _) in enumerate(parameters)
                        for base in ("tn_analysis", "tn_equations") if kind == f"{base} *" and not name.endswith("_free"))
        call = f"{name}({', '.join([f'a{k}' for k in range(len(parameters))] + drawn[len(parameters):])})"
        if answer == "tn_status":
            call = f"w->status = {call}"
        elif "*" in answer:
            call = f"touch({call})"
        elif answer != "void":
            call = f"(void){call}"
        calls.append(f"static void call_{name}(world *w)\n{{\n{''.join(lines)}{frees}    before_call(w);\n    {call};\n}}\n")
        changes = parameters[0][0] == "tn_sim *" and answer == "tn_status" and name not in GOES_ON
        stage = any("tn_stage" in kind for kind, _ in parameters)
        reads = parameters[0][0] not in ("tn_sim *", "tn_batch *")
        table.append(f'    {{"{name}", call_{name}, {int(changes)}, {int(stage)}, {int(reads)}}},')
    lists = [writer.arrays(base) for base in sorted(arrays)]
    draws = [writer.bodies[kind] for kind in writer.needed]
    Path(out).write_text("\n".join(draws) + "\n" + "\n".join(lists) + "\n" + "\n".join(calls)
                         + "\nstatic const struct call calls[] = {\n" + "\n".join(table) + "\n};\n")


if __name__ == "__main__":
    main()
