"""The Adult table through the command line, where it stands beside the project."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from adult import ADULT, OPERATORS, adult_session

from curator_gui.cli.main import main

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason="the Adult table stands beside the project")
Capture = pytest.CaptureFixture[str]
SERVANT = {"name": "private household service", "where": "occupation = 'Priv-house-serv'"}
VISIBLE = ["age", "sex", "race", "marital-status"]


def scored(capture: Capture, path: Path) -> dict[str, Any]:
    main(["score", "--json", str(path)])
    document: dict[str, Any] = json.loads(capture.readouterr().out)
    return document


def test_disclosure_of_an_attribute_without_prior_knowledge_is_basic_beta_likeness(
    tmp_path: Path, capsys: Capture
) -> None:
    plan = [{"op": "project", "drop": ["salary-class"]}]
    path = adult_session(tmp_path, [], {"column": "salary-class", "each": True}, plan)

    alpha = scored(capsys, path)["prefixes"][-1]["alpha"]

    assert math.exp(alpha) - 1 == pytest.approx(3.0173148641449123, abs=1e-12)


def test_five_operators_on_adult(tmp_path: Path, capsys: Capture) -> None:
    path = adult_session(tmp_path, VISIBLE, SERVANT, OPERATORS)

    prefixes = scored(capsys, path)["prefixes"]

    assert [p["rows"] for p in prefixes] == [30162] * 6
    utilities = [p["utility"] for p in prefixes]
    assert utilities == sorted(utilities, reverse=True)
    assert prefixes[0]["alpha"] >= prefixes[-1]["alpha"]
    print([(round(p["alpha"], 6), p["over_budget"], round(p["utility"], 4)) for p in prefixes])
