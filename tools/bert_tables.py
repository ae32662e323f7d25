#!/usr/bin/env python3
"""Writes assets/bert_letters.json: what BERT's lower-casing tokenizer does with each character, from the Unicode that
comes with this Python (unicodedata). core/formats/bert_tables.h describes the tables; tests/golden/word_pieces holds
all of Unicode against tools/train-demo/word_pieces.py."""
import json
import sys
import unicodedata
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "train-demo"))
from word_pieces import is_chinese, is_dropped, is_punctuation

ASSETS = Path(__file__).parent.parent / "assets"
LAST = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)  # no UTF-8 text has them
HANGUL = range(0xAC00, 0xD7A4)  # syllables, which core/formats/bert_text.cpp takes apart by arithmetic
SIGMA = "\u03A3"  # Python's lower() makes "\u03C2" of it at the end of a word: the kinds say where that is
# As in core/formats/bert_tables.h.
DROPPED, SPACE, CHINESE, PUNCTUATION, MARK, MARK_ALONE, IGNORABLE, CASED = (1 << i for i in range(8))
KEPT_GAP = 3  # characters that stay as they are cost less in the list of letters than one more row


def is_stripped(char):
    return unicodedata.category(char) == "Mn"


def plain(char):
    """Returns the small letter without its accents, as word_pieces.basic_tokens makes it of one character."""
    return "".join(c for c in unicodedata.normalize("NFD", char.lower()) if not is_stripped(c))


def ends_in_final_sigma(word):
    return word.lower().endswith("\u03C2")


def kind(char):
    if is_dropped(char):
        return DROPPED
    if char.isspace():  # str.split() in basic_tokens also splits at U+2028 and U+2029
        return SPACE
    if is_chinese(char):
        return CHINESE
    bits = PUNCTUATION if is_punctuation(char) else 0
    if is_stripped(char):
        decomposed = unicodedata.normalize("NFD", char)
        assert all(map(is_stripped, decomposed)), f"{char!a}: something stays of a mark"
        bits |= MARK if all(map(unicodedata.combining, decomposed)) else MARK_ALONE
    # unicodedata does not have Case_Ignorable and Cased, but str.lower() shows them.
    cased = ends_in_final_sigma(char + SIGMA)
    if cased:
        bits |= CASED
    elif ends_in_final_sigma("A" + char + SIGMA):
        bits |= IGNORABLE
    return bits


def check_decomposition(char):
    """The marks that stay are put into Unicode's order after the letters were looked up, where the table has no
    stripped marks. That is the same if a letter begins anew and no mark that stands alone follows a mark that stays."""
    decomposed = unicodedata.normalize("NFD", char.lower())
    classes = [unicodedata.combining(c) for c in decomposed]
    kept = [order for c, order in zip(decomposed, classes) if not is_stripped(c)]
    assert len(decomposed) == 1 or 0 in kept, f"{char!a}: only marks stay"
    assert kept[-1] == 0 or 0 not in classes[1:], f"{char!a}: a mark that stands alone is lost"


def characters():
    return (chr(point) for point in range(LAST + 1) if point not in SURROGATES)


def kind_changes():
    changes = [(0, kind("\0"))]
    for char in characters():
        if kind(char) != changes[-1][1]:
            changes.append((ord(char), kind(char)))
    return changes


def orders():
    """Returns rows of first, last, combining class: the marks that are not stripped."""
    rows = []
    for char in characters():
        order = 0 if is_stripped(char) else unicodedata.combining(char)
        if order and rows and rows[-1][1:] == [ord(char) - 1, order]:
            rows[-1][1] += 1
        elif order:
            rows.append([ord(char), ord(char), order])
    return rows


def changed_letters():
    """Returns what changes into something else. Dropped characters, spaces and stripped marks are never looked up."""
    letters = {}
    for char in characters():
        if kind(char) & (DROPPED | SPACE | MARK | MARK_ALONE) or ord(char) in HANGUL or char == SIGMA:
            continue
        check_decomposition(char)
        if plain(char) != char:
            letters[ord(char)] = plain(char)
    return letters


def letter_rows(letters):
    """Returns rows of the first character and, with spaces between, what it and those after it become."""
    rows = []
    for point in sorted(letters):
        if not rows or point > rows[-1][0] + len(rows[-1][1]) + KEPT_GAP:
            rows.append([point, []])
        first, values = rows[-1]
        values += [chr(kept) for kept in range(first + len(values), point)]
        values.append(letters[point])
    assert not any(" " in value for _, values in rows for value in values)
    return [[first, " ".join(values)] for first, values in rows]


def listed(rows, width=110):
    """Returns the rows as lines with commas."""
    lines = [""]
    for number, row in enumerate(rows):
        text = json.dumps(row, separators=(",", ":")) + ("," if number + 1 < len(rows) else "")
        if len(lines[-1]) + len(text) > width:
            lines.append("")
        lines[-1] += text
    return "\n".join(lines)


def main():
    about = "What BERT's lower-casing tokenizer does with each character: core/formats/bert_tables.h. " \
            "Written by tools/bert_tables.py."
    tables = {"kinds": kind_changes(), "marks": orders(), "letters": letter_rows(changed_letters())}
    head = f'{{"about": {json.dumps(about)},\n"unicode": "{unicodedata.unidata_version}"'
    text = head + "".join(f',\n"{name}": [\n{listed(rows)}\n]' for name, rows in tables.items()) + "}\n"
    (ASSETS / "bert_letters.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
