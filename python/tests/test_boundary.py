"""Boundary value problems: conditions at both ends of the interval."""
import os
import unittest
from pathlib import Path

import numpy as np

import driftless as dl

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])


def bratu(middle=None):
    m = dl.Model("Bratu")
    k = m.parameter("k", 1.0)
    y = m.variable("y", start=0, fixed=True)
    m.equation(dl.der(dl.der(y)), -k * dl.exp(y))
    m.final_equation(y == 0)
    if middle is not None:
        m.guess(y, 4 * middle * m.time * (1 - m.time))
    return m


def bratu_middle(k, upper):
    """y(1/2) = 2 ln cosh(a) with a = sqrt(k/8) cosh(a)."""
    a = 4.0 if upper else 0.0
    for _ in range(200):
        a = np.arccosh(a / np.sqrt(k / 8)) if upper else np.sqrt(k / 8) * np.cosh(a)
    return 2 * np.log(np.cosh(a))


class Boundary(unittest.TestCase):
    def test_both_solutions_of_bratu(self):
        low = bratu().solve_boundary(tol=1e-9)
        self.assertAlmostEqual(low("y", 0.5), bratu_middle(1.0, False), places=8)
        self.assertTrue(low.success and abs(low.final("y")) < 1e-12)
        self.assertIn("condition", low.summary())
        high = bratu(middle=4.0).solve_boundary(tol=1e-9)
        self.assertAlmostEqual(high("y", 0.5), bratu_middle(1.0, True), places=7)

    def test_parameters_of_one_model(self):
        m = bratu()
        for k in (0.5, 1.0, 2.0):
            run = m.solve_boundary(tol=1e-9, parameters={"k": k}, intervals=10)
            self.assertAlmostEqual(run["y"][5], bratu_middle(k, False), places=8)
            self.assertEqual(len(run), 11)
        self.assertAlmostEqual(m.solve_boundary(starts={"y": 0.1}, tol=1e-8)["y"][0], 0.1, places=12)

    def test_text_and_options(self):
        m = dl.read(SOURCE / "models/boundary/hessenberg2.mo")
        one = m.solve_boundary(method="gauss2", mesh=20)
        self.assertAlmostEqual(one.final("x1"), np.cos(np.sin(1)), places=7)
        self.assertEqual(one.statistics["steps"], 20, "intervals of the mesh")
        self.assertEqual(one.method, "gauss2")
        with self.assertRaisesRegex(ValueError, "gauss4"):
            m.solve_boundary(method="bdf")
        with self.assertRaisesRegex(ValueError, "one of the two"):
            m.solve_boundary(mesh=20, tol=1e-8)
        with self.assertRaisesRegex(TypeError, "continue_from"):
            m.solve_boundary(max_step=0.1)
        with self.assertRaisesRegex(dl.ModelError, "'q'"):
            m.solve_boundary(parameters={"q": 1})

    def test_what_has_no_solution(self):
        # Beyond k = 3.5138 there is none.
        with self.assertRaises(dl.RunError) as raised:
            bratu().solve_boundary(parameters={"k": 5.0})
        self.assertEqual(raised.exception.solution.outcome, "boundary_unsolved")
        self.assertFalse(bratu().solve_boundary(parameters={"k": 5.0}, raise_on_failure=False).success)

    def test_a_solution_is_followed_from_other_parameters(self):
        run = bratu().solve_boundary(parameters={"k": 3.5}, continue_from={"k": 1.0}, tol=1e-8)
        self.assertAlmostEqual(run("y", 0.5), bratu_middle(3.5, False), places=5)

    def test_conditions_that_are_missing(self):
        m = dl.Model("Open")
        y = m.variable("y")
        m.equation(dl.der(dl.der(y)), -y)
        m.final_equation(y, 1.0)
        with self.assertRaisesRegex(dl.ModelError, "condition"):
            m.solve_boundary()

    def test_the_same_model_runs_and_is_pickled(self):
        import pickle
        m = bratu()
        m.simulate(stop=0.1)
        expected = m.solve_boundary(tol=1e-8)["y"]
        other = pickle.loads(pickle.dumps(m)).solve_boundary(tol=1e-8)["y"]
        np.testing.assert_allclose(other, expected, atol=1e-12)
        copy = pickle.loads(pickle.dumps(m.solve_boundary(tol=1e-8)))
        np.testing.assert_array_equal(copy["y"], expected)


if __name__ == "__main__":
    unittest.main()
