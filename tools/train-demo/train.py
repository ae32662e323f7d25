"""Trains one model: RoPE, or one of its twins, as an encoder or as a decoder. A training that was interrupted goes on
from its checkpoint."""
import argparse
import json
import math
import os
import time
from pathlib import Path

import torch
from torch.nn import functional as F

import batches
import corpus
from evaluate import masked_accuracy
from model import DemoModel
from positions import POSITIONS
from word_pieces import WordPieces

HELD_OUT_SEED = 20260
PEEK_ROWS = 128  # held-out sequences that are evaluated while the model trains


def learning_rate(step, options):
    """Rises linearly during the warm-up, then falls along a cosine to a fiftieth."""
    if step < options.warmup:
        return options.lr * (step + 1) / options.warmup
    done = (step - options.warmup) / max(1, options.steps - options.warmup)
    return options.lr * (0.02 + 0.98 * 0.5 * (1.0 + math.cos(math.pi * done)))


def make_optimizer(model, options):
    """AdamW; weight decay for matrices only."""
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=options.lr, betas=(0.9, 0.98), eps=1e-8, foreach=True)


def save(path, content):
    """Writes a checkpoint whole or not at all."""
    half = path.with_suffix(".half")
    torch.save(content, half)
    os.replace(half, path)


class Training:
    def __init__(self, options):
        self.options = options
        pieces = WordPieces.read(options.vocab)
        training, held_out = corpus.split_blocks()
        self.batches = batches.TrainingBatches(
            batches.token_stream(training, pieces), pieces, options.batch, options.seed, options.causal)
        stream = batches.token_stream(held_out, pieces)
        ids, places, right = (batches.next_pieces(batches.held_out_rows(stream, pieces)) if options.causal
                              else batches.held_out_set(stream, pieces, HELD_OUT_SEED))
        peek = places < PEEK_ROWS * batches.LENGTH
        self.peek = ids[:PEEK_ROWS], places[peek], right[peek]
        torch.manual_seed(options.seed)
        self.model = DemoModel(options.position, options.causal)
        self.optimizer = make_optimizer(self.model, options)
        self.step, self.seconds, self.curve, self.losses = 0, 0.0, [], []

    @property
    def checkpoint(self):
        return self.options.folder / "checkpoint.pt"

    def resume(self):
        if self.checkpoint.exists():
            stored = torch.load(self.checkpoint)
            self.model.load_state_dict(stored["model"])
            self.optimizer.load_state_dict(stored["optimizer"])
            self.step, self.seconds, self.curve, self.losses = (
                stored[name] for name in ("step", "seconds", "curve", "losses"))

    def keep(self):
        save(self.checkpoint, {
            "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step,
            "seconds": self.seconds, "curve": self.curve, "losses": self.losses})
        (self.options.folder / "curve.json").write_text(json.dumps({
            "position": self.options.position, "causal": self.options.causal, "seed": self.options.seed, "steps": self.options.steps,
            "batch": self.options.batch, "lr": self.options.lr, "warmup": self.options.warmup,
            "seconds": round(self.seconds), "curve": self.curve}, indent=1) + "\n")

    def update(self):
        """Takes one step and returns its loss."""
        ids, places, right = self.batches.get(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.step, self.options)
        self.optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(self.model(ids, places), right)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        return loss.item()

    def look(self):
        """Adds a point to the curve: the mean loss since the last one, and held-out accuracy on a part of the set."""
        accuracy = masked_accuracy(self.model, *self.peek)
        self.curve.append({"step": self.step, "loss": round(sum(self.losses) / len(self.losses), 4),
                           "held_out_accuracy": round(accuracy, 4)})
        self.losses = []

    def progress(self):
        point = self.curve[-1] if self.curve else {"loss": float("nan"), "held_out_accuracy": float("nan")}
        speed = self.step / max(self.seconds, 1e-9)
        left = (self.options.steps - self.step) / max(speed, 1e-9)
        print(f"\r{self.options.folder.name.rpartition('-')[0]} seed {self.options.seed}: step {self.step} of {self.options.steps}, "
              f"loss {point['loss']:.3f}, held-out accuracy {100 * point['held_out_accuracy']:.1f} %, "
              f"{speed:.2f} steps/s, {left / 60:.0f} min left  ", end="", flush=True)

    def run(self):
        self.resume()
        while self.step < self.options.steps:
            start = time.monotonic()
            self.losses.append(self.update())
            last = self.step == self.options.steps
            if self.step % self.options.every == 0 or last:
                self.look()
            self.seconds += time.monotonic() - start
            if self.step % self.options.every == 0 or last:
                self.keep()
                self.progress()
        print()


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("position", choices=POSITIONS, help="how the model knows positions")
    parser.add_argument("--causal", action="store_true",
                        help="train a decoder, which names the next piece, in place of an encoder, which names hidden ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vocab", type=Path, required=True, help="vocab.txt, made by vocabulary.py")
    parser.add_argument("--runs", type=Path, required=True, help="folder of all trainings; gets POSITION-SEED/ or causal-POSITION-SEED/")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=32, help="sequences in a step")
    parser.add_argument("--lr", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--warmup", type=int, default=200, help="steps")
    parser.add_argument("--every", type=int, default=100, help="steps between two checkpoints")
    options = parser.parse_args()
    options.folder = options.runs / f"{'causal-' if options.causal else ''}{options.position}-{options.seed}"
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def main():
    torch.set_num_threads(1)
    Training(parse()).run()


if __name__ == "__main__":
    main()
