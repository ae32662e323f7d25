"""huggingface/transformers, run: each configuration class is built with its default values and with
variations, its own rotary embedding and its own function turn a tensor, and the program's reading
of the same configuration and its verdict on the numbers are held to them."""
import importlib
import inspect
import json
import pathlib
import tempfile

import attention_run
import stand_ins
import transformers_text
from python_text import Lineage

POSITIONS = [*range(16), 300, 1000, 4095]
VARIATIONS = {
    "base": {"rope_type": "default", "rope_theta": 54321.0},
    "linear": {"rope_type": "linear", "rope_theta": 20000.0, "factor": 4.0},
    "yarn": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 8.0,
             "original_max_position_embeddings": 4096},
    "llama3": {"rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
}


def plain(value):
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def as_file(configuration, model_type):
    """What the class states, as its file would hold it."""
    stated = {name: value for name, value in vars(configuration).items()
              if not name.startswith("_") and value is not None and plain(value)
              and "token" not in name}
    for name in ("transformers_version", "architectures", "id2label", "label2id"):
        stated.pop(name, None)
    return {**stated, "model_type": model_type}


def rotary_class(module, configuration_name):
    for name, value in vars(module).items():
        if isinstance(value, type) and "Rotary" in name and value.__module__ == module.__name__:
            notes = inspect.signature(value.__init__).parameters
            if configuration_name in str(notes.get("config", "")):
                return value
    return None


def frequencies(embedding, torch):
    """The buffers of a rotary embedding by type of layer, "" if all turn alike."""
    found = {}
    for name in dir(embedding):
        if name.endswith("inv_freq") and not name.endswith("original_inv_freq"):
            value = getattr(embedding, name)
            if isinstance(value, torch.Tensor) and value.ndim == 1:
                found[name.removesuffix("inv_freq").strip("_")] = value.double().tolist()
    return found


def expected(reading):
    layers = transformers_text.by_type(reading.facts)
    if layers:
        return {name: part["inv_freq"] for name, part in layers.items()}
    if "omega" in reading.facts:  # several axes: the speed of each pair, by whichever axis
        return {"": [max(axes) for axes in reading.facts["omega"]]}
    return {"": reading.facts.get("inv_freq") or []}


def same(theirs, ours):
    """Within the rounding of fp32, which each frequency passes about four times; the ramp of YaRN
    takes a difference of numbers near 1, which may cost as much as the factor."""
    turning = [w for w in ours if w != 0]
    theirs = [w for w in theirs if w != 0]
    return len(theirs) == len(turning) and all(
        abs(a - b) <= 64 * 2.0 ** -24 * abs(b) for a, b in zip(sorted(theirs), sorted(turning)))


def compare_frequencies(survey, name, variation, theirs, reading):
    ours = expected(reading)
    if "" in ours:
        ours = {key: ours[""] for key in theirs}
    for key, values in theirs.items():
        if key in ours and not same(values, ours[key]):
            survey.differs(name, f"frequencies {key}".strip() + variation,
                           f"{len(values)}, from {values[0]:.6g} to {values[-1]:.6g}",
                           f"{len(ours[key])}, from {max(ours[key], default=0):.6g} "
                           f"to {min(ours[key], default=0):.6g}")


def applied_by(module, configuration):
    """The function by which the module's attention turns queries and keys."""
    interleaved = getattr(module, "apply_rotary_pos_emb_interleave", None)
    if interleaved and getattr(configuration, "rope_interleave", True):
        return interleaved
    return getattr(module, "apply_rotary_pos_emb", None)


def turned(module, configuration, embedding, reading, torch):
    """q, k and what the module's own functions make of them; None if they are called otherwise."""
    function = applied_by(module, configuration)
    names = list(inspect.signature(function).parameters)[:4] if function else []
    if names != ["q", "k", "cos", "sin"] or "omega" in reading.facts or reading.facts.get(
            "layer_types"):
        return None
    torch.manual_seed(1)
    q, k = (torch.randn(1, 2, len(POSITIONS), reading.facts["head_dim"]) for _ in range(2))
    cos, sin = embedding(q, torch.tensor([POSITIONS]))
    if cos.shape[-1] > q.shape[-1]:
        return None
    try:
        return q, k, *function(q, k, cos, sin)
    except RuntimeError:  # attention splits the head before it calls the function
        q, k = q[..., :cos.shape[-1]], k[..., :cos.shape[-1]]
        return q, k, *function(q, k, cos, sin)


def compare_verdict(survey, name, variation, tensors, configuration, program, positions=None):
    import numpy
    q, k, q_rot, k_rot = (tensor.detach().numpy() for tensor in tensors)
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder) / "dump.npz"
        numpy.savez(dump, q=q, k=k, q_rot=q_rot, k_rot=k_rot,
                    positions=numpy.array(positions or POSITIONS))
        status, said = program.diagnose(dump, configuration)
    if status:
        lines = [line for line in said.splitlines() if line.strip()]
        survey.differs(name, f"diagnose --expect{variation}", "its own code", lines[0])


