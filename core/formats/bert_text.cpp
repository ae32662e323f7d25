// Cuts text into lower-case words as BERT's tokenizer does.
#include "core/formats/bert_text.h"

#include <algorithm>
#include <iterator>

#include "core/formats/bert_tables.h"

namespace ropescope {
namespace {

/// The last row whose `first` is not above c; null if there is none.
template <typename Row>
const Row* row_before(const std::vector<Row>& rows, char32_t c) {
    const auto above = std::ranges::upper_bound(rows, c, {}, &Row::first);
    return above == rows.begin() ? nullptr : &*(above - 1);
}

unsigned kind_of(char32_t c) {
    return row_before(bert::tables().kinds, c)->kind;
}

unsigned mark_order(char32_t c) {
    const bert::MarkOrder* row = row_before(bert::tables().marks, c);
    return row != nullptr && c <= row->last ? row->order : 0;
}

/// Whether the word's sigma at `at` ends it (Unicode's Final_Sigma): a cased letter stands before
/// it and none behind it, whatever ignorable characters are between.
bool is_final_sigma(std::u32string_view word, std::size_t at) {
    const auto is_cased = [](auto begin, auto end) {
        const auto found = std::find_if(
            begin, end, [](char32_t c) { return (kind_of(c) & bert::kCaseIgnorable) == 0; });
        return found != end && (kind_of(*found) & bert::kCased) != 0;
    };
    const auto here = word.begin() + static_cast<std::ptrdiff_t>(at);
    return is_cased(std::make_reverse_iterator(here), word.rend()) &&
           !is_cased(here + 1, word.end());
}

/// The letters of a syllable of Hangul (The Unicode Standard, section 3.12).
std::u32string hangul_letters(char32_t syllable) {
    constexpr char32_t kVowels = 21;
    constexpr char32_t kTails = 28;  // one of them is no tail
    const char32_t index = syllable - 0xAC00;
    std::u32string letters = {0x1100 + index / (kVowels * kTails),
                              0x1161 + index / kTails % kVowels};
    if (index % kTails != 0) {
        letters.push_back(0x11A7 + index % kTails);
    }
    return letters;
}

/// The small letters, without marks, of the character at `at`.
std::u32string letters_of(std::u32string_view word, std::size_t at) {
    const char32_t c = word[at];
    if (c == U'\u03A3') {
        return is_final_sigma(word, at) ? U"\u03C2" : U"\u03C3";
    }
    if (c >= 0xAC00 && c <= 0xD7A3) {
        return hangul_letters(c);
    }
    const bert::LetterRow* row = row_before(bert::tables().letters, c);
    if (row == nullptr || c - row->first >= row->letters.size()) {
        return {c};
    }
    return row->letters[c - row->first];
}

/// The word in small letters, without the marks of Mn. Other marks in a row come in the order of
/// their combining classes, as in NFD.
std::u32string plain(std::u32string_view word) {
    std::u32string text;
    std::ptrdiff_t marks = 0;  // where the last row of marks begins
    const auto end_marks = [&] {
        std::stable_sort(text.begin() + marks, text.end(),
                         [](char32_t a, char32_t b) { return mark_order(a) < mark_order(b); });
        marks = std::ssize(text);
    };
    for (std::size_t at = 0; at < word.size(); ++at) {
        const unsigned kind = kind_of(word[at]);
        if ((kind & bert::kMarkAlone) != 0) {
            end_marks();
        }
        if ((kind & (bert::kMark | bert::kMarkAlone)) != 0) {
            continue;
        }
        for (const char32_t c : letters_of(word, at)) {
            if (mark_order(c) == 0) {
                end_marks();
                ++marks;
            }
            text.push_back(c);
        }
    }
    end_marks();
    return text;
}

/// Adds the parts of a word: punctuation, and what stands between.
void append_parts(std::u32string_view word, std::vector<std::u32string>& words) {
    bool open = false;  // the last part may grow
    for (const char32_t c : plain(word)) {
        const bool alone = (kind_of(c) & bert::kPunctuation) != 0;
        if (!open || alone) {
            words.emplace_back();
        }
        words.back().push_back(c);
        open = !alone;
    }
}

}  // namespace

std::vector<std::u32string> bert_words(std::u32string_view text) {
    std::vector<std::u32string> words;
    std::u32string word;
    const auto end_word = [&] {
        append_parts(word, words);
        word.clear();
    };
    for (const char32_t c : text) {
        const unsigned kind = kind_of(c);
        if ((kind & bert::kDropped) != 0) {
            continue;
        }
        if ((kind & (bert::kSpace | bert::kChinese)) != 0) {
            end_word();
        }
        if ((kind & bert::kSpace) == 0) {
            word.push_back(c);
        }
        if ((kind & bert::kChinese) != 0) {
            end_word();
        }
    }
    end_word();
    return words;
}

}  // namespace ropescope
