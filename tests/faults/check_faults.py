#!/usr/bin/env python3
"""What the program does when something goes wrong around it.

    check_faults.py build/driftless
"""

import argparse
import csv
import json
import os
import pty
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
SANITIZED = False

DECAY = "model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay;\n"

# Runs for minutes, with little work per output point.
LONG = """model Long
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(experiment(StopTime = 1e6, Interval = 1));
end Long;
"""

# Seconds of reading and analysis before the first step.
LARGE = """model Large
  Real x[400000](each start = 1);
equation
  for i in 1:400000 loop
    der(x[i]) = -x[i];
  end for;
end Large;
"""

WIDE = """model Wide
  Real x[40](each start = 1, each fixed = true);
equation
  for i in 1:40 loop
    der(x[i]) = -x[i];
  end for;
end Wide;
"""


def points_in(path):
    """Rows and columns of data_2 in a MATLAB file of level 4, which must be complete."""
    data, at, shape = path.read_bytes(), 0, None
    while at < len(data):
        kind, rows, cols, _, length = struct.unpack_from("<5i", data, at)
        name = data[at + 20:at + 19 + length].decode()
        at += 20 + length + rows * cols * {0: 8, 20: 4, 51: 1}[kind]
        if name == "data_2":
            shape = (rows, cols)
    if at != len(data):
        raise ValueError(f"{len(data)} bytes instead of {at}")
    return shape


class Fault(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        for name, text in {"decay": DECAY, "long": LONG, "large": LARGE, "wide": WIDE}.items():
            self.write(f"{name}.mo", text)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if path.suffix != ".mo")

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=100, **options)

    def begin(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def part_of(self, name, process):
        """The file under way, as soon as it has rows."""
        for _ in range(1200):
            parts = [p for p in self.folder.glob(f"{name}.*.part") if p.stat().st_size > 1000]
            if parts:
                return parts[0]
            self.assertIsNone(process.poll(), "the run ended")
            time.sleep(0.05)
        self.fail("no rows")

    def rows_of(self, path):
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][0], "time")
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        return rows[1:]


class Signals(Fault):
    def check(self, number):
        self.write("out.csv", "old")
        process = self.begin("run", "long.mo", "--method", "bdf", "--output", "out.csv", "--output", "out.mat", "--json")
        self.part_of("out.csv", process)
        self.assertEqual((self.folder / "out.csv").read_text(), "old")
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1, err)
        self.assertEqual(json.loads(out)["outcome"], "interrupted")
        self.assertEqual(json.loads(out)["code"], "D0714")
        self.assertEqual(self.names(), ["out.csv", "out.mat"])
        rows = self.rows_of(self.folder / "out.csv")
        self.assertGreater(len(rows), 100)
        self.assertEqual(points_in(self.folder / "out.mat")[1], len(rows))

    def test_ctrl_c_keeps_the_results(self):
        self.check(signal.SIGINT)

    def test_termination_keeps_the_results(self):
        self.check(signal.SIGTERM)

    def test_a_lost_terminal_keeps_the_results(self):
        self.check(signal.SIGHUP)

    def test_a_killed_run_leaves_rows_and_the_old_result(self):
        self.write("out.csv", "old")
        process = self.begin("run", "long.mo", "--method", "bdf", "--output", "out.csv", "--output", "out.mat")
        part, mat = self.part_of("out.csv", process), self.part_of("out.mat", process)
        time.sleep(1.5)
        process.kill()
        process.wait()
        self.assertEqual((self.folder / "out.csv").read_text(), "old")
        rows = self.rows_of(part)
        self.assertGreater(len(rows), 100)
        self.assertEqual(float(rows[100][0]), 100.0)
        self.assertGreater(points_in(mat)[1], 100)

    def test_before_the_first_point_the_program_ends_at_once(self):
        process = self.begin("run", "large.mo", "--output", "out.csv", "--json")
        time.sleep(0.7)
        self.assertIsNone(process.poll(), "too fast for this test")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=3)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(json.loads(out)["outcome"], "interrupted")
        self.assertEqual(json.loads(out)["code"], "D0714")
        self.assertIn(b"before the first output point", err)
        self.assertEqual(self.names(), [])


