"""Every program in Python of the documentation runs."""

import re
import shutil
import subprocess
import sys

import pytest

from conftest import PROJECT

PROGRAMS = [(path.relative_to(PROJECT), program) for path in sorted((PROJECT / "docs").rglob("*.md"))
            for program in re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)]


@pytest.mark.parametrize("page, program", PROGRAMS, ids=lambda value: str(value) if not isinstance(value, str) else "")
def test_runs(page, program, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True, cwd=tmp_path)


def test_there_are_some():
    assert len(PROGRAMS) >= 2
