// Splits a text into tokens for the attention view.
#include "app/figures/attention/tokens.h"

#include <sstream>

#include "core/base/error.h"
#include "core/base/printable.h"
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

}  // namespace

Tokens tokens_by_spelling(const std::string& text, std::int64_t count, std::int64_t vocab_size) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(printable(word));
    }
    if (words.empty()) {
        throw InputError("attention_text: contains no words; give at least one");
    }
    Tokens tokens;
    for (Index i = 0; i < count; ++i) {
        const std::string& word = words[i % std::ssize(words)];
        tokens.words.push_back(word);
        tokens.ids.push_back(spelling_hash(word) % vocab_size);
    }
    return tokens;
}

Tokens tokens_by_vocabulary(const std::string& text, std::int64_t count,
                            const std::filesystem::path& vocabulary) {
    const WordPieces pieces = WordPieces::read(vocabulary);
    const std::vector<std::int64_t> ids = pieces.encode(text, SpecialPieces::as_pieces);
    Tokens tokens;
    for (Index i = 0; i < count; ++i) {
        tokens.ids.push_back(ids[i % std::ssize(ids)]);
        tokens.words.push_back(printable(pieces.text(tokens.ids.back())));
    }
    return tokens;
}

Tokens with_padding(Tokens tokens, std::int64_t padding) {
    for (Index i = tokens.seen(padding); i < tokens.count(); ++i) {
        tokens.ids[i] = 0;
        tokens.words[i] = "[PAD]";
    }
    return tokens;
}

}  // namespace ropescope::figures
