"""Linearization from Python: arrays, names, modes, files; the mathematics is tested in C++."""
import json
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import driftless as dl

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])
MOTOR = """model Motor
  parameter Real R = 2, L = 0.1, K = 0.4, J = 0.05, b = 0.02;
  input Real u(start = 0);
  Real i(start = 0, fixed = true), w(start = 0, fixed = true), torque;
equation
  u = R*i + L*der(i) + K*w;
  torque = K*i;
  J*der(w) = torque - b*w;
end Motor;"""


class Linearize(unittest.TestCase):
    def setUp(self):
        self.motor = dl.parse(MOTOR).compile()

    def test_transfer_function_of_a_motor(self):
        lin = self.motor.linearize(outputs=["w"])
        self.assertEqual((lin.states, lin.inputs, lin.outputs), (["i", "w"], ["u"], ["w"]))
        s = 1j * np.logspace(-2, 3, 40)
        exact = 0.4 / ((0.1 * s + 2) * (0.05 * s + 0.02) + 0.16)
        np.testing.assert_allclose(lin.transfer(s)[:, 0, 0], exact, rtol=1e-12)
        np.testing.assert_allclose(np.sort(lin.eigenvalues), np.sort(np.linalg.eigvals(lin.A)), rtol=1e-12)
        self.assertEqual(len(lin.zeros), 0)
        self.assertTrue(lin.at_rest)

    def test_other_parameters_and_a_parameter_as_input(self):
        lin = self.motor.linearize(inputs=["u", "b"], outputs=["torque"], parameters={"J": 0.1}, starts={"w": 3.0})
        np.testing.assert_allclose(lin.A, [[-20, -4], [4, -0.2]])
        np.testing.assert_allclose(lin.B, [[10, 0], [0, -30]])
        np.testing.assert_allclose(lin.u, [0, 0.02])
        np.testing.assert_allclose(lin.C, [[0.4, 0]])

    def test_on_the_way_of_a_run(self):
        run = dl.Simulation(self.motor, stop=1.0)
        run.set(u=12.0)
        run.advance_to(0.5)
        lin = run.linearize(outputs=["w"])
        self.assertEqual(lin.t, 0.5)
        np.testing.assert_allclose(lin.x, [run["i"], run["w"]])
        np.testing.assert_allclose(lin.dx, [run["der(i)"], run["der(w)"]], rtol=1e-9)
        self.assertEqual(lin.u[0], 12.0)
        table = self.motor.linearize(at=0.5, outputs=["w"], drive={"u": 12.0})
        np.testing.assert_allclose(table.x, lin.x, rtol=1e-4)
        np.testing.assert_allclose(table.A, lin.A)

    def test_a_pendulum_of_index_3_at_rest(self):
        lin = dl.read(SOURCE / "models" / "pendulum.mo").linearize(steady=True, parameters={"g": 9.81, "L": 2.0},
                                                                    starts={"x": 0.1, "y": -2.0})
        self.assertAlmostEqual(lin.modes[0].natural_frequency, (9.81 / 2) ** 0.5, places=9)
        self.assertEqual(set(lin.modes[0].participation), {"x", "der(x)"})

    def test_texts_and_files(self):
        lin = self.motor.linearize(outputs=["w"])
        self.assertIn("modes", str(lin))
        self.assertIn("2 states, 1 inputs, 1 outputs", repr(lin))
        self.assertIn("<table", lin._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            for end in ("csv", "json", "mat"):
                lin.write(Path(folder) / f"motor.{end}")
            data = json.loads((Path(folder) / "motor.json").read_text())
            np.testing.assert_array_equal(data["A"], lin.A)
            self.assertEqual((Path(folder) / "motor.csv").read_text().split("\n")[0], "row,i,w,u")
            try:
                from scipy.io import loadmat
            except ImportError:
                return
            mat = loadmat(Path(folder) / "motor.mat")
            for name in "ABCD":
                np.testing.assert_array_equal(mat[name], getattr(lin, name))
            self.assertEqual([name.strip() for name in mat["states"]], lin.states)
            with self.assertRaises(ValueError):
                lin.write(Path(folder) / "motor.txt")

    def test_wrong_names(self):
        with self.assertRaisesRegex(dl.ModelError, "no input or parameter 'volts'") as caught:
            self.motor.linearize(inputs=["volts"])
        self.assertEqual(caught.exception.diagnostics[0].code, "D0630")
        with self.assertRaisesRegex(TypeError, "list of names"):
            self.motor.linearize(inputs="u")


if __name__ == "__main__":
    unittest.main()
