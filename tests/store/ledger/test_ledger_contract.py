"""What a ledger promises, on whichever database it is kept."""

import csv
import os
import random
import time
from pathlib import Path

import pytest
from ledger_home import Home, clinic

from curator_gui.budget.amounts import epsilon_text
from curator_gui.budget.pool import Bound, Kind
from curator_gui.core.errors import BudgetRefusedError, InputError
from curator_gui.store.ledger import Decision, Event, Ledger, Request, RequestRefusedError

NEGOTIATION = Path(__file__).parents[3] / ".." / "shared" / "inputs" / "36_budget_negotiation.csv"
SHARES = {"u1": ("0.5", "0.8"), "u2": ("0.5", "1"), "u3": ("5", "5")}
RACE = os.environ.get("CURATOR_TEST_RACE", "4x20")
"""Processes x requests; 16x200 takes minutes."""


def asked(ledger: Ledger, request: Request) -> Decision:
    """The committed decision, approval or refusal."""
    try:
        return ledger.charge(request)
    except RequestRefusedError as refused:
        return refused.decision


@pytest.mark.skipif(not NEGOTIATION.exists(), reason="the shared inputs are not beside the project")
def test_the_papers_negotiation_comes_out_to_the_digit_in_an_epsilon_pool(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, SHARES)
    with NEGOTIATION.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))

    decisions = []
    for row in rows:
        request = Request.of(dataset.id, clinic(), row["eps_requested"], accept_less=True)
        decisions.append(asked(home.ledger(row["user"]), request))

    assert [epsilon_text(d.approved) for d in decisions] == [row["expected_approved"] for row in rows]
    assert [d.bound for d in decisions] == [
        Bound.PER_REQUEST,
        Bound.USER,
        Bound.DATASET,
        Bound.DATASET,
        Bound.PER_OPERATION,
    ]
    assert [d.sentence() for d in decisions] == [
        "Of ε 0.8 requested, 0.5 is approved: u1 may use at most 0.5 a request.",
        "Of ε 0.5 requested, 0.3 is approved: 0.3 is left in u1's pool.",
        "Of ε 0.5 requested, 0.2 is approved: 0.2 is left in the dataset's pool.",
        "ε 0.1 is refused and nothing spent: the dataset's pool is empty.",
        "ε 3 is refused and nothing spent: no operation may use more than 2.",
    ]


def test_the_same_negotiation_in_a_rho_pool(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)

    steps = [("u1", "0.8"), ("u1", "0.5"), ("u2", "0.5"), ("u2", "0.1"), ("u3", "3"), ("u1", "0.5")]
    decisions = [
        asked(home.ledger(user), Request.of(dataset.id, clinic(), epsilon, accept_less=True))
        for user, epsilon in steps
    ]

    # At δ = 1e-9, in 1e-15 ρ: ρ(0.5), ρ(0.1) and ρ(0.8) − 2ρ(0.5).
    half, tenth, rest = 3_953_191_141_216, 177_138_447_184, 1_853_939_363_696
    assert [d.rho for d in decisions] == [half, half, half, tenth, 0, rest]
    assert [d.bound for d in decisions] == [
        Bound.PER_REQUEST,
        Bound.NONE,
        Bound.NONE,
        Bound.NONE,
        Bound.PER_OPERATION,
        Bound.USER,
    ]
    # ρ(1) − 3ρ(0.5) − ρ(0.1) − rest
    assert home.steward.pool(dataset.id).balance.left == 1_082_406_439_054


def test_ten_tenths_leave_exactly_nothing_of_one(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, {"u1": ("1", "1")})
    ledger = home.ledger("u1")

    for _ in range(10):
        ledger.charge(Request.of(dataset.id, clinic(), 0.1))
    with pytest.raises(RequestRefusedError, match="the dataset's pool is empty"):
        ledger.charge(Request.of(dataset.id, clinic(), 0.1, accept_less=True))

    assert ledger.pool(dataset.id).balance.left == 0
    assert ledger.limits(dataset.id).balance.left == 0


@pytest.mark.parametrize("kind", Kind)
def test_a_preview_says_what_a_charge_then_decides_and_spends_nothing(home: Home, kind: Kind) -> None:
    dataset = home.pool(kind, SHARES)
    ledger = home.ledger("u1")
    request = Request.of(dataset.id, clinic(), "0.8", accept_less=True)

    preview = ledger.preview(request)
    untouched = ledger.pool(dataset.id).balance
    decision = ledger.charge(request)

    assert untouched == dataset.balance
    assert preview.entry is None
    assert preview.sentence() == decision.sentence()
    assert (preview.approved, preview.rho, preview.bound) == (decision.approved, decision.rho, decision.bound)
    assert (preview.dataset_left, preview.user_left) == (decision.dataset_left, decision.user_left)
    assert preview.proven_loss == decision.proven_loss


def test_without_accepting_less_a_smaller_approval_spends_nothing(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)

    with pytest.raises(RequestRefusedError, match=r"0\.5 would be approved") as refused:
        home.ledger("u1").charge(Request.of(dataset.id, clinic(), "0.8"))

    assert refused.value.exit_status == 4
    assert home.steward.pool(dataset.id).balance == dataset.balance


