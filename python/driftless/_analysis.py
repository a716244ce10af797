"""What is known of a model before a run: its structure, its start, its steady states."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._report import html_lines, html_table, number, text_section


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


class Analysis:
    """The structure of a model: index, hidden constraints, states, blocks. `print` it, or show it in a notebook."""

    model: str
    index: int
    degrees_of_freedom: int
    equations: int
    formulation: str
    has_events: bool
    differentiated: list[tuple[str, int, str]]  #: equation, how often, its text
    hidden_constraints: list[tuple[str, int, str]]  #: equation, level, what vanishes
    states: list[str]  #: at all times
    choices: list[tuple[int, list[str]]]  #: so many of these are states at any time
    blocks: list[tuple[list[str], list[str]]]  #: equations and their unknowns, in the order of solution
    repaired: list[str]

    def __init__(self, native: Any):
        self.__dict__.update(native.report())

    def __str__(self) -> str:
        plural = "" if self.degrees_of_freedom == 1 else "s"
        text = f"{self.model}: {self.equations} equations, index {self.index}, " \
               f"{self.degrees_of_freedom} degree{plural} of freedom\n"
        text += text_section("combined", self.repaired)
        text += text_section("differentiated", (f"{e}  {_times(n)}  {t}" for e, n, t in self.differentiated))
        text += text_section("hidden constraints", (f"{residual} = 0" for _, _, residual in self.hidden_constraints))
        states = [f"always  {', '.join(self.states)}"] if self.states else []
        states += [f"{n} of  {', '.join(names)}" for n, names in self.choices]
        text += text_section("states", states)
        text += text_section("blocks, in the order of solution",
                             (f"{len(e)}  {', '.join(e[:6])}  for  {', '.join(u[:6])}" for e, u in self.blocks))
        return text

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return (html_lines(f"{self.model}: {self.equations} equations, index {self.index}, "
                           f"{self.degrees_of_freedom} degrees of freedom")
                + html_table("Differentiated", ("equation", "how often", "text"), self.differentiated)
                + html_table("Hidden constraints", ("equation", "level", "vanishes"), self.hidden_constraints)
                + html_table("States", ("number", "of"),
                             [("all", ", ".join(self.states))] * bool(self.states)
                             + [(n, ", ".join(names)) for n, names in self.choices])
                + html_table("Blocks", ("size", "equations", "unknowns"),
                             [(len(e), ", ".join(e[:6]), ", ".join(u[:6])) for e, u in self.blocks[:40]]))


class StartReport:
    """The start of a model from all sides: what is free, given, missing, moved or violated, and lines that settle it."""

    found: bool
    message: str
    details: list[str]
    notes: list[str]  #: equations that were combined, or left out because they follow from others
    t: float
    largest_residual: float
    degrees_of_freedom: int
    conditions: list[tuple[str, str]]  #: text, and used, repeated or conflicting
    repetitions: list[tuple[list[str], list[str]]]
    choices: list[tuple[str, float, bool, list[str]]]  #: what takes the place of missing conditions
    moves: list[tuple[str, float, float, str]]  #: name, from, to, because of which equation
    violations: list[tuple[str, float]]
    branches: list[tuple[str, float, float, str]]  #: other solutions
    cure: list[tuple[str, str, str]]  #: kind of line, its text, and why
    cure_holds: bool
    values: dict[str, float]

    def __init__(self, dictionary: dict):
        self.__dict__.update(dictionary)

    def __str__(self) -> str:
        head = "consistent start found" if self.found else f"no consistent start: {self.message}"
        text = f"{head} at t = {number(self.t)}, {self.degrees_of_freedom} degrees of freedom\n"
        text += text_section("details", self.details)
        text += text_section("the equations as they are solved", self.notes)
        text += text_section(f"conditions: {len(self.conditions)} of {self.degrees_of_freedom}",
                             (c if role == "used" else f"{c}   <- {role}" for c, role in self.conditions))
        text += text_section("taken for missing conditions",
                             (f"{name} = {number(value)}" for name, value, _, _ in self.choices))
        text += text_section("moved", (f"{n} from {number(a)} to {number(b)} by {by}" for n, a, b, by in self.moves))
        text += text_section("violated", (f"{row} by {number(r)}" for row, r in self.violations))
        text += text_section("other solutions", (f"{n} = {number(b)} instead of {number(a)}" for n, a, b, _ in self.branches))
        text += text_section("lines that settle the start", (f"{kind}: {line}" for kind, line, _ in self.cure))
        return text

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return (html_lines(str(self).split("\n")[0])
                + html_table("Conditions", ("condition", "role"), self.conditions)
                + html_table("Moved", ("variable", "from", "to", "by"), self.moves)
                + html_table("Violated", ("equation", "by"), self.violations)
                + html_table("Lines that settle the start", ("kind", "line", "why"), self.cure))


class SteadyState:
    """A point at which nothing moves, and the modes exp(lambda t) of motions near it."""

    found: bool
    proven_absent: bool
    t: float
    depends_on_time: bool
    largest_residual: float
    values: dict[str, float]
    open: list[str]  #: variables that the equations leave open
    violations: list[tuple[str, float]]
    stability: str  #: "stable", "marginal", "unstable", "nothing moves" or "not examined"
    modes: np.ndarray  #: complex, the slowest decaying or fastest growing first

    def __init__(self, dictionary: dict):
        self.__dict__.update(dictionary)
        self.modes = np.array(self.modes, dtype=complex)

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def __str__(self) -> str:
        if not self.found:
            why = "the equations contradict each other if nothing moves" if self.proven_absent else \
                "none was found from these starts"
            return f"no steady state: {why}\n" + text_section("violated", (f"{r} by {number(v)}" for r, v in self.violations))
        text = f"steady state, {self.stability}\n"
        text += text_section("values", (f"{name} = {number(value)}" for name, value in self.values.items()))
        return text + text_section("modes", (f"{mode:.6g}" for mode in self.modes))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return (html_lines(str(self).split("\n")[0]) + html_table("Values", ("variable", "value"), self.values.items())
                + html_table("Modes", ("lambda",), ((f"{mode:.6g}",) for mode in self.modes)))
