"""Arrays of expressions, and arrays by their names: "x" stands for x[1], x[2], ... or x[1,1], ..., and "der(x)" for their
derivatives."""
from __future__ import annotations

import re
from typing import Any, Iterable, Mapping

import numpy as np


class Symbols(np.ndarray):
    """An array of expressions. Comparisons are made element by element: equations of `==`, conditions of the others."""

    def __eq__(self, other: Any) -> Any:
        return np.equal(self, other, dtype=object)

    def __lt__(self, other: Any) -> Any:
        return np.less(self, other, dtype=object)

    def __le__(self, other: Any) -> Any:
        return np.less_equal(self, other, dtype=object)

    def __gt__(self, other: Any) -> Any:
        return np.greater(self, other, dtype=object)

    def __ge__(self, other: Any) -> Any:
        return np.greater_equal(self, other, dtype=object)

    __hash__ = None  # type: ignore[assignment]


def symbols(shape: tuple[int, ...]) -> Symbols:
    """Without elements so far."""
    return np.empty(shape, dtype=object).view(Symbols)


def elements_of(name: str, names: Iterable[str]) -> np.ndarray | None:
    """The names of the elements of the array, in its shape; None if `names` do not hold all of an array."""
    inner, depth = name, 0
    while inner.startswith("der(") and inner.endswith(")"):
        inner, depth = inner[4:-1], depth + 1
    pattern = re.compile(re.escape("der(" * depth + inner) + r"\[(\d+(?:,\d+)*)\]" + re.escape(")" * depth))
    found = {}
    for one in names:
        if match := pattern.fullmatch(one):
            found[tuple(int(k) - 1 for k in match[1].split(","))] = one
    if not found or len({len(place) for place in found}) > 1:
        return None
    shape = tuple(max(k) + 1 for k in zip(*found))
    if len(found) != np.prod(shape):
        return None
    result = np.empty(shape, dtype=object)
    for place, one in found.items():
        result[place] = one
    return result


def spread(values: Mapping[str, Any]) -> dict[str, Any]:
    """{"x": [1, 2]} as {"x[1]": 1, "x[2]": 2}; numbers stay as they are."""
    result: dict[str, Any] = {}
    for name, value in values.items():
        array = np.asarray(value)
        if array.ndim == 0:
            result[name] = value
            continue
        for place in np.ndindex(array.shape):
            result[f"{name}[{','.join(str(k + 1) for k in place)}]"] = array[place].item()
    return result
