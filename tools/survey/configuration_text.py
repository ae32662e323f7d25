"""What a configuration class of transformers states, read from its text."""
import ast
import re

from python_text import calls, literal

ROTARY = re.compile(r"rope|rotary|theta|mrope")
SIZES = re.compile(r"^(hidden_size|num_attention_heads|num_key_value_heads|num_hidden_layers|head_dim|"
                   r"n_embd|n_head|n_layer|d_model|n_heads|n_layers|qk_rope_head_dim|qk_nope_head_dim|v_head_dim|kv_channels|"
                   r"rotary_dim|kv_lora_rank|q_lora_rank|sliding_window|max_position_embeddings|"
                   r"n_positions|encoder_.*heads|encoder_.*layers|"
                   r"global_head_dim|swa_head_dim|attention_head_dim)$")


def is_rotary(attributes):
    return any(ROTARY.search(name) for name in attributes)


def silent_file(model_type, attributes):
    """A file with the sizes of a class and nothing about its rotation."""
    sizes = {name: value for name, value in attributes.items()
             if SIZES.match(name) and isinstance(value, (int, float)) and value is not True}
    width, heads = sizes.get("hidden_size", 0), sizes.get("num_attention_heads", 1)
    if "head_dim" not in sizes and width % heads:  # defaults of which no model can be built
        sizes["hidden_size"] = 128 * heads
    return {"model_type": model_type, **sizes}


def whole_file(model_type, attributes):
    """The same with the keys of the class about its rotation, whatever their values."""
    keys = {name: value for name, value in attributes.items()
            if ROTARY.search(name) and isinstance(value, (bool, int, float, str, list, dict))
            and name not in ("default_theta", "default_partial_rotary_factor")}
    return {**silent_file(model_type, attributes), **keys}


def nested(methods):
    """rope_parameters that a class takes if it is given none: a dictionary with a rope_theta in
    it, flat or by type of layer."""
    for method in methods:
        for node in ast.walk(method):
            value = literal(node) if isinstance(node, ast.Dict) else None
            if not value:
                continue
            if "rope_theta" in value:
                return value
            parts = [part for part in value.values() if isinstance(part, dict)]
            if parts and all("rope_theta" in part for part in parts):
                return value
    return {}


def last_number(call):
    """The default in setdefault("key", kwargs.pop("other", 0.25)) or setdefault("key", 0.25)."""
    node = call.args[-1]
    if isinstance(node, ast.Call) and len(node.args) > 1:
        node = node.args[-1]
    value = literal(node)
    return value if isinstance(value, (int, float)) else None


def set_default(methods, key):
    found = [last_number(call) for call in calls(methods, "setdefault")
             if len(call.args) > 1 and literal(call.args[0]) == key]
    for method in methods:  # kwargs["key"] = 0.5
        for node in ast.walk(method):
            if (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
                    and literal(node.targets[0].slice) == key
                    and ast.unparse(node.targets[0].value) == "kwargs"):
                found.append(literal(node.value))
    numbers = [number for number in found if isinstance(number, (int, float))]
    return numbers[0] if numbers else None


def flat_default(given):
    return given if "rope_theta" in given else {}


def bases(attributes, methods):
    """The base of each type of layer if none is given; of the type "" if all turn alike. Types
    whose base is no literal are left out."""
    given = nested(methods)
    if given and "rope_theta" not in given:
        return {name: part["rope_theta"] for name, part in given.items()
                if isinstance(part, dict) and isinstance(part.get("rope_theta"), (int, float))}
    usual = attributes.get("default_theta")
    if isinstance(usual, dict):
        names = {"global": "full_attention", "local": "sliding_attention"}
        return {names.get(name, name): base for name, base in usual.items()}
    for base in (flat_default(given).get("rope_theta"), attributes.get("rope_theta"), usual,
                 set_default(methods, "rope_theta")):
        if isinstance(base, (int, float)):
            return {"": base}
    return {"": 10000.0}


def share(attributes, methods):
    """The share of a head that turns if none is given; None if it is not a plain number."""
    given = nested(methods)
    parts = [part for part in given.values() if isinstance(part, dict)]
    if parts:
        return None
    for value in (given.get("partial_rotary_factor"), attributes.get("partial_rotary_factor"),
                  attributes.get("rotary_pct"), set_default(methods, "partial_rotary_factor")):
        if isinstance(value, (int, float)):
            return value
    return None if "partial_rotary_factor" in given else 1


def sections(attributes, trees):
    """mrope_section, wherever a literal list of it stands in the class's methods or the model."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                value = literal(node).get("mrope_section")
                if isinstance(value, (list, tuple)):
                    return list(value)
            if isinstance(node, ast.Call) and len(node.args) > 1 and literal(
                    node.args[0]) == "mrope_section":
                value = literal(node.args[1])
                if isinstance(value, (list, tuple)):
                    return list(value)
    return attributes.get("mrope_section")
