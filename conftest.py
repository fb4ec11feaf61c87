"""What all tests share, and how nbval re-runs the notebooks.

Lying at the root, this file also puts the root on the import path of the tests.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    """Let the kernels that nbval starts find the package, and be as silent as those of a build."""
    if config.getoption("nbval", default=False):
        path = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), path]))
        os.environ["CONTEXTBOOK_PROGRESS"] = "off"


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Compare text, not pictures: an SVG's numbers differ in their last digits by machine."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("image/svg+xml",)
