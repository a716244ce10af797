#!/usr/bin/python3
"""Checks the format of all tracked C++ files: check_format.py <root of the project> <clang-format>

Names the files that clang-format 14 would change. Ends with 77, "skipped", where that version is not installed: others
break lines elsewhere.
"""
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSION = "version 14."


def tracked(root):
    run = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "*.hpp", "*.cpp"], capture_output=True, text=True)
    if run.returncode == 0 and run.stdout:
        return [root / name for name in run.stdout.split("\0") if name and (root / name).is_file()]
    # Not a clone: everything but what was built.
    return [path for folder in root.iterdir() if folder.is_dir() and not folder.name.startswith(("build", "."))
            for path in sorted(folder.rglob("*")) if path.suffix in (".hpp", ".cpp")]


def differs(tool, path):
    formatted = subprocess.run([tool, "--style=file", str(path)], capture_output=True, check=True).stdout
    return formatted != path.read_bytes()


def main(root, tool=None):
    if not tool or tool.endswith("NOTFOUND") or VERSION not in subprocess.run([tool, "--version"], capture_output=True, text=True).stdout:
        print("clang-format 14 is not installed (package clang-format)")
        return 77
    files = tracked(Path(root))
    with ThreadPoolExecutor(2) as pool:
        found = [path for path, wrong in zip(files, pool.map(lambda path: differs(tool, path), files)) if wrong]
    for path in found:
        print(f"{path.relative_to(root)} is not formatted: clang-format -i {path.relative_to(root)}", file=sys.stderr)
    print(f"{len(files)} files, {len(found)} not formatted")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
