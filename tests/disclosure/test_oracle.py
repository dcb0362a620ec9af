"""The oracle itself: on the paper's example and worked cases, and against its own definitions."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import oracle
import pytest
import sql
from generate import Case, cases, differences, predicates, tables
from hypothesis import given, settings
from hypothesis import strategies as st

Json = dict[str, Any]

WORKED = Path(__file__).parents[2] / ".." / "shared" / "cases" / "disclosure"
FOLDERS = sorted(f.parent for f in WORKED.glob("*/expected.json"))
OBSERVERS = ("membership-aware", "plan-aware", "accumulating", "smoothed")
few = settings(max_examples=30, deadline=None)


def read_rows(path: Path, missing: list[str]) -> list[oracle.Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return [{n: None if c in missing else c for n, c in row.items()} for row in csv.DictReader(file)]


def observed_by(session: Json, kind: str, m: Any) -> Json:
    observer = {"kind": kind} | ({"m": m} if kind == "smoothed" else {})
    exposed = list(range(1, len(session["plan"]) + 1))
    return {**session, "protection": {**session["protection"], "observer": observer}, "exposed": exposed}


@pytest.mark.skipif(not FOLDERS, reason="the worked cases stand beside the project")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_every_field_of_a_worked_case_agrees(folder: Path) -> None:
    session = json.loads((folder / "session.json").read_text("utf-8"))
    want = json.loads((folder / "expected.json").read_text("utf-8"))
    rows = read_rows(folder / "source.csv", session["source"]["reader"]["missing"])
    named = {f"alpha_{kind.replace('-', '_')}": kind for kind in OBSERVERS}

    got = oracle.score(session, rows)
    got["candidates"] = oracle.candidates(
        session, rows, json.loads((folder / "operators.json").read_text("utf-8"))
    )
    for field, kind in named.items():
        other = oracle.score(observed_by(session, kind, want["smoothed_m"]), rows)
        for prefix, theirs in zip(got["prefixes"], other["prefixes"], strict=True):
            prefix[field] = theirs["alpha"]

    assert differences(got, {k: want[k] for k in ("prior", "prefixes", "candidates")}) == []


def world(table: str, secret: str, visible: list[Json], plan: list[Json], **more: Any) -> Case:
    """A case from lines of cells with a header; an empty cell is missing. ``more`` is of the protection."""
    header, *lines = [line.split(",") for line in table.split()]
    types = more.pop("types", {})
    session = {
        "format": "curation-session/1",
        "source": {"path": "source.csv"},
        "columns": {name: {"type": types.get(name, "text")} for name in header},
        "hierarchies": more.pop("hierarchies", {}),
        "protection": {
            "visible": visible,
            "secrets": [{"name": "s", "where": secret, "two_sided": more.pop("two_sided", False)}],
            "targets": None,
            "budget": 0.3,
            "observer": {"kind": "release-only"},
        }
        | more,
        "plan": plan,
    }
    return Case(session, [dict(zip(header, [c or None for c in line], strict=True)) for line in lines], [])


def alphas(case: Case, kind: str = "release-only") -> list[Any]:
    return [p["alpha"] for p in oracle.score(observed_by(case.session, kind, 1), case.rows)["prefixes"]]


def ratios(*values: float) -> Any:
    """Disclosures as the factors by which the best guess rises."""
    return [pytest.approx(math.log(v), abs=1e-12) for v in values]


def paper(*plan: Json) -> Case:
    return world(
        "Age,Sex,ZIP,Med,Diag 34,F,92617,ART,HIV 37,F,92614,ART,HIV 31,F,92612,None,Flu",
        "Diag = 'HIV'",
        [
            {"column": "Age", "view": {"bins": [20, 30, 40, 50]}},
            {"column": "Sex"},
            {"column": "ZIP", "view": {"prefix": 3}},
        ],
        [
            {"op": "project", "drop": ["Diag"]},
            {"op": "generalize", "column": "Age", "view": {"bins": [20, 30, 40, 50]}},
            {"op": "generalize", "column": "ZIP", "view": {"prefix": 3}},
            *plan,
        ],
        types={"Age": "integer"},
        targets=[0],
        budget=0.1,
    )


def test_in_the_papers_example_dropping_med_brings_the_guess_back_to_the_prior() -> None:
    case = paper()

    got = oracle.candidates(case.session, case.rows, [{"op": "project", "drop": ["Med"]}])[0]

    assert alphas(case) == ratios(1.5, 1.5, 1.5, 1.5)
    assert got == {
        "operator": {"op": "project", "drop": ["Med"]},
        "alpha": 0.0,
        "feasible": True,
        "max_delta": pytest.approx(math.log(2 / 3)),
        "min_delta": pytest.approx(math.log(2 / 3)),
        "worse": 0,
        "better": 1,
        "same": 0,
        "lost": 0,
        "affected": 1,
        "over_budget": 0,
        "rows_removed": 0,
        "does_no_privacy_work": False,
        "classes": {"before": 2, "after": 1, "merged": 1, "split": 0, "shrunk": 0, "emptied": 0},
        "worst": {
            "target": 0,
            "secret": "s",
            "e": 0.0,
            "prior": [2, 3],
            "before": [2, 2],
            "after": [2, 3],
            "joined": [0, 1],
            "left": [0, 0],
        },
        "utility": pytest.approx(0.2),
        "utility_change": pytest.approx(-0.2),
    }


def test_in_the_papers_example_deleting_the_third_record_makes_dropping_med_useless() -> None:
    case = paper({"op": "delete", "rows": [2]}, {"op": "project", "drop": ["Med"]})

    assert alphas(case)[-2:] == ratios(1.5, 1.5)


def test_a_removed_target_meets_another_set_with_each_observer() -> None:
    case = world(
        "town,age,smoker,cancer t,71,yes,yes t,75,no,no t,40,yes,yes t,41,yes,yes t,42,no,no t,43,no,yes "
        "t,80,yes,no u,30,yes,no u,31,no,yes u,32,no,no u,90,no,yes u,33,,no u,28,yes,yes u,95,no,no",
        "cancer = 'yes'",
        [{"column": "town"}],
        [
            {"op": "project", "drop": ["cancer"]},
            {"op": "delete", "where": "age > 70"},
            {"op": "delete", "where": "smoker = 'yes'"},
            {"op": "project", "drop": ["smoker", "age"]},
        ],
        types={"age": "integer"},
    )

    last = [alphas(case, kind)[-1] for kind in ("release-only", *OBSERVERS)]

    assert last == ratios(7 / 8, 7 / 6, 7 / 4, 7 / 3, 11 / 12)


def test_a_target_removed_between_two_exposures_has_no_evidence_when_releases_add_up() -> None:
    case = world(
        "guild,tool,debt g,saw,no g,axe,yes g,axe,yes g,awl,no h,saw,no h,saw,yes h,axe,no h,axe,yes",
        "debt = 'yes'",
        [{"column": "guild"}],
        [
            {"op": "project", "drop": ["debt"]},
            {"op": "delete", "rows": [0, 3]},
            {"op": "project", "drop": ["tool"]},
        ],
        targets=[0, 3, 4, 5, 6, 7],
    )

    last = oracle.score(observed_by(case.session, "accumulating", 1), case.rows)["prefixes"][-1]

    assert alphas(case) == ratios(2, 1, 1, 2)
    assert alphas(case, "accumulating") == ratios(2, 1, 1, 1)
    assert last["no_evidence"] == 2
    assert [e["status"] for e in last["evidence"][:2]] == ["lookalikes", "lookalikes"]


def test_a_map_may_name_missing_and_a_second_map_starts_from_the_source_again() -> None:
    case = world(
        "region,job,absence n,nurse,long n,doctor,short n,porter,long n,,short n,clerk,long n,,long "
        "s,nurse,short s,porter,long s,,short s,doctor,long s,clerk,short s,nurse,long",
        "absence = 'long'",
        [{"column": "region"}],
        [
            {"op": "project", "drop": ["absence"]},
            _map("job", nurse="care", doctor="care", porter="support", clerk="support", missing="support"),
            _map("job", nurse="clinical", doctor="clinical", porter="other", clerk="other"),
        ],
    )

    scored = oracle.score(case.session, case.rows)["prefixes"]

    assert alphas(case)[:3] == ratios(2, 2, 4 / 3)
    assert (scored[2]["worst"]["target"], scored[2]["worst"]["k"], scored[2]["worst"]["n"]) == (6, 2, 3)


def _map(column: str, **labels: str) -> Json:
    pairs = [[None if value == "missing" else value, label] for value, label in labels.items()]
    return {"op": "generalize", "column": column, "view": {"map": pairs}}


def test_exact_widths_put_three_tenths_into_its_own_bin_and_nan_apart() -> None:
    case = world(
        "site,conc,ill x,0.3,yes x,0.39,no x,0.29,no x,0.2,yes x,0.7,yes x,0.79,no x,0.6,no x,0.69,yes "
        "x,-0.05,yes x,0.05,no y,1.1,yes y,1.19,no y,1.0,no y,nan,yes y,,no y,0.30,yes y,0.3,no",
        "ill = 'yes'",
        [{"column": "site"}],
        [
            {"op": "project", "drop": ["ill"]},
            {"op": "generalize", "column": "conc", "view": {"level": 1}},
            {"op": "delete", "where": "conc > 0.5"},
        ],
        types={"conc": "decimal"},
        hierarchies={"conc": {"kind": "bins", "levels": [{"width": 0.1, "origin": 0}, "*"]}},
    )

    scored = oracle.score(case.session, case.rows)["prefixes"]
    sets = {e["target"]: (e["k"], e["n"]) for e in scored[2]["evidence"]}

    assert [sets[t] for t in (0, 2, 4, 6, 8, 9, 13, 14)] == [
        (1, 2), (1, 2), (1, 2), (1, 2), (1, 1), (0, 1), (1, 1), (0, 1)
    ]  # fmt: skip
    assert (scored[3]["rows"], scored[3]["no_evidence"]) == (10, 7)


def test_division_is_exact_and_a_missing_or_zero_divisor_is_unknown() -> None:
    case = world(
        "town,paid,visits,deposit,insured P,5,2,1,yes P,7,3,2,no P,5,0,1,yes P,,2,0,no P,9,2,,yes "
        "P,2,1,3,no Q,12,5,2,no Q,0,0,0,yes Q,3,1,4,yes Q,-5,2,1,no",
        "paid / visits > 2.4",
        [{"column": "town"}],
        [{"op": "select", "where": "paid - deposit >= 0 OR insured = 'yes'"}],
        types={"paid": "integer", "visits": "integer", "deposit": "integer"},
        two_sided=True,
    )

    scored = oracle.score(case.session, case.rows)
    prior = {(p["secret"], p["target"]): (p["K"], p["N"]) for p in scored["prior"]}

    assert [prior[pair] for pair in (("s", 0), ("not s", 0), ("s", 6))] == [(2, 6), (4, 6), (1, 4)]
    assert [p["rows"] for p in scored["prefixes"]] == [10, 7]


def test_a_row_operator_does_no_privacy_work_where_no_set_over_budget_changes() -> None:
    case = world(
        "ward,med,age,dx w,ART,30,HIV w,ART,31,HIV w,none,32,flu w,none,33,flu "
        "v,none,40,HIV v,none,41,flu v,ART,42,flu v,ART,43,HIV",
        "dx = 'HIV'",
        [{"column": "ward"}],
        [{"op": "project", "drop": ["dx", "age"]}],
        types={"age": "integer"},
    )
    operators: list[Json] = [
        {"op": "delete", "rows": [2]},
        {"op": "delete", "rows": [0]},
        {"op": "delete", "where": "med = 'none'"},
        {"op": "project", "drop": ["ward"]},
    ]

    got = oracle.candidates(case.session, case.rows, operators)

    assert [c["does_no_privacy_work"] for c in got] == [True, False, True, False]


def test_nothing_left_is_nothing_disclosed_except_to_who_knows_of_the_removal() -> None:
    case = world(
        "ward,dx a,hiv a,flu b,hiv b,flu b,flu",
        "dx = 'hiv'",
        [{"column": "ward"}],
        [{"op": "delete", "where": "1 = 1"}],
    )

    last = oracle.score(case.session, case.rows)["prefixes"][-1]

    assert (last["alpha"], last["feasible"], last["no_evidence"], last["utility"]) == (None, True, 5, 0.0)
    assert [alphas(case, kind)[-1] for kind in OBSERVERS] == [0.0, 0.0, None, 0.0]


def test_a_certain_not_is_minus_infinity_and_never_the_worst_of_a_table_with_more() -> None:
    case = world("q,s a,yes a,no", "s = 'yes'", [{"column": "q"}], [])

    scored = oracle.score(case.session, case.rows)["prefixes"][0]

    assert [e["e"] for e in scored["evidence"]] == [pytest.approx(math.log(2)), "-inf"]
    assert scored["worst"] == {"target": 0, "secret": "s", "k": 1, "n": 1, "K": 1, "N": 2}


TYPES = {"n": {"type": "integer"}, "d": {"type": "date"}, "t": {"type": "text"}, "the x": {"type": "decimal"}}


@pytest.mark.parametrize(
    ("text", "cells", "truth"),
    [
        ("n <> 3", {"n": None}, None),
        ("n <> 3", {"n": "4e"}, None),
        ("n IS NULL", {"n": "4e"}, True),
        ("NOT n = 3 OR t = 'a'", {"n": None, "t": "a"}, True),
        ("n = 1 AND t = 'b'", {"n": None, "t": "a"}, False),
        ("n NOT IN (1, 2)", {"n": None}, None),
        ("n BETWEEN -5 AND 2 * 3", {"n": "6"}, True),
        ("(n + 1) / 2 = 2.5", {"n": "4"}, True),
        ("n / 0 = 1", {"n": "4"}, None),
        ("1 - n - 1 = -4", {"n": "4"}, True),
        ("\"the x\" = 1", {"the x": "1.00"}, True),
        ("CAST(\"the x\" AS VARCHAR) = '1.00'", {"the x": "1.00"}, True),
        ("t LIKE 'a!%_' ESCAPE '!'", {"t": "a%b"}, True),
        ("t LIKE 'A%'", {"t": "ab"}, False),
        ("t NOT LIKE '%b'", {"t": None}, None),
        ("t = 'it''s'", {"t": "it's"}, True),
        ("t < 'a'", {"t": "Z"}, True),
        ("SUBSTR(UPPER(t), 2, 1) = 'É'", {"t": "aéo"}, True),
        ("LENGTH(t) = 0", {"t": ""}, True),
        ("d < '2024-03-01' AND MONTH(d) = 2 AND YEAR(d) = 2024", {"d": "2024-02-29"}, True),
        ("d <> '2024-03-01'", {"d": "2024-02-30"}, None),
    ],
)  # fmt: skip
def test_a_where_expression_follows_three_valued_logic(
    text: str, cells: dict[str, str | None], truth: bool | None
) -> None:
    assert sql.parse(text, TYPES).value(cells) is truth


@pytest.mark.parametrize("text", ["n = 'a'", "n", "n = 1; 2", "m = 1", "n = NULL", "n = 1 OR", "d = 3"])
def test_what_is_outside_the_subset_is_refused(text: str) -> None:
    with pytest.raises((sql.SqlError, ValueError)):
        sql.parse(text, TYPES)


@few
@given(st.data())
def test_a_drawn_predicate_means_the_same_once_written_and_read(data: st.DataObject) -> None:
    rows, columns = data.draw(tables([""]))
    tree = data.draw(predicates(columns))

    read = sql.parse(tree.sql(), {c.name: c.type for c in columns})

    assert [read.value(row) for row in rows] == [tree.value(row) for row in rows]


@few
@given(cases())
def test_a_case_written_to_a_folder_is_read_back_the_same(case: Case) -> None:
    with TemporaryDirectory() as folder:
        path = case.write(Path(folder))

        session = json.loads(path.read_text("utf-8"))
        rows = read_rows(path.with_name("source.csv"), session["source"]["reader"]["missing"])
        operators = json.loads(path.with_name("operators.json").read_text("utf-8"))

    assert (session, rows, operators) == (case.session, case.rows, case.operators)


@few
@given(cases())
def test_a_preview_says_what_the_commit_scores(case: Case) -> None:
    at = case.session.get("position", len(case.session["plan"]))
    before = case.session["plan"][:at]
    exposed = [i for i in case.session["exposed"] if i <= at]

    previews = oracle.candidates(case.session, case.rows, case.operators)

    for preview in previews:
        committed = {**case.session, "plan": [*before, preview["operator"]], "exposed": exposed}
        last, now = (oracle.score(committed, case.rows)["prefixes"][i] for i in (-1, -2))
        for field in ("alpha", "feasible", "over_budget", "utility"):
            assert preview[field] == last[field]
        assert preview["rows_removed"] == now["rows"] - last["rows"]


@few
@given(cases())
def test_coarse_facts_hold_of_every_drawn_case(case: Case) -> None:
    scored = oracle.score(case.session, case.rows)

    pairs = {(p["secret"], p["target"]): p for p in scored["prior"]}
    for prefix in scored["prefixes"]:
        assert len(prefix["evidence"]) == len(pairs)
        for e in prefix["evidence"]:
            prior = pairs[e["secret"], e["target"]]
            assert 0 <= e["k"] <= prior["K"]
            assert e["n"] <= prior["N"]
        assert prefix["feasible"] == (prefix["over_budget"] == 0)


def test_differences_name_the_field_and_overlook_the_order_of_evidence() -> None:
    want = {"evidence": [{"secret": "s", "target": t, "e": float(t)} for t in (0, 1)], "alpha": 0.5}
    same = {"evidence": want["evidence"][::-1], "alpha": 0.5 + 1e-12, "more": 1}  # type: ignore[index]
    other = {"evidence": want["evidence"], "alpha": None}

    assert differences(same, want) == []
    assert differences(other, want) == ["$.alpha: got None, want 0.5"]
