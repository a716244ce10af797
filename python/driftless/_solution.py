"""The result of a run."""
from __future__ import annotations

import os
from functools import cached_property
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np

from ._arrays import elements_of
from ._options import text
from ._picture import Picture, plot
from ._report import html_lines, html_table, number, width_of_terminal


class CertificateEntry(NamedTuple):
    """How well one constraint, or a derivative of one (`level`), was kept at the points that the run delivered."""

    constraint: str
    line: int
    level: int
    text: str
    max_residual: float
    at_time: float
    max_relative: float
    imposed: bool
    kept: bool


class Change(NamedTuple):
    """A value right before and right after an event."""

    name: str
    before: float
    after: float


class Impulse(NamedTuple):
    """The integral of an unknown over the instant of an event."""

    name: str
    size: float
    unit: str


class Event(NamedTuple):
    """What happened at one event."""

    time: float
    causes: list[str]
    discrete: list[Change]
    jumps: list[Change]
    impulses: list[Impulse]
    mode: str


class Column(NamedTuple):
    """A variable, a derivative or a parameter."""

    name: str
    unit: str
    description: str
    is_derivative: bool
    is_parameter: bool


class Solution:
    """The trajectory of a run, how it ended, what it cost, and how well every constraint was kept.

    `sol["x"]` is a variable at the output points `sol.t`: a read-only view of the memory of the solution, which it keeps
    alive. `sol("x", t)` is the same at any time, by the polynomials of the method. At an event there are two output
    points of the same time.
    """

    def __init__(self, native: Any, model: Any):
        self._native = native
        self._model = model

    def __reduce__(self):
        return _unpickled, (self._native, self._model, list(self._sensitivities))  # without dense output

    @cached_property
    def _columns(self) -> list[Column]:
        return [Column(*c) for c in self._native.columns]

    # ---- the trajectory
    @property
    def t(self) -> np.ndarray:
        """The times of the output points."""
        return self._native.column("time")

    @property
    def columns(self) -> list[Column]:
        """All variables, derivatives and parameters, with units and descriptions."""
        return list(self._columns)

    @property
    def names(self) -> list[str]:
        """What has a trajectory: variables and derivatives."""
        return [c.name for c in self._columns if not c.is_parameter]

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of this run."""
        return {c.name: self._native.column(c.name) for c in self._columns if c.is_parameter}

    @property
    def values(self) -> np.ndarray:
        """All trajectories, output points x names; a read-only view."""
        return self._native.values()

    def __getitem__(self, name: str) -> np.ndarray | float:
        """A variable or derivative, "x" or "der(x)", at all output points; a parameter as a number. Of an array, the values
        of all its elements, output points first: a copy."""
        if self._is_array(name) and (elements := self._elements(name)) is not None:
            if self._columns[self._places[elements.flat[0]]].is_parameter:
                return np.array([self._native.column(one) for one in elements.flat]).reshape(elements.shape)
            return self.values[:, self._places_of(elements)].reshape(len(self), *elements.shape)
        return self._native.column(name)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self._columns)}

    def _places_of(self, elements: np.ndarray) -> list[int]:
        return [self._places[one] for one in elements.flat]

    def _is_array(self, name: str) -> bool:
        """Is it no column? Then it may stand for several."""
        return text("the name of a variable", name) != "time" and name not in self._places

    def _elements(self, name: str) -> np.ndarray | None:
        known = self.__dict__.setdefault("_arrays", {})
        if name not in known:
            known[name] = elements_of(name, (c.name for c in self._columns))
        return known[name]

    def __contains__(self, name: object) -> bool:
        return name == "time" or (isinstance(name, str) and (name in self._places or self._elements(name) is not None))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.t)

    def final(self, name: str) -> Any:
        """The last value; of an array, those of its elements."""
        if self._is_array(name) and (elements := self._elements(name)) is not None:
            if self._columns[self._places[elements.flat[0]]].is_parameter:
                return self[name]
            return self.values[-1, self._places_of(elements)].reshape(elements.shape)
        column = self[name]
        return float(column[-1]) if isinstance(column, np.ndarray) else column

    def __call__(self, name: str | Sequence[str], t: Any) -> Any:
        """Dense output: a variable at a time or at an array of times; a list of names adds a first dimension, an array of
        variables those of the array behind those of the times."""
        if not self._native.is_dense:
            raise ValueError("this solution has no dense output: it was made with dense=False, is a copy from a pickle, "
                             "or its run was restored")
        times = np.asarray(t, dtype=float)
        if isinstance(name, str) and self._is_array(name):
            if (elements := self._elements(name)) is not None:
                return np.moveaxis(self(list(elements.flat), times), 0, -1).reshape(*times.shape, *elements.shape)
        names = [name] if isinstance(name, str) else list(name)
        flat = times.ravel()
        if flat.size and not (flat.min() >= self.start and flat.max() <= self.reached):
            raise ValueError(f"times must lie between {self.start:g} and {self.reached:g}")
        table = self._native.at(flat)
        rows = []
        for one in names:
            if one == "time":
                rows.append(flat)
                continue
            if one not in self._places:
                self._native.column(one)  # KeyError, with the name that may be meant
            place = self._places[one]
            rows.append(table[:, place] if not self._columns[place].is_parameter else np.full(flat.shape, self[one]))
        result = np.array(rows).reshape((len(names), *times.shape))
        if not isinstance(name, str):
            return result
        return float(result[0]) if times.ndim == 0 else result[0]

    # ---- sensitivities
    _sensitivities: Sequence[str] = ()

    @property
    def sensitivities(self) -> list[str]:
        """The parameters and starts with respect to which the run was differentiated."""
        return list(self._sensitivities)

    def sensitivity(self, name: str, parameter: str) -> np.ndarray:
        """The derivative of a variable, or of a derivative "der(x)", with respect to a parameter or a start that was named
        in `sensitivities`, at the output points."""
        if parameter not in self._sensitivities:
            raise KeyError(f"the run was not differentiated with respect to '{parameter}': simulate(sensitivities=[...]) "
                           "names what to differentiate by")
        elements = None if name in self._places else self._elements(name)
        if elements is None:
            return self[f"d({name})/d({parameter})"]
        columns = [self[f"d({one})/d({parameter})"] for one in elements.flat]
        return np.stack(columns, axis=-1).reshape(len(self), *elements.shape)

    def event_time_sensitivity(self, parameter: str) -> np.ndarray:
        """How the times of `events` move with a parameter or a start."""
        if parameter not in self._sensitivities:
            raise KeyError(f"the run was not differentiated with respect to '{parameter}'")
        slopes = self._native.event_time_slopes
        return slopes[:, list(self._sensitivities).index(parameter)] if len(slopes) else np.zeros(0)

    # ---- how it ended
    @property
    def model(self) -> str:
        """The name of the model."""
        return self._native.model

    @property
    def success(self) -> bool:
        """The stop time was reached, and every constraint was kept."""
        return self.outcome == "success"

    @property
    def outcome(self) -> str:
        """"success", or the kind of failure: "step_too_small", "initialization_failed", "interrupted", ..."""
        return self._native.outcome

    @property
    def outcome_text(self) -> str:
        """The same for people."""
        return self._native.outcome_text

    @property
    def code(self) -> str | None:
        """The kind of failure, as docs/diagnostics.md lists them; None of a success."""
        return self._native.code

    @property
    def message(self) -> str:
        """Why a run failed, in one sentence."""
        return self._native.message

    @property
    def details(self) -> list[str]:
        """More about a failure: the worst equation, values, advice."""
        return self._native.details

    @property
    def notes(self) -> list[str]:
        """What a user should know although all went well."""
        return self._native.notes

    @property
    def start(self) -> float:
        """The start time."""
        return self._native.start

    @property
    def stop(self) -> float:
        """The stop time that was asked for."""
        return self._native.stop

    @property
    def reached(self) -> float:
        """The time that was reached."""
        return self._native.reached

    @property
    def tolerance(self) -> float:
        """Of the local error."""
        return self._native.tolerance

    @property
    def method(self) -> str:
        """The method, as the command line names it."""
        return self._native.method

    @property
    def formulation(self) -> str:
        """The formulation, as the command line names it."""
        return self._native.formulation

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, evaluations, seconds of the processor."""
        return self._native.statistics

    @property
    def certificate(self) -> list[CertificateEntry]:
        """Every constraint, hidden ones included, with the largest residual at the output points."""
        return [CertificateEntry(*entry) for entry in self._native.certificate]

    @property
    def largest_residual(self) -> float:
        """Of all constraints."""
        return self._native.largest_residual

    @property
    def events(self) -> list[Event]:
        """The events of the run, the first ones of very many."""
        return [Event(time, causes, [Change(*c) for c in discrete], [Change(*c) for c in jumps],
                      [Impulse(*i) for i in impulses], mode)
                for time, causes, discrete, jumps, impulses, mode in self._native.events]

    def summary(self, width: int | None = None) -> str:
        """What a person reads after a run."""
        return self._native.summary(width or width_of_terminal())

    def event_table(self) -> str:
        """The events as text."""
        return self._native.event_table()

    def __repr__(self) -> str:
        return f"<Solution of {self.model}: {self.outcome_text}, t = {self.start:g} … {self.reached:g}, {len(self)} points>"

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        statistics = self.statistics
        return (html_lines(f"{self.model}: {self.outcome_text}, t = {self.start:g} … {self.reached:g}, {len(self)} points",
                           f"method {self.method}, {statistics['steps']} steps, {statistics['events']} events", self.message)
                + html_table("Drift certificate", ("constraint", "level", "largest residual", "at t", "kept"),
                             [(e.text or e.constraint, e.level, f"{e.max_residual:.1e}", number(e.at_time),
                               "yes" if e.kept else "NO") for e in self.certificate])
                + html_lines(*self.notes))

    # ---- elsewhere
    def write(self, path: Any) -> None:
        """A file of the trajectory (.csv, .mat) or of the summary (.json)."""
        self._native.write(os.fspath(path))

    def report(self, path: Any, *names: str) -> None:
        """A page about the run for a browser (.html), in one file; `names` are the variables that it draws at first."""
        path = os.fspath(path)
        if not path.endswith((".html", ".htm")):
            raise ValueError(f"a report is a page: its name ends in .html, and '{path}' does not")
        for name in names:
            self._native.column(name)  # KeyError, with the name that may be meant
        self._native.report(path, list(names), self._model._native, self._model._animation)

    def to_pandas(self) -> Any:
        """A DataFrame whose index is the time; at an event a time occurs twice."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: install the package python3-pandas") from error
        return pandas.DataFrame(np.array(self.values), index=pandas.Index(np.array(self.t), name="time"), columns=self.names)

    def draw(self, *names: str, title: str = "") -> Picture:
        """A picture, drawn without matplotlib: a notebook shows it, and `draw("x", "y").write("x.png")` makes a file.

        Names are those of variables, parameters and derivatives over time, "x:y" for y over x, "T" or "T[1:3]" for elements
        of an array; without names the first variables are drawn.
        """
        return Picture({self.model: self}, names, title)

    def plot(self, *names: str, axes: Any = None, **style: Any) -> Any:
        """Draws with matplotlib, for which `style` is. Names are those of `draw`. Returns the axes."""
        return plot(self, names, axes, style)


def _unpickled(native: Any, model: Any, sensitivities: list[str]) -> Solution:
    solution = Solution(native, model)
    solution._sensitivities = sensitivities
    return solution
