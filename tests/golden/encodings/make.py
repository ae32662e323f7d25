"""Makes weights.safetensors and logits.safetensors: a tiny encoder and decoder with each encoding of positions, run by
PyTorch as tools/train-demo trains them. Run in this folder with Debian's python3-torch."""
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools" / "train-demo"))
from export import write_tensors  # noqa: E402
from model import DemoModel, Sizes  # noqa: E402
from positions import POSITIONS  # noqa: E402

SIZES = Sizes(vocab=20, hidden=16, intermediate=24, layers=2, heads=2, max_positions=128)
LENGTH = 40  # distances beyond 16, where T5's ranges widen


def widened(name, tensor):
    """Embeddings and T5's numbers, wide enough that every encoding shows in the logits."""
    return tensor * (20.0 if "bias.weight" in name else 4.0 if "embeddings.weight" in name else 1.0)


def models():
    """Yields every model with the weights that it shares with the others."""
    shared = {}
    for position in POSITIONS:
        for causal in (False, True):
            torch.manual_seed(7)
            model = DemoModel(position, causal, SIZES)
            own = {name: shared.get(name, widened(name, tensor)) for name, tensor in model.state_dict().items()}
            shared.update(own)
            model.load_state_dict(own)
            yield ("causal-" if causal else "") + position, model.eval(), shared


@torch.no_grad()
def main():
    ids = torch.randint(SIZES.vocab, (1, LENGTH), generator=torch.Generator().manual_seed(3))
    logits = {"ids": ids.float()}
    for name, model, shared in models():
        logits[name] = model(ids, torch.arange(LENGTH))
    write_tensors(Path("weights.safetensors"), shared, "F32")
    write_tensors(Path("logits.safetensors"), logits, "F32")


if __name__ == "__main__":
    main()
