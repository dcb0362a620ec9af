"""The budget panel and the owner's dialog, with a real ledger in a folder of the test's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from synthetic_world import ledger_for

from curator_gui.budget.pool import Bound, Kind
from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.charts.budget_bar import BudgetBar
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.pools import PoolsDialog
from curator_gui.gui.models.pools import history_lines, history_model
from curator_gui.gui.panels.budget import BudgetPanel
from curator_gui.session import Session
from curator_gui.store.ledger import Request, init_ledger

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(controller: Controller, budgets: Budgets, session: Session, qtbot: QtBot) -> BudgetPanel:
    made = BudgetPanel(controller, budgets)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def pools(controller: Controller, budgets: Budgets, session: Session, qtbot: QtBot) -> PoolsDialog:
    made = PoolsDialog(controller, budgets)
    qtbot.addWidget(made)
    made.show()
    return made


def click(qtbot: QtBot, parent: QWidget, name: str) -> None:
    button = parent.findChild(QPushButton, name)
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def fill_in(qtbot: QtBot, parent: QWidget, **fields: str) -> None:
    for name, words in fields.items():
        field = parent.findChild(QLineEdit, name)
        field.clear()
        qtbot.keyClicks(field, words)


def text(parent: QWidget, name: str) -> str:
    return str(parent.findChild(QLabel, name).text())


# --- the panel


def test_without_a_ledger_the_panel_says_what_to_do(panel: BudgetPanel) -> None:
    panel.show()

    assert "no ledger yet" in text(panel, "budget_hint")
    assert panel.findChild(QPushButton, "first_pools").isVisible()


def test_the_panel_reads_the_ledger_when_it_is_seen_and_not_before(
    panel: BudgetPanel, budgets: Budgets, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    ledger_for(session, tmp_path)
    assert budgets.account is None

    with qtbot.waitSignal(budgets.changed):
        panel.show()

    assert panel.findChild(BudgetBar, "dataset_bar").bar.words == "ε 4 left of 4"
    assert panel.findChild(BudgetBar, "my_bar").bar.words == "ε 2 left of 2"
    assert "at most ε 1 a request" in text(panel, "budget_facts")


def test_a_charge_made_elsewhere_shows_once_the_ledger_is_read_again(
    panel: BudgetPanel, budgets: Budgets, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    ledger = ledger_for(session, tmp_path)
    with qtbot.waitSignal(budgets.changed):
        panel.show()
    assert budgets.account is not None
    assert budgets.account.dataset is not None
    ledger.charge(Request.of(budgets.account.dataset.id, budgets.account.content, "1"))

    with qtbot.waitSignal(budgets.changed):
        budgets.read()

    assert "Proven loss so far: ε 1" in text(panel, "budget_facts")
    bar = panel.findChild(BudgetBar, "my_bar").bar
    assert 0 < bar.left < 1


def test_a_table_without_a_share_says_whom_to_ask(
    panel: BudgetPanel, budgets: Budgets, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    from curator_gui.store.ledger import content_digest

    ledger = init_ledger(str(tmp_path / "ledger.sqlite"))
    ledger.create_pool(content_digest(session.table), epsilon="1", delta=1e-6, size=60)

    with qtbot.waitSignal(budgets.changed):
        panel.show()

    assert "has no share of this pool" in text(panel, "budget_facts")
    assert panel.findChild(BudgetBar, "my_bar").bar.words == "no share yet"


def test_a_damaged_ledger_is_told_in_one_sentence(
    panel: BudgetPanel, budgets: Budgets, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"this is no database, whatever its name says" * 40)

    with qtbot.waitSignal(budgets.changed):
        panel.show()

    assert "not a ledger" in text(panel, "budget_hint")


def test_history_lines_are_a_sound_model_with_the_latest_first(session: Session, tmp_path: Path) -> None:
    ledger = ledger_for(session, tmp_path)
    (dataset,) = ledger.pools()
    model = history_model()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show(history_lines(dataset.pool, ledger.history(dataset.id)))

    events = [model.index(i, 1).data() for i in range(model.rowCount())]
    assert events == ["Share set", "Pool created"]
    assert model.index(0, 5).data() == "–"


# --- the owner's dialog


def test_an_owner_sets_up_ledger_pool_and_share_by_clicks(
    pools: PoolsDialog, budgets: Budgets, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, pools, "create_ledger")
    fill_in(qtbot, pools, pool_size="5000", pool_epsilon="2")
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, pools, "create_pool")
    fill_in(qtbot, pools, grant_user="ada", grant_total="0.8", grant_most="0.5")
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, pools, "grant")

    account = budgets.account
    assert account is not None
    assert account.dataset is not None
    assert account.dataset.pool.delta == pytest.approx(1 / 5000**2)
    assert account.dataset.pool.kind is Kind.RHO
    assert [limits.user for limits in account.users] == ["ada"]


@pytest.fixture
def new_pool(pools: PoolsDialog, budgets: Budgets, qtbot: QtBot) -> PoolsDialog:
    """The owner's dialog where there is a ledger and no pool."""
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, pools, "create_ledger")
    return pools


