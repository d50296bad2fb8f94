"""Keeps what the training wants to tell, and has a thread send it, so that the training never waits."""

from __future__ import annotations

import atexit
import logging
import math
import os
import threading
import time
from typing import Callable, Optional, Tuple

from . import _agent
from ._process import is_reporter

# At most so often progress is sent, and it is asked whether a checkpoint is wanted.
EVERY_SECONDS = 1.0
# After a failure it is tried again, each time after twice as long.
MOST_SECONDS_APART = 60.0
# So long the end of the process waits until the last of it is sent.
LAST_WORD_SECONDS = 1.0

_log = logging.getLogger("takt_training")


class Teller:
    """Tells an agent what the training says. Its methods return at once, and never raise."""

    def __init__(self, agent: _agent.Agent) -> None:
        self._agent = agent
        self._process = os.getpid()
        self._news = threading.Condition()
        self._progress: Optional[Tuple[float, Optional[float], str]] = None
        self._saved = False
        self._heeded = 0  # the newest request that the training was told of
        self._answer = 0  # the request that its next checkpoint answers
        self._wanted = 0  # the newest request of the agent
        self._asks = False
        self._ends = False
        self._sending = False
        self._began = False
        self._complained = ""

    def progress(self, done: float, total: Optional[float], unit: str) -> None:
        try:
            count = float(done)
            most = None if total is None else float(total)
            if most is not None and not (0 < most < math.inf):
                most = None  # frameworks say so where there is none
            with self._news:
                self._progress = (count, most, str(unit))
                self._begin()
        except Exception as e:
            self._complain("Progress %r of %r is not told: %s", done, total, e)

    def saved(self) -> None:
        try:
            with self._news:
                self._saved = True
                self._begin()
        except Exception as e:
            self._complain("A checkpoint is not told: %s", e)

    def save_wanted(self) -> bool:
        try:
            with self._news:
                if not self._asks:
                    self._asks = True
                    self._begin()
                if self._wanted <= self._heeded:
                    return False
                self._heeded = self._answer = self._wanted
                return True
        except Exception as e:
            self._complain("Whether a checkpoint is wanted is not known: %s", e)
            return False

    def close(self) -> None:
        """Waits until all is sent, for a bounded time."""
        if os.getpid() != self._process:
            return  # a process that was forked has no thread to wait for
        with self._news:
            self._ends = True
            self._news.notify_all()
            limit = time.monotonic() + LAST_WORD_SECONDS
            while self._began and (self._waits() or self._sending):
                rest = limit - time.monotonic()
                if rest <= 0 or not self._news.wait(rest):
                    return

    def _begin(self) -> None:
        """Starts the thread, or wakes it. The lock is held."""
        if not self._began:
            threading.Thread(target=self._run, name="takt-training", daemon=True).start()
            self._began = True
            atexit.register(self.close)
        self._news.notify_all()

    def _waits(self) -> bool:
        return self._progress is not None or self._saved

    def _run(self) -> None:
        pause = EVERY_SECONDS
        while True:
            with self._news:
                while not (self._waits() or self._asks or self._ends):
                    self._news.wait()
                if self._ends and not self._waits():
                    self._news.notify_all()
                    return
                self._sending = True
            failed = False
            try:
                self._send()
            except Exception as e:
                failed = True
                self._complain("The agent is not heard: %s", e)
            pause = min(2 * pause, MOST_SECONDS_APART) if failed else EVERY_SECONDS
            with self._news:
                self._sending = False
                self._news.notify_all()
                if self._ends and failed:
                    self._progress, self._saved = None, False
                    return
                self._rest(pause)

    def _rest(self, seconds: float) -> None:
        """Rests, until the end at the latest. The lock is held."""
        until = time.monotonic() + seconds
        while not self._ends and (rest := until - time.monotonic()) > 0:
            self._news.wait(rest)

    def _send(self) -> None:
        """Sends all that waits. What could not be sent waits on, unless there is something newer by then."""
        with self._news:
            progress, self._progress = self._progress, None
            saved, self._saved = self._saved, False
            answer = self._answer if saved else 0
            asks = self._asks
        try:
            if saved:
                self._tell(self._agent.saved, answer)
                saved = False
                with self._news:
                    self._answer = 0 if self._answer == answer else self._answer
            if progress is not None:
                self._tell(self._agent.progress, *progress)
                progress = None
        finally:
            with self._news:
                self._saved = self._saved or saved
                self._progress = self._progress or progress
        if asks and not self._ends:
            wanted = self._agent.save_wanted()
            with self._news:
                self._wanted = wanted

    def _tell(self, how: Callable[..., None], *what: object) -> None:
        try:
            how(*what)
        except _agent.Refused as e:
            self._complain("The agent does not take %s: %s", ", ".join(map(str, what)), e)

    def _complain(self, text: str, *values: object) -> None:
        """Says what is wrong, once in a row."""
        try:
            said = text % values
            if said != self._complained:
                self._complained = said
                _log.warning("%s. The training goes on without.", said)
        except Exception:
            pass  # a log that cannot be written is no reason to stop a training


_teller: Optional[Teller] = None
_looked = False
_lock = threading.Lock()


def teller() -> Optional[Teller]:
    """Whom this process tells; None where there is no agent, or another process of the pod reports."""
    global _teller, _looked
    try:
        if not _looked:
            with _lock:
                if not _looked:
                    agent = _agent.find()
                    _teller = Teller(agent) if agent else None
                    _looked = True
        return _teller if _teller is not None and is_reporter() else None
    except Exception as e:
        _looked = True
        _log.warning("The agent cannot be reached: %s. The training goes on without.", e)
        return None


def _forget() -> None:
    """A process that was forked has no thread, and maybe a lock that nobody lets go."""
    global _teller, _looked, _lock
    _teller, _looked, _lock = None, False, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
