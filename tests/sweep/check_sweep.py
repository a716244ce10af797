#!/usr/bin/env python3
"""check_sweep.py <program> <model>: interruption, resumption, threads and messages of `driftless sweep`."""
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 4000


def main(program, model):
    problems = []

    def expect(holds, what):
        if not holds:
            problems.append(what)

    def sweep(*arguments):
        return [program, "sweep", model, "--vary", "g=uniform(1,10)", "--runs", str(RUNS), "--keep", "x,max(y)", *arguments]

    def run(command):
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)

    def stop_when_written(command, name, kind):
        part = Path(folder) / f"{name}.part"
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while process.poll() is None and not (part.exists() and part.stat().st_size > 2000):
            time.sleep(0.005)
        process.send_signal(kind)
        out = process.communicate(timeout=60)[0]
        return process.returncode, out

    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.csv"
        done = run(sweep("--output", "whole.csv", "--threads", "1"))
        expect(done.returncode == 0 and f"runs       {RUNS}, of which {RUNS} succeeded" in done.stdout, done.stdout + done.stderr)
        for name, kind in (("interrupted.csv", signal.SIGINT), ("killed.csv", signal.SIGKILL)):
            part = Path(folder) / f"{name}.part"
            status, out = stop_when_written(sweep("--output", name, "--threads", "2"), name, kind)
            expect(status != 0, f"{name}: the sweep was over before it was interrupted")
            if kind == signal.SIGINT:
                expect(status == 1 and "--resume goes on behind run" in out, f"{name}: {out}")
            expect(part.exists(), f"{name}: nothing was left")
            other = run([*sweep("--output", name, "--resume"), "--tol", "1e-7"])
            expect(other.returncode == 2 and "D0803" in other.stderr, f"{name}: another sweep was continued: {other.stderr}")
            again = run(sweep("--output", name, "--resume", "--threads", "2"))
            expect(again.returncode == 0 and "resumed    behind" in again.stderr, f"{name}: {again.stdout}{again.stderr}")
            expect((Path(folder) / name).read_bytes() == whole.read_bytes(), f"{name}: other bytes than in one go")
            expect(not part.exists() and not (Path(folder) / f"{name}.sweep").exists(), f"{name}: files remain")
        for arguments, words in ((["--vary", "q=1,2"], "D0201"), (["--vary", "g=1:2"], "first:last:count"),
                                 (["--vary", "g=normal(1,2)"], "--runs"), (["--vary", "g=1,2", "--keep", "z"], "D0201"),
                                 (["--vary", "g=1,2", "--output", "x.mat"], "D0804"), (["--vary", "g=1,2", "--resume"], "--output"),
                                 ([], "--vary")):
            refused = run([program, "sweep", model, *arguments])
            expect(refused.returncode == 2 and words in refused.stderr, f"{arguments}: {refused.stderr}")
        # A table that drives an input; another one makes another sweep.
        driven = [program, "sweep", str(Path(model).parent / "hybrid/driven_lag.mo"), "--vary", "T=0.4,0.5,0.7", "--keep", "x"]
        table = Path(folder) / "table.csv"
        for column, last in (("one", "-1"), ("two", "-2")):
            table.write_text(f"time,u\n0,0\n1,2\n2,2\n2,{last}\n")
            done = run([*driven, "--input", "table.csv", "--output", f"{column}.csv"])
            expect(done.returncode == 0, done.stdout + done.stderr)
            alone = run([program, "run", driven[2], "--override", "T=0.5", "--input", "table.csv", "--json"])
            rows = (Path(folder) / f"{column}.csv").read_text().splitlines()
            expect(json.loads(alone.stdout)["final"]["x"] == float(rows[2].split(",")[-2]), f"{rows[2]} {alone.stdout}")
        many = [*driven[:3], "--vary", "T=uniform(0.3,1)", "--runs", str(RUNS), "--keep", "x", "--input", "table.csv",
                "--output", "driven.csv"]
        stop_when_written(many, "driven.csv", signal.SIGKILL)
        table.write_text("time,u\n0,0\n1,2\n2,2\n2,-3\n")
        other = run([*many, "--resume"])
        expect(other.returncode == 2 and "D0803" in other.stderr, f"a sweep with another table was continued: {other.stderr}")
        table.write_text("time,u\n0,0\n1,2\n2,2\n2,-2\n")
        same = run([*many, "--resume"])
        expect(same.returncode == 0 and "resumed    behind" in same.stderr, f"{same.stdout}{same.stderr}")
        failing = run([program, "sweep", model, "--vary", "L=1,0"])
        expect(failing.returncode == 1 and "failed     1 x" in failing.stdout, failing.stdout + failing.stderr)
    print("\n".join(problems) or "sweeps go on to the same bytes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
