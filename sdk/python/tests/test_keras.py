"""The callback in the real fit of Keras, beside the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped, installed, need

DONE, TOTAL, SAVED = 'takt_progress_done{unit="steps"}', "takt_progress_total", "takt_checkpoint_timestamp_seconds"
BACKEND = next((name for name in ("jax", "torch", "tensorflow") if installed(name)), "jax")

TRAINING = """
import sys, time, numpy, keras
from takt_training.keras import TaktCallback

class Held(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch
    def on_train_batch_end(self, batch, logs=None):
        if batch == 2 and self.epoch == int(sys.argv[3]):
            print("after batch 3", flush=True)
            input()
        time.sleep(0.005)

def save(model):
    if sys.argv[2] == "full":
        raise OSError("the disk is full")
    model.save("model.keras")
    print("saved", sum(float(abs(weight).sum()) for weight in keras.saving.load_model("model.keras").get_weights()) > 0)
    model.stop_training = True

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = numpy.ones((80, 4)), numpy.ones((80, 1))
if sys.argv[1] == "known":
    model.fit(x, y, epochs=50, batch_size=4, verbose=0, callbacks=[TaktCallback(save), Held()])
else:
    import torch
    class Unsized(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(zip(x, y))
    model.fit(torch.utils.data.DataLoader(Unsized(), batch_size=4), epochs=50, verbose=0, callbacks=[TaktCallback(save), Held()])
print("it has ended")
"""


class Keras(unittest.TestCase):
    def setUp(self) -> None:
        need(self, "keras", BACKEND)

    def begins(self, data: str, disk: str, epoch: str = "0") -> Wrapped:
        w = Wrapped(self, TRAINING, data, disk, epoch, KERAS_BACKEND=BACKEND)
        w.hears("after batch 3")
        return w

    def test_fit_tells_and_saves_when_asked(self) -> None:
        w = self.begins("known", "fine")
        w.shows(DONE, 3)
        w.shows(TOTAL, 1000)
        self.assertNotIn(SAVED, w.metrics())
        self.asked(w)
        w.hears("saved True")
        w.exits()

    def test_data_of_unknown_length_is_told_in_epochs(self) -> None:
        need(self, "torch")
        w = self.begins("unknown", "fine", epoch="1")
        w.shows('takt_progress_done{unit="epochs"}', 1.15)
        w.shows(TOTAL, 50)

    def test_a_checkpoint_that_fails_costs_nothing(self) -> None:
        w = self.begins("known", "full")
        self.asked(w)
        w.hears_from_log("the disk is full")
        w.hears("it has ended")
        w.exits()

    def asked(self, w: Wrapped) -> None:
        w.shows("takt_save_possible", 1)
        w.annotate(save="7")
        w.shows("takt_save_answered_request", 7)
        w.tell()


if __name__ == "__main__":
    unittest.main()
