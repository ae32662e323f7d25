#!/usr/bin/env python3
"""Writes the inputs that the fuzzer begins with: tests/fuzz/corpus/TARGET/NAME, small and readable by
the program. Reproducers lie beside them under names that begin with "fault-"; they stay."""
import io
import json
import math
import pathlib
import struct
import zipfile

CORPUS = pathlib.Path(__file__).parent / "corpus"


def put(target, name, contents):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())


def npy(descr, shape, data, version=1, fortran_order=False):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran_order, shape)
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + data


def safetensors(header, data):
    text = header if isinstance(header, str) else json.dumps(header)
    return struct.pack("<Q", len(text)) + text.encode() + data


def zipped(members, method):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as writer:
        for name, contents in members.items():
            writer.writestr(zipfile.ZipInfo(name), contents, compress_type=method)
    return archive.getvalue()


SIZES = {"<f8": 8, "<f4": 4, "<f2": 2, "<V2": 2, "<i8": 8, "<i4": 4, "|u1": 1, "|b1": 1, "<u2": 2}
for descr, size in SIZES.items():
    put("npy", "dtype-" + descr[1:], npy(descr, (2, 3), bytes(6 * size)))
put("npy", "scalar", npy("<f4", (), bytes(4)))
put("npy", "empty", npy("<f4", (0, 131072, 4096), b""))
put("npy", "long-integer", npy("<f4", "(2L,)", bytes(8)))
put("npy", "fortran-order", npy("<f4", (2, 3, 2), bytes(48), fortran_order=True))
put("npy", "version-2", npy("<f4", (2,), bytes(8), 2))
put("npy", "version-3", npy("<f4", (2,), bytes(8), 3))

MEMBERS = {"q.npy": npy("<f4", (2, 3), bytes(24)), "folder/k.npy": npy("<V2", (4,), bytes(8))}
put("npz", "stored", zipped(MEMBERS, zipfile.ZIP_STORED))
put("npz", "deflated", zipped(MEMBERS, zipfile.ZIP_DEFLATED))
put("npz", "no-members", zipped({}, zipfile.ZIP_STORED))

DTYPES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1, "BOOL": 1, "I8": 1, "I16": 2,
          "U16": 2, "U32": 4, "U64": 8, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1, "C64": 8}
header, end = {"__metadata__": {"format": "pt", "by": "é\n"}}, 0
for dtype, size in DTYPES.items():
    header["t." + dtype] = {"dtype": dtype, "shape": [2, 1], "data_offsets": [end, end + 2 * size]}
    end += 2 * size
put("safetensors", "dtypes", safetensors(header, bytes(end)))
put("safetensors", "one", safetensors({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, bytes(4)))
put("safetensors", "no-tensors", safetensors("{}      ", b""))
put("safetensors", "scalar", safetensors({"a": {"dtype": "U8", "shape": [], "data_offsets": [0, 1]}}, b"a"))



def turned(dtype, pack, tokens, head_dim, base):
    """q and q_rot of one head, half-split, as a safetensors file."""
    q, rotated = [], []
    for token in range(tokens):
        x = [math.sin(1 + 3 * token + 0.7 * c) for c in range(head_dim)]
        y = list(x)
        for i in range(head_dim // 2):
            angle, j = token * base ** (-2 * i / head_dim), i + head_dim // 2
            y[i] = x[i] * math.cos(angle) - x[j] * math.sin(angle)
            y[j] = x[j] * math.cos(angle) + x[i] * math.sin(angle)
        q, rotated = q + x, rotated + y
    data = [struct.pack("<%d%s" % (len(v), pack), *v) for v in (q, rotated)]
    size = len(data[0])
    shape = [1, 1, tokens, head_dim]
    header = {"q": {"dtype": dtype, "shape": shape, "data_offsets": [0, size]},
              "q_rot": {"dtype": dtype, "shape": shape, "data_offsets": [size, 2 * size]}}
    return safetensors(header, b"".join(data))


put("dump", "f32", turned("F32", "f", 12, 8, 10000))
put("dump", "f16", turned("F16", "e", 12, 8, 500000))
put("dump", "f64", turned("F64", "d", 3, 4, 100))
put("dump", "layers", safetensors({
    f"layers.{i // 2}.k{'_rot' if i % 2 else ''}": {"dtype": "F32", "shape": [1, 2, 4], "data_offsets": [32 * i, 32 * i + 32]}
    for i in range(4)}, struct.pack("<8f", *range(8)) * 4))


def with_tensors(more):
    """q and q_rot of turned() as k and k_rot as well, and more tensors: name -> (dtype, shape, bytes)."""
    sides = {f"{side}{tail}": ("F32", [1, 1, 4, 8], struct.pack("<32f", *[math.sin(3 * i + (1 if tail else 0)) for i in range(32)]))
             for side in "qk" for tail in ("", "_rot")}
    header, data = {}, b""
    for name, (dtype, shape, contents) in (sides | more).items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(contents)]}
        data += contents
    return safetensors(header, data)


