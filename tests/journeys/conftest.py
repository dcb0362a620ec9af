"""Journeys walk through the same windows as the tests of the window."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from window_fixtures import (  # noqa: F401 - fixtures
    answers,
    controller,
    new_window,
    nothing_left_behind,
    pytest_collection_modifyitems,
    scored,
    settings,
    window,
)
