"""Runs and what they leave: values, lifetimes, threads, Ctrl-C, executors."""
import concurrent.futures
import gc
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np

import driftless as dl

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])
DECAY = "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;"
# A chain of oscillators that keeps a method busy: tens of thousands of steps per second.
LONG = """model Long
  Real x[20](each start = 1, each fixed = true), v[20](each start = 0, each fixed = true);
equation
  for i in 1:20 loop
    der(x[i]) = v[i];
    der(v[i]) = -i^2*sin(x[i]);
  end for;
end Long;"""


def final_of(k):
    """At the top of the module, so that processes can import it."""
    return dl.parse(DECAY).compile(tol=1e-9).simulate(parameters={"k": k}).final("x")


def solution_until(stop):
    return dl.parse("model Blowup Real x(start = 1, fixed = true); equation der(x) = x^2; end Blowup;").simulate(stop=stop)


class Solutions(unittest.TestCase):
    def setUp(self):
        self.solution = dl.parse(DECAY).simulate(stop=2, tol=1e-10, parameters={"k": 2})

    def test_values_are_those_of_the_closed_form(self):
        s = self.solution
        np.testing.assert_allclose(s["x"], np.exp(-2 * s.t), atol=1e-9)
        np.testing.assert_allclose(s["der(x)"], -2 * np.exp(-2 * s.t), atol=1e-8)
        times = np.linspace(0, 2, 77).reshape(7, 11)
        np.testing.assert_allclose(s("x", times), np.exp(-2 * times), atol=1e-8)
        self.assertEqual(s(["x", "k", "time"], times).shape, (3, 7, 11))
        self.assertIsInstance(s("x", 0.3), float)
        self.assertEqual(s["k"], 2.0)
        self.assertEqual(s.parameters, {"k": 2.0})
        self.assertEqual(s.names[0], "x")
        self.assertTrue("x" in s and "y" not in s)

    def test_report_is_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "decay.html"
            self.solution.report(path, "der(x)")
            page = path.read_text()
            self.assertTrue(page.startswith("<!DOCTYPE html>"))
            self.assertIn('"shown":["der(x)"]', page)
            self.assertIn("<td>k</td><td>2</td>", page, "the parameter of this run")
            dl.read(SOURCE / "models/slider_crank.mo").simulate(stop=0.1).report(path)
            self.assertIn('"declared":true', path.read_text(), "the animation of the model")
            crank = dl.Model("Crank")
            angle = crank.variable("angle", start=0, fixed=True)
            crank.equation(dl.der(angle), 1.0)
            crank.animation(points={"pivot": (0, 0)}, circles={"path": (0, 0, 2)})
            crank.animation(lines={"arm": [(0, 0), (2 * dl.cos(angle), 2 * dl.sin(angle))]})
            crank.simulate(stop=0.1).report(path)
            self.assertIn('"declared":true', path.read_text(), "the animation of a model made of expressions")
            for wrong, why in (({"points": {"p": (1,)}}, "is .x, y. or .x, y, z."), ({"points": {"p": (1, 2, 3)}}, "3 coordinates"),
                               ({"lines": {"arm": [(0, 0), (1, 1)]}}, "two shapes"), ({"lines": {"l": [(0, 0)]}}, "two or more")):
                with self.assertRaisesRegex(ValueError, why):
                    crank.animation(**wrong)
            with self.assertRaisesRegex(ValueError, "ends in .html"):
                self.solution.report(Path(folder) / "decay.pdf")
            with self.assertRaisesRegex(KeyError, "no variable or parameter 'y'"):
                self.solution.report(path, "y")

    def test_unknown_names_and_times(self):
        for wrong in (lambda: self.solution["y"], lambda: self.solution("y", 1.0)):
            with self.assertRaisesRegex(KeyError, "no variable or parameter 'y'"):
                wrong()
        with self.assertRaisesRegex(ValueError, "between 0 and 2"):
            self.solution("x", 3.0)
        with self.assertRaisesRegex(ValueError, "dense"):
            dl.parse(DECAY).simulate(dense=False)("x", 0.5)

    def test_arrays_are_views_that_cannot_be_written(self):
        s = self.solution
        x = s["x"]
        self.assertFalse(x.flags.owndata)
        self.assertTrue(np.shares_memory(x, s.values))
        with self.assertRaises(ValueError):
            x[0] = 5.0
        with self.assertRaises(ValueError):
            s.values[0, 0] = 5.0

    def test_views_outlive_the_solution(self):
        expected = np.array(self.solution["x"])
        x, t = self.solution["x"], self.solution.t
        del self.solution
        gc.collect()
        filler = [np.full(5000, k, dtype=float) for k in range(200)]  # takes memory that may have been freed
        np.testing.assert_array_equal(x, expected)
        self.assertEqual(t[-1], 2.0)
        self.assertEqual(len(filler), 200)

    def test_text_html_and_files(self):
        s = dl.read(SOURCE / "models" / "pendulum.mo").simulate(stop=1)
        self.assertIn("drift", s.summary())
        self.assertIn("Drift certificate", s._repr_html_())
        self.assertTrue(all(entry.kept for entry in s.certificate) and len(s.certificate) == 3)
        self.assertGreater(s.statistics["steps"], 0)
        self.assertIn("success", repr(s))
        with tempfile.TemporaryDirectory() as folder:
            s.write(Path(folder) / "p.csv")
            table = np.genfromtxt(Path(folder) / "p.csv", delimiter=",", names=True)
            np.testing.assert_array_equal(table["x"], s["x"])
            with self.assertRaisesRegex(OSError, ".csv, .mat or .json"):
                s.write("x.txt")
            with self.assertRaises(OSError):
                s.write("/no/such/folder/x.csv")

    def test_missing_packages_are_named(self):
        program = textwrap.dedent(f"""
            import sys
            sys.modules["pandas"] = sys.modules["matplotlib"] = None
            import driftless as dl
            s = dl.parse({DECAY!r}).simulate()
            for f in (s.to_pandas, s.plot):
                try: f()
                except ImportError as e: print(e)""")
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        self.assertIn("python3-pandas", out)
        self.assertIn("python3-matplotlib", out)

    def test_pandas_and_plots_where_they_are(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        frame = self.solution.to_pandas()
        self.assertEqual(frame["x"].iloc[-1], self.solution.final("x"))
        self.assertEqual(frame.index.name, "time")

    def test_events(self):
        m = dl.Model("Ball")
        h, v = m.variable("h", start=1, fixed=True), m.variable("v", start=0, fixed=True)
        m.equation(dl.der(h), v)
        m.equation(dl.der(v), -9.81)
        m.reinit(m.when(h < 0), v, -0.8 * v)
        s = m.simulate(stop=1, tol=1e-8)
        self.assertEqual(len(s.events), 1)
        event = s.events[0]
        self.assertAlmostEqual(event.time, np.sqrt(2 / 9.81), 7)
        jump = next(j for j in event.jumps if j.name == "v")
        self.assertAlmostEqual(jump.after / jump.before, -0.8, 9)
        self.assertIn("v", s.event_table())


class Arrays(unittest.TestCase):
    """The name of an array stands for all its elements."""

    def setUp(self):
        self.model = dl.Model("Rods")
        self.rate = self.model.parameter("k", [1.0, 2.0, 3.0])
        x = self.model.variable("x", shape=(2, 3), start=1, fixed=True)
        self.model.equation(dl.der(x), -self.rate * x)
        self.solution = self.model.simulate(stop=1, tol=1e-10, intervals=10)

    def test_values_have_the_shape_of_the_array(self):
        x = self.solution["x"]
        self.assertEqual(x.shape, (11, 2, 3))
        self.assertTrue((x[:, 1, 2] == self.solution["x[2,3]"]).all())
        self.assertTrue(np.allclose(self.solution["der(x)"], -np.array([1.0, 2.0, 3.0]) * x))
        self.assertEqual(self.solution.final("x").shape, (2, 3))
        self.assertEqual(self.solution["k"].tolist(), [1.0, 2.0, 3.0])
        self.assertEqual(self.solution.final("k").tolist(), [1.0, 2.0, 3.0])
        self.assertIn("x", self.solution)
        self.assertNotIn("y", self.solution)

    def test_dense_output_adds_the_shape_behind_that_of_the_times(self):
        self.assertEqual(self.solution("x", 0.5).shape, (2, 3))
        at = self.solution("x", [0.2, 0.5, 0.7, 1.0])
        self.assertEqual(at.shape, (4, 2, 3))
        self.assertEqual(at[1, 0, 2], self.solution("x[1,3]", 0.5))

    def test_parameters_and_starts(self):
        run = self.model.simulate(stop=1, tol=1e-10, parameters={"k": [0, 1, 2]}, starts={"x": np.full((2, 3), 2.0)})
        self.assertTrue(np.allclose(run.final("x"), 2 * np.exp([[0, -1, -2]] * 2), atol=1e-8))
        with self.assertRaisesRegex(dl.ModelError, r"x\[1\]"):
            self.model.simulate(starts={"x": [1, 2]})

    def test_a_simulation(self):
        run = dl.Simulation(self.model, stop=1)
        self.assertEqual(run["x"].tolist(), [[1.0] * 3] * 2)
        with self.assertRaises(KeyError):
            run["y"]

    def test_starts_give_the_shape(self):
        m = dl.Model("Two")
        y = m.variable("y", start=[1.0, 3.0], fixed=True)
        m.equation(dl.der(y), np.zeros(2))
        self.assertEqual(m.simulate().final("y").tolist(), [1.0, 3.0])

    def test_sensitivities(self):
        run = self.model.simulate(stop=1, tol=1e-9, sensitivities=["k[2]"])
        self.assertTrue(np.allclose(run.sensitivity("x", "k[2]")[-1], [[0, -np.exp(-2), 0]] * 2, atol=1e-7))
        with self.assertRaisesRegex(KeyError, "sensitivities="):
            run.sensitivity("x", "k[1]")


class Pickles(unittest.TestCase):
    def test_a_solution_has_the_same_values(self):
        solution = dl.parse(DECAY).simulate(stop=1, tol=1e-9, sensitivities=["k"])
        other = pickle.loads(pickle.dumps(solution))
        self.assertTrue((other["x"] == solution["x"]).all() and (other.t == solution.t).all())
        self.assertTrue((other.sensitivity("x", "k") == solution.sensitivity("x", "k")).all())
        self.assertEqual(other.summary(80), solution.summary(80))
        with self.assertRaisesRegex(ValueError, "no dense output"):
            other("x", 0.5)
        with tempfile.TemporaryDirectory() as folder:
            other.report(Path(folder) / "page.html")

    def test_events_and_their_sensitivities(self):
        solution = dl.read(SOURCE / "models/hybrid/bouncing_ball.mo").simulate(stop=1.5, sensitivities=["e"])
        other = pickle.loads(pickle.dumps(solution))
        self.assertEqual(other.events, solution.events)
        self.assertTrue((other.event_time_sensitivity("e") == solution.event_time_sensitivity("e")).all())

    def test_a_model_that_was_built_comes_along(self):
        m = dl.Model("Ball")
        h, v = m.variable("h", start=1, fixed=True), m.variable("v", start=0, fixed=True)
        m.equation(dl.der(h), v)
        m.equation(dl.der(v), -9.81)
        m.reinit(m.when(h < 0), v, -0.8 * v)
        other = pickle.loads(pickle.dumps(m.simulate(stop=0.7)))
        self.assertEqual(len(other.events), 1)
        with tempfile.TemporaryDirectory() as folder:
            other.report(Path(folder) / "page.html")
            self.assertIn("Ball", (Path(folder) / "page.html").read_text())

    def test_a_failed_run_of_another_process_tells_why(self):
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            good = pool.submit(solution_until, 0.5).result(timeout=60)
            with self.assertRaisesRegex(dl.RunError, "Blowup") as raised:
                pool.submit(solution_until, 2.0).result(timeout=60)
        self.assertAlmostEqual(good.final("x"), 2.0, places=4)
        self.assertAlmostEqual(raised.exception.solution.reached, 1.0, places=3)
        self.assertEqual(raised.exception.code, "D0703")


class Requests(unittest.TestCase):
    def test_a_simulation_of_a_model_takes_the_options_of_both(self):
        run = dl.Simulation(dl.parse(DECAY), method="radau", stop=2, tol=1e-8)
        self.assertIn("t = 0 of 2", repr(run))
        self.assertIn("radau", run.finish().method)
        self.assertEqual(dl.parse(DECAY).linearize(method="bdf", at=0.5).A.tolist(), [[-1.0]])

    def test_the_option_that_is_meant(self):
        with self.assertRaisesRegex(TypeError, "the tolerance is 'tol'"):
            dl.parse(DECAY).simulate(rtol=1e-3)
        with self.assertRaisesRegex(TypeError, "one of compile"):
            dl.parse(DECAY).compile().simulate(method="bdf")

    def test_numbers_are_numbers(self):
        model = dl.parse(DECAY)
        with self.assertRaisesRegex(TypeError, "stop is a number, not the text '2'"):
            model.simulate(stop="2")
        with self.assertRaisesRegex(TypeError, "tol is a number, not list"):
            model.simulate(tol=[1e-6])
        with self.assertRaisesRegex(ValueError, "whole number"):
            model.simulate(intervals=10.5)
        self.assertEqual(len(model.simulate(stop=np.float32(1), intervals=10.0)), 11)
        with self.assertRaisesRegex(ValueError, "before the start time"):
            model.simulate(stop=-2)

    def test_what_drives_an_input(self):
        lag = dl.parse("model Lag input Real u(start = 0); Real x(start = 0, fixed = true); equation der(x) = u - x; end Lag;")
        with self.assertRaisesRegex(TypeError, "input 'u' gives NoneType at t = 0"):
            lag.simulate(inputs={"u": lambda t: None})

        class Series:  # as much of a Series as an input needs
            index = [0.0, 1.0]

            def to_numpy(self):
                return [2.0, 2.0]

        self.assertAlmostEqual(lag.simulate(inputs={"u": Series()}, tol=1e-9).final("x"), 2 - 2 * np.exp(-1), places=7)

    def test_a_name_that_is_almost_right(self):
        solution = dl.parse("model M Real height(start = 1, fixed = true); equation der(height) = 0; end M;").simulate()
        with self.assertRaisesRegex(KeyError, "height"):
            solution["heigth"]


class Failures(unittest.TestCase):
    BLOWUP = "model Blowup Real x(start = 1, fixed = true); equation der(x) = x^2; end Blowup;"

    def test_a_failed_run_raises_and_keeps_what_it_has(self):
        with self.assertRaises(dl.RunError) as raised:
            dl.parse(self.BLOWUP).simulate(stop=2)
        s = raised.exception.solution
        self.assertTrue(0.9 < s.reached <= 1.0 and not s.success and s.code and s.code in str(raised.exception))
        k = np.searchsorted(s.t, 0.5)
        self.assertAlmostEqual(s["x"][k], 1 / (1 - s.t[k]), 4)
        self.assertFalse(dl.parse(self.BLOWUP).simulate(stop=2, raise_on_failure=False).success)

    def test_wrong_options(self):
        m = dl.parse(DECAY)
        for options, error, text in (({"method": "bfd"}, ValueError, "no method 'bfd'"),
                                     ({"formulation": "x"}, ValueError, "no formulation"),
                                     ({"tol": 5}, ValueError, "not between"), ({"tolerance": 1}, TypeError, "no option"),
                                     ({"method": "bdf2"}, ValueError, "step"), ({"backend": "x"}, ValueError, "backend"),
                                     ({"parameters": {"q": 1}}, dl.ModelError, "'q'"),
                                     ({"parameters": {"k": "a"}}, TypeError, "not a number"),
                                     ({"starts": {"y": 1}}, dl.ModelError, "'y'")):
            with self.subTest(options), self.assertRaisesRegex(error, text):
                m.simulate(**options)

    def test_errors_of_input_functions_are_raised(self):
        m = dl.parse("model L input Real u; Real x(start = 0, fixed = true); equation der(x) = u; end L;")
        with self.assertRaises(ZeroDivisionError):
            m.simulate(inputs={"u": lambda t: 1 / 0})
        with self.assertRaisesRegex(TypeError, "driven by"):
            m.simulate(inputs={"u": "abc"})
        self.assertAlmostEqual(m.simulate(inputs={"u": 2}).final("x"), 2, 9)


class Interruption(unittest.TestCase):
    def test_progress_is_called_and_can_end_a_run(self):
        seen = []

        def progress(t):
            seen.append(t)
            return len(seen) < 3

        with self.assertRaises(dl.Interrupted) as raised:
            dl.parse(LONG).simulate(stop=1e6, tol=1e-8, intervals=10, dense=False, method="dopri5", progress=progress)
        self.assertEqual(len(seen), 3)
        self.assertEqual(raised.exception.solution.outcome, "interrupted")
        self.assertGreaterEqual(raised.exception.solution.reached, seen[-1])

    def test_errors_of_progress_are_raised(self):
        def progress(t):
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            dl.parse(LONG).simulate(stop=1e6, intervals=10, dense=False, method="dopri5", progress=progress)

    def test_ctrl_c_keeps_what_was_computed(self):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt) as raised:
            dl.parse(LONG).simulate(stop=1e6, tol=1e-8, intervals=1000000, dense=False, method="dopri5")
        self.assertLess(time.monotonic() - begin, 5.0)
        self.assertIsInstance(raised.exception, dl.Interrupted)
        self.assertEqual(raised.exception.solution.outcome, "interrupted")
        self.assertGreater(len(raised.exception.solution), 10)

    def test_ctrl_c_ends_a_sweep(self):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(dl.Interrupted) as raised:
            dl.sweep(dl.parse(DECAY), {"k": "uniform(1,2)"}, runs=5_000_000)
        self.assertGreater(len(raised.exception.solution), 10)