FLOATS = struct.pack("<8f", *[0.5 + i for i in range(8)])
ROWS = struct.pack("<32f", *range(32))
put("dump", "norms", with_tensors({"q_norm": ("F32", [8], FLOATS), "k_norm": ("F32", [8], FLOATS)}))
put("dump", "eight-bits", with_tensors({
    "q_rot": ("F8_E4M3", [1, 1, 4, 8], bytes(range(32, 64))), "q_rot_scale": ("F32", [1, 1, 4, 1], FLOATS[:16]),
    "k_rot": ("I8", [1, 1, 4, 8], bytes(range(200, 232))), "k_rot_scale": ("F32", [1], FLOATS[:4])}))
put("dump", "fnuz", with_tensors({
    "q_rot": ("F8_E4M3FNUZ", [1, 1, 4, 8], bytes(range(32, 64))), "k_rot": ("F8_E5M2FNUZ", [1, 1, 4, 8], bytes(range(64, 96)))}))
put("dump", "values-and-cache", with_tensors({
    "v": ("F32", [1, 1, 4, 8], ROWS), "v_rot": ("F32", [1, 1, 4, 8], ROWS),
    "k_cache": ("F32", [1, 1, 8, 8], ROWS * 2), "k_cache_after": ("F32", [1, 1, 8, 8], ROWS * 2),
    "positions": ("I64", [4], struct.pack("<4q", 4, 5, 6, 7))}))
put("dump", "scores", with_tensors({"scores": ("F32", [1, 1, 4, 4], ROWS[:64])}))
put("dump", "three-axes", with_tensors({"positions": ("I64", [3, 4], struct.pack("<12q", *range(12)))}))
VECTORS = npy("<f4", (1, 2, 4), struct.pack("<8f", *range(8)))
put("dump", "npz", zipped({"k.npy": VECTORS, "k_rot.npy": VECTORS, "positions.npy": npy("<i8", (2,), bytes(16))},
                          zipfile.ZIP_STORED))



def table(shape, dtype, pack, name="cos_sin_cache"):
    """A safetensors file with cos and sin of base 10000 in the last axis, one half behind the other."""
    rows, pairs = shape[0], shape[-1] // 2
    angles = [[row * 10000 ** (-i / pairs) for i in range(pairs)] for row in range(rows)]
    numbers = [f(angle) for row in angles for f in (math.cos, math.sin) for angle in row]
    data = struct.pack("<%d%s" % (len(numbers), pack), *numbers)
    return safetensors({name: {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}, data)


put("tables", "cache", table([12, 8], "F32", "f"))
put("tables", "half", table([12, 1, 8], "F16", "e"))
put("tables", "complex", table([6, 4], "F32", "f", "freqs_cis").replace(b'"F32", "shape": [6, 4]', b'"C64", "shape": [6, 2]'))
put("tables", "inv_freq", safetensors({"a.inv_freq": {"dtype": "F64", "shape": [4], "data_offsets": [0, 32]}},
                                      struct.pack("<4d", 1, 0.1, 0.01, 0.001)))
put("tables", "npz", zipped({"cos.npy": VECTORS, "sin.npy": VECTORS}, zipfile.ZIP_STORED))
NAMED = turned("F32", "f", 12, 8, 10000)
put("named_dump", "bhld", b"bhld\n\n\n" + NAMED)
put("named_dump", "bhld-mapped", b"bhld\nbl\nq=q,q_rot=q_rot\n" + NAMED)
put("named_dump", "found", b"\n\nk=q,k_rot=q_rot\n" + NAMED)
put("named_dump", "blhd", b"blhd\nabl\n\n" + NAMED)
put("named_dump", "positions", b"hld\nl\nq=a,q_rot=b,positions=c\n" + zipped(
    {"a.npy": VECTORS, "b.npy": VECTORS, "c.npy": npy("<i8", (2,), struct.pack("<2q", 3, 4))}, zipfile.ZIP_STORED))

put("npz_round_trip", "dtypes", safetensors(header, bytes(end)))
put("npz_round_trip", "names", safetensors({
    name: {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]}
    for i, name in enumerate(["a", "a/b", "q.npy", "é", "", "../up", "a b"])}, bytes(28)))
