// Cuts text into words as BERT's lower-casing tokenizer does before it looks for pieces
// (BasicTokenizer in google-research/bert, tokenization.py, which is Python's str.lower(),
// unicodedata and str.split()). The version of Unicode is that in assets/bert_letters.json.
//
// Where tokenizers differ, that script is followed: a capital sigma becomes the final form at the
// end of a word, and characters that are for private use or not assigned yet stay. Hugging Face's
// fast tokenizers (normalizers/bert.rs) write the usual sigma everywhere and drop those characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// The words of `text`, in small letters without accents: control and format characters dropped;
/// cut at white space, Chinese characters and punctuation, of which the latter two are words;
/// lower-cased; taken apart (NFD) and without marks (Mn).
std::vector<std::u32string> bert_words(std::u32string_view text);

}  // namespace ropescope
