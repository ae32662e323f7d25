"""Runs the rotary code of public projects as it stands in a checkout of them, and says what it does.

    python3 found.py NAME CHECKOUT      for example: python3 found.py litgpt ~/src/litgpt

NAME is one of those in CASES; docs/verify/found.md says which commits were tried. Needs PyTorch, the Python
package ropescope, and for ggml a C++ compiler. Only the functions named here are taken out of a source, so that
nothing has to be installed or imported with it.
"""

import __future__
import ast
import contextlib
import math
import pathlib
import subprocess
import sys
import tempfile
import types
import typing

import numpy
import torch

import ropescope


def functions(path, names, **others):
    """The functions and classes of a source with these names, without what it imports."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if getattr(node, "name", None) in names]
    space = {"torch": torch, "math": math, "nn": torch.nn, **{name: getattr(typing, name) for name in (
        "List", "Literal", "Optional", "Tuple", "Union")}, **others}
    exec(compile(tree, str(path), "exec", flags=__future__.annotations.compiler_flag), space)
    return types.SimpleNamespace(**space)


def queries_and_keys(shape, dtype=torch.float32):
    generator = torch.Generator().manual_seed(1)
    return torch.randn(shape, generator=generator).to(dtype), torch.randn(shape, generator=generator).to(dtype)


def half_split(x, cos, sin):
    """The rotation itself, for code of which only the table is in question."""
    half = cos.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def neighbours_and_far_ones(length):
    """Tokens next to each other show fast pairs, far ones slow pairs."""
    return torch.cat([torch.arange(32), torch.arange(32, length, length // 32)])


def turned_by(angle, positions, gain=1.0):
    """A dump [1, 2, L, D] of a table of angles [L, D]."""
    q, k = queries_and_keys((1, 2, *angle.shape))
    cos, sin = angle.cos() * gain, angle.sin() * gain
    return dict(q=q, k=k, q_rot=half_split(q, cos, sin), k_rot=half_split(k, cos, sin), positions=positions)


def litgpt(checkout):
    source = functions(checkout / "litgpt/model.py", ("build_rope_cache", "apply_rope", "yarn_get_mscale"))
    yarn = {"factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "original_max_seq_len": 4096}
    cos, sin = source.build_rope_cache(4096, 64, base=150000, extra_config=yarn)
    positions = neighbours_and_far_ones(4096)
    q, k = queries_and_keys((1, 2, len(positions), 64))
    q_rot, k_rot = (source.apply_rope(x, cos[positions][None], sin[positions][None]) for x in (q, k))
    config = {"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2, "rope_theta": 150000.0,
              "max_position_embeddings": 131072, "rope_scaling": {
                  "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "attention_factor": 1.0,
                  "original_max_position_embeddings": 4096}}
    return dict(q=q, k=k, q_rot=q_rot, k_rot=k_rot, positions=positions), config


def exllamav2(checkout):
    torch.Device = torch.device  # what an annotation names
    source = functions(checkout / "exllamav2/rope.py", ("get_rope_params_yarn",), ExLlamaV2Config=object)
    given = types.SimpleNamespace(head_dim=128, partial_rotary_factor=1.0, scale_alpha_value=1.0, max_seq_len=131072,
                                  yarn_rope_factor=4.0, yarn_rope_original_max_position_embeddings=32768)
    inv_freq, gain = source.get_rope_params_yarn("cpu", given, 1000000.0)
    positions = neighbours_and_far_ones(32768)
    angle = torch.outer(positions.float(), inv_freq)
    config = {"model_type": "qwen2", "hidden_size": 256, "num_attention_heads": 2, "rope_theta": 1000000.0,
              "max_position_embeddings": 32768, "rope_scaling": {
                  "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}
    return turned_by(torch.cat([angle, angle], -1), positions, gain), config


def gemma_pytorch(checkout):
    source = functions(checkout / "gemma/model.py", ("precompute_freqs_cis", "apply_rotary_emb"))
    freqs_cis = source.precompute_freqs_cis(256, 2048, theta=1000000)  # as GemmaForCausalLM calls it for Gemma 3
    positions = neighbours_and_far_ones(1024)
    q, k = queries_and_keys((1, len(positions), 2, 256))
    q_rot, k_rot = (source.apply_rotary_emb(x, freqs_cis[positions]) for x in (q, k))
    config = ropescope.load("gemma-3-4b", layer_type="full_attention")
    return dict(q=q, k=k, q_rot=q_rot, k_rot=k_rot, positions=positions, axes="blhd"), config


def rotary_embedding_torch(checkout):
    einops = types.ModuleType("einops")

    def rearrange(x, pattern, r=None):
        return {"... (d r) -> ... d r": lambda: x.reshape(*x.shape[:-1], -1, r),
                "... d r -> ... (d r)": lambda: x.flatten(-2), "n d -> n 1 d": lambda: x[:, None]}[pattern]()
    einops.rearrange, einops.repeat = rearrange, lambda x, pattern, r: x.repeat_interleave(r, -1)
    sys.modules.setdefault("einops", einops)
    sys.path.insert(0, str(checkout))
    from rotary_embedding_torch.rotary_embedding_torch import RotaryEmbedding
    q, k = queries_and_keys((1, 2, 4096, 64), torch.float16)
    turn = RotaryEmbedding(dim=64).rotate_queries_or_keys
    config = {"model_type": "roformer", "hidden_size": 128, "num_attention_heads": 2, "max_position_embeddings": 4096}
    return dict(q=q, k=k, q_rot=turn(q).half(), k_rot=turn(k).half(), positions=torch.arange(4096)), config


def open_lm(checkout):
    source = functions(checkout / "open_lm/positional_embedding/rotary.py",
                       ("rotate_half", "apply_rotary_pos_emb", "RotaryEmbedding"))
    q, k = queries_and_keys((1, 2048, 2, 128), torch.bfloat16)
    q_rot, k_rot = source.RotaryEmbedding(128, 2048)(q, k)
    config = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 2, "max_position_embeddings": 2048,
              "rope_theta": 10000.0}
    return dict(q=q, k=k, q_rot=q_rot, k_rot=k_rot, axes="blhd"), config


def megatron(checkout):
    class Base(torch.nn.Module):
        def __init__(self, rotary_interleaved=False, **others):
            super().__init__()
            self.rotary_interleaved = rotary_interleaved
    names = ("YarnRotaryEmbedding", "_yarn_find_correction_dim", "_yarn_find_correction_range",
             "_yarn_linear_ramp_mask", "_yarn_get_mscale", "_yarn_get_concentration_factor")
    source = functions(checkout / "megatron/core/models/common/embeddings/yarn_rotary_pos_embedding.py", names,
                       RotaryEmbedding=Base, lru_cache=lambda maxsize: _cacheable, internal_api=lambda f: f)
    torch.cuda.current_device, torch.device = lambda: "cpu", lambda _: contextlib.nullcontext()
    source.YarnRotaryEmbedding._set_cos_sin_cache = lambda *_, **__: None
    rotary = source.YarnRotaryEmbedding(128, rotary_percent=0.5, rotary_base=10000.0, scaling_factor=4.0,
                                        original_max_position_embeddings=4096, use_cpu_initialization=True)
    table, gain = rotary.get_emb(4096)
    positions = neighbours_and_far_ones(4096)
    config = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 2, "partial_rotary_factor": 0.5,
              "max_position_embeddings": 16384, "rope_theta": 10000.0, "rope_scaling": {
                  "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}}
    return turned_by(table[positions, 0, 0], positions, gain), config


def _cacheable(function):
    function.cache_clear = lambda: None
    return function


def ggml(checkout):
    """Qwen3-VL's text as llama.cpp sets it up: sections 24, 20, 20, 0, and a fourth position of 0."""
    text = (checkout / "src/ggml-cpu/ops.cpp").read_text()

    def function(start):
        begin = text.index(start)
        return text[begin:text.index("\n}\n", begin) + 3]
    program = "\n".join(["#include <cmath>", "#include <cstdint>", "#include <cstdio>", "#include <cstdlib>",
                         "#define MAX(a, b) ((a) > (b) ? (a) : (b))", "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
                         "#define GGML_ASSERT(x) do { if (!(x)) abort(); } while (0)",
                         function("static float rope_yarn_ramp("), function("static void rope_yarn("),
                         function("static void ggml_mrope_cache_init("), """
int main() {
    int sections[4] = {24, 20, 20, 0};
    float none[2] = {0, 0}, cache[128];
    const float theta_scale = (float)pow(5000000.0, -2.0 / 128);
    for (long p; scanf("%ld", &p) == 1;) {
        ggml_mrope_cache_init(p, p, p, 0, sections, true, false, 1, nullptr, none, 128, 0, 1, cache, 1, theta_scale);
        fwrite(cache, 4, 128, stdout);
    }
}"""])
    positions = neighbours_and_far_ones(65536)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "table.cpp")
        path.write_text(program)
        subprocess.run(["c++", "-O2", "-w", str(path), "-o", f"{folder}/table"], check=True)
        numbers = subprocess.run([f"{folder}/table"], input="\n".join(map(str, positions.tolist())).encode(),
                                 stdout=subprocess.PIPE, check=True).stdout
    table = torch.from_numpy(numpy.frombuffer(numbers, dtype=numpy.float32).copy()).view(-1, 64, 2)
    cos, sin = (torch.cat([part, part], -1) for part in table.unbind(-1))
    q, k = queries_and_keys((1, 2, len(positions), 128))
    config = {"model_type": "qwen3_vl", "text_config": {
        "model_type": "qwen3_vl_text", "hidden_size": 256, "head_dim": 128, "num_attention_heads": 2,
        "max_position_embeddings": 262144, "rope_theta": 5000000.0,
        "rope_scaling": {"rope_type": "default", "mrope_interleaved": True, "mrope_section": [24, 20, 20]}}}
    return dict(q=q, k=k, q_rot=half_split(q, cos, sin), k_rot=half_split(k, cos, sin),
                positions=torch.stack([positions] * 3)), config


CASES = (exllamav2, gemma_pytorch, ggml, litgpt, megatron, open_lm, rotary_embedding_torch)


def main():
    cases = {case.__name__: case for case in CASES}
    if len(sys.argv) != 3 or sys.argv[1] not in cases:
        sys.exit(f"found.py: give one of {', '.join(cases)}, and the folder of a checkout")
    dump, config = cases[sys.argv[1]](pathlib.Path(sys.argv[2]))
    print(ropescope.diagnose(**dump, expect=config), end="")


if __name__ == "__main__":
    main()