@pytest.mark.parametrize("kind", Kind)
def test_an_accepted_offer_is_charged_and_a_smaller_one_is_not(home: Home, kind: Kind) -> None:
    dataset = home.pool(kind, {"u1": ("1", "0.777"), "u2": ("1", "1")})
    ledger = home.ledger("u1")
    ledger.charge(Request.of(dataset.id, clinic(), "0.3"))
    request = Request.of(dataset.id, clinic(), "0.8")
    preview = ledger.preview(request)
    agreed = request.accepting(preview)

    assert (preview.refused, preview.bound) == (True, Bound.USER)
    home.ledger("u2").charge(Request.of(dataset.id, clinic(), "0.5"))
    if kind is Kind.EPSILON:  # 0.477 was offered, 0.2 is left
        with pytest.raises(RequestRefusedError, match=r"0\.2 would be approved"):
            ledger.charge(agreed)
    else:
        assert ledger.charge(agreed).approved == preview.offered


def test_the_same_request_id_is_charged_once_and_gets_the_first_decision(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, SHARES)
    ledger = home.ledger("u1")
    request = Request.of(dataset.id, clinic(), "0.3")

    first = ledger.charge(request)
    ledger.charge(Request.of(dataset.id, clinic(), "0.2"))
    again = ledger.charge(request)

    assert again == first
    assert epsilon_text(ledger.pool(dataset.id).balance.left) == "0.5"


def test_a_refusal_stays_refused_under_its_request_id(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, {"u1": ("0.1", "0.5")})
    ledger = home.ledger("u1")
    request = Request.of(dataset.id, clinic(), "0.3")

    first = asked(ledger, request)
    home.steward.grant(dataset.id, "u1", per_request="0.5", total="0.5")
    again = asked(ledger, request)

    assert first.refused
    assert again == first


def test_a_request_id_cannot_stand_for_another_request_or_another_user(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)
    first = Request.of(dataset.id, clinic(), "0.3")
    home.ledger("u1").charge(first)

    other_amount = Request(dataset.id, clinic(), 100_000_000, 100_000_000, first.id)
    with pytest.raises(InputError, match="another request"):
        home.ledger("u1").charge(other_amount)
    with pytest.raises(InputError, match="another request"):
        home.ledger("u2").charge(first)


@pytest.mark.parametrize("epsilon", [float("nan"), 0, -1, 1e-12, "half"])
def test_bad_epsilons_never_reach_the_ledger(epsilon: float | str) -> None:
    with pytest.raises(InputError):
        Request.of("pool", clinic(), epsilon)


def test_a_request_for_less_than_the_least_is_bad_input_to_the_ledger_too(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, SHARES)
    ledger = home.ledger("u1")

    for epsilon, least in ((99_999, 99_999), (100_000, 99_999), (100_000, 100_001)):
        with pytest.raises(InputError):
            ledger.charge(Request(dataset.id, clinic(), epsilon, least))

    assert [e.event for e in ledger.history(dataset.id)].count(Event.CHARGE) == 0


def test_a_user_without_a_share_is_refused(home: Home) -> None:
    dataset = home.pool(Kind.RHO, {"u1": ("0.5", "0.8")})

    with pytest.raises((BudgetRefusedError, InputError), match="share"):
        home.ledger("u2").charge(Request.of(dataset.id, clinic(), "0.1"))

    assert home.steward.pool(dataset.id).balance == dataset.balance


def test_the_pool_of_another_dataset_is_not_charged(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)

    with pytest.raises(BudgetRefusedError, match="another dataset"):
        home.ledger("u1").charge(Request.of(dataset.id, clinic("Eve"), "0.1"))

    assert home.steward.pool(dataset.id).balance == dataset.balance


def test_a_pool_that_is_not_there_is_bad_input(home: Home) -> None:
    with pytest.raises(InputError, match="no such pool"):
        home.steward.charge(Request.of("0" * 32, clinic(), "0.1"))


def test_a_dataset_has_one_pool_and_is_found_by_its_content(home: Home) -> None:
    dataset = home.pool(Kind.RHO, {})

    with pytest.raises(InputError, match="already has a pool"):
        home.pool(Kind.EPSILON, {})

    assert home.steward.pool_of(clinic()) == dataset.id
    assert home.steward.pool_of(clinic("Eve")) is None
    assert len(home.steward.pools()) == 1


def test_a_changed_source_is_attached_to_the_pool_it_came_from(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)
    changed = clinic("Ann", "Bob", "Eve")

    home.steward.attach(dataset.id, changed)
    decision = home.ledger("u1").charge(Request.of(dataset.id, changed, "0.1"))

    assert decision.pool == dataset.id
    with pytest.raises(InputError, match="already has a pool"):
        home.steward.attach(dataset.id, changed)


