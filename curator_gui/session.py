"""One curator's work: a source, its protection, a plan, and the jobs these make possible. No window here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from curator_gui.core.date_formats import DIRECTIVES, unknown_directives
from curator_gui.core.errors import CuratorError, FileError, IdentifierError, InputError, OverBudgetError
from curator_gui.core.hierarchy import Hierarchy, check_coverage, propose_hierarchy
from curator_gui.core.identifiers import birth_dates, identifier_reason, propose_identifiers
from curator_gui.core.operators import Generalize, Operator, Plan, Replace
from curator_gui.core.preparation import Prefix, Source
from curator_gui.core.progress import Progress, silent
from curator_gui.core.protection import Protection
from curator_gui.core.table import ColumnType, Table, quoted
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.explain import Blocked, why_over_budget
from curator_gui.disclosure.population import resolve
from curator_gui.disclosure.scoring import Scoring
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import Trajectory
from curator_gui.disclosure.warnings import warnings
from curator_gui.store.exposed import Exposed, exposed_tables, marked
from curator_gui.store.follow_key import following_key, names_rows
from curator_gui.store.locking import held
from curator_gui.store.ordinary import same_file
from curator_gui.store.readers import (
    Credentials,
    CsvDialect,
    Reader,
    SqlReader,
    TableRead,
    detect_reader,
    propose_types,
    read_table,
)
from curator_gui.store.recorded import with_others, with_release
from curator_gui.store.refresh import columns_before
from curator_gui.store.release import (
    Choice,
    Draft,
    Released,
    drafted,
    external_path,
    require_absent,
    require_own_manifest,
)
from curator_gui.store.session_file import (
    Branch,
    LastScored,
    Reading,
    Release,
    Role,
    SavedSteps,
    SessionRecord,
    SourceReference,
    SyntheticRelease,
    read_session,
    session_text,
    write_session,
)
from curator_gui.store.session_source import (
    fingerprint,
    reader_of,
    require_unchanged,
    source_of,
    table_before,
    with_missing,
)
from curator_gui.store.spelling import Labels, Spelling
from curator_gui.store.synthetic_beside import synthetic_beside

SESSION_SUFFIX = ".curation.json"


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What a job needs of a session, unchanged while the session goes on. ``plan`` ends at the position."""

    scoring: Scoring
    plan: Plan
    whole_plan: Plan
    exposed: tuple[Exposed, ...] = ()

    def trajectory(self, progress: Progress = silent) -> Trajectory:
        """α of every prefix of the whole plan."""
        return self.scoring.trajectory(self.whole_plan, progress)

    def exposed_over(self, progress: Progress = silent) -> tuple[Plan, ...]:
        """Of the tables that left the curator's hands, under this plan or another, those above the budget."""
        scores = {e.plan: self.scoring.trajectory(e.plan, progress).last for e in self.exposed}
        return tuple(plan for plan, score in scores.items() if not score.feasible)

    def standing(self) -> Standing:
        """The prefix at the position, ready to score next steps from."""
        return self.scoring.standing(self.plan)

    def candidates(self, operators: Sequence[Operator] | None = None) -> Iterator[Candidate | InputError]:
        """Scores as they come; of the operators worth trying where none are given."""
        return self.scoring.candidates(self.plan, operators)


