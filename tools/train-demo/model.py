"""The RoFormer of Hugging Face (RoFormerForMaskedLM) with its names of tensors, and its twins without RoPE."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

POSITIONS = ("rope", "rope100", "sinusoidal", "none")
BASES = {"rope": 10000.0, "rope100": 100.0}


@dataclass
class Sizes:
    vocab: int = 2000
    hidden: int = 128
    intermediate: int = 512
    layers: int = 4
    heads: int = 4
    types: int = 2
    max_positions: int = 1536
    norm_eps: float = 1e-12

    @property
    def head_dim(self):
        return self.hidden // self.heads


def inverse_frequencies(head_dim, base):
    """Radians per position of each pair of channels, in float64."""
    return base ** (-2.0 * torch.arange(head_dim // 2, dtype=torch.float64) / head_dim)


def turns(inv_freq, length, attention_factor=1.0):
    """Returns e^(i m theta) [positions, pairs] as complex numbers, computed in float64 and rounded once."""
    angles = torch.arange(length, dtype=torch.float64)[:, None] * inv_freq
    return torch.polar(torch.full_like(angles, attention_factor), angles).to(torch.complex64)


def rotate(x, cis, layout="interleaved"):
    """Rotates x [batch, positions, heads, head_dim]. interleaved: channels 2i and 2i+1 are a pair, as in RoFormer;
    half_split: channels i and i + head_dim / 2."""
    pairs = x.unflatten(-1, (-1, 2)) if layout == "interleaved" else x.unflatten(-1, (2, -1)).transpose(-1, -2)
    rotated = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * cis[:, None, :])
    return (rotated if layout == "interleaved" else rotated.transpose(-1, -2)).flatten(-2)


def sinusoids(length, width):
    """The additive positions of Vaswani et al. [length, width]: sin in even channels, cos in odd ones. They are
    divided by sqrt(width), where the paper multiplies the word embeddings by it: the layer norm that follows takes
    either to the same numbers."""
    cis = turns(inverse_frequencies(width, 10000.0), length)
    return torch.stack((cis.imag, cis.real), -1).flatten(-2) / math.sqrt(width)


class SelfAttention(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads = sizes.heads
        self.query, self.key, self.value = (nn.Linear(sizes.hidden, sizes.hidden) for _ in range(3))

    def forward(self, x, rotation):
        batch, length, width = x.shape
        weight = torch.cat((self.query.weight, self.key.weight, self.value.weight))  # one product instead of three
        bias = torch.cat((self.query.bias, self.key.bias, self.value.bias))
        q, k, v = F.linear(x, weight, bias).view(batch, length, 3, self.heads, -1).unbind(2)
        q, k = rotation(q), rotation(k)
        q, k, v = (part.transpose(1, 2).reshape(batch * self.heads, length, -1) for part in (q, k, v))
        scores = torch.bmm(q * (1.0 / math.sqrt(q.shape[-1])), k.transpose(1, 2))
        context = torch.bmm(torch.softmax(scores, -1), v)
        return context.view(batch, self.heads, length, -1).transpose(1, 2).reshape(batch, length, width)


class SumAndNorm(nn.Module):
    """LayerNorm(residual + dense(x)), the end of both halves of a layer."""

    def __init__(self, inputs, sizes):
        super().__init__()
        self.dense = nn.Linear(inputs, sizes.hidden)
        self.LayerNorm = nn.LayerNorm(sizes.hidden, eps=sizes.norm_eps)

    def forward(self, x, residual):
        return self.LayerNorm(residual + self.dense(x))


class Attention(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.self = SelfAttention(sizes)
        self.output = SumAndNorm(sizes.hidden, sizes)

    def forward(self, x, rotation):
        return self.output(self.self(x, rotation), x)


class Intermediate(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.dense = nn.Linear(sizes.hidden, sizes.intermediate)

    def forward(self, x):
        return F.relu(self.dense(x))


class Layer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.attention = Attention(sizes)
        self.intermediate = Intermediate(sizes)
        self.output = SumAndNorm(sizes.intermediate, sizes)

    def forward(self, x, rotation):
        x = self.attention(x, rotation)
        return self.output(self.intermediate(x), x)


class Embeddings(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.word_embeddings = nn.Embedding(sizes.vocab, sizes.hidden)
        self.token_type_embeddings = nn.Embedding(sizes.types, sizes.hidden)
        self.LayerNorm = nn.LayerNorm(sizes.hidden, eps=sizes.norm_eps)

    def forward(self, ids, added):
        x = self.word_embeddings(ids) + self.token_type_embeddings.weight[0]
        return self.LayerNorm(x if added is None else x + added)


class Encoder(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layer = nn.ModuleList(Layer(sizes) for _ in range(sizes.layers))


class RoFormer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.embeddings = Embeddings(sizes)
        self.encoder = Encoder(sizes)


class Transform(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.dense = nn.Linear(sizes.hidden, sizes.hidden)
        self.LayerNorm = nn.LayerNorm(sizes.hidden, eps=sizes.norm_eps)

    def forward(self, x):
        return self.LayerNorm(F.relu(self.dense(x)))


class Predictions(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.transform = Transform(sizes)
        self.bias = nn.Parameter(torch.zeros(sizes.vocab))


class Head(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.predictions = Predictions(sizes)


class DemoModel(nn.Module):
    """Its state_dict() has the names of RoFormerForMaskedLM; the decoder is the word embedding (tied)."""

    def __init__(self, position, sizes=None):
        super().__init__()
        self.position = position
        self.sizes = sizes or Sizes()
        self.roformer = RoFormer(self.sizes)
        self.cls = Head(self.sizes)
        self.apply(initialise)

    def rotation(self, length, inv_freq=None, attention_factor=1.0, layout="interleaved"):
        """Returns a function that rotates queries or keys. `inv_freq` replaces the model's own frequencies."""
        if self.position not in BASES:
            return lambda x: x
        if inv_freq is None:
            inv_freq = inverse_frequencies(self.sizes.head_dim, BASES[self.position])
        cis = turns(inv_freq, length, attention_factor)
        return lambda x: rotate(x, cis, layout)

    def hidden_states(self, ids, **rotation):
        """Returns the embeddings and the output of each layer, [batch, positions, hidden] each."""
        length = ids.shape[1]
        added = sinusoids(length, self.sizes.hidden) if self.position == "sinusoidal" else None
        turn = self.rotation(length, **rotation)
        states = [self.roformer.embeddings(ids, added)]
        for layer in self.roformer.encoder.layer:
            states.append(layer(states[-1], turn))
        return states

    def logits_of(self, hidden):
        words = self.roformer.embeddings.word_embeddings.weight
        return F.linear(self.cls.predictions.transform(hidden), words, self.cls.predictions.bias)

    def forward(self, ids, places, **rotation):
        """Returns the logits [places, vocab] at the places, numbers of tokens in the flattened batch."""
        hidden = self.hidden_states(ids, **rotation)[-1]
        return self.logits_of(hidden.flatten(0, 1)[places])


def initialise(module):
    """Draws the weights: small enough that no token stands out, and wide enough that attention is not flat."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=1.0 / math.sqrt(module.in_features) * 0.7)
        nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.05)
