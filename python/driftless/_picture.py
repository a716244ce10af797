"""Curves of runs: drawn by the library itself, or with matplotlib."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from . import _driftless as _native

if TYPE_CHECKING:
    from ._solution import Solution

_MOST_IN_LEGEND = 20


class Picture:
    """Curves of one run or of several, drawn by Driftless itself. A notebook shows it; `write` makes a file of it."""

    def __init__(self, runs: Mapping[str, Solution], names: tuple[str, ...], title: str = ""):
        for solution in runs.values():
            _native.curves(solution._native, list(names))  # KeyError, with the name that may be meant
        self._runs = [(str(label), solution._native) for label, solution in runs.items()]
        self._names = list(names)
        self._title = title

    def write(self, path: Any) -> None:
        """A file of the picture: .svg, .pdf or .png."""
        _native.write_picture(self._runs, self._names, self._title, os.fspath(path))

    def svg(self) -> str:
        """The picture as text in SVG, in the colours that the viewer prefers, light or dark."""
        return _native.svg_picture(self._runs, self._names, self._title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Picture of {', '.join(self._names) or 'the first variables'}: shown by a notebook, or write(\"x.png\")>"


def draw(runs: Mapping[str, Solution], *names: str, title: str = "") -> Picture:
    """Several runs in one picture, by their labels: `draw({"1 m": a, "2 m": b}, "x", "y").write("both.svg")`.

    Names are those of `Solution.draw`.
    """
    if not isinstance(runs, Mapping) or not runs:
        raise TypeError("draw takes a mapping of labels to solutions, and names: draw({'first': a, 'second': b}, 'x')")
    return Picture(runs, names, title)


def plot(solution: Solution, names: tuple[str, ...], axes: Any, style: Mapping[str, Any]) -> Any:
    """With matplotlib: returns the axes."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot needs matplotlib: install the package python3-matplotlib; or draw(...).write(\"x.svg\"), "
                          "which needs nothing else") from error
    curves = _native.curves(solution._native, list(names))
    if axes is None:
        _, axes = pyplot.subplots(layout="constrained")
    units = {"time": "s", **{c.name: c.unit for c in solution.columns}}
    for across, up in curves:
        label = _with_unit(up, units[up]) if across == "time" else f"{up} over {across}"
        axes.plot(_values(solution, across), _values(solution, up), **{"label": label, **style})
    axes.set_xlabel(_common([across for across, _ in curves], units))
    axes.set_ylabel(_common([up for _, up in curves], units))
    axes.set_title(solution.model)
    axes.grid(alpha=0.3)
    if len(curves) <= _MOST_IN_LEGEND:
        axes.legend()
    return axes


def _values(solution: Solution, name: str) -> np.ndarray:
    return np.broadcast_to(solution[name], len(solution))  # a parameter is a line


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _common(names: list[str], units: Mapping[str, str]) -> str:
    """What is written at an axis: the name, if it is that of all curves, otherwise their unit, if they have the same."""
    if len(set(names)) == 1:
        return _with_unit(names[0], units[names[0]])
    shared = {units[name] for name in names}
    return f"[{shared.pop()}]" if len(shared) == 1 and "" not in shared else ""
