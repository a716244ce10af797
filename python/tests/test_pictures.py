"""Pictures drawn by the library itself, and with matplotlib where that is installed."""
import os
import tempfile
import unittest
from pathlib import Path

import driftless as dl

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])


def tanks():
    m = dl.Model("Tanks")
    c = m.parameter("c", 0.3)
    h = m.variable("h", shape=3, start=[2, 1, 0.1], fixed=True, unit="m")
    q = m.variable("q", shape=2, unit="m3/s")
    m.equation(dl.der(h[0]), -q[0])
    m.equation(dl.der(h[1]), q[0] - q[1])
    m.equation(dl.der(h[2]), q[1])
    m.equation(q, c * (h[:2] - h[1:]))
    return m


class Drawn(unittest.TestCase):
    """Without any other package."""

    def setUp(self):
        self.solution = tanks().simulate(stop=5)

    def test_a_file_for_each_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, first in (("a.svg", b"<svg"), ("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")):
                path = Path(folder) / name
                self.solution.draw("h", "q[1]").write(path)
                self.assertEqual(path.read_bytes()[:len(first)], first)
            with self.assertRaisesRegex(ValueError, ".svg, .pdf or .png"):
                self.solution.draw("h").write("a.jpg")
            with self.assertRaises(OSError):
                self.solution.draw("h").write("/no/such/folder/a.svg")

    def test_a_notebook_shows_it(self):
        svg = self.solution.draw("h", title="three levels")._repr_svg_()
        self.assertTrue(svg.startswith("<svg"))
        for text in ("three levels", "h[1]", "h[3]"):
            self.assertIn(text, svg)
        self.assertNotIn("q[1]", svg)
        self.assertIn("q[1]", self.solution.draw().svg(), "without names the first variables")

    def test_several_runs_in_one_picture(self):
        other = tanks().simulate(stop=5, parameters={"c": 1.0})
        svg = dl.draw({"narrow": self.solution, "wide": other}, "h[1]").svg()
        self.assertIn("narrow", svg)
        self.assertIn("wide", svg)
        with self.assertRaisesRegex(TypeError, "labels"):
            dl.draw([self.solution, other], "h[1]")

    def test_names_that_are_not_there(self):
        with self.assertRaisesRegex(KeyError, "no variable 'hh': there are h"):
            self.solution.draw("hh")
        with self.assertRaisesRegex(KeyError, "no variable 'z'"):
            dl.draw({"a": self.solution}, "z")

    def test_a_path_is_a_path(self):
        with self.assertRaises(TypeError):
            with tempfile.TemporaryFile() as file:
                self.solution.write(file)
        with self.assertRaises(TypeError):
            self.solution.report(None)


class Plotted(unittest.TestCase):
    def setUp(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        self.solution = tanks().simulate(stop=5)

    def labels(self, axes):
        return [line.get_label() for line in axes.get_lines()]

    def test_an_array_is_a_curve_for_each_element(self):
        axes = self.solution.plot("h")
        self.assertEqual(self.labels(axes), ["h[1] [m]", "h[2] [m]", "h[3] [m]"])
        self.assertEqual(axes.get_ylabel(), "[m]")
        self.assertEqual(axes.get_xlabel(), "time [s]")
        self.assertEqual(self.labels(self.solution.plot("h[2:3]")), ["h[2] [m]", "h[3] [m]"])

    def test_axes_say_what_is_drawn(self):
        self.assertEqual(self.solution.plot("h[1]").get_ylabel(), "h[1] [m]")
        self.assertEqual(self.solution.plot("h[1]", "q[1]").get_ylabel(), "", "units differ")
        axes = self.solution.plot("h[1]:h[2]")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("h[1] [m]", "h[2] [m]"))

    def test_a_parameter_is_a_line_and_a_label_can_be_chosen(self):
        axes = self.solution.plot("c", label="conductance")
        self.assertEqual(self.labels(axes), ["conductance"])
        self.assertEqual(set(axes.get_lines()[0].get_ydata()), {0.3})


if __name__ == "__main__":
    unittest.main()
