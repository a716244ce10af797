"""Parameters from measurements."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._report import html_lines, html_table, number
from ._solution import Solution


class Estimate(NamedTuple):
    """A parameter, or the start of a variable, as the measurements tell it."""

    name: str
    value: float
    standard_error: float
    guess: float
    at_bound: bool


class Fit:
    """What a fit has found. `fit["k"]` is the estimate of k; `fit.values` can be given to a run as parameters."""

    def __init__(self, data: dict[str, Any], model: Any):
        self.estimates: list[Estimate] = [Estimate(*one) for one in data["estimates"]]
        self.correlation: np.ndarray = data["correlation"]  #: in the order of the estimates
        self.residual: float = data["residual"]  #: root of the sum of squares, in units of the deviations
        self.deviation: float = data["deviation"]  #: root of the mean square
        #: By measured variable: which part of its variation around its mean the run explains.
        self.explained: dict[str, float] = data["explained"]
        self.measurements: int = data["measurements"]
        self.iterations: int = data["iterations"]
        self.runs: int = data["runs"]
        self.converged: bool = data["converged"]
        self.stop: str = data["stop"]  #: why the iteration ended
        self.solution = Solution(data["solution"], model)  #: the run with the estimates, with sensitivities
        self.solution._sensitivities = [one.name for one in self.estimates]
        self._text: str = data["text"]

    def __getitem__(self, name: str) -> float:
        for one in self.estimates:
            if one.name == name:
                return one.value
        raise KeyError(f"'{name}' is not among the parameters of the fit")

    @property
    def values(self) -> dict[str, float]:
        """The estimates by name."""
        return {one.name: one.value for one in self.estimates}

    @property
    def standard_errors(self) -> dict[str, float]:
        """By name; NaN for what is at a bound."""
        return {one.name: one.standard_error for one in self.estimates}

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "<Fit " + ", ".join(f"{one.name} = {one.value:.6g}" for one in self.estimates) + ">"

    def _repr_html_(self) -> str:
        converged = "" if self.converged else "not converged, "
        rows = [(one.name, f"{one.value:.9g}", "at a bound" if one.at_bound else number(one.standard_error), number(one.guess))
                for one in self.estimates]
        names = [one.name for one in self.estimates]
        return (html_lines(f"{self.solution.model}: {self.measurements} measurements, {converged}{self.iterations} iterations, "
                           f"{self.runs} runs: {self.stop}",
                           *(f"{100 * part:.4g} % of {name} explained" for name, part in self.explained.items() if part == part))
                + html_table("Estimates", ("parameter", "estimate", "standard error", "guess"), rows)
                + (html_table("Correlation", ("", *names), [(name, *(f"{c:.4f}" for c in row))
                                                            for name, row in zip(names, self.correlation)])
                   if len(names) > 1 else ""))
