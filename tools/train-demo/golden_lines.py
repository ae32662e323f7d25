"""Writes tests/golden/word_pieces: 1,000 lines of text with the ids that the training's own tokenizer gives them, and
a sum for each 4,096 characters of Unicode over the words that the tokenizer makes with them."""
import argparse
import json
import random
import unicodedata
from pathlib import Path

import corpus
from word_pieces import SPECIAL_PIECES, WordPieces, basic_tokens

SEED = 18
LINES_OF_EACH_PART = 400  # of the training's text, and of the text that is held out
RANDOM_LINES = 200
BLOCK = 0x1000
# U+302E and U+1B44 are marks that stay, of a high and a low combining class. What stands before a capital sigma and
# behind it decides on its small form.
TEMPLATE = "a{0}b A{0}\u03A3{0} {0}\u03A3 a\u302E{0}\u1B44"

# Characters by first and last code point.
SCRIPTS = {
    "accents": [(0xC0, 0x24F), (0x1E00, 0x1EFF), (0x41, 0x5A), (0x300, 0x36F)],
    "greek": [(0x370, 0x3FF), (0x1F00, 0x1FFF), (0x3A3, 0x3A3)],
    "cyrillic": [(0x400, 0x52F)],
    "vietnamese": [(0x1EA0, 0x1EF9), (0x61, 0x7A)],
    "hangul": [(0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x302E, 0x302F)],
    "chinese": [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x323AF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)],
    "japanese": [(0x3040, 0x30FF), (0xFF00, 0xFFEF), (0x3000, 0x303F)],
    "semitic": [(0x590, 0x6FF)],
    "indian": [(0x900, 0xDFF), (0x1B00, 0x1B7F), (0x11300, 0x1134F)],
    "thai": [(0xE00, 0xEFF)],
    "other capitals": [(0x10A0, 0x10FF), (0x13A0, 0x13FD), (0x10400, 0x1044F), (0x1E900, 0x1E943)],
    "controls": [(0x00, 0x1F), (0x7F, 0xA0), (0x200B, 0x200F), (0x2028, 0x202E), (0xFEFF, 0xFEFF), (0xFFFD, 0xFFFD)],
    "spaces": [(0x2000, 0x200A), (0x20, 0x20), (0x3000, 0x3000), (0x09, 0x0D)],
    "punctuation": [(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), (0xA1, 0xBF), (0x2010, 0x205E)],
    "symbols": [(0x20A0, 0x20CF), (0x2100, 0x22FF), (0x1D100, 0x1D1FF), (0xE000, 0xE010)],
    "emoji": [(0x1F300, 0x1FAFF), (0x200D, 0x200D), (0xFE0F, 0xFE0F)],
}
WRITTEN = ("İSTANBUL ışık ĞÜŞÖÇ", "ΟΔΥΣΣΕΥΣ Σ ΣΑΣ' ΑΣ.Α", "naïve CAFÉ e\u0301\u0323", "Việt Nam", "한국어", "日本語", "👩‍🔬",
           "[mask]", "[ MASK ]", "[[MASK]]", "(x)", "{y}", "it's", "\u00ADsoft")


def drawn_character(draws, script):
    """Draws again if this version of Unicode has no such character."""
    while True:
        char = chr(draws.randint(*draws.choice(SCRIPTS[script])))
        if unicodedata.category(char) != "Cn":
            return char


def drawn_part(draws, english):
    """Draws letters of one script, a special piece, a long word, or English words."""
    kind = draws.choice([*SCRIPTS, "special", "long", "written", "english", "english"])
    if kind in SCRIPTS:
        return "".join(drawn_character(draws, kind) for _ in range(draws.randint(1, 8)))
    if kind == "special":
        return draws.choice(SPECIAL_PIECES)
    if kind == "long":
        letters = draws.choice(("abcÉ", "abcё"))  # of the first ones the vocabulary has pieces
        return f" {''.join(draws.choices(letters, k=draws.choice((50, 99, 100, 101, 150))))} "
    if kind == "written":
        return draws.choice(WRITTEN)
    return draws.choice(draws.choice(english).split())


def random_line(draws, english):
    return "".join(drawn_part(draws, english) + draws.choice(("", " ")) for _ in range(draws.randint(2, 9)))


def corpus_lines(draws):
    return [line for blocks in corpus.split_blocks()
            for line in draws.sample([entry for block in blocks for entry in block], LINES_OF_EACH_PART)]


def case_of(line, pieces, with_words):
    """Returns one line of the file: the ids with special pieces as text and, if they differ, as pieces. Nearly all
    words in other scripts are [UNK], so that for random lines the words stand there too."""
    case = {"text": line, "ids": pieces.encode(line)}
    if pieces.encode(line, special=True) != case["ids"]:
        case["special_ids"] = pieces.encode(line, special=True)
    if with_words:
        case["words"] = basic_tokens(line)
    return case


def sum_of_words(words, value):
    """FNV-1a of 64 bits over the words in UTF-8, each with a line end."""
    for byte in "".join(f"{word}\n" for word in words).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def block_sums():
    sums = []
    for first in range(0, 0x110000, BLOCK):
        value = 0xCBF29CE484222325
        for point in range(first, first + BLOCK):
            if not 0xD800 <= point <= 0xDFFF:
                value = sum_of_words(basic_tokens(TEMPLATE.format(chr(point))), value)
        sums.append(f"{value:016x}")
    return sums


def write_rows(path, rows):
    """Writes a list in JSON with one row a line, so that a change is seen where it is."""
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="ascii")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vocab")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    pieces, draws = WordPieces.read(arguments.vocab), random.Random(SEED)
    english = corpus_lines(draws)
    drawn = [random_line(draws, english) for _ in range(RANDOM_LINES)]
    write_rows(arguments.folder / "lines.json", [case_of(line, pieces, False) for line in english] +
               [case_of(line, pieces, True) for line in drawn])
    write_rows(arguments.folder / "blocks.json", block_sums())
    print(f"Unicode {unicodedata.unidata_version}")


if __name__ == "__main__":
    main()
