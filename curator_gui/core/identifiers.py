"""Columns that point at one person directly, told by their names and their distinct values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from curator_gui.core.table import Column, Table

_NEARLY_ALL = 0.9
_ENOUGH = 20  # rows; below that almost any column is different in every row
_LOOKED_AT = 2000
_FREE_TEXT_WORDS = 4
_FEW = 5  # distinct values; fewer are groups of people
_MOST_ROWS_EACH = 50  # of one person, on average; more are groups of people, too

_EMAIL = re.compile(r"\s*[^@\s]+@[^@\s]+\.[A-Za-z]{2,}\s*")
_PHONE = re.compile(r"\s*(?:\+|00)[0-9][0-9 ()/.\-]{6,}\s*|\s*\(?0?[0-9]{2,5}\)?[ /\-][0-9][0-9 \-]{4,}\s*")
_SOCIAL = re.compile(r"\s*[0-9]{3}-[0-9]{2}-[0-9]{4}\s*")
_NETWORK = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[0-9A-Fa-f]{2}[:\-]){5}[0-9A-Fa-f]{2}")
_DEGREES = r"[-+]?[0-9]{1,3}\.[0-9]{3,}"
_PLACE = re.compile(rf"\(?\s*{_DEGREES}\s*[,; ]\s*{_DEGREES}\s*\)?")
_FINE_DEGREES = re.compile(r"[-+]?[0-9]{1,3}[.,][0-9]{4,}")
_DATE = re.compile(r"[0-9]{1,4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,4}.*")
_PART = r"[^\W\d_](?:[^\W\d_]|[.'’\-])*"
_FULL_NAME = re.compile(rf"{_PART},?(?: {_PART}){{1,3}}")
_CAPITALIZED = re.compile(r"[^\W\d_a-z][\w.'’\-]*,?(?: [^\W\d_a-z][\w.'’\-]*){1,3}")
_MEASURED = re.compile(r"[^\w\s]?\s*[-+]?[0-9][0-9.,']*\s*(?:[^\W\d_]{1,5}|[^\w\s])?")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[0-9]+", re.UNICODE)

_PERSON_NUMBERS = frozenset((
    "ssn", "mrn", "nhs", "pid", "hhid", "passport", "iban", "svnr", "patientid", "personid", "subjectid",
    "insee", "participantid", "respondentid", "studentid", "employeeid", "userid", "uuid", "guid", "idno",
    "nino", "cpf", "personnummer", "socialsecurity", "socialsecuritynumber", "nhsnumber", "taxid",
    "sozialversicherungsnummer", "versichertennummer", "personalausweis",
))  # fmt: skip
_PERSONS = frozenset((
    "patient", "person", "subject", "participant", "respondent", "student", "employee", "member", "user",
    "client", "customer", "insured", "household", "proband",
))  # fmt: skip
_PAPERS = frozenset((
    "insurance", "social", "security", "national", "identity", "tax", "passport", "license", "licence",
    "medicare", "medicaid", "medical", "hospital", "policy", "account", "versicherung", "versicherten",
))  # fmt: skip
_PAPER_NUMBER_WORDS = frozenset(("id", "no", "nr", "number", "nummer", "num"))
_NUMBER_WORDS = frozenset((
    "id", "no", "nr", "number", "nummer", "num", "key", "code", "ref",
))  # fmt: skip
_RECORD_WORDS = frozenset((
    "id", "seq", "case", "record", "recordid", "caseid", "rowid", "index", "serial", "编号",
))  # fmt: skip
_PERSON_NAMES = frozenset((
    "surname", "firstname", "lastname", "forename", "fullname", "givenname", "familyname", "maidenname",
    "vorname", "nachname", "prenom", "prénom", "apellido", "apellidos", "姓名", "氏名",
))  # fmt: skip
_NAME_WORDS = _PERSON_NAMES | {"name", "nom", "nombre", "名前"}
_BIRTH_DATES = frozenset((
    "dob", "birthdate", "dateofbirth", "birthday", "birthdt", "geburtsdatum", "geburtstag", "gebdat",
    "datedenaissance", "datenaissance", "fechadenacimiento", "fechanacimiento", "datadinascita",
    "fodelsedatum", "födelsedatum", "geboortedatum", "出生日期", "生年月日",
))  # fmt: skip
_CONTACT_WORDS = frozenset((
    "email", "mail", "phone", "telephone", "telefon", "tel", "mobile", "handy", "fax", "address",
    "adresse", "street", "strasse", "straße", "url", "ip",
))  # fmt: skip
_DEGREE_WORDS = frozenset(("lat", "lon", "lng", "latitude", "longitude", "gps"))
_TEXT_WORDS = frozenset((
    "notes", "note", "comment", "comments", "remark", "remarks", "freetext", "bemerkung", "kommentar",
    "description", "narrative",
))  # fmt: skip


def propose_identifiers(table: Table) -> dict[str, str]:
    """The columns proposed as direct identifiers, each with the reason in one sentence."""
    reasons = {column.name: identifier_reason(column) for column in table.columns}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def birth_dates(table: Table) -> tuple[str, ...]:
    """The columns that are days of birth by their names: no identifiers, but nearly so with anything else."""
    return tuple(c.name for c in table.columns if "".join(_words(c.name)) in _BIRTH_DATES)


def identifier_reason(column: Column) -> str | None:
    """Why a column is proposed as a direct identifier, in one sentence; None where it is not.

    Its values are read without regard to its type, but dates are no numbers of records. A person may have
    several rows. Where the values repeat, a name such as “name” does not suffice unless they look like names
    of persons: a clinic's or a town's name is no person's.
    """
    values = [v for v in column.values if v is not None]
    rows = int(column.counts[~column.missing].sum()) if values else 0
    if len(values) < 2:
        return None
    words = _words(column.name)
    share = len(values) / rows
    return (
        _by_pattern(values)
        or _person_number(words, values, share)
        or _by_name(words, values, share)
        or (None if column.type.is_date else _different_everywhere(values, rows, share))
    )


def _words(name: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(name)]


_PATTERNS = (
    (_EMAIL, "E-mail addresses"),
    (_SOCIAL, "Numbers written as social security numbers are"),
    (_NETWORK, "Network addresses"),
    (_PLACE, "Coordinates of places"),
)


def _by_pattern(values: Sequence[str]) -> str | None:
    few = list(islice(values, _LOOKED_AT))
    for pattern, what in _PATTERNS:
        if _mostly(few, pattern):
            return f"{what}, such as “{next(v for v in few if pattern.fullmatch(v))}”."
    numbers = [v for v in few if not _DATE.fullmatch(v)]
    if numbers and 2 * len(numbers) > len(few) and _mostly(numbers, _PHONE):
        return f"Telephone numbers, such as “{numbers[0]}”."
    return None


def _mostly(values: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return 2 * sum(pattern.fullmatch(v) is not None for v in values) > len(values)


def _may_be_persons(values: Sequence[str], share: float) -> bool:
    """Whether there are enough values, each in few enough rows, for each to be a person with several rows."""
    return len(values) >= _FEW and share * _MOST_ROWS_EACH >= 1


def _person_number(words: Sequence[str], values: Sequence[str], share: float) -> str | None:
    joined = "".join(words)
    person = joined in _PERSON_NUMBERS or (
        len(words) > 1 and not _PERSONS.isdisjoint(words) and words[-1] in _NUMBER_WORDS
    )
    paper = not _PAPERS.isdisjoint(words[:-1]) and words[-1] in _PAPER_NUMBER_WORDS
    if person or (paper and _may_be_persons(values, share)):
        return "By its name, the number of a person."
    if joined == "id" and _may_be_persons(values, share):
        return "By its name the number of a person or record."
    if (joined in _RECORD_WORDS or words[-1:] == ["id"]) and share > _NEARLY_ALL:
        return "By its name a record number, and different in nearly every row."
    return None


def _by_name(words: Sequence[str], values: Sequence[str], share: float) -> str | None:
    if share > 0.5 and not _DEGREE_WORDS.isdisjoint(words) and _mostly(values[:_LOOKED_AT], _FINE_DEGREES):
        return "By its name and digits, coordinates of a place."
    if any(v.replace(".", "").replace(",", "").lstrip("+-").isdigit() for v in islice(values, 20)):
        return None
    if "".join(words) in _PERSON_NAMES or (not _PERSONS.isdisjoint(words) and words[-1] == "name"):
        return "By its name, names of persons."
    of_somebody = len(words) == 1 and (words[0] in _PERSONS or words[0] in _NAME_WORDS)
    if of_somebody and _may_be_persons(values, share) and _mostly(values[:_LOOKED_AT], _CAPITALIZED):
        return "By its name and its values, names of persons."
    if share <= 0.5:
        return None
    if not _NAME_WORDS.isdisjoint(words) or "".join(words) in _NAME_WORDS:
        return "By its name, names."
    if not _CONTACT_WORDS.isdisjoint(words):
        return "By its name, how to reach a person."
    if not _TEXT_WORDS.isdisjoint(words) and any(" " in v or len(v) > 10 for v in islice(values, 20)):
        return "By its name, free text, which may name anybody."
    return None


def _different_everywhere(values: Sequence[str], rows: int, share: float) -> str | None:
    return _record_number(values, rows, share) or _near_unique_text(values, rows, share)


def _record_number(values: Sequence[str], rows: int, share: float) -> str | None:
    if rows < _ENOUGH or share <= _NEARLY_ALL or not all(v.isascii() and v.isdigit() for v in values):
        return None
    if any(len(v) > 18 for v in values):
        return "Long numbers, different in nearly every row."
    numbers = [int(v) for v in values]
    span = max(numbers) - min(numbers) + 1
    if span <= 2 * len(numbers):
        return "Running numbers, different in nearly every row."
    length = len(values[0])
    if length >= 6 and all(len(v) == length for v in values):
        return f"Numbers of {length} digits, different in nearly every row."
    return None


def _near_unique_text(values: Sequence[str], rows: int, share: float) -> str | None:
    if share <= _NEARLY_ALL or any(v.replace(".", "").replace(",", "").isdigit() for v in islice(values, 20)):
        return None
    few = list(islice(values, _LOOKED_AT))
    if sum(len(v.split()) for v in few) >= _FREE_TEXT_WORDS * len(few) and not _mostly(few, _DATE):
        return "Free text, which may name anybody."
    if rows < _ENOUGH or any(_DATE.fullmatch(v) or _like_a_number(v) for v in islice(values, 20)):
        return None
    if _mostly(few, _FULL_NAME):
        return "Several words each, different in nearly every row, as names are."
    return "Text that is different in nearly every row."


def _like_a_number(text: str) -> bool:
    """A number, a measured one with its unit, or a time."""
    digits = text.strip().lstrip("+-")[:1].isdigit() and not any(c.isalpha() and c not in "eE" for c in text)
    return digits or _MEASURED.fullmatch(text) is not None
