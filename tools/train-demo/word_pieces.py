"""Turns text into token ids as BERT's lower-casing tokenizer does: basic tokens first, then WordPiece."""
import re
import unicodedata

SPECIAL_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LONGEST_WORD = 100  # characters; a longer word is [UNK]
CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)


def is_space(char):
    return char in " \t\n\r" or unicodedata.category(char) == "Zs"


def is_dropped(char):
    """Control and format characters, and the character that stands for bytes that are not UTF-8."""
    return char == "\ufffd" or (char not in "\t\n\r" and unicodedata.category(char) in ("Cc", "Cf"))


def is_punctuation(char):
    """ASCII that is neither a letter nor a digit nor a space counts, also where Unicode has it as a symbol."""
    return "!" <= char <= "/" or ":" <= char <= "@" or "[" <= char <= "`" or "{" <= char <= "~" or (
        unicodedata.category(char).startswith("P"))


def is_chinese(char):
    return any(first <= ord(char) <= last for first, last in CHINESE)


def basic_tokens(text):
    """Returns the words of a text, in small letters without accents; punctuation and Chinese characters are words
    of their own."""
    kept = (" " if is_space(char) else f" {char} " if is_chinese(char) else char
            for char in text if not is_dropped(char))
    words = []
    for word in "".join(kept).split():
        plain = [c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn"]
        spaced = (f" {char} " if is_punctuation(char) else char for char in plain)
        words += "".join(spaced).split()
    return words


class WordPieces:
    """A vocabulary: the piece of line i of its file, counted from 0, has id i."""

    def __init__(self, pieces):
        self.pieces = list(pieces)
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        self.cls, self.sep, self.mask = (self.ids[piece] for piece in ("[CLS]", "[SEP]", "[MASK]"))
        self.unknown = self.ids["[UNK]"]
        self.of_words = {}

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as lines:
            return cls(line.rstrip("\n") for line in lines)

    def word_ids(self, word):
        """Returns the longest pieces from left to right, or [UNK] if the pieces do not make up the word."""
        if word not in self.of_words:
            self.of_words[word] = self.find_pieces(word)
        return self.of_words[word]

    def find_pieces(self, word):
        if len(word) > LONGEST_WORD:
            return [self.unknown]
        ids, at = [], 0
        while at < len(word):
            prefix = "##" if at else ""
            for end in range(len(word), at, -1):
                piece = self.ids.get(prefix + word[at:end])
                if piece is not None:
                    break
            else:
                return [self.unknown]
            ids.append(piece)
            at = end
        return ids

    def text_ids(self, text):
        """Returns the ids of a text without [CLS] and [SEP]."""
        return [i for word in basic_tokens(text) for i in self.word_ids(word)]

    def encode(self, text, special=False):
        """Returns [CLS], the ids of a text, [SEP]. With `special`, pieces such as [MASK] that are written in the
        text stand for themselves, as in Hugging Face's tokenizer; without it they are cut like any other text."""
        if not special:
            return [self.cls, *self.text_ids(text), self.sep]
        ids = [self.cls]
        for part in re.split("(" + "|".join(map(re.escape, SPECIAL_PIECES)) + ")", text):
            ids += [self.ids[part]] if part in SPECIAL_PIECES else self.text_ids(part)
        return [*ids, self.sep]
