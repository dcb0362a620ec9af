"""No reader crashes on whatever bytes: each reads them, or refuses them in one sentence."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.errors import InputError
from curator_gui.session import Session
from curator_gui.store.readers import alternatives, detect_reader, propose_types, read_table

STARTS = [
    b"", b"PK\x03\x04", b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"$FL2", b"$FL3", b"<stata_dta>",
    b"\x72\x02\x01\0", b"SQLite format 3\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\xff\xfe", b"\xef\xbb\xbf", b"a,b\n1,", b"\"",
]  # fmt: skip
TEXTUAL = st.text("0123456789,;\t|\"'\r\n .-+eEaZ\0é上\ufeff/:%")


def survives(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        alternatives(path, 5)
        found = read_table(path, detect_reader(path))
    except InputError:
        return
    propose_types(found.table)
    try:
        Session.open_table(path)
    except InputError:
        return


@given(st.sampled_from(STARTS), st.binary(max_size=300) | TEXTUAL.map(str.encode))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes
) -> None:
    survives(tmp_path_factory.mktemp("bytes") / "table", start + rest)


def samples(folder: Path) -> Iterator[bytes]:
    """Whole files of every kind, to be damaged."""
    frame = pd.DataFrame({"n": [1.0, 2.5, None] * 20, "s": ["a", "bb", ""] * 20})
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["a", "b"], [1, "x"], [2.5, None]):
        book.active.append(row)
    book.save(folder / "t.xlsx")
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame), folder / "t.parquet")
    pyarrow.feather.write_feather(pa.Table.from_pandas(frame), folder / "t.feather")
    pyreadstat.write_sav(frame, str(folder / "t.sav"), variable_value_labels={"n": {1: "one"}})
    pyreadstat.write_dta(frame, str(folder / "t.dta"), variable_value_labels={"n": {1: "one"}})
    pyreadstat.write_xport(frame, str(folder / "t.xpt"))
    (folder / "t.csv").write_bytes(b'a;b;c\r\n1;"x ""y""";2020-01-31\r\n\r\n2;\xe9;1,5\r\n' * 5)
    for path in sorted(folder.iterdir()):
        yield path.read_bytes()


def damaged(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5, 30))):
        place = chance.randrange(len(data))
        how = chance.randrange(4)
        if how == 0:
            data[place] = chance.randrange(256)
        elif how == 1:
            del data[place : place + chance.randrange(1, 20)]
        elif how == 2:
            data[place:place] = chance.randbytes(chance.randrange(1, 20))
        else:
            del data[max(place, 1) :]
        if not data:
            return b""
    return bytes(data)


@pytest.mark.slow
def test_damaged_files_of_every_kind_are_read_or_refused(tmp_path: Path) -> None:
    """Minutes by hand: FUZZ_SECONDS=300 pytest -m slow. A crash of the interpreter shows as no result."""
    whole = list(samples(tmp_path))
    seed = int(os.environ.get("FUZZ_SEED", "0"))
    chance = random.Random(seed)
    end = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "20"))
    path = tmp_path / "damaged"
    while time.monotonic() < end:
        content = damaged(chance.choice(whole), chance)
        (tmp_path / "last").write_bytes(content)
        survives(path, content)
