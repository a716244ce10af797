"""Takes the compiled module from the CMake build, which it makes if it is not there. Nothing is downloaded.

DRIFTLESS_BUILD names the folder of the build; otherwise it is build/ beside this folder.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DRIFTLESS_BUILD", SOURCE / "build"))
VERSION = re.search(r"project\(Driftless VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]


class FromCMake(build_ext):
    def build_extension(self, extension):
        if not (BUILD / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", "-DDRIFTLESS_TESTS=OFF"], check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "driftless_python"], check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        built = BUILD / "python" / "driftless" / target.name
        if not built.exists():
            raise SystemExit(f"{built} is not there: the build is for another Python than this one; "
                             "configure it with -DDRIFTLESS_PYTHON_EXECUTABLE=...")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, target)
        subprocess.run(["strip", "--strip-unneeded", target], check=False)


setup(version=VERSION, ext_modules=[Extension("driftless._driftless", [])], cmdclass={"build_ext": FromCMake})
