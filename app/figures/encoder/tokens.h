// The tokens of the attention view: ids for the model, words for the axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/attention_maps.h"
#include "core/formats/word_pieces.h"

namespace ropescope::figures {

struct Tokens {
    std::vector<std::int64_t> ids;
    std::vector<std::string> words;            ///< one for each id
    std::optional<std::int64_t> mask_id = {};  ///< of [MASK]; empty if the model has no such token
    std::string hidden = {};                   ///< what masked() has replaced by [MASK]

    /// Tokens from this one on are padding.
    std::int64_t seen(std::int64_t padding) const {
        return std::max<std::int64_t>(1, count() - padding);
    }
    std::int64_t count() const { return std::ssize(ids); }
    bool is_mask(std::int64_t position) const { return mask_id == ids[position]; }
};

/// How many tokens are made of a text.
struct TokenCount {
    std::int64_t wanted = 0;  ///< the text from the start again until there are so many; 0: once
    std::int64_t most = 0;
};

/// The text's words. Ids are drawn from the words' spelling: the same word is the same token.
/// Throws InputError when there is no word.
Tokens tokens_by_spelling(const std::string& text, TokenCount count, std::int64_t vocab_size);

/// The same by a BERT vocabulary.
Tokens tokens_by_vocabulary(const std::string& text, TokenCount count, const WordPieces& pieces);

/// Whether [MASK] can be put there: [CLS] and [SEP] stay.
bool may_be_masked(const Tokens& tokens, std::int64_t position);

/// With [MASK] at `position`, if the model has that token and another than [CLS], [SEP] or [MASK]
/// is there; else as they are.
Tokens with_mask_at(Tokens tokens, std::int64_t position);

/// Which token stands at each place if the words are in the opposite order: the pieces of a word
/// keep theirs, and a first [CLS], a last [SEP] and all tokens from `seen` on keep their places.
std::vector<Index> reversed_order(const Tokens& tokens, std::int64_t seen);
/// The tokens in another order: order[i] is the token that stands at place i.
Tokens in_order(Tokens tokens, const std::vector<Index>& order);

/// Positions of [MASK] before `seen`.
std::vector<std::int64_t> masked_positions(const Tokens& tokens, std::int64_t seen);

/// The tokens for attention_maps.h: [SEP] and ASCII punctuation are delimiters.
RoleTokens role_tokens(const Tokens& tokens, std::int64_t seen);

/// The last `padding` of them, but never the first, as [PAD] (BERT's id 0).
Tokens with_padding(Tokens tokens, std::int64_t padding);

}  // namespace ropescope::figures
