"""Runs of the program, and tables of their numbers."""
import json
import math
import platform
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"


class Program:
    def __init__(self, build):
        self.build = build
        self.path = build / "driftless"

    def run(self, model, *options, seconds=120):
        """The JSON object of one run, or the reason why there is none."""
        command = [self.path, "run", MODELS / model, "--json", *map(str, options)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return {"outcome": "gave_up", "message": f"longer than {seconds} s"}
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            return {"outcome": "crashed", "message": f"exit code {done.returncode}"}

    def whole(self, model, *options, repeats=7):
        """The median time of the whole program, in seconds."""

        def once():
            begin = time.perf_counter()
            self.run(model, *options)
            return time.perf_counter() - begin

        return statistics.median(once() for _ in range(repeats))

    def fastest(self, model, *options, repeats=3, seconds=120):
        """The run with the shortest integration, by machine code from the beginning; a failure is not repeated."""
        runs = []
        for _ in range(repeats):
            runs.append(self.run(model, *options, "--intervals", 1, "--backend", "llvm", seconds=seconds))
            if runs[-1]["outcome"] != "success":
                return runs[-1]
            if seconds_of(runs[-1]) > 2.0:
                break
        return min(runs, key=seconds_of)

    def trajectory(self, model, names, *options):
        """Times and the columns asked for."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.csv"
            result = self.run(model, *options, "--output", file)
            if result["outcome"] != "success":
                return result, []
            lines = file.read_text().splitlines()
        head = [name.strip('"') for name in lines[0].split(",")]
        places = [head.index(name) for name in ("time", *names)]
        rows = [line.split(",") for line in lines[1:]]
        return result, [[float(row[k]) for row in rows] for k in places]

    def scoreboard(self, **options):
        """The board as an object, and as text."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "board.json"
            command = [self.path, "bench", "--scoreboard", "--json", file]
            for name, value in options.items():
                command += [f"--{name}", value]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            return json.loads(file.read_text()), text


def seconds_of(result):
    return result["statistics"]["seconds"]["integrate"]


def runs_of(board, model):
    return next(sheet["runs"] for sheet in board["models"] if sheet["model"] == model)


def succeeded(run):
    return run.get("outcome") == "success" and run.get("digits") is not None


def fastest_with(runs, digits, method=None):
    """Of all runs with at least so many digits, at whatever tolerance."""
    good = [r for r in runs if succeeded(r) and r["digits"] >= digits and method in (None, r["method"])]
    return min(good, key=lambda r: r["seconds"], default=None)


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def processor():
    try:
        return re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()).group(1).strip()
    except (OSError, AttributeError):
        return platform.processor()


class Report:
    """Printed as it grows, kept as Markdown."""

    def __init__(self):
        self.parts = []

    def say(self, text):
        print(text, flush=True)
        self.parts.append(text)

    def title(self, text):
        self.say(f"\n## {text}\n")

    def table(self, header, rows):
        cells = [header] + [[str(c) for c in row] for row in rows]
        widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
        lines = ["| " + " | ".join(c.rjust(w) for c, w in zip(row, widths)) + " |" for row in cells]
        lines.insert(1, "|" + "|".join("-" * (w + 1) + ":" for w in widths) + "|")
        self.say("\n".join(lines))

    def write(self, path):
        path.write_text("\n".join(self.parts) + "\n")
