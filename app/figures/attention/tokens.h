// The tokens of the attention view: ids for the model, words for the axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/index.h"

namespace ropescope::figures {

struct Tokens {
    std::vector<std::int64_t> ids;
    std::vector<std::string> words;  ///< one for each id

    /// Tokens from this one on are padding.
    std::int64_t seen(std::int64_t padding) const {
        return std::max<std::int64_t>(1, count() - padding);
    }
    std::int64_t count() const { return std::ssize(ids); }
};

/// The text's words, again from the start until there are `count`. Ids are drawn from the words'
/// spelling: the same word is the same token. Throws InputError when there is no word.
Tokens tokens_by_spelling(const std::string& text, std::int64_t count, std::int64_t vocab_size);

/// The same by a BERT vocabulary (core/formats/word_pieces.h).
Tokens tokens_by_vocabulary(const std::string& text, std::int64_t count,
                            const std::filesystem::path& vocabulary);

/// The last `padding` of them, but never the first, as [PAD] (BERT's id 0).
Tokens with_padding(Tokens tokens, std::int64_t padding);

}  // namespace ropescope::figures
