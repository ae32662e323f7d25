"""Measures all trainings on the held-out text, and writes what ropescope needs to measure the same: held_out.json
(tokens, and which of them are hidden) and scores.json."""
import argparse
import json
from pathlib import Path

import torch

import batches
import corpus
from export import trained_model
from positions import BASES
from scalings import METHODS, ORIGINAL, stretched
from train import HELD_OUT_SEED
from word_pieces import WordPieces

LENGTHS = (128, 256, 512, 1024)
SAMPLE_TOKENS = 8 * (LENGTHS[-1] - 2)  # eight texts of the greatest length
SHIPPED = ("rope", "none")
UNDECIDED = 1e-3  # two best logits this close: another order of additions may exchange them


def hidden_places(tokens, seed):
    """Draws 15 % of the tokens of a stream, in order. They are hidden at every length."""
    count = round(batches.MASKED_SHARE * tokens)
    return torch.randperm(tokens, generator=batches.generator(seed, 3, tokens))[:count].sort().values


def texts_of(stream, hidden, length, pieces):
    """Cuts the stream into texts of `length` tokens with [CLS] and [SEP]; the last one may be shorter. Yields their
    ids, with [MASK] for what is hidden, the columns of [MASK], and the right ids there."""
    masked = stream.clone()
    masked[hidden] = pieces.mask
    for start in range(0, len(stream), length - 2):
        body = masked[start:start + length - 2]
        here = hidden[(hidden >= start) & (hidden < start + len(body))]
        yield batches.framed(body[None], pieces), here - start + 1, stream[here]


@torch.no_grad()
def count_right(model, texts, **rotation):
    """Returns how often the model names the hidden piece, of how many, and how many are undecided."""
    right = total = undecided = 0
    for ids, columns, wanted in texts:
        logits = model(ids, columns, **rotation)
        best = logits.topk(2, 1)
        right += int((best.indices[:, 0] == wanted).sum())
        undecided += int((best.values[:, 0] - best.values[:, 1] < UNDECIDED).sum())
        total += len(wanted)
    return {"right": right, "of": total, "undecided": undecided}


def by_change(model, stream, hidden, pieces, whole):
    """Yields the counts of one model at the length of its training, as it is and, if `whole`, with RoPE changed."""
    texts = list(texts_of(stream, hidden, ORIGINAL, pieces))
    yield {"change": "none", **count_right(model, texts)}
    if whole and model.position in BASES:
        still = torch.zeros(model.sizes.head_dim // 2, dtype=torch.float64)
        yield {"change": "off", **count_right(model, texts, inv_freq=still)}
        yield {"change": "half_split", **count_right(model, texts, layout="half_split")}


def by_length(model, stream, hidden, pieces):
    """Yields the counts of a RoPE model at each length by each method."""
    for length in LENGTHS:
        texts = list(texts_of(stream, hidden, length, pieces))
        for method in ("none", *METHODS):
            rotation = stretched(method, model.sizes.head_dim, BASES[model.position], length / ORIGINAL)
            yield {"length": length, "scaling": method, **count_right(model, texts, **rotation)}


def measure(model, stream, hidden, pieces, whole=True):
    found = {"changes": list(by_change(model, stream, hidden, pieces, whole))}
    if whole and model.position in BASES:
        found["lengths"] = list(by_length(model, stream, hidden, pieces))
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder of all trainings")
    parser.add_argument("demo", type=Path, help="folder with vocab.txt; gets held_out.json and scores.json")
    parser.add_argument("--shipped-seed", type=int, default=2, help="seed of the trainings that were exported")
    return parser.parse_args()


def main():
    options = parse()
    torch.set_num_threads(1)
    pieces = WordPieces.read(options.demo / "vocab.txt")
    held_out = batches.token_stream(corpus.split_blocks()[1], pieces)
    hidden = hidden_places(len(held_out), HELD_OUT_SEED)
    sample = held_out[:SAMPLE_TOKENS]
    sample_hidden = hidden_places(len(sample), HELD_OUT_SEED)
    (options.demo / "held_out.json").write_text(
        json.dumps({"ids": sample.tolist(), "hidden": sample_hidden.tolist()}, separators=(",", ":")) + "\n")
    scores = {"trained_length": ORIGINAL, "held_out_tokens": len(held_out), "shipped_seed": options.shipped_seed,
              "models": []}
    for folder in sorted(options.runs.glob("*-[0-9]")):
        if folder.name.startswith("causal-"):
            continue  # a decoder names the next piece, which is another question
        position, seed = folder.name.split("-")
        model = trained_model(folder)
        shipped = int(seed) == options.shipped_seed and position in SHIPPED
        entry = {"position": position, "seed": int(seed)}
        if shipped:
            entry["sample"] = measure(model, sample, sample_hidden, pieces)
        entry["held_out"] = measure(model, held_out, hidden, pieces, whole=shipped)
        scores["models"].append(entry)
        first = entry["held_out"]["changes"][0]
        print(f"{folder.name}: {first['right']} of {first['of']} hidden pieces are right", flush=True)
        (options.demo / "scores.json").write_text(json.dumps(scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
