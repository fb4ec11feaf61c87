"""What importing the package costs, in a fresh interpreter."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["contextbook", "contextbook.words", "contextbook.figures", "contextbook.widgets"]
)
def test_import_does_not_import_torch(module):
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_dir_lists_what_is_loaded_when_asked():
    code = "import sys, contextbook; sys.exit(not {'load', 'save'} <= {*dir(contextbook)})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