put("npz_round_trip", "plain", safetensors({"a": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]},
                                            "b": {"dtype": "I64", "shape": [], "data_offsets": [12, 20]},
                                            "c": {"dtype": "BF16", "shape": [0, 4], "data_offsets": [20, 20]}},
                                           bytes(20)))


def vector_index(**changes):
    """The index of a case whose arrays the target writes."""
    case = {"id": "case", "model": "m", "part": "text", "config": {}, "layout": "half_split", "axes": ["position"],
            "seq_len": 2, "flags": ["layout"], "inputs": {"x": "x", "positions": "x"}, "expected": "expected",
            "tolerance": {"F64": "near", "F32": "near", "F16": "near", "BF16": "near"},
            "wrong": [{"code": "layout.interleaved", "text": "other pairs were turned", "answer": "wrong"}]}
    return json.dumps({"format": 1, "pack": "text", "data": "a.safetensors", "cases": [case | changes]})


def answers(shape, dtype, size, **others):
    header = {"case": {"dtype": dtype, "shape": shape, "data_offsets": [0, size]}} | others
    return safetensors(header, bytes(size) + bytes(8 * len(others)))


put("vectors", "fault", vector_index())
put("vectors", "wrong-half", vector_index().encode() + b"\0" + answers([1, 1, 2, 4], "F16", 16))
put("vectors", "wrong-double", vector_index().encode() + b"\0" + answers([1, 1, 2, 4], "F64", 64))
IDS = vector_index(expected="ids", tolerance=None, deltas=[0], wrong=[
    {"code": "ids.off_by_one", "text": "ids begin at 1", "answer": "ids", "deltas": [1]}])
put("vectors", "ids", IDS.encode() + b"\0" + answers([3, 1, 2], "I64", 48, **{
    "case/deltas": {"dtype": "I64", "shape": [1], "data_offsets": [48, 56]}}))
put("vectors", "other-shapes", vector_index(tolerance={"F32": "ids"}))
put("vectors", "no-object", '{"format": 1, "pack": "text", "data": "a.safetensors", "cases": [1, [2], null]}')

FLOATS = {name: struct.pack("<12f", *(math.sin(i + 1) for i in range(12))) for name in ("q_rot", "k_rot")}
REPLY = safetensors({"q_rot": {"dtype": "F32", "shape": [1, 1, 3, 4], "data_offsets": [0, 48]},
                     "k_rot": {"dtype": "F32", "shape": [1, 1, 3, 4], "data_offsets": [48, 96]}},
                    FLOATS["q_rot"] + FLOATS["k_rot"])
put("adapter", "answer", b'{"id": 1}\n' + REPLY)
put("adapter", "scores", b'{"id": 1}\n' + safetensors({
    "q_rot": {"dtype": "F16", "shape": [1, 1, 3, 4], "data_offsets": [0, 24]},
    "k_rot": {"dtype": "BF16", "shape": [1, 1, 3, 4], "data_offsets": [24, 48]},
    "scores": {"dtype": "F32", "shape": [1, 1, 3, 3], "data_offsets": [48, 84]}}, bytes(84)))
put("adapter", "error", b'{"id": 1, "error": "no such dtype"}\n')
put("adapter", "other-id", b'{"id": 2}\n' + REPLY)
put("adapter", "no-json", b"Loading weights...\n")
put("adapter", "truncated", b'{"id": 1}\n' + REPLY[:60])

