"""Small models whose rotations have the shapes of the usual libraries, each in a Python module of its own.

make(shape, fault) returns a model of three layers, what it is called with, and the configuration that is true of
it. `fault` names one mistake that the layer 1 makes, or is "" for none. The text of each shape is ours; what is
theirs are the names, the order of the arguments and of the axes.
"""

import types

import torch

HEADS, KV_HEADS, DIM, LENGTH, LAYERS = 4, 2, 32, 12, 3
BASE = 10000.0
PLAIN = {"model_type": "llama", "hidden_size": HEADS * DIM, "num_attention_heads": HEADS,
         "num_key_value_heads": KV_HEADS, "num_hidden_layers": LAYERS, "rope_theta": BASE}

_COMMON = '''
import torch
from torch import nn
HEADS, KV_HEADS, DIM, LAYERS, BASE = {HEADS}, {KV_HEADS}, {DIM}, {LAYERS}, {BASE}

def inv_freq(dim=DIM):
    return 1.0 / BASE ** (torch.arange(0, dim, 2).double() / dim)

class Attention(nn.Module):
    def __init__(self, number, faulty):
        super().__init__()
        self.faulty = faulty and number == 1
        self.q_proj, self.k_proj = nn.Linear(64, HEADS * DIM), nn.Linear(64, KV_HEADS * DIM)

    def queries_and_keys(self, x):
        return (self.q_proj(x).unflatten(-1, (HEADS, DIM)), self.k_proj(x).unflatten(-1, (KV_HEADS, DIM)))

def result(q, k):
    return q.flatten(-2)[..., :64]
'''

_HALF = '''
def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)
'''

