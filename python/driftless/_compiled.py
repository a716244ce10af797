"""Compiled models and their runs."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import _driftless as _native
from ._errors import Interrupted, RunError
from ._fit import Fit
from ._linearize import Linearization, _linearize_options
from ._options import RUN_OPTIONS, checked, measurements, names, number
from ._progress import watcher
from ._solution import Solution

if TYPE_CHECKING:
    from ._model import Model


def answer(result: tuple, raise_on_failure: bool, model: Model) -> Solution:
    native, interrupted = result
    solution = Solution(native, model)
    if not raise_on_failure or solution.success:
        return solution
    raise Interrupted(solution) if interrupted else RunError(solution)


class Compiled:
    """A model with its analysis, its method and its kernels, which any number of runs and threads share."""

    def __init__(self, model: Model, options: dict[str, Any]):
        self.model = model
        self.options = dict(options)
        with model._lock:
            self._compile(model, options)

    def _compile(self, model: Model, options: dict[str, Any]) -> None:
        self._experiment = model.experiment_annotation
        if options.get("tol") is None and options.get("step") is None and self._experiment["tolerance"] is not None:
            options = {**options, "tol": self._experiment["tolerance"]}
        self._native = _native.compile(model._native, options)

    def __reduce__(self):
        return Compiled, (self.model, self.options)

    def __repr__(self) -> str:
        return f"<Compiled {self.model.name}>"

    def _span(self, options: Mapping[str, Any]) -> tuple[float, float]:
        def first(name: str) -> float:
            for source in (options, self.options, self._experiment):
                if source.get(name) is not None:
                    return float(source[name])
            return 0.0
        return first("start"), first("stop")

    def simulate(self, *, progress: bool | Callable[[float], Any] | None = None, raise_on_failure: bool = True,
                 sensitivities: Sequence[str] = (), **options: Any) -> Solution:
        """Runs the model. Options: parameters={"L": 2}, starts={"x": 2} (of an array all values at once),
        inputs={"u": function of time, or (times, values)} or a CSV file, start, stop, tol, step, max_step, intervals, dense;
        what is not given is as it was compiled. `sensitivities` names parameters, and variables for their starts, with
        respect to which everything is differentiated: see `Solution.sensitivity`.

        A run that fails raises RunError, which has the solution as far as it was computed; with raise_on_failure=False
        that solution is returned. Ctrl-C raises Interrupted in the same way. `progress` is called a few times a second
        with the time, and ends the run by returning False; None draws a bar on a terminal.
        """
        given = checked(options, RUN_OPTIONS, "simulate", model=self.model)
        given["sensitivities"] = names("sensitivities", sensitivities)
        begin, end = self._span(given)
        if end < begin:
            raise ValueError(f"the stop time {end:g} is before the start time {begin:g}")
        watch, finish = watcher(progress, begin, end)
        try:
            solution = answer(self._native.simulate(given, watch), raise_on_failure, self.model)
        finally:
            finish()
        solution._sensitivities = given["sensitivities"]
        return solution

    def fit(self, data: Any, parameters: Any, bounds: Mapping[str, tuple[float | None, float | None]] | None = None, *,
            deviations: Mapping[str, float] | None = None, tolerance: float = 1e-10, max_iterations: int = 100,
            **options: Any) -> Fit:
        """Finds parameters and starts of variables from measurements, by least squares.

        `data` is a CSV file, a mapping of "time" and of names of variables to arrays of equal length, or a DataFrame with a
        column "time" or with the times as its index; NaN stands for what was not measured. `parameters` is a list of names, or a mapping of names to first values; the
        name of a variable stands for its start. `bounds` are pairs, None for none. `deviations` are standard deviations
        of the measured variables, 1 where none is given. Other options are those of `simulate`.
        """
        given = checked(options, RUN_OPTIONS, "fit", model=self.model)
        guesses = dict(parameters) if isinstance(parameters, Mapping) else dict.fromkeys(names("parameters", parameters))
        for name, pair in (bounds or {}).items():
            if name not in guesses:
                raise ValueError(f"bounds: '{name}' is not among the parameters of the fit")
            if np.ndim(pair) != 1 or len(pair) != 2:
                raise TypeError(f"the bounds of '{name}' are a pair (low, high), of which one may be None, not {pair!r}")
        def bound(name: str, side: int) -> float:
            value = (bounds or {}).get(name, (None, None))[side]
            return (-np.inf, np.inf)[side] if value is None else float(value)
        unknowns = [(name, None if guess is None else number(f"the first value of '{name}'", guess), bound(name, 0), bound(name, 1))
                    for name, guess in guesses.items()]
        found = _native.fit(self._native, measurements(data), dict(deviations or {}), unknowns, given, tolerance, max_iterations)
        return Fit(found, self.model)

    def linearize(self, *, at: float | None = None, steady: bool = False, inputs: Sequence[str] | None = None,
                  outputs: Sequence[str] | None = None, states: Sequence[str] = (), modes: bool = True,
                  **options: Any) -> Linearization:
        """The linear system near a point: x' = A x + B u, y = C x + D u for small changes of states, inputs and outputs.

        The point is the start of a run, its point at time `at`, or with `steady` the steady state that is found from the
        starts. `inputs` are inputs and parameters of the model (otherwise all inputs), `outputs` variables and
        derivatives (otherwise all variables, up to 100). As many `states` as there are degrees of freedom are chosen;
        those that are named are among them. Other options are those of a run: parameters, starts, start, tol, ...; what
        drives inputs in the run is `drive`, as `inputs` of `simulate`.
        """
        if "drive" in options:
            options["inputs"] = options.pop("drive")
        given = checked(options, RUN_OPTIONS, "linearize")
        chosen = _linearize_options(inputs, outputs, states, modes)
        if steady:
            with self.model._lock:
                return Linearization(_native.linearize_steady(self.model._native, chosen, given, at))
        return Linearization(_native.linearize(self._native, chosen, given, at))
