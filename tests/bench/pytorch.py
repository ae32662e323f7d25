#!/usr/bin/env python3
"""The notebook's RoFormer (seed document 000) in PyTorch, timed in turns with ropescope's benchmark.

Not part of the tests. Needs Debian's own python3 with python3-torch and libopenblas0-openmp (with the
reference BLAS that python3-torch brings one round takes many minutes); run from the repository's
root after ./test.sh bench has built the benchmarks:

    tests/bench/pytorch.py [--threads 2] [--turns 4] [--rounds 3] [--bench build/release/ropescope_bench]

PyTorch is timed as it comes and with glibc's malloc told to keep large blocks (a fresh block costs
more than filling it), each in a process of its own. A turn is one run of each of the three; their
order changes from turn to turn. Ratios are to the same floor, the floating-point operations of the
matrix products at this processor's rate of multiply-adds, which ropescope_bench measures in the same
turn. Variables that would choose another kernel than OpenBLAS or OpenMP do by themselves are removed.
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
    "encoder_over_floor/1x512_without_head": (1, 512, False),
    "encoder_over_floor/4x1024_with_head": (4, 1024, True),
}
ATTENTION = {  # (positions, with context)
    "attention_over_floor/scores_and_softmax": (1024, False),
    "attention_over_floor/context_1024": (1024, True),
    "attention_over_floor/context_8192": (8192, True),
}
TUNED = {  # large blocks come from the heap too, and stay with the process
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
    "MALLOC_TOP_PAD_": str(1 << 28),
}
CHOOSING = ("OPENBLAS_", "OMP_", "KMP_", "GOMP_", "MKL_", "DNNL_", "ONEDNN_", "MALLOC_")
SIDES = ("ropescope", "PyTorch", "tuned")
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


def attend(q, k, v, with_context):
    import torch

    probs = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]), -1)
    return probs @ v if with_context else probs


def measure(threads, rounds):
    """In the child process: seconds of every case, again for every line that comes in."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    with torch.inference_mode():
        model = build_model()
        for _ in sys.stdin:
            found = {}
            for name, (positions, with_context) in ATTENTION.items():
                q, k, v = (torch.randn(1, 4, positions, 192) for _ in range(3))
                found[name] = median_seconds(lambda: attend(q, k, v, with_context),
                                             rounds if positions > 1024 else 5 * rounds)
            for name, (batch, positions, with_head) in CASES.items():
                ids = torch.randint(0, VOCAB, (batch, positions))
                found[name] = median_seconds(lambda: model(ids, with_head), rounds)
            print(json.dumps(found), flush=True)


class PyTorch:
    """A process that measures when it is asked, and waits in between."""

    def __init__(self, arguments, environment):
        command = [sys.executable, __file__, "--measure", "--threads", str(arguments.threads),
                   "--rounds", str(arguments.rounds)]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def seconds(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def ropescope(bench, environment):
    """Of every case: our seconds, the floor's, and the rate that the floor was done at, from the
    lines `ms over ms, GFLOP/s`."""
    run = subprocess.run([bench, "--benchmark_filter=over_floor"], env=environment,
                         stdout=subprocess.PIPE, check=True, text=True)
    line = re.compile(r"^(\S+)\s.*?([\d.]+) ms over ([\d.]+) ms, (\d+) GFLOP/s$", re.MULTILINE)
    return {name: (float(ours) / 1e3, float(floor) / 1e3, int(rate))
            for name, ours, floor, rate in line.findall(run.stdout)}


def turn(number, bench, environment, default, tuned):
    """One run of each side: ratios to the floor by case and side, and the floor's rates."""
    runs = [("ropescope", lambda: ropescope(bench, environment)), ("PyTorch", default.seconds),
            ("tuned", tuned.seconds)]
    runs = runs[number % 3:] + runs[:number % 3]
    found = {side: run() for side, run in runs}
    ratios = {}
    for name in (*ATTENTION, *CASES):
        ours, floor, _ = found["ropescope"][name]
        ratios[name] = (ours / floor, found["PyTorch"][name] / floor, found["tuned"][name] / floor)
    return ratios, [rate for _, _, rate in found["ropescope"].values()]


def spread(values, digits=2):
    """The median and, where there are several, the least and the largest."""
    text = f"{statistics.median(values):.{digits}f}"
    if len(values) > 1:
        text += f" ({min(values):.{digits}f} to {max(values):.{digits}f})"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bench", default="build/release/ropescope_bench")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.threads, arguments.rounds)
        return
    plain = {key: value for key, value in os.environ.items() if not key.startswith(CHOOSING)}
    default, tuned = PyTorch(arguments, plain), PyTorch(arguments, {**plain, **TUNED})
    try:
        turns = [turn(i, arguments.bench, plain, default, tuned) for i in range(arguments.turns)]
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"pytorch.py: {error!r}; python3-torch and {arguments.bench} are needed")
    finally:
        default.end()
        tuned.end()
    rates = [rate for _, found in turns for rate in found]
    print(f"{len(turns)} turns; multiply-adds at {spread(rates, 0)} GFLOP/s; seconds over the floor, "
          "median (least to largest)")
    print("| case | " + " | ".join(SIDES) + " | ropescope / tuned |\n|---|---|---|---|---|")
    for name in (*ATTENTION, *CASES):
        sides = list(zip(*(ratios[name] for ratios, _ in turns)))
        shares = [ratios[name][0] / ratios[name][2] for ratios, _ in turns]
        print(f"| {name} | " + " | ".join(spread(values) for values in (*sides, shares)) + " |")


if __name__ == "__main__":
    main()
