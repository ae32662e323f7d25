// What BERT's lower-casing tokenizer does with each character: the kinds and the small letters of
// all of Unicode. bert_kinds.cpp and bert_letters.cpp, which tools/bert_tables.py writes, hold the
// numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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
    std::uint8_t kind;
};
std::span<const KindChange> kind_changes();  ///< ascending, the first is U+0000

/// The canonical combining class of the marks first .. last. They are not Mn, so that they stay.
struct MarkOrder {
    char32_t first, last;
    std::uint8_t order;
};
std::span<const MarkOrder> mark_orders();  ///< ascending; what is not listed has class 0

/// letters()[begin + i] is the small letter without accents of the character first + i, for i below
/// `count`. Characters without a row stay as they are.
struct LetterRow {
    char32_t first;
    std::uint16_t begin, count;
};
std::span<const LetterRow> letter_rows();  ///< ascending
/// A value from kLonger on stands for several characters: longer_letters()[value - kLonger].
std::span<const char32_t> letters();
std::span<const std::u32string_view> longer_letters();
inline constexpr char32_t kLonger = 0x110000;

}  // namespace ropescope::bert
