// What BERT's lower-casing tokenizer does with each character: the kinds and the small letters of
// all of Unicode. They stand in assets/bert_letters.json, which tools/bert_tables.py writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ropescope::bert {

/// Bits of a character's kind. Punctuation, Cc, Cf and Mn are Unicode's general categories, Cased
/// and Case_Ignorable its properties.
enum Kind : std::uint8_t {
    kDropped = 1,      ///< Cc and Cf that are not spaces, and U+FFFD
    kSpace = 2,        ///< tab, line ends, Zs, Zl and Zp
    kChinese = 4,      ///< a word of its own: the blocks of ideographs that BERT lists
    kPunctuation = 8,  ///< P*, and what ASCII has beside letters, digits and spaces
    kMark = 16,        ///< Mn, which is stripped
    kMarkAlone = 32,   ///< Mn of combining class 0: other marks do not change places over it
    kCaseIgnorable = 64,
    kCased = 128,  ///< and not Case_Ignorable
};

/// From `first` to the next row every character is of this kind: bits of Kind.
struct KindChange {
    char32_t first;
    unsigned kind;
};

/// The canonical combining class of the marks first .. last. They are not Mn, so that they stay.
struct MarkOrder {
    char32_t first, last;
    unsigned order;
};

/// letters[i] are the small letters without accents of the character first + i.
struct LetterRow {
    char32_t first;
    std::vector<std::u32string> letters;
};

/// Rows are ascending.
struct Tables {
    std::vector<KindChange> kinds;   ///< the first is U+0000
    std::vector<MarkOrder> marks;    ///< what is not listed has class 0
    std::vector<LetterRow> letters;  ///< characters without a row stay as they are
};
const Tables& tables();

}  // namespace ropescope::bert
