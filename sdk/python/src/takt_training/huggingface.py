"""A callback for the Trainer of Hugging Face: Trainer(..., callbacks=[TaktCallback()])."""

from __future__ import annotations

from typing import Any, Optional

from transformers import TrainerCallback

from . import progress, saved
from ._harmless import harmless
from .pytorch import Together

__all__ = ["TaktCallback"]


class TaktCallback(TrainerCallback):
    """Tells the steps and the checkpoints of a Trainer, and has it save one when that is wanted."""

    def __init__(self) -> None:
        self._together: Optional[Together] = None

    @harmless
    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._together = Together(args.device)
        progress(state.global_step, state.max_steps)

    @harmless
    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        progress(state.global_step, state.max_steps)
        if self._together and self._together.save_wanted():
            control.should_save = True
        return control

    @harmless
    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        saved()