class Threads(unittest.TestCase):
    def test_other_threads_go_on_while_a_run_computes(self):
        # If the run held Python's lock, this thread could not count.
        counts, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counts[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        compiled = dl.parse(LONG).compile(tol=1e-9, intervals=10, dense=False, method="dopri5")
        before = counts[0]
        compiled.simulate(stop=800.0)
        counted = counts[0] - before
        stop.set()
        thread.join()
        self.assertGreater(counted, 10)  # a run that keeps the lock lets it count once or twice

    def test_two_threads_give_the_bits_of_one(self):
        compiled = dl.parse(LONG).compile(tol=1e-8, stop=5.0)
        alone = compiled.simulate().values
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for s in pool.map(lambda _: compiled.simulate(), range(6)):
                np.testing.assert_array_equal(s.values, alone)

    def test_a_model_that_nobody_has_compiled_in_many_threads(self):
        # Analyses add expressions to the model's pool, so the model lets only one thread do so at a time.
        def read():
            return dl.read(SOURCE / "models" / "chain.mo", overrides={"N": 60})

        expected = read().simulate(stop=0.01).values
        for _ in range(4):
            m, gate = read(), threading.Barrier(4)

            def together(f, *arguments):
                gate.wait()
                return f(*arguments)

            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                tasks = [pool.submit(together, lambda: m.simulate(stop=0.01)) for _ in range(3)]
                look = pool.submit(together, m.analyze)
                for task in tasks:
                    np.testing.assert_array_equal(task.result().values, expected)
                self.assertEqual(look.result().index, 3)

    def test_one_simulation_in_two_threads(self):
        run = dl.Simulation(dl.parse(LONG).compile(tol=1e-6), stop=50.0)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            looks = pool.submit(lambda: [run.value("x[1]") for _ in range(200)])
            run.advance_to(50.0)
            self.assertEqual(len(looks.result()), 200)

    def test_executors_of_processes(self):
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=__import__("multiprocessing").get_context("spawn")) as pool:
            for k, x in zip((1.0, 2.0), pool.map(final_of, (1.0, 2.0))):
                self.assertAlmostEqual(x, np.exp(-k), 7)


