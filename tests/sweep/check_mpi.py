#!/usr/bin/env python3
"""check_mpi.py <program> <model> <mpirun>: a sweep by 1, 2 and 4 processes, and by processes one of which is killed."""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3000
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}


def followers_of(parent):
    """Processes of the program that mpirun has started, but for the leader."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            status = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(status[1]) == parent and b"OMPI_COMM_WORLD_RANK=1" in environment:
            found.append(int(folder.name))
    return found


def main(program, model, mpirun):
    problems = []

    def expect(holds, what):
        if not holds:
            problems.append(what)

    def sweep(processes, *arguments):
        return [mpirun, "-n", str(processes), program, "sweep", model, "--vary", "g=uniform(1,10)", "--runs", str(RUNS),
                "--keep", "x,max(y)", *arguments]

    def run(command):
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder, env=ENVIRONMENT)

    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for processes in (1, 2, 4):
            done = run(sweep(processes, "--output", f"by_{processes}.csv", "--threads", "1"))
            expect(done.returncode == 0 and f"runs       {RUNS}, of which {RUNS} succeeded" in done.stdout,
                   f"{processes} processes: {done.stdout}{done.stderr}")
            expect(done.stdout.count("runs       ") == 1, f"{processes} processes: not one summary: {done.stdout}")
            expect(processes == 1 or f"{processes} processes" in done.stdout, done.stdout)
            texts.append((Path(folder) / f"by_{processes}.csv").read_bytes())
        expect(texts[0] == texts[1] == texts[2], "other bytes with other numbers of processes")

        part = Path(folder) / "killed.csv.part"
        process = subprocess.Popen(sweep(2, "--output", "killed.csv"), cwd=folder, env=ENVIRONMENT,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while process.poll() is None and not (part.exists() and part.stat().st_size > 0):
            time.sleep(0.005)
        followers = followers_of(process.pid)
        expect(len(followers) == 1, f"{len(followers)} followers found")
        for follower in followers:
            os.kill(follower, signal.SIGKILL)
        out = process.communicate(timeout=60)[0]
        expect(process.returncode != 0, f"the sweep was over before a process was killed: {out}")
        again = run(sweep(4, "--output", "killed.csv", "--resume"))
        expect(again.returncode == 0 and "resumed    behind" in again.stderr, f"{again.stdout}{again.stderr}")
        killed = Path(folder) / "killed.csv"
        expect(killed.exists() and killed.read_bytes() == texts[0], "other bytes after a process was killed")

        refused = run([mpirun, "-n", "3", program, "sweep", model, "--vary", "q=1,2"])
        expect(refused.returncode == 2 and refused.stderr.count("D0201") == 1, f"unknown name: {refused.stderr}")
    print("\n".join(problems) or "1, 2 and 4 processes give the same bytes, also after one was killed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
