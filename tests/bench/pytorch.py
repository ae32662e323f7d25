#!/usr/bin/env python3
"""The notebook's RoFormer (seed document 000) in PyTorch, timed beside ropescope's benchmark.

Not part of the tests. Needs Debian's own python3 with python3-torch and libopenblas0-openmp (with the
reference BLAS that python3-torch brings one round takes many minutes); run from the repository's
root after ./test.sh bench has built the benchmarks:

    tests/bench/pytorch.py [--threads 2] [--rounds 5] [--bench build/release/ropescope_bench]

PyTorch is timed as it comes and with glibc's malloc told to keep large blocks (a fresh block costs
more than filling it), each in a process of its own; ratios are to the same floor, the floating-point
operations of the matrix products at this processor's rate of multiply-adds, which ropescope_bench
measures.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

CASES = {  # name of the benchmark: (batch, positions, with head)
    "encoder_over_floor/1x128_with_head": (1, 128, True),
    "encoder_over_floor/1x128_without_head": (1, 128, False),
    "encoder_over_floor/1x512_with_head": (1, 512, True),
    "encoder_over_floor/4x1024_with_head": (4, 1024, True),
}
ATTENTION = "attention_over_floor/scores_and_softmax"
TUNED = {  # large blocks come from the heap too, and stay with the process
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
    "MALLOC_TOP_PAD_": str(1 << 28),
}
HIDDEN, INNER, LAYERS, HEADS, VOCAB = 768, 3072, 4, 4, 32000


def build_model():
    import torch
    from torch import nn

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (nn.Linear(HIDDEN, HIDDEN) for _ in range(4))
            self.up, self.down = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
            self.attention_norm, self.ffn_norm, self.inner_norm = (
                nn.LayerNorm(HIDDEN, eps=1e-12) for _ in range(3))

        def attend(self, x, cos, sin):
            batch, length, _ = x.shape

            def heads(y):
                return y.view(batch, length, HEADS, HIDDEN // HEADS)

            def rotate(y):
                pairs = heads(y).unflatten(-1, (-1, 2))
                a, b = pairs[..., 0], pairs[..., 1]
                return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(3)

            q, k = rotate(self.query(x)).transpose(1, 2), rotate(self.key(x)).transpose(1, 2)
            v = heads(self.value(x)).transpose(1, 2)
            scores = q @ k.transpose(2, 3) / math.sqrt(HIDDEN // HEADS)
            context = torch.softmax(scores, -1) @ v
            return self.out(context.transpose(1, 2).reshape(batch, length, HIDDEN))

        def forward(self, x, cos, sin):
            h = x + self.attend(self.attention_norm(x), cos, sin)
            f = self.ffn_norm(h)
            return h + self.inner_norm(self.down(nn.functional.gelu(self.up(f))) + f)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(VOCAB, HIDDEN)
            self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
            self.output = nn.Linear(HIDDEN, VOCAB, bias=False)

        def forward(self, ids, with_head):
            pairs = HIDDEN // HEADS // 2
            inverse = 1e6 ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
            angles = torch.outer(torch.arange(ids.shape[1], dtype=torch.float64), inverse)
            cos, sin = (table.float()[None, :, None, :] for table in (angles.cos(), angles.sin()))
            x = self.words(ids)
            for layer in self.layers:
                x = layer(x, cos, sin)
            return self.output(x) if with_head else x

    return Model().eval()


def median_seconds(call, rounds):
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(threads, rounds):
    """In the child process: seconds of every case."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    found = {}
    with torch.inference_mode():
        q, k = (torch.randn(1, 4, 1024, 192) for _ in range(2))
        found[ATTENTION] = median_seconds(
            lambda: torch.softmax(q @ k.transpose(2, 3) / math.sqrt(192), -1), 5 * rounds)
        model = build_model()
        for name, (batch, positions, with_head) in CASES.items():
            ids = torch.randint(0, VOCAB, (batch, positions))
            found[name] = median_seconds(lambda: model(ids, with_head), rounds)
    return found


def pytorch(arguments, environment):
    command = [sys.executable, __file__, "--measure", "--threads", str(arguments.threads),
               "--rounds", str(arguments.rounds)]
    run = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                         check=True, text=True)
    return json.loads(run.stdout)


def ropescope(arguments):
    """Of every case: our seconds and the floor's, from the lines `ms over ms`."""
    run = subprocess.run([arguments.bench, "--benchmark_filter=over_floor"],
                         stdout=subprocess.PIPE, check=True, text=True)
    line = re.compile(r"^(\S+)\s.*?([\d.]+) ms over ([\d.]+) ms$", re.MULTILINE)
    return {name: (float(ours) / 1e3, float(floor) / 1e3)
            for name, ours, floor in line.findall(run.stdout)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bench", default="build/release/ropescope_bench")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        json.dump(measure(arguments.threads, arguments.rounds), sys.stdout)
        return
    try:
        default, tuned = pytorch(arguments, {}), pytorch(arguments, TUNED)
        ours = ropescope(arguments)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"pytorch.py: {error}; python3-torch and {arguments.bench} are needed")
    print(f"{'seconds over the floor':<44}{'ropescope':>10}{'PyTorch':>10}{'tuned':>10}")
    for name, (seconds, floor) in ours.items():
        row = (seconds, default[name], tuned[name])
        print(f"{name:<44}" + "".join(f"{value / floor:>9.2f}x" for value in row))


if __name__ == "__main__":
    main()
