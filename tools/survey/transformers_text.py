"""huggingface/transformers, read as text: each configuration class with rotary keys or a rotary
embedding, and whether the program reads a file with nothing but its sizes as the class means it."""
import configuration_text as stated
import modeling_text
from python_text import Lineage, classes, parse


class Folder:
    """A model's folder: its configuration classes and what its modeling file says."""

    def __init__(self, path):
        self.path = path
        self.configurations = {}
        for file in sorted(path.glob("configuration_*.py")):
            self.configurations.update(classes(parse(file)))
        files = [file for file in sorted(path.glob("modeling_*.py"))
                 if not file.name.startswith(("modeling_tf_", "modeling_flax_"))]
        self.models = [parse(file) for file in files]
        self.rotary = {}
        self.layouts, self.conditions = set(), set()
        for tree in self.models:
            self.layouts |= modeling_text.layouts(tree)
            self.conditions |= modeling_text.conditions(tree)
            for name, text in modeling_text.rotary_classes(tree, self.configurations).items():
                self.rotary[name] = self.rotary.get(name, "") + text


def folders(checkout):
    models = checkout / "src/transformers/models"
    for path in sorted(models.glob("*/")):
        if any(path.glob("configuration_*.py")) and any(path.glob("modeling_*.py")):
            yield Folder(path)


def close(one, other):
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))


def by_type(facts):
    return {name: part for name, part in (facts.get("layer_types") or {}).items()
            if isinstance(part, dict)}


def compare_bases(survey, model_type, theirs, reading):
    ours = {name: part["base"] for name, part in by_type(reading.facts).items()}
    ours = ours or {"": reading.facts["base"]}
    if "" in theirs:
        theirs = {name: theirs[""] for name in ours}
    elif "" in ours:
        ours = {name: ours[""] for name in theirs}
    wrong = {name: base for name, base in theirs.items()
             if name not in ours or not close(base, ours[name])}
    if wrong:
        survey.differs(model_type, "base", theirs, ours)


def compare_width(survey, model_type, attributes, methods, rotary, reading):
    head, turned = reading.facts["head_dim"], reading.facts["rotary_dim"]
    width = attributes.get("head_dim")
    if isinstance(width, int) and width != head and "qk_rope_head_dim" not in attributes:
        if not any(part.get("head_dim") == width for part in by_type(reading.facts).values()):
            survey.differs(model_type, "head_dim", width, head)
    share = stated.share(attributes, methods)
    if share is None or "qk_rope_head_dim" in attributes:
        return
    reads_share = not rotary or "partial_rotary_factor" in rotary
    if share != 1 and not reads_share:
        survey.differs(model_type, "the code ignores partial_rotary_factor", share, "reads it")
        return
    if isinstance(attributes.get("rotary_dim"), int) and rotary and "rotary_dim" not in rotary:
        survey.differs(model_type, "the code ignores rotary_dim", attributes["rotary_dim"], turned)
        return
    if "rotary_dim" not in attributes and int(head * share) // 2 != turned // 2:
        survey.differs(model_type, "share of the head", share, f"{turned} of {head}")


def still(reading):
    return any("no position embedding" in sentence or "no RoPE" in sentence
               for sentence in reading.assumptions) or bool(reading.facts.get("layers_without"))


def unknown(survey, folder, model_type, attributes, rotary, families, program):
    """Says what the program makes of a type that it does not know, unless it is one that only
    holds others."""
    whole = program.inspect(stated.whole_file(model_type, attributes))
    holds_others = "sub_configs" in attributes and len(
        stated.silent_file(model_type, attributes)) < 3
    if whole.confidence == "known" or holds_others and not nested_here(attributes):
        return
    sees = "patch_size" in attributes or "image_size" in attributes
    survey.new(model_type, "turns patches" if sees else "turns tokens",
               rotary_name(rotary) if rotary else ", ".join(sorted(
                   name for name in attributes if stated.ROTARY.search(name))),
               "refused" if whole.error else "inferred")


def nested_here(attributes):
    return any(isinstance(value, (int, float, dict)) for name, value in attributes.items()
               if stated.ROTARY.search(name))


def compare_one(survey, folder, name, families, program):
    line = Lineage(name, folder.configurations)
    attributes, methods = line.attributes(), line.methods()
    model_type, rotary = attributes.get("model_type"), folder.rotary.get(name, "")
    if not model_type or not (stated.is_rotary(attributes) or rotary):
        return
    if families.refused(model_type):
        return
    file = {**stated.silent_file(model_type, attributes), **families.condition(model_type)}
    reading = program.inspect(file)
    if families.tower(model_type) and model_type not in families.rows:
        return
    if reading.error and "condition" in families.rows.get(model_type, {}):
        return
    holds_others = "sub_configs" in attributes and len(file) < 3
    if reading.error and holds_others and model_type in families.rows:
        return
    if reading.error and model_type in families.rows:
        survey.differs(model_type, "its own sizes", folder.path.name,
                       reading.error.split("config.json: ")[-1])
        return
    if reading.error or reading.confidence != "known":
        unknown(survey, folder, model_type, attributes, rotary, families, program)
        return
    survey.compared += 1
    compare_bases(survey, model_type, stated.bases(attributes, methods), reading)
    compare_width(survey, model_type, attributes, methods, rotary, reading)
    layout = reading.facts["layout"]
    if len(folder.layouts) == 1 and layout not in folder.layouts:
        survey.differs(model_type, "layout", *folder.layouts, layout)
    if folder.conditions and not still(reading):
        survey.differs(model_type, "turns only if", "; ".join(sorted(folder.conditions)),
                       "always")
    sections = stated.sections(attributes, [*methods, *(folder.models if rotary else [])])
    ours = families.sections(model_type)
    if sections and "mrope_section" in rotary and (ours or []) != sections:
        survey.differs(model_type, "mrope_section", sections, ours)
    unread = program.inspect({**stated.whole_file(model_type, attributes), **file}).unread()
    if unread:
        survey.differs(model_type, "keys not read", ", ".join(sorted(unread)), "")


def rotary_name(text):
    return text.split("(")[0].removeprefix("class ").split(":")[0] if text else "rotary keys"


def run(checkout, survey, families, program):
    for folder in folders(checkout):
        for name in folder.configurations:
            compare_one(survey, folder, name, families, program)
