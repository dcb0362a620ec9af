"""What somebody with a login of their own, and the wire between, can do to a ledger on PostgreSQL."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from ledger_home import PASSWORD, ServerHome, clinic
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.pool import NullPool

from curator_gui.budget.pool import Kind
from curator_gui.core.errors import InputError
from curator_gui.store.ledger import (
    Anchor,
    Dataset,
    Event,
    LedgerBusyError,
    LedgerUnavailableError,
    OutcomeUnknownError,
    Request,
    RequestRefusedError,
    init_ledger,
    open_ledger,
)
from curator_gui.store.ledger.chain import Entry
from curator_gui.store.ledger.ledger import entry_of
from curator_gui.store.ledger.postgres import PostgresLedger

pytest.importorskip("psycopg")

CHARGE = text("SELECT * FROM ledger.charge(:pool, :content, :request, :amount, :least)")
SHARES = {"u1": ("0.5", "0.8"), "u2": ("0.5", "1")}
TENTH = 100_000_000


def charged(connection: Connection, dataset: Dataset, request: str, amount: int | None = TENTH) -> Entry:
    """A charge as somebody makes it who does without our program."""
    values = {"pool": dataset.id, "content": clinic(), "request": request, "amount": amount, "least": amount}
    return entry_of(connection.execute(CHARGE, values).one())


@pytest.fixture
def dataset(server_home: ServerHome) -> Dataset:
    return server_home.pool(Kind.EPSILON, SHARES)


@pytest.fixture
def impatient(server_home: ServerHome) -> Iterator[ServerHome]:
    """A ledger whose locks are waited for 0.3 s."""
    alter = "ALTER FUNCTION ledger.charge(text, bytea, text, bigint, bigint) SET lock_timeout = '{}'"
    server_home.edit(alter.format("300ms"))
    yield server_home
    server_home.edit(alter.format("5s"))


class RollingBack(PostgresLedger):
    """A client that takes the answer and undoes the charge."""

    def _charge(self, request: Request, amount: int, least: int) -> Entry:
        with self._engine.connect() as connection:
            values = {"pool": request.pool, "content": request.content, "request": request.id}
            row = connection.execute(CHARGE, {**values, "amount": amount, "least": least}).one()
            connection.rollback()
        return entry_of(row)


def test_a_rollback_after_the_charge_gives_no_decision_to_draw_noise_on(
    server_home: ServerHome, dataset: Dataset
) -> None:
    ledger = RollingBack(server_home.engine("u1").execution_options(schema_translate_map={None: "ledger"}))

    with pytest.raises(OutcomeUnknownError, match="nothing may be released"):
        ledger.charge(Request.of(dataset.id, clinic(), "0.1"))

    assert server_home.steward.pool(dataset.id).balance == dataset.balance


def test_a_release_on_a_charge_that_was_rolled_back_is_found_by_the_audit(
    server_home: ServerHome, dataset: Dataset
) -> None:
    with server_home.engine("u1").connect() as connection:
        entry = charged(connection, dataset, "undone")
        connection.rollback()

    audit = server_home.steward.audit([Anchor(entry.pool, entry.number, entry.hash, "manifest.json")])

    assert "never committed" in audit.findings[0].sentence


def test_temporary_tables_and_functions_do_not_shadow_the_ledgers_own(
    server_home: ServerHome, dataset: Dataset
) -> None:
    with server_home.engine("u1").begin() as connection:
        for statement in (
            "CREATE TEMP TABLE pools AS SELECT * FROM ledger.pools",
            "CREATE TEMP TABLE users AS SELECT * FROM ledger.users",
            "CREATE TEMP TABLE entries AS SELECT * FROM ledger.entries",
            "UPDATE pg_temp.users SET per_request = 1000000000, user_left = 1000000000",
            "CREATE FUNCTION pg_temp.netstring(value text) RETURNS text LANGUAGE sql AS $$ SELECT '' $$",
            "CREATE FUNCTION pg_temp.pool_of(p bytea) RETURNS text LANGUAGE sql AS $$ SELECT '' $$",
            "CREATE FUNCTION pg_temp.sha256(p bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$",
            "SET search_path = pg_temp, ledger, pg_catalog",
        ):
            connection.execute(text(statement))
        values = {
            "pool": dataset.id,
            "content": clinic(),
            "request": "shadow",
            "amount": 9 * TENTH,
            "least": TENTH,
        }
        entry = entry_of(connection.execute(CHARGE, values).one())

    assert (entry.approved, entry.bound) == (5 * TENTH, "per-request")
    assert server_home.steward.limits(dataset.id, "u1").balance.left == 3 * TENTH
    assert server_home.steward.audit().findings == ()


def test_set_role_changes_neither_rights_nor_whom_a_charge_is_booked_to(
    server_home: ServerHome, dataset: Dataset
) -> None:
    with server_home.engine("u1").connect() as connection:
        for role in ("curator_ledger_owner", "curator_ledger_steward", "u2"):
            with pytest.raises(ProgrammingError, match="permission denied"):
                connection.execute(text(f"SET ROLE {role}"))
            connection.rollback()
        with pytest.raises(ProgrammingError, match="permission denied"):
            connection.execute(text("SET SESSION AUTHORIZATION u2"))
        connection.rollback()
        connection.execute(text("SET ROLE curator_ledger_analyst"))
        entry = charged(connection, dataset, "as-a-group")
        connection.commit()

    assert (entry.actor, entry.user_name) == ("u1", "u1")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger.pools SET dataset_left = capacity",
        "UPDATE ledger.users SET user_left = total",
        "INSERT INTO ledger.users SELECT pool, 'mallory', per_request, total, user_left FROM ledger.users",
        "DELETE FROM ledger.entries",
        "TRUNCATE ledger.entries CASCADE",
        "UPDATE ledger.tariff SET rho = 1",
        "UPDATE ledger.meta SET version = 9",
        "SELECT * FROM ledger.secret",
        "SELECT * FROM ledger.datasets",
        "SELECT * FROM ledger.pools FOR UPDATE",
        "LOCK TABLE ledger.pools IN ACCESS EXCLUSIVE MODE",
        "ALTER TABLE ledger.entries DISABLE TRIGGER ALL",
        "ALTER TABLE ledger.entries DISABLE ROW LEVEL SECURITY",
        "DROP FUNCTION ledger.charge(text, bytea, text, bigint, bigint)",
        "CREATE TABLE ledger.mine (x int)",
        "SELECT ledger.append(NULL)",
        "SELECT ledger.keyed('x')",
        "SELECT ledger.own('x', 'x')",
        "SELECT ledger.share('x', 'u1', 1, 1)",
        "SELECT ledger.attach('x', 'x')",
        "SELECT ledger.create_pool('x', '', 'rho', '1e-9', 1, 1, 1, 1, 1, 1, '{}', '{}', 'x')",
        "GRANT curator_ledger_steward TO u1",
    ],
)
def test_an_analyst_writes_nothing_directly_and_sees_no_secret(
    server_home: ServerHome, dataset: Dataset, statement: str
) -> None:
    with (
        server_home.engine("u1").connect() as connection,
        pytest.raises(ProgrammingError, match=r"permission|owner|admin"),
    ):
        connection.execute(text(statement))


@pytest.mark.parametrize("amount", [-TENTH, 0, 1, None, -(2**63), 2**63 - 1])
def test_amounts_that_are_none_are_refused_by_the_server_itself(
    server_home: ServerHome, dataset: Dataset, amount: int | None
) -> None:
    with server_home.engine("u1").begin() as connection:
        try:
            entry = charged(connection, dataset, "odd", amount)
        except DBAPIError as error:
            assert error.orig.sqlstate == "LG001"  # noqa: PT017 - either of two ways to refuse
            connection.rollback()
        else:
            assert entry.approved == 0

    assert server_home.steward.pool(dataset.id).balance == dataset.balance
    assert server_home.steward.audit().findings == ()


@pytest.mark.parametrize("missing", ["pool", "content", "request", "least"])
def test_nulls_in_the_place_of_anything_are_refused(
    server_home: ServerHome, dataset: Dataset, missing: str
) -> None:
    values = {"pool": dataset.id, "content": clinic(), "request": "null", "amount": TENTH, "least": TENTH}

    with server_home.engine("u1").connect() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(CHARGE, {**values, missing: None})

    assert refused.value.orig.sqlstate == "LG001"


def test_who_holds_the_lock_makes_others_wait_no_longer_than_the_timeout(
    impatient: ServerHome, dataset: Dataset
) -> None:
    ledger = impatient.ledger("u2")
    with impatient.engine("u1").connect() as connection:
        charged(connection, dataset, "held")
        began = time.monotonic()
        with pytest.raises(LedgerBusyError, match="nothing was charged"):
            ledger.charge(Request.of(dataset.id, clinic(), "0.1"))
        waited = time.monotonic() - began
        connection.rollback()

    assert waited < 3
    assert ledger.charge(Request.of(dataset.id, clinic(), "0.1")).entry == 4


def test_two_pools_do_not_wait_for_each_other(impatient: ServerHome, dataset: Dataset) -> None:
    other = impatient.pool(Kind.RHO, SHARES, clinic("Eve"))

    with impatient.engine("u1").connect() as connection:
        charged(connection, dataset, "held")
        decision = impatient.ledger("u2").charge(Request.of(other.id, clinic("Eve"), "0.1"))

    assert decision.entry == 4


def test_an_old_snapshot_does_not_spend_what_is_gone(server_home: ServerHome, dataset: Dataset) -> None:
    engine = server_home.engine("u1").execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection:
        connection.execute(text("SELECT * FROM ledger.pools")).all()
        server_home.ledger("u2").charge(Request.of(dataset.id, clinic(), "0.5"))

        with pytest.raises(DBAPIError, match="could not serialize"):
            charged(connection, dataset, "stale")

    assert server_home.steward.audit().findings == ()


def test_analysts_see_their_own_rows_alone(server_home: ServerHome, dataset: Dataset) -> None:
    other = server_home.pool(Kind.RHO, {"u2": ("0.5", "1")}, clinic("Eve"))
    for user in ("u1", "u2"):
        server_home.ledger(user).charge(Request.of(dataset.id, clinic(), "0.1"))

    seen = server_home.ledger("u1")

    assert [pool.id for pool in seen.pools()] == [dataset.id]
    assert [share.user for share in seen.users(dataset.id)] == ["u1"]
    assert {entry.user_name for entry in seen.history(dataset.id)} == {"u1"}
    assert seen.history(other.id) == []
    with pytest.raises(InputError, match="have a steward audit"):
        seen.audit()


def test_only_stewards_create_pools_and_grant(server_home: ServerHome, dataset: Dataset) -> None:
    analyst = server_home.ledger("u1")

    with pytest.raises(InputError, match="may not do this"):
        analyst.create_pool(clinic("Eve"), epsilon="1", delta=1e-9, size=1000)
    with pytest.raises(InputError, match="may not do this"):
        analyst.grant(dataset.id, "u1", per_request="0.5", total="0.5")
    with pytest.raises(InputError, match="may not do this"):
        analyst.attach(dataset.id, clinic("Eve"))


def test_a_login_without_a_role_is_told_so(server_home: ServerHome) -> None:
    with pytest.raises(InputError, match="ask its owner for the role"):
        server_home.ledger("mallory")


def test_a_wrong_password_shows_neither_itself_nor_a_traceback(server_home: ServerHome) -> None:
    url = make_url(server_home.url).set(username="u1", password="open sesame")

    with pytest.raises(LedgerUnavailableError) as refused:
        open_ledger(url.render_as_string(hide_password=False))

    assert "sesame" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_function_that_lends_its_owners_rights_is_fenced(server_home: ServerHome) -> None:
    with server_home.admin.connect() as connection:
        functions = connection.execute(
            text(
                "SELECT p.proname, p.prosecdef, p.proconfig, r.rolname, r.rolsuper, r.rolcanlogin, "
                "has_function_privilege('public', p.oid, 'execute') AS open "
                "FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner "
                "WHERE p.pronamespace = 'ledger'::regnamespace"
            )
        ).all()
        members = connection.scalar(
            text("SELECT count(*) FROM pg_auth_members WHERE roleid = 'curator_ledger_owner'::regrole")
        )

    assert {f.proname for f in functions if f.prosecdef} == {
        "attach", "charge", "create_pool", "mark_released", "pool_of", "share",
    }  # fmt: skip
    for function in functions:
        assert "search_path=ledger, pg_temp" in function.proconfig
        assert (function.rolname, function.rolsuper, function.rolcanlogin) == (
            "curator_ledger_owner",
            False,
            False,
        )
        assert not function.open
    assert members == 0


def test_a_ledger_is_created_by_a_role_that_is_no_superuser(server_home: ServerHome) -> None:
    admin = server_home.admin.execution_options(isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        if connection.scalar(text("SHOW server_version_num")) >= "160000":
            pytest.skip(
                "from PostgreSQL 16 on, the ledger's roles must be the builder's own, and exist already"
            )
        connection.execute(text(f"CREATE ROLE builder LOGIN CREATEROLE PASSWORD '{PASSWORD}'"))
        connection.execute(text("CREATE DATABASE built OWNER builder"))
    url = make_url(server_home.url).set(database="built", username="builder", password=PASSWORD)
    try:
        ledger = init_ledger(url.render_as_string(hide_password=False))
        pool = ledger.create_pool(clinic(), epsilon="1", delta=1e-9, size=1000)
        ledger.grant(pool.id, "builder", per_request="1", total="1")

        decision = ledger.charge(Request.of(pool.id, clinic(), "0.1"))

        assert (decision.user, ledger.audit().findings) == ("builder", ())
    finally:
        with admin.connect() as connection:
            connection.execute(text("DROP DATABASE built WITH (FORCE)"))
            connection.execute(text("DROP ROLE builder"))


def test_initializing_twice_keeps_what_is_there(server_home: ServerHome, dataset: Dataset) -> None:
    again = init_ledger(server_home.url)

    assert [pool.id for pool in again.pools()] == [dataset.id]


def test_nobody_states_who_they_are(server_home: ServerHome) -> None:
    with pytest.raises(InputError, match="who logs in"):
        open_ledger(server_home.url, user="u2")


class Wire:
    """Between client and server; breaks ``breaks`` times, each when the server has answered COMMIT."""

    def __init__(self, url: str, breaks: int, *, dead_after: bool = False) -> None:
        address = make_url(url)
        self.target = (address.host, address.port)
        self.breaks, self.dead_after = breaks, dead_after
        self.broken = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        self.url = address.set(port=port).render_as_string(hide_password=False)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            threading.Thread(target=self.forward, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.forward, args=(server, client, True), daemon=True).start()

    def forward(self, source: socket.socket, to: socket.socket, answers: bool) -> None:
        try:
            while data := source.recv(65536):
                if answers and b"COMMIT\0" in data and self.broken < self.breaks:
                    self.broken += 1
                    if self.dead_after:
                        self.close()
                    break
                to.sendall(data)
        except OSError:
            pass
        for end in (source, to):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def test_a_connection_cut_after_the_commit_is_charged_once_and_told(
    server_home: ServerHome, dataset: Dataset
) -> None:
    wire = Wire(server_home.user_url("u1"), breaks=1)
    ledger = open_ledger(wire.url)

    decision = ledger.charge(Request.of(dataset.id, clinic(), "0.1"))
    wire.close()

    assert wire.broken == 1
    assert decision.entry == 4
    assert [e.event for e in server_home.steward.history(dataset.id)].count(Event.CHARGE) == 1


def test_where_the_outcome_cannot_be_known_the_same_request_id_tells_it_later(
    server_home: ServerHome, dataset: Dataset
) -> None:
    wire = Wire(server_home.user_url("u1"), breaks=1, dead_after=True)
    request = Request.of(dataset.id, clinic(), "0.1")
    ledger = open_ledger(wire.url)

    with pytest.raises(OutcomeUnknownError, match=request.id):
        ledger.charge(request)
    decision = server_home.ledger("u1").charge(request)

    assert decision.entry == 4
    assert server_home.steward.pool(dataset.id).balance.left == 9 * TENTH


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(LedgerUnavailableError, match="cannot be reached"):
        open_ledger(f"postgresql://u1@127.0.0.1:{port}/nothing")


def test_a_database_without_a_ledger_says_how_to_get_one(server_home: ServerHome) -> None:
    url = make_url(server_home.url).set(database="postgres").render_as_string(hide_password=False)

    with pytest.raises(LedgerUnavailableError, match="ledger init"):
        open_ledger(url)


def test_a_read_only_server_charges_nothing(server_home: ServerHome, dataset: Dataset) -> None:
    url = make_url(server_home.user_url("u1")).update_query_dict(
        {"options": "-c default_transaction_read_only=on"}
    )

    with pytest.raises(LedgerUnavailableError, match="read-only"):
        open_ledger(url.render_as_string(hide_password=False)).charge(Request.of(dataset.id, clinic(), "0.1"))

    assert server_home.steward.pool(dataset.id).balance == dataset.balance


def test_refusals_are_recorded_with_the_offer(server_home: ServerHome, dataset: Dataset) -> None:
    with pytest.raises(RequestRefusedError):
        server_home.ledger("u1").charge(Request.of(dataset.id, clinic(), "0.8"))

    last = server_home.steward.history(dataset.id)[-1]
    assert (last.event, last.offered, last.approved) == (Event.REFUSAL, 5 * TENTH, 0)


def test_entries_are_append_only_for_their_owner_too(server_home: ServerHome, dataset: Dataset) -> None:
    with create_engine(server_home.url, poolclass=NullPool).connect() as connection:
        for statement in (
            "UPDATE ledger.entries SET rho = 0",
            "DELETE FROM ledger.entries",
            "TRUNCATE ledger.entries",
        ):
            with pytest.raises(DBAPIError, match="append-only"):
                connection.execute(text(statement))
            connection.rollback()
