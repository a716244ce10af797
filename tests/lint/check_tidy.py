#!/usr/bin/python3
"""Runs clang-tidy over what the build compiles: check_tidy.py <build folder> <clang-tidy> [--all | --headers]

Sources are looked at in the groups in which they are compiled together (cmake/Unity.cmake), since reading the headers
takes longest. By default one group of each library, and with it its headers; with --all every group. A group in which
nothing was found is remembered by the content of its sources, of all headers and of the checks, and not looked at again
until one of them changes. With --headers one source that includes every header of the library: the inline code, in 20
seconds. Ends with 77, "skipped", where clang-tidy is not installed.
"""
import hashlib
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HEADERS = r".*/(driftless|cli)/.*"
OURS = re.compile(r"/(driftless|cli)/[^:]*:\d+:\d+: (warning|error): ")


def commands(build):
    """Per library, the files that the compiler is given, tests left out."""
    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        target = re.search(r"(?:^|/)CMakeFiles/(driftless_\w+)\.dir/", entry.get("output", "") or entry["command"])
        if target and not target[1].endswith(("_test", "_without_ida")) and "/cmake_pch" not in entry["file"]:
            groups.setdefault(target[1], []).append(Path(entry["file"]))
    return groups


def sources(path):
    """The sources of a group, or the file itself."""
    if "/Unity/" not in path.as_posix():
        return [path]
    return [Path(name) for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M)]


def fingerprint(path, common):
    state = common.copy()
    for source in sources(path):
        state.update(source.read_bytes())
    return state.hexdigest()


def findings(tool, build, path):
    run = subprocess.run([tool, "-p", str(build), "--quiet", f"--header-filter={HEADERS}", str(path)],
                         capture_output=True, text=True)
    lines = sorted({line for line in run.stdout.splitlines() if OURS.search(line)})
    # A group that cannot be read at all must not pass.
    return lines or ([f"{path}: clang-tidy failed\n{run.stdout}{run.stderr}"] if run.returncode else [])


def findings_in_headers(tool, build, root):
    """Of one source with all headers, tests left out; with the folders of libraries that the build knows."""
    commands_of_build = (build / "compile_commands.json").read_text()
    system = sorted(set(re.findall(r"-isystem (\S+)", commands_of_build)))
    headers = sorted(path.relative_to(root) for path in (root / "driftless").rglob("*.hpp")
                     if not path.name.startswith("sample_") and path.name != "reading.hpp")
    source = build / "tidy" / "all_headers.cpp"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    print(f"{len(headers)} headers", flush=True)
    run = subprocess.run([tool, "--quiet", f"--config-file={root / '.clang-tidy'}", f"--header-filter={HEADERS}", str(source), "--",
                          "-std=c++20", f"-I{root}", *(f"-isystem{folder}" for folder in system)],
                         capture_output=True, text=True)
    lines = sorted({line for line in run.stdout.splitlines() if OURS.search(line)})
    return lines or ([run.stdout + run.stderr] if run.returncode else [])


def main(build, tool=None, *flags):
    if not tool or tool.endswith("NOTFOUND"):
        print("clang-tidy is not installed (package clang-tidy-19)")
        return 77
    build, root = Path(build), Path(__file__).resolve().parents[2]
    (build / "tidy").mkdir(exist_ok=True)
    if "--headers" in flags:
        found = findings_in_headers(tool, build, root)
        print("\n".join(found), file=sys.stderr)
        return 1 if found else 0
    common = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for header in sorted([*(root / "driftless").rglob("*.hpp"), *(root / "cli").rglob("*.hpp")]):
        common.update(header.read_bytes())
    known = build / "tidy"
    groups = commands(build)
    chosen = [path for files in groups.values() for path in (files if "--all" in flags else files[:1])]
    ahead = [path for path in chosen if not (known / fingerprint(path, common)).exists()]
    print(f"{len(chosen)} groups of sources, {len(ahead)} of them changed", flush=True)
    failed = not chosen
    with ThreadPoolExecutor(2) as pool:
        for path, found in zip(ahead, pool.map(lambda path: findings(tool, build, path), ahead)):
            for line in found:
                print(line, file=sys.stderr)
            failed = failed or bool(found)
            if not found:
                (known / fingerprint(path, common)).touch()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
