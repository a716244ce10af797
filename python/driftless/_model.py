"""Models: read from text, or built from expressions."""
from __future__ import annotations

import os
import threading
import warnings
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _driftless as _native
from ._arrays import symbols
from ._analysis import Analysis, StartReport, SteadyState
from ._compiled import Compiled, answer
from ._driftless import Expr
from ._errors import ModelWarning, _diagnostics
from ._fit import Fit
from ._functions import _elementwise
from ._linearize import Linearization
from ._options import BOUNDARY_OPTIONS, COMPILE_OPTIONS, RUN_OPTIONS, checked, expect_known, number, split, whole_number
from ._options import text as _text
from ._parts import Growing, numbers, sides
from ._shapes import animated_shapes
from ._solution import Solution


class Model:
    """A model: read from Modelica text by `read` and `parse`, or built from expressions.

    >>> m = Model("Decay")
    >>> x = m.variable("x", start=1, fixed=True)
    >>> m.equation(der(x), -x)
    """

    def __init__(self, name: str):
        self._builder = _native.Builder(_text("the name of a model", name))
        self._model = None
        self._declared: set[str] = set()
        self._sealed = ""  # why it takes no further parts
        self._animation = None
        self._shapes: list[tuple] = []  # of which it is made
        self._origin: tuple | None = None
        self._analyses: dict[str, Any] = {}
        self._name = name
        self._lock = threading.RLock()  # analyses add expressions to the model, one at a time
        self.warnings: tuple = ()

    @classmethod
    def _read(cls, name: str, text: str | None, model: str, overrides: Mapping[str, Any],
              libraries: Sequence[str], allow_external: bool = False) -> Model:
        pairs = [(key, value if isinstance(value, str) else _literal(value)) for key, value in overrides.items()]
        native, diagnostics, animation = _native.read(name, text, model, pairs, list(libraries), allow_external)
        self = cls.__new__(cls)
        self._builder, self._model, self._name = None, native, native.name
        self._animation = animation
        self._origin = (name, text, model, dict(overrides), list(libraries), allow_external)
        self._analyses = {}
        self._lock = threading.RLock()
        self.warnings = _diagnostics(diagnostics)
        for warning in self.warnings:
            place = f"{warning.file}:{warning.line}: " if warning.line else ""
            warnings.warn(f"{place}{warning.message} ({warning.code})", ModelWarning, stacklevel=3)
        return self

    def __reduce__(self):
        if self._origin:
            return Model._read, self._origin
        # Built from expressions: by its flat text, which has the same equations.
        return Model._read, (f"{self._name}.mo", self.flat_text(), "", {}, [])

    # ---- building
    def _build(self) -> Any:
        if self._builder is None:
            raise TypeError("the model was read from text, and takes no further parts")
        return Growing(self)

    @property
    def time(self) -> Expr:
        """Time, in equations."""
        return self._build().time()

    def variable(self, name: str, *, shape: int | Sequence[int] | None = None, start: Any = None, fixed: bool = False,
                 nominal: float = 1.0, min: float | None = None, max: float | None = None,
                 state_select: str = "default", unit: str = "", description: str = "") -> Any:
        """An unknown function of time. With a shape, or an array of starts: an array of them, x[1], x[2], ... or
        x[1,1], ..."""
        options = {"fixed": fixed, "nominal": nominal, "min": min, "max": max, "state_select": state_select,
                   "unit": unit, "description": description}
        return self._declare(self._build().variable, name, shape, start, options)

    def input(self, name: str, *, shape: int | Sequence[int] | None = None, start: Any = None, unit: str = "",
              description: str = "") -> Any:
        """A variable that is given from outside, by `inputs` of a run; its start is its value otherwise."""
        return self._declare(self._build().input, name, shape, start, {"unit": unit, "description": description})

    @staticmethod
    def _declare(make: Callable, name: str, shape: Any, start: Any, options: dict) -> Any:
        if isinstance(start, Expr):
            raise TypeError(f"the start of '{name}' is a number, not the expression {start}: for a start that parameters decide "
                            "write initial_equation(variable, expression)")
        if shape is None and start is not None and np.ndim(start) > 0:
            shape = np.shape(start)
        if shape is None:
            return make(name, {**options, "start": None if start is None else number(f"the start of '{name}'", start)})
        sizes = [shape] if np.ndim(shape) == 0 else shape
        shape = tuple(whole_number(f"the shape of '{name}'", size, 0) for size in sizes)
        starts = None if start is None else numbers(f"the start of '{name}'", start)
        if starts is not None and starts.shape not in ((), shape):
            raise ValueError(f"'{name}' has the shape {shape}, and its starts have the shape {starts.shape}")
        starts = None if starts is None else np.broadcast_to(starts, shape)
        result = symbols(shape)
        for place in np.ndindex(shape):
            subscript = ",".join(str(k + 1) for k in place)
            value = None if starts is None else float(starts[place])
            result[place] = make(f"{name}[{subscript}]", {**options, "start": value})
        return result

    def parameter(self, name: str, value: Any, *, fixed: bool = True, nominal: float = 1.0, unit: str = "",
                  description: str = "") -> Any:
        """A constant that keeps its name, and can have another value in every run. An array of values gives an array."""
        options = {"fixed": fixed, "nominal": nominal, "unit": unit, "description": description}
        values = numbers(f"the value of '{name}'", value)
        builder = self._build()
        if values.ndim == 0:
            return builder.parameter(name, float(values), options)
        result = symbols(values.shape)
        for place in np.ndindex(values.shape):
            subscript = ",".join(str(k + 1) for k in place)
            result[place] = builder.parameter(f"{name}[{subscript}]", float(values[place]), options)
        return result

    def discrete(self, name: str, type: str = "Real", start: float = 0.0, fixed: bool = False, description: str = "") -> Expr:
        """A variable that changes at events only; type is Real, Integer or Boolean."""
        return self._build().discrete(name, type, float(start), fixed, description)

    def _equate(self, kind: str, left: Any, right: Any, label: str) -> None:
        builder = self._build()
        left, right = sides(left, right)
        count = np.broadcast(np.asarray(left, dtype=object), np.asarray(right, dtype=object)).size
        number = iter(range(1, count + 1))

        def one(a, b):
            k = next(number)
            builder.equation(kind, a, b, label if count == 1 or not label else f"{label}[{k}]")

        _elementwise(one, left, right)

    def equation(self, left: Any, right: Any = None, label: str = "") -> None:
        """left = right, at all times; of arrays element by element. Also equation(left == right)."""
        self._equate("", left, right, label)

    def initial_equation(self, left: Any, right: Any = None, label: str = "") -> None:
        """left = right at the start; may use derivatives."""
        self._equate("initial", left, right, label)

    def final_equation(self, left: Any, right: Any = None, label: str = "") -> None:
        """left = right at the stop time; may use derivatives. Such a model is solved by `solve_boundary`."""
        self._equate("final", left, right, label)

    def guess(self, variable: Any, value: Any) -> None:
        """A first approximation of a variable for `solve_boundary`: an expression of time and parameters."""
        _elementwise(self._build().guess, variable, value)

    def discrete_equation(self, left: Any, right: Any = None, label: str = "") -> None:
        """left = right at the start and at every event; one side is a discrete variable."""
        self._equate("discrete", left, right, label)

    def invariant(self, name: str, value: Expr) -> None:
        """What stays constant along solutions: runs are measured by it."""
        self._build().invariant(name, value)

    def assertion(self, condition: Expr, message: str, warning: bool = False) -> None:
        """What must hold during the run: otherwise it ends there, or says so if it is only a warning."""
        self._build().assertion(condition, message, warning)

    def smooth(self, order: int, value: Expr) -> Expr:
        """The value, with the promise that it and its derivatives up to this order do not jump."""
        return self._build().smooth(order, value)

    def no_event(self, value: Expr) -> Expr:
        """The value; its relations cause no events."""
        return self._build().no_event(value)

    def pre(self, discrete: Expr) -> Expr:
        """The value right before an event."""
        return self._build().pre(discrete)

    def edge(self, boolean: Expr) -> Expr:
        """True at events at which the Boolean becomes true."""
        return self._build().edge(boolean)

    def change(self, discrete: Expr) -> Expr:
        """True at events at which the value changes."""
        return self._build().change(discrete)

    def when(self, condition: Expr, label: str = "") -> Expr:
        """True at the events at which the condition becomes true."""
        return self._build().when(condition, label)

    def sample(self, start: Any, interval: Any) -> Expr:
        """True at the events start, start + interval, ..."""
        return self._build().sample(start, interval)

    def delay(self, value: Expr, time: Any) -> Expr:
        """The value some time ago."""
        return self._build().delay(value, time)

    def initial(self) -> Expr:
        """True while the start is found."""
        return self._build().initial()

    def terminal(self) -> Expr:
        """True at the event that ends the run."""
        return self._build().terminal()

    def reinit(self, condition: Expr, variable: Expr, value: Any) -> None:
        """At the events at which the condition is true, the variable begins anew with the value."""
        self._build().reinit(condition, variable, value)

    def terminate(self, condition: Expr, message: str) -> None:
        """Ends the run, successfully, when the condition becomes true."""
        self._build().terminate(condition, message)

    def experiment(self, start: float = 0.0, stop: float = 1.0, tolerance: float | None = None,
                   interval: float | None = None) -> None:
        """Times of runs that are given no others."""
        self._build().experiment(start, stop, tolerance, interval)

    def animation(self, *, points: Mapping[str, Any] | None = None, lines: Mapping[str, Any] | None = None,
                  circles: Mapping[str, Any] | None = None) -> None:
        """What is seen moving in a report (`Solution.report`). Coordinates are expressions and numbers; they add no equation.

        >>> m.animation(points={"mass": (x, y)}, lines={"rod": [(0, 0), (x, y)]}, circles={"wheel": (x, y, r)})

        A point is (x, y) or (x, y, z), a line a list of two or more points, a circle a point with a radius behind it; all
        shapes are in the plane, or all in space.
        """
        self._build()
        shapes = animated_shapes(points, lines, circles, self._shapes)
        self._animation = self._builder.animation(self._native, self._shapes + shapes)
        self._shapes += shapes

    # ---- looking
    @property
    def _native(self) -> Any:
        if self._model is None:
            self._model = self._builder.build()
        return self._model

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._name

    @property
    def variables(self) -> list[dict[str, Any]]:
        """Name, start, unit, ... of every variable."""
        return self._native.variables

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters and their values."""
        return self._native.parameters

    @property
    def inputs(self) -> list[str]:
        """What is given from outside."""
        return self._native.inputs

    @property
    def equations(self) -> list[tuple[str, str]]:
        """Label and text of every equation."""
        return self._native.equations

    @property
    def experiment_annotation(self) -> dict[str, float | None]:
        """Start, stop, tolerance and interval that the model asks for."""
        return self._native.experiment

    def flat_text(self) -> str:
        """The model as Base Modelica, without classes and connections."""
        return self._native.flat_text()

    def __repr__(self) -> str:
        return f"<Model {self._name}>"

    def _analysis(self, formulation: str) -> Any:
        if formulation not in self._analyses:
            self._analyses[formulation] = _native.analyze(self._native, formulation)
        return self._analyses[formulation]

    def analyze(self, formulation: str = "dummy") -> Analysis:
        """The structure: index, hidden constraints, states, blocks."""
        with self._lock:
            return Analysis(self._analysis(formulation))

    def examine_start(self, t: float | None = None) -> StartReport:
        """The start from all sides: what is free, given, missing, contradictory, moved, violated."""
        with self._lock:
            return StartReport(self._analysis("dummy").start(t))

    def steady_state(self, t: float | None = None) -> SteadyState:
        """A point at which nothing moves, with the modes of motions near it."""
        with self._lock:
            return SteadyState(self._analysis("dummy").steady(t))

    def linearize(self, *, at: float | None = None, steady: bool = False, inputs: Sequence[str] | None = None,
                  outputs: Sequence[str] | None = None, states: Sequence[str] = (), modes: bool = True,
                  **options: Any) -> Linearization:
        """A, B, C, D and the modes at the start, at time `at` of a run, or at a steady state: `Compiled.linearize`."""
        ahead, options = split(options)
        return self.compile(**ahead).linearize(at=at, steady=steady, inputs=inputs, outputs=outputs, states=states,
                                               modes=modes, **options)

    # ---- running
    def compile(self, **options: Any) -> Compiled:
        """Analyzes the model and chooses a method, once for many runs.

        start, stop, tol, intervals (output points minus one): otherwise those of the model's experiment. method,
        formulation, projection: as on the command line, otherwise chosen for the model. step, max_step: a constant step
        size; the longest one. max_steps, backend ("adaptive", "interpreter" or "llvm"), tolerances={"x": 1e-8}, sliding, dense
        (False: no dense output, less memory); inputs: what drives the inputs, as of `Compiled.simulate`.
        """
        return Compiled(self, checked(options, COMPILE_OPTIONS, "compile", model=self))

    def simulate(self, *, parameters: Mapping[str, float] | None = None, starts: Mapping[str, float] | None = None,
                 progress: bool | Callable[[float], Any] | None = None, raise_on_failure: bool = True,
                 sensitivities: Sequence[str] = (), **options: Any) -> Solution:
        """Compiles the model and runs it once: options as in `compile` and `Compiled.simulate`."""
        of_runs = ("parameters", "starts", "sensitivities", "progress", "raise_on_failure")
        expect_known(options, (*COMPILE_OPTIONS, *of_runs), "simulate", self)
        return self.compile(**options).simulate(parameters=parameters, starts=starts, progress=progress,
                                                raise_on_failure=raise_on_failure, sensitivities=sensitivities)

    def solve_boundary(self, *, parameters: Mapping[str, float] | None = None, starts: Mapping[str, float] | None = None,
                       raise_on_failure: bool = True, **options: Any) -> Solution:
        """Solves a boundary value problem: a model with conditions at both ends of its interval.

        Those at the start are fixed starts and initial equations, those at the stop time final equations (of a text:
        `finalEquations` of its annotation). Options are start, stop, tol, intervals and dense as of `simulate`; method,
        "gauss2" ... "gauss4" or "radau2" ... "radau4"; mesh, a constant number of intervals instead of tol; and
        continue_from={"k": 0.1}, values of parameters with which the problem is easier: the solution is then followed from
        these to those of the model. If there is none, RunError is raised, as for a run.
        """
        given = {**checked(options, BOUNDARY_OPTIONS, "solve_boundary"),
                 **checked({"parameters": parameters, "starts": starts}, RUN_OPTIONS, "solve_boundary")}
        if given.get("mesh") is not None and given.get("tol") is not None:
            raise ValueError("tol lets the method choose its mesh, mesh makes it constant: give one of the two")
        if given.get("tol") is None and self.experiment_annotation["tolerance"] is not None:
            given["tol"] = self.experiment_annotation["tolerance"]
        with self._lock:
            return answer((_native.solve_boundary(self._native, given), False), raise_on_failure, self)

    def fit(self, data: Any, parameters: Any, bounds: Any = None, *, tol: float = 1e-8, **options: Any) -> Fit:
        """Compiles the model for runs of this tolerance and finds parameters from measurements: see `Compiled.fit`."""
        return self.compile(tol=tol).fit(data, parameters, bounds, **options)


def _literal(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def read(path: Any, *, model: str = "", libraries: Sequence[Any] = (), overrides: Mapping[str, Any] | None = None,
         allow_external: bool = False) -> Model:
    """A model from a file of Modelica text, or by its full name from a library.

    `libraries` are folders with libraries, before those of MODELICAPATH; `overrides` are other values for parameters and
    starts, numbers or Modelica text; `model` says which one if a file has several. With `allow_external` the model may
    call C functions of shared libraries, which then run with your rights.
    """
    return Model._read(os.fspath(path), None, model, overrides or {}, [os.fspath(folder) for folder in libraries],
                       allow_external)


def parse(text: str, *, name: str = "text.mo", model: str = "", libraries: Sequence[Any] = (),
          overrides: Mapping[str, Any] | None = None, allow_external: bool = False) -> Model:
    """A model from Modelica text; `name` is what messages call the text."""
    return Model._read(name, _text("the text of a model", text), model, overrides or {},
                       [os.fspath(folder) for folder in libraries], allow_external)


def trace(name: str, n: int, residuals: Callable, *, start: Any = None, fixed: bool = False, stop: float = 1.0) -> Model:
    """The model 0 = F(t, x, x') with n unknowns x[1], ..., x[n].

    `residuals(t, x, dx)` is called once, with an expression and two arrays of expressions, and returns n of them: what
    it does is recorded, and never called again.
    """
    m = Model(name)
    x = m.variable("x", shape=n, start=start, fixed=fixed)
    m.experiment(stop=stop)
    result = np.asarray(residuals(m.time, x, _elementwise(lambda e: e.der(), x)), dtype=object)
    if result.shape != (n,):
        raise ValueError(f"{n} unknowns need {n} residuals, and the function returned an array of shape {result.shape}")
    m.equation(result, np.zeros(n))
    return m
