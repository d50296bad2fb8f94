"""A callback for Lightning: Trainer(..., callbacks=[TaktCallback()])."""

from __future__ import annotations

import logging
import os
from typing import Any, Dict, Optional, Tuple

try:
    from lightning.pytorch.callbacks import Callback
except ImportError:  # the package has had another name
    from pytorch_lightning.callbacks import Callback

from . import progress, saved
from ._harmless import harmless
from .pytorch import Together

__all__ = ["TaktCallback"]

_log = logging.getLogger("takt_training")


class TaktCallback(Callback):
    """Tells the steps and the checkpoints of a Trainer, and has it save one when that is wanted.

    What is wanted is saved beside the checkpoints of the Trainer, as last-takt-step=STEP.ckpt, of which one is kept: a
    Trainer whose ckpt_path is "last" finds it.
    """

    def __init__(self) -> None:
        self._together: Optional[Together] = None
        self._total: Optional[float] = None
        self._saves = False  # the Trainer has begun to save its state
        self._last = ""  # what was saved last because it was wanted

    @harmless
    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        self._together = Together(trainer.strategy.root_device)
        self._total = _total(trainer)
        self._tell(trainer)

    @harmless
    def on_train_batch_end(self, trainer: Any, pl_module: Any, *args: Any, **kwargs: Any) -> None:
        self._tell(trainer)
        self._is_saved(trainer)
        if self._together and self._together.save_wanted():
            self._save_now(trainer)

    def state_dict(self) -> Dict[str, Any]:
        return {"last": self._last}

    @harmless
    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        self._last = str(state_dict.get("last", ""))

    @harmless
    def on_save_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: Any) -> None:
        self._saves = True

    # A checkpoint is whole when the hook that has begun it is over, and any other is called.

    @harmless
    def on_train_batch_start(self, trainer: Any, pl_module: Any, *args: Any, **kwargs: Any) -> None:
        self._is_saved(trainer)

    @harmless
    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        self._tell(trainer)

    @harmless
    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        self._is_saved(trainer)

    @harmless
    def teardown(self, trainer: Any, pl_module: Any, stage: str) -> None:
        self._is_saved(trainer)

    def _is_saved(self, trainer: Any) -> None:
        if self._saves:
            self._saves = False
            # One that saves beside the training is not known to have come to its end.
            if type(trainer.strategy.checkpoint_io).__name__ != "AsyncCheckpointIO":
                saved()

    def _tell(self, trainer: Any) -> None:
        done, unit = _done(trainer)
        progress(done, self._total, unit)

    def _save_now(self, trainer: Any) -> None:
        before, self._last = self._last, _path(trainer)
        try:
            trainer.save_checkpoint(self._last)
        except Exception:
            self._saves, self._last = False, before
            _log.warning("The state that Takt has asked for is not saved. The training goes on.", exc_info=True)
            trainer.strategy.barrier("Trainer.save_checkpoint")  # where the others wait
            return
        self._is_saved(trainer)
        if before and before != self._last:
            trainer.strategy.remove_checkpoint(before)


def _one_optimizer(trainer: Any) -> bool:
    return len(trainer.optimizers) <= 1


def _total(trainer: Any) -> Optional[float]:
    """How much there is to do, in the unit of _done."""
    try:
        if _one_optimizer(trainer):
            return float(trainer.estimated_stepping_batches)
        return float(trainer.max_epochs * trainer.num_training_batches) if trainer.max_epochs > 0 else None
    except Exception:
        return None


def _done(trainer: Any) -> Tuple[float, str]:
    """With several optimizers the Trainer counts the steps of each, so that only batches have a total."""
    if _one_optimizer(trainer):
        return trainer.global_step, "steps"
    return trainer.fit_loop.epoch_loop.total_batch_idx + 1, "batches"


def _path(trainer: Any) -> str:
    """Where the state is saved: the name is one by which Lightning knows the last checkpoint."""
    callback = trainer.checkpoint_callback
    folder = getattr(callback, "dirpath", None) or trainer.default_root_dir
    last = getattr(callback, "CHECKPOINT_NAME_LAST", "last")
    return os.path.join(folder, f"{last}-takt-step={trainer.global_step}.ckpt")
