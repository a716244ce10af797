"""A bar on a terminal for what takes longer than a second; elsewhere nothing is printed."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable

_WIDTH = 40


class Bar:
    def __init__(self, start: float, stop: float, quantity: str = "t"):
        self.start, self.stop, self.quantity = start, stop, quantity
        self.begin = time.monotonic()
        self.shown = False

    def __call__(self, at: float) -> None:
        if time.monotonic() - self.begin < 1.0:
            return
        part = min(max((at - self.start) / (self.stop - self.start), 0.0), 1.0) if self.stop > self.start else 0.0
        filled = int(part * _WIDTH)
        sys.stderr.write(f"\r{'█' * filled}{'░' * (_WIDTH - filled)} {100 * part:3.0f} %  {self.quantity} = {at:<10.5g}")
        sys.stderr.flush()
        self.shown = True

    def finish(self) -> None:
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def watcher(progress: bool | Callable[[float], Any] | None, start: float, stop: float, quantity: str = "t"):
    """What is called a few times a second, and what removes the bar afterwards."""
    if callable(progress):
        return progress, lambda: None
    wanted = sys.stderr is not None and sys.stderr.isatty() if progress is None else progress
    if not wanted:
        return None, lambda: None
    bar = Bar(start, stop, quantity)
    return bar, bar.finish
