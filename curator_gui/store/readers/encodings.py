"""Which encodings a text may be in, judged from its beginning, with the reasons."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import NamedTuple

from curator_gui.core.errors import FileError

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_MOST_NUL = 0.1
_NO_CHANCE = 8
_LEAST = 0.25  # plausibility below which an encoding is not offered
_NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_WESTERN = re.compile("[À-ÖØ-öø-ÿŒœŠšŽžŸ]")
_TURKISH = frozenset("ğışİŞĞçöüÇÖÜâîû")
_COMMON_SHARE = 0.6  # of the letters of a text are among the dozen most frequent ones
_COMMON = frozenset("äöüßÄÖÜéèêëàâçîïôûùáíóúñãõåæøÉÀ")
# One such character between Latin letters is a Latin letter in another encoding.
_AMONG_LETTERS = re.compile(r"(?<=[A-Za-z\-'])[^\x00-\x7f](?=[a-z])")
_WITHOUT_ICELANDIC = re.compile("[À-ÏÑ-ÖØ-ÜßÀ-ïñ-öø-üÿŒœŠšŽžŸ]")
_SIGNS = frozenset("€‚„…‘’“”–—™£§©«®°±²³µ·»½¿×ß\u00a0")

Weights = tuple[tuple[int, int, float], ...]


class Encoding(NamedTuple):
    """plausible: from 0 to 1."""

    name: str
    plausible: float
    why: str


def plausible_encodings(sample: bytes, file: str) -> tuple[list[Encoding], str]:
    """Encodings, the most plausible first, and whether NUL bytes are to be refused or dropped.

    Raises FileError where the bytes are no text.
    """
    for mark, name in _MARKS:
        if sample.startswith(mark):
            shown = name.removesuffix("-sig")
            return [Encoding(name, 1, f"The file begins with the byte order mark of {shown}.")], "refuse"
    if b"\0" in sample:
        return _with_nul(sample, file)
    if sample.isascii():
        return [Encoding("utf-8", 1, "All bytes read are ASCII.")], "refuse"
    wrong = _utf8_error(sample)
    if wrong is None:
        return [Encoding("utf-8", 1, "All bytes read are valid UTF-8."), *_legacy(sample, "")], "refuse"
    why = f"Byte {wrong} is not valid UTF-8; "
    any_byte = Encoding("iso-8859-1", 0, f"{why}Latin-1 reads any byte. Check the first rows.")
    return _legacy(sample, why) or [any_byte], "refuse"


def _with_nul(sample: bytes, file: str) -> tuple[list[Encoding], str]:
    wide = _utf16(sample)
    if wide:
        return [wide], "refuse"
    if sample.count(b"\0") > _MOST_NUL * len(sample) or _NO_TEXT.search(sample):
        raise FileError(
            f"“{file}” is not a text table (it holds NUL bytes); open it as the kind of file it is."
        )
    return plausible_encodings(sample.replace(b"\0", b""), file)[0], "drop"


def _utf16(sample: bytes) -> Encoding | None:
    """Without a mark, by where the NULs of plain letters stand."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half < 4:
        return None
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > 0.3 * half and others == 0:
            return Encoding(name, 0.9, f"Every second byte is mostly NUL, as in {name.upper()}.")
    return None


def _utf8_error(sample: bytes) -> int | None:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _legacy(sample: bytes, why: str) -> list[Encoding]:
    """Older encodings by how common the characters are that the bytes would be; the likely ones first."""
    judged: tuple[tuple[str, str, Callable[[str], float]], ...] = (
        ("gb18030", "Chinese", _chinese),
        ("shift_jis", "Japanese", _japanese),
        ("cp932", "Japanese", _japanese),
        ("euc-kr", "Korean", _korean),
        ("big5", "traditional Chinese", _traditional),
        ("cp1252", "Western European", _western),
        ("cp1250", "Central European", _central),
        ("cp1254", "Turkish", _turkish),
        ("cp1251", "Cyrillic", _cyrillic),
        ("cp1253", "Greek", _greek),
        ("cp1255", "Hebrew", _hebrew),
        ("mac-roman", "Western European", _common_western),
        ("cp850", "Western European", _common_western),
    )
    found: dict[str, Encoding] = {}
    for name, what, share in judged:
        try:
            text = codecs.getincrementaldecoder(name)().decode(sample)
        except UnicodeDecodeError:
            continue
        plausible = share(text)
        if plausible >= _LEAST and not (name == "cp932" and "shift_jis" in found):
            percent = f"{min(plausible, 1):.0%}"
            reason = f"{why}as {name.upper()} {percent} of the other characters are common {what} ones."
            found[name] = Encoding(name, plausible, f"{reason} Check the first rows.")
    return sorted(found.values(), key=lambda e: -e.plausible)


