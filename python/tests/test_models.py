"""Models from text and from expressions: closed forms, structure, errors."""
import os
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import driftless as dl

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])


def decay(k=1.0):
    m = dl.Model("Decay")
    rate = m.parameter("k", k)
    x = m.variable("x", start=1, fixed=True)
    m.equation(dl.der(x), -rate * x)
    return m


class Expressions(unittest.TestCase):
    def test_every_function_is_that_of_numpy(self):
        cases = {"sin": 0.3, "cos": 0.3, "tan": 0.3, "asin": 0.3, "acos": 0.3, "atan": 0.3, "sinh": 0.3, "cosh": 0.3,
                 "tanh": 0.3, "asinh": 0.3, "acosh": 1.3, "atanh": 0.3, "sqrt": 0.3, "exp": 0.3, "log": 0.3,
                 "log10": 0.3, "sign": -0.3, "floor": 1.7, "ceil": 1.2, "abs": -0.3}
        m = dl.Model("Functions")
        a = m.variable("a", start=1, fixed=True)
        m.equation(dl.der(a), 0)
        for name, value in cases.items():
            m.equation(m.variable(f"y_{name}"), getattr(dl, name)(value * a))
        solution = m.simulate(stop=0.1)
        for name, value in cases.items():
            self.assertAlmostEqual(solution.final(f"y_{name}"), float(getattr(dl, name)(value)), 14, name)

    def test_operators_with_numbers_on_both_sides(self):
        m = dl.Model("Operators")
        a = m.variable("a", start=3, fixed=True)
        m.equation(dl.der(a), 0)
        b = [m.variable(f"b{k}") for k in range(9)]
        values = [2 + a, a - 1, 5 - a, 2 * a, a / 2, 6 / a, a**2, -a, np.float64(2) * a]
        for left, right in zip(b, values):
            m.equation(left == right)
        solution = m.simulate(stop=0.1)
        self.assertEqual([solution.final(f"b{k}") for k in range(9)], [5, 2, 2, 6, 1.5, 2, 9, -3, 6])

    def test_numpy_functions_and_arrays_of_expressions(self):
        m = dl.Model("Arrays")
        x = m.variable("x", shape=(2, 2), start=[[1, 2], [3, 4]], fixed=True)
        m.equation(dl.der(x), np.zeros((2, 2)))
        total = m.variable("total")
        m.equation(total, np.sum(np.array([[1, 0], [0, 2]]) @ x) + np.sin(x[0, 0]))
        self.assertAlmostEqual(m.simulate(stop=0.1).final("total"), 17 + np.sin(1), 13)
        self.assertEqual(str(x[1, 0]), "x[2,1]")

    def test_expressions_have_neither_truth_nor_number(self):
        m = dl.Model("M")
        x, y = m.variable("x"), m.variable("y")
        for wrong in (lambda: bool(x), lambda: bool(x < y), lambda: x and y, lambda: bool(x == y), lambda: float(x),
                      lambda: x != y, lambda: x + "a"):
            with self.assertRaises(TypeError):
                wrong()

    def test_expressions_of_two_models_do_not_mix(self):
        a, b = dl.Model("A"), dl.Model("B")
        with self.assertRaises(dl.ModelError) as raised:
            a.variable("x") + b.variable("x")
        self.assertEqual(raised.exception.diagnostics[0].code, "D0243")

    def test_expressions_outlive_their_model(self):
        x = dl.Model("M").variable("x")
        self.assertEqual(str(dl.sin(x) + 1), "sin(x) + 1")


class Building(unittest.TestCase):
    def test_conditions(self):
        m = dl.Model("Switch")
        x = m.variable("x", start=0, fixed=True)
        m.equation(dl.der(x), dl.if_else((m.time < 1) & ~(m.time < 0.5), 2, 1))
        self.assertAlmostEqual(m.simulate(stop=2).final("x"), 2.5, 6)

    def test_a_compiled_model_takes_no_further_equations(self):
        m = decay()
        m.compile()
        with self.assertRaisesRegex(RuntimeError, "has been compiled"):
            m.variable("y")
            m.equation(m.variable("z"), 1 + dl.sin(m.variable("w")))

    def test_models_that_were_read_take_no_parts(self):
        m = dl.parse("model A Real x; equation der(x) = 1; end A;")
        with self.assertRaisesRegex(TypeError, "read from text"):
            m.variable("y")

    def test_equations_have_two_sides(self):
        m = dl.Model("M")
        with self.assertRaisesRegex(TypeError, "two sides"):
            m.equation(m.variable("x"))

    def test_everything_that_is_wrong_is_told(self):
        m = dl.Model("Wrong")
        x, y = m.variable("x", nominal=-1), m.variable("y", min=2, max=1)
        m.equation(x, 1)
        m.equation(y, 1)
        with self.assertRaises(dl.ModelError) as raised:
            m.simulate()
        self.assertEqual(len(raised.exception.diagnostics), 2)
        self.assertIsNone(raised.exception.diagnostics[0].line)

    def test_trace_counts_residuals(self):
        with self.assertRaisesRegex(ValueError, "need 2 residuals"):
            dl.trace("F", 2, lambda t, x, dx: [dx[0]])

    def test_state_select_is_checked(self):
        with self.assertRaisesRegex(ValueError, "state_select"):
            dl.Model("M").variable("x", state_select="often")


