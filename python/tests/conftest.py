import os
import shutil

import pytest


@pytest.fixture
def program():
    """The command ropescope of the same build."""
    path = os.environ.get("ROPESCOPE_PROGRAM") or shutil.which("ropescope")
    if path is None:
        pytest.skip("the command ropescope is not there; ROPESCOPE_PROGRAM names it")
    return path
