#!/usr/bin/env python3
"""Installs into an empty folder and uses the program from there: check_install.py CMAKE BUILD."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

cmake, build = sys.argv[1:]
expected = ["bin/driftless", "share/man/man1/driftless.1", "share/bash-completion/completions/driftless",
            "share/zsh/site-functions/_driftless", "share/fish/vendor_completions.d/driftless.fish",
            "share/driftless/libraries/Driftless/package.mo", "share/driftless/models/pendulum.mo",
            "include/driftless/driftless.hpp"]
with tempfile.TemporaryDirectory() as scratch:
    prefix = Path(scratch) / "prefix"
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    missing = [name for name in expected if not (prefix / name).is_file()]
    assert not missing, missing
    program, share = prefix / "bin/driftless", prefix / "share/driftless"
    environment = {**os.environ, "MODELICAPATH": str(share / "libraries")}
    for model in ("pendulum.mo", "library/lc_circuit.mo"):  # the second one is made of parts of the library
        run = subprocess.run([program, "run", share / "models" / model, "--plot-file", "p.png"], cwd=scratch, text=True,
                             capture_output=True, env=environment, check=False)
        assert run.returncode == 0 and "kept" in run.stdout, run.stdout + run.stderr
    assert (Path(scratch) / "p.png").read_bytes().startswith(b"\x89PNG")
print("installed and used")