def test_a_ledger_is_created_where_somebody_browsed_to(
    controller: Controller, budgets: Budgets, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    place = tmp_path / "elsewhere.sqlite"
    dialog = PoolsDialog(controller, budgets, browse=lambda *_: place)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "postgresql://" in text(dialog, "ledger_who")

    click(qtbot, dialog, "browse_ledger")
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, dialog, "create_ledger")

    assert place.is_file()
    assert dialog.findChild(QLineEdit, "ledger_place").text() == str(place)
    assert not dialog.findChild(QLabel, "ledger_who").isVisible()


def test_what_keeps_a_pool_from_being_created_is_named(new_pool: PoolsDialog, qtbot: QtBot) -> None:
    create = new_pool.findChild(QPushButton, "create_pool")
    said = [text(new_pool, "pool_missing")]
    for field in ({"pool_size": "many"}, {"pool_size": "5000"}, {"pool_epsilon": "2", "pool_delta": ""}):
        fill_in(qtbot, new_pool, **field)
        if field.get("pool_delta") == "":
            qtbot.keyClicks(new_pool.findChild(QLineEdit, "pool_delta"), " ")
        said.append(text(new_pool, "pool_missing"))
        assert not create.isEnabled()

    fill_in(qtbot, new_pool, pool_delta="1e-9")

    assert said == [
        "Still missing: the size.",
        "The size is no whole number of rows, such as 5000.",
        "Still missing: ε of all releases.",
        "Still missing: δ.",
    ]
    assert create.isEnabled()


def test_tab_walks_the_new_pool_from_top_to_bottom(new_pool: PoolsDialog, qtbot: QtBot) -> None:
    fill_in(qtbot, new_pool, pool_size="5000", pool_epsilon="2", pool_delta="1e-9")
    new_pool.activateWindow()
    new_pool.findChild(QLineEdit, "pool_name").setFocus()
    walked = []

    for _ in range(8):
        focused = new_pool.focusWidget()
        walked.append(focused.objectName())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)

    assert walked == [
        *("pool_name", "pool_size", "pool_epsilon", "pool_delta", "prudent_delta"),
        *("pool_most", "kind_rho", "create_pool"),
    ]


def test_delta_follows_the_size_until_somebody_writes_another(new_pool: PoolsDialog, qtbot: QtBot) -> None:
    field = new_pool.findChild(QLineEdit, "pool_delta")
    prudent = new_pool.findChild(QPushButton, "prudent_delta")
    fill_in(qtbot, new_pool, pool_size="5000")
    assert field.text() == "4e-8"
    assert not prudent.isVisible()

    fill_in(qtbot, new_pool, pool_delta="1e-9", pool_size="1000")

    assert field.text() == "1e-9"
    assert prudent.text() == "Use 1 / size² = 1e-6"
    click(qtbot, new_pool, "prudent_delta")
    assert field.text() == "1e-6"


def test_the_rule_for_delta_is_told_while_it_is_broken(new_pool: PoolsDialog, qtbot: QtBot) -> None:
    rule = new_pool.findChild(QLabel, "delta_rule")
    fill_in(qtbot, new_pool, pool_size="5000")
    assert not rule.isVisible()

    fill_in(qtbot, new_pool, pool_delta="0.001")
    assert "below 1 / 5\u202f000 = 2e-4" in rule.text()
    fill_in(qtbot, new_pool, pool_delta="0.00001")

    assert not rule.isVisible()


def test_a_delta_that_is_too_large_is_refused_with_the_rule(
    new_pool: PoolsDialog, budgets: Budgets, qtbot: QtBot
) -> None:
    fill_in(qtbot, new_pool, pool_size="5000", pool_epsilon="2", pool_delta="0.001")

    with qtbot.waitSignal(budgets.changed):
        click(qtbot, new_pool, "create_pool")

    assert "must be below 1 / 5000" in text(new_pool, "pools_problem")
    assert budgets.account is not None
    assert budgets.account.dataset is None


def test_a_share_is_never_raised(pools: PoolsDialog, budgets: Budgets, qtbot: QtBot) -> None:
    test_an_owner_sets_up_ledger_pool_and_share_by_clicks(pools, budgets, qtbot)

    fill_in(qtbot, pools, grant_user="ada", grant_total="0.9")
    with qtbot.waitSignal(budgets.changed):
        click(qtbot, pools, "grant")

    assert "never refilled" in text(pools, "pools_problem")


# --- words


@pytest.mark.parametrize(
    ("units", "words"),
    [(300_000_001, "0.3"), (299_999_999, "0.3"), (10**9, "1"), (1234, "0.000001234"), (0, "0")],
)
def test_epsilon_is_read_in_four_decimals(units: int, words: str) -> None:
    assert budget_words.epsilon(units) == words


def test_delta_is_read_as_a_power_of_ten() -> None:
    assert budget_words.delta(1e-9) == "10⁻⁹"
    assert budget_words.delta(4e-8) == "4·10⁻⁸"


@pytest.mark.parametrize("bound", list(Bound))
def test_every_limit_has_a_name_and_a_reason(bound: Bound) -> None:
    assert budget_words.limit_name(bound, "ada")
    assert budget_words.reason(bound, "ada", 0)


def test_the_window_starts_without_the_database_library() -> None:
    import subprocess

    code = (
        "import sys, curator_gui.gui.main_window; "
        "print([m for m in ('sqlalchemy', 'opendp') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"