class Reading(unittest.TestCase):
    def test_a_file(self):
        m = dl.read(SOURCE / "models" / "pendulum.mo", overrides={"L": 2})
        self.assertEqual(m.parameters["L"], 2.0)
        a = m.analyze()
        self.assertEqual((a.index, a.degrees_of_freedom, len(a.hidden_constraints)), (3, 2, 2))
        self.assertIn("<table>", a._repr_html_())
        self.assertEqual(m.experiment_annotation["stop"], 10)

    def test_a_model_of_a_library(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "Small.mo").write_text(
                "package Small model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay; end Small;")
            m = dl.read("Small.Decay", libraries=[folder])
            self.assertAlmostEqual(m.simulate(tol=1e-9).final("x"), np.exp(-1), 8)
        for file in sorted((SOURCE / "models" / "library").glob("*.mo"))[:2]:
            self.assertTrue(dl.read(file, libraries=[SOURCE / "libraries"]).simulate().success)

    def test_errors_have_their_places(self):
        with self.assertRaises(dl.ModelError) as raised:
            dl.parse("model A\n  Real x;\nequation\n  der(x) = zz;\nend A;", name="a.mo")
        d = raised.exception.diagnostics[0]
        self.assertEqual((d.code, d.file, d.line, d.column, d.severity), ("D0201", "a.mo", 4, 12, "error"))
        self.assertIn("a.mo:4:12", str(raised.exception))
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual(again.diagnostics, raised.exception.diagnostics)

    def test_singular_models_are_explained(self):
        m = dl.parse("model A\n  Real x, y;\nequation\n  x = 1;\n  x = 2;\nend A;")
        with self.assertRaises(dl.ModelError) as raised:
            m.analyze()
        self.assertTrue(raised.exception.diagnostics[0].line)
        self.assertTrue(raised.exception.diagnostics[0].notes)

    def test_missing_files(self):
        with self.assertRaises(dl.ModelError) as raised:
            dl.read("/no/such/file.mo")
        self.assertEqual(raised.exception.diagnostics[0].code, "D0801")


class Starts(unittest.TestCase):
    def test_the_start_is_examined(self):
        m = dl.parse("""model A
          Real x(start = 1, fixed = true), y(start = 2, fixed = true);
        equation
          x^2 + y^2 = 1; der(x) + der(y) = y;
        end A;""")
        report = m.examine_start()
        self.assertFalse(report.found)
        self.assertIn("no consistent start", str(report))
        self.assertTrue(report._repr_html_())

    def test_a_steady_state_and_its_modes(self):
        m = dl.parse("model A Real x(start = 1); equation der(x) = 2 - 4*x; end A;")
        state = m.steady_state()
        self.assertTrue(state.found and state.stability == "stable")
        self.assertAlmostEqual(state["x"], 0.5, 12)
        self.assertAlmostEqual(state.modes[0], -4, 10)


class Pickling(unittest.TestCase):
    def test_models_by_their_text(self):
        for m in (decay(2.0), dl.parse("model D parameter Real k = 2; Real x(start = 1, fixed = true); "
                                       "equation der(x) = -k*x; end D;")):
            again = pickle.loads(pickle.dumps(m.compile(tol=1e-9)))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertEqual(again.simulate().final("x"), m.compile(tol=1e-9).simulate().final("x"))

    def test_models_with_events_by_their_text(self):
        m = dl.Model("Ball")
        h = m.variable("h", start=1, fixed=True)
        m.equation(dl.der(h), -1)
        m.reinit(m.when(h < 0), h, 1)
        again = pickle.loads(pickle.dumps(m)).simulate(stop=2.5)
        self.assertEqual([e.time for e in again.events], [e.time for e in m.simulate(stop=2.5).events])
        self.assertAlmostEqual(again.final("h"), 0.5, 9)


