"""What Python adds to the time of the library, in seconds of the processor. The figures are printed and not judged: they vary
with the load of the machine. What is judged is that a loop in C++ gives the same bits."""
import os
import subprocess
import time
import unittest
from pathlib import Path

import driftless as dl
from test_runs import LONG

PENDULUM = Path(os.environ["DRIFTLESS_SOURCE_DIR"]) / "models" / "pendulum.mo"


class Overhead(unittest.TestCase):
    def test_ten_thousand_short_runs(self):
        runs, loops = 2500, 4
        compiled = dl.read(PENDULUM).compile(tol=1e-6)
        least, total = 1e300, 0.0
        for _ in range(loops):
            begin = time.thread_time()
            for k in range(runs):
                total += compiled.simulate(parameters={"L": 1.0 + 1e-4 * k}, stop=1.0).final("x")
            least = min(least, (time.thread_time() - begin) / runs)
        out = subprocess.run([os.environ["DRIFTLESS_SHORT_RUNS"], str(PENDULUM), str(runs), str(loops)],
                             capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(total, float(out[1]))  # the same bits
        ratio = least / float(out[0])
        print(f"a short run: {1e6 * least:.1f} µs, in C++ {1e6 * float(out[0]):.1f} µs: {100 * (ratio - 1):.0f} % more")

    def test_an_integration_of_a_second(self):
        # Compares the time of the whole call with the time of the integration, which the library measures.
        compiled = dl.parse(LONG).compile(tol=1e-9, intervals=500, dense=False, method="dopri5", stop=1000.0)
        begin = time.thread_time()
        solution = compiled.simulate()
        seconds = time.thread_time() - begin
        inside = solution.statistics["seconds"]["integrate"]
        print(f"an integration: {seconds:.3f} s, of which the library {inside:.3f} s: {100 * (seconds / inside - 1):.1f} % more")
        self.assertTrue(solution.success)


if __name__ == "__main__":
    unittest.main()
