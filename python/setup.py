"""Has CMake build the compiled part, from the tree that this folder lies in."""

import pathlib
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TREE = pathlib.Path(__file__).resolve().parent.parent


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = TREE / "build" / "python"
        subprocess.run(
            ["cmake", "-G", "Ninja", "-S", str(TREE), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DROPESCOPE_PYTHON=ON", "-DBUILD_TESTING=OFF",
             "-DPYTHON_EXECUTABLE=" + sys.executable], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "ropescope_python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        built = next((build / "python" / "ropescope").glob("_ropescope*.so"))
        self.copy_file(str(built), str(target))


setup(ext_modules=[Extension("ropescope._ropescope", sources=[])], cmdclass={"build_ext": CMakeBuild})
