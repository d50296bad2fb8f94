"""Lets a training script tell Takt how far it is, and be asked for a checkpoint.

All of this speaks to the takt-agent in the same pod. Without one, nothing happens. No function raises, and none waits for
the agent: what is told is sent by a thread of its own.
"""

from __future__ import annotations

from typing import Optional

from ._process import set_reporter
from ._teller import teller

__all__ = ["progress", "save_wanted", "saved", "set_reporter"]


def progress(done: float, total: Optional[float] = None, unit: str = "steps") -> None:
    """Tells how far the training is: so much is done, of so much in all.

    It may be called after every step: about once a second, the newest is sent. Leave the total out where nothing says how
    much there is to do. A unit is a word in small letters, such as steps, epochs or samples. After a restart, done may be
    less than before.
    """
    if to := teller():
        to.progress(done, total, unit)


def saved() -> None:
    """Tells that the state of the training was saved just now, and is whole."""
    if to := teller():
        to.saved()


def save_wanted() -> bool:
    """Says whether the training should save its state now. It is True once for each request.

    From the first call on, Takt knows that this script saves its state when it is asked. In a training of several
    processes, only those that report are told: takt_training.pytorch has all of them agree.
    """
    to = teller()
    return to is not None and to.save_wanted()
