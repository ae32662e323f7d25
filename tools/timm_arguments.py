#!/usr/bin/env python3
"""Writes assets/timm_models.json: the arguments of timm's architectures with RoPE, from its source.

    tools/timm_arguments.py CHECKOUT          writes the table
    tools/timm_arguments.py CHECKOUT --check  whether the table is what the checkout says

A file of the hub names its architecture alone; the arguments are in the functions that register it.
They are read from the text of timm/models (nothing of it runs): in each function with
@register_model the keywords of model_args and of NaFlexVitCfg, as far as they are literals and
concern the rotary embedding.
"""
import ast
import json
import pathlib
import subprocess
import sys

TARGET = pathlib.Path(__file__).resolve().parents[1] / "assets/timm_models.json"
# What the reader (core/formats/schemes/timm_schemes.cpp) asks.
KEYS = {"embed_dim", "num_heads", "class_token", "num_reg_tokens", "reg_tokens", "ref_feat_shape",
        "use_rot_pos_emb", "dynamic_img_size"}
CLASSES = {"dict", "NaFlexVitCfg"}


def literal(node):
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def is_registered(function):
    return any(isinstance(d, ast.Name) and d.id == "register_model" for d in function.decorator_list)


def arguments_of(function):
    """The keywords of the first call of dict or NaFlexVitCfg in a function."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
            found = {k.arg: literal(k.value) for k in node.keywords if k.arg}
            if "embed_dim" in found:
                return found
    return {}


def turns(arguments):
    rope_type = arguments.get("rope_type", "")
    return bool(arguments.get("use_rot_pos_emb") or (rope_type and rope_type != "none"))


def models(checkout):
    for path in sorted((checkout / "timm/models").glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and is_registered(node):
                arguments = arguments_of(node)
                if turns(arguments):
                    yield node.name, {key: value for key, value in sorted(arguments.items())
                                      if value is not None and
                                      (key in KEYS or key.startswith("rope_"))}


def main():
    checkout = pathlib.Path(sys.argv[1])
    git = subprocess.run(["git", "-C", str(checkout), "log", "-1", "--format=%h"],
                         capture_output=True, text=True)
    commit = git.stdout.strip() or "a copy"
    if "--commit" in sys.argv:
        commit = sys.argv[sys.argv.index("--commit") + 1]
    found = dict(sorted(models(checkout)))
    lines = [f'    {json.dumps(name)}: {json.dumps(values)}' for name, values in found.items()]
    text = ('{\n  "about": "Made by tools/timm_arguments.py.",\n'
            f'  "source": "huggingface/pytorch-image-models {commit}, timm/models",\n'
            '  "models": {\n' + ",\n".join(lines) + "\n  }\n}\n")
    if "--check" in sys.argv:
        kept = json.loads(TARGET.read_text())["models"]
        differing = [name for name in {**kept, **found} if kept.get(name) != json.loads(
            json.dumps(found.get(name)))]
        print("\n".join(sorted(differing)))
        return 1 if differing else 0
    TARGET.write_text(text)
    print(f"{len(found)} architectures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
