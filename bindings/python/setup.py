"""The wheel: the package, the library inside it, and the command line tool."""

import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

import build_interface


class BuildWithTool(build_py):
    """Puts the built tool beside the modules."""

    def run(self):
        super().run()
        target = Path(self.build_lib, "tenon", "bin", "tenon")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build_interface.BUILD / "tenon", target)


def version():
    header = (build_interface.PROJECT / "include" / "tenon" / "version.h").read_text()
    return ".".join(re.findall(r"#define TN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


os.chdir(Path(__file__).resolve().parent)
setup(name="tenon", version=version(), description="Mechanisms held together by joints",
      license="Apache-2.0", packages=["tenon"], package_data={"tenon": ["py.typed", "*.pyi"]},
      python_requires=">=3.9", install_requires=["cffi>=1.15", "numpy"],
      extras_require={"tables": ["pandas"]}, cffi_modules=["build_interface.py:ffibuilder"],
      entry_points={"console_scripts": ["tenon = tenon._tool:main"]},
      cmdclass={"build_py": BuildWithTool}, zip_safe=False)
