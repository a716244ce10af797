"""What a model reduced by hand to an explicit equation is."""
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Explicit:
    start: list                  # of the states of the reduction
    rate: Callable               # (t, y) -> y'
    out: Callable                # (t, y) -> {variable of the text: value}
    method: str = "DOP853"       # of scipy.integrate.solve_ivp
    scale: list = None           # sizes of the states, for the absolute tolerance
    max_step: float = float("inf")
    agreement: float = 2e-10     # asked of the two ways, relative to the largest value of each variable
    published: dict = field(default_factory=dict)  # digits of the end point, 11 of them


@dataclass
class Closed:
    out: Callable                # t -> {variable of the text: value}
    agreement: float = 1e-11