class Simulations(unittest.TestCase):
    def test_a_run_advances_changes_and_is_restored(self):
        compiled = dl.parse(DECAY).compile(tol=1e-10, stop=2)
        run = dl.Simulation(compiled)
        run.advance_to(1.0)
        self.assertAlmostEqual(run["x"], np.exp(-1), 9)
        run.set(k=3.0)
        saved = run.save()
        again = dl.Simulation.restore(compiled, saved)
        self.assertEqual(again.time, 1.0)
        a, b = run.finish(), again.finish()
        self.assertAlmostEqual(a.final("x"), np.exp(-4), 9)
        np.testing.assert_array_equal(a.values, b.values)

    def test_what_cannot_be_done(self):
        compiled = dl.parse(DECAY).compile(stop=2)
        run = dl.Simulation(compiled)
        run.advance_to(1.0)
        with self.assertRaisesRegex(ValueError, "cannot be advanced"):
            run.advance_to(0.5)
        with self.assertRaisesRegex(KeyError, "no variable or parameter 'y'"):
            run.value("y")
        with self.assertRaises(dl.ModelError):
            run.set(y=1.0)
        with self.assertRaises(ValueError):
            dl.Simulation.restore(compiled, b"damaged")
        run.finish()
        with self.assertRaisesRegex(RuntimeError, "finished"):
            run.advance_to(2.0)

    def test_a_failure_on_the_way(self):
        run = dl.Simulation(dl.parse(Failures.BLOWUP), stop=2)
        with self.assertRaises(dl.RunError) as raised:
            run.advance_to(1.5)
        self.assertGreater(len(raised.exception.solution), 10)