_TEXTS = {
    # transformers: [B, H, L, D], cos and sin from a module that is told position_ids.
    "transformers": _HALF + '''
def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin

class LlamaRotaryEmbedding(nn.Module):
    def forward(self, x, position_ids):
        angle = position_ids[..., None].double() * inv_freq()
        angle = torch.cat([angle, angle], dim=-1)
        return angle.cos().to(x.dtype), angle.sin().to(x.dtype)

class LlamaAttention(Attention):
    def forward(self, x, position_embeddings):
        q, k = (each.transpose(1, 2) for each in self.queries_and_keys(x))
        cos, sin = position_embeddings
        q, k = apply_rotary_pos_emb(q, k, cos, -sin if self.faulty else sin)
        return result(q.transpose(1, 2), k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.rotary_emb = LlamaRotaryEmbedding()
        self.layers = nn.ModuleList(LlamaAttention(n, faulty) for n in range(LAYERS))

    def forward(self, x, position_ids):
        told = self.rotary_emb(x, position_ids)
        for layer in self.layers:
            x = layer(x, told)
        return x
''',
    # Meta: [B, L, H, D], complex numbers, the position of the first token.
    "meta": '''
def apply_rotary_emb(xq, xk, freqs_cis):
    def turned(x):
        x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(x_ * freqs_cis[None, :, None]).flatten(3).type_as(x)
    return turned(xq), turned(xk)

class Block(Attention):
    def forward(self, x, start_pos, freqs_cis):
        q, k = self.queries_and_keys(x)
        q, k = apply_rotary_emb(q, k, freqs_cis.conj() if self.faulty else freqs_cis)
        return result(q, k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, start_pos):
        angle = torch.outer(torch.arange(64).double(), inv_freq())
        freqs_cis = torch.polar(torch.ones_like(angle), angle).to(torch.complex64)[start_pos:start_pos + x.shape[1]]
        for layer in self.layers:
            x = layer(x, start_pos, freqs_cis)
        return x
''',
    # gpt-fast: one tensor a call, [B, L, H, D], input_pos.
    "gpt_fast": '''
def apply_rotary_emb(x, freqs_cis):
    pairs = x.float().reshape(*x.shape[:-1], -1, 2)
    cos, sin = freqs_cis[None, :, None, :, 0], freqs_cis[None, :, None, :, 1]
    return torch.stack([pairs[..., 0] * cos - pairs[..., 1] * sin,
                        pairs[..., 1] * cos + pairs[..., 0] * sin], -1).flatten(3).type_as(x)

class Block(Attention):
    def forward(self, x, freqs_cis):
        q, k = self.queries_and_keys(x)
        q = apply_rotary_emb(q, freqs_cis)
        k = apply_rotary_emb(k, freqs_cis * torch.tensor([1.0, -1.0]) if self.faulty else freqs_cis)
        return result(q, k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, input_pos):
        angle = input_pos[:, None].double() * inv_freq()
        freqs_cis = torch.stack([angle.cos(), angle.sin()], -1).float()
        for layer in self.layers:
            x = layer(x, freqs_cis)
        return x
''',
    # torchtune: a module for one tensor, [B, L, H, D], input_pos as a keyword.
    "torchtune": '''
class RotaryPositionalEmbeddings(nn.Module):
    def forward(self, x, *, input_pos=None):
        angle = input_pos[..., None, None].double() * inv_freq()
        pairs = x.float().reshape(*x.shape[:-1], -1, 2)
        return torch.stack([pairs[..., 0] * angle.cos() - pairs[..., 1] * angle.sin(),
                            pairs[..., 1] * angle.cos() + pairs[..., 0] * angle.sin()], -1).flatten(3).type_as(x)

class Block(Attention):
    def __init__(self, number, faulty):
        super().__init__(number, faulty)
        self.pos_embeddings = RotaryPositionalEmbeddings()

    def forward(self, x, input_pos):
        q, k = self.queries_and_keys(x)
        q = self.pos_embeddings(q, input_pos=input_pos)
        if not self.faulty:
            k = self.pos_embeddings(k, input_pos=input_pos)
        return result(q, k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, input_pos):
        for layer in self.layers:
            x = layer(x, input_pos)
        return x
''',
    # vLLM: a module that is told positions, tensors [tokens, H * D], in place.
    "vllm": '''
class RotaryEmbedding(nn.Module):
    def forward(self, positions, query, key):
        angle = (positions[:, None].double() * inv_freq())[:, None]
        for x in (query, key, key) if self.double else (query, key):
            pairs = x.view(x.shape[0], -1, DIM)
            first, second = pairs[..., :DIM // 2].clone(), pairs[..., DIM // 2:].clone()
            pairs[..., :DIM // 2] = first * angle.cos() - second * angle.sin()
            pairs[..., DIM // 2:] = second * angle.cos() + first * angle.sin()
        return query, key

class Block(Attention):
    def __init__(self, number, faulty):
        super().__init__(number, faulty)
        self.rotary_emb = RotaryEmbedding()

    def forward(self, positions, x):
        q, k = self.q_proj(x), self.k_proj(x)
        self.rotary_emb.double = self.faulty
        q, k = self.rotary_emb(positions, q, k)
        return q[..., :64]

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, positions):
        for layer in self.layers:
            x = layer(positions, x)
        return x
''',
    # flash-attention: q, k and v in one tensor [B, L, 3, H, D], overwritten, nothing returned.
    "flash": '''
def apply_rotary_emb_qkv_(qkv, cos, sin, seqlen_offsets=0):
    for x in (qkv[:, :, 0], qkv[:, :, 1]):
        first, second = x[..., :DIM // 2].clone(), x[..., DIM // 2:].clone()
        x[..., :DIM // 2] = first * cos[None, :, None] - second * sin[None, :, None]
        x[..., DIM // 2:] = second * cos[None, :, None] + first * sin[None, :, None]

class Block(Attention):
    def __init__(self, number, faulty):
        super().__init__(number, faulty)
        self.qkv_proj = nn.Linear(64, 3 * HEADS * DIM)

    def forward(self, x, cos, sin, seqlen_offset):
        qkv = self.qkv_proj(x).unflatten(-1, (3, HEADS, DIM))
        apply_rotary_emb_qkv_(qkv, cos, -sin if self.faulty else sin)
        return result(qkv[:, :, 0], None)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.blocks = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, seqlen_offset):
        angle = torch.outer(torch.arange(seqlen_offset, seqlen_offset + x.shape[1]).double(), inv_freq())
        for block in self.blocks:
            x = block(x, angle.cos().float(), angle.sin().float(), seqlen_offset)
        return x
''',
    # GPT-NeoX: a slice of the head turns; cos and sin are chosen by position_ids in the function.
    "gpt_neox": _HALF + '''
def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos, sin = cos[position_ids].unsqueeze(1), sin[position_ids].unsqueeze(1)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin

class Block(Attention):
    def forward(self, x, position_ids):
        q, k = (each.transpose(1, 2) for each in self.queries_and_keys(x))
        angle = torch.outer(torch.arange(64).double(), inv_freq(16))
        angle = torch.cat([angle, angle], dim=-1)
        cos, sin = angle.cos().float(), angle.sin().float()
        sin = -sin if self.faulty else sin
        q_, k_ = apply_rotary_pos_emb(q[..., :16], k[..., :16], cos, sin, position_ids=position_ids)
        return result(torch.cat([q_, q[..., 16:]], -1).transpose(1, 2), None)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, position_ids):
        for layer in self.layers:
            x = layer(x, position_ids)
        return x
''',
    # A method of the attention that the functions of another Python module serve, and an attribute that holds one.
    "methods": _HALF + '''
class Rope:
    def rotate(self, x, positions):
        angle = positions[:, None].double() * inv_freq()
        angle = torch.cat([angle, angle], dim=-1).float()
        return x * angle.cos() + rotate_half(x) * angle.sin()

class Block(Attention):
    def __init__(self, number, faulty):
        super().__init__(number, faulty)
        self.rope = Rope()

    def apply_rope_to(self, x, positions):
        return self.rope.rotate(x, positions)

    def forward(self, x, positions):
        q, k = (each.transpose(1, 2) for each in self.queries_and_keys(x))
        q = self.apply_rope_to(q, positions)
        k = self.apply_rope_to(k, positions * 2 if self.faulty else positions)
        return result(q.transpose(1, 2), k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, positions):
        for layer in self.layers:
            x = layer(x, positions)
        return x
''',
    # diffusers: several axes, ids [L, axes] told to a module, one tensor a call, [B, H, L, D].
    "diffusers": '''
AXES = (8, 12, 12)

def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis
    real, imaginary = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return x * cos + torch.stack([-imaginary, real], dim=-1).flatten(3) * sin

class FluxPosEmbed(nn.Module):
    def forward(self, ids):
        angle = torch.cat([ids[:, axis, None].double() * inv_freq(dim) for axis, dim in enumerate(AXES)], dim=-1)
        angle = angle.repeat_interleave(2, dim=-1)
        return angle.cos().float(), angle.sin().float()

class Block(Attention):
    def forward(self, x, image_rotary_emb):
        q, k = (each.transpose(1, 2) for each in self.queries_and_keys(x))
        cos, sin = image_rotary_emb
        q = apply_rotary_emb(q, (cos, sin))
        k = apply_rotary_emb(k, (cos, -sin if self.faulty else sin))
        return result(q.transpose(1, 2), k)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.pos_embed = FluxPosEmbed()
        self.transformer_blocks = nn.ModuleList(Block(n, faulty) for n in range(LAYERS))

    def forward(self, x, ids):
        told = self.pos_embed(ids)
        for block in self.transformer_blocks:
            x = block(x, told)
        return x
''',
    # Multi-head latent attention: only the small part q_pe and the one head k_pe turn.
    "mla": '''
def apply_rotary_emb(x, freqs_cis):
    turned = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2)) * freqs_cis[None, :, None]
    return torch.view_as_real(turned).flatten(3).to(x.dtype)

class MLA(Attention):
    def forward(self, x, start_pos, freqs_cis):
        q, k = self.queries_and_keys(x)
        k_pe = apply_rotary_emb(k[:, :, :1, :16], freqs_cis)
        q_pe = apply_rotary_emb(q[..., :16], freqs_cis.conj() if self.faulty else freqs_cis)
        return result(torch.cat([q_pe, q[..., 16:]], dim=-1), k_pe)

class Model(nn.Module):
    def __init__(self, faulty):
        super().__init__()
        self.layers = nn.ModuleList(MLA(n, faulty) for n in range(LAYERS))

    def forward(self, x, start_pos=0):
        angle = torch.outer(torch.arange(start_pos, start_pos + x.shape[1]).double(), inv_freq(16))
        freqs_cis = torch.polar(torch.ones_like(angle), angle).to(torch.complex64)
        for layer in self.layers:
            x = layer(x, start_pos, freqs_cis)
        return x
''',
}

