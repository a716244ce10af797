"""The parts of a model while it is built, as users give them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._driftless import Equation
from ._errors import Diagnostic, ModelError
from ._options import number, text

if TYPE_CHECKING:
    from ._model import Model


class Growing:
    """The builder of a model that is not yet compiled. A part that is refused leaves the model as it was."""

    def __init__(self, model: Model):
        self._model = model

    def __getattr__(self, kind: str) -> Callable:
        model, add = self._model, getattr(self._model._builder, kind)

        def part(*arguments: Any) -> Any:
            if model._sealed:
                raise RuntimeError(model._sealed)
            names = (arguments[0],) if kind in ("variable", "input", "parameter", "discrete", "invariant") else ()
            for name in names:
                text(f"the name of {'an' if kind[0] == 'i' else 'a'} {kind}", name)
                if name in model._declared:
                    message = f"{model._name} has a variable or parameter '{name}' already"
                    raise ModelError(f"error D0202: {message}", (Diagnostic("D0202", "error", message),))
            try:
                result = add(*arguments)
            except RuntimeError as error:
                if "has been compiled" in str(error):
                    model._sealed = str(error)
                raise
            model._declared.update(names)
            model._model = None
            model._analyses.clear()
            return result

        return part


def numbers(what: str, value: Any) -> np.ndarray:
    if np.ndim(value) == 0:
        return np.asarray(number(what, value))
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is a number, or an array of numbers, not {value!r}") from None


def sides(left: Any, right: Any) -> tuple[Any, Any]:
    """Of an equation that was given as two sides, or as left == right."""
    equations = np.asarray(left, dtype=object)
    if equations.size and all(isinstance(one, Equation) for one in equations.flat):
        if right is not None:
            raise TypeError("give an equation left == right, or both of its sides")
        both = [np.frompyfunc(lambda equation, side=side: getattr(equation, side), 1, 1)(equations) for side in ("left", "right")]
        return both[0], both[1]
    if right is not None:
        return left, right
    if equations.size and all(isinstance(one, (bool, np.bool_)) for one in equations.flat):
        raise TypeError("left == right has compared numbers, or plain arrays of numpy, and is no equation: "
                        "write equation(left, right)")
    raise TypeError("an equation has two sides: equation(left, right) or equation(left == right)")