def _chinese(text: str) -> float:
    """Level 1 of GB 2312, the 3755 characters used most, and its marks."""
    return _by_lead_byte(text, "gb2312", ((0xA1, 0xA3, 1.0), (0xB0, 0xD7, 1.0), (0xD8, 0xF7, 0.3)))


def _traditional(text: str) -> float:
    return 0.95 * _by_lead_byte(text, "big5", ((0xA1, 0xA3, 1.0), (0xA4, 0xC6, 1.0), (0xC9, 0xF9, 0.2)))


def _japanese(text: str) -> float:
    """Kana and level 1 of JIS X 0208. Half-width kana count little: they are what other letters look like."""
    return _by_lead_byte(text, "shift_jis", ((0x81, 0x84, 1.0), (0x88, 0x97, 1.0), (0x98, 0xEA, 0.3)))


def _korean(text: str) -> float:
    """The bytes of Hangul are those of common Chinese characters too, but only of some of them: a text of
    Hangul throughout is hardly chance, if it is not short."""
    others = _others(text)
    share = sum("\uac00" <= c <= "\ud7a3" for c in others) / max(len(others), 1)
    return min(1.001 * share, 1.0001) if len(others) >= _NO_CHANCE else 0.97 * share


def _others(text: str) -> list[str]:
    return [c for c in text if not c.isascii()]


def _by_lead_byte(text: str, encoding: str, weights: Weights) -> float:
    """The mean weight of the characters, by the first of their two bytes."""
    others = _others(text)
    total = 0.0
    for character in _others(_AMONG_LETTERS.sub("", text)):
        try:
            raw = character.encode(encoding)
        except UnicodeEncodeError:
            continue
        if len(raw) > 1:
            total += next((w for low, high, w in weights if low <= raw[0] <= high), 0.0)
    return total / max(len(others), 1)


def _western(text: str) -> float:
    """Accented letters stand among plain ones; a run of them is another encoding's text, and so are £ or ³
    inside words and, outside Icelandic, þ and ð."""
    inside = len(re.findall("[A-Za-zÀ-ÿ][£¥³¹²¿¼½¾][a-zà-ÿ]|(?<![A-Za-z])[£¥³¹²¿][a-zà-ÿ]", text))
    icelandic = bool(re.search("[áéíúæ]", text))
    letters = _WESTERN if icelandic else _WITHOUT_ICELANDIC
    return max(
        _in_words(text, lambda c: letters.match(c) is not None) - inside / max(len(_others(text)), 1), 0
    )


def _common_western(text: str) -> float:
    """Older encodings of Western languages: where they and Windows-1252 both fit, that is likelier."""
    return 0.8 * _in_words(text, lambda c: c in _COMMON)


def _central(text: str) -> float:
    return 0.9 * _in_words(text, lambda c: "À" <= c <= "ž" and c.isalpha())


def _in_words(text: str, letter: Callable[[str], bool]) -> float:
    others, good = 0, 0.0
    for run in re.findall(r"[^\x00-\x7f]+", text):
        others += len(run)
        fits = sum(letter(c) or c in _SIGNS for c in run)
        good += fits if len(run) <= 2 else 0.2 * fits
    capitals_inside = len(re.findall("[A-Za-z][À-ÞŠŽŸŒ][a-z]", text))
    return max(good - capitals_inside, 0) / max(others, 1)


def _turkish(text: str) -> float:
    """As Windows-1252 but for six letters, which are the Icelandic ones there."""
    return 0.95 * _in_words(text, lambda c: c in _TURKISH)


def _cyrillic(text: str) -> float:
    return _alphabet(text, "А-яЁё", "[а-я][А-Я]", "оеаинтсрвлкмд")


def _greek(text: str) -> float:
    return 0.99 * _alphabet(text, "Ά-ώ", "[α-ώ][Α-Ω]", "αοιετσνηυρπκάόίέή")


def _hebrew(text: str) -> float:
    """Five letters stand only at the end of a word."""
    return 0.98 * _alphabet(text, "א-ת", "[ךםןףץ][א-ת]", "יוהלארתבמשנ")


def _alphabet(text: str, letters: str, wrong: str, common: str) -> float:
    """Letters of one alphabet, in runs, of which the common ones are most."""
    others = _others(text)
    runs = re.findall(f"[{letters}]+", text)
    found = sum(map(len, runs))
    alone = sum(len(run) < 2 for run in runs)
    usual = min(sum(c in common for c in "".join(runs).lower()) / max(found, 1) / _COMMON_SHARE, 1)
    good = max(found - 2 * alone - 2 * len(re.findall(wrong, text)), 0)
    return (0.4 + 0.6 * usual) * good / max(len(others), 1)
