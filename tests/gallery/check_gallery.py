#!/usr/bin/env python3
"""Runs every program of examples/gallery: check_gallery.py SOURCE [--update]. Each must end without an error, which means that
its numbers agreed with closed forms or references. With matplotlib they draw as well; --update keeps the pictures as
docs/gallery/*.svg. docs/gallery.md must show every program and its picture.
"""
import contextlib
import importlib.util
import io
import runpy
import sys
import tempfile
import time
import traceback
from pathlib import Path

source = Path(sys.argv[1]).resolve()
update = "--update" in sys.argv
draws = importlib.util.find_spec("matplotlib") is not None
programs = sorted(p for p in (source / "examples/gallery").glob("*.py") if p.name != "picture.py")
page = (source / "docs/gallery.md").read_text()
problems = []


def failure(program, picture):
    """Runs it in this interpreter, which has the libraries loaded; what it printed and raised, if it failed."""
    sys.argv = [str(program), *([str(picture)] if draws else [])]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(program), run_name="__main__")
    except BaseException:  # whatever ends a program
        return printed.getvalue() + traceback.format_exc()
    if draws:
        from matplotlib import pyplot

        pyplot.close("all")
    return ""


sys.path.insert(0, str(source / "examples/gallery"))
with tempfile.TemporaryDirectory() as folder:
    for program in programs:
        picture = Path(folder) / f"{program.stem}.svg"
        begin = time.process_time()
        failed = failure(program, picture)
        seconds = time.process_time() - begin
        print(f"{program.stem:22} {seconds:5.1f} s")
        kept = source / "docs/gallery" / picture.name
        if failed:
            problems.append(f"{program.name} failed:\n{failed}")
        elif draws and not picture.is_file():
            problems.append(f"{program.name} drew nothing")
        elif draws and picture.stat().st_size > 60_000:
            problems.append(f"{picture.name} has {picture.stat().st_size} bytes: too large for the repository")
        elif update and draws:
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(picture.read_bytes())
        if not kept.is_file():
            problems.append(f"docs/gallery/{picture.name} does not exist: run check_gallery.py --update with matplotlib")
        for link in (f"(gallery/{picture.name})", f"(../examples/gallery/{program.name})"):
            if link not in page:
                problems.append(f"docs/gallery.md does not show {link}")
print("\n".join(problems) or f"{len(programs)} programs agree with their references{'' if draws else '; no matplotlib, no pictures'}")
sys.exit(1 if problems else 0)
