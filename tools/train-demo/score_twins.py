"""Measures the twins of the demo model, encoders and decoders, on the held-out text at every length, and writes
twins.json. Entries of trainings that are not at hand stay as they are."""
import argparse
import json
from pathlib import Path

import torch

import batches
import corpus
from export import shipped_model, trained_model
from positions import T5_BUCKETS
from score import LENGTHS, SAMPLE_TOKENS, UNDECIDED, hidden_places
from train import HELD_OUT_SEED
from word_pieces import WordPieces

BATCH_TOKENS = 4096
FIRST_PIECE = 5  # behind [PAD], [UNK], [CLS], [SEP], [MASK]
SINK_LENGTH, SINK_FROM = 128, 64  # queries from SINK_FROM on, in texts of SINK_LENGTH tokens


def rows_of(stream, length):
    """Cuts the stream into pieces of length - 2 tokens, several of the same length at once; the last may be shorter."""
    body = length - 2
    whole = len(stream) // body * body
    rows = stream[:whole].view(-1, body)
    for first in range(0, len(rows), max(1, BATCH_TOKENS // length)):
        yield first * body, rows[first:first + max(1, BATCH_TOKENS // length)]
    if whole < len(stream):
        yield whole, stream[None, whole:]


def encoder_batches(stream, hidden, length, pieces):
    """Yields ids with [MASK] for what is hidden, places in the flattened batch, and the right ids."""
    masked = stream.clone()
    masked[hidden] = pieces.mask
    for start, rows in rows_of(stream, length):
        body = rows.shape[1]
        here = hidden[(hidden >= start) & (hidden < start + rows.numel())]
        ids = masked[start:start + rows.numel()].view(rows.shape)
        row, column = (here - start) // body, (here - start) % body
        yield batches.framed(ids, pieces), row * (body + 2) + column + 1, stream[here]


def decoder_batches(stream, _hidden, length, pieces):
    """Yields ids, the places before every piece of the text, and these pieces."""
    for _, rows in rows_of(stream, length):
        ids = batches.framed(rows, pieces)
        places = torch.arange(ids.numel()).view(ids.shape)[:, :-2]
        yield ids, places.flatten(), rows.flatten()


@torch.no_grad()
def counts_of(model, stream, hidden, pieces, length):
    """All texts of the training ended with [SEP] after batches.LENGTH tokens, and a decoder learns that. Behind this place it
    would name [SEP] alone, so its answer is the best piece of text, and how often [SEP] was better is counted apart."""
    right = total = undecided = ended = 0
    cut = decoder_batches if model.causal else encoder_batches
    for ids, places, wanted in cut(stream, hidden, length, pieces):
        logits = model(ids, places)
        if model.causal:
            ended += int((logits.argmax(1) == pieces.sep).sum())
            logits[:, :FIRST_PIECE] = -torch.inf
        best = logits.topk(2, 1)
        right += int((best.indices[:, 0] == wanted).sum())
        undecided += int((best.values[:, 0] - best.values[:, 1] < UNDECIDED).sum())
        total += len(wanted)
    counted = {"length": length, "right": right, "of": total, "undecided": undecided}
    return {**counted, "ended": ended} if model.causal else counted


@torch.no_grad()
def first_token_shares(model, stream, pieces):
    """The probability that queries from SINK_FROM on give to the first token, [layers][heads], a mean over texts."""
    rows = stream[:len(stream) // (SINK_LENGTH - 2) * (SINK_LENGTH - 2)].view(-1, SINK_LENGTH - 2)
    ids = batches.framed(rows, pieces)
    shares = []
    states = model.hidden_states(ids)
    for layer, x in zip(model.roformer.encoder.layer, states):
        own = layer.attention.self
        turn = model.rotation(SINK_LENGTH)
        q, k = (turn(linear(x).view(*x.shape[:2], own.heads, -1)).transpose(1, 2) for linear in (own.query, own.key))
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5 + model.bias(SINK_LENGTH)
        probabilities = torch.softmax(scores, -1)[:, :, SINK_FROM:, 0]
        shares.append([round(float(share), 6) for share in probabilities.double().mean((0, 2))])
    return shares


def measure(model, held_out, hidden, pieces, lengths):
    counted = []
    for length in lengths:
        counted.append(counts_of(model, held_out, hidden, pieces, length))
    return counted


def entry_of(model, seed, held_out, pieces):
    """Everything of one training. Learned positions end where the texts of the training end."""
    sample = held_out[:SAMPLE_TOKENS]
    lengths = LENGTHS[:1] if model.position == "learned" else LENGTHS
    entry = {"position": model.position, "causal": model.causal, "seed": seed,
             "sample": counts_of(model, sample, hidden_places(len(sample), HELD_OUT_SEED), pieces, LENGTHS[0]),
             "held_out": measure(model, held_out, hidden_places(len(held_out), HELD_OUT_SEED), pieces, lengths)}
    if model.causal:
        entry["first_token_shares"] = first_token_shares(model, sample, pieces)
    if model.position == "t5":
        table = model.roformer.encoder.relative_attention_bias.weight
        entry["bias"] = [[round(float(value), 6) for value in table[bucket]] for bucket in range(T5_BUCKETS)]
    return entry


def key_of(entry):
    return entry["causal"], entry["position"], entry["seed"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder of trainings; those that are not done are left out")
    parser.add_argument("demo", type=Path, help="folder with vocab.txt; gets twins.json")
    parser.add_argument("--only", nargs="*", help="names of trainings; all that are not in twins.json yet if left out")
    parser.add_argument("--steps", type=int, default=4000)
    return parser.parse_args()


def measured_before(demo):
    """Entries of the trainings that score.py measured at their own length, but for the model in the box."""
    scores = json.loads((demo / "scores.json").read_text())
    for model in scores["models"]:
        if model["position"] != "rope100" and (model["position"], model["seed"]) != ("rope", scores["shipped_seed"]):
            right = {name: model["held_out"]["changes"][0][name] for name in ("right", "of", "undecided")}
            yield {"position": model["position"], "causal": False, "seed": model["seed"],
                   "held_out": [{"length": scores["trained_length"], **right}]}


def is_done(folder, steps):
    curve = folder / "curve.json"
    return curve.exists() and json.loads(curve.read_text())["curve"][-1]["step"] == steps


def models_of(options, known):
    """Yields model and seed of each training that is asked for, and of the twin without positions in the box."""
    for name in options.only or ():
        if not is_done(options.runs / name, options.steps):
            raise SystemExit(f"{options.runs / name}: no training of {options.steps} steps is there")
    for folder in sorted(options.runs.glob("*-[0-9]")):
        model_name, _, seed = folder.name.rpartition("-")
        causal, _, position = model_name.rpartition("-")
        wanted = folder.name in options.only if options.only else (causal == "causal", position, int(seed)) not in known
        if wanted and is_done(folder, options.steps):
            yield trained_model(folder), int(seed)
    if "sample" not in known[False, "none", 2]:
        yield shipped_model(options.demo.parent / "demo-no-position", "none"), 2


def main():
    options = parse()
    torch.set_num_threads(1)
    pieces = WordPieces.read(options.demo / "vocab.txt")
    held_out = batches.token_stream(corpus.split_blocks()[1], pieces)
    path = options.demo / "twins.json"
    twins = json.loads(path.read_text()) if path.exists() else {"sink_from": SINK_FROM, "models": []}
    known = {key_of(entry): entry for entry in (*measured_before(options.demo), *twins["models"])}

    def write():
        twins["models"] = [known[key] for key in sorted(known)]
        path.write_text(json.dumps(twins, indent=1) + "\n")

    write()
    for model, seed in models_of(options, known):
        entry = entry_of(model, seed, held_out, pieces)
        known[key_of(entry)] = entry
        write()
        shares = ", ".join(f"{count['length']}: {100 * count['right'] / count['of']:.2f} %" for count in entry["held_out"])
        print(f"{'decoder' if model.causal else 'encoder'} {model.position}, seed {seed}: {shares}", flush=True)


if __name__ == "__main__":
    main()
