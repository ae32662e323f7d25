"""Writes a trained model as Hugging Face does: config.json, and model.safetensors in F16."""
import argparse
import json
import struct
from pathlib import Path

import torch

from model import DemoModel
from positions import BASES, LEARNED_POSITIONS, TURNED_SHARE


def config(model):
    """Returns Hugging Face's RoFormerConfig; `ropescope_position` is ours and says what was trained."""
    sizes = model.sizes
    own = {"ropescope_position": "rope" if model.position in BASES else model.position}
    if model.position in TURNED_SHARE:
        own["partial_rotary_factor"] = TURNED_SHARE[model.position]
    if model.causal:
        own["is_decoder"] = True
    return {
        "architectures": ["RoFormerForCausalLM" if model.causal else "RoFormerForMaskedLM"],
        "model_type": "roformer",
        "vocab_size": sizes.vocab,
        "hidden_size": sizes.hidden,
        "embedding_size": sizes.hidden,
        "intermediate_size": sizes.intermediate,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "type_vocab_size": sizes.types,
        "max_position_embeddings": LEARNED_POSITIONS if model.position == "learned" else sizes.max_positions,
        "layer_norm_eps": sizes.norm_eps,
        "hidden_act": "relu",
        "rotary_value": False,
        "tie_word_embeddings": True,
        "pad_token_id": 0,
        **own,
    }


def trained_model(folder):
    """Returns the model of a training's checkpoint, with its weights rounded to F16."""
    causal, _, position = folder.name.rpartition("-")[0].rpartition("-")
    model = DemoModel(position, causal == "causal")
    weights = torch.load(folder / "checkpoint.pt")["model"]
    model.load_state_dict({name: tensor.half().float() for name, tensor in weights.items()})
    return model.eval()


def shipped_model(folder, position, causal=False):
    """Returns the model of a folder that main() wrote."""
    data = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    weights = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        weights[name] = torch.frombuffer(bytearray(data[start:end]), dtype=torch.float16).view(entry["shape"]).float()
    model = DemoModel(position, causal)
    model.load_state_dict(weights)
    return model.eval()


DTYPES = {"F16": torch.float16, "F32": torch.float32}


def write_tensors(path, tensors, dtype):
    """Writes a .safetensors file, with a header padded to 8 bytes."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        start = len(data)
        data += tensor.to(DTYPES[dtype]).contiguous().numpy().tobytes()
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of a training, for example runs/rope-2")
    parser.add_argument("folder", type=Path, help="gets config.json and model.safetensors")
    options = parser.parse_args()
    model = trained_model(options.run)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "config.json").write_text(json.dumps(config(model), indent=2) + "\n")
    write_tensors(options.folder / "model.safetensors", model.state_dict(), "F16")


if __name__ == "__main__":
    main()
