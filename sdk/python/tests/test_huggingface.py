"""The callback in the real Trainer of Hugging Face, beside the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped, need

DONE, TOTAL, SAVED = 'takt_progress_done{unit="steps"}', "takt_progress_total", "takt_checkpoint_timestamp_seconds"
SOURCE = 'takt_progress_source{source="script"}'

MODEL = """
import os, sys, time, torch
from transformers import Trainer, TrainerCallback, TrainingArguments

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def forward(self, x, labels=None):
        y = self.layer(x).squeeze(-1)
        return {"loss": ((y - labels) ** 2).mean(), "logits": y}

data = [{"x": torch.randn(4), "labels": torch.tensor(1.0)} for _ in range(4000)]
"""

TRAINING = MODEL + """
from takt_training.huggingface import TaktCallback

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

arguments = TrainingArguments(output_dir=sys.argv[1], max_steps=1000, per_device_train_batch_size=4, use_cpu=True,
                              save_strategy="no", report_to=[], disable_tqdm=True)
Trainer(Model(), arguments, train_dataset=data, callbacks=[TaktCallback(), Held()]).train()
print("it has ended", os.listdir(sys.argv[1]), flush=True)
if torch.distributed.is_initialized(): # a process that leaves that to its exit is aborted there now and then
    torch.distributed.destroy_process_group()
"""

# It knows nothing of Takt: the Trainer tells Kubeflow of itself, at most once in five seconds. So that nobody waits for
# that, here it may each step.
UNCHANGED = MODEL + """
from transformers.integrations import KubeflowCallback
KubeflowCallback._MIN_UPDATE_INTERVAL = 0

class Held(TrainerCallback):
    def on_train_begin(self, args, state, control, **kwargs):
        print("begins", flush=True)
        input()
    def on_step_end(self, args, state, control, **kwargs):
        print("at step", state.global_step, flush=True)
        input()

arguments = TrainingArguments(output_dir="out", max_steps=6, per_device_train_batch_size=4, use_cpu=True,
                              save_strategy="steps", save_steps=2, disable_tqdm=True)
Trainer(Model(), arguments, train_dataset=data, callbacks=[Held()]).train(*sys.argv[1:])
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

    def test_a_trainer_that_knows_nothing_of_takt_tells_as_to_kubeflow(self) -> None:
        first = self.begins()
        for step in (1, 2, 3):
            self.steps(first, step)
        first.shows(TOTAL, 6)
        first.shows('takt_progress_source{source="kubeflow"}', 1)
        again = self.begins(str(first.folder / "out" / "checkpoint-2"))
        self.steps(again, 3)

    def begins(self, *args: str) -> Wrapped:
        """A training that has begun, and has not told from where it goes on."""
        w = Wrapped(self, UNCHANGED, *args)
        w.hears("begins")
        self.assertNotIn("takt_progress_done", str(w.metrics()))
        return w

    def steps(self, w: Wrapped, to: int) -> None:
        w.tell()
        w.hears(f"at step {to}")
        w.shows(DONE, to)

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
