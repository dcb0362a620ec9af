"""Five operators on the Adult table: what is clicked in the window is what the command line computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from adult import ADULT, OPERATORS, adult_session
from pytestqt.qtbot import QtBot
from walking import click, click_row
from window_fixtures import Scored

from curator_gui.cli.main import main
from curator_gui.core.operators import operator_from_json
from curator_gui.gui.main_window import MainWindow

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason="the Adult table stands beside the project")
SERVANT = {"name": "private household service", "where": "occupation = 'Priv-house-serv'"}
VISIBLE = ["age", "sex", "race", "marital-status"]


def computed(capture: pytest.CaptureFixture[str], path: Path) -> list[dict[str, Any]]:
    main(["score", "--json", str(path)])
    prefixes: list[dict[str, Any]] = json.loads(capture.readouterr().out)["prefixes"]
    return prefixes


def test_five_clicked_operators_give_the_trajectory_of_the_command_line(
    window: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    controller = window.controller
    (tmp_path / "empty").mkdir()
    controller.open_path(adult_session(tmp_path / "empty", VISIBLE, SERVANT, []))
    scored(controller)

    for operator in OPERATORS:
        label = controller.describe(operator_from_json(operator, path="plan"))
        click_row(qtbot, window, "candidates", label)
        click(qtbot, window, "commit")
        scored(controller)

    assert controller.trajectory is not None
    clicked = [(p.alpha, p.over_budget, p.utility, p.feasible) for p in controller.trajectory.prefixes]
    whole = computed(capsys, adult_session(tmp_path, VISIBLE, SERVANT, OPERATORS))
    assert clicked == [(p["alpha"], p["over_budget"], p["utility"], p["feasible"]) for p in whole]
    assert len(clicked) == 6
