#!/usr/bin/env python3
"""Holds our tables of models to a checkout of a project that defines or runs them.

    python3 tools/survey PROJECT CHECKOUT [--run] [--program PATH] [--commit NAME] [--only TYPE]

PROJECT is transformers, diffusers, timm, vllm or llama.cpp. Without --run the sources are read as
text and nothing of them runs. With it (transformers, and PyTorch at hand) each class is built and
its own rotary code computes. Exit status: 0 if everything is as in our tables or judged, 1 if
something is new or differs, 2 for bad use.
"""
import argparse
import importlib
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program import Program  # noqa: E402
from report import Survey, judge, open_findings, read_judged, table  # noqa: E402
from tables import Families  # noqa: E402

MODULES = {"transformers": "transformers_text", "diffusers": "diffusers_text", "timm": "timm_text",
           "vllm": "vllm_text", "llama.cpp": "llama_cpp_text"}
MARKS = {"transformers": "src/transformers/models", "diffusers": "src/diffusers/models",
         "timm": "timm/models", "vllm": "vllm/model_executor/models", "llama.cpp": "src"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def commit_of(checkout):
    git = subprocess.run(["git", "-C", str(checkout), "log", "-1", "--format=%h"],
                         capture_output=True, text=True, check=False)
    return git.stdout.strip() or "a copy"


def main(words):
    parser = argparse.ArgumentParser(prog="tools/survey", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", choices=MODULES)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--run", action="store_true", help="runs the project's own code")
    parser.add_argument("--program", default=str(ROOT / "build/release/ropescope"))
    parser.add_argument("--commit", help="the name of the checkout, if git does not know it")
    parser.add_argument("--only", default="", help="the types that begin so")
    options = parser.parse_args(words)
    if not (options.checkout / MARKS[options.project]).is_dir():
        parser.error(f"{options.checkout} is not a checkout of {options.project}: "
                     f"it has no folder {MARKS[options.project]}")
    if options.run and options.project != "transformers":
        parser.error("--run is there for transformers; leave it out, and the text is read")
    survey = Survey(options.project, options.commit or commit_of(options.checkout), options.only)
    module = importlib.import_module("transformers_run" if options.run
                                     else MODULES[options.project])
    module.run(options.checkout, survey, Families(), Program(options.program))
    survey.findings = [f for f in survey.findings if f.model_type.startswith(options.only)]
    judge(survey, read_judged())
    print(table(survey))
    return 1 if open_findings(survey) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
