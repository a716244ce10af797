"""Instructions of the whole program, text to result, counted by callgrind: no clock, so the same on a busy machine.

bench/run calls it; alone: bench/instructions.py [build folder] [--models NAME,...]. Writes bench/results/instructions.txt.

Two tables. The first has every shipped model with its own interval, tolerance and output points, with the default method
and with --method bdf, which was the default before. The second says what share of the instructions of a run belong to
the checks of delivered points (integrate/checks/delivered_point.hpp), to the guard of Newton's iteration (integrate/system/guard.hpp)
and to what looks at every step (integrate/run/singular_watch.hpp, branch_watch.hpp, jumps.hpp).
"""
import argparse
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Output points or steps, small or large, with and without exponentials.
TYPICAL = ["pendulum", "squeezer", "akzo", "transistor_amplifier", "chain"]
# The gate checks several points together, and a point alone if the joint check is not clear.
GATE = r"driftless::(DeliveredPoint::(operator\(\)|look_at_end|is_clear)|InspectedPoints::operator\(\))"
# The functions that search every step for singular points, other solutions, jumps and kinks.
WATCH = r"driftless::(SingularWatch::look_at_step|BranchWatch::trusts_step|Jumps::(look_at_step|ends_at_kink))\("
GUARD = "driftless::Guard::"


class Counter:
    def __init__(self, program):
        self.program = program

    def run(self, model, *options, profile=None):
        """Instructions of one run, or the reason why there are none."""
        file = profile or "/dev/null"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", str(self.program), "run",
                   str(ROOT / "models" / f"{model}.mo"), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
        if done.returncode != 0:
            return f"exit code {done.returncode}"
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))

    def shares(self, model, *options):
        """Instructions of the run, of the gate, of the guard and of the watches, with all that they call."""
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder) / "callgrind.out"
            total = self.run(model, *options, profile=profile)
            if isinstance(total, str):
                return total, 0, 0, 0
            text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(profile)],
                                  capture_output=True, text=True).stdout
        counts = {}
        for line in text.splitlines():
            found = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(.*)", line)
            if found:
                counts[found.group(2)] = int(found.group(1).replace(",", ""))
        # The guard's share leaves out what it compiles once (the total includes it), and the functions that load a
        # point or run a kernel: the other functions of the guard call those, so that their counts already include them.
        inner = r"Guard::(load|run|place_at|find_arguments|set_tangent|find_scales|compile|made_for)\("
        outer = [c for name, c in counts.items() if name.removeprefix("???:").startswith(GUARD) and not re.search(inner, name)]
        gate, watch = (sum(c for name, c in counts.items() if re.match(what, name.removeprefix("???:"))) for what in (GATE, WATCH))
        return total, gate, sum(outer), watch


def whole_program(counter, models):
    lines = [f"{'model':24}{'auto':>14}{'bdf':>14}{'ratio':>8}"]
    for model in models:
        auto, bdf = counter.run(model), counter.run(model, "--method", "bdf")
        numbers = isinstance(auto, int) and isinstance(bdf, int)
        lines.append(f"{model:24}{auto:>14}{bdf:>14}{auto / bdf:>8.3f}" if numbers else f"{model:24}  auto: {auto}, bdf: {bdf}")
        print(lines[-1], flush=True)
    return lines


def shares(counter):
    lines = [f"{'model':24}{'method':10}{'instructions':>14}{'gate':>8}{'guard':>8}{'watch':>8}"]
    for model in TYPICAL:
        for method in ("auto", "bdf"):
            total, *parts = counter.shares(model, *([] if method == "auto" else ["--method", method]))
            lines.append(f"{model:24}{method:10}{total:>14}" + "".join(f"{100 * part / total:>7.2f}%" for part in parts))
            print(lines[-1], flush=True)
    return lines


def measure(build, models):
    counter = Counter(build / "driftless")
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    text = [f"Instructions of the whole program, text to result ({version}, callgrind)", "",
            *whole_program(counter, models), "",
            "Shares of the checks of delivered points (gate), of the guard of Newton's iteration and of looks at every step (watch)", "",
            *shares(counter)]
    (ROOT / "bench" / "results" / "instructions.txt").write_text("\n".join(text) + "\n")


def shipped():
    return sorted(path.stem for path in (ROOT / "models").glob("*.mo"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build", type=Path)
    parser.add_argument("--models", default=",".join(shipped()))
    arguments = parser.parse_args()
    measure(arguments.build.resolve(), arguments.models.split(","))
