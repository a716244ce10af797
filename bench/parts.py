"""Models of many connected parts, from the text to the first steps: does the cost grow with the number of parts only?

bench/run calls it; alone: bench/parts.py [build folder]. Writes bench/results/parts.txt. A ladder of resistors and
capacitors is written in two ways: as arrays of parts that are connected in loops, and as parts that are declared and
connected one by one. Instructions are counted by callgrind (no clock, so the same on a busy machine) and told for each
part, beside those of the smallest ladder: a ratio of 1 is linear cost. Seconds are those of the processor, with 10,000 parts.
"""
import argparse
import re
import resource
import subprocess
import tempfile
from pathlib import Path

from measure import ROOT, processor

SIZES = [500, 1000, 2000, 4000]
LARGE = 10000
CLASSES = """connector Pin Real v; flow Real i; end Pin;
model Resistor Pin p; Pin n; parameter Real R = 1; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
model Capacitor Pin p; Pin n; Real v(start = 0, fixed = true);
equation v = p.v - n.v; der(v) = p.i; p.i + n.i = 0; end Capacitor;
model Source Pin p; Pin n; equation p.v - n.v = 1; p.i + n.i = 0; end Source;
model Ground Pin p; equation p.v = 0; end Ground;
"""


def in_loops(parts):
    return CLASSES + f"""model Ladder
  parameter Integer n = {parts // 2};
  Resistor r[n]; Capacitor c[n]; Source s; Ground g;
equation
  connect(s.p, r[1].p); connect(s.n, g.p);
  for k in 1:n loop connect(r[k].n, c[k].p); connect(c[k].n, g.p); end for;
  for k in 1:n - 1 loop connect(r[k].n, r[k + 1].p); end for;
end Ladder;
"""


def one_by_one(parts):
    n = parts // 2
    text = CLASSES + "model Ladder\n  Source s; Ground g;\n"
    text += "".join(f"  Resistor r{k}(R = {1 + k % 3});\n  Capacitor c{k};\n" for k in range(1, n + 1))
    text += "equation\n  connect(s.p, r1.p); connect(s.n, g.p);\n"
    text += "".join(f"  connect(r{k}.n, c{k}.p); connect(c{k}.n, g.p);\n" for k in range(1, n + 1))
    return text + "".join(f"  connect(r{k}.n, r{k + 1}.p);\n" for k in range(1, n)) + "end Ladder;\n"


def command(program, file):
    return [str(program), "run", str(file), "--model", "Ladder", "--stop", "0.01", "--intervals", "2"]


def instructions(program, file):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command(program, file)],
                          capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def seconds(program, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command(program, file), capture_output=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def table(program):
    lines = [f"{'parts':>8}{'in loops':>26}{'one by one':>26}", f"{'':8}" + f"{'instructions':>16}{'per part':>10}" * 2]
    first = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ladder.mo"
        for size in SIZES:
            line = f"{size:8}"
            for write in (in_loops, one_by_one):
                file.write_text(write(size))
                count = instructions(program, file)
                line += f"{count:16,}{count / size / first.setdefault(write, count / size):10.2f}"
            lines.append(line)
        for write, name in ((in_loops, "in loops"), (one_by_one, "one by one")):
            file.write_text(write(LARGE))
            lines.append(f"{LARGE} parts {name}: {seconds(program, file):.2f} s")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build", type=Path)
    text = f"{processor()}\n\n" + table(parser.parse_args().build.resolve() / "driftless")
    (ROOT / "bench" / "results" / "parts.txt").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
