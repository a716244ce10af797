"""Runs that advance step by step."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import _driftless as _native
from ._arrays import elements_of, spread
from ._compiled import Compiled, answer
from ._errors import Interrupted, RunError
from ._linearize import Linearization, _linearize_options
from ._options import COMPILE_OPTIONS, RUN_OPTIONS, checked, split
from ._solution import Solution

if TYPE_CHECKING:
    from ._model import Model


class Simulation:
    """A run that advances when it is told to, shows its values, takes changes, and can be saved and restored.

    >>> run = Simulation(model, stop=10)
    >>> run.advance_to(4.0)
    >>> run.set(damping=0.2)
    >>> solution = run.finish()

    Options are those of `Compiled.simulate`; of a model that is not yet compiled, those of `Model.compile` as well.
    """

    def __init__(self, model: Model | Compiled, *, progress: Callable[[float], Any] | None = None, **options: Any):
        if not isinstance(model, Compiled):
            ahead, options = split(options)
            checked(options, RUN_OPTIONS, "Simulation", COMPILE_OPTIONS, model)  # before the model is compiled
            model = model.compile(**ahead)
        self.compiled = model
        self._native = _native.Simulation(self.compiled._native, checked(options, RUN_OPTIONS, "Simulation"), progress)
        self._check()

    @classmethod
    def restore(cls, model: Model | Compiled, saved: bytes, *, progress: Callable[[float], Any] | None = None) -> Simulation:
        """The run that `save` wrote, of the same model compiled with the same options; it goes on with the same bits."""
        self = cls.__new__(cls)
        self.compiled = model if isinstance(model, Compiled) else model.compile()
        if not isinstance(saved, (bytes, bytearray, memoryview)):
            raise TypeError(f"what `save` gave are bytes, not {type(saved).__name__}")
        self._native = _native.Simulation.restore(self.compiled._native, bytes(saved), progress)
        return self

    def _check(self, interrupted: bool = False) -> None:
        if self._native.outcome != "success":
            solution = self.solution()
            raise Interrupted(solution) if interrupted else RunError(solution)

    @property
    def time(self) -> float:
        """The time to which the run was advanced."""
        return self._native.time

    @property
    def stop(self) -> float:
        """The time beyond which it does not go."""
        return self._native.stop

    @property
    def outcome(self) -> str:
        """"success" while the run goes on; otherwise how it has ended."""
        return self._native.outcome

    def advance_to(self, t: float) -> None:
        """Raises RunError if the run ends before. Steps do not depend on the times that a run is advanced to."""
        outcome, interrupted = self._native.advance_to(float(t))
        if outcome != "success":
            self._check(interrupted)

    def value(self, name: str) -> Any:
        """A variable, a derivative "der(x)", an invariant or a parameter, now; of an array, the values of its elements."""
        try:
            return self._values([name])[0]
        except KeyError:
            elements = elements_of(name, self.solution().names)
            if elements is None:
                raise
            return np.array(self._values(list(elements.flat))).reshape(elements.shape)

    def values(self, names: Sequence[str]) -> np.ndarray:
        """Several of them at once."""
        return np.array(self._values(list(names)))

    def _values(self, names: list[str]) -> list[float]:
        try:
            return self._native.values(names)
        except IndexError as error:
            raise KeyError(str(error)) from None

    def __getitem__(self, name: str) -> Any:
        return self.value(name)

    def set(self, values: Mapping[str, float] | None = None, **named: float) -> None:
        """From now on a parameter, an input, or a variable that can be a state has another value."""
        self._native.set(spread({**(values or {}), **named}))

    def linearize(self, *, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None,
                  states: Sequence[str] = (), modes: bool = True) -> Linearization:
        """The linear system near the present point: see `Compiled.linearize`. The run goes on as if nobody had asked."""
        return Linearization(self._native.linearize(_linearize_options(inputs, outputs, states, modes)))

    def __repr__(self) -> str:
        name = self.compiled.model.name
        return f"<Simulation of {name}: t = {self.time:g} of {self.stop:g}, {self.outcome}>" if self._native.is_running \
            else f"<Simulation of {name}: finished>"

    def solution(self) -> Solution:
        """The output points so far, without dense output."""
        return Solution(self._native.solution(), self.compiled.model)

    def save(self) -> bytes:
        """All that further steps depend on."""
        return self._native.save()

    def finish(self, raise_on_failure: bool = True) -> Solution:
        """Advances to the stop time, and gives the solution away: the run can then no longer be used."""
        return answer(self._native.finish(), raise_on_failure, self.compiled.model)
