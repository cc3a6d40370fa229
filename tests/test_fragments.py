#!/usr/bin/env python3
"""Every fragment of the documentation runs.

A block of YAML whose first line is `# NAME.yaml` is that file; of those without a name the key `tenon:` makes a whole model,
which has to pass `tenon check`. Lines of shell that begin with `tenon` run in a folder with the files of their page and the
examples. C is compiled, Python is compiled here and run with the package (bindings/python/tests/test_fragments.py).

TENON names the program.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from test_examples import ROOT, TENON

DOCS = ROOT / "docs"
# Pages whose blocks another test puts together: what is left out, changed or repeated between them is said in words.
TOGETHER = {"start/tutorial.md", "reference/language.md", "howto/c_interface.md"}
FOR_ELSEWHERE = re.compile(r"^tenon (run (crane|door|press|bracket|walker)\.yaml --stop-when|study )")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def pages():
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(DOCS))
        if "```" in text and name not in TOGETHER:
            yield name, text


class Fragments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "examples", self.folder / "examples")

    def run_line(self, words, name):
        done = subprocess.run([TENON, *words[1:]], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        expected = (0, 4) if words[1] == "sweep-coordinate" else (0,)
        return [] if done.returncode in expected else [f"{name}: {shlex.join(words)}: exit code {done.returncode}: {done.stderr[:300]}"]

    def test_models_and_commands(self):
        found, models, commands = [], 0, 0
        for name, text in pages():
            whole = []
            for block in blocks(text, "yaml"):
                head = re.match(r"# ([\w/]+\.yaml)\n", block)
                if head or block.startswith("tenon:"):
                    path = self.folder / (head.group(1) if head else "model.yaml")
                    path.write_text(block, encoding="utf-8")
                    found += self.run_line(["tenon", "check", path.name], name)
                    models += 1
                    whole.append(path)
            for block in blocks(text, "sh"):
                for line in block.splitlines():
                    for words in commands_of(line):
                        if words[:1] == ["tenon"] and not FOR_ELSEWHERE.match(shlex.join(words)):
                            found += self.run_line(words + (["--time", "0.05"] if slow(words) else []), name)
                            commands += 1
            for path in whole:
                path.unlink()
        self.assertEqual(found, [])
        self.assertGreaterEqual(models, 8)
        self.assertGreaterEqual(commands, 25)

    def test_c(self):
        source, count = "#include <stdio.h>\n#include <stdlib.h>\n#include <tenon/io.h>\n#include <tenon/record.h>\n#include <tenon/tenon.h>\n", 0
        for name, text in pages():
            for fragment in blocks(text, "c"):
                count += 1
                source += (f"void task{count}(tn_spec *spec, tn_model *model, tn_sim *sim, tn_diagnostics *diags);\n"
                           f"void task{count}(tn_spec *spec, tn_model *model, tn_sim *sim, tn_diagnostics *diags)\n{{\n"
                           f"(void)spec, (void)model, (void)sim, (void)diags; /* {name} */\n{fragment}}}\n")
        path = self.folder / "fragments.c"
        path.write_text(source, encoding="utf-8")
        done = subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", "-fsyntax-only",
                               str(path)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(count, 0)

    def test_python_is_python(self):
        count = 0
        for name, text in pages():
            for fragment in blocks(text, "python"):
                compile(fragment, name, "exec")
                count += 1
        self.assertGreaterEqual(count, 2)


def commands_of(line):
    """The commands of a line, joined by && or not, as lists of words."""
    words = shlex.split(line, comments=True)
    while words:
        end = words.index("&&") if "&&" in words else len(words)
        yield words[:end]
        words = words[end + 1:]


def slow(words):
    """Runs of whole examples for many seconds: their first moments are enough here; the tests of the examples have the rest."""
    return words[1] == "run" and words[2].startswith("examples/") and "--time" not in words


if __name__ == "__main__":
    unittest.main()
