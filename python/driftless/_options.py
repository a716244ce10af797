"""What users give to models and runs, checked and in the form that the library takes."""
from __future__ import annotations

import difflib
import math
import os
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from ._arrays import spread
from ._driftless import Expr

COMPILE_OPTIONS = ("start", "stop", "tol", "intervals", "formulation", "method", "projection", "step", "max_step",
                    "max_steps", "backend", "tolerances", "sliding", "inputs", "dense")
RUN_OPTIONS = ("parameters", "starts", "inputs", "start", "stop", "tol", "step", "max_step", "intervals", "dense")

BOUNDARY_OPTIONS = ("start", "stop", "tol", "intervals", "method", "mesh", "continue_from", "dense")


# What options are, and what they are called elsewhere.
_OTHER_NAMES = {"tol": ("tolerance", ("tolerance", "rtol", "atol", "reltol", "abstol")),
                "stop": ("stop time", ("t_end", "tend", "tf", "t1", "stop_time", "tstop")),
                "start": ("start time", ("t_start", "t0", "start_time")),
                "method": ("method", ("solver", "integrator")),
                "parameters": ("mapping of parameters", ("params", "p")),
                "starts": ("mapping of starts", ("x0", "y0", "initial", "initial_values")),
                "step": ("constant step size", ("dt", "h", "step_size")),
                "intervals": ("number of output intervals", ("n", "points", "steps")),
                "max_step": ("longest step", ("hmax", "max_dt")),
                "inputs": ("mapping of inputs", ("u", "input"))}


def expect_known(options: Mapping[str, Any], known: Sequence[str], what: str, model: Any = None) -> None:
    """Otherwise TypeError, with the option that may be meant; `model` knows its parameters and variables."""
    for name in options:
        if name not in known:
            raise TypeError(f"{what} has no option '{name}': there are {', '.join(known)}{_meant(name, known, model)}")


def _meant(name: str, known: Sequence[str], model: Any) -> str:
    if model is not None and "parameters" in known and name in model.parameters:
        return f"; write parameters={{'{name}': ...}}"
    if model is not None and "starts" in known and name in (variable["name"] for variable in model.variables):
        return f"; write starts={{'{name}': ...}}"
    for option, (what, others) in _OTHER_NAMES.items():
        if name in others and option in known:
            return f"; the {what} is '{option}'"
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"; did you mean '{near[0]}'?"
    return "; it is one of compile(...)" if name in COMPILE_OPTIONS else ""


def checked(options: Mapping[str, Any], known: Sequence[str], what: str, taken: Sequence[str] = (),
            model: Any = None) -> dict[str, Any]:
    """`taken`: options that are known as well, and were taken out before."""
    expect_known(options, (*known, *(other for other in taken if other not in known)), what, model)
    result = dict(options)
    for name in ("parameters", "starts", "continue_from", "tolerances"):
        if result.get(name) is not None and not isinstance(result[name], Mapping):
            raise TypeError(f"{name} is a mapping of names to numbers, not {type(result[name]).__name__}")
    given = result.get("inputs")
    if given is not None and not isinstance(given, (Mapping, str, os.PathLike)):
        raise TypeError(f"inputs is a mapping of names to signals, or the name of a CSV file, not {type(given).__name__}")
    for name in ("parameters", "starts", "continue_from"):
        if isinstance(result.get(name), Mapping):
            result[name] = spread(result[name])
    for name in ("start", "stop", "tol", "step", "max_step"):
        if result.get(name) is not None:
            result[name] = number(name, result[name])
    for name in ("intervals", "max_steps", "mesh"):
        if result.get(name) is not None:
            result[name] = whole_number(name, result[name])
    if isinstance(result.get("inputs"), Mapping):
        result["inputs"] = {name: _signal(name, value) for name, value in result["inputs"].items()}
    if isinstance(result.get("inputs"), os.PathLike):
        result["inputs"] = os.fspath(result["inputs"])
    return result


def number(name: str, value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} is a number, not the text {value!r}")
    if value is None or isinstance(value, Expr):
        raise TypeError(f"{name} is a number, not {'None' if value is None else f'the expression {value}'}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a number, not {type(value).__name__}") from None


def whole_number(name: str, value: Any, least: int | None = None) -> int:
    whole = number(name, value)
    if not math.isfinite(whole) or whole != int(whole):
        raise ValueError(f"{name} is a whole number, not {value}")
    if least is not None and whole < least:
        raise ValueError(f"{name} is at least {least}, not {value}")
    return int(whole)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    return value


def names(what: str, value: Any) -> list[str]:
    """A name, or several."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise TypeError(f"{what} is a list of names, not {type(value).__name__}")
    return [text(f"a name in {what}", one) for one in value]


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