put("index", "one", json.dumps({"metadata": {"total_size": 16}, "weight_map": {"a": "a.safetensors"}}))
put("index", "lost", json.dumps({"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}))
put("index", "outside", json.dumps({"weight_map": {"a": "../a.safetensors"}}))

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8,
         "num_hidden_layers": 32, "max_position_embeddings": 8192, "rope_theta": 500000.0}
SCALINGS = {
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0,
             "original_max_position_embeddings": 4096, "truncate": False},
    "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 8192},
    "longrope": {"short_factor": [1.0] * 64, "long_factor": [4.0] * 64,
                 "original_max_position_embeddings": 4096},
    "proportional": {"factor": 8.0, "partial_rotary_factor": 0.25},
    "default": {},
}
put("config", "llama", json.dumps(LLAMA))
for name, keys in SCALINGS.items():
    put("config", "scaling-" + name, json.dumps(LLAMA | {"rope_scaling": {"rope_type": name} | keys}))
put("config", "python-numbers", json.dumps(LLAMA | {"layer_norm_eps": float("inf"), "other": float("nan")}))
MODELS = {
    "gpt_neox": {"rotary_emb_base": 10000, "rotary_pct": 0.25},
    "phi": {"partial_rotary_factor": 0.4, "rope_theta": 10000.0},
    "modernbert": {"global_rope_theta": 160000.0, "local_rope_theta": 10000.0, "global_attn_every_n_layers": 3},
    "gemma3_text": {"rope_local_base_freq": 10000, "rope_theta": 1000000, "sliding_window_pattern": 6,
                    "head_dim": 256},
    "deepseek_v3": {"qk_rope_head_dim": 64, "rope_theta": 10000},
    "unheard_of": {"rotary_dim": 64, "rope_theta": 10000, "rope_scaling": None},
}
for name, keys in MODELS.items():
    sizes = {"model_type": name, "hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 6}
    put("config", "model-" + name, json.dumps(sizes | keys))
put("config", "layers", json.dumps(LLAMA | {
    "model_type": "gemma3", "layer_types": ["full_attention", "sliding_attention"],
    "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}}))
put("config", "inside", json.dumps({"model_type": "llava", "text_config": LLAMA}))
put("config", "roformer", json.dumps({
    "model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "vocab_size": 50, "hidden_size": 64,
    "embedding_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96,
    "max_position_embeddings": 64, "rotary_value": True, "hidden_act": "gelu", "layer_norm_eps": 1e-12}))
put("config", "notebook", json.dumps({"vocab_size": 50, "hidden_size": 64, "n_layers": 2, "n_heads": 4,
                                      "block_size": 64, "rope_base": 10000.0}))

VISION = {"depth": 32, "embed_dim": 1280, "num_heads": 16, "patch_size": 14, "spatial_merge_size": 2,
          "tokens_per_second": 2}
TEXT = {"hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1e6, "vision_config": VISION}
SECTIONS = {"type": "mrope", "mrope_section": [16, 24, 24]}
SCHEMES = {
    "qwen2-vl": TEXT | {"model_type": "qwen2_vl", "rope_scaling": SECTIONS},
    "qwen3-vl": TEXT | {"model_type": "qwen3_vl", "rope_parameters": {"mrope_section": [24, 20, 20],
                                                                       "mrope_interleaved": True}},
    "glm4v": {"model_type": "glm4v_text", "head_dim": 128, "partial_rotary_factor": 0.5,
              "rope_parameters": {"mrope_section": [8, 12, 12], "rope_theta": 1e4}},
    "flux": {"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128, "axes_dims_rope": [16, 56, 56]},
    "dinov3": {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6},
    "moonvit": {"model_type": "moonvit", "hidden_size": 1152, "num_attention_heads": 16},
    "mixed": {"architecture": "vit", "model_args": {"rope_type": "mixed"}},
}
for name, keys in SCHEMES.items():
    put("scheme", name, json.dumps(keys))

SMALL = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2, "max_position_embeddings": 64}
put("expected", "right", json.dumps(SMALL))
put("expected", "base", json.dumps(SMALL | {"rope_theta": 500000.0}))
put("expected", "interleaved", json.dumps(SMALL | {"model_type": "cohere"}))
put("expected", "other-size", json.dumps(LLAMA))
put("expected", "yarn", json.dumps(SMALL | {"rope_scaling": {"rope_type": "yarn"} | SCALINGS["yarn"]}))
put("expected", "layers", json.dumps(SMALL | {
    "model_type": "gemma3_text", "head_dim": 4, "rope_local_base_freq": 10000, "rope_theta": 1000000}))
put("expected", "axes", json.dumps(SCHEMES["qwen2-vl"]))

def gguf(values, tensors=(), order="<", version=3):
    """Keys with (struct's letter, value), a text or a list of them; tensors of F32."""
    types = {"B": 0, "b": 1, "H": 2, "h": 3, "I": 4, "i": 5, "f": 6, "?": 7, "Q": 10, "q": 11, "d": 12}

    def text(value):
        return struct.pack(order + "Q", len(value)) + value.encode()

    def put_value(value):
        if isinstance(value, str):
            return struct.pack(order + "I", 8) + text(value)
        letter, contents = value
        if isinstance(contents, list):
            return struct.pack(order + "IIQ", 9, types[letter], len(contents)) + struct.pack(
                order + letter * len(contents), *contents)
        return struct.pack(order + "I" + letter, types[letter], contents)

    head = b"GGUF" + struct.pack(order + "IQQ", version, len(tensors), len(values))
    head += b"".join(text(key) + put_value(value) for key, value in values.items())
    data = b""
    for name, numbers in tensors:
        head += text(name) + struct.pack(order + "IQIQ", 1, len(numbers), 0, len(data))
        data += struct.pack(order + "f" * len(numbers), *numbers)
        data += bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + data


def gguf_model(name, **more):
    keys = {"general.architecture": name}
    sizes = {"context_length": ("I", 512), "embedding_length": ("I", 64), "block_count": ("I", 6),
             "attention.head_count": ("I", 4), "rope.dimension_count": ("I", 16), "rope.freq_base": ("f", 1e4)}
    for key, value in (sizes | {key.replace("__", "."): value for key, value in more.items()}).items():
        keys[name + "." + key] = value
    return keys


put("gguf", "llama", gguf(gguf_model("llama"), [("rope_freqs.weight", [1, 1, 1, 1, 2, 4, 8, 8])]))
put("gguf", "big-endian", gguf(gguf_model("qwen2", rope__scaling__type="yarn", rope__scaling__factor=("f", 4)),
                               order=">"))
put("gguf", "windows", gguf(gguf_model("gemma3", attention__sliding_window=("I", 64),
                                       attention__sliding_window_pattern=("?", [True, False] * 3)), version=2))
put("gguf", "sections", gguf(gguf_model("qwen2vl", rope__dimension_sections=("i", [2, 3, 3, 0]))))
put("gguf", "longrope", gguf(gguf_model("phi3", rope__scaling__type="longrope"), [
    ("rope_factors_long.weight", [4] * 8), ("rope_factors_short.weight", [1] * 8)]))
put("gguf", "first-part", gguf(gguf_model("deepseek2") | {"split.no": ("H", 0), "split.count": ("H", 3)}))
put("gguf", "second-part", gguf({"split.no": ("H", 1), "split.count": ("H", 3)}))
put("gguf", "tokens", gguf(gguf_model("quasar") | {"tokenizer.ggml.scores": ("f", [0.5] * 9)}))

put("layout", "batch", json.dumps({
    "spatial_merge_size": 2, "tokens_per_second": 2, "layouts": [{
        "name": "a", "padding": "left", "sequence_length": 20, "image_grid_thw": [[1, 4, 6]],
        "rows": [[{"text": 3}, {"image": [1, 4, 6]}, {"text": 2}],
                 [{"text": 4}, {"video": [4, 4, 6], "second_per_grid": 1.5}, {"text": 2}]]}]}))
put("layout", "parts", json.dumps({
    "packed": True, "rows": [[{"text": 3}], [{"text": 5}]], "context_parallel_size": 2,
    "context_parallel_rank": 1}))
put("layout", "decode", json.dumps({
    "row": [{"frame": [2, 4], "index": 0, "of": 1}, {"text": 2, "closes_video": True}],
    "decode_steps": 2, "chunk": [2, 3]}))

put("scene", "first", '{"ropescope_scene": 1}')
put("scene", "many", json.dumps({
    "ropescope_scene": 1, "view": "decay", "model": "llama-3-8b", "base": 5e5, "pairs": [0, 1, 63],
    "selected_pair": 1, "scaling": "longrope", "longrope_long": "1,2.5,4", "layout": "interleaved",
    "yarn_truncate": "no", "walk": 0.5, "attention_text": "a b\u00e9", "system_a": "mistral"}))

PIECES = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nrope\nro\n##ta\n##te\n##s\n,\n\u4e2d\n"
put("vocabulary", "text", PIECES + "\0Rotates, r\u00f3pe \u4e2d\u6587 " + "x" * 120)
put("vocabulary", "carriage-returns", PIECES.replace("\n", "\r\n") + "\0rope\trope")

put("settings", "many", "base=5e5\npairs=0,4,8\nlayout=interleaved\nmodel=mistral-7b-v0.1\nyarn_truncate=no")
put("settings", "spaces", " base = 1e4 \nlongrope_long= 1, 2.5 ,4\nattention_text=a b")

put("case", "sweep", "head_dim=128 base=1e+06\nby=cpu head_dim=128 base=1000000 m=40")

put("vary", "logarithms", "base=100:1e7:9")
put("vary", "names", "scaling=linear,ntk,yarn")
put("vary", "positions", "position=0:24")

OMEGA = struct.pack("<4d", 1, 0.5, 0.1, 0.2) + struct.pack("<4q", 0, 2, 1, 3)
put("spec", "two-axes", b"4,1,0\n" + safetensors({
    "omega": {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]},
    "pairs": {"dtype": "I64", "shape": [2, 2], "data_offsets": [32, 64]}}, OMEGA))
put("spec", "learned", b"4,2,1\n" + safetensors({
    "blocks.freqs": {"dtype": "F32", "shape": [2, 2, 2, 2], "data_offsets": [0, 64]}}, ROWS[:64]))

TEXT_AND_IMAGE = json.dumps({"rows": [[{"text": 2}, {"image": [1, 4, 4]}]]})
put("positions", "ids", b"vl\nabl\n" + TEXT_AND_IMAGE.encode() + b"\n" + npy("<i8", (3, 1, 6), struct.pack("<18q", *range(18))))
put("positions", "deltas", b"vl\n\n" + TEXT_AND_IMAGE.encode() + b"\n" + safetensors({
    "position_ids": {"dtype": "I64", "shape": [3, 1, 6], "data_offsets": [0, 144]},
    "rope_deltas": {"dtype": "I64", "shape": [1], "data_offsets": [144, 152]}}, struct.pack("<19q", *range(19))))
put("positions", "text", b"text\n\n" + json.dumps({"rows": [[{"text": 3}]]}).encode() + b"\n" + npy("<i8", (3,), struct.pack("<3q", 0, 1, 3)))
put("positions", "grid", b"grid\nal\n" + json.dumps({"rows": [[{"image": [1, 2, 2]}]]}).encode() + b"\n" + npy(
    "<f4", (2, 4), struct.pack("<8f", *[0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.25, 0.75])))

put("link", "scene", "view=decay&base=500000&attention_text=a%20%26%20b&theme=light")
put("link", "sentence", "(see) #view=decay&lesson=decay&step=2&utm_source=x).")
put("window", "all", json.dumps({"theme": "light", "type_size": 1.5, "width": 1200, "height": 800,
                                 "recent": ["llama-3-8b"], "scene": '{"ropescope_scene": 1}'}))
put("window", "odd", json.dumps({"theme": 1, "width": 1e300, "height": -1, "recent": ["a"] * 20, "scene": "{"}))
put("lessons", "some", json.dumps({"ropescope_lessons": 1, "steps_done": {"decay": 2}}))
put("lessons", "later", json.dumps({"ropescope_lessons": 1e300, "steps_done": {}}))

def sized(text):
    return struct.pack("<Q", len(text)) + text


put("worker", "outcome", sized(b"rope.norm") + struct.pack("<idd", 0, 1e-9, 1e-7) + sized(b"bound") + sized(b"detail") + sized(b"") +
    struct.pack("<d", 0.25))
put("worker", "every-kind", b" " + struct.pack("<QQdQ", 2, 1, 0.5, 0) + b"\1" + sized(b"text") + b"\1" + struct.pack("<Qf", 1, 2) +
    b"\0\1\0" + struct.pack("<Q", 2) + b"\0\1" + struct.pack("<Q", 7))

put("library", "made", bytes([0, 8, 8]) + struct.pack("<d", 10000) + bytes([6, 2]) + bytes(range(200)))
put("library", "parsed", bytes([2, 0, 13, 13, 0, 0, 0, 0, 1, 13]) + json.dumps(SMALL).encode())
put("library", "loaded", bytes([1, 0, 13, 13, 0, 0, 0, 0, 1, 2]) + bytes(range(250)))
