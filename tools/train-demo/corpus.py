"""Reads the text of Debian's package wordnet-base and divides it into blocks for training and for evaluation."""
import hashlib
from pathlib import Path

WORDNET = Path("/usr/share/wordnet")
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
ENTRIES_IN_A_BLOCK = 64
HELD_OUT_SHARE = 20  # one block in 20 is held out


def entry_text(line):
    """Returns "word: definition; "example"." from one line of a data file, as described by wndb(5WN). Of several
    words with one meaning the first is taken. Empty if the word is a name: it begins with a capital letter."""
    facts, _, gloss = line.partition(" | ")
    word = facts.split()[4].partition("(")[0].replace("_", " ")
    return "" if word[0].isupper() else f"{word}: {' '.join(gloss.split())}."


def read_entries(folder=WORDNET):
    """Yields the entries of one part of speech after the other, in the order of the files. Neighbours in a file
    often have related meanings, so that the entries before and after say something about an entry."""
    for part in PARTS_OF_SPEECH:
        with open(folder / f"data.{part}", encoding="utf-8") as lines:
            texts = (entry_text(line) for line in lines if not line.startswith("  "))
            yield [text for text in texts if text]


def blocks(folder=WORDNET):
    """Returns lists of 64 consecutive entries each."""
    return [
        entries[start:start + ENTRIES_IN_A_BLOCK]
        for entries in read_entries(folder)
        for start in range(0, len(entries), ENTRIES_IN_A_BLOCK)
    ]


def is_held_out(block):
    """Whether a block is kept from the training. A hash of its text decides, so that no seed can change it."""
    digest = hashlib.sha256("\n".join(block).encode()).digest()
    return int.from_bytes(digest[:8], "big") % HELD_OUT_SHARE == 0


def split_blocks(folder=WORDNET):
    """Returns the blocks to train on and the blocks that are held out."""
    training, held_out = [], []
    for block in blocks(folder):
        (held_out if is_held_out(block) else training).append(block)
    return training, held_out
