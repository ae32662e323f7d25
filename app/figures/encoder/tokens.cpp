// Splits a text into tokens for the attention view.
#include "app/figures/encoder/tokens.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/split_words.h"
#include "core/formats/word_pieces.h"

namespace ropescope::figures {
namespace {

/// FNV-1a (Fowler, Noll, Vo), the same everywhere.
std::uint64_t spelling_hash(const std::string& word) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : word) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    }
    return hash;
}

std::int64_t count_of(TokenCount count, std::int64_t in_text) {
    return std::min(count.wanted > 0 ? count.wanted : in_text, count.most);
}

bool is_delimiter(const std::string& word) {
    return word == "[SEP]" ||
           (word.size() == 1 && std::ispunct(static_cast<unsigned char>(word.front())) != 0);
}

}  // namespace

Tokens tokens_by_spelling(const std::string& text, TokenCount count, std::int64_t vocab_size) {
    std::vector<std::string> words;
    for (const std::string_view word : split_words(text)) {
        words.push_back(printable(word));
    }
    if (words.empty()) {
        throw InputError("attention_text: contains no words; give at least one");
    }
    Tokens tokens;
    const std::int64_t tokens_wanted = count_of(count, std::ssize(words));
    for (Index i = 0; i < tokens_wanted; ++i) {
        const std::string& word = words[i % std::ssize(words)];
        tokens.words.push_back(word);
        tokens.ids.push_back(spelling_hash(word) % vocab_size);
    }
    return tokens;
}

Tokens tokens_by_vocabulary(const std::string& text, TokenCount count, const WordPieces& pieces) {
    const std::vector<std::int64_t> ids = pieces.encode(text, SpecialPieces::as_pieces);
    Tokens tokens;
    tokens.mask_id = pieces.id_of("[MASK]");
    const std::int64_t tokens_wanted = count_of(count, std::ssize(ids));
    for (Index i = 0; i < tokens_wanted; ++i) {
        tokens.ids.push_back(ids[i % std::ssize(ids)]);
        tokens.words.push_back(printable(pieces.text(tokens.ids.back())));
    }
    return tokens;
}

bool may_be_masked(const Tokens& tokens, std::int64_t position) {
    return tokens.mask_id && position > 0 && position < tokens.count() &&
           tokens.words[position] != "[CLS]" && tokens.words[position] != "[SEP]";
}

Tokens with_mask_at(Tokens tokens, std::int64_t position) {
    if (!may_be_masked(tokens, position) || tokens.is_mask(position)) {
        return tokens;
    }
    tokens.hidden = tokens.words[position];
    tokens.words[position] = "[MASK]";
    tokens.ids[position] = *tokens.mask_id;
    return tokens;
}

std::vector<Index> reversed_order(const Tokens& tokens, std::int64_t seen) {
    std::vector<Index> order(tokens.words.size());
    std::iota(order.begin(), order.end(), 0);
    Index first = 0, last = seen;
    first += first < last && tokens.words[first] == "[CLS]" ? 1 : 0;
    last -= first < last && tokens.words[last - 1] == "[SEP]" ? 1 : 0;
    // Turning all pieces round and then those of each word leaves the words turned round.
    std::reverse(order.begin() + first, order.begin() + last);
    const auto continues = [&](Index place) {
        return tokens.words[order[place]].starts_with("##");
    };
    for (Index begin = first; begin < last;) {
        Index end = begin;
        while (end < last && continues(end)) {
            ++end;
        }
        end = std::min<Index>(end + 1, last);
        std::reverse(order.begin() + begin, order.begin() + end);
        begin = end;
    }
    return order;
}

Tokens in_order(Tokens tokens, const std::vector<Index>& order) {
    const Tokens before = tokens;
    for (std::size_t place = 0; place < order.size(); ++place) {
        tokens.ids[place] = before.ids[order[place]];
        tokens.words[place] = before.words[order[place]];
    }
    return tokens;
}

std::vector<std::int64_t> masked_positions(const Tokens& tokens, std::int64_t seen) {
    std::vector<std::int64_t> positions;
    for (Index i = 0; i < seen; ++i) {
        if (tokens.is_mask(i)) {
            positions.push_back(i);
        }
    }
    return positions;
}

RoleTokens role_tokens(const Tokens& tokens, std::int64_t seen) {
    RoleTokens roles{.ids = tokens.ids, .delimiter = {}, .seen = seen};
    std::ranges::transform(tokens.words, std::back_inserter(roles.delimiter), is_delimiter);
    return roles;
}

Tokens with_padding(Tokens tokens, std::int64_t padding) {
    for (Index i = tokens.seen(padding); i < tokens.count(); ++i) {
        tokens.ids[i] = 0;
        tokens.words[i] = "[PAD]";
    }
    return tokens;
}

}  // namespace ropescope::figures
