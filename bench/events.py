"""Models with many events: driftless beside the same equations by hand under IDA with its root finding, at the same tolerance.

bench/run calls it; alone: bench/events.py [build folder] [--instructions]. Writes bench/results/events.txt. Both are compared
with the exact solution at the end of the run. With --instructions the cost of an event is counted by callgrind, as the
difference of two runs of which one is twice as long: no clock, and nothing of what happens before the first event.
"""
import argparse
import json
import math
import re
import subprocess
from pathlib import Path

from measure import ROOT, Program, processor, seconds_of

TOLERANCE, SHARPER = 1e-6, 1e-9
METHODS = ["auto", "explicit", "radau", "bdf"]


# ---- exact solutions at the end of a run

class Converter:
    """L i' = u - v, C v' = i - v/R: about the equilibrium (u/R, u) the solution is exp(A t) z."""
    V, L, C, R = 24.0, 1e-4, 1e-4, 2.0

    def __init__(self, i, v):
        self.i, self.v = i, v

    def after(self, t, closed):
        u = self.V if closed else 0.0
        x, y = self.i - u / self.R, self.v - u
        a = -0.5 / (self.R * self.C)
        w = math.sqrt(1.0 / (self.L * self.C) - a * a)
        grow, c, s = math.exp(a * t), math.cos(w * t), math.sin(w * t) / w
        return Converter(u / self.R + grow * (c * x + s * (-a * x - y / self.L)),
                         u + grow * (c * y + s * (x / self.C + (-1.0 / (self.R * self.C) - a) * y)))

    def slope(self, closed):
        return ((self.V if closed else 0.0) - self.v) / self.L


def buck_converter(stop):
    period, d = 1e-5, 0.4
    at = Converter(0.0, 0.0)
    for _ in range(round(stop / period)):
        at = at.after(d * period, True).after(period - d * period, False)
    return {"i": at.i, "v": at.v}


def hysteretic_converter(stop):
    at, t, closed = Converter(5.0, 10.0), 0.0, True
    while True:
        bound = 5.5 if closed else 4.5
        wait = (bound - at.i) / at.slope(closed)
        for _ in range(20):
            there = at.after(wait, closed)
            wait -= (there.i - bound) / there.slope(closed)
        if t + wait > stop:
            at = at.after(stop - t, closed)
            return {"i": at.i, "v": at.v}
        at, t, closed = at.after(wait, closed), t + wait, not closed


def thyristor_bridge(stop):
    """The stop time is a multiple of a half wave: the voltage is zero, the current of the last firing is not."""
    w, resistance, coil, alpha = 2.0 * math.pi * 50.0, 10.0, 0.02, 2.0
    lag, size = math.atan(w * coil / resistance), 325.0 / math.hypot(resistance, w * coil)
    return {"i": size * (math.sin(math.pi - lag) - math.sin(alpha - lag) * math.exp(-resistance / (w * coil) * (math.pi - alpha)))}


def balls_in_box(stop):
    values = {}
    for k in range(1, 101):
        way = math.fmod(k / 101 + (0.3 + 0.7 * k / 100) * stop, 2.0)
        values[f"x[{k}]"] = min(way, 2.0 - way)
        height = 0.2 + 0.8 * k / 100
        fall = math.sqrt(2.0 * height / 9.81)
        phase = math.fmod(stop + fall, 2.0 * fall) - fall
        values[f"y[{k}]"] = height - 0.5 * 9.81 * phase * phase
    return values


# A model, its closed form, the length of the run, and a shorter one for callgrind.
PROBLEMS = [(buck_converter, 0.5, 0.01), (hysteretic_converter, 0.05, 0.01), (thyristor_bridge, 20.0, 1.0), (balls_in_box, 10.0, 0.5)]


def error(final, exact):
    """The largest, relative to the value and 1."""
    return max(abs(final[name] - value) / (1.0 + abs(value)) for name, value in exact.items())


# ---- runs

