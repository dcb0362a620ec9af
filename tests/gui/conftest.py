"""The fixtures of windows under test."""

from every_dialog import dialogs  # noqa: F401 - a fixture
from synthesis_clicks import (  # noqa: F401 - fixtures
    budgets,
    draft,
    job,
    ledger,
    ordering,
    session,
    synthesis,
)
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
