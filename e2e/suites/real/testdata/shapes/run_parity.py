"""In the shape of the run_*.py examples of Hugging Face: TrainingArguments from the command line, a Trainer, and the last
checkpoint in the folder of the output where there is one.

A GPU is what this stands for and does not have: each sample takes as long as it would take one (SAMPLE_SECONDS).
"""

import logging
import os
import sys
import time

import torch
import transformers
from transformers import BertConfig, BertForSequenceClassification, HfArgumentParser, Trainer, TrainingArguments, set_seed
from transformers.trainer_utils import get_last_checkpoint


class Parity(torch.utils.data.Dataset):
    """Rows of tokens, and whether their sum is even."""

    def __init__(self, size):
        self.rows = torch.randint(0, 100, (size, 16), generator=torch.Generator().manual_seed(1))
        self.seconds = float(os.environ.get("SAMPLE_SECONDS", "0.02"))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return {"input_ids": self.rows[index], "labels": self.rows[index].sum() % 2}


def main():
    (args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    logging.basicConfig(level=logging.INFO, handlers=[logging.StreamHandler(sys.stdout)])
    transformers.utils.logging.set_verbosity_info()
    set_seed(args.seed)
    last = get_last_checkpoint(args.output_dir) if os.path.isdir(args.output_dir) else None
    config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    trainer = Trainer(model=BertForSequenceClassification(config), args=args, train_dataset=Parity(960), eval_dataset=Parity(96))
    result = trainer.train(resume_from_checkpoint=last)
    trainer.save_model()
    trainer.log_metrics("train", result.metrics)
    trainer.save_metrics("train", result.metrics)
    trainer.save_state()
    metrics = trainer.evaluate()
    trainer.log_metrics("eval", metrics)
    trainer.save_metrics("eval", metrics)


if __name__ == "__main__":
    main()
