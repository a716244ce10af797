"""What can go wrong: a model, a run, or Ctrl-C."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import _driftless as _native

if TYPE_CHECKING:
    from ._solution import Solution


@dataclass(frozen=True)
class Diagnostic:
    """One message: which kind (`code`, see docs/diagnostics.md), where, what, and what to do (`notes`)."""

    code: str
    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[str, ...] = field(default_factory=tuple)


def _diagnostics(dictionaries: list[dict]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(**{**one, "notes": tuple(one["notes"])}) for one in dictionaries)


class ModelError(Exception):
    """A model, or a request to it, is wrong. `diagnostics` has everything that was found; the text shows it."""

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = ()):
        super().__init__(text)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0]).rstrip()

    def __reduce__(self):
        return ModelError, (self.args[0], self.diagnostics)


def _model_error(text: str, dictionaries: list[dict]) -> ModelError:
    return ModelError(text, _diagnostics(dictionaries))


class ModelWarning(UserWarning):
    """The model is accepted, but something in it deserves a look."""


class RunError(Exception):
    """A run failed. `solution` has what was computed, `code` the kind of failure."""

    def __init__(self, solution: Solution):
        super().__init__(solution)
        self.solution = solution
        self.code = solution.code

    def __reduce__(self):
        return RunError, (self.solution,)

    def __str__(self) -> str:
        s = self.solution
        lines = [f"{s.model}: {s.outcome_text} at t = {s.reached:g}" + (f" ({s.code})" if s.code else "")]
        lines += [s.message] if s.message else []
        return "\n".join(lines + list(s.details))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or a progress function that returned False, ended a run or a sweep. `solution` has what was computed."""

    def __init__(self, solution):
        super().__init__("the run was interrupted; the attribute `solution` has what was computed")
        self.solution = solution

    def __reduce__(self):
        return Interrupted, (self.solution,)


def explain(code: str | Exception | Diagnostic = "") -> str:
    """What the code of a message means, with an example and the cure: `print(explain("D0302"))`, or of an error that was raised,
    `print(explain(error))`. Without a code a list of all."""
    if isinstance(code, ModelError):
        codes = dict.fromkeys(one.code for one in code.diagnostics)
        return "\n\n".join(_native.explain(one).rstrip() for one in codes) + "\n"
    if isinstance(code, (RunError, Diagnostic)):
        code = code.code or ""
    if not isinstance(code, str):
        raise TypeError(f"explain takes a code such as 'D0302', or an error of this package, not {type(code).__name__}")
    return _native.explain(code)
