"""Keeps what fails in a callback from the training."""

from __future__ import annotations

import functools
import logging
from typing import Any, Callable, Set

_log = logging.getLogger("takt_training")
_said: Set[str] = set()


def harmless(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that fails, such as one that a newer framework calls otherwise, is told once, and changes nothing."""

    @functools.wraps(hook)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return hook(*args, **kwargs)
        except Exception:
            if hook.__qualname__ not in _said:
                _said.add(hook.__qualname__)
                _log.warning("%s has failed. The training goes on without.", hook.__qualname__, exc_info=True)
            return None

    return wrapped
