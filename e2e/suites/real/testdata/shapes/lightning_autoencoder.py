"""In the shape of Lightning's first example, an autoencoder, with as many nodes as torchrun has started, and with the last
checkpoint where there is one.

A GPU is what this stands for and does not have: each sample takes as long as it would take one (SAMPLE_SECONDS).
"""

import os
import time

import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn, utils


class Pictures(utils.data.Dataset):
    def __init__(self, size):
        self.data = torch.rand(size, 28 * 28, generator=torch.Generator().manual_seed(1))
        self.seconds = float(os.environ.get("SAMPLE_SECONDS", "0.02"))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return self.data[index]


class LitAutoEncoder(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(28 * 28, 64), nn.ReLU(), nn.Linear(64, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 28 * 28))

    def training_step(self, batch, _):
        loss = nn.functional.mse_loss(self.decoder(self.encoder(batch)), batch)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, _):
        self.log("val_loss", nn.functional.mse_loss(self.decoder(self.encoder(batch)), batch), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    last = "/data/last.ckpt"
    trainer = L.Trainer(
        accelerator="cpu", strategy="ddp", devices=int(os.environ["LOCAL_WORLD_SIZE"]), num_nodes=int(os.environ["GROUP_WORLD_SIZE"]),
        max_epochs=30, default_root_dir="/data", callbacks=[ModelCheckpoint("/data", save_last=True)],
    )
    trainer.fit(
        LitAutoEncoder(), utils.data.DataLoader(Pictures(960), batch_size=8), utils.data.DataLoader(Pictures(48), batch_size=8),
        ckpt_path=last if os.path.exists(last) else None,
    )
