"""huggingface/pytorch-image-models, read as text: the arguments of its architectures against the
table that tools/timm_arguments.py makes, and what the program makes of a file of the hub."""
import pathlib
import sys

from tables import read

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import timm_arguments  # noqa: E402

LEARNED = "the frequencies of a mixed model are learned"


def run(checkout, survey, _families, program):
    ours = read("timm_models.json")["models"]
    for name, values in timm_arguments.models(checkout):
        survey.compared += 1
        theirs = {key: list(value) if isinstance(value, tuple) else value
                  for key, value in values.items()}
        if name not in ours:
            survey.new(name, "arguments", theirs, "tools/timm_arguments.py has not run")
        elif ours[name] != theirs:
            survey.differs(name, "arguments", theirs, ours[name])
        reading = program.inspect({"architecture": name, "pretrained_cfg": {}})
        if reading.error and LEARNED not in reading.error:
            survey.new(name, "refused", "", reading.error.split("config.json: ")[-1])
