"""Several processes of PyTorch, without a trainer, beside the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped, need


TRAINING = """
import os, sys, time, torch, torch.distributed as dist
import takt_training as takt
from takt_training.pytorch import Together

dist.init_process_group("gloo")
if sys.argv[1] == "without":
    os.environ.pop("TAKT_AGENT_URL")
together = Together()
for step in range(1, 2000):
    time.sleep(0.005 if step < 200 else 0.02)
    dist.all_reduce(torch.zeros(1))
    takt.progress(step, 2000)
    if together.save_wanted():
        dist.barrier()
        takt.saved()
        print(f"saved by {dist.get_rank()} at {step}\\n", end="", flush=True)
        break
    if sys.argv[1] == "without" and step == 100:
        break
dist.barrier()
print(f"ended by {dist.get_rank()} at {step}\\n", end="", flush=True)
dist.destroy_process_group()
if os.environ["LOCAL_RANK"] == "0":
    input()
"""


class PyTorch(unittest.TestCase):
    def setUp(self) -> None:
        need(self, "torch")

    def begins(self, agent: str) -> Wrapped:
        return Wrapped(self, TRAINING, agent, shell='shift; exec torchrun --nproc-per-node=2 "$@"')

    def test_all_save_at_the_same_step(self) -> None:
        w = self.begins("with")
        w.shows("takt_save_possible", 1)
        w.annotate(save="7")
        w.shows("takt_save_answered_request", 7)
        w.shows("takt_checkpoint_timestamp_seconds")
        w.tell()
        w.exits()
        saved = sorted(line for line in w.out.all().splitlines() if line.startswith("saved by"))
        self.assertEqual([line.split(" at ")[0] for line in saved], ["saved by 0", "saved by 1"])
        self.assertEqual(len({line.split(" at ")[1] for line in saved}), 1, saved)

    def test_without_an_agent_they_go_on_alone(self) -> None:
        w = self.begins("without")
        w.hears("ended by 0 at 100")
        w.hears("ended by 1 at 100")
        w.shows("takt_save_possible", 0)
        w.tell()
        w.exits()


if __name__ == "__main__":
    unittest.main()