class Sweeps(unittest.TestCase):
    def test_arrays_and_distributions(self):
        s = dl.sweep(dl.parse(DECAY).compile(tol=1e-10), {"k": [1, 2, 3], "x": "uniform(1,2)"}, runs=30, seed=4)
        np.testing.assert_allclose(s["x"], s.values[:, 1] * np.exp(-s["k"]), atol=1e-8)
        self.assertEqual(len(s), 30)
        self.assertTrue(s.succeeded.all())
        self.assertIn("median", str(s))
        self.assertIn("<table>", s._repr_html_())
        np.testing.assert_allclose(s.quantiles("x", 0.5), np.median(s["x"]))

    def test_threads_and_resumption_give_the_same_bytes(self):
        compiled = dl.parse(DECAY).compile(tol=1e-8)
        vary = {"k": "normal(1,0.1)"}
        with tempfile.TemporaryDirectory() as folder:
            one, two = Path(folder) / "one.csv", Path(folder) / "two.csv"
            dl.sweep(compiled, vary, runs=2000, threads=1, output=one)
            seen = []
            try:
                dl.sweep(compiled, vary, runs=2000, threads=2, output=two, progress=lambda n: bool(seen.append(n)))
            except dl.Interrupted as error:
                self.assertLess(len(error.solution), 2000)
            resumed = dl.sweep(compiled, vary, runs=2000, threads=2, output=two, resume=True)
            self.assertEqual(len(resumed), 2000)
            self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_a_model_that_is_not_compiled_takes_all_options_and_one_name_may_stand_alone(self):
        s = dl.sweep(dl.parse(DECAY), {"k": [1, 2]}, keep="max(x)", trajectories="x", method="radau", tol=1e-9, stop=1)
        self.assertEqual((s.kept, s.followed), (["max(x)"], ["x"]))
        np.testing.assert_allclose(s.trajectory("x")[:, -1], np.exp([-1, -2]), atol=1e-7)
        with self.assertRaisesRegex(KeyError, "'y' is neither varied nor kept: there are k, max.x."):
            s["y"]
        with self.assertRaisesRegex(TypeError, "Simulation has no option 'methods': .* method, "):
            dl.Simulation(dl.parse(DECAY), methods="radau")
        with self.assertRaisesRegex(TypeError, "sweep has no option 'methods': .* method, "):
            dl.sweep(dl.parse(DECAY), {"k": [1, 2]}, methods="radau")

    def test_another_table_of_an_input_is_another_sweep(self):
        m = dl.parse("model L parameter Real k = 1; input Real u; Real x(start = 0, fixed = true); equation der(x) = k*u; end L;")
        times, values = np.linspace(0, 1, 3000), np.zeros(3000)
        with tempfile.TemporaryDirectory() as folder:
            def run(**options):
                return dl.sweep(m.compile(), {"k": "uniform(1,2)"}, runs=3000, output=Path(folder) / "s.csv",
                                inputs={"u": (times, values)}, **options)
            with self.assertRaises(dl.Interrupted):
                run(progress=lambda n: False)
            values[1500] = 1e-3
            with self.assertRaisesRegex(OSError, "another sweep"):
                run(resume=True)
            values[1500] = 0
            self.assertEqual(len(run(resume=True)), 3000)

    def test_failures_are_rows(self):
        s = dl.sweep(dl.parse("model B parameter Real a = 1; Real x(start = a, fixed = true); equation der(x) = x^2; end B;"),
                     {"a": [0.5, 2.0]}, stop=1)
        self.assertEqual(s.outcomes[0], "success")
        self.assertEqual([f[0] for f in s.failures], [1])
        self.assertTrue(np.isnan(s["x"][1]))

    def test_wrong_requests(self):
        m = dl.parse(DECAY)
        for vary, error in (({"k": "1:2"}, ValueError), ({}, ValueError), ({"q": [1]}, dl.ModelError)):
            with self.assertRaises(error):
                dl.sweep(m, vary)
        with self.assertRaises(dl.ModelError):
            dl.sweep(m, {"k": [1]}, keep=["y"])


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
