#!/usr/bin/python3
"""Checks the installed headers: check_headers.py <prefix> <list of public headers> <compiler> [flags ...]

The list (cmake/PublicHeaders.cmake) holds driftless/driftless.hpp and whatever it includes, directly or not. An
installation has these headers and no others, each compiles alone, and none includes a library besides the standard one.
"""
import re
import subprocess
import sys
from pathlib import Path

DOOR = "driftless/driftless.hpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
STANDARD = re.compile(r"^[a-z_]+$")  # <vector>, <optional>: names without a folder and an ending


def includes(header):
    return INCLUDE.findall(header.read_text())


def reached_from(door, root):
    reached, ahead = set(), [door]
    while ahead:
        name = ahead.pop()
        if name in reached:
            continue
        reached.add(name)
        if (root / name).is_file():
            ahead += [other for other in includes(root / name) if other.startswith("driftless/")]
    return reached


def difference(found, expected, more, less):
    yield from (f"{name} {more}" for name in sorted(found - expected))
    yield from (f"{name} {less}" for name in sorted(expected - found))


def foreign(root, names):
    for name in sorted(names):
        for other in includes(root / name):
            if not other.startswith("driftless/") and not STANDARD.match(other):
                yield f"{name} includes <{other}>, which is neither ours nor the standard library's"


def alone(root, names, compiler):
    for name in sorted(names):
        run = subprocess.run([*compiler, "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", f"-I{root}", "-x", "c++", "-"],
                             input=f"#include <{name}>\n", text=True, capture_output=True)
        if run.returncode != 0 or run.stderr:
            yield f"{name} does not compile alone:\n{run.stderr}"


def main(prefix, listing, *compiler):
    root = Path(prefix) / "include"
    listed = set(re.findall(r"^\s+(driftless/\S+\.hpp)$", Path(listing).read_text(), re.M))
    installed = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    complaints = list(difference(installed, listed, "is installed but not listed", "is listed but not installed"))
    complaints += difference(reached_from(DOOR, root), listed, "is included but not listed", "is listed but not included")
    complaints += foreign(root, installed)
    complaints += alone(root, installed, compiler)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(installed)} headers")
    return 1 if complaints or not installed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
