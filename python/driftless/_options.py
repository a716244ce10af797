"""What users give to models and runs, checked and in the form that the library takes."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ._arrays import spread

COMPILE_OPTIONS = ("start", "stop", "tol", "intervals", "formulation", "method", "projection", "step", "max_step",
                    "max_steps", "backend", "tolerances", "sliding", "inputs", "dense")
RUN_OPTIONS = ("parameters", "starts", "inputs", "start", "stop", "tol", "step", "max_step", "intervals", "dense")

BOUNDARY_OPTIONS = ("start", "stop", "tol", "intervals", "method", "mesh", "continue_from", "dense")


def checked(options: Mapping[str, Any], known: Sequence[str], what: str, taken: Sequence[str] = ()) -> dict[str, Any]:
    """`taken`: options that are known as well, and were taken out before."""
    for name in options:
        if name not in known:
            there = ", ".join([*known, *(other for other in taken if other not in known)])
            raise TypeError(f"{what} has no option '{name}': there are {there}{_belongs(name)}")
    result = dict(options)
    for name in ("parameters", "starts", "continue_from"):
        if isinstance(result.get(name), Mapping):
            result[name] = spread(result[name])
    for name in ("start", "stop", "tol", "step", "max_step"):
        if result.get(name) is not None:
            result[name] = number(name, result[name])
    for name in ("intervals", "max_steps", "mesh"):
        if result.get(name) is not None:
            if (whole := number(name, result[name])) != int(whole):
                raise ValueError(f"{name} is a whole number, not {result[name]}")
            result[name] = int(whole)
    if isinstance(result.get("inputs"), Mapping):
        result["inputs"] = {name: _signal(name, value) for name, value in result["inputs"].items()}
    if isinstance(result.get("inputs"), os.PathLike):
        result["inputs"] = os.fspath(result["inputs"])
    return result


def number(name: str, value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} is a number, not the text {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a number, not {type(value).__name__}") from None


def _signal(name: str, value: Any) -> Any:
    """A Series is a table of its index; what a function returns must be a number."""
    if hasattr(value, "index") and hasattr(value, "to_numpy"):
        return np.asarray(value.index, dtype=float), np.asarray(value.to_numpy(), dtype=float)
    if not callable(value):
        return value

    return value if isinstance(value, _Sampled) else _Sampled(name, value)


class _Sampled:
    """A function of time that drives an input; it can be sent to other processes if the function can."""

    def __init__(self, name: str, function: Callable[[float], Any]):
        self.name, self.function = name, function

    def __repr__(self) -> str:
        return repr(self.function)

    def __call__(self, t: float) -> float:
        result = self.function(t)
        try:
            return float(result)
        except (TypeError, ValueError):
            raise TypeError(f"the function of the input '{self.name}' gives {type(result).__name__} at t = {t:g}, "
                            "not a number") from None


def _belongs(name: str) -> str:
    if name in ("tolerance", "rtol", "atol"):
        return "; the tolerance is 'tol'"
    return "; it is one of compile(...)" if name in COMPILE_OPTIONS else ""


def split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is for `compile`, and what is for each run."""
    ahead = {name: value for name, value in options.items() if name in COMPILE_OPTIONS and name not in RUN_OPTIONS}
    return ahead, {name: value for name, value in options.items() if name not in ahead}


def measurements(data: Any) -> Any:
    """A mapping of names to lists, or the name of a file."""
    if hasattr(data, "to_dict") and hasattr(data, "columns"):  # a DataFrame, without needing pandas
        table = {str(name): data[name] for name in data.columns}
        if "time" not in table:
            table["time"] = data.index
        data = table
    if isinstance(data, Mapping):
        if "time" not in data:
            raise ValueError('the data have no "time"')
        return {name: np.asarray(values, dtype=float).ravel().tolist() for name, values in data.items()}
    if not isinstance(data, (str, os.PathLike)):
        raise TypeError("data are a CSV file, a DataFrame, or a mapping of \"time\" and of names of variables to arrays, not "
                        f"{type(data).__name__}")
    return os.fspath(data)
