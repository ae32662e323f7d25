#!/usr/bin/env python3
"""Writes core/formats/bert_kinds.cpp and bert_letters.cpp: what BERT's lower-casing tokenizer does with each
character, from the Unicode that comes with this Python (unicodedata). core/formats/bert_tables.h describes the
tables; tests/golden/word_pieces holds all of Unicode against tools/train-demo/word_pieces.py."""
import sys
import unicodedata
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "train-demo"))
from word_pieces import is_chinese, is_dropped, is_punctuation

FORMATS = Path(__file__).parent.parent / "core" / "formats"
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
    """Returns the rows (first, where its letters begin, how many), all letters, and the longer ones."""
    rows, values, longer = [], [], []
    for point in sorted(letters):
        if not rows or point > rows[-1][0] + rows[-1][2] + KEPT_GAP:
            rows.append([point, len(values), 0])
        first, _, count = rows[-1]
        values += range(first + count, point)
        if len(letters[point]) == 1:
            values.append(ord(letters[point]))
        else:
            values.append(LAST + 1 + len(longer))
            longer.append(letters[point])
        rows[-1][2] = point - first + 1
    return rows, values, longer


def listed(items, width=100):
    """Returns the items as lines with commas."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) + 1 > width:
            lines.append("")
        lines[-1] += item + ","
    return "\n".join(lines)


def rows_text(rows):
    return listed("{" + ",".join(f"{number:#X}".replace("X", "x") if number > 9 else str(number) for number in row) +
                  "}" for row in rows)


def function(kind_of_row, name, content, count):
    return f"""
std::span<const {kind_of_row}> {name}() {{
    static constexpr std::array<{kind_of_row}, {count}> kTable = {{{{
{content}
    }}}};
    return kTable;
}}
"""


def write(name, what, *functions):
    head = f"""// {what}, from Unicode {unicodedata.unidata_version}.
// tools/bert_tables.py has written this file; change that one. The tables are those of
// core/formats/bert_tables.h.
#include <array>

#include "core/formats/bert_tables.h"

namespace ropescope::bert {{
// clang-format off
"""
    text = head + "".join(functions) + "\n// clang-format on\n}  // namespace ropescope::bert\n"
    (FORMATS / name).write_text(text, encoding="ascii")


def main():
    changes, marks = kind_changes(), orders()
    rows, values, longer = letter_rows(changed_letters())
    write("bert_kinds.cpp", "Lists the kinds of all characters that BERT's tokenizer tells apart",
          function("KindChange", "kind_changes", rows_text(changes), len(changes)),
          function("MarkOrder", "mark_orders", rows_text(marks), len(marks)))
    write("bert_letters.cpp", "Lists the small letters without accents that BERT's tokenizer makes",
          function("LetterRow", "letter_rows", rows_text(rows), len(rows)),
          function("char32_t", "letters", listed(f"{value:#x}" for value in values), len(values)),
          function("std::u32string_view", "longer_letters", listed(
              'U"' + "".join(f"\\U{ord(c):08X}" for c in text) + '"' for text in longer), len(longer)))


if __name__ == "__main__":
    main()
