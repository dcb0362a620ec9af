"""Whatever an intruder with every right does to a ledger, the audit finds; what nobody can prove, it says."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ledger_home import Home, clinic

from curator_gui.budget.pool import Kind
from curator_gui.core.errors import FileError
from curator_gui.store.ledger import Anchor, Dataset, Decision, Request, read_anchors
from curator_gui.store.ledger.chain import Entry, entry_hash, netstrings


def used(home: Home) -> tuple[Dataset, list[Decision]]:
    """A pool with entries 1 create, 2 and 3 grants, 4 to 7 charges, 8 a release of entry 4."""
    dataset = home.pool(Kind.EPSILON, {"u1": ("0.5", "0.8"), "u2": ("0.5", "1")})
    u1, u2 = home.ledger("u1"), home.ledger("u2")
    asked = [(u1, "0.1"), (u2, "0.2"), (u1, "0.05"), (u2, "0.03")]
    decisions = [who.charge(Request.of(dataset.id, clinic(), epsilon)) for who, epsilon in asked]
    u1.mark_released(decisions[0], "ab" * 32)
    return dataset, decisions


def anchor(decision: Decision) -> Anchor:
    assert decision.entry is not None
    assert decision.hash is not None
    return Anchor(decision.pool, decision.entry, decision.hash, "manifest.json")


def written(entries: list[Entry]) -> list[str]:
    """Statements that put entries into an empty chain, as a forger who knows the format does."""

    def literal(value: str | int | None) -> str:
        return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)

    rows = (", ".join(literal(getattr(entry, name)) for name in Entry.__slots__) for entry in entries)
    return [f"INSERT INTO entries VALUES ({row})" for row in rows]


def rechained(entries: list[Entry]) -> list[Entry]:
    """The same entries under fresh numbers and hashes, so that the chain holds."""
    out: list[Entry] = []
    for entry in entries:
        moved = replace(entry, number=len(out) + 1, previous=out[-1].hash if out else "0" * 64)
        out.append(replace(moved, hash=entry_hash(moved)))
    return out


def test_an_untouched_ledger_is_consistent_but_without_an_anchor_its_tail_is_unproven(home: Home) -> None:
    used(home)

    audit = home.steward.audit()

    assert audit.findings == ()
    assert audit.sentence() == "consistent; the tail cannot be proven"


def test_anchors_prove_a_ledger_up_to_the_last_of_them(home: Home) -> None:
    _, decisions = used(home)

    audit = home.steward.audit([anchor(decisions[2]), anchor(decisions[0])])

    assert audit.findings == ()
    assert (audit.pools[0].proven, audit.pools[0].entries) == (6, 8)
    assert audit.sentence() == "consistent; what follows the anchored entries cannot be proven."


@pytest.mark.parametrize(
    ("edits", "found"),
    [
        (["UPDATE entries SET rho = 1 WHERE number = 5"], "Entry 5 was edited"),
        (["UPDATE entries SET approved = 1 WHERE number = 5"], "Entry 5 was edited"),
        (["UPDATE entries SET user_name = 'u2' WHERE number = 4"], "Entry 4 was edited"),
        (["UPDATE entries SET at = '2020-01-01T00:00:00.000000Z' WHERE number = 8"], "Entry 8 was edited"),
        (["DELETE FROM entries WHERE number = 5"], "Entries 5 to 5 are missing"),
        (["DELETE FROM entries WHERE number = 1"], "Entries 1 to 1 are missing"),
        (["DELETE FROM entries WHERE number = 8"], None),
        (["DELETE FROM entries WHERE number >= 7"], "dataset's balance is not what the entries leave"),
        (
            [
                "UPDATE entries SET number = 99 WHERE number = 5",
                "UPDATE entries SET number = 5 WHERE number = 6",
                "UPDATE entries SET number = 6 WHERE number = 99",
            ],
            "Entry 5 does not follow the one before",
        ),
        (["UPDATE pools SET dataset_left = capacity"], "dataset's balance is not what the entries leave"),
        (["UPDATE pools SET rho_spent = 0"], "dataset's balance is not what the entries leave"),
        (["UPDATE users SET user_left = total"], "users' balances are not what the entries leave"),
        (["UPDATE users SET per_request = 900000000"], "users' balances are not what the entries leave"),
        (["UPDATE pools SET per_operation = 5000000000"], "other terms"),
        (["UPDATE pools SET delta = '1e-06'"], "other terms"),
        (["UPDATE tariff SET rho = 1 WHERE epsilon = 100000"], "other terms"),
        (["UPDATE datasets SET fingerprint = 'another'"], "datasets attached"),
        (
            ["DELETE FROM tariff", "DELETE FROM users", "DELETE FROM datasets", "DELETE FROM pools"],
            "not in the list",
        ),
    ],
)
def test_an_edited_ledger_is_found(home: Home, edits: list[str], found: str | None) -> None:
    used(home)

    home.edit(*edits)

    sentences = [finding.sentence for finding in home.steward.audit().findings]
    if found is None:  # a mark of release cut off the end takes nothing with it; only an anchor could tell
        assert sentences == []
    else:
        assert any(found in sentence for sentence in sentences), sentences


def test_an_inserted_entry_is_found(home: Home) -> None:
    dataset, _ = used(home)
    entries = home.steward.history(dataset.id)
    forged = replace(entries[4], number=9, request="forged", previous=entries[-1].hash)

    home.edit(*written([replace(forged, hash=entry_hash(forged))]))

    assert any("Entry 9" in f.sentence for f in home.steward.audit().findings)


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda entries: [*entries[:4], *entries[5:]], id="without one charge"),
        pytest.param(
            lambda entries: [*entries[:3], entries[4], entries[3], *entries[5:]], id="in another order"
        ),
        pytest.param(
            lambda entries: [*entries[:4], replace(entries[4], approved=1), *entries[5:]], id="cheaper"
        ),
    ],
)
def test_a_history_forged_with_correct_hashes_does_not_add_up(
    home: Home, forge: Callable[[list[Entry]], list[Entry]]
) -> None:
    dataset, _ = used(home)
    entries = home.steward.history(dataset.id)

    home.edit("DELETE FROM entries", *written(rechained(forge(entries))))

    assert home.steward.audit().findings != ()


def replaced(place: int, **changes: str | int | None) -> Callable[[list[Entry]], list[Entry]]:
    return lambda entries: [replace(e, **changes) if e.number == place else e for e in entries]


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (lambda entries: entries[1:], "a pool begins with its creation"),
        (lambda entries: [entries[0], *entries], "a pool begins with its creation"),
        (lambda entries: [*entries[:6], entries[5], *entries[6:]], "repeats a request id"),
        (lambda entries: [entries[0], *entries[2:]], "charges a user who was granted nothing"),
        (
            lambda entries: [
                *entries[:3],
                replace(entries[1], detail=netstrings(500_000_000, 1_000_000_000)),
                *entries[3:],
            ],
            "raises a user's total",
        ),
        (replaced(2, user_left=1), "leaves another balance"),
        (replaced(8, event="loan"), "of no known kind"),
        (replaced(8, detail=netstrings(2, "ab" * 32)), "marks a release that no charge paid for"),
        (replaced(8, user_name="u2"), "marks a release that no charge paid for"),
        (replaced(8, detail="nonsense"), "cannot be understood"),
        (replaced(8, dataset_left=5), "leaves another balance"),
        (replaced(5, event="refusal"), "calls a refusal a charge"),
        (replaced(5, requested=5), "cannot be understood"),
        (replaced(5, bound="user"), "decides otherwise than the rules do"),
    ],
)
def test_a_forger_who_keeps_the_chain_breaks_the_rules(
    file_home: Home, forge: Callable[[list[Entry]], list[Entry]], found: str
) -> None:
    dataset, _ = used(file_home)
    entries = file_home.steward.history(dataset.id)

    file_home.edit(
        "CREATE TABLE copy AS SELECT * FROM entries WHERE false",
        "DROP TABLE entries",
        "ALTER TABLE copy RENAME TO entries",
        *written(rechained(forge(entries))),
    )

    sentences = [finding.sentence for finding in file_home.steward.audit().findings]
    assert any(found in sentence for sentence in sentences), sentences


def test_a_history_forged_with_correct_hashes_and_balances_is_found_by_an_anchor_alone(home: Home) -> None:
    dataset, decisions = used(home)
    entries = home.steward.history(dataset.id)
    forged = [*entries[:4], *(replace(e, at="2020-01-01T00:00:00.000000Z") for e in entries[4:])]

    home.edit("DELETE FROM entries", *written(rechained(forged)))

    assert home.steward.audit().findings == ()
    assert home.steward.audit([anchor(decisions[0])]).findings == ()
    assert "remembers entry 6 otherwise" in home.steward.audit([anchor(decisions[2])]).findings[0].sentence


def test_a_restored_backup_is_found_by_an_anchor_alone(home: Home) -> None:
    dataset, decisions = used(home)
    user_left = {u.user: u.balance.left for u in home.steward.users(dataset.id)}
    balance = home.steward.pool(dataset.id).balance
    later = home.ledger("u1").charge(Request.of(dataset.id, clinic(), "0.1"))

    home.edit(
        "DELETE FROM entries WHERE number > 8",
        f"UPDATE pools SET dataset_left = {balance.left}, rho_spent = {balance.rho_spent}",
        *(
            f"UPDATE users SET user_left = {left} WHERE user_name = '{user}'"
            for user, left in user_left.items()
        ),
    )

    assert home.steward.audit([anchor(d) for d in decisions]).findings == ()
    (finding,) = home.steward.audit([anchor(later)]).findings
    assert finding.entry == 9
    assert "an older copy of the ledger was restored" in finding.sentence


def test_a_release_that_no_charge_paid_for_is_reported(home: Home) -> None:
    dataset, _ = used(home)
    entries = home.steward.history(dataset.id)

    never = Anchor(dataset.id, 12, "ab" * 32, "never.json")
    a_grant = Anchor(dataset.id, 2, entries[1].hash, "grant.json")
    elsewhere = Anchor("0" * 32, 4, "ab" * 32, "elsewhere.json")
    findings = home.steward.audit([never, a_grant, elsewhere]).findings

    assert [f.sentence.split(" ")[0] for f in findings] == ["never.json", "grant.json", "elsewhere.json"]
    assert "never committed" in findings[0].sentence
    assert "without a charge" in findings[1].sentence
    assert "does not have" in findings[2].sentence


def test_anchors_are_read_from_wherever_a_manifest_or_session_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "external.json"
    kept = [{"pool": "p", "entry": n, "hash": f"{n:064x}"} for n in (4, 7)]
    path.write_text(json.dumps({"format": "x/1", "ledger": kept[0], "releases": [{"ledger": kept[1]}]}))

    anchors = read_anchors(path)

    assert [(a.pool, a.entry, a.hash) for a in anchors] == [("p", 4, f"{4:064x}"), ("p", 7, f"{7:064x}")]


@pytest.mark.parametrize("content", ["{}", "[1]", '{"pool": "p", "entry": "4", "hash": "x"}'])
def test_a_file_may_hold_no_anchor(tmp_path: Path, content: str) -> None:
    path = tmp_path / "external.json"
    path.write_text(content)

    assert read_anchors(path) == []


@pytest.mark.parametrize("content", ["", "no json", "[" * 9999])
def test_a_file_that_is_no_json_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "external.json"
    path.write_text(content)

    with pytest.raises(FileError, match=r"external\.json"):
        read_anchors(path)
