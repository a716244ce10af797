"""Sensitivities and fits: arrays, event times, data as mappings and files, bad data."""
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import driftless as dl

SPRING = """model Spring
  parameter Real w = 3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x;
end Spring;"""
SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])


class Sensitivities(unittest.TestCase):
    def test_closed_form(self):
        solution = dl.parse(SPRING).simulate(stop=2, tol=1e-10, sensitivities=["w", "x"])
        t = solution.t
        np.testing.assert_allclose(solution.sensitivity("x", "w"), -t * np.sin(3 * t), atol=1e-8)
        np.testing.assert_allclose(solution.sensitivity("x", "x"), np.cos(3 * t), atol=1e-8)
        self.assertAlmostEqual(solution("d(x)/d(w)", 1.234), -1.234 * np.sin(3 * 1.234), places=7)
        self.assertEqual(solution.sensitivities, ["w", "x"])
        with self.assertRaises(KeyError):
            solution.sensitivity("x", "v")

    def test_times_of_events(self):
        ball = dl.read(SOURCE / "models" / "hybrid" / "bouncing_ball.mo").compile(tol=1e-10)
        solution = ball.simulate(stop=1, sensitivities=["g"])
        first = np.sqrt(2 / 9.81)
        self.assertAlmostEqual(solution.event_time_sensitivity("g")[0], -first / (2 * 9.81), places=9)
        resting = ball.simulate(sensitivities=["g"])  # infinitely many bounces later
        self.assertEqual(abs(resting.sensitivity("h", "g")[-1]), 0.0)
        with self.assertRaisesRegex(dl.ModelError, "used up when the model was read"):
            dl.read(SOURCE / "models" / "chain.mo").simulate(sensitivities=["N"])


class Fits(unittest.TestCase):
    def test_arrays_and_files(self):
        t = np.linspace(0, 2, 21)
        x = np.cos(3.3 * t)
        x[3] = np.nan
        compiled = dl.parse(SPRING).compile(tol=1e-10)
        fit = compiled.fit({"time": t, "x": x}, {"w": 3.1}, bounds={"w": (0, None)})
        self.assertTrue(fit.converged)
        self.assertAlmostEqual(fit["w"], 3.3, places=7)
        self.assertEqual(fit.measurements, 20)
        self.assertAlmostEqual(fit.explained["x"], 1.0, places=9)
        self.assertEqual(fit.correlation.shape, (1, 1))
        for text in ("Estimates", "<td style='text-align:left'>w</td>", "3.3", "100 % of x explained"):
            self.assertIn(text, fit._repr_html_())
        self.assertNotIn("Correlation", fit._repr_html_(), "of one parameter there is none")
        with self.assertRaisesRegex(TypeError, "the first value of 'w' is a number, not the text 'fast'"):
            compiled.fit({"time": t, "x": x}, {"w": "fast"})
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "data.csv"
            np.savetxt(file, np.column_stack([t, x]), delimiter=",", header="time,x", comments="")
            self.assertAlmostEqual(compiled.fit(file, ["w"])["w"], 3.3, places=7)

    def test_tables_of_pandas(self):
        class Frame(dict):  # as much of a DataFrame as a fit needs
            columns = property(lambda self: list(self))
            to_dict = dict
            index = np.linspace(0, 2, 21)

        frame = Frame(x=np.cos(3.3 * Frame.index))
        compiled = dl.parse(SPRING).compile(tol=1e-10)
        self.assertAlmostEqual(compiled.fit(frame, {"w": 3.1})["w"], 3.3, places=7)
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        run = compiled.simulate(stop=2, intervals=20, parameters={"w": 3.3}).to_pandas()
        self.assertAlmostEqual(compiled.fit(run[["x"]], {"w": 3.1})["w"], 3.3, places=7)
        self.assertAlmostEqual(compiled.fit(run.reset_index()[["time", "x"]], {"w": 3.1})["w"], 3.3, places=7)

    def test_bad_data(self):
        compiled = dl.parse(SPRING).compile()
        with self.assertRaisesRegex(dl.ModelError, "no variable of Spring"):
            compiled.fit({"time": [0, 1], "q": [0, 1]}, ["w"])
        with self.assertRaisesRegex(ValueError, "not among the parameters"):
            compiled.fit({"time": [0, 1], "x": [0, 1]}, ["w"], bounds={"x": (0, 1)})
        with self.assertRaisesRegex(ValueError, "time"):
            compiled.fit({"x": [0, 1]}, ["w"])
        with self.assertRaisesRegex(TypeError, "DataFrame"):
            compiled.fit(([0, 1], [0, 1]), ["w"])


if __name__ == "__main__":
    unittest.main()
