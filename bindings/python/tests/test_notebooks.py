"""Every notebook runs from its first cell to its last; their assertions hold."""

import os
from pathlib import Path

import pytest

import tenon
from conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "bindings" / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, monkeypatch, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(Path(tenon.__file__).parent.parent))  # the kernel is the system's
    monkeypatch.setenv("TENON_EXAMPLES", str(PROJECT / "examples"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    done = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                   resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)  # the model shows itself
    assert not any(output.output_type == "error" for output in shown)
    assert os.listdir(path.parent) == [p.name for p in NOTEBOOKS]
