"""A callback for Keras 3: model.fit(..., callbacks=[TaktCallback()])."""

from __future__ import annotations

import logging
from typing import Any, Callable, Optional

import keras

from . import progress, save_wanted, saved
from ._harmless import harmless

__all__ = ["TaktCallback"]

_log = logging.getLogger("takt_training")


class TaktCallback(keras.callbacks.Callback):
    """Tells how far fit is, and has the state saved when that is wanted.

    Keras does not say when its own callbacks have saved a model. So give a function that saves the model which it is given:
    it is called between two batches when a checkpoint is wanted. Leave it out where several processes save together.
    """

    def __init__(self, save: Optional[Callable[[Any], object]] = None) -> None:
        super().__init__()
        self._save = save
        self._epoch = 0  # epochs that are over
        self._batches = 0  # of the one that is not
        self._steps: Optional[int] = None  # of an epoch
        self._in_steps = True

    @harmless
    def on_train_begin(self, logs: Any = None) -> None:
        steps = self.params.get("steps")
        self._steps = steps if steps and steps > 0 else None
        # Without a number of steps, epochs are counted, and still are once the first of them has told it.
        self._in_steps = self._steps is not None

    @harmless
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch
        self._tell(0)

    @harmless
    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batches = batch + 1
        self._tell(self._batches)
        if self._save and save_wanted():
            self._save_now(self._save)

    @harmless
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self._steps is None:
            self._steps = self._batches
        self._epoch = epoch + 1
        self._tell(0)

    def _tell(self, batches: int) -> None:
        epochs = self.params.get("epochs")
        if self._in_steps and self._steps:
            progress(self._epoch * self._steps + batches, epochs and epochs * self._steps)
        else:
            part = batches / self._steps if self._steps else 0.0
            progress(self._epoch + min(part, 1.0), epochs, "epochs")

    def _save_now(self, save: Callable[[Any], object]) -> None:
        try:
            save(self.model)
        except Exception:
            _log.warning("The state that Takt has asked for is not saved. The training goes on.", exc_info=True)
            return
        saved()
