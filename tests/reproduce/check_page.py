#!/usr/bin/env python3
"""Keeps docs/reproduce.md true: what follows its last heading comment is what the program prints today.

    check_page.py --build build             compare
    check_page.py --build build --update    write page and pictures anew

Words must be the same. Numbers may differ in the third digit, counts by a tenth, and what is below 1e-9 is rounding.
"""
import argparse
import difflib
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MARK = "<!-- driftless reproduce --markdown --svg reproduce -->\n"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
WORD = re.compile(rf"{NUMBER.pattern}|[^\s\d]+|\S")


def same_word(x, y, pixels):
    if x == y:
        return True
    if not (NUMBER.fullmatch(x) and NUMBER.fullmatch(y)):
        return False
    if pixels:
        return abs(float(x) - float(y)) <= 1.0
    if x.isdigit() and y.isdigit() and len(x) > 1:
        return math.isclose(int(x), int(y), rel_tol=0.1)
    return math.isclose(float(x), float(y), rel_tol=5e-3, abs_tol=1e-9)


def same(expected, actual, pixels=False):
    a, b = WORD.findall(expected), WORD.findall(actual)
    return len(a) == len(b) and all(same_word(x, y, pixels) for x, y in zip(a, b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    docs = Path(__file__).resolve().parents[2] / "docs"
    page = docs / "reproduce.md"
    written, mark, expected = page.read_text().partition(MARK)
    problems = [] if mark else [f"{page} has no line {MARK}"]
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run([arguments.build.resolve() / "driftless", "reproduce", "--markdown", "--svg", "reproduce"],
                             cwd=scratch, text=True, stdout=subprocess.PIPE, timeout=600)
        if run.returncode != 0:
            problems.append("some numbers do not agree")
        pictures = {path.name: path.read_text() for path in Path(scratch, "reproduce").glob("*.svg")}
    if arguments.update:
        page.write_text(written + MARK + run.stdout)
        (docs / "reproduce").mkdir(exist_ok=True)
        for name, picture in pictures.items():
            (docs / "reproduce" / name).write_text(picture)
    else:
        if not same(expected, run.stdout):
            problems += difflib.unified_diff(expected.splitlines(), run.stdout.splitlines(), "page", "now", lineterm="")
        for name, picture in pictures.items():
            kept = docs / "reproduce" / name
            if not kept.is_file() or not same(kept.read_text(), picture, pixels=True):
                problems.append(f"{kept} is not the picture that is drawn")
    print("\n".join(problems) or "the page is true")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