class Session:
    """The one mutable thing below the window. Every change refuses whole or is done whole."""

    def __init__(
        self, record: SessionRecord, read: TableRead, source_path: Path, path: Path | None = None
    ) -> None:
        self.path = path
        self.source_path = source_path
        self.on_other_data = False
        """Whether the session was loaded on data whose bytes are not those of its source."""
        self.notes = read.notes
        self.header = read.header
        self.sha256 = read.sha256
        self.irregular = read.irregular
        self.value_labels = read.value_labels
        self.descriptions = read.descriptions
        self._table = with_missing(read.table, record)
        record = marked(record)
        self._record = record
        self._scoring = self._scored_afresh(record)
        self._scoring.prefix(record.plan)
        self.saved_record = record

    @classmethod
    def open_table(
        cls,
        path: Path,
        progress: Progress = silent,
        *,
        reader: Reader | None = None,
        types: Mapping[str, ColumnType] | None = None,
        roles: Mapping[str, Role] | None = None,
        missing: Mapping[str, tuple[str, ...]] | None = None,
        credentials: Credentials | None = None,
        read: TableRead | None = None,
    ) -> Session:
        """A new session on a table, with types, ladders and identifiers proposed from its data.

        reader: how it is read; detected where not given. types and roles: instead of those proposed, for the
        columns named, or all of them with ``roles``. missing: texts that mean missing in one column, besides
        those of the reader. credentials: for a database; never kept. read: what
        ``read_table`` gave for the same reader, so that it is not read again.
        """
        reader = reader or detect_reader(path)
        read = read or read_table(path, reader, progress, credentials=credentials)
        cells, given = read.table.with_missing(missing or {}), dict(types or {})
        others = Table(tuple(c for c in cells.columns if c.name not in given), cells.rows)
        proposed = propose_types(others, reader.decimal, progress)
        chosen = {c.name: given.get(c.name) or proposed[c.name].best for c in cells.columns} | given
        table = cells.retyped(chosen)
        if roles is None:
            reasons = propose_identifiers(table)
            told = [f"“{n}” is proposed as an identifier: {why}" for n, why in reasons.items()]
            told += [
                f"“{n}” is a date of birth, which others know and which sets people apart; declare it "
                "visible or coarsen it."
                for n in birth_dates(table)
            ]
            read = replace(read, notes=(*read.notes, *told))
            roles = dict.fromkeys(reasons, "identifier")
        ladders = {}
        for column in table.columns:
            progress(1.0, "Proposing ladders")
            ladders[column.name] = propose_hierarchy(column)
        record = SessionRecord(
            source=SourceReference(str(path), read.sha256, read.rows, reader.to_json()),
            protection=Protection(),
            plan=(),
            position=0,
            types=chosen,
            missing=dict(missing or {}),
            roles=dict(roles),
            hierarchies={name: ladder for name, ladder in ladders.items() if ladder is not None},
        )
        return cls(record, read, path)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        data: Path | None = None,
        credentials: Credentials | None = None,
        progress: Progress = silent,
    ) -> Session:
        """A saved session on its source or, scored afresh, on other ``data``. A source that changed since the
        session was saved is an InputError.

        On other data row numbers become conditions on the session's key; InputError where they cannot.
        """
        record = read_session(path)
        source_path = data or source_of(path, record)
        read = read_table(source_path, reader_of(record, source_path), progress, credentials=credentials)
        if data is None:
            require_unchanged(record, read, source_path.name)
            return cls(record, read, source_path, path)
        own = read.sha256 == fingerprint(path, record)
        if not own and names_rows(record):
            record, left_out = following_key(record, table_before(path, record), data.name)
            read = replace(read, notes=(*read.notes, *left_out))
        session = cls(record, read, source_path, path)
        session.on_other_data = not own
        return session

    @property
    def record(self) -> SessionRecord:
        """What would be saved now."""
        return self._record

    @property
    def table(self) -> Table:
        """The source, its columns under the session's types."""
        return self._scoring.population.source.table

    @property
    def source(self) -> Source:
        return self._scoring.population.source

    @property
    def scoring(self) -> Scoring:
        return self._scoring

    @property
    def protection(self) -> Protection:
        return self._record.protection

    @property
    def plan(self) -> Plan:
        """The whole plan, steps that were undone and can be redone included."""
        return self._record.plan

    @property
    def position(self) -> int:
        return self._record.position

    @property
    def current_plan(self) -> Plan:
        """The steps up to the position."""
        return self._record.plan[: self._record.position]

    @property
    def prefix(self) -> Prefix:
        """The table as prepared so far."""
        return self._scoring.prefix(self.current_plan)

    @property
    def modified(self) -> bool:
        """Whether anything changed since the session was last saved."""
        return self._record != self.saved_record

    @property
    def reader(self) -> Reader:
        """How the source was read, and is read again on refresh."""
        return reader_of(self._record, self.source_path)

    @property
    def dialect(self) -> CsvDialect:
        """How a text table is spelled in a release: as the source, where it is one."""
        reader = self.reader
        if isinstance(reader, CsvDialect):
            return reader
        return CsvDialect(missing=tuple(dict.fromkeys(("", *reader.missing))))

    def snapshot(self) -> Snapshot:
        return Snapshot(self._scoring, self.current_plan, self.plan, exposed_tables(self._record))

    # --- the plan ---

    def commit(self, operator: Operator) -> None:
        """Put one operator after the position. Steps that had been undone are kept as a branch."""
        self.commit_all((operator,))

    def commit_all(self, steps: Plan) -> None:
        """Put several operators after the position; all of them or, on an error, none."""
        plan = (*self.current_plan, *steps)
        self._scoring.prefix(plan)
        record = self._record
        if record.plan[: len(plan)] == plan:
            self._record = replace(record, position=len(plan))
            return
        if record.position < len(record.plan):
            branch = Branch(f"before step {record.position + 1} changed", record.plan)
            record = replace(record, branches=(*record.branches, branch))
        exposed = tuple(e for e in record.exposed if e <= record.position)
        self._change(replace(record, plan=plan, position=len(plan), exposed=exposed))

    def undo(self) -> None:
        """Step back; the steps stay and can be redone."""
        self.go_to(max(self.position - 1, 0))

    def redo(self) -> None:
        self.go_to(min(self.position + 1, len(self.plan)))

    def go_to(self, position: int) -> None:
        """Stand at any prefix of the plan."""
        if not 0 <= position <= len(self.plan):
            raise InputError(f"The plan has {len(self.plan)} steps, so there is no position {position}.")
        self._record = replace(self._record, position=position)

    def apply_saved(self, name: str) -> None:
        """Put the saved steps of this name after the position."""
        for saved in self._record.saved_steps:
            if saved.name == name:
                self.commit_all(saved.steps)
                return
        raise InputError(f"There are no saved steps named “{name}”.")

    def save_steps(self, name: str) -> None:
        """Keep the steps up to the position under a name, to be applied to other plans."""
        kept = tuple(s for s in self._record.saved_steps if s.name != name)
        self._record = replace(self._record, saved_steps=(*kept, SavedSteps(name, self.current_plan)))

    # --- what is protected, and how columns are read ---

    def set_protection(self, protection: Protection) -> None:
        """Another protection; refused whole where any part does not fit the source."""
        self._change(replace(self._record, protection=protection))

    def set_reading(self, reading: Reading) -> None:
        """Whether the budget holds for the released prefix alone, or for every exposed one."""
        self._record = replace(self._record, reading=reading)

    def set_type(self, name: str, type: ColumnType) -> None:
        """Read a column as another type; refused where the ladder or the plan needs the old one."""
        self._change(replace(self._record, types={**self._record.types, name: type}))

    def set_role(self, name: str, role: Role) -> None:
        self.table[name]
        self._record = replace(self._record, roles={**self._record.roles, name: role})

    def set_hierarchy(self, name: str, hierarchy: Hierarchy | None) -> None:
        """Another ladder for a column, or none; refused where the plan or Q needs the old one."""
        ladders = {n: h for n, h in self._record.hierarchies.items() if n != name}
        if hierarchy is not None:
            check_coverage(hierarchy, self.table[name])
            ladders[name] = hierarchy
        self._change(replace(self._record, hierarchies=ladders))

    def set_weight(self, name: str, weight: float) -> None:
        """The weight of a column in the utility."""
        self._change(replace(self._record, weights={**self._record.weights, name: weight}))

    def _change(self, record: SessionRecord) -> None:
        old, record = self._record, marked(record)
        same = all(
            getattr(record, part) == getattr(old, part)
            for part in ("protection", "types", "hierarchies", "weights", "exposed", "releases")
        )
        if not same:
            scoring = self._scored_afresh(record)
            scoring.prefix(record.plan)
            self._scoring = scoring
        self._record = record

    def _scored_afresh(self, record: SessionRecord) -> Scoring:
        try:
            for name, type in record.types.items():
                _require_readable_format(name, type)
            table = self._table.retyped(dict(record.types))
            for name, ladder in record.hierarchies.items():
                check_coverage(ladder, table[name])
        except InputError as error:
            raise error.at("columns") if error.path is None else error from None
        source = Source(table, record.hierarchies)
        population = resolve(source, record.protection)
        released = tuple(source.prefixes(r.plan)[-1] for r in record.releases if r.plan != record.plan)
        return Scoring(population, record.weights, record.exposed, released)

    # --- files ---

    def save(self, path: Path) -> None:
        """Write the session file; a source in or below its folder is named relative to it.

        What others have released from the same session since it was read stays recorded.
        """
        with held(path):
            if self.path is not None and same_file(self.path, path):
                with suppress(CuratorError):  # what cannot be read is written over, as ever
                    self._adopt(read_session(path))
            record = replace(self._record, source=self._reference(path))
            write_session(path, record)
        self.path, self._record, self.saved_record = path, record, record

    def _adopt(self, there: SessionRecord) -> bool:
        """Take over what others have released since; whether that is anything."""
        record = with_others(self._record, self.saved_record, there)
        found = record is not self._record
        self._change(record)
        return found

    def _reference(self, session_path: Path) -> SourceReference:
        reader = self.reader
        if isinstance(reader, SqlReader) and reader.url:
            return replace(self._record.source, sha256=self.sha256, rows=self.table.rows)
        source = self.source_path.resolve()
        folder = session_path.resolve().parent
        shown = os.path.relpath(source, folder) if source.is_relative_to(folder) else str(source)
        return SourceReference(shown, self.sha256, self.table.rows, self.reader.to_json())

    def _source_in(self, there: SessionRecord) -> SourceReference:
        """The source as the session file names it, or as it was found where that is the same file."""
        assert self.path is not None
        if not same_file(self.path.parent / there.source.path, self.source_path):
            # It was released from a copy of the source; a database server's path is a name only.
            return replace(there.source, sha256=self.sha256, rows=self.table.rows)
        return self._reference(self.path)

    def remember_scores(self, trajectory: Trajectory) -> None:
        """Keep the trajectory, so that the plan on refreshed data can be compared with it."""
        self._record = replace(self._record, last_scored=self._scored(trajectory))

    def _scored(self, trajectory: Trajectory) -> LastScored:
        worst = trajectory.last.worst
        return LastScored(
            self.sha256, trajectory.alphas, None if worst is None else (worst.target, worst.secret)
        )

    def release(
        self,
        out: Path,
        *,
        over_budget: str | None = None,
        keep_identifiers: Sequence[str] = (),
        keep_order: bool = False,
        for_spreadsheet: bool = False,
        byte_order_mark: bool = False,
        labels: Labels = "as shown",
        dialect: CsvDialect | None = None,
        replace_manifest: bool = False,
        new: bool = False,
        save: bool = False,
        progress: Progress = silent,
    ) -> Released:
        """Write the prefix at the position with its two manifests, read it back, and mark it exposed.

        The suffix of ``out`` says the format: .csv, .tsv, .parquet, .xlsx or .dta. for_spreadsheet: text
        cells of a delimited file that a spreadsheet would run get an apostrophe. byte_order_mark: for Excel.
        labels: what the values of a labelled source say. dialect: another one than the source's.
        replace_manifest: write over whatever has the name of the manifest that goes with the table.
        new: refuse where there is a file of that name, even one that appeared while the table was written.
        save: record it in the session file, too, which is put in place together with the table.
        OverBudgetError where α is above τ and no reason is given; IdentifierError where an identifier is
        still kept; InputError where nothing is left.
        """
        self.require_replaceable(out)
        if not replace_manifest:
            require_own_manifest(out)
        if new:
            require_absent(out)
        self.require_releasable(over_budget, keep_identifiers)
        spelling = Spelling(for_spreadsheet, byte_order_mark, labels, self.value_labels)
        written = drafted(
            out,
            self.snapshot().standing(),
            dialect or self.dialect,
            names=self._original_names(),
            session_path=self.path,
            keep_order=keep_order,
            spelling=spelling,
            progress=progress,
        )
        with written as draft, self._held() as path:
            there = read_session(path) if save and path is not None else None
            if there is not None and self._adopt(there):
                self.require_releasable(over_budget, keep_identifiers)
            if new:
                require_absent(out)
            return self._place(draft, there, over_budget=over_budget, keep_identifiers=keep_identifiers)

    @contextmanager
    def _held(self) -> Iterator[Path | None]:
        """The session file, held against other releases; None where it was never saved."""
        with nullcontext() if self.path is None else held(self.path):
            yield self.path

    def _place(
        self,
        draft: Draft,
        there: SessionRecord | None,
        *,
        over_budget: str | None,
        keep_identifiers: Sequence[str],
    ) -> Released:
        """Put a release in place and remember it, in the session file where what it holds is given."""
        trajectory = self._scoring.trajectory(self.current_plan)
        scored, release = self._scored(trajectory), Release(self.current_plan, draft.path.name, draft.sha256)
        if there is not None and self.path is not None:
            there = with_release(there, release, self.position, scored)
            there = replace(there, source=self._source_in(there))
        told = self._told(keep_identifiers)
        if over_budget and self._judged(self.snapshot().standing()).feasible:
            over_budget = None
            told = (*told, "The release is within the budget, so the reason given is not recorded.")
        released = draft.place(
            trajectory,
            Choice(over_budget, tuple(keep_identifiers), self.sha256, told),
            session_path=self.path,
            session_text=None if there is None else session_text(there),
            require_replaceable=self._require_not_own,
        )
        self._change(with_release(self._record, release, self.position, scored))
        if there is not None:
            self._record = replace(self._record, source=there.source)
            self.saved_record = there
        return released

    def _told(self, keep_identifiers: Sequence[str]) -> tuple[str, ...]:
        """What a curator should be told about a release, the gravest first."""
        protection = self.protection
        found = [] if protection.secrets else ["No secret is declared, so nothing was scored."]
        found += warnings(self._scoring.population, self._record.key)
        if beside := synthetic_beside(self._record.synthetic):
            found.append(beside)
        kept = [n for n in keep_identifiers if n in self.prefix.columns]
        if kept:
            is_or_are = "is" if len(kept) == 1 else "are"
            found.append(f"The {_identifiers(kept)} {is_or_are} released on purpose.")
        later = len(self.plan) - self.position
        if later:
            found.append(
                f"The session stands at step {self.position} of {len(self.plan)}; the later "
                f"{'step is' if later == 1 else f'{later} steps are'} not in the release."
            )
        return tuple(found)

    def formula_cells(self) -> dict[str, int]:
        """For each kept column with text cells that a spreadsheet would run, how many of them are left."""
        prefix = self.prefix
        return Spelling().neutralized(prefix.shown, np.flatnonzero(prefix.present))

    def _original_names(self) -> dict[str, str]:
        """The names as the source file has them, where reading made them distinct."""
        return dict(zip(self.table.names, self.header or self.table.names, strict=True))

    def require_replaceable(self, out: Path) -> None:
        """Refuse to write over what the session lives on, its source and its own file, even by a manifest."""
        for path in (out, external_path(out)):
            self._require_not_own(path)

    def _require_not_own(self, path: Path) -> None:
        saved = None if self.path is None else self.path.parent / self._record.source.path
        own_files = (self.source_path, "the source table"), (saved, "the source table")
        for own, what in (*own_files, (self.path, "the session itself")):
            if own is not None and same_file(own, path):
                raise FileError(f"“{path}” is {what}; choose another name.")

    def kept_identifiers(self) -> tuple[str, ...]:
        """The identifiers the prefix at the position still shows.

        They are those the session says; of a column it says nothing of, it is told by name and values.
        """
        return tuple(n for n in self.prefix.columns if self.is_identifier(n))

    def is_identifier(self, name: str) -> bool:
        """Whether the session says so or, of a column it says nothing of, its name and values do."""
        if name in self._record.roles or name in self._record.types:
            return self._record.roles.get(name) == "identifier"
        return identifier_reason(self.table[name]) is not None

    def new_columns(self) -> tuple[str, ...]:
        """The columns the prefix at the position shows that the session had never seen before this data."""
        record = self._record
        known = {*record.types, *record.roles, *record.hierarchies}
        known |= {v.column for v in record.protection.visible}
        known |= {o.column for o in record.plan if isinstance(o, Generalize | Replace)}
        new = [n for n in self.prefix.columns if n not in known]
        if new and self.path is not None:
            old = self.path.parent / record.source.path
            if same_file(old, self.source_path):
                return ()
            known |= columns_before(old, reader_of(record, old)) if old.is_file() else set()
        return tuple(n for n in new if n not in known)

    def require_releasable(self, over_budget: str | None, keep_identifiers: Sequence[str] = ()) -> None:
        """Raise the reason why the prefix at the position may not be released, if there is one."""
        prefix, standing = self.prefix, self.snapshot().standing()
        if not prefix.rows:
            raise InputError("No record is left to release; undo the step that removed the last ones.")
        if not prefix.columns:
            raise InputError("No column is left to release; undo the step that dropped the last ones.")
        kept = tuple(n for n in self.kept_identifiers() if n not in keep_identifiers)
        if kept:
            raise IdentifierError(
                f"The {_identifiers(kept)} would still be released",
                "drop it, or keep it by name on purpose",
                columns=kept,
            )
        judged = self._judged(standing)
        if not judged.feasible and not (over_budget or "").strip():
            whose = "" if judged is standing else " of a table that left earlier"
            budget = self.protection.budget
            raise OverBudgetError(
                f"The disclosure {judged.alpha:.3f}{whose} is above the budget τ = {budget:.3f}",
                "coarsen further, or give a reason to release it all the same",
            )

    def _judged(self, standing: Standing) -> Standing:
        """The prefix that decides whether this one is within the budget, by the session's reading."""
        return self._worst_exposed(standing) if self._record.reading == "every-exposed" else standing

    def _worst_exposed(self, standing: Standing) -> Standing:
        """Under the reading that every exposed table counts, the first one that is over budget."""
        over = [plan for plan in self.snapshot().exposed_over() if plan != self.current_plan]
        return self._scoring.standing(over[0]) if over else standing

    def why_blocked(self) -> Blocked:
        """Why the prefix at the position is over budget: the worst target and the company it lacks."""
        return why_over_budget(self.snapshot().standing())

    def record_synthetic(self, released: SyntheticRelease) -> None:
        """Remember a synthetic table exported from this session, and what paid for it."""
        self._record = replace(self._record, synthetic=(*self._record.synthetic, released))


def _require_readable_format(name: str, type: ColumnType) -> None:
    unknown = unknown_directives(type.format or "") if type.is_date else ()
    if unknown:
        known = " ".join(f"%{d}" for d in DIRECTIVES)
        raise InputError(
            f"No date of “{name}” can be read by {quoted(unknown)}; a format is made of {known}.",
            path=f"columns.{name}.format",
        )


def _identifiers(names: Sequence[str]) -> str:
    return f"{'identifier' if len(names) == 1 else 'identifiers'} {quoted(names)}"
