"""The RoFormer of Hugging Face (RoFormerForMaskedLM) with its names of tensors, and its twins with other encodings of
positions, as an encoder or as a causal decoder."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

import positions


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


class SelfAttention(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads = sizes.heads
        self.query, self.key, self.value = (nn.Linear(sizes.hidden, sizes.hidden) for _ in range(3))

    def forward(self, x, rotation, bias):
        batch, length, width = x.shape
        weight = torch.cat((self.query.weight, self.key.weight, self.value.weight))  # one product instead of three
        offset = torch.cat((self.query.bias, self.key.bias, self.value.bias))
        q, k, v = F.linear(x, weight, offset).view(batch, length, 3, self.heads, -1).unbind(2)
        q, k = rotation(q), rotation(k)
        q, k, v = (part.transpose(1, 2).reshape(batch * self.heads, length, -1) for part in (q, k, v))
        scores = torch.bmm(q * (1.0 / math.sqrt(q.shape[-1])), k.transpose(1, 2))
        if bias is not None:  # [heads or 1, query, key]
            scores = (scores.view(batch, self.heads, length, length) + bias).view(-1, length, length)
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

    def forward(self, x, rotation, bias):
        return self.output(self.self(x, rotation, bias), x)


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

    def forward(self, x, rotation, bias):
        x = self.attention(x, rotation, bias)
        return self.output(self.intermediate(x), x)


class Embeddings(nn.Module):
    def __init__(self, sizes, learned):
        super().__init__()
        self.word_embeddings = nn.Embedding(sizes.vocab, sizes.hidden)
        self.token_type_embeddings = nn.Embedding(sizes.types, sizes.hidden)
        if learned:
            self.position_embeddings = nn.Embedding(positions.LEARNED_POSITIONS, sizes.hidden)
        self.LayerNorm = nn.LayerNorm(sizes.hidden, eps=sizes.norm_eps)

    def forward(self, ids, added):
        x = self.word_embeddings(ids) + self.token_type_embeddings.weight[0]
        return self.LayerNorm(x if added is None else x + added)


class Encoder(nn.Module):
    """The layers, and the bias of T5, which is that of all layers."""

    def __init__(self, sizes, buckets):
        super().__init__()
        if buckets:
            self.relative_attention_bias = nn.Embedding(buckets, sizes.heads)
        self.layer = nn.ModuleList(Layer(sizes) for _ in range(sizes.layers))


class RoFormer(nn.Module):
    def __init__(self, position, sizes):
        super().__init__()
        self.embeddings = Embeddings(sizes, learned=position == "learned")
        self.encoder = Encoder(sizes, positions.T5_BUCKETS if position == "t5" else 0)


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

    def __init__(self, position, causal=False, sizes=None):
        super().__init__()
        self.position, self.causal = position, causal
        self.sizes = sizes or Sizes()
        self.roformer = RoFormer(position, self.sizes)
        self.cls = Head(self.sizes)
        self.apply(initialise)

    @property
    def rotary_dim(self):
        return positions.rotary_dim(self.position, self.sizes.head_dim)

    def rotation(self, length, inv_freq=None, attention_factor=1.0, layout="interleaved"):
        """Returns a function that rotates queries or keys. `inv_freq` replaces the model's own frequencies."""
        if self.position not in positions.BASES:
            return lambda x: x
        if inv_freq is None:
            inv_freq = positions.inverse_frequencies(self.rotary_dim, positions.BASES[self.position])
        cis = positions.turns(inv_freq, length, attention_factor)
        return lambda x: positions.rotate(x, cis, layout)

    def added(self, length):
        """Returns what is added to the embeddings [positions, hidden], or None."""
        if self.position == "sinusoidal":
            return positions.sinusoids(length, self.sizes.hidden)
        if self.position == "learned":
            return self.roformer.embeddings.position_embeddings(torch.arange(length))
        return None

    def bias(self, length):
        """Returns what is added to the scores [heads or 1, query, key], or None."""
        bias = None
        if self.position == "alibi":
            bias = positions.alibi_bias(length, self.sizes.heads)
        if self.position == "t5":
            buckets = positions.t5_buckets(positions.distances(length), self.causal)
            bias = self.roformer.encoder.relative_attention_bias(buckets).permute(2, 0, 1)
        if self.causal:
            mask = positions.causal_mask(length)[None]
            bias = mask if bias is None else bias + mask
        return bias

    def hidden_states(self, ids, **rotation):
        """Returns the embeddings and the output of each layer, [batch, positions, hidden] each."""
        length = ids.shape[1]
        turn, bias = self.rotation(length, **rotation), self.bias(length)
        states = [self.roformer.embeddings(ids, self.added(length))]
        for layer in self.roformer.encoder.layer:
            states.append(layer(states[-1], turn, bias))
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
