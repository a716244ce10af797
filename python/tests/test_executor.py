"""Sweeps in the workers of executors: the same bits as in threads, whatever happens to the workers."""
import concurrent.futures as cf
import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import driftless as dl
from driftless import _executor

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])
_executor._SECONDS = 0.005  # small blocks, so that much can happen between them
VARY = {"L": "uniform(1,2)", "m": [1.0, 1.5]}
RUNS = 300


def sweep(**options):
    compiled = dl.read(SOURCE / "models" / "pendulum.mo").compile(tol=1e-6)
    return dl.sweep(compiled, VARY, runs=RUNS, keep=["x", "max(y)"], stop=3, **options)


class Executors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = Path(cls.folder.name) / "one.csv"
        cls.one = sweep(threads=1, output=cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def expect_same(self, other, file=None):
        np.testing.assert_array_equal(self.one.results, other.results)
        np.testing.assert_array_equal(self.one.values, other.values)
        self.assertEqual(self.one.outcomes, other.outcomes)
        if file:
            self.assertEqual(self.file.read_bytes(), Path(file).read_bytes())

    def test_processes(self):
        for workers in (1, 2, 4):
            with self.subTest(workers), cf.ProcessPoolExecutor(workers) as pool:
                file = Path(self.folder.name) / f"{workers}.csv"
                self.expect_same(sweep(executor=pool, output=file), file)

    def test_threads_of_an_executor(self):
        with cf.ThreadPoolExecutor(2) as pool:
            self.expect_same(sweep(executor=pool))

    def test_a_killed_worker_loses_nothing_and_repeats_nothing(self):
        seen = []
        with cf.ProcessPoolExecutor(2) as pool:
            pool.submit(os.getpid).result()
            killed = []

            def progress(rows):
                seen.append(rows)
                if rows >= 20 and not killed:
                    killed.append(next(iter(pool._processes)))
                    os.kill(killed[0], signal.SIGKILL)

            file = Path(self.folder.name) / "killed.csv"
            result = sweep(executor=pool, output=file, progress=progress)
        self.assertTrue(killed)
        self.expect_same(result, file)
        self.assertEqual(seen, sorted(seen))  # rows that came were never computed again

    def test_a_stopped_sweep_goes_on_in_another_executor(self):
        file = Path(self.folder.name) / "stopped.csv"
        with cf.ProcessPoolExecutor(2) as pool, self.assertRaises(dl.Interrupted) as caught:
            sweep(executor=pool, output=file, progress=lambda rows: rows < 30)
        self.assertGreaterEqual(len(caught.exception.solution), 30)
        self.assertFalse(file.exists())
        with cf.ThreadPoolExecutor(1) as pool:
            self.expect_same(sweep(executor=pool, output=file, resume=True), file)

    def test_runs_that_kill_their_workers_are_named(self):
        with cf.ProcessPoolExecutor(2, initializer=_die) as pool:
            with self.assertRaisesRegex(RuntimeError, "one of the runs 0 ... 0 kills them|executor is broken"):
                sweep(executor=pool)

    def test_what_is_no_executor(self):
        with self.assertRaisesRegex(TypeError, "concurrent.futures"):
            sweep(executor=4)

    def test_a_client_of_dask(self):
        try:
            from distributed import Client
        except ImportError:
            self.skipTest("python3-distributed is not installed")
        with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
            self.expect_same(sweep(executor=client))


def _die():
    """In a worker, before its first task: as a run that kills its worker would."""
    threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
