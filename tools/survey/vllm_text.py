"""vllm-project/vllm, read as text: the files of models that make a rotary embedding with get_rope,
against the rows of assets/families.json with that name or with that path in their column of vLLM."""
import re

from python_text import calls, literal, parse


def normal(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def layouts(tree):
    """The layouts in which a file turns: is_neox_style of its calls of get_rope, true if missing;
    "by a condition" where it is no literal."""
    found = set()
    for call in calls([tree], "get_rope"):
        style = [word.value for word in call.keywords if word.arg == "is_neox_style"]
        value = literal(style[0]) if style else True
        found.add({True: "half_split", False: "interleaved"}.get(value, "by a condition"))
    return found


def rows_by_path(families):
    """For each file of vLLM the types that are read by it, as far as a column says so."""
    found = {}
    for model_type in families.rows:
        column = families.runtimes(model_type).get("vllm", {})
        if "path" in column:
            found.setdefault(column["path"], []).append(model_type)
    return found


def layout_of(families, model_type):
    row = families.rows[model_type]
    while "layout" not in row and row.get("as") in families.rows:
        row = families.rows[row["as"]]
    return row.get("layout", "half_split")


def run(checkout, survey, families, _program):
    by_path = rows_by_path(families)
    by_name = {}
    for model_type in families.rows:
        for name in (model_type, model_type.removesuffix("_text")):
            by_name.setdefault(normal(name), model_type)
    for path in sorted((checkout / "vllm/model_executor/models").glob("*.py")):
        found = layouts(parse(path))
        if not found:
            continue
        types = by_path.get(path.stem, [])
        if not types and normal(path.stem) in by_name:
            types = [by_name[normal(path.stem)]]
        if not types:
            survey.new(path.stem, "get_rope", ", ".join(sorted(found)), "no row of this name")
            continue
        survey.compared += 1
        for model_type in types:
            ours = layout_of(families, model_type)
            if found == {"half_split"} and ours != "half_split" or found == {
                    "interleaved"} and ours != "interleaved":
                survey.differs(model_type, f"layout in {path.name}", *found, ours)
