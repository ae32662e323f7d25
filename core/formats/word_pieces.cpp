// Cuts text into the pieces of a vocabulary, as BERT's lower-casing tokenizer does.
#include "core/formats/word_pieces.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"

namespace ropescope {
namespace {

constexpr std::size_t kMaxVocabularyBytes = std::size_t{1} << 26;
/// Longer words are unknown: max_input_chars_per_word of BERT's tokenizer.
constexpr std::size_t kLongestWord = 100;

struct Range {
    char32_t first, last;
};

bool in_any(char32_t point, std::span<const Range> ranges) {
    return std::ranges::any_of(ranges, [point](const Range& range) {
        return point >= range.first && point <= range.last;
    });
}

bool is_space(char32_t c) {
    return c == U' ' || (c >= 0x09 && c <= 0x0D) || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Dropped: control and format characters, what is not UTF-8, and accents that stand apart.
bool is_dropped(char32_t c) {
    constexpr std::array kDropped = {
        Range{0x00, 0x08},     Range{0x0E, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},
        Range{0x300, 0x36F},   Range{0x200B, 0x200F}, Range{0x202A, 0x202E}, Range{0x2060, 0x2064},
        Range{0xFEFF, 0xFEFF}, Range{0xFFFD, 0xFFFD}};
    return in_any(c, kDropped);
}

/// A word of its own: ASCII that is neither letter nor digit, Unicode's punctuation (P*) of Latin
/// and East Asian text, and Chinese characters (the blocks that BERT's tokenizer lists).
bool stands_alone(char32_t c) {
    constexpr std::array kAlone = {
        Range{0x21, 0x2F},       Range{0x3A, 0x40},       Range{0x5B, 0x60},
        Range{0x7B, 0x7E},       Range{0xA1, 0xA1},       Range{0xA7, 0xA7},
        Range{0xAB, 0xAB},       Range{0xB6, 0xB7},       Range{0xBB, 0xBB},
        Range{0xBF, 0xBF},       Range{0x2010, 0x2027},   Range{0x2030, 0x2043},
        Range{0x2045, 0x2051},   Range{0x2053, 0x205E},   Range{0x3001, 0x3003},
        Range{0x3008, 0x3011},   Range{0x3014, 0x301F},   Range{0x3030, 0x3030},
        Range{0x30FB, 0x30FB},   Range{0xFF01, 0xFF03},   Range{0xFF05, 0xFF0A},
        Range{0xFF0C, 0xFF0F},   Range{0xFF1A, 0xFF1B},   Range{0xFF1F, 0xFF20},
        Range{0xFF3B, 0xFF3D},   Range{0xFF3F, 0xFF3F},   Range{0xFF5B, 0xFF5B},
        Range{0xFF5D, 0xFF5D},   Range{0xFF5F, 0xFF65},   Range{0x3400, 0x4DBF},
        Range{0x4E00, 0x9FFF},   Range{0xF900, 0xFAFF},   Range{0x20000, 0x2A6DF},
        Range{0x2A700, 0x2CEAF}, Range{0x2F800, 0x2FA1F},
    };
    return in_any(c, kAlone);
}

/// The small letter without its accents (Unicode's canonical decomposition) for U+00C0 .. U+017F.
char32_t plain_small(char32_t c) {
    constexpr char32_t kFirst = 0xC0;
    constexpr std::u32string_view kPlain =
        U"aaaaaa\u00E6ceeeeiiii\u00F0nooooo\u00D7\u00F8uuuuy\u00FE\u00DF"
        U"aaaaaa\u00E6ceeeeiiii\u00F0nooooo\u00F7\u00F8uuuuy\u00FEy"
        U"aaaaaaccccccccdd\u0111\u0111eeeeeeeeeegggggggghh\u0127\u0127iiiiiiiii\u0131\u0133\u0133jj"
        U"kk\u0138llllll\u0140\u0140\u0142\u0142nnnnnn\u0149\u014B\u014Boooooo\u0153\u0153"
        U"rrrrrrsssssssstttt\u0167\u0167uuuuuuuuuuuuwwyyyzzzzzz\u017F";
    static_assert(kPlain.size() == 0x180 - kFirst);
    if (c >= U'A' && c <= U'Z') {
        return c + (U'a' - U'A');
    }
    return c >= kFirst && c < kFirst + kPlain.size() ? kPlain[c - kFirst] : c;
}

std::vector<std::u32string> words_of(std::string_view text) {
    std::vector<std::u32string> words;
    bool open = false;  // the last word may grow
    for (const char32_t c : code_points(text)) {
        if (is_dropped(c)) {
            continue;
        }
        const bool alone = stands_alone(c);
        if (is_space(c)) {
            open = false;
            continue;
        }
        if (!open || alone) {
            words.emplace_back();
        }
        words.back().push_back(plain_small(c));
        open = !alone;
    }
    return words;
}

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
    SpecialPlace first;
    for (const std::string_view piece : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
        const std::size_t at = text.find(piece);
        const auto id = id_of(piece);
        if (at != std::string_view::npos && id && (!first.id || at < first.begin)) {
            first = {id, at, at + piece.size()};
        }
    }
    return first;
}

void WordPieces::append_text(std::string_view text, std::vector<std::int64_t>& ids) const {
    for (const std::u32string& word : words_of(text)) {
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