def test_a_later_grant_may_lower_a_total_but_never_raise_it(home: Home) -> None:
    dataset = home.pool(Kind.EPSILON, {"u1": ("0.5", "0.8")})
    home.ledger("u1").charge(Request.of(dataset.id, clinic(), "0.5"))

    with pytest.raises(InputError, match="never refilled"):
        home.steward.grant(dataset.id, "u1", per_request="0.5", total="0.9")
    lowered = home.steward.grant(dataset.id, "u1", per_request="0.7", total="0.6")
    emptied = home.steward.grant(dataset.id, "u1", per_request="0.7", total="0.2")

    assert epsilon_text(lowered.balance.left) == "0.1"
    assert epsilon_text(lowered.balance.per_request) == "0.7"
    assert (emptied.balance.left, epsilon_text(emptied.total)) == (0, "0.5")


def test_delta_must_lie_below_one_over_the_declared_size(home: Home) -> None:
    with pytest.raises(InputError, match="below 1 / 1000"):
        home.steward.create_pool(clinic(), epsilon="1", delta=0.001, size=1000)


def test_a_release_is_marked_by_whom_it_was_charged_to(home: Home) -> None:
    dataset = home.pool(Kind.RHO, SHARES)
    decision = home.ledger("u1").charge(Request.of(dataset.id, clinic(), "0.1"))

    with pytest.raises(InputError, match="No approved charge"):
        home.ledger("u2").mark_released(decision, "ab" * 32)
    with pytest.raises(InputError, match="SHA-256"):
        home.ledger("u1").mark_released(decision, "a file")
    home.ledger("u1").mark_released(decision, "ab" * 32)

    assert home.steward.history(dataset.id)[-1].event == Event.RELEASE
    assert home.steward.audit().consistent


def test_the_proven_loss_of_everything_never_passes_the_pools_epsilon(home: Home) -> None:
    dataset = home.pool(Kind.RHO, {"u1": ("1", "1")})

    decision = home.ledger("u1").charge(Request.of(dataset.id, clinic(), "1"))

    assert decision.proven_loss <= dataset.pool.epsilon
    assert (decision.approved, decision.dataset_left) == (dataset.pool.epsilon, 0)


@pytest.mark.parametrize("kind", Kind)
def test_random_requests_are_decided_as_the_pure_function_does(home: Home, kind: Kind) -> None:
    chance = random.Random(36)
    dataset = home.pool(kind, {"u1": ("0.2", "0.5"), "u2": ("0.31", "2")})
    ledgers = [home.ledger("u1"), home.ledger("u2")]

    for _ in range(30):
        epsilon, least = sorted((chance.randint(100_000, 30_000_000), chance.randint(100_000, 9_000_000)))[
            ::-1
        ]
        ledger = chance.choice(ledgers)
        request = Request(dataset.id, clinic(), epsilon * chance.choice((1, 10, 100)), least)
        preview = ledger.preview(request)
        decision = asked(ledger, request)
        assert (preview.approved, preview.rho, preview.offered, preview.bound) == (
            decision.approved,
            decision.rho,
            decision.offered,
            decision.bound,
        )

    assert home.steward.audit().findings == ()


def test_racing_processes_never_overspend_and_leave_nothing_unspent(home: Home) -> None:
    processes, count = (int(part) for part in RACE.split("x"))
    dataset = home.pool(Kind.EPSILON, {f"u{i}": ("1", "1") for i in (1, 2, 3)})
    epsilon = epsilon_text(1_000_000_000 * 3 // (processes * count * 2) // 7 * 7)  # a third is refused

    racers = [home.racer(f"u{i % 3 + 1}", dataset, clinic(), epsilon, count) for i in range(processes)]
    answers = [racer.communicate(timeout=300) for racer in racers]

    assert [error for _, error in answers] == [""] * processes
    printed = " ".join(out for out, _ in answers).split()
    entries = home.steward.history(dataset.id)
    approved = [e.approved for e in entries if e.event == Event.CHARGE]
    assert len(printed) == processes * count
    assert sorted(int(p) for p in printed if p != "refused") == [
        e.number for e in entries if e.event == Event.CHARGE
    ]
    assert sum(approved) + home.steward.pool(dataset.id).balance.left == 1_000_000_000
    assert home.steward.pool(dataset.id).balance.left < 100_000
    assert home.steward.audit().findings == ()


def test_a_kill_at_any_moment_loses_no_charge_and_gives_none_back(home: Home) -> None:
    chance = random.Random(9)
    dataset = home.pool(Kind.EPSILON, {"u1": ("1", "1")})

    confirmed = []
    for _ in range(4):
        racer = home.racer("u1", dataset, clinic(), "0.001", 10_000)
        assert racer.stdout is not None
        first = racer.stdout.readline()
        time.sleep(chance.uniform(0, 0.2))
        racer.kill()
        rest, _ = racer.communicate(timeout=60)
        confirmed += [int(line) for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]

    audit = home.steward.audit()
    charges = [e.number for e in home.steward.history(dataset.id) if e.event == Event.CHARGE]
    assert audit.findings == ()
    assert set(confirmed) <= set(charges)
    assert len(charges) <= len(confirmed) + 4
    assert home.steward.pool(dataset.id).balance.left == 1_000_000_000 - len(charges) * 1_000_000
