"""ggml-org/llama.cpp, read as text: the rotation of each architecture (llama_model_rope_type), the
period of its layers with a window and the layers without RoPE, against
assets/gguf_architectures.json."""
import re

from tables import read

NAME = re.compile(r'\{\s*(LLM_ARCH_\w+),\s*"([^"]+)"')


def section(text, begins):
    """From the line that begins so to the next line with a brace alone."""
    found = re.search(re.escape(begins) + r".*?^}", text, re.DOTALL | re.MULTILINE)
    return found.group(0) if found else ""


def names(source):
    text = section((source / "llama-arch.cpp").read_text(), "static const std::map<llm_arch")
    return {constant: name for constant, name in NAME.findall(text) if name != "(unknown)"}


def rotations(source):
    """For each constant the types that it may have: none, norm, neox, mrope, imrope."""
    text = section((source / "llama-model.cpp").read_text(),
                   "llama_rope_type llama_model_rope_type(")
    found, waiting = {}, []
    for line in text.splitlines():
        case = re.search(r"case (LLM_ARCH_\w+):", line)
        if case:
            waiting.append(case.group(1))
        types = [one.lower() for one in re.findall(r"LLAMA_ROPE_TYPE_(\w+)", line)]
        if "return" in line and types:
            found.update({constant: types for constant in waiting})
            waiting = []
    return found


def ours_of(row):
    kind = row.get("rope", "neox")
    return {"mrope", kind} if row.get("sections_make_mrope") else {kind}


def layer_rules(source, name):
    """The period of layers with a window and whether the first of it is full; None if the code of
    the architecture has no such pattern."""
    path = source / "models" / f"{name}.cpp"
    if not path.exists():
        return None
    text = path.read_text()
    call = re.search(r"set_swa_pattern\(\s*(\w+)\s*(?:,\s*(?:/\*.*?\*/)?\s*(\w+))?\)", text)
    if not call:
        return None
    value = call.group(1)
    if not value.isdigit():
        set_to = re.search(rf"\b{value}\s*=\s*(\d+)", text)
        value = set_to.group(1) if set_to else "0"
    return int(value), call.group(2) == "true"


def run(checkout, survey, _families, _program):
    source = checkout / "src"
    rows = {row["architecture"]: row for row in read("gguf_architectures.json")["architectures"]}
    types = rotations(source)
    for constant, name in names(source).items():
        theirs = set(types.get(constant, []))
        row = rows.get(name)
        if row is None:
            survey.new(name, "architecture", ", ".join(sorted(theirs)), "assumed neox")
            continue
        survey.compared += 1
        if theirs and theirs != ours_of(row):
            survey.differs(name, "rotation", ", ".join(sorted(theirs)),
                           ", ".join(sorted(ours_of(row))))
        rule = layer_rules(source, name)
        ours = (row.get("period", 0), row.get("starts_full", False))
        if rule and rule[0] > 1 and rule != ours:
            survey.differs(name, "period of full layers, first full", rule, ours)
        if rule is None and row.get("period") and (source / "models" / f"{name}.cpp").exists():
            survey.differs(name, "period of full layers", "none", ours)
