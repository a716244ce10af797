"""What is wrong is said in the words of the one who wrote it."""
import unittest

import numpy as np

import driftless as dl

DECAY = "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;"


class Models(unittest.TestCase):
    def test_of_names(self):
        m = dl.Model("M")
        for make in (m.variable, m.input, m.discrete, lambda name: m.parameter(name, 1)):
            with self.assertRaisesRegex(TypeError, "is a text, not int"):
                make(5)
        with self.assertRaisesRegex(TypeError, "name of a model is a text"):
            dl.Model(5)
        with self.assertRaisesRegex(TypeError, "text of a model is a text"):
            dl.parse(5)
        x = m.variable("time", start=1, fixed=True)
        m.equation(dl.der(x), -x)
        with self.assertRaisesRegex(dl.ModelError, "cannot be called time"):
            m.simulate()

    def test_of_numbers(self):
        m = dl.Model("M")
        k = m.parameter("k", 1)
        for wrong, message in ((lambda: m.variable("a", start=k / 2), "initial_equation"),
                               (lambda: m.variable("a", start="1"), "text '1'"),
                               (lambda: m.variable("a", fixed="yes"), "fixed is True or False, not 'yes'"),
                               (lambda: m.variable("a", unit=5), "unit is a text, not 5"),
                               (lambda: m.parameter("a", None), "not None"), (lambda: m.parameter("a", [1, "b"]), "array of numbers"),
                               (lambda: m.variable("a", shape="a"), "shape of 'a' is a number")):
            with self.assertRaisesRegex(TypeError, message):
                wrong()
        for wrong, message in ((lambda: m.variable("a", shape=2.5), "whole number"), (lambda: m.variable("a", shape=-1), "at least 0"),
                               (lambda: m.variable("a", shape=3, start=[1, 2]), r"starts have the shape \(2,\)")):
            with self.assertRaisesRegex(ValueError, message):
                wrong()
        self.assertEqual(m.variable("a", shape=np.int64(2)).shape, (2,))

    def test_of_functions(self):
        x = dl.Model("M").variable("x")
        for wrong in (lambda: np.maximum(x, 1), lambda: max(x, 1), lambda: np.where(x < 0, 1, 2)):
            with self.assertRaisesRegex(TypeError, "maximum"):
                wrong()


class Runs(unittest.TestCase):
    def test_the_mapping_that_is_meant(self):
        model = dl.parse(DECAY)
        for options, hint in (({"k": 3}, r"write parameters=\{'k': ...\}"), ({"x": 3}, r"write starts=\{'x': ...\}"),
                              ({"t_end": 3}, "the stop time is 'stop'"), ({"params": {}}, "is 'parameters'"),
                              ({"intervall": 3}, "did you mean 'intervals'")):
            for runs in (model.simulate, lambda **o: dl.sweep(model, {"k": [1]}, **o)):
                with self.subTest(options), self.assertRaisesRegex(TypeError, hint):
                    runs(**options)
        with self.assertRaisesRegex(dl.ModelError, "'x': it is a variable, and what can be given is its start"):
            model.simulate(parameters={"x": 1})
        with self.assertRaisesRegex(dl.ModelError, "'k': it is a parameter, and has no start"):
            model.simulate(starts={"k": 1})
        with self.assertRaisesRegex(TypeError, "parameters is a mapping"):
            model.simulate(parameters=[1])
        with self.assertRaisesRegex(TypeError, "inputs is a mapping"):
            model.simulate(inputs=5)

    def test_what_is_of_another_type_is_named(self):
        model = dl.parse(DECAY)
        for options, message in (({"method": 5}, "method is a text, not 5"), ({"dense": "no"}, "dense is True or False, not 'no'"),
                                 ({"intervals": 10**12}, "intervals is a whole number that is not too large"),
                                 ({"sensitivities": 5}, "sensitivities is a list of names")):
            with self.subTest(options), self.assertRaisesRegex(TypeError, message):
                model.simulate(**options)
        with self.assertRaisesRegex(ValueError, "whole number"):
            model.simulate(intervals=np.nan)
        solution = model.simulate()
        for wrong in (lambda: solution[0], lambda: solution.final(0), lambda: solution(0.5, 0.5)):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaisesRegex(TypeError, "is a text, not int"):
            solution[0]
        with self.assertRaisesRegex(TypeError, "are bytes, not str"):
            dl.Simulation.restore(model, "abc")

    def test_a_run_is_between_two_times(self):
        for span in ({"stop": np.nan}, {"stop": np.inf}, {"start": -np.inf}, {"start": np.nan}):
            with self.subTest(span), self.assertRaisesRegex((dl.ModelError, ValueError), "finite"):
                dl.parse(DECAY).simulate(**span)

    def test_a_sweep_says_what_is_wrong(self):
        compiled = dl.parse(DECAY).compile()
        for arguments, options, error, message in (
                (5, {}, TypeError, "mapping"), ({"k": None}, {}, TypeError, "numbers"), ({"k": ["a"]}, {}, TypeError, "numbers"),
                ({"k": [[1, 2], [3, 4]]}, {}, ValueError, "one row"), ({"k": [1]}, {"threads": -1}, ValueError, "threads is at least 1"),
                ({"k": [1]}, {"threads": 1.5}, ValueError, "whole"), ({"k": [1]}, {"seed": -1}, ValueError, "seed"),
                ({"k": [1]}, {"resume": True}, ValueError, "output"), ({"k": [1]}, {"keep": 5}, TypeError, "list of names")):
            with self.subTest(f"{arguments} {options}"), self.assertRaisesRegex(error, message):
                dl.sweep(compiled, arguments, **options)
        self.assertEqual(len(dl.sweep(compiled, {"k": 2})), 1)

    def test_a_finished_simulation_can_be_printed(self):
        run = dl.Simulation(dl.parse(DECAY))
        run.finish()
        self.assertIn("finished", repr(run))

    def test_bounds_are_pairs(self):
        compiled, data = dl.parse(DECAY).compile(), {"time": [0, 1], "x": [1, 0.5]}
        with self.assertRaisesRegex(TypeError, "pair"):
            compiled.fit(data, ["k"], {"k": 3})
        with self.assertRaisesRegex(TypeError, "list of names"):
            compiled.fit(data, 5)


if __name__ == "__main__":
    unittest.main()
