"""huggingface/diffusers, read as text: every transformer with rotary code, its arguments' default
values as a config.json, and what the program makes of it."""
import ast
import re

from python_text import arguments, parse
from tables import read

ROTARY = re.compile(r"rope|rotary", re.IGNORECASE)


def models(checkout):
    """Each configured class in a file with rotary code, with the default values of its arguments."""
    for path in sorted((checkout / "src/diffusers/models/transformers").glob("*.py")):
        if not ROTARY.search(path.read_text()):
            continue
        for node in parse(path).body:
            if isinstance(node, ast.ClassDef) and any(
                    "ConfigMixin" in ast.unparse(base) for base in node.bases):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                        yield node.name, arguments(part)


def plain(value):
    return list(value) if isinstance(value, tuple) else value


def as_file(name, values):
    given = {key: plain(value) for key, value in values.items()
             if isinstance(value, (bool, int, float, str, tuple, list))}
    if "use_rotary_positional_embeddings" in given:
        given["use_rotary_positional_embeddings"] = True  # off, there is nothing to read
    return {"_class_name": name, **given}


def compare_row(survey, name, row, values):
    for key, ours in ((row.get("channels_key"), row.get("channels")),
                      (row.get("base_key"), row.get("base", 10000)),
                      (row.get("head_dim_key", "attention_head_dim"), row.get("head_dim"))):
        theirs = plain(values.get(key)) if key else None
        if theirs is not None and ours is not None:
            alone = [theirs] if isinstance(ours, list) and not isinstance(theirs, list) else theirs
            if alone != ours:
                survey.differs(name, key, theirs, ours)


def run(checkout, survey, _families, program):
    rows = {row["class"]: row for row in read("families.json")["diffusers"]}
    for name, values in models(checkout):
        reading = program.inspect(as_file(name, values))
        row = rows.get(name)
        survey.compared += 1
        if row:
            compare_row(survey, name, row, values)
        if reading.error and not (row and row.get("why_not")):
            survey.new(name, "refused", "", reading.error.split("config.json: ")[-1])
        elif not reading.error and reading.confidence != "known":
            survey.new(name, "inferred", "", "; ".join(reading.assumptions))
