"""Linear systems near a point of a model."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from ._report import html_lines, html_table


def _linearize_options(inputs: Sequence[str] | None, outputs: Sequence[str] | None, states: Sequence[str],
                       modes: bool) -> dict[str, Any]:
    for what, names in (("inputs", inputs), ("outputs", outputs), ("states", states)):
        if isinstance(names, str):
            raise TypeError(f"{what} is a list of names, not one text: [{names!r}]")
    return {"inputs": None if inputs is None else list(inputs), "outputs": None if outputs is None else list(outputs),
            "states": list(states), "modes": bool(modes)}


@dataclass(frozen=True)
class Mode:
    """A motion exp(eigenvalue t) of the linear system. Of a pair of conjugate eigenvalues there are two."""

    eigenvalue: complex
    damping: float  #: -Re/|eigenvalue|; 1: no oscillation
    frequency: float  #: |Im|/2π, in cycles per unit of time
    natural_frequency: float  #: |eigenvalue|, in radians per unit of time
    time_constant: float  #: -1/Re
    participation: dict[str, float]  #: of each state, the largest first; the sum is 1


class Linearization:
    """x' = A x + B u, y = C x + D u for small changes of states, inputs and outputs near a point.

    `scipy.signal.StateSpace(*lin.matrices)` and `control.ss(*lin.matrices)` take it as it is.
    """

    model: str
    t: float  #: of the point
    at_rest: bool  #: does nothing move there?
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    x: np.ndarray  #: states at the point
    dx: np.ndarray  #: their derivatives there
    u: np.ndarray
    y: np.ndarray
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray

    def __init__(self, data: dict[str, Any]):
        self._native = data.pop("native")
        modes, zeros = data.pop("modes"), data.pop("zeros")
        self.__dict__.update(data)
        #: The slowest decaying or fastest growing first; None: too many states, or not asked for.
        self.modes: list[Mode] | None = None if modes is None else [self._mode(mode) for mode in modes]
        #: Of a system with as many outputs as inputs, otherwise None.
        self.zeros: np.ndarray | None = None if zeros is None else np.array(zeros, dtype=complex)

    def _mode(self, mode: dict[str, Any]) -> Mode:
        parts = mode.pop("participation")
        order = np.argsort(-parts, kind="stable")
        return Mode(**mode, participation={self.states[k]: float(parts[k]) for k in order})

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A, B, C and D."""
        return self.A, self.B, self.C, self.D

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of A, in the order of the modes."""
        if self.modes is None:
            raise ValueError(f"the modes of {len(self.states)} states were not computed: "
                             "numpy.linalg.eigvals(lin.A) computes them, if you can wait")
        return np.array([mode.eigenvalue for mode in self.modes], dtype=complex)

    def transfer(self, s: Any) -> np.ndarray:
        """C (s - A)⁻¹ B + D at one or several complex frequencies: outputs x inputs, behind the shape of s."""
        s = np.asarray(s, dtype=complex)
        matrix = s[..., None, None] * np.eye(len(self.states)) - self.A
        return self.C @ np.linalg.solve(matrix, np.broadcast_to(self.B.astype(complex), s.shape + self.B.shape)) + self.D

    def write(self, path: Any) -> None:
        """To a file: .mat, .csv or .json."""
        self._native.write(os.fspath(path))

    def __str__(self) -> str:
        return self._native.text()

    def __repr__(self) -> str:
        return f"<Linearization of {self.model} at t = {self.t:.9g}: {len(self.states)} states, " \
               f"{len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    def _repr_html_(self) -> str:
        def table(title: str, matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
            if matrix.size == 0 or max(matrix.shape) > 16:
                return ""
            return html_table(title, ("", *columns), [(name, *(f"{v:.6g}" for v in row)) for name, row in zip(rows, matrix)])
        rates = [f"d/dt {name}" for name in self.states]
        shown = [mode for mode in self.modes or [] if mode.eigenvalue.imag >= 0][:20]
        return (html_lines(repr(self)[1:-1]) + table("A", self.A, rates, self.states) + table("B", self.B, rates, self.inputs)
                + table("C", self.C, self.outputs, self.states) + table("D", self.D, self.outputs, self.inputs)
                + html_table("Modes", ("eigenvalue", "damping", "frequency", "time constant", "states"),
                             [(f"{m.eigenvalue:.6g}", f"{m.damping:.4g}", f"{m.frequency:.4g}", f"{m.time_constant:.4g}",
                               ", ".join(f"{n} {100 * p:.0f} %" for n, p in list(m.participation.items())[:3]))
                              for m in shown]))
