"""The callback in the real Trainer of Hugging Face, beside the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped, need

DONE, TOTAL, SAVED = 'takt_progress_done{unit="steps"}', "takt_progress_total", "takt_checkpoint_timestamp_seconds"
SOURCE = 'takt_progress_source{source="script"}'

TRAINING = """
import os, sys, time, torch
from transformers import Trainer, TrainerCallback, TrainingArguments
from takt_training.huggingface import TaktCallback

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def forward(self, x, labels=None):
        y = self.layer(x).squeeze(-1)
        return {"loss": ((y - labels) ** 2).mean(), "logits": y}

class Held(TrainerCallback):
    # Waits at a step until the checkpoint that is wanted was made.
    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step == 3 and args.local_process_index == 0:
            print("at step 3", flush=True)
            input()
        if state.global_step > 3:
            time.sleep(0.05)
        if "saved" in globals():
            control.should_training_stop = True
    def on_save(self, args, state, control, **kwargs):
        globals()["saved"] = True
        print("saved by", args.process_index, "at", state.global_step, flush=True)

data = [{"x": torch.randn(4), "labels": torch.tensor(1.0)} for _ in range(4000)]
arguments = TrainingArguments(output_dir=sys.argv[1], max_steps=1000, per_device_train_batch_size=4, use_cpu=True,
                              save_strategy="no", report_to=[], disable_tqdm=True)
Trainer(Model(), arguments, train_dataset=data, callbacks=[TaktCallback(), Held()]).train()
print("it has ended", os.listdir(sys.argv[1]), flush=True)
"""


class HuggingFace(unittest.TestCase):
    def setUp(self) -> None:
        need(self, "torch", "transformers", "accelerate")

    def test_a_trainer_tells_and_saves_when_asked(self) -> None:
        w = Wrapped(self, TRAINING, "out")
        w.hears("at step 3")
        w.shows(DONE, 3)
        w.shows(TOTAL, 1000)
        w.shows(SOURCE, 1)
        self.assertNotIn(SAVED, w.metrics())
        self.asked(w)

    def test_several_processes_save_at_the_same_step(self) -> None:
        """Whichever of them is asked: the agent speaks to the first of its pod alone."""
        w = Wrapped(self, TRAINING, "out", shell='shift; exec torchrun --nproc-per-node=2 "$@"')
        w.hears("at step 3")
        w.shows(DONE, 3)
        self.asked(w)
        steps = {line.rpartition(" ")[2] for line in w.out.all().splitlines() if line.startswith("saved by")}
        self.assertEqual((len(steps), w.out.all().count("saved by")), (1, 2), w.out.all())

    def asked(self, w: Wrapped) -> None:
        w.shows("takt_save_possible", 1)
        w.annotate(save="7")
        w.shows("takt_save_answered_request", 7)
        w.tell()
        w.exits()
        self.assertIn("saved by 0", w.out.all())
        self.assertIn("checkpoint-", w.out.all())


if __name__ == "__main__":
    unittest.main()
