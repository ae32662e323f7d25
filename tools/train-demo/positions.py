"""How a model knows positions: what each encoding turns, adds to the embeddings, or adds to the scores."""
import math

import torch

POSITIONS = ("rope", "rope100", "partial", "sinusoidal", "learned", "t5", "alibi", "none")
BASES = {"rope": 10000.0, "rope100": 100.0, "partial": 10000.0}
TURNED_SHARE = {"partial": 0.25}  # of the channels of a head; the others stay as they are
LEARNED_POSITIONS = 128  # as many as a training has tokens: there is no vector for a later one

T5_BUCKETS, T5_FARTHEST = 32, 128


def rotary_dim(position, head_dim):
    """The channels of a head that turn, counted from the first."""
    return round(head_dim * TURNED_SHARE.get(position, 1.0)) if position in BASES else 0


def inverse_frequencies(dim, base):
    """Radians per position of each pair of the `dim` channels that turn, in float64."""
    return base ** (-2.0 * torch.arange(dim // 2, dtype=torch.float64) / dim)


def turns(inv_freq, length, attention_factor=1.0):
    """Returns e^(i m theta) [positions, pairs] as complex numbers, computed in float64 and rounded once."""
    angles = torch.arange(length, dtype=torch.float64)[:, None] * inv_freq
    return torch.polar(torch.full_like(angles, attention_factor), angles).to(torch.complex64)


def rotate(x, cis, layout="interleaved"):
    """Rotates the first 2 * pairs channels of x [batch, positions, heads, head_dim]. interleaved: channels 2i and 2i+1
    are a pair, as in RoFormer; half_split: channels i and i + rotary_dim / 2."""
    turned, still = x[..., :2 * cis.shape[-1]], x[..., 2 * cis.shape[-1]:]
    pairs = turned.unflatten(-1, (-1, 2)) if layout == "interleaved" else turned.unflatten(-1, (2, -1)).transpose(-1, -2)
    rotated = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * cis[:, None, :])
    rotated = (rotated if layout == "interleaved" else rotated.transpose(-1, -2)).flatten(-2)
    return torch.cat((rotated, still), -1) if still.shape[-1] else rotated


def sinusoids(length, width):
    """The additive positions of Vaswani et al. [length, width]: sin in even channels, cos in odd ones. They are
    divided by sqrt(width), where the paper multiplies the word embeddings by it: the layer norm that follows takes
    either to the same numbers."""
    cis = turns(inverse_frequencies(width, 10000.0), length)
    return torch.stack((cis.imag, cis.real), -1).flatten(-2) / math.sqrt(width)


def distances(length):
    """Position of the key minus position of the query, [query, key]."""
    places = torch.arange(length)
    return places[None, :] - places[:, None]


def alibi_slopes(heads):
    """2^(-8 h / heads) for h = 1 ... heads: those of Press et al. (arXiv 2108.12409) for a power of two."""
    return 2.0 ** (-8.0 * torch.arange(1, heads + 1, dtype=torch.float64) / heads)


def alibi_bias(length, heads):
    """Minus slope times distance, [heads, query, key]; in an encoder both directions count alike."""
    return (-alibi_slopes(heads)[:, None, None] * distances(length).abs()).float()


def t5_buckets(distance, causal):
    """The bucket of each distance (key minus query) as Raffel et al. (arXiv 1910.10683) put it into 32: one for each
    near distance, then wider ones in a logarithm up to 128. In an encoder the keys behind the query have 16 of their
    own; a causal mask leaves the keys before it, which have all 32."""
    buckets = T5_BUCKETS if causal else T5_BUCKETS // 2
    behind = 0 if causal else (distance > 0).long() * buckets
    size = (-distance).clamp(min=0) if causal else distance.abs()
    exact = buckets // 2
    far = exact + (torch.log(size.clamp(min=1).double() / exact) / math.log(T5_FARTHEST / exact)
                   * (buckets - exact)).long()
    return behind + torch.where(size < exact, size, far.clamp(max=buckets - 1))


def causal_mask(length):
    """Zero where a query may look, minus infinity at the keys that come after it, [query, key]."""
    return torch.full((length, length), -math.inf).triu(1)
