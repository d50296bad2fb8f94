"""In the shape of PyTorch's example of fault-tolerant training with torchrun (multigpu_torchrun.py): epochs, and a snapshot
every few of them. What it prints is what that one prints.

A GPU is what this stands for and does not have: each sample takes as long as it would take one (--sample-seconds).
"""

import argparse
import os
import time

import torch
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Random(Dataset):
    def __init__(self, size, seconds):
        self.seconds = seconds
        self.data = [(torch.rand(20), torch.rand(1)) for _ in range(size)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return self.data[index]


class Trainer:
    def __init__(self, loader, save_every, snapshot):
        self.rank = int(os.environ["RANK"])
        self.loader, self.save_every, self.snapshot = loader, save_every, snapshot
        self.epochs_run = 0
        model = torch.nn.Linear(20, 1)
        if os.path.exists(snapshot):
            print("Loading snapshot")
            state = torch.load(snapshot)
            model.load_state_dict(state["MODEL_STATE"])
            self.epochs_run = state["EPOCHS_RUN"]
            print(f"Resuming training from snapshot at Epoch {self.epochs_run}")
        self.model = DDP(model)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def run_epoch(self, epoch):
        size = len(next(iter(self.loader))[0])
        print(f"[GPU{self.rank}] Epoch {epoch} | Batchsize: {size} | Steps: {len(self.loader)}")
        self.loader.sampler.set_epoch(epoch)
        for source, targets in self.loader:
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(source), targets).backward()
            self.optimizer.step()

    def save(self, epoch):
        torch.save({"MODEL_STATE": self.model.module.state_dict(), "EPOCHS_RUN": epoch}, self.snapshot)
        print(f"Epoch {epoch} | Training snapshot saved at {self.snapshot}")

    def train(self, epochs):
        for epoch in range(self.epochs_run, epochs):
            self.run_epoch(epoch)
            if self.rank == 0 and epoch % self.save_every == 0:
                self.save(epoch)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("total_epochs", type=int)
    parser.add_argument("save_every", type=int)
    parser.add_argument("--batch_size", default=4, type=int)
    parser.add_argument("--samples", default=240, type=int)
    parser.add_argument("--sample-seconds", default=0.02, type=float)
    parser.add_argument("--snapshot", default="/data/snapshot.pt")
    args = parser.parse_args()
    init_process_group("gloo")
    data = Random(args.samples, args.sample_seconds)
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=False, sampler=DistributedSampler(data))
    Trainer(loader, args.save_every, args.snapshot).train(args.total_epochs)
    destroy_process_group()
