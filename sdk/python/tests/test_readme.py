"""Runs all the code of the README beside the real agent."""

from __future__ import annotations

import re
import unittest
from typing import Dict, List

from agent import SDK, Wrapped, installed, need

STEPS = """
import itertools, time
saves = []
def train(step):
    if step == 500:
        print("half done", flush=True)
        input()
    if step > 500:
        time.sleep(0.01)
def save():
    saves.append(1)
    print("saved", flush=True)
"""

BEFORE: Dict[str, str] = {
    "import takt_training as takt": STEPS,
    "takt_training.pytorch": STEPS + "import takt_training as takt\n",
    "takt_training.huggingface": """
import torch
from transformers import Trainer, TrainingArguments
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def forward(self, x, labels=None):
        return {"loss": ((self.layer(x) - labels) ** 2).mean()}
model, data = Model(), [{"x": torch.ones(4), "labels": torch.ones(1)}] * 40
arguments = TrainingArguments("out", max_steps=10, use_cpu=True, report_to=[], disable_tqdm=True)
""",
    "takt_training.lightning": """
import torch, lightning
from lightning import Trainer
class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def training_step(self, batch, index):
        return self.layer(batch[0]).mean()
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)
model, data = Model(), torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(1, 4)))
""",
    "takt_training.keras": """
import keras, numpy
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = numpy.ones((4, 4)), numpy.ones((4, 1))
""",
}

BACKEND = next((name for name in ("jax", "torch", "tensorflow") if installed(name)), "jax")


def blocks() -> List[str]:
    return re.findall(r"```python\n(.*?)```", (SDK / "README.md").read_text(), re.DOTALL)


class Readme(unittest.TestCase):
    def begins(self, number: int) -> Wrapped:
        block = blocks()[number]
        before = next(text for word, text in BEFORE.items() if word in block)
        script = before + block + "\nprint('it has ended')\n"
        return Wrapped(self, script, shell='"$@" && read line', KERAS_BACKEND=BACKEND)

    def saves_when_asked(self, w: Wrapped) -> None:
        w.hears("half done")
        w.shows('takt_progress_done{unit="steps"}', 500)
        w.annotate(save="7")
        w.shows("takt_save_answered_request", 7)
        w.tell()
        w.hears("saved")
        w.hears("it has ended")
        self.assertEqual(w.out.text.count("saved"), 1)
        w.shows("takt_checkpoint_timestamp_seconds")

    def comes_to_its_end(self, number: int, steps: float) -> None:
        w = self.begins(number)
        w.hears("it has ended")
        w.shows('takt_progress_done{unit="steps"}', steps)
        w.shows("takt_progress_total", steps)

    def test_a_script(self) -> None:
        self.saves_when_asked(self.begins(0))

    def test_pytorch(self) -> None:
        need(self, "torch")
        self.saves_when_asked(self.begins(1))

    def test_huggingface(self) -> None:
        need(self, "torch", "transformers", "accelerate")
        self.comes_to_its_end(2, 10)

    def test_lightning(self) -> None:
        need(self, "torch", "lightning")
        self.comes_to_its_end(3, 10)

    def test_keras(self) -> None:
        need(self, "keras", BACKEND)
        self.comes_to_its_end(4, 10)

    def test_all_of_it_is_tested(self) -> None:
        self.assertEqual(len(blocks()), len(BEFORE))


if __name__ == "__main__":
    unittest.main()
