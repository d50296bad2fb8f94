"""Train a small network with DistributedDataParallel, elastic and with checkpoints.

    torchrun --nnodes=1:4 train.py --steps 300 --checkpoint /data/run.pt

It knows of torchrun and of nothing else that may run it. A worker can join or leave at any time: torchrun then starts
all of them anew, and they go on from the last checkpoint. The batch is the same for any number of workers, who divide
it among them, so that the number of steps is the same, too.

A GPU is what this stands for and does not have: each step computes for real, and then waits for as long as a GPU
would take for this worker's part of the batch (--sample-seconds). Without that, workers that share two processors
would not be faster together than alone.
"""

import argparse
import json
import os
import signal
import socket
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Wave(Dataset):
    """A function to learn: the same points each time, with their number."""

    def __init__(self, size):
        random = torch.Generator().manual_seed(1)
        self.x = torch.rand(size, 8, generator=random) * 2 - 1
        self.y = torch.sin(self.x.sum(dim=1, keepdim=True))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class ResumableSampler(DistributedSampler):
    """A DistributedSampler that leaves out what the epoch has begun with, however many workers there were then."""

    def __init__(self, dataset, **options):
        super().__init__(dataset, **options)
        self.done = 0

    def __iter__(self):
        random = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.dataset), generator=random).tolist()
        return iter(order[self.done:][self.rank::self.num_replicas])

    def __len__(self):
        return (len(self.dataset) - self.done) // self.num_replicas


def load(path):
    try:
        return torch.load(path, weights_only=True)
    except FileNotFoundError:
        return None


def save(state, path):
    """The file is whole at any moment: a worker may be killed while it writes."""
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--checkpoint-every", type=int, default=10, help="steps")
    parser.add_argument("--save-on-signal", action="store_true", help="save upon SIGUSR1, too, whoever gets it")
    parser.add_argument("--samples", type=int, default=960)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--sample-seconds", type=float, default=0.02)
    parser.add_argument("--records", help="folder for one line of JSON about each step of each worker")
    options = parser.parse_args()

    asked = []  # signals that ask for a checkpoint
    if options.save_on_signal:
        signal.signal(signal.SIGUSR1, lambda number, _: asked.append(number))
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    dataset = Wave(options.samples)
    step, seen = 0, torch.zeros(len(dataset), dtype=torch.long)
    if state := load(options.checkpoint):
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, seen = state["step"], state["seen"]
    if rank == 0:
        print(f"Training with {world} workers from step {step}.", flush=True)
    model = DistributedDataParallel(model)
    sampler = ResumableSampler(dataset, num_replicas=world, rank=rank)
    loader = DataLoader(dataset, batch_size=options.batch // world, sampler=sampler)
    steps_of_epoch = len(dataset) // options.batch
    mine = torch.zeros_like(seen)
    records = open(os.path.join(options.records, socket.gethostname() + ".jsonl"), "a") if options.records else None

    def all_seen():
        """How often each sample was trained in all epochs that count, whoever has trained it."""
        dist.all_reduce(mine)
        seen.add_(mine)
        mine.zero_()

    while step < options.steps:
        epoch = step // steps_of_epoch
        sampler.set_epoch(epoch)
        sampler.done = step % steps_of_epoch * options.batch
        for numbers, x, y in loader:
            began = time.time()
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            time.sleep(options.sample_seconds * len(numbers))
            mine[numbers] += 1
            step += 1
            # All have to agree on when to save, and one may have been asked for it.
            heard = len(asked)
            del asked[:heard]
            total = torch.stack([loss.detach(), torch.tensor(float(heard))])
            dist.all_reduce(total)
            mean, save_now = total[0].item() / world, total[1].item() > 0
            save_now = save_now or step % options.checkpoint_every == 0 or step == options.steps
            if records:
                print(json.dumps({
                    "step": step, "epoch": epoch, "workers": world, "rank": rank, "pid": os.getpid(),
                    "loss": mean, "began": began, "ended": time.time(), "samples": numbers.tolist(), "saves": save_now,
                }), file=records, flush=True)
            if rank == 0:
                print(f"step {step}/{options.steps} loss {mean:.4f}", flush=True)
            if save_now:
                all_seen()
                if rank == 0:
                    save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict(),
                          "step": step, "seen": seen}, options.checkpoint)
                    print(f"Saved checkpoint {options.checkpoint} at step {step}", flush=True)
            if step == options.steps:
                break
    if rank == 0:
        often = ", ".join(f"{int((seen == n).sum())} samples {n} times" for n in seen.unique().tolist())
        print(f"Done after {step} steps: {often}.", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
