"""A table or query of a database: where it is, and what it asks for. The password is never kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.gui.controller import Controller
from curator_gui.gui.naming import named
from curator_gui.store.readers import Credentials, SqlReader, database_tables
from curator_gui.store.session_file import read_session

Chosen = Callable[[Path, SqlReader, Credentials], None]


class _Asked(QWidget):
    """Name and password."""

    def __init__(self, form: QFormLayout) -> None:
        super().__init__()
        self.user = named(QLineEdit(), "database_user", self.tr("User"))
        self.password = named(QLineEdit(), "database_password", self.tr("Password"))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        form.addRow(self.tr("User"), self.user)
        form.addRow(self.tr("Password"), self.password)

    @property
    def credentials(self) -> Credentials:
        return Credentials(self.user.text() or None, self.password.text() or None)


class DatabaseDialog(QDialog):
    """Names a table or a query; ``chosen`` is called with it, and the import dialog goes on from there."""

    def __init__(self, controller: Controller, chosen: Chosen, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "database")
        self.setWindowTitle(self.tr("Open a database"))
        self._controller, self._chosen = controller, chosen
        self._url = named(QLineEdit(), "database_url", self.tr("Address of the database"))
        self._url.setPlaceholderText("postgresql://server/database")
        self._connect = named(QPushButton(self.tr("List its tables"), autoDefault=False), "list_tables")
        self._table = named(QComboBox(), "database_table", self.tr("Table"))
        self._table.setEditable(True)
        self._query = named(QPlainTextEdit(), "database_query", self.tr("Query"))
        self._query.setPlaceholderText("SELECT …")
        self._query.setTabChangesFocus(True)
        self._said = named(QLabel(), "database_said")
        self._said.setWordWrap(True)
        self._lay_out()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("Address"), self._url)
        self._asked = _Asked(form)
        form.addRow("", self._connect)
        form.addRow(self.tr("Table"), self._table)
        form.addRow(self.tr("or a query"), self._query)
        self._buttons = QDialogButtonBox()
        cancel = self._buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        named(cancel, "cancel_database")
        go_on = self._buttons.addButton(
            self.tr("Show the first rows"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        named(go_on, "show_database")
        kept = QLabel(self.tr("User and password are used for this connection and kept nowhere."))
        kept.setWordWrap(True)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.setSpacing(8)
        box.addLayout(form)
        for widget in (kept, self._said, self._buttons):
            box.addWidget(widget)
        self._connect.clicked.connect(self._list)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.resize(520, 420)

    def _reader(self) -> SqlReader:
        query = self._query.toPlainText().strip()
        return SqlReader(self._url.text().strip(), "" if query else self._table.currentText().strip(), query)

    def _list(self) -> None:
        self._said.clear()
        try:
            reader = SqlReader(self._url.text().strip())
        except InputError as error:
            self._said.setText(error.message)
            return
        if not reader.url:
            self._said.setText(self.tr("Write the address of the database first."))
            return
        credentials = self._asked.credentials
        self._said.setText(self.tr("Asking the database…"))
        self._controller.jobs.start(
            self.tr("Asking the database"),
            lambda _: database_tables(Path(), reader, credentials),
            kind="database",
            done=self._listed,
            failed=self._said.setText,
        )

    def _listed(self, names: tuple[str, ...]) -> None:
        self._said.setText("" if names else self.tr("The database has no table."))
        self._table.clear()
        self._table.addItems(list(names))

    def accept(self) -> None:
        """Go on with what is named, or say in one sentence what is not right and stay."""
        try:
            reader = self._reader()
        except InputError as error:
            self._said.setText(error.message)
            return
        if not reader.url or not (reader.table or reader.query):
            self._said.setText(self.tr("Write an address, and a table or a query."))
            return
        credentials = self._asked.credentials
        self._asked.password.clear()
        self._controller.jobs.cancel("database")
        super().accept()
        name = reader.table or reader.url.rpartition("/")[2] or "database"
        self._chosen(Path(name), reader, credentials)

    def reject(self) -> None:
        self._controller.jobs.cancel("database")
        super().reject()


def database_of(session_file: Path) -> str | None:
    """The address of the database that a session reads; None where it reads a file, or is no session."""
    try:
        reader = read_session(session_file).source.reader or {}
    except InputError:
        return None
    url = reader.get("url") if reader.get("kind") == "sql" else None
    return str(url) if url else None


class CredentialsDialog(QDialog):
    """Asks for the user and password of a session's database; ``given`` is called with them."""

    def __init__(self, url: str, given: Callable[[Credentials], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "credentials")
        self.setWindowTitle(self.tr("Open a database"))
        self._given = given
        form = QFormLayout()
        self._asked = _Asked(form)
        self._buttons = QDialogButtonBox()
        for label, role, name in (
            (self.tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole, "open_with_credentials"),
            (self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole, "cancel_credentials"),
        ):
            named(self._buttons.addButton(label, role), name)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.setSpacing(8)
        said = QLabel(self.tr("The session reads {0}; user and password are kept nowhere.").format(url))
        said.setWordWrap(True)
        box.addWidget(said)
        box.addLayout(form)
        box.addWidget(self._buttons)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def accept(self) -> None:
        credentials = self._asked.credentials
        self._asked.password.clear()
        super().accept()
        self._given(credentials)
