"""Writes a trained model as Hugging Face does: config.json, and model.safetensors in F16."""
import argparse
import json
import struct
from pathlib import Path

import torch

from model import BASES, DemoModel, Sizes


def config(sizes, position):
    """Returns Hugging Face's RoFormerConfig; `ropescope_position` is ours and says what was trained."""
    return {
        "architectures": ["RoFormerForMaskedLM"],
        "model_type": "roformer",
        "vocab_size": sizes.vocab,
        "hidden_size": sizes.hidden,
        "embedding_size": sizes.hidden,
        "intermediate_size": sizes.intermediate,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "type_vocab_size": sizes.types,
        "max_position_embeddings": sizes.max_positions,
        "layer_norm_eps": sizes.norm_eps,
        "hidden_act": "relu",
        "rotary_value": False,
        "tie_word_embeddings": True,
        "pad_token_id": 0,
        "ropescope_position": position,
    }


def trained_model(folder, position):
    """Returns the model of a training's checkpoint, with its weights rounded to F16."""
    model = DemoModel(position)
    weights = torch.load(folder / "checkpoint.pt")["model"]
    model.load_state_dict({name: tensor.half().float() for name, tensor in weights.items()})
    return model.eval()


def write_safetensors(path, tensors):
    """Writes tensors in F16, with a header padded to 8 bytes."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        start = len(data)
        data += tensor.half().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of a training, for example runs/rope-2")
    parser.add_argument("folder", type=Path, help="gets config.json and model.safetensors")
    options = parser.parse_args()
    position = options.run.name.partition("-")[0]
    if position not in (*BASES, "none"):
        parser.error(f"{options.run}: only RoPE or no position is a RoFormer; a folder rope-N, rope100-N or "
                     "none-N is expected")
    model = trained_model(options.run, position)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "config.json").write_text(json.dumps(config(Sizes(), position), indent=2) + "\n")
    write_safetensors(options.folder / "model.safetensors", model.state_dict())


if __name__ == "__main__":
    main()
