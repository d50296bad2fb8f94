"""The callback in the real Trainer of Lightning, beside the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped, need

DONE, TOTAL, SAVED = 'takt_progress_done{unit="steps"}', "takt_progress_total", "takt_checkpoint_timestamp_seconds"

TRAINING = """
import os, sys, time, torch
import lightning as L
from lightning.pytorch.callbacks import ModelCheckpoint
from takt_training.lightning import TaktCallback

class Model(L.LightningModule):
    def __init__(self, optimizers):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.automatic_optimization = optimizers == 1
        self.many = optimizers
    def training_step(self, batch, index):
        loss = (self.layer(batch[0]) ** 2).mean()
        if self.many > 1:
            for optimizer in self.optimizers():
                optimizer.step()
        return loss
    def configure_optimizers(self):
        return [torch.optim.SGD(self.parameters(), lr=0.01) for _ in range(self.many)]

class Held(L.Callback):
    # Waits in a step, and then until one more checkpoint was made.
    def on_train_batch_start(self, trainer, module, batch, index):
        if trainer.fit_loop.epoch_loop.total_batch_idx == 2 and trainer.global_rank == 0:
            print("in step 3", flush=True)
            input()
        if trainer.fit_loop.epoch_loop.total_batch_idx > 2:
            time.sleep(0.05)
        if any("takt" in name for name in os.listdir("saved") if os.path.isdir("saved")):
            trainer.should_stop = True

if __name__ == "__main__":
    many, devices, every = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    os.makedirs("saved", exist_ok=True)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(400 * devices, 4)), batch_size=4)
    trainer = L.Trainer(
        accelerator="cpu", devices=devices, strategy="ddp" if devices > 1 else "auto", max_epochs=10, logger=False,
        callbacks=[TaktCallback(), Held(), ModelCheckpoint("saved", every_n_train_steps=every)], enable_progress_bar=False,
    )
    trainer.fit(Model(many), data)
    if trainer.global_rank == 0:
        print("it has ended", sorted(os.listdir("saved")), flush=True)
    if any("takt" in name for name in os.listdir("saved")):
        again = L.Trainer(accelerator="cpu", devices=1, max_steps=1, logger=False, callbacks=[ModelCheckpoint("saved")], enable_progress_bar=False)
        if trainer.global_rank == 0 and devices == 1:
            again.fit(Model(many), data, ckpt_path="last")
            print("it goes on from step 3 at least:", again.global_step >= 3)
"""


class Lightning(unittest.TestCase):
    def setUp(self) -> None:
        need(self, "torch", "lightning")

    def test_a_trainer_tells_and_saves_when_asked(self) -> None:
        w = Wrapped(self, TRAINING, "1", "1", "100000")
        w.hears("in step 3")
        w.shows(DONE, 2)
        w.shows(TOTAL, 1000)
        self.assertNotIn(SAVED, w.metrics())
        self.asked(w)
        w.hears("it goes on from step 3 at least: True")

    def test_its_own_checkpoints_are_told(self) -> None:
        w = Wrapped(self, TRAINING, "1", "1", "2")
        w.hears("in step 3")
        w.shows(DONE, 2)
        w.shows(SAVED)

    def test_several_optimizers(self) -> None:
        w = Wrapped(self, TRAINING, "2", "1", "100000")
        w.hears("in step 3")
        w.shows('takt_progress_done{unit="batches"}', 2)
        w.shows(TOTAL, 1000)

    def test_several_processes_save_at_the_same_step(self) -> None:
        w = Wrapped(self, TRAINING, "1", "2", "100000")
        w.hears("in step 3")
        w.shows(DONE, 2)
        self.asked(w)

    def asked(self, w: Wrapped) -> None:
        w.shows("takt_save_possible", 1)
        w.annotate(save="7")
        w.shows("takt_save_answered_request", 7)
        w.tell()
        w.exits()
        self.assertRegex(w.out.all(), r"it has ended .*last-takt-step=\d+.ckpt")


if __name__ == "__main__":
    unittest.main()
