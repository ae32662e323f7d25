"""Tests of a dump, one for each layer: python3 -m pytest test_rope_dump.py. The environment names the dump
(ROPE_DUMP), what it should be (ROPE_CONFIG: a config.json or a published model), and perhaps the program (ROPESCOPE)."""

import os
import subprocess
import tempfile
import xml.etree.ElementTree

import pytest

DUMP = os.environ.get("ROPE_DUMP", "dump.safetensors")
CONFIG = os.environ.get("ROPE_CONFIG", "config.json")


def results():
    """The tests that ropescope makes of the dump. Exit code 1 says that one fails, 2 that the dump cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rope.xml")
        run = subprocess.run([os.environ.get("ROPESCOPE", "ropescope"), "diagnose", DUMP, "--expect", CONFIG,
                              "--junit", path], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            pytest.exit(run.stderr, returncode=run.returncode)
        return list(xml.etree.ElementTree.parse(path).getroot())


@pytest.mark.parametrize("case", results(), ids=lambda case: case.get("name"))
def test_rope(case):
    failure = case.find("failure")
    assert failure is None, failure.get("message") + "\n" + (failure.text or "")
