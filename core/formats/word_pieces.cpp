// Cuts text into the pieces of a vocabulary, as BERT's lower-casing tokenizer does.
#include "core/formats/word_pieces.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/bert_text.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

void require_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0) {
            throw InputError(
                fmt::format("the text: byte {} is {:#04x}, which is not UTF-8; text in UTF-8 is "
                            "expected",
                            at, static_cast<unsigned char>(text[at])));
        }
        at += length;
    }
}

}  // namespace

WordPieces WordPieces::read(const std::filesystem::path& path) {
    return parse(read_file(path, kMaxVocabularyBytes, Allowed::regular_file), path.string());
}

WordPieces WordPieces::parse(std::string_view lines, const std::string& origin) {
    WordPieces vocabulary;
    for (std::int64_t id = 0; !lines.empty(); ++id) {
        std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        vocabulary.pieces_.emplace_back(line);
        vocabulary.ids_.insert_or_assign(vocabulary.pieces_.back(), id);
    }
    for (const char* needed : {"[CLS]", "[SEP]", "[UNK]"}) {
        if (!vocabulary.ids_.contains(needed)) {
            throw InputError(
                fmt::format("{}: does not contain the line {}; a BERT vocabulary with one word "
                            "piece a line is expected",
                            printable(origin), needed));
        }
    }
    return vocabulary;
}

std::optional<std::int64_t> WordPieces::id_of(std::string_view piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::int64_t> WordPieces::encode(std::string_view text, SpecialPieces special) const {
    require_utf8(text);
    std::vector<std::int64_t> ids = {ids_.at("[CLS]")};
    if (special == SpecialPieces::as_pieces) {
        for (SpecialPlace next = next_special(text); next.id; next = next_special(text)) {
            append_text(text.substr(0, next.begin), ids);
            ids.push_back(*next.id);
            text.remove_prefix(next.end);
        }
    }
    append_text(text, ids);
    ids.push_back(ids_.at("[SEP]"));
    return ids;
}

WordPieces::SpecialPlace WordPieces::next_special(std::string_view text) const {
    // From bracket to bracket, so that a text of many special pieces is read once.
    for (std::size_t at = text.find('['); at != std::string_view::npos;
         at = text.find('[', at + 1)) {
        for (const std::string_view piece : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
            if (!text.substr(at).starts_with(piece)) {
                continue;
            }
            if (const auto id = id_of(piece)) {
                return {id, at, at + piece.size()};
            }
        }
    }
    return {};
}

void WordPieces::append_text(std::string_view text, std::vector<std::int64_t>& ids) const {
    for (const std::u32string& word : bert_words(code_points(text))) {
        if (word.size() > kLongestWord) {
            ids.push_back(ids_.at("[UNK]"));
        } else {
            append_word(to_utf8(word), ids);
        }
    }
}

void WordPieces::append_word(const std::string& word, std::vector<std::int64_t>& ids) const {
    const std::size_t before = ids.size();
    for (std::size_t at = 0; at < word.size();) {
        const Piece piece = longest_piece(std::string_view(word).substr(at), at > 0);
        if (piece.id < 0) {
            ids.resize(before);
            ids.push_back(ids_.at("[UNK]"));
            return;
        }
        ids.push_back(piece.id);
        at += piece.bytes;
    }
}

WordPieces::Piece WordPieces::longest_piece(std::string_view rest, bool inside_word) const {
    const std::string prefix = inside_word ? "##" : "";
    for (std::size_t bytes = rest.size(); bytes > 0; --bytes) {
        const auto found = ids_.find(prefix + std::string(rest.substr(0, bytes)));
        if (found != ids_.end()) {
            return {found->second, bytes};
        }
    }
    return {};
}

}  // namespace ropescope