class Output(Fault):
    def test_lost_standard_output_is_an_error(self):
        for arguments in (["run", "decay.mo"], ["run", "decay.mo", "--json"], ["analyze", "decay.mo"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"error D0805: the standard output was lost", done.stderr)

    def test_a_closed_standard_output_is_no_place_for_files(self):
        done = subprocess.run(f"'{PROGRAM}' run decay.mo --output out.csv >&-", shell=True, cwd=self.folder,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(self.rows_of(self.folder / "out.csv")), 501)

    def test_a_full_disk_keeps_what_fits_and_the_old_result(self):
        self.write("out.csv", "old")

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))

        done = self.run_program("run", "long.mo", "--method", "bdf", "--output", "out.csv", preexec_fn=small_files)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"cannot write 'out.csv': File too large; what could be written is in 'out.csv.", done.stderr)
        self.assertEqual((self.folder / "out.csv").read_text(), "old")
        (part,) = self.folder.glob("out.csv.*.part")
        self.assertGreater(len(self.rows_of(part)), 10000)

    def test_links_with_foreseeable_names_are_not_followed(self):
        victim = self.write("victim", "precious")
        # The name of a temporary file must not be the process's number: all that could come are links to the victim.
        process = self.begin("run", "long.mo", "--method", "bdf", "--output", "out.csv")
        (self.folder / f"out.csv.{process.pid}.part").symlink_to(victim)
        self.part_of("out.csv", process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(victim.read_text(), "precious")

    def test_what_is_read_is_not_overwritten(self):
        model = (self.folder / "decay.mo").read_bytes()
        os.link(self.folder / "decay.mo", self.folder / "decay.csv")
        (self.folder / "picture.svg").symlink_to("decay.mo")
        for option, file in [("--plot-file", "decay.mo"), ("--plot-file", "picture.svg"), ("--output", "decay.csv"),
                             ("--plot-file", "other.mo")]:
            done = self.run_program("run", "decay.mo", "--plot", "x", option, file)
            self.assertEqual(done.returncode, 2, file)
            self.assertEqual((self.folder / "decay.mo").read_bytes(), model)
            self.assertFalse((self.folder / "other.mo").exists())
        done = self.run_program("analyze", "decay.mo", "--svg", "picture.svg")
        self.assertEqual(done.returncode, 2)
        self.assertEqual((self.folder / "decay.mo").read_bytes(), model)

    def test_two_results_do_not_share_a_file(self):
        done = self.run_program("run", "decay.mo", "--output", "a.csv", "--output", "./a.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"'a.csv' and './a.csv' are the same file", done.stderr)
        self.assertEqual(self.names(), [])

    def test_the_default_picture_stays_in_the_folder(self):
        self.write("odd.mo", "model '../odd'\n  Real x = time;\nend '../odd';\n")
        done = self.run_program("run", "odd.mo", "--plot", "x")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.names(), ["'.._odd'.svg"])


class Text(Fault):
    def check_json(self, *arguments):
        done = self.run_program(*arguments)
        answer = json.loads(done.stdout.decode())
        self.assertEqual(len(answer), len(json.loads(done.stdout, object_pairs_hook=list)), "duplicate keys")
        return answer

    def test_json_is_valid_whatever_the_text(self):
        self.write("bad.mo", b"model Bad\n  Real x = \xff\xfe;\nend Bad;\n")
        self.write("quoted.mo", "model Q\n  Real 'a\033[31m\u202e\"'(start = 1) = time;\nend Q;\n")
        odd = os.fsdecode(b"odd\xff.mo")
        (self.folder / odd).write_text(DECAY + "x")
        for name in ("bad.mo", "quoted.mo", odd, os.fsdecode(b"missing\xc3.mo")):
            self.check_json("run", name, "--json")
            self.check_json("analyze", name, "--json")
            self.check_json("init", name, "--json")
            self.check_json("steady", name, "--json")
            self.check_json("compare", name, "--json", "--stop", "0.1", "--formulations", "dummy")

    def test_wrong_options_are_json_too(self):
        for wrong in (["--tolerance", "1"], ["--tol", "x"], ["--method", "bfd"], ["--intervals", "0"], ["a", "b"]):
            answer = self.check_json("run", "decay.mo", "--json", *wrong)
            self.assertEqual(answer["outcome"], "bad_model")
            self.assertRegex(answer["code"], r"^D06\d\d$")
            self.assertTrue(answer["message"])
        self.assertEqual(self.check_json("run", "--json")["outcome"], "bad_model")
        self.assertEqual(self.check_json("rum", "decay.mo", "--json")["outcome"], "bad_model")

    def test_names_are_keys_once(self):
        self.write("base.mo", "//! base 0.1.0\npackage 'X'\n  model 'X'\n    Real x(start = 1), 'der(x)', 'x';\n"
                              "  equation\n    der(x) = -x;\n    'der(x)' = 3;\n    'x' = 4;\n  end 'X';\nend 'X';\n")
        done = self.run_program("run", "base.mo", "--json")
        pairs = json.loads(done.stdout, object_pairs_hook=list)
        final = [key for key, _ in dict(pairs)["final"]]
        self.assertEqual(len(final), len(set(final)))
        self.assertIn("der(x)", final)
        self.assertIn("'der(x)'", final)

    def test_no_escape_sequence_reaches_the_terminal(self):
        self.write("escape.mo", "model 'E\033[31m'\n  Real 'a\033[31m'(start = 1), b;\nequation\n"
                                "  der('a\033[31m') = -1;\n  'a\033[31m' + b = 0;\nend 'E\033[31m';\n")
        self.write("wrong.mo", "model W\n  Real 'a\033[31m';\nequation\n  der('a\033[31m') = 'b\033[32m';\nend W;\n")
        for arguments in (["run", "escape.mo"], ["analyze", "escape.mo"], ["run", "wrong.mo"],
                          ["init", "escape.mo"], ["init", "escape.mo", "--fix"], ["steady", "escape.mo"],
                          ["compare", "escape.mo", "--formulations", "dummy"], ["run", "\033[31m.mo"],
                          ["run", "decay.mo", "--method", "\033[31m"]):
            done = self.run_program(*arguments)
            self.assertNotIn(b"\033", done.stdout + done.stderr, arguments)

    def test_messages_are_coloured_on_a_terminal_that_wants_it(self):
        self.write("wrong.mo", "model W\n  Real x;\nequation\n  der(x) = y;\nend W;\n")
        for variable, coloured in (("TERM", True), ("NO_COLOR", False)):
            environment = {**os.environ, "TERM": "xterm", variable: "xterm"}
            if coloured:
                environment.pop("NO_COLOR", None)
            reader, writer = pty.openpty()
            done = subprocess.run([PROGRAM, "run", "wrong.mo"], cwd=self.folder, stderr=writer, env=environment)
            text = os.read(reader, 10000)
            os.close(reader)
            os.close(writer)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(b"\033[1;31merror D0201:\033[0m unknown variable 'y'" in text, coloured, text)

    def test_endless_text_is_refused(self):
        done = self.run_program("run", "/dev/zero")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"longer than", done.stderr)


