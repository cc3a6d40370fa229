#!/usr/bin/env python3
"""The scripts that judge the project: each must find what it exists to find."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import check_constants  # noqa: E402
import check_library  # noqa: E402
import check_loops  # noqa: E402
import check_rooms  # noqa: E402
import check_writers  # noqa: E402
import test_summary  # noqa: E402


class Constants(unittest.TestCase):
    def problems(self, change):
        """Of the project as it is, with some text of a file changed: (file, old, new)."""
        names = [*check_constants.DECIDING, *check_constants.SHARED, "docs/explanation/constraint_solver.md"]
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in names:
                text = (ROOT / name).read_text(encoding="utf-8")
                if name == change[0]:
                    self.assertIn(change[1], text)
                    text = text.replace(change[1], change[2], 1)
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return check_constants.check(root)

    def test_as_it_is(self):
        self.assertEqual(self.problems(("docs/explanation/constraint_solver.md", "#", "#")), [])

    def test_new_number_is_found(self):
        found = self.problems(("src/motion/closing/gap.c", "#include <math.h>", "#include <math.h>\n#define TN_NEW 0.07 /* m */"))
        self.assertIn("src/motion/closing/gap.c: TN_NEW (0.07) is not in the table of docs/explanation/constraint_solver.md", found)

    def test_too_many_are_found(self):
        with unittest.mock.patch.object(check_constants, "MOST", 3):
            found = self.problems(("docs/explanation/constraint_solver.md", "#", "#"))
        self.assertRegex(found[0], "^[0-9]+ numbers decide about singular rows, more than 3$")

    def test_another_value_and_a_missing_one_are_found(self):
        found = self.problems(("src/solve/singular.h", "#define TN_FAR 100.0", "#define TN_FAR 99.0"))
        self.assertEqual(found, ["docs/explanation/constraint_solver.md: TN_FAR is 100, in src/solve/singular.h 99.0"])
        found = self.problems(("src/solve/singular.h", "#define TN_FAR 100.0", ""))
        self.assertEqual(found, ["docs/explanation/constraint_solver.md: TN_FAR is defined nowhere"])

    def test_a_row_without_reason_is_none(self):
        found = self.problems(("docs/explanation/constraint_solver.md", "| `TN_CLEAR` | 10 | well above or below a bound |", "| `TN_CLEAR` | 10 | |"))
        self.assertEqual(len(found), 1)


class Loops(unittest.TestCase):
    def problems(self, code, page):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src" / "room").mkdir(parents=True)
            (root / "docs" / "developer").mkdir(parents=True)
            (root / "src" / "room" / "a.c").write_text(code, encoding="utf-8")
            (root / "docs" / "developer" / "loops.md").write_text(page, encoding="utf-8")
            return check_loops.check(root)[0]

    def test_as_it_is(self):
        self.assertEqual(check_loops.check(ROOT)[0], [])

    def test_loops_that_are_not_listed(self):
        code = "void f(int x)\n{\n    while (g(x) &&\n           x != '(')\n        x--;\n    for (;;) /* while (1) */\n        x++;\n}\n"
        ends = ["src/room/a.c:3: what ends the loop `g(x) && x != '('`? Add it to docs/developer/loops.md",
                "src/room/a.c:6: what ends the loop `for (;;)`? Add it to docs/developer/loops.md"]
        self.assertEqual(self.problems(code, ""), ends)
        self.assertEqual(self.problems(code, "- `room/a.c` `g(x) && x != '('`\n"), ends[1:])

    def test_loops_that_end_by_themselves(self):
        code = "for (int i = 0; i < n; i++)\n    for (; p != NULL; p = p->next)\n        do { } while (0);\n"
        self.assertEqual(self.problems(code, ""), [])

    def test_loops_that_are_gone(self):
        self.assertEqual(self.problems("int x;\n", "- `room/a.c` `for (;;)`\n"),
                         ["docs/developer/loops.md: src/room/a.c has no loop `for (;;)` any more"])


class Writers(unittest.TestCase):
    def problems(self, name, text, allowed=None):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return check_writers.check(Path(folder), {} if allowed is None else allowed)

    def test_as_it_is(self):
        self.assertEqual(check_writers.check(ROOT), [])

    def test_a_second_way_is_found(self):
        for name, text in (("src/io/a.c", 'x = fopen(path,\n "wb");'), ("tool/a.c", "open(n, O_RDWR | O_CREAT, 0666);"),
                           ("src/sim/a.h", "creat(path, 0666);"), ("tool/t/a.c", 'f = fdopen(d, "a");'), ("web/engine/a.c", "rename(a, b);"),
                           ("bindings/python/a.c", 'fopen(p, append ? "ab" : "rb");'), ("tool/a.c", 'popen("gzip", mode);'),
                           ("bindings/python/tenon/_a.py", "with open(path, 'w') as f:"), ("bindings/python/tenon/_a.py", "path.write_text(x)"),
                           ("bindings/python/tenon/_a.py", "os.replace(a, b)"), ("bindings/python/tenon/_a.py", 'open(path, mode="x")'),
                           ("web/src/a.ts", "await h.createWritable();"), ("web/npm/a.ts", "writeFileSync(n, b);")):
            self.assertEqual(len(self.problems(name, text)), 1, (name, text))

    def test_what_reads_is_fine(self):
        for name, text in (("src/io/a.c", 'x = fopen(path, "rb"); /* fopen(x, "w") */'), ("tool/a.c", "open(n, O_RDONLY | O_CLOEXEC);"),
                           ("src/file/a.c", 'fdopen(d, "wb");'), ("bindings/python/tenon/_a.py", "with open(path, 'rb') as f:"),
                           ("tool/a.c", 'bucket_remove(o, 1); file_truncate(f); tool_output_open(path, "w");')):
            self.assertEqual(self.problems(name, text), [], (name, text))

    def test_reasons_that_are_gone(self):
        self.assertEqual(self.problems("tool/a.c", "mkdir(a);", {"tool/a.c": ("folders", {"mkdir", "creat"})}),
                         ["tool/a.c: has no creat any more"])


class Rooms(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_rooms.check(root)

    def test_downwards_is_fine(self):
        self.assertEqual(self.problems({
            "include/tenon/a.h": "#include <stdio.h>\n",
            "src/base/b.h": '#include "tenon/a.h"\n',
            "src/math/m.c": '#include "base/b.h"\n',
            "tool/main.c": '#include "args.h"\n#include "math/m.h"\n',
            "tool/args.h": "",
            "src/math/m.h": "",
        }), [])

    def test_upwards_is_found_with_its_line(self):
        found = self.problems({"src/base/b.c": '\n#include "math/m.h"\n', "src/math/m.h": ""})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("src/base/b.c:2: room base includes math/m.h"))

    def test_public_header_must_not_see_inside(self):
        found = self.problems({"include/tenon/a.h": '#include "base/b.h"\n', "src/base/b.h": ""})
        self.assertIn("public header", found[0])

    def test_solver_must_not_see_joints(self):
        found = self.problems({"src/solve/s.c": '#include "joint/j.h"\n', "src/joint/j.h": ""})
        self.assertIn("never joints", found[0])

    def test_upward_calls_and_promises_are_found(self):
        files = {"src/sim/s.c": "/* g(1) */\nint g(int a)\n{\n    return a;\n}\n",
                 "src/law/l.c": '#include "tenon/t.h"\n\nint f(void)\n{\n    return g(1);\n}\n',
                 "src/law/l.h": "int g(int a);\n",
                 "src/measure/m.c": 'int h(void)\n{\n    say("g(");\n    return g(1) + f();\n}\n',
                 "include/tenon/t.h": "int g(int a);\n"}
        self.assertEqual(self.problems(files),
                         ["src/law/l.c:5: room law calls g, but room sim is below it",
                          "src/law/l.h:1: room law calls g, but room sim is below it"])

    def test_integrators_are_named_by_methods_only(self):
        files = {"include/tenon/simulation.h": "#define TN_INTEGRATOR_LIST(X) \\\n    X(TN_EULER, euler, \"\", 1)\n"
                                         "typedef enum tn_integrator {\n} tn_integrator;\n",
                 "src/method/euler.c": "int a = TN_EULER;\n",
                 "src/step/step.c": "/* TN_EULER */\nint b = TN_EULER;\n"}
        self.assertEqual(self.problems(files),
                         ["src/step/step.c:2: TN_EULER is named outside of room method"])

    def test_comments_name_files_that_are_there(self):
        files = {"src/base/a.c": "/* see base/b.h and c.h,\n * and test_a.py */\n", "src/base/b.h": "",
                 "tests/test_a.py": ""}
        self.assertEqual(self.problems(files), ["src/base/a.c:1: there is no c.h"])

    def test_functions_of_the_c_library_are_found(self):
        files = {"src/base/a.c": "/* sin(1) */\ndouble f(double x)\n{\n    return tn_sin(x) + a.cos(x) + fabs(exp(x));\n}\n"}
        self.assertEqual(self.problems(files), ["src/base/a.c:4: exp is rounded by the C library's leave"])

    def test_long_functions_are_found(self):
        short, long = "int f(void)\n{\n    return 1;\n}\n", "int g(void)\n{\n" + "    f();\n" * 61 + "}\n"
        self.assertEqual(self.problems({"src/base/a.c": 30 * short}), [])
        self.assertEqual(self.problems({"src/base/a.c": 30 * short + long}),
                         ["src/base/a.c:122: a function of 61 lines"])
        found = self.problems({"src/base/a.c": short + long.replace("    f();\n" * 61, "    f();\n" * 12) * 3})
        self.assertEqual(found, ["50% of the functions have up to 12 lines, over 10"])

    def test_inner_rooms_have_their_order(self):
        files = {"src/law/limits/l.c": '#include "law/law.h"\n', "src/law/law.h": "",
                 "src/law/law.c": '#include "law/limits/l.h"\n', "src/law/limits/l.h": ""}
        self.assertEqual(self.problems(files),
                         ["src/law/limits/l.c:1: room law/limits includes law/law.h, but room law is below it"])

    def test_the_page_lists_the_rooms_there_are(self):
        page = (ROOT / "docs" / "developer" / "architecture.md").read_text(encoding="utf-8")
        listed = []
        for group in re.split(r"\n    |   ", page[page.index("    base   crew"):page.index("A room has a contract")]):
            for part in filter(None, group.strip().split(", ")):
                house, *inner = part.split()
                listed += [house + room for room in inner] if inner else [house]
        self.assertEqual(listed, check_rooms.ROOMS[1:])

    def test_rooms_have_a_contract(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for room, head in (("law", "room law: a law.\n *\n * In: a state. Out: forces."), ("math", "room math: in."),
                               ("law/limits", "room law: limits. In: a state. Out: forces.")):
                (root / "src" / room).mkdir(parents=True, exist_ok=True)
                (root / "src" / room / "a.h").write_text(f"/* a.h: {head}\n */\n", encoding="utf-8")
            self.assertEqual(check_rooms.check(root, heads=True),
                             ["room law/limits: no head says what comes in and what goes out",
                              "room math: no head says what comes in and what goes out"])

    def test_crowded_rooms_are_found(self):
        many = {f"src/law/f{k}.c": "" for k in range(16)}
        self.assertEqual(self.problems(many), ["room law has 16 files that are not alike, over 15"])
        del many["src/law/f0.c"]
        self.assertEqual(self.problems(many), [])
        alike = {f"src/joint/type/f{k}.c": f"const tn_joint_class tn_joint_class_f{k} = {{0}};\n" for k in range(16)}
        self.assertEqual(self.problems(alike), [])
        more = {f"src/joint/type/g{k}.c": "" for k in range(16)}
        self.assertEqual(self.problems(alike | more), ["room joint/type has 16 files that are not alike, over 15"])

    def test_short_name_unknown_room_and_emptiness(self):
        self.assertIn("full name", self.problems({"src/base/b.c": '#include "c.h"\n',
                                                  "src/base/c.h": ""})[0])
        self.assertIn("list of rooms", self.problems({"src/attic/x.c": ""})[0])
        self.assertIn("no source files", self.problems({})[0])

    def test_circle(self):
        found = self.problems({"src/base/a.h": '#include "base/b.h"\n',
                               "src/base/b.h": '#include "base/a.h"\n'})
        self.assertEqual(found, ["circle: src/base/a.h -> src/base/b.h -> src/base/a.h"])


class Summary(unittest.TestCase):
    def count(self, status, output, program=True):
        case = ElementTree.Element("testcase", name="x", status=status)
        ElementTree.SubElement(case, "system-out").text = output
        return test_summary.count(case, program)

    def test_check_lines_are_summed(self):
        text = "a\n100%: Checks: 8, Failures: 0, Errors: 0\n50%: Checks: 4, Failures: 1, Errors: 1\n"
        self.assertEqual(self.count("fail", text), (10, 2))

    def test_failures_outside_of_checks_count(self):
        good = "100%: Checks: 8, Failures: 0, Errors: 0\n"
        self.assertEqual(self.count("run", good), (8, 0))
        self.assertEqual(self.count("fail", good), (8, 1))
        self.assertEqual(self.count("fail", "Segmentation fault"), (0, 1))
        self.assertEqual(self.count("run", "100%: Checks: 0, Failures: 0, Errors: 0\n"), (0, 1))

    def test_scripts_count_as_one(self):
        self.assertEqual(self.count("run", "", program=False), (1, 0))
        self.assertEqual(self.count("fail", "", program=False), (0, 1))

    def test_no_results_are_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([sys.executable, "-B", ROOT / "scripts/test_summary.py", folder],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout.splitlines()[-1], "0 passed, 1 failed")


class Library(unittest.TestCase):
    SOURCE = """
    #include <stdio.h>
    #include <stdlib.h>
    int counter = 1;
    static int hidden_counter[4];
    const char *const tn_texts[] = {"constant", "needs relocation"};
    void helper(void);
    void helper(void) { hidden_counter[counter & 3]++; puts("hello"); exit(3); }
    void *tn_fine(void);
    void *tn_fine(void) { return malloc(4); }
    """

    def test_everything_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "bad.c"
            source.write_text(self.SOURCE, encoding="utf-8")
            build = ["gcc", "-std=c17", "-fPIC", "-O0"]
            subprocess.run(build + ["-c", "-o", f"{folder}/bad.c.o", source], check=True)
            subprocess.run(["ar", "rcs", f"{folder}/libbad.a", f"{folder}/bad.c.o"], check=True)
            subprocess.run(build + ["-shared", "-o", f"{folder}/libbad.so", source, "-Wl,--no-as-needed",
                                    "-lpthread", "-ldl", "-lstdc++"], check=True)
            static = set(check_library.check_static("core", f"{folder}/libbad.a"))
            shared = set(check_library.check_shared("core", f"{folder}/libbad.so"))
        self.assertEqual(static, {
            "bad.c.o calls puts", "bad.c.o calls exit", "bad.c.o calls malloc",
            "bad.c.o defines helper, which does not start with tn_",
            "bad.c.o defines counter, which does not start with tn_",
            "bad.c.o holds the changeable variable counter",
            "bad.c.o holds the changeable variable hidden_counter",
        })
        self.assertLessEqual({"SONAME is [], not libtenon.so.0", "exports helper", "exports counter",
                              "exports tn_fine, which no public header has, as nothing",
                              "needs libstdc++.so.6"}, shared)


class Setup(unittest.TestCase):
    """setup.sh with a pretended dpkg-query and apt-get."""

    def run_setup(self, installed, *sections):
        with tempfile.TemporaryDirectory() as folder:
            fakes = {
                "dpkg-query": f'case " {installed} " in *" $3 "*) printf "installed ";; *) exit 1;; esac',
                "apt-get": f'echo "$@" >> {folder}/calls',
                "sudo": 'exec "$@"',
            }
            for name, text in fakes.items():
                path = Path(folder) / name
                path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
                path.chmod(0o755)
            run = subprocess.run(["sh", ROOT / "scripts/setup.sh", *sections], capture_output=True,
                                 text=True, check=False,
                                 env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            calls = Path(folder) / "calls"
            return run, calls.read_text(encoding="utf-8") if calls.exists() else ""

    def packages(self, section):
        text = (ROOT / "scripts/packages.txt").read_text(encoding="utf-8")
        return text.split(f"[{section}]\n")[1].split("\n[")[0].split()

    def test_silent_when_nothing_is_missing(self):
        run, calls = self.run_setup(" ".join(self.packages("run")), "run")
        self.assertEqual((run.returncode, run.stdout, run.stderr, calls), (0, "", "", ""))

    def test_installs_exactly_what_is_missing(self):
        run, calls = self.run_setup(" ".join(self.packages("run")[1:] + self.packages("test")[:-1]),
                                    "run", "test")
        missing = [self.packages("run")[0], self.packages("test")[-1]]
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls.splitlines()[0], "-q update")
        self.assertEqual(calls.splitlines()[1].split(" --no-install-recommends ")[1].split(), missing)

    def test_unknown_section(self):
        run, calls = self.run_setup("", "nonsense")
        self.assertEqual((run.returncode, calls), (2, ""))


if __name__ == "__main__":
    unittest.main()
