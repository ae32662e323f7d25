"""Measures how often a model names a hidden token."""
import torch


@torch.no_grad()
def predictions(model, ids, places, batch_tokens=8192, **rotation):
    """Returns the piece with the largest logit at each place, numbers of tokens in the flattened `ids`."""
    rows = max(1, batch_tokens // ids.shape[1])
    found = []
    for first in range(0, len(ids), rows):
        part = ids[first:first + rows]
        start = first * ids.shape[1]
        here = places[(places >= start) & (places < start + part.numel())] - start
        found.append(model(part, here, **rotation).argmax(1))
    return torch.cat(found)


def masked_accuracy(model, ids, places, right, **rotation):
    """Returns the share of places, which must be in order, where the model names the right piece."""
    return (predictions(model, ids, places, **rotation) == right).double().mean().item()