class Limits(Fault):
    def test_steps_and_points_beyond_counting_are_refused(self):
        for arguments in (["--step", "1e-19"], ["--step", "1e-300"], ["--step", "1e-12"]):
            done = self.run_program("run", "decay.mo", "--method", "rk4", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(b"steps, but 10000000 are allowed", done.stderr)
            done = self.run_program("compare", "decay.mo", "--methods", "rk4", *arguments)
            self.assertNotIn(b"success", done.stdout.split(b"does not apply")[-1])
        self.write("fine.mo", DECAY.replace("end Decay", "annotation(experiment(Interval = 1e-12));\nend Decay"))
        done = self.run_program("run", "fine.mo")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"Interval = 1e-12", done.stderr)

    def test_a_small_stack_holds_what_may_be_nested(self):
        self.write("deep.mo", "model Deep\n  Real x = " + 250 * "(" + "1" + 250 * ")" + ";\nend Deep;\n")

        def small_stack():
            resource.setrlimit(resource.RLIMIT_STACK, (500_000, resource.getrlimit(resource.RLIMIT_STACK)[1]))

        self.assertEqual(self.run_program("run", "deep.mo", preexec_fn=small_stack).returncode, 0)

    @unittest.skipIf("--sanitized" in sys.argv, "the sanitizer needs all the memory there is")
    def test_little_memory_is_a_message(self):
        self.write("huge.mo", "model Huge\n  Real x[5000000](each start = 1);\nequation\n  der(x) = -x;\nend Huge;\n")

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))

        done = self.run_program("run", "huge.mo", "--json", preexec_fn=little_memory)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"out of memory", done.stderr)
        self.assertEqual(json.loads(done.stdout)["outcome"], "out_of_memory")
        self.assertEqual(json.loads(done.stdout)["code"], "D0715")

    @unittest.skipIf("--sanitized" in sys.argv, "the sanitizer keeps what is given back")
    def test_memory_does_not_grow_with_the_number_of_points(self):
        def peak(intervals):
            code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            done = subprocess.run([sys.executable, "-c", code, PROGRAM, "run", "wide.mo", "--method", "bdf",
                                   "--intervals", str(intervals), "--output", "wide.mat", "--plot", "x[1:2]"],
                                  cwd=self.folder, capture_output=True, text=True, check=True)
            return 1024 * int(done.stdout)

        few, many = peak(1000), peak(100_000)
        self.assertEqual(points_in(self.folder / "wide.mat"), (81, 100_001))
        # All rows would be 65 MB; those of the picture are 2.4 MB.
        self.assertLess(many - few, 20_000_000)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("tests", nargs="*", help="names as Signals.test_..., otherwise all")
    given = parser.parse_args()
    PROGRAM = os.path.abspath(given.program)
    unittest.main(argv=[sys.argv[0], *given.tests], verbosity=2)