def built(kind, parameters, condition):
    """The configuration by its class's defaults; with heads of 128 channels, if by those its heads
    do not share its width."""
    given = {**condition, **({"rope_parameters": dict(parameters)} if parameters else {})}
    configuration = kind(**given)
    width, heads = (getattr(configuration, name, 0) for name in ("hidden_size",
                                                                 "num_attention_heads"))
    if heads and not getattr(configuration, "head_dim", None) and width % heads:
        configuration = kind(**given, head_dim=128)
    return configuration


def modules(folder, kind):
    for path in sorted(folder.path.glob(f"{kind}_*.py")):
        yield importlib.import_module(f"transformers.models.{folder.path.name}.{path.stem}")


def short(error):
    """The kind of an error and the beginning of what it says."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:60]}{' ...' if len(text) > 60 else ''}"


class Runner:
    """One checkout whose classes are run."""

    def __init__(self, survey, families, program, torch):
        self.survey, self.families = survey, families
        self.program, self.torch = program, torch

    def compare_one(self, folder, name, model_type, variation, parameters):
        kind = next(getattr(one, name) for one in modules(folder, "configuration")
                    if hasattr(one, name))
        for module in modules(folder, "modeling"):
            rotary = rotary_class(module, name)
            if rotary:
                configuration = built(kind, parameters, self.families.condition(model_type))
                embedding = rotary(configuration)
                self.compare_with(module, embedding, configuration, model_type, variation)
                if not variation:
                    self.compare_attention(module, name, configuration, embedding, model_type)
                return

    def compare_with(self, module, embedding, configuration, model_type, variation):
        stated = as_file(configuration, model_type)
        reading = self.program.inspect(stated)
        self.survey.compared += 1
        if reading.error:
            self.survey.new(model_type, f"refused{variation}", type(embedding).__name__,
                            reading.error.split("config.json: ")[-1])
            return
        theirs = frequencies(embedding, self.torch)
        compare_frequencies(self.survey, model_type, variation, theirs, reading)
        tensors = turned(module, configuration, embedding, reading, self.torch)
        if tensors:
            compare_verdict(self.survey, model_type, variation, tensors, stated, self.program)

    def compare_attention(self, module, name, configuration, embedding, model_type):
        """The layers themselves, whatever stands around the rotary function."""
        stated = as_file(configuration, model_type)
        reading = self.program.inspect(stated)
        if reading.error:
            return
        try:
            layers = attention_run.run(module, name, configuration, embedding, reading, self.torch)
        except Exception as error:  # the project's code, which may fail in any way
            self.survey.attention_not_run.append((model_type, short(error)))
            return
        if not layers:
            self.survey.attention_not_run.append((model_type, "no attention of the usual form"))
            return
        self.survey.attention += 1
        attention_run.compare(self.survey, model_type, reading, configuration, layers)
        tensors = attention_run.turned_rotation(layers)
        # Latent attention and several axes lay their channels in other orders than the file says.
        plain = tensors and "omega" not in reading.facts and not reading.facts.get(
            "layer_types") and tensors[0].shape[-1] == reading.facts["head_dim"]
        if plain and reading.facts["attention_factor"] == 1:
            compare_verdict(self.survey, model_type, ", attention", tensors, stated, self.program,
                            attention_run.POSITIONS[:-1])

    def compare_all(self, folder, name, model_type):
        tried = {"": None, **(VARIATIONS if flat(folder, name) else {})}
        for variation, parameters in tried.items():
            try:
                self.compare_one(folder, name, model_type, variation and f", {variation}",
                                 parameters)
            except Exception as error:  # the project's code, which may fail in any way
                if not variation:
                    self.survey.not_run.append((model_type, f"{type(error).__name__}: {error}"))
                return


def flat(folder, name):
    """Whether the class's parameters are those of all its layers."""
    attributes = Lineage(name, folder.configurations).attributes()
    return "rope_parameters" in attributes and not isinstance(
        attributes.get("default_theta"), dict)


def run(checkout, survey, families, program):
    torch = stand_ins.install(checkout / "src/transformers")
    runner = Runner(survey, families, program, torch)
    for folder in transformers_text.folders(checkout):
        for name in folder.rotary:
            attributes = Lineage(name, folder.configurations).attributes()
            model_type = attributes.get("model_type")
            of_text = model_type and not families.refused(model_type) and (
                model_type in families.rows or not families.tower(model_type))
            whole = "sub_configs" not in attributes or "hidden_size" in attributes
            if of_text and whole and model_type.startswith(survey.only):
                runner.compare_all(folder, name, model_type)
