"""Synthesizing for a session, with a real ledger and a real child process: what is paid when."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from synthetic_world import DOMAIN, ledger_for, order_for, session_file

from curator_gui.core.errors import BudgetRefusedError, Cancelled, FileError, InputError
from curator_gui.core.operators import Delete
from curator_gui.core.predicate import parse_predicate
from curator_gui.session import Session
from curator_gui.store.ledger import Event, Ledger, read_anchors
from curator_gui.synthesis import Domain, Phase, Stage, StageProgress, Unit, read_dictionary
from curator_gui.synthesis.domain import Codebook
from curator_gui.synthesizing import (
    CancelledAfterCharge,
    ChargedError,
    Made,
    Order,
    choosable_columns,
    code_labels,
    compare,
    domain_for,
    export,
    moved_errors,
    plan_queries,
    preview,
    process,
    read_domain_file,
    require_per_row,
    run,
    typed_dates,
    typed_integers,
    typed_numbers,
    typed_values,
)
from curator_gui.synthesizing.source import encoded

SHARED = Path(__file__).parents[1] / ".." / "shared"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session.load(session_file(tmp_path))


@pytest.fixture
def ledger(session: Session, tmp_path: Path) -> Ledger:
    return ledger_for(session, tmp_path)


def made_for(session: Session, ledger: Ledger, **choices: Any) -> Made:
    order = order_for(session, **choices)
    return run(session, ledger, order, preview(session, ledger, order).request)


def events(ledger: Ledger) -> list[str]:
    (pool,) = ledger.pools()
    return [e.event for e in ledger.history(pool.id) if e.event not in (Event.CREATE, Event.GRANT)]


BEFORE = (Phase.STARTING, Phase.ASKING)


def cancels_at(*phases: Phase) -> StageProgress:
    def progress(done: float, stage: Stage) -> None:
        if stage.phase in phases:
            raise Cancelled

    return progress


# --- what is paid when


def test_a_preview_spends_nothing_and_says_what_to_expect(session: Session, ledger: Ledger) -> None:
    shown = preview(session, ledger, order_for(session))

    assert shown.decision.approved == 10**9
    (error,) = shown.errors
    assert error.columns == ("sex", "smoker")
    assert error.rows is not None
    assert error.share == pytest.approx(error.rows / 1000)
    assert events(ledger) == []


def test_a_run_charges_then_makes_a_table_and_an_export_marks_it_released(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    made = made_for(session, ledger)
    after_run = events(ledger)

    exported = export(made, tmp_path / "out.csv", session, ledger)

    assert after_run == [Event.CHARGE]
    assert events(ledger) == [Event.CHARGE, Event.RELEASE]
    assert made.synthesis.spent <= made.decision.rho
    assert exported.sha256 == hashlib.sha256((tmp_path / "out.csv").read_bytes()).hexdigest()


def test_the_charge_stands_in_the_ledger_before_anything_is_measured(
    session: Session, ledger: Ledger
) -> None:
    seen: list[tuple[Phase, list[str]]] = []
    order = order_for(session)

    run(
        session,
        ledger,
        order,
        preview(session, ledger, order).request,
        lambda done, stage: seen.append((stage.phase, events(ledger))),
    )

    before = [charged for phase, charged in seen if phase in BEFORE]
    after = [charged for phase, charged in seen if phase not in BEFORE]
    assert before
    assert after
    assert Phase.CHARGED in dict(seen)
    assert all(charged == [] for charged in before)
    assert all(charged == [Event.CHARGE] for charged in after)


def test_cancelling_before_the_charge_costs_nothing(session: Session, ledger: Ledger) -> None:
    order = order_for(session)
    request = preview(session, ledger, order).request

    with pytest.raises(Cancelled) as cancelled:
        run(session, ledger, order, request, cancels_at(Phase.ASKING))

    assert not isinstance(cancelled.value, CancelledAfterCharge)
    assert events(ledger) == []


def test_cancelling_after_the_charge_costs_everything_and_says_so(session: Session, ledger: Ledger) -> None:
    order = order_for(session)
    request = preview(session, ledger, order).request

    with pytest.raises(CancelledAfterCharge, match=r"ε 1 was charged .* stays charged") as cancelled:
        run(session, ledger, order, request, cancels_at(Phase.MEASURING, Phase.ROUND))

    assert events(ledger) == [Event.CHARGE]
    assert cancelled.value.decision.approved == 10**9


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_child_that_is_killed_after_the_charge_leaves_the_charge_and_one_sentence(
    session: Session, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = order_for(session)
    request = preview(session, ledger, order).request
    started: list[int] = []
    begin = process.SynthesisProcess.wait_until_ready

    def remembered(child: process.SynthesisProcess, progress: StageProgress) -> None:
        started.append(child.pid)
        begin(child, progress)

    def kill(done: float, stage: Stage) -> None:
        if stage.phase is Phase.MEASURING:
            os.kill(started[0], signal.SIGKILL)

    monkeypatch.setattr(process.SynthesisProcess, "wait_until_ready", remembered)

    with pytest.raises(ChargedError, match=r"ended before it was done; ε 1 was charged .* stays charged"):
        run(session, ledger, order, request, kill)

    assert events(ledger) == [Event.CHARGE]


def test_a_child_that_cannot_start_costs_nothing(
    session: Session, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = order_for(session)
    request = preview(session, ledger, order).request
    monkeypatch.setattr(process, "_START", ("raise SystemExit(1)", ""))

    with pytest.raises(process.ProcessEndedError, match="nothing was charged"):
        run(session, ledger, order, request)

    assert events(ledger) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_child_does_not_outlive_a_parent_that_was_killed() -> None:
    program = (
        "from curator_gui.synthesizing.process import synthesis_process\n"
        "import time\n"
        "with synthesis_process() as child:\n"
        "    print(child.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())

    parent.kill()
    parent.communicate()

    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    """Whether it is there and more than a zombie that nobody waits for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_no_child_is_left_after_a_cancelled_run(
    session: Session, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = order_for(session)
    request = preview(session, ledger, order).request
    ended: list[process.SynthesisProcess] = []
    end = process.SynthesisProcess.end
    monkeypatch.setattr(process.SynthesisProcess, "end", lambda child: (ended.append(child), end(child))[1])

    with pytest.raises(CancelledAfterCharge):
        run(session, ledger, order, request, cancels_at(Phase.MEASURING, Phase.ROUND))

    (child,) = ended
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_a_smaller_approval_that_is_not_accepted_is_refused(session: Session, tmp_path: Path) -> None:
    ledger = ledger_for(session, tmp_path, per_request="0.5")
    order = order_for(session)
    shown = preview(session, ledger, order)

    with pytest.raises(BudgetRefusedError, match=r"0\.5 would be approved"):
        run(session, ledger, order, shown.request)

    assert ledger.limits(shown.request.pool).balance.left == ledger.limits(shown.request.pool).total
    assert shown.errors  # what the smaller amount would buy


def test_a_smaller_approval_that_is_accepted_is_what_is_charged(session: Session, tmp_path: Path) -> None:
    ledger = ledger_for(session, tmp_path, per_request="0.5")
    order = order_for(session)
    shown = preview(session, ledger, order)

    made = run(session, ledger, order, shown.request.accepting(shown.decision))

    assert made.decision.approved == pytest.approx(5 * 10**8, rel=1e-6)
    assert made.synthesis.spent <= made.decision.rho


def test_a_source_that_the_ledger_does_not_know_is_refused_before_anything(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "people.csv").write_text("sex,age,smoker\nF,30,no\n", encoding="utf-8")
    stranger = Session.open_table(other / "people.csv")

    with pytest.raises(InputError, match="has no pool in the ledger"):
        preview(stranger, ledger, order_for(stranger))


# --- what is synthesized


def test_deleting_by_row_number_is_refused_by_its_step_and_the_source_is_not(tmp_path: Path) -> None:
    plan = [{"op": "select", "where": "age > 20"}, {"op": "delete", "rows": [2]}]
    session = Session.load(session_file(tmp_path, plan))

    with pytest.raises(InputError, match=r"Step 2 deletes records by their number.*by a condition"):
        choosable_columns(session, "prepared")

    assert choosable_columns(session, "source") == ("sex", "age", "smoker")


def test_the_prepared_table_is_what_its_steps_leave_and_show(tmp_path: Path) -> None:
    plan = [
        {"op": "project", "drop": ["smoker"]},
        {"op": "generalize", "column": "age", "view": {"bins": [30, 60]}},
        {"op": "delete", "where": "sex = 'M'"},
    ]
    session = Session.load(session_file(tmp_path, plan))

    domain = domain_for(session, "prepared", choosable_columns(session, "prepared"))
    codes = encoded(session, "prepared", domain, None)

    assert domain.names == ("sex", "age")
    assert code_labels(domain.columns[1])[:3] == ["< 30", "[30, 60)", "≥ 60"]
    assert domain.columns[1].provenance == "typed"
    assert len(codes) == 30
    assert domain.decode(codes, None)["sex"].values.tolist() == ["F"]  # type: ignore[arg-type]


def test_values_that_a_step_removed_are_not_proposed(tmp_path: Path) -> None:
    session = Session.load(session_file(tmp_path, [{"op": "delete", "where": "sex = 'M'"}]))

    domain = domain_for(session, "prepared", ["sex"])

    assert code_labels(domain.columns[0]) == ["F", "other"]
    assert domain.proposed == ("sex",)


def test_a_ladder_declares_a_domain_without_a_look_at_the_rows(tmp_path: Path) -> None:
    ladder = {"kind": "table", "levels": [[["F", "f"], ["M", "m"], ["X", "x"]]], "provenance": "imported"}
    session = Session.load(session_file(tmp_path, hierarchies={"sex": ladder}))

    (column,) = domain_for(session, "prepared", ["sex"]).columns

    assert code_labels(column) == ["F", "M", "X", "other", "(missing)"]
    assert column.provenance == "imported"


def test_a_person_has_at_most_so_many_rows_by_the_source_s_own_key(tmp_path: Path) -> None:
    session = Session.load(session_file(tmp_path, [{"op": "project", "drop": ["person"]}]))
    domain = domain_for(session, "prepared", ["sex", "smoker"])

    assert len(encoded(session, "prepared", domain, Unit("person", 1))) == 30
    assert len(encoded(session, "prepared", domain, Unit("person", 2))) == 60


def test_more_rows_a_person_make_the_expected_error_larger(session: Session) -> None:
    order = order_for(session)

    one = moved_errors(order, 1e-6, epsilons=[1.0], priorities=[0.3])
    three = moved_errors(replace(order, unit=Unit("person", 3)), 1e-6, epsilons=[1.0], priorities=[0.3])

    assert three[0].errors[0].sigma == pytest.approx(3 * (one[0].errors[0].sigma or 0), rel=1e-6)


def test_the_expected_error_falls_with_epsilon_and_with_priority(session: Session) -> None:
    moves = moved_errors(order_for(session), 1e-6, epsilons=[0.5, 1.0], priorities=[0.2, 0.6])

    errors = {(m.epsilon, m.priority): m.errors[0].rows or 0 for m in moves}
    assert errors[0.5, 0.2] > errors[1.0, 0.2] > errors[1.0, 0.6] > 0


def test_the_plan_s_columns_pair_up(tmp_path: Path) -> None:
    plan = [{"op": "generalize", "column": "age", "view": {"bins": [30, 60]}}]
    protection = {"visible": [{"column": "sex"}], "budget": 5}
    session = Session.load(session_file(tmp_path, plan, protection=protection))

    assert plan_queries(session, ("sex", "age", "smoker")) == (("sex", "age"),)


@pytest.mark.parametrize(
    ("interest", "sentence"),
    [
        ((("sex", "height"),), "names “height”"),
        ((("sex", "sex"),), "different columns"),
        (((),), "one or more different columns"),
    ],
)
def test_a_query_that_cannot_be_is_refused(session: Session, interest: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        order_for(session, interest=interest)


def test_queries_that_would_make_the_model_too_large_are_named(session: Session) -> None:
    with pytest.raises(InputError, match="the interest query “sex × age × smoker”"):
        order_for(session, interest=(("sex", "age", "smoker"),), model_limit=20)


@pytest.mark.parametrize("epsilon", ["nan", "0", "-1", "1e-12", "a lot", "inf"])
def test_an_epsilon_that_is_none_is_refused(session: Session, epsilon: str) -> None:
    with pytest.raises(InputError):
        order_for(session, epsilon)


# --- domains from files and bounds


def test_a_dictionary_in_csv_declares_what_the_same_in_json_does(tmp_path: Path) -> None:
    lines = ["column,kind,value", "sex,value,F", "sex,value,M", "sex,missing,false"]
    lines += [f"age,edge,{e}" for e in (0, 30, 60, 90)]
    lines += ["smoker,value,no", "smoker,value,yes", "smoker,missing,false"]
    path = tmp_path / "domain.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert read_domain_file(path) == read_dictionary(DOMAIN)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("d.json", "{", "its JSON cannot be read"),
        ("d.json", "[]", "must be a JSON object"),
        ("d.json", '{"a": 2, "a": 3}', "“a”.* twice"),
        ("d.json", '{"a": {"values": 3}}', "d.json.a.values"),
        ("d.json", '{"a": {"edges": [3, 1]}}', "“a” need two or more edges"),
        ("d.csv", "name,x\na,1\n", "needs the columns column and value"),
        ("d.csv", "column,kind,value\na,size,many\n", "“many” is no size"),
        ("d.csv", "column,kind,value\na,colour,red\n", "line 2.*“colour” is no kind"),
    ],
)
def test_a_malformed_domain_file_is_one_sentence(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=sentence):
        read_domain_file(tmp_path / name)


def test_a_domain_of_a_column_that_is_not_there_is_refused(session: Session) -> None:
    with pytest.raises(InputError, match="names “height”, which the table to synthesize does not have"):
        domain_for(session, "prepared", ["sex"], read_dictionary({"height": 3}))


def test_bounds_are_typed_as_text_and_refused_where_they_are_none() -> None:
    assert code_labels(typed_numbers("age", "0", "90", 3))[0] == "[0, 30)"
    with pytest.raises(InputError, match="is no bound"):
        typed_numbers("age", "zero", "90", 3)
    with pytest.raises(InputError, match="bounds that increase"):
        typed_numbers("age", "90", "0", 3)
    with pytest.raises(InputError, match="after the first"):
        typed_dates("day", date(2024, 1, 1), date(2024, 1, 1), 3)


CODES = Domain((Codebook("sex", 2), Codebook("smoker", 2), typed_integers("ward", 1, 3)))
CLOSED = Domain(
    tuple(
        typed_values(name, values, missing=False, closed=True)
        for name, values in (("sex", "01"), ("smoker", "01"), ("ward", "123"))
    )
)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared inputs are not beside the project")
@pytest.mark.parametrize("domain", [CODES, CLOSED], ids=["whole numbers", "closed lists"])
def test_a_declared_value_that_the_data_lacks_may_appear_and_nothing_undeclared_does(
    tmp_path: Path, domain: Domain
) -> None:
    shutil.copy(SHARED / "inputs" / "30_category_absent_from_data.csv", tmp_path / "people.csv")
    session = Session.open_table(tmp_path / "people.csv")
    ledger = ledger_for(session, tmp_path)
    order = Order(domain, "1", interest=(("sex", "ward"),), origin="source", rows=500)
    shown = preview(session, ledger, order)

    made = run(session, ledger, order, shown.request)
    export(made, tmp_path / "out.csv", session, ledger)

    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 500
    assert shown.errors[0].rows is not None
    assert {r["ward"] for r in rows} <= {"1", "2", "3"}
    assert {r["sex"] for r in rows} <= {"0", "1"}
    assert {r["smoker"] for r in rows} <= {"0", "1"}


# --- export


def test_the_external_manifest_says_what_was_promised_and_nothing_of_the_source(
    tmp_path: Path,
) -> None:
    session = Session.load(session_file(tmp_path, [{"op": "select", "where": "age > 21"}]))
    ledger = ledger_for(session, tmp_path)
    made = made_for(session, ledger)

    exported = export(made, tmp_path / "out.csv", session, ledger)

    text = exported.external_path.read_text("utf-8")
    manifest = json.loads(text)
    assert manifest["mechanism"] == "cusyn-aim"
    assert (manifest["epsilon"], manifest["delta"]) == (1.0, 1e-6)
    assert manifest["rho"] == made.decision.rho / 10**15
    assert manifest["ledger"] == made.decision.anchor()
    assert manifest["domains"]["age"]["edges"] == ["0", "30", "60", "90"]
    assert hashlib.sha256((tmp_path / "people.csv").read_bytes()).hexdigest() not in text
    assert "age > 21" not in text
    assert not {"rows", "source", "plan", "alpha"} & set(manifest)


def test_the_internal_manifest_is_for_its_owner_alone(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    exported = export(made_for(session, ledger), tmp_path / "out.csv", session, ledger)

    assert exported.internal_path is not None
    assert stat.S_IMODE(exported.internal_path.stat().st_mode) == 0o600
    record = json.loads(exported.internal_path.read_text("utf-8"))
    assert record["source"]["rows"] == 60
    assert sum(e["cost"] for e in record["measured"]) <= record["rho_units"]


def test_manifest_and_session_prove_the_ledger_up_to_their_entry(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    made = made_for(session, ledger)
    exported = export(made, tmp_path / "out.csv", session, ledger)
    session.save(tmp_path / "people.curation.json")

    anchors = [*read_anchors(exported.external_path), *read_anchors(tmp_path / "people.curation.json")]

    assert {a.hash for a in anchors} == {made.decision.hash}
    assert ledger.audit(anchors).consistent
    assert Session.load(tmp_path / "people.curation.json").record == session.record


def test_a_curated_table_released_beside_a_synthetic_one_says_so(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    export(made_for(session, ledger), tmp_path / "out.csv", session, ledger)

    released = session.release(tmp_path / "curated.csv", keep_identifiers=["person"])

    assert any("synthetic table of the same data was exported as “out.csv”" in w for w in released.warnings)


def test_parquet_holds_the_same_table(session: Session, ledger: Ledger, tmp_path: Path) -> None:
    made = made_for(session, ledger)

    export(made, tmp_path / "out.parquet", session, ledger)

    read = Session.open_table(tmp_path / "out.parquet").table
    assert [read["age"].cell(r) for r in range(read.rows)] == [
        made.table["age"].cell(r) for r in range(made.table.rows)
    ]


def test_an_export_that_fails_can_be_repeated_and_is_not_charged_again(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    made = made_for(session, ledger)

    with pytest.raises(FileError, match="still here to be exported again, and ε 1 was charged"):
        export(made, tmp_path / "missing" / "out.csv", session, ledger)
    export(made, tmp_path / "out.csv", session, ledger)

    assert events(ledger) == [Event.CHARGE, Event.RELEASE]


def test_a_table_made_with_a_seed_is_not_exported(session: Session, ledger: Ledger, tmp_path: Path) -> None:
    made = made_for(session, ledger)
    seeded = replace(made, synthesis=replace(made.synthesis, private=False))

    with pytest.raises(InputError, match="not private"):
        export(seeded, tmp_path / "out.csv", session, ledger)

    assert not (tmp_path / "out.csv").exists()


def test_warnings_speak_of_records_proposals_and_earlier_releases(
    session: Session, ledger: Ledger, tmp_path: Path
) -> None:
    session.release(tmp_path / "curated.csv", keep_identifiers=["person"])

    warnings = preview(session, ledger, order_for(session)).warnings

    assert warnings[0] == "It protects one record, not one person."
    assert any("“smoker” is proposed from the data" in w for w in warnings)
    assert any("curated table was released" in w for w in warnings)


def test_a_comparison_sets_the_two_tables_side_by_side(session: Session, ledger: Ledger) -> None:
    compared = compare(session, made_for(session, ledger))

    labels, real, synthetic = compared.shares("sex")
    assert labels == ["F", "M", "other"]
    assert real.tolist() == [0.5, 0.5, 0.0]
    assert synthetic.sum() == pytest.approx(1)
    assert compared.errors().shape == (3, 3)
    assert compared.errors()[0, 2] == compared.error(["smoker", "sex"])


def test_a_delete_by_condition_is_per_row() -> None:
    require_per_row((Delete(parse_predicate("age > 20")),))