class Events:
    def __init__(self, build):
        self.program = Program(build)
        self.by_hand = build / "bench" / "driftless_bench_events_by_ida"

    def command_of_ida(self, model, stop, tolerance=TOLERANCE):
        return [str(self.by_hand), model, str(tolerance), str(stop), "formula"]

    def options(self, method, stop):
        return ("--method", method, "--tol", TOLERANCE, "--stop", stop)

    def ida(self, model, stop, tolerance=TOLERANCE):
        """The fastest of up to three runs, as Program.fastest has it."""
        runs = []
        while len(runs) < 3 and not (runs and runs[-1]["seconds"] > 1.0):
            done = subprocess.run(self.command_of_ida(model, stop, tolerance), capture_output=True, text=True, check=True)
            runs.append(json.loads(done.stdout))
        return min(runs, key=lambda run: run["seconds"])

    def table(self):
        """Of IDA at the tolerance of all, of IDA at a sharper one, whose error comes nearer to ours, and of our methods."""
        rows = []
        for exact, stop, _ in PROBLEMS:
            model, values = exact.__name__, exact(stop)
            ida, sharper = self.ida(model, stop), self.ida(model, stop, SHARPER)

            def add(name, events, steps, seconds, final):
                rows.append([model, name, events, steps, f"{1e6 * seconds / ida['events']:.1f}", f"{ida['events'] / seconds:.0f}",
                             f"{ida['seconds'] / seconds:.1f}", f"{error(final, values):.0e}"])

            for run, tolerance in ((ida, TOLERANCE), (sharper, SHARPER)):
                add(f"IDA, {tolerance:.0e}", run["events"], run["steps"], run["seconds"], run["final"])
            for method in METHODS:
                result = self.program.fastest(f"hybrid/{model}.mo", *self.options(method, stop))
                if result["outcome"] != "success":
                    rows.append([model, method, result["outcome"], "-", "-", "-", "-", "-"])
                    continue
                add(method, result["events"]["number"], result["statistics"]["steps"], seconds_of(result), result["final"])
        return ["model", "method", "events", "steps", "us an event", "events a second", "times as fast", "error"], rows

    def instructions(self):
        """Both are counted by the events of IDA: the bridge has one more with us in every half wave."""
        rows = []
        for exact, _, stop in PROBLEMS:
            model = exact.__name__
            by_ida = lambda t: self.ida(model, t)["events"]
            ida = self.slope(lambda t: self.command_of_ida(model, t), by_ida, stop)
            rows.append([model, "IDA by hand", f"{ida:.0f}", "1.0"])
            for method in METHODS:
                ours = self.slope(lambda t: [str(self.program.path), "run", str(ROOT / "models" / "hybrid" / f"{model}.mo"), "--json", "--intervals", "1",
                                             *map(str, self.options(method, t))], by_ida, stop)
                rows.append([model, method, f"{ours:.0f}", f"{ida / ours:.1f}"])
        return ["model", "method", "instructions an event", "times fewer"], rows

    @staticmethod
    def slope(command, events_of, stop):
        """Instructions for each event of the second half."""
        counts = []
        for end in (stop, 2 * stop):
            done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command(end)], capture_output=True, text=True)
            counts.append((int(re.search(r"Collected : (\d+)", done.stderr).group(1)), events_of(end)))
        return (counts[1][0] - counts[0][0]) / (counts[1][1] - counts[0][1])


def aligned(header, rows):
    cells = [header] + [[str(c) for c in row] for row in rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    return "\n".join("  ".join(c.ljust(w) if k < 2 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths))) for row in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build", type=Path)
    parser.add_argument("--instructions", action="store_true")
    arguments = parser.parse_args()
    events = Events(arguments.build.resolve())
    text = f"{processor()}\n\nEvents at the tolerance {TOLERANCE:.0e}, beside IDA as Debian builds it\n\n{aligned(*events.table())}\n"
    if arguments.instructions:
        text += f"\nInstructions of an event, counted by callgrind\n\n{aligned(*events.instructions())}\n"
    print(text)
    (ROOT / "bench" / "results" / "events.txt").write_text(text)


if __name__ == "__main__":
    main()
