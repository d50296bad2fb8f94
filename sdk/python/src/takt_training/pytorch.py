"""For PyTorch without a trainer: has all processes of a training save at the same step."""

from __future__ import annotations

import time
from typing import Any

from . import save_wanted
from ._teller import teller

__all__ = ["Together"]

# About so often the processes ask each other: each time, they wait for what the GPU still has to do.
EVERY_SECONDS = 2.0
# Steps may become slower, so that those which are left take longer than was thought.
MOST_STEPS = 100


class Together:
    """Says to all processes of a training at the same step that the state should be saved.

    Each of them makes one, after init_process_group, and asks it after every step: it is a collective operation, as
    all_reduce is. Where no process has an agent, they ask each other once, and never again.
    """

    def __init__(self, device: Any = "cpu") -> None:
        self._device = device
        self._alone = not _several()
        self._mine = False
        self._left = 0  # steps until they ask each other
        self._apart = 1
        self._asked = time.monotonic()
        self._agents = self._alone or self._any([teller() is not None])[0] > 0

    def save_wanted(self) -> bool:
        """Says whether the state should be saved now. All processes get the same answer at the same step."""
        if self._alone:
            return save_wanted()
        if not self._agents:
            return False
        self._mine = save_wanted() or self._mine
        self._left -= 1
        if self._left > 0:
            return False
        now = time.monotonic()
        step = (now - self._asked) / self._apart
        apart = max(1, min(MOST_STEPS, 2 * self._apart, int(EVERY_SECONDS / max(step, 1e-9))))
        wanted, self._apart = self._any([self._mine, apart])
        self._asked, self._left = time.monotonic(), self._apart
        if wanted:
            self._mine = False
        return wanted > 0

    def _any(self, values: list[Any]) -> list[int]:
        """The greatest of what the processes say."""
        import torch
        import torch.distributed as dist

        try:
            of_all = torch.tensor([int(value) for value in values], dtype=torch.int32, device=self._device)
            dist.all_reduce(of_all, op=dist.ReduceOp.MAX)
            return [int(value) for value in of_all.tolist()]
        except Exception:
            # The processes have lost each other, which the next step of the training says better.
            self._agents = False
            return [0, 1][: len(values)]


def _several() -> bool:
    try:
        import torch.distributed as dist

        return bool(dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1)
    except Exception:
        return False
