#!/usr/bin/env python3
"""Keeps the documents true.

In every document given:

- a ```console block shows commands (lines that begin with "$ ") and what they print. The commands are run in a
  scratch folder that sees models/, tests/, examples/, build/driftless and build/examples/, and the output must be the same;
- a fenced block after <!-- file: path --> is that file, word for word (of a model: without the comment above it);
- a picture that the commands wrote must be the picture shown;
- a link must lead to a file of the repository.

docs/command-line.md must name every option of the program, and no other.

Output is compared word by word. Masked are durations, and where a residual of rounding size occurred; numbers may
differ by rounding (1e-6 relative, 1e-9 absolute; whole numbers from 10 on, which are counts, by a tenth). --update
writes the present output and pictures into the documents. With --without-ida, commands that ask for that method are
left alone.
"""

import argparse
import difflib
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
MASKS = [
    (re.compile(rf"\b{NUMBER} (?:ns|µs|ms|s|min|h)\b"), "<duration>"),
    (re.compile(rf'("(?:parse|analyze|compile|initialize|integrate)"): {NUMBER}'), r"\1: <duration>"),
    (re.compile(rf"(\b0\.0e\+00|\b\d\.\de-(?:1\d|[2-9]\d))\s+{NUMBER}"), r"\1 <time>"),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
FILE_FENCE = re.compile(r"<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
IDA = re.compile(r"\bida\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def words(text):
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return re.findall(rf"{NUMBER}|[^\s\d]+|\S", text)


def same(expected, actual):
    a, b = words(expected), words(actual)
    return len(a) == len(b) and all(same_word(x, y) for x, y in zip(a, b))


def same_word(x, y):
    if x == y:
        return True
    if not (re.fullmatch(NUMBER, x) and re.fullmatch(NUMBER, y)):
        return False
    # Counts of steps and evaluations follow the last bits of the processor's arithmetic.
    if re.fullmatch(r"\d{2,}", x) and re.fullmatch(r"\d{2,}", y):
        return math.isclose(int(x), int(y), rel_tol=0.1)
    return math.isclose(float(x), float(y), rel_tol=1e-6, abs_tol=1e-9)


def same_picture(expected, actual):
    """The same drawing, up to one pixel."""
    a, b = words(expected), words(actual)
    return len(a) == len(b) and all(
        x == y or (re.fullmatch(NUMBER, x) and re.fullmatch(NUMBER, y) and abs(float(x) - float(y)) <= 1.0)
        for x, y in zip(a, b)
    )


def text_of_file(path):
    text = path.read_text()
    return re.sub(r"\A(?://.*\n)+", "", text) if path.suffix == ".mo" else text


class Checker:
    def __init__(self, source, build, update, without_ida):
        self.source, self.build, self.update, self.without_ida = source, build, update, without_ida
        self.problems = []

    def problem(self, document, what, expected="", actual=""):
        diff = difflib.unified_diff(expected.splitlines(), actual.splitlines(), "document", "now", lineterm="")
        self.problems.append("\n".join([f"{document.relative_to(self.source)}: {what}", *diff]))

    def check(self, document):
        with tempfile.TemporaryDirectory() as scratch:
            self.scratch = Path(scratch)
            (self.scratch / "build").mkdir()
            for folder in ("models", "tests", "examples"):
                (self.scratch / folder).symlink_to(self.source / folder)
            (self.scratch / "build/driftless").symlink_to(self.build / "driftless")
            (self.scratch / "build/examples").symlink_to(self.build / "examples")
            text = document.read_text()
            updated = FENCE.sub(lambda m: self.console(document, m), text)
            if updated != text:
                document.write_text(updated)
            self.files(document, updated)
            self.links_and_pictures(document, updated)

    def console(self, document, match):
        if match[1] != "console":
            return match[0]
        shown = []
        for part in re.split(r"^(?=\$ )", match[2], flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            if self.without_ida and IDA.search(command):
                shown.append(part)
                continue
            actual = subprocess.run(["bash", "-c", command[2:]], cwd=self.scratch, text=True, timeout=120,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            if same(expected, actual):
                actual = expected
            elif not self.update:
                self.problem(document, f"other output: {command}", expected, actual)
            shown.append(f"{command}\n{actual}")
        if not shown:
            self.problem(document, "a console block without a command")
        return f"```console\n{''.join(shown)}```" if self.update else match[0]

    def files(self, document, text):
        for path, block in FILE_FENCE.findall(text):
            actual = text_of_file(self.source / path)
            if block != actual:
                self.problem(document, f"is not {path}", block, actual)

    def links_and_pictures(self, document, text):
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            target = document.parent / link
            made = self.scratch / target.name
            if target.suffix == ".svg" and made.is_file():
                if self.update:
                    shutil.copyfile(made, target)
                elif not target.is_file() or not same_picture(target.read_text(), made.read_text()):
                    self.problem(document, f"{link} is not the picture that the commands draw")
            if not target.exists():
                self.problem(document, f"{link} does not exist")

    def options(self, document):
        def help_of(*words):
            return subprocess.run([self.build / "driftless", *words, "--help"], text=True, capture_output=True).stdout
        commands = re.findall(r"^  ([a-z][a-z-]*)  +\S", help_of().split("Subcommands:")[1], re.M)
        helps = [help_of(), *(help_of(command) for command in commands)]
        offered = set(OPTION.findall("\n".join(helps)))
        documented = set(OPTION.findall(document.read_text()))
        for option in sorted(offered ^ documented):
            self.problem(document, f"{option} is {'not documented' if option in offered else 'no option of the program'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--without-ida", action="store_true")
    parser.add_argument("documents", type=Path, nargs="*", help="otherwise README.md, CONTRIBUTING.md and all of docs/")
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    documents = arguments.documents or [source / "README.md", source / "CONTRIBUTING.md", *sorted(source.glob("docs/**/*.md"))]
    checker = Checker(source, arguments.build.resolve(), arguments.update, arguments.without_ida)
    for document in (d.resolve() for d in documents):
        checker.check(document)
        if document.name == "command-line.md":
            checker.options(document)
    print("\n\n".join(checker.problems) or f"{len(documents)} documents are true")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
