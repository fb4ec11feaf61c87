from pathlib import Path

import pytest
from builder_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A small project without a chapter."""
    return Project(tmp_path)
