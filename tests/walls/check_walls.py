#!/usr/bin/python3
"""Holds the walls between the folders: check_walls.py <root of the project>

docs/design.md has a table of folders whose last column says what each one knows. A folder may include its own headers,
those of the folders it knows, and what these know in turn; what only tests include (sample_*.hpp, *_test.cpp) may know
the language besides, to read models. The table has a row for every folder, and no row without one.

Of the headers beside the folders a folder may include those that its row names; what knows `simulate` may include all. A
row of files says what these may include.

The second table lists the rooms of a folder, lowest first: a room includes its own headers and those of the rooms above
its row. Tests may include any room.

Prints the longest files and functions, so that they are noticed. A file of more than 600 lines is a complaint.
"""
import re
import sys
from pathlib import Path

FOLDER = re.compile(r"^\| `([a-z_]+)/` \|.*\| ([^|]*) \|$", re.M)
FILES = re.compile(r"^\| ((?:`[a-z_]+\.cpp`(?:, )?)+) \|.*\| ([^|]*) \|$", re.M)
ROOMS = re.compile(r"^\| room of `([a-z_]+)/` \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.M)
INCLUDE = re.compile(r'^#include "driftless/([a-z_]+)/', re.M)
BESIDE = re.compile(r'^#include "driftless/([a-z_]+)\.hpp"', re.M)
MOST_LINES = 600


def table(text, folders):
    """Folder by folder, the names of folders in the last column of its row."""
    return {name: {word for word in re.findall(r"[a-z_]+", knows) if word in folders}
            for name, knows in FOLDER.findall(text) if name in folders}


def closure(name, knows):
    reached, ahead = set(), [name]
    while ahead:
        at = ahead.pop()
        if at not in reached:
            reached.add(at)
            ahead.extend(knows.get(at, ()))
    return reached


def is_test(path):
    return path.name.endswith("_test.cpp") or path.name.startswith("sample_")


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp"))


HEAD = re.compile(r"^( {0,4})(?! |namespace|class|struct|enum|using|if|for|while|switch|else|return|TEST|//|:)"
                  r"[\w:<>,&*~\[\] ]*?([\w~:]+)\(")


def functions(text):
    """Name and length in lines of what stands between braces behind a parameter list, by its indentation."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        head = HEAD.match(line)
        if not head or head[2].endswith("_"):  # _: the end of an initializer list
            continue
        begin = k
        while begin + 1 < len(lines) and (behind := "".join(lines[k:begin + 1])).count("(") > behind.count(")"):
            begin += 1
        if not lines[begin].endswith("{"):
            continue
        for end in range(begin + 1, len(lines)):
            if lines[end].startswith(head[1] + "}"):
                yield head[2], end - k + 1
                break


def complaints_of_files(code, text, folders, knows):
    """What the files of the rows of files include that the last column of their row does not lead to."""
    for names, last in FILES.findall(text):
        if last == "all":
            continue
        allowed = set().union(*(closure(word, knows) for word in re.findall(r"[a-z_]+", last) if word in folders))
        for stem in re.findall(r"[a-z_]+(?=\.cpp)", names):
            for path in (code / f"{stem}.cpp", code / f"{stem}.hpp"):
                for other in sorted(set(INCLUDE.findall(path.read_text())) - allowed) if path.exists() else ():
                    yield f"driftless/{path.name} includes {other}/, which its row does not know (docs/design.md, Folders)"


def room_of(path_in_folder):
    """The first folder of a path; nothing for a file that lies in no room."""
    return path_in_folder.split("/")[0] if "/" in path_in_folder else None


def complaints_of_rooms(code, name, rooms):
    """What a folder with rooms, lowest first, includes against their order."""
    there = {path.name for path in (code / name).iterdir() if path.is_dir()}
    for room in sorted(there ^ set(rooms)):
        yield f"the table of the rooms of {name}/ in docs/design.md and its folders differ in {room}/"
    for path in sources(code / name):
        room = room_of(path.relative_to(code / name).as_posix())
        if is_test(path) or room not in rooms:
            continue
        for included in re.findall(rf'^#include "driftless/{name}/([^"]+)"', path.read_text(), re.M):
            other = room_of(included)
            if other not in rooms or rooms.index(other) > rooms.index(room):
                yield f"{path.relative_to(code.parent)} includes {included}, which the room {room}/ does not know"


def lengths(root):
    """Prints the longest files and functions, tests left out, and returns the files that are too long."""
    files, of_functions, complaints = [], [], []
    for path in sources(root / "driftless") + sources(root / "cli"):
        if is_test(path):
            continue
        text, where = path.read_text(), path.relative_to(root)
        lines = text.count("\n")
        files.append((lines, str(where)))
        of_functions += [(length, f"{where}: {function}") for function, length in functions(text)]
        if lines > MOST_LINES:
            complaints.append(f"{where} has {lines} lines, and {MOST_LINES} are the most: split it by idea (CONTRIBUTING.md)")
    for title, found in (("longest files", files), ("longest functions", of_functions)):
        print(title)
        for length, what in sorted(found, reverse=True)[:5]:
            print(f"  {length:5} lines  {what}")
    return complaints


def main(root):
    code = root / "driftless"
    folders = {path.name for path in code.iterdir() if path.is_dir()}
    knows = table((root / "docs" / "design.md").read_text(), folders)
    complaints = [f"{name}/ has no row in the table of docs/design.md" for name in sorted(folders - knows.keys())]
    # `simulate` stands for all above it in the table.
    above = ("indices", "sweep", "fit", "report", "reproduce", "scoreboard")
    for name in above:
        if name in knows:
            knows[name] |= folders - set(above)
    for name, rows in ROOMS.findall((root / "docs" / "design.md").read_text()):
        complaints += complaints_of_rooms(code, name, re.findall(r"^\| `([a-z_]+)/` \|", rows, re.M))
    text = (root / "docs" / "design.md").read_text()
    complaints += complaints_of_files(code, text, folders, knows)
    named = dict(FOLDER.findall(text))
    for name in sorted(knows):
        allowed = closure(name, knows)
        beside = set(re.findall(r"[a-z_]+", named[name]))
        for path in sources(code / name):
            where = path.relative_to(root)
            if name not in above and not is_test(path):
                complaints += [f"{where} includes {other}.hpp, which {name}/ does not know (docs/design.md, Folders)"
                               for other in sorted(set(BESIDE.findall(path.read_text())) - beside)]
            for other in sorted(set(INCLUDE.findall(path.read_text())) - allowed):
                if not (is_test(path) and other in ("language", "model", "diagnostics", "expr")):
                    complaints.append(f"{where} includes {other}/, which {name}/ does not know (docs/design.md, Folders)")
    complaints += lengths(root)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