class RefusedParts(unittest.TestCase):
    """A part that is refused leaves the model as it was: the next cell of a notebook goes on with it."""

    def setUp(self):
        self.model = dl.Model("Decay")
        x = self.model.variable("x", start=1, fixed=True)
        self.model.equation(dl.der(x), -x)

    def test_a_name_twice(self):
        for declare in (self.model.variable, self.model.input, self.model.discrete):
            with self.assertRaisesRegex(dl.ModelError, "'x' already") as raised:
                declare("x")
            self.assertEqual(raised.exception.diagnostics[0].code, "D0202")
        self.assertTrue(self.model.simulate().success)

    def test_parts_of_a_compiled_model(self):
        first = self.model.simulate()
        for _ in range(2):
            with self.assertRaisesRegex(RuntimeError, "has been compiled"):
                self.model.variable("late")
        self.assertEqual(self.model.simulate().final("x"), first.final("x"))
        self.assertEqual([v["name"] for v in self.model.variables], ["x"])


class EquationsOfArrays(unittest.TestCase):
    def rod(self, write):
        m = dl.Model("Rod")
        h = m.variable("h", shape=3, start=[1, 2, 3], fixed=True)
        write(m, h)
        return m.simulate(stop=1, tol=1e-10).final("h")

    def test_two_equals_signs(self):
        expected = np.array([1, 2, 3]) * np.exp(-1)
        for write in (lambda m, h: m.equation(dl.der(h), -h), lambda m, h: m.equation(dl.der(h) == -h),
                      lambda m, h: m.equation(np.asarray(-h) == dl.der(h)), lambda m, h: m.equation(list(dl.der(h) == -h)),
                      lambda m, h: m.equation(0 == dl.der(h) + h), lambda m, h: m.equation(h + dl.der(h) == np.zeros(3))):
            np.testing.assert_allclose(self.rod(write), expected, atol=1e-8)

    def test_conditions_of_elements(self):
        m = dl.Model("Two")
        x = m.variable("x", shape=2, start=[1, -1], fixed=True)
        m.equation(dl.der(x), dl.if_else(x < 0, 1, np.array([2, 3])))
        np.testing.assert_allclose(m.simulate(stop=0.5).final("x"), [2, -0.5], atol=1e-9)

    def test_what_is_no_equation(self):
        m = dl.Model("M")
        x = m.variable("x", shape=2)
        for wrong in (True, np.array([1.0, 2.0]) == np.array([1.0, 2.0])):
            with self.assertRaisesRegex(TypeError, "compared numbers"):
                m.equation(wrong)
        with self.assertRaisesRegex(TypeError, "two sides"):
            m.equation(x)
        with self.assertRaisesRegex(TypeError, "or both"):
            m.equation(x == 1, 2)
        with self.assertRaisesRegex(ValueError, "shape"):
            m.equation(x == np.zeros(3))


class Functions(unittest.TestCase):
    def test_of_numpy(self):
        m = dl.Model("M")
        x = m.variable("x", start=0.25, fixed=True)
        m.equation(dl.der(x), 1)
        expected, value = {}, 0.25 + 2.5
        for k, (f, *others) in enumerate(((np.arctan2, 2.0), (np.hypot, 2.0), (np.deg2rad,), (np.radians,), (np.rad2deg,), (np.degrees,))):
            y = m.variable(f"y{k}")
            m.equation(y, f(x, *others))
            expected[f"y{k}"] = f(value, *others)
        for name, f in (("quotient", lambda a: a // 0.7), ("rest", lambda a: a % 0.7), ("inverse", lambda a: 5 % a)):
            m.equation(m.variable(name), f(x))
            expected[name] = f(value)
        solution = m.simulate(stop=2.5)
        for name, number in expected.items():
            self.assertAlmostEqual(solution.final(name), number, 9, name)

    def test_a_model_keeps_its_name_in_a_pickle(self):
        m = dl.Model("Decay")
        x = m.variable("x", start=1, fixed=True)
        m.equation(dl.der(x), -x)
        other = pickle.loads(pickle.dumps(m))
        self.assertEqual(other.name, "Decay")
        self.assertEqual(other.simulate().model, "Decay")
        analysis = pickle.loads(pickle.dumps(m.analyze()))
        self.assertEqual(str(analysis), str(m.analyze()))


class Explanations(unittest.TestCase):
    def test_of_codes_and_of_errors(self):
        self.assertIn("D0302", dl.explain("D0302"))
        self.assertIn("D0301", dl.explain(), "a list of all")
        with self.assertRaises(dl.ModelError) as raised:
            dl.parse("model M Real x; equation der(x) = z; der(x) = q; end M;")
        self.assertEqual(dl.explain(raised.exception).strip(), dl.explain("D0201").strip(), "once, although it was met twice")
        with self.assertRaises(dl.RunError) as failed:
            dl.parse("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;").simulate(stop=2)
        self.assertEqual(dl.explain(failed.exception), dl.explain("D0703"))

    def test_of_something_else(self):
        with self.assertRaisesRegex(ValueError, "no code 'D9999'"):
            dl.explain("D9999")
        with self.assertRaisesRegex(TypeError, "not int"):
            dl.explain(302)


if __name__ == "__main__":
    unittest.main()
