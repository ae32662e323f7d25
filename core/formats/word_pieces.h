// Turns text into token ids, as BERT's lower-casing tokenizer does it: words by white space and
// punctuation (core/formats/bert_text.h says which rule is followed where tokenizers differ), then
// the longest pieces of a vocabulary (WordPiece). Hugging Face's RoFormer tokenizer is this one
// with Chinese text cut into words first (jieba), which is not done here: every Chinese character
// is a word of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// What [MASK] and the like are when somebody writes them in a text: pieces of their own, as in
/// Hugging Face's tokenizer, or brackets and letters.
enum class SpecialPieces { as_pieces, as_text };

class WordPieces {
  public:
    /// A vocab.txt: the piece of line i (from 0) has id i. Throws InputError naming the file, also
    /// when [CLS], [SEP] or [UNK] are missing.
    static WordPieces read(const std::filesystem::path& path);
    static WordPieces parse(std::string_view lines, const std::string& origin);

    /// [CLS], the pieces of `text`, [SEP]. A word that the pieces do not make up, or of more than
    /// 100 characters, is [UNK]. The letters of every script are lower-cased and lose their accents
    /// (Unicode's Mn). Throws InputError naming the first byte that is not UTF-8.
    std::vector<std::int64_t> encode(std::string_view text,
                                     SpecialPieces special = SpecialPieces::as_text) const;
    /// The piece of an id, 0 .. size() - 1.
    const std::string& text(std::int64_t id) const { return pieces_.at(id); }
    /// Empty if the vocabulary does not have the piece.
    std::optional<std::int64_t> id_of(std::string_view piece) const;
    std::int64_t size() const { return std::ssize(pieces_); }

  private:
    /// The first special piece of the vocabulary that is written in a text; no id if none is.
    struct SpecialPlace {
        std::optional<std::int64_t> id;
        std::size_t begin = 0, end = 0;
    };
    SpecialPlace next_special(std::string_view text) const;
    void append_text(std::string_view text, std::vector<std::int64_t>& ids) const;
    void append_word(const std::string& word, std::vector<std::int64_t>& ids) const;
    /// Id of the longest piece at the front of `rest`, and its bytes; {-1, 0} if no piece fits.
    struct Piece {
        std::int64_t id = -1;
        std::size_t bytes = 0;
    };
    Piece longest_piece(std::string_view rest, bool inside_word) const;

    std::map<std::string, std::int64_t, std::less<>> ids_;
    std::vector<std::string> pieces_;  ///< by id
};

}  // namespace ropescope
