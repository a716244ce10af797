"""Sweeps in files of HDF5: what CSV has, as arrays, and trajectories; read by h5py, if it is installed."""
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import driftless as dl
from driftless import _executor

_executor._SECONDS = 0.002  # small blocks
MODEL = """model Fall
  parameter Real h = 1, limit = 10;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if h > 1.5 then x^3*50 else -x;
end Fall;"""


class Hdf5(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "sweep.h5"
        self.compiled = dl.parse(MODEL).compile(tol=1e-8)

    def tearDown(self):
        self.folder.cleanup()

    def test_a_folder_that_does_not_exist(self):
        with self.assertRaisesRegex(OSError, "No such file or directory"):
            dl.sweep(self.compiled, {"h": [1]}, keep=["x"], output=Path(self.folder.name) / "none" / "sweep.h5")

    def sweep(self, **options):
        # Some runs fail: x escapes in finite time.
        return dl.sweep(self.compiled, {"h": [1.0, 2.0], "x": "uniform(1,2)"}, runs=40, stop=2, intervals=10, keep=["x", "max(v)"],
                        trajectories=["x", "v"], **options)

    def test_the_file_has_what_the_sweep_has(self):
        s = self.sweep(output=self.path)
        self.assertTrue(s.failures)
        self.assertEqual(s.trajectories.shape, (40, 11, 2))
        ok = s.succeeded
        np.testing.assert_allclose(s.trajectory("x")[ok], s["x"][ok][:, None] / np.cos(2) * np.cos(s.time), atol=1e-6)
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py is not installed")
        with h5py.File(self.path) as f:
            self.assertEqual(f.attrs["model"], b"Fall")
            self.assertEqual([n.decode() for n in f["varied"]], ["h", "x"])
            self.assertEqual([n.decode() for n in f["kept"]], ["x", "max(v)"])
            self.assertEqual(f["complete"][0], 40)
            np.testing.assert_array_equal(f["values"], s.values)
            np.testing.assert_array_equal(f["results"], s.results)
            np.testing.assert_array_equal(f["reached"], s.reached)
            np.testing.assert_array_equal(f["time"], s.time)
            np.testing.assert_array_equal(f["trajectories"], s.trajectories)
            self.assertEqual([o.decode() for o in f["outcome"]], s.outcomes)
            self.assertEqual([c.decode() for c in f["code"]], s.codes)
            self.assertEqual([m.decode() for m in f["message"]], s.messages)

    def test_an_interrupted_sweep_goes_on_to_the_same_bytes(self):
        self.sweep(output=self.path)
        other = Path(self.folder.name) / "other.h5"
        rows = []
        with self.assertRaises(dl.Interrupted):
            dl.sweep(self.compiled, {"h": [1.0, 2.0], "x": "uniform(1,2)"}, runs=40, stop=2, intervals=10, keep=["x", "max(v)"],
                     trajectories=["x", "v"], output=other, executor=_one(), progress=lambda n: bool(rows.append(n)) or n < 7)
        self.assertFalse(other.exists())
        resumed = self.sweep(output=other, resume=True)
        self.assertEqual(other.read_bytes(), self.path.read_bytes())
        np.testing.assert_array_equal(resumed.trajectories, self.sweep().trajectories)
        self.assertFalse(list(Path(self.folder.name).glob("*.part")))

    def test_wrong_files(self):
        with self.assertRaisesRegex(ValueError, "HDF5"):
            self.sweep(output=Path(self.folder.name) / "s.csv")
        with self.assertRaisesRegex(ValueError, ".csv or .h5"):
            dl.sweep(self.compiled, {"h": [1.0]}, output=Path(self.folder.name) / "s.txt")

    def test_plots_and_tables(self):
        s = self.sweep()
        try:
            import pandas  # noqa: F401
            self.assertEqual(list(s.to_pandas().columns)[:2], ["h", "x (varied)"])
        except ImportError:
            pass
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        self.assertEqual(s.plot("v").get_ylabel(), "v")
        self.assertEqual(s.plot("h", "max(v)").get_xlabel(), "h")


def _one():
    import concurrent.futures as cf
    return cf.ThreadPoolExecutor(1)


if __name__ == "__main__":
    unittest.main()