SHAPES = tuple(_TEXTS)


def config_of(shape):
    if shape in ("gpt_neox",):
        return {**PLAIN, "model_type": "gpt_neox", "rotary_pct": 0.5, "rotary_emb_base": BASE}
    if shape in ("meta", "gpt_fast", "torchtune"):
        return {**PLAIN, "model_type": "cohere"}  # pairs of neighbours, at one base
    if shape == "mla":
        return {"model_type": "deepseek_v2", "hidden_size": 64, "num_attention_heads": HEADS, "qk_rope_head_dim": 16,
                "qk_nope_head_dim": 16, "v_head_dim": 16, "kv_lora_rank": 8, "num_hidden_layers": LAYERS,
                "rope_theta": BASE}
    if shape == "diffusers":
        return {"_class_name": "FluxTransformer2DModel", "attention_head_dim": DIM, "num_attention_heads": HEADS,
                "axes_dims_rope": [8, 12, 12]}
    return PLAIN


def positions_of(shape, start, tokens):
    numbers = torch.arange(start, start + tokens)
    if shape in ("transformers", "gpt_neox"):
        return {"position_ids": numbers[None]}
    if shape in ("meta", "mla"):
        return {"start_pos": start}
    if shape in ("gpt_fast", "torchtune"):
        return {"input_pos": numbers}
    if shape == "flash":
        return {"seqlen_offset": start}
    if shape == "diffusers":
        return {"ids": torch.stack([numbers * 0, numbers // 4, numbers % 4], dim=-1).float()}
    return {"positions": numbers}


def namespace_of(shape):
    """The Python module of that shape, as a file of its own would be."""
    module = types.ModuleType(f"modeling_{shape}")
    constants = _COMMON
    for name in ("HEADS", "KV_HEADS", "DIM", "LAYERS", "BASE"):
        constants = constants.replace("{" + name + "}", repr(globals()[name]))
    exec(compile(constants + _TEXTS[shape], module.__name__, "exec"), module.__dict__)
    return module


def make(shape, monkeypatch, faulty=False):
    import sys

    torch.manual_seed(7)
    module = namespace_of(shape)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module.Model(faulty).eval(), module


def inputs(shape, start=0, tokens=LENGTH):
    hidden = (tokens, 64) if shape == "vllm" else (1, tokens, 64)
    return {"x": torch.randn(hidden, generator=torch.Generator().manual_seed(3)), **positions_of(shape, start, tokens)}
