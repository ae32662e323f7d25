// The reader of word pieces against the tokenizer that the demo model was trained with
// (tests/golden/word_pieces/ORIGIN.md): ids and words of 1,000 lines, and all of Unicode.
#include "core/formats/word_pieces.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/file.h"
#include "core/formats/bert_text.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

using Ids = std::vector<std::int64_t>;

nlohmann::json golden(const std::string& name) {
    const std::filesystem::path root = test::source_dir();
    return nlohmann::json::parse(read_file(root / "tests/golden/word_pieces" / name));
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const std::u32string& word : bert_words(code_points(text))) {
        words.push_back(to_utf8(word));
    }
    return words;
}

// It stops at the first line that differs, whose number in lines.json it says.
TEST(WordPieces, GivesTheIdsOfTheTrainingsTokenizer) {
    const nlohmann::json lines = golden("lines.json");
    const WordPieces vocabulary = WordPieces::read(std::filesystem::path(test::source_dir()) /
                                                   "assets/demo-roformer/vocab.txt");
    ASSERT_EQ(lines.size(), 1000U);
    int with_special_pieces = 0;
    int with_words = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const nlohmann::json& line = lines[i];
        const std::string text = line.at("text");
        SCOPED_TRACE(fmt::format("line {} of lines.json: {}", i + 2, line.at("text").dump()));
        const Ids ids = line.at("ids");
        ASSERT_EQ(vocabulary.encode(text), ids);
        const Ids special_ids = line.value("special_ids", ids);
        ASSERT_EQ(vocabulary.encode(text, SpecialPieces::as_pieces), special_ids);
        with_special_pieces += special_ids != ids ? 1 : 0;
        if (line.contains("words")) {
            ASSERT_EQ(words_of(text), line.at("words").get<std::vector<std::string>>());
            ++with_words;
        }
    }
    EXPECT_GE(with_special_pieces, 40);
    EXPECT_EQ(with_words, 200);
}

/// FNV-1a of 64 bits over the words, each with a line end.
std::uint64_t add_words(const std::string& text, std::uint64_t sum) {
    for (const std::string& word : words_of(text)) {
        for (const char c : word + "\n") {
            sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
        }
    }
    return sum;
}

/// The words around a character, where its class, its letters and its order among marks show, and
/// how it changes a sigma beside it (TEMPLATE in golden_lines.py).
std::string around(char32_t c) {
    const std::string one = to_utf8(std::u32string_view(&c, 1));
    return fmt::format("a{0}b A{0}\u03A3{0} {0}\u03A3 a\u302E{0}\u1B44", one);
}

TEST(WordPieces, CutsAllOfUnicodeAsTheTrainingsTokenizer) {
    constexpr char32_t kBlock = 0x1000;
    const std::vector<std::string> sums = golden("blocks.json");
    ASSERT_EQ(sums.size(), 0x110000 / kBlock);
    for (std::size_t block = 0; block < sums.size(); ++block) {
        const char32_t first = static_cast<char32_t>(block) * kBlock;
        std::uint64_t sum = 0xCBF29CE484222325ULL;
        for (char32_t c = first; c < first + kBlock; ++c) {
            sum = c >= 0xD800 && c <= 0xDFFF ? sum : add_words(around(c), sum);
        }
        ASSERT_EQ(fmt::format("{:016x}", sum), sums[block])
            << fmt::format("a character of U+{:04X} .. U+{:04X}", first + 0U, first + kBlock - 1U);
    }
}

}  // namespace
}  // namespace ropescope
