"""Many runs of one model."""
from __future__ import annotations

import hashlib
import os
from collections import Counter
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _driftless as _native
from ._compiled import Compiled
from ._errors import Interrupted
from ._executor import run_blocks
from ._model import Model
from ._options import COMPILE_OPTIONS, RUN_OPTIONS, checked, names, number, split, whole_number
from ._progress import watcher
from ._report import html_lines, html_table


class Sweep:
    """The rows of a sweep. `sweep["x"]` is a result or a varied quantity of all runs, NaN where a run failed."""

    def __init__(self, data: dict[str, Any]):
        self.model: str = data["model"]
        self.runs: int = data["runs"]
        self.varied: list[str] = data["varied"]
        self.kept: list[str] = data["kept"]
        self.values: np.ndarray = data["values"]  #: runs x varied
        self.results: np.ndarray = data["results"]  #: runs x kept
        self.reached: np.ndarray = data["reached"]
        self.outcomes: list[str] = data["outcomes"]
        self.codes: list[str] = data["codes"]
        self.messages: list[str] = data["messages"]
        self.followed: list[str] = data["followed"]  #: of which trajectories were kept
        self.time: np.ndarray = data["time"]  #: of the trajectories
        self.trajectories: np.ndarray = data["trajectories"]  #: runs x times x followed; NaN behind a failure
        self._summary: str = data["summary"]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.kept:
            return self.results[:, self.kept.index(name)]
        if name in self.varied:
            return self.values[:, self.varied.index(name)]
        raise KeyError(f"'{name}' is neither varied nor kept: there are {', '.join([*self.varied, *self.kept])}")

    def trajectory(self, name: str) -> np.ndarray:
        """Of all runs: runs x times."""
        if name not in self.followed:
            raise KeyError(f"no trajectories of '{name}' were kept: sweep(..., trajectories=['{name}'])")
        return self.trajectories[:, :, self.followed.index(name)]

    @property
    def succeeded(self) -> np.ndarray:
        """Which runs were a success, as a mask."""
        return np.array([outcome == "success" for outcome in self.outcomes], dtype=bool)

    @property
    def failures(self) -> list[tuple[int, str, str, str]]:
        """Run, outcome, code and message of every run that failed."""
        return [(k, o, c, m) for k, (o, c, m) in enumerate(zip(self.outcomes, self.codes, self.messages)) if o != "success"]

    def quantiles(self, name: str, p: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Of a result, over the runs that succeeded."""
        return np.quantile(self[name][self.succeeded], p)

    def summary(self) -> str:
        """Outcomes with their reasons, and a table of quantiles."""
        return self._summary

    def plot(self, x: str, y: str | None = None, axes: Any = None) -> Any:
        """With matplotlib: the variable x over time, its median and the bands of half and of nine tenths of the runs
        (its trajectories must have been kept); or the result y over x, a point for each run. Returns the axes."""
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plot needs matplotlib: install the package python3-matplotlib") from error
        across = None if y is None else (self[x], self[y])
        followed = self.trajectory(x) if y is None else None
        if axes is None:
            _, axes = pyplot.subplots(layout="constrained")
        axes.set_title(self.model)
        axes.grid(alpha=0.3)
        if across is not None:
            axes.plot(*across, ".", alpha=0.5)
            axes.set_xlabel(x)
            axes.set_ylabel(y)
            return axes
        with np.errstate(all="ignore"):
            q = np.nanquantile(followed, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0)
        axes.fill_between(self.time, q[0], q[4], alpha=0.2, color="C0", linewidth=0, label="5 … 95 %")
        axes.fill_between(self.time, q[1], q[3], alpha=0.35, color="C0", linewidth=0, label="25 … 75 %")
        axes.plot(self.time, q[2], color="C0", label="median")
        axes.set_xlabel("time [s]")
        axes.set_ylabel(x)
        axes.legend()
        return axes

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each run."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: install the package python3-pandas") from error
        varied = [f"{name} (varied)" if name in self.kept else name for name in self.varied]
        table = pandas.DataFrame(np.hstack([self.values, self.results]), columns=[*varied, *self.kept])
        return table.assign(outcome=self.outcomes, code=self.codes, message=self.messages)

    def __repr__(self) -> str:
        return f"<Sweep of {self.model}: {len(self)} of {self.runs} runs, {int(self.succeeded.sum())} succeeded>"

    def __str__(self) -> str:
        return self._summary

    def _repr_html_(self) -> str:
        rows = [(name, *(f"{q:.6g}" for q in self.quantiles(name, (0.0, 0.05, 0.5, 0.95, 1.0)))) for name in self.kept] \
            if self.succeeded.any() else []
        return (html_lines(repr(self)[1:-1])
                + html_table("Failures", ("outcome", "code", "runs"),
                             [(o, c, n) for (o, c), n in sorted(Counter((f[1], f[2]) for f in self.failures).items())])
                + html_table("Results", ("result", "least", "5 %", "median", "95 %", "largest"), rows))


def _values(name: str, values: Any) -> str | list[float]:
    if isinstance(values, str):
        return values
    try:
        array = np.atleast_1d(np.asarray([number(name, values)] if np.ndim(values) == 0 else values, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(f"the values of '{name}' are numbers, or a text such as \"0.5:2:100\" or \"normal(1,0.1)\", "
                        f"not {values!r}") from None
    if array.ndim > 1:
        raise ValueError(f"the values of '{name}' have the shape {array.shape}, and must be one row of numbers")
    return array.tolist()


def _spelt(value: Any) -> str:
    """Equal for equal options only: an array by its bytes, since its text leaves out most of a long one."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_spelt(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        try:
            numbers = np.ascontiguousarray(value, dtype=float)
            return f"{numbers.shape} {hashlib.sha256(numbers.tobytes()).hexdigest()}"
        except (TypeError, ValueError):
            return "[" + ", ".join(_spelt(one) for one in value) + "]"
    return repr(value).replace("\n", " ")


def sweep(model: Model | Compiled, vary: Mapping[str, Any], *, runs: int | None = None, seed: int = 0,
          keep: Sequence[str] = (), trajectories: Sequence[str] = (), threads: int | None = None, executor: Any = None,
          output: Any = None, resume: bool = False, progress: bool | Callable[[float], Any] | None = None, **options: Any) -> Sweep:
    """Runs a model many times with other parameters and starts, in threads that share the compiled model.

    `vary` maps names to an array of values, or to text as on the command line: "0.5:2:100", "normal(1,0.1)". Arrays and
    ranges are combined with each other, the last varying fastest; random values are drawn for every run. `keep` says
    what is kept: "x", its last value, "max(x)", "min(x)". A run that fails is a row with its reason, not an exception.
    Of `trajectories` every output point is kept. `output` is a file, .csv or .h5, that is written on the way; with `resume` an interrupted sweep goes on where it stopped.

    `executor` takes the place of threads: one of `concurrent.futures`, or a client of Dask. Blocks of runs are sent to
    its workers, and what a killed worker has not sent back is given to another. Results depend neither on the number of
    threads nor on the executor. Other options are those of `Compiled.simulate`; of a model that is not yet compiled, those
    of `Model.compile` as well.
    """
    if not isinstance(model, Compiled):
        ahead, options = split(options)
        checked(options, RUN_OPTIONS, "sweep", COMPILE_OPTIONS, model)  # before the model is compiled
        model = model.compile(**ahead)
    compiled = model
    keep, trajectories = names("keep", keep), names("trajectories", trajectories)
    given = checked(options, RUN_OPTIONS, "sweep", model=compiled.model)
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary is a mapping of names to values, not {type(vary).__name__}: {{'k': [1, 2, 3]}}")
    if resume and output is None:
        raise ValueError("resume goes on in the file that `output` names")
    pairs = [(name, _values(name, values)) for name, values in vary.items()]
    runs = None if runs is None else whole_number("runs", runs, 1)
    seed = whole_number("seed", seed, 0)
    threads = whole_number("threads", threads or os.cpu_count() or 1, 1)
    identity = f"driftless {_native.version} python {_spelt(compiled.options)} {_spelt(given)}"
    table = _native.SweepTable(compiled._native, compiled.model._native, pairs, runs, seed, list(keep), list(trajectories),
                               given, "" if output is None else os.fspath(output), resume, identity)
    watch, finish = watcher(progress, 0.0, float(table.runs), "runs")
    try:
        if executor is None:
            data = _native.sweep(table, compiled._native, list(keep), list(trajectories), threads, given, watch)
        else:
            data = table.finish(run_blocks(table, compiled, (pairs, runs, seed, list(keep), list(trajectories), given), executor, watch))
    finally:
        finish()
    result = Sweep(data)
    if data["interrupted"]:
        raise Interrupted(result)
    return result
