"""The runs of a sweep in the workers of an executor.

The process that calls hands out blocks of runs and takes their rows in their order. A block that a worker has not sent back
when it dies is handed out again; rows that have come are never computed again. A run depends on its number alone, so it does
not matter who does it.
"""
from __future__ import annotations

import concurrent.futures as cf
import hashlib
import pickle
import time
from concurrent.futures.process import ProcessPoolExecutor
from typing import Any, Callable

from . import _driftless as _native

_SECONDS = 0.2  #: of a block
_MOST_RUNS = 2000  #: in a block
_AHEAD = 3  #: blocks for each worker that are handed out or wait for their turn
_BREAKS = 3  #: as often pools may break one after the other before a row comes

_compiled: dict[str, Any] = {}  #: in a worker: by the hash of what it was sent


def _work(payload: bytes, digest: str, fingerprint: int, sweep: tuple, first: int, count: int) -> tuple[bytes, float]:
    """In a worker: the rows of some runs, and how long they took."""
    compiled = _compiled.get(digest)
    if compiled is None:
        compiled = pickle.loads(payload)
        if _native.fingerprint(compiled.model._native) != fingerprint:
            raise RuntimeError("the model of a worker differs from the one of the sweep: was its file changed?")
        _compiled.clear()
        _compiled[digest] = compiled
    begin = time.perf_counter()
    pairs, runs, seed, keep, trajectories, given = sweep
    rows = _native.sweep_block(compiled._native, pairs, runs, seed, keep, trajectories, given, first, count)
    return rows, time.perf_counter() - begin


def _renewed(executor: Any) -> Any:
    """A pool of processes like one that broke. Others know themselves what to do when a worker dies."""
    if not isinstance(executor, ProcessPoolExecutor):
        return None
    return ProcessPoolExecutor(executor._max_workers, mp_context=executor._mp_context, initializer=executor._initializer,
                               initargs=executor._initargs)


class _Blocks:
    def __init__(self, table: Any, compiled: Any, sweep: tuple, executor: Any, watch: Callable[[float], Any] | None):
        self.table, self.sweep, self.watch = table, sweep, watch
        self.payload = pickle.dumps(compiled)
        self.digest = hashlib.sha256(self.payload).hexdigest()
        self.fingerprint = _native.fingerprint(compiled.model._native)
        self.executor = executor.get_executor() if hasattr(executor, "get_executor") else executor  # of Dask
        self.own = None  #: a pool that took the place of a broken one
        self.workers = getattr(self.executor, "_max_workers", None) or 8
        self.next = table.rows  #: the first run that was not handed out
        self.pending: dict[cf.Future, tuple[int, int]] = {}
        self.lost: list[tuple[int, int]] = []  #: blocks to be handed out again, the first one last
        self.breaks = 0  #: of pools, since the last rows came
        self.done: dict[int, tuple[bytes, int]] = {}  #: rows that wait for their turn
        self.size = 1

    def hand_out(self) -> None:
        # Once workers have died again and again, blocks go out one at a time, to find the block that kills its worker.
        most = _AHEAD * self.workers if self.breaks < 2 else 1 + len(self.done)
        while len(self.pending) + len(self.done) < most and (self.lost or self.next < self.table.runs):
            if self.lost:
                first, count = self.lost.pop()
            else:
                first, count = self.next, min(self.size, self.table.runs - self.next)
                self.next += count
            try:
                future = self.executor.submit(_work, self.payload, self.digest, self.fingerprint, self.sweep, first, count)
            except cf.BrokenExecutor:
                self.lost.append((first, count))
                self.renew()
                continue
            self.pending[future] = (first, count)

    def renew(self) -> None:
        """Another pool for the blocks that are lost with the present one."""
        for future, (first, count) in self.pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self.keep(future.result(), first, count)
            else:
                self.lost.append((first, count))
        self.pending.clear()
        self.lost.sort(reverse=True)
        self.breaks += 1
        if self.breaks > _BREAKS:
            first, count = self.lost[-1]
            raise RuntimeError(f"workers die again and again: one of the runs {first} ... {first + count - 1} kills them")
        renewed = _renewed(self.executor)
        if renewed is None:
            raise RuntimeError("the executor is broken; with output=... and resume=True another one goes on behind the rows "
                               "that were written")
        self.close()
        self.executor = self.own = renewed

    def keep(self, answer: tuple[bytes, float], first: int, count: int) -> None:
        rows, seconds = answer
        self.breaks = 0
        self.done[first] = rows, count
        best = int(count * _SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(best, 4 * self.size, _MOST_RUNS))
        while self.table.rows in self.done:
            self.table.take_block(self.done.pop(self.table.rows)[0])

    def take(self, future: cf.Future) -> None:
        first, count = self.pending.pop(future)
        try:
            self.keep(future.result(), first, count)
        except (cf.BrokenExecutor, cf.CancelledError):
            self.lost.append((first, count))
            self.renew()

    def run(self) -> bool:
        """True: interrupted."""
        try:
            while self.table.rows < self.table.runs:
                self.hand_out()
                finished, _ = cf.wait(self.pending, timeout=0.1, return_when=cf.FIRST_COMPLETED)
                for future in sorted(finished, key=self.pending.__getitem__):
                    if future in self.pending:  # otherwise its pool was replaced meanwhile
                        self.take(future)
                if self.watch is not None and self.watch(float(self.table.rows)) is False:
                    return self.table.rows < self.table.runs
        except KeyboardInterrupt:
            return True
        finally:
            for future in self.pending:
                future.cancel()
            self.close()
        return False

    def close(self) -> None:
        if self.own is not None:
            self.own.shutdown(wait=False, cancel_futures=True)
            self.own = None


def run_blocks(table: Any, compiled: Any, sweep: tuple, executor: Any, watch: Callable[[float], Any] | None) -> bool:
    """Fills the table. True if the user interrupted it."""
    if not hasattr(executor, "submit"):
        raise TypeError("executor is one of concurrent.futures, or a client of Dask")
    if not callable(getattr(executor, "get_executor", None)) and isinstance(executor, cf.Executor) is False:
        raise TypeError("executor is one of concurrent.futures, or a client of Dask")
    return _Blocks(table, compiled, sweep, executor, watch).run()
