"""Where the project is, for tests that compare with its files and its tool."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent.parent


@pytest.fixture
def examples():
    return PROJECT / "examples"


@pytest.fixture
def four_bar(examples):
    import tenon
    return tenon.load(examples / "four_bar_hard.yaml")


@pytest.fixture
def tool():
    """The command line tool inside the package, or that of $TENON."""
    from tenon._model import tool
    assert os.access(tool(), os.X_OK)
    return str(tool())
