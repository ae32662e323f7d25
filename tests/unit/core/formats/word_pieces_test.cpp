// BERT's lower-casing tokenizer: expected pieces follow from the published algorithm by hand.
#include "core/formats/word_pieces.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/characters.h"
#include "tests/support/input_error.h"

namespace ropescope::test {
namespace {

using ::testing::ElementsAre;

constexpr const char* kVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\r\nun\n##aff\n##able\n,\nuna\ncafe\n模\n型\n##e\nэ\nЭ\n";

std::vector<std::int64_t> pieces(std::string_view text) {
    std::vector<std::int64_t> ids = WordPieces::parse(kVocabulary, "vocab.txt").encode(text);
    EXPECT_EQ(ids.front(), 2);
    EXPECT_EQ(ids.back(), 3);
    return {ids.begin() + 1, ids.end() - 1};
}

TEST(WordPieces, TakesTheLongestPieceFirst) {
    EXPECT_THAT(pieces("unaffable"), ElementsAre(1)) << "una, then nothing for ffable: unknown";
    EXPECT_THAT(pieces("unable"), ElementsAre(1));
    EXPECT_THAT(pieces("unaffableaff un"), ElementsAre(1, 4));
    EXPECT_THAT(pieces("cafeable"), ElementsAre(9, 6));
    EXPECT_THAT(pieces("affable"), ElementsAre(1)) << "##aff does not start a word";
    EXPECT_THAT(pieces(std::string(101, 'e')), ElementsAre(1));
    EXPECT_THAT(pieces(""), ElementsAre());
}

TEST(WordPieces, LowersAndDropsAccents) {
    EXPECT_THAT(pieces("UN"), ElementsAre(4));
    EXPECT_THAT(pieces("CAFÉ"), ElementsAre(9));
    EXPECT_THAT(pieces("cafe\u0301\u0323"), ElementsAre(9)) << "accents as characters of their own";
    EXPECT_THAT(pieces("Э э"), ElementsAre(13, 13)) << "not the capital letter of the vocabulary";
}

TEST(WordPieces, WordsOfMoreThanAHundredCharactersAreUnknown) {
    const WordPieces vocabulary = WordPieces::parse(
        "[UNK]\n[CLS]\n[SEP]\n[MASK]\ne\n##e\n,\n\u1100\n##\u1161\n##\u1100\n", "vocab.txt");
    const auto encode = [&](const std::string& part, int times, const std::string& behind = "") {
        std::string text;
        for (int i = 0; i < times; ++i) {
            text += part;
        }
        return vocabulary.encode(text + behind + text, SpecialPieces::as_pieces);
    };
    EXPECT_EQ(encode("e", 50).size(), 102U) << "100 characters";
    EXPECT_EQ(encode("e", 50)[100], 5);
    EXPECT_THAT(encode("e", 50, "e"), ElementsAre(1, 0, 2)) << "101 characters";
    EXPECT_EQ(encode("\u00C9", 50).size(), 102U) << "characters, not bytes";
    EXPECT_EQ(encode("E\u0301", 50).size(), 102U) << "without the accents";
    EXPECT_EQ(encode("\uAC00", 25).size(), 102U) << "a syllable of Hangul is two letters";
    EXPECT_THAT(encode("\uAC00", 25, "\uAC00"), ElementsAre(1, 0, 2));
    EXPECT_EQ(encode("e", 100, ",").size(), 203U) << "punctuation ends a word";
    EXPECT_EQ(encode("e", 100, "[MASK]").size(), 203U) << "a special piece too";
    EXPECT_THAT(encode("e", 101, " "), ElementsAre(1, 0, 0, 2));
}

TEST(WordPieces, SplitsAtSpacesPunctuationAndChineseCharacters) {
    EXPECT_THAT(pieces(" un,\tun\u3000un"), ElementsAre(4, 7, 4, 4));
    EXPECT_THAT(pieces("模型un"), ElementsAre(10, 11, 4));
    EXPECT_THAT(pieces("u\u200Bn"), ElementsAre(4)) << "format characters go";
}

TEST(WordPieces, TakesSpecialPiecesOfATextForThemselvesIfAsked) {
    const WordPieces vocabulary = WordPieces::parse(
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##able\n[\n]\nmask\n", "vocab.txt");
    EXPECT_THAT(vocabulary.encode("un[MASK] [SEP]unable", SpecialPieces::as_pieces),
                ElementsAre(2, 5, 4, 3, 5, 6, 3));
    EXPECT_THAT(vocabulary.encode("[mask]", SpecialPieces::as_pieces), ElementsAre(2, 7, 9, 8, 3))
        << "only as it is written in the vocabulary";
    EXPECT_THAT(vocabulary.encode("[MASK]"), ElementsAre(2, 7, 9, 8, 3));
    EXPECT_THAT(vocabulary.encode("[MASK][MASK]un", SpecialPieces::as_pieces),
                ElementsAre(2, 4, 4, 5, 3));
    EXPECT_THAT(vocabulary.encode("un[MASK]able", SpecialPieces::as_pieces),
                ElementsAre(2, 5, 4, 1, 3))
        << "a word begins behind it: able is unknown, ##able is not";
    EXPECT_THAT(vocabulary.encode("[[MASK]] [MASK [MA\u200BSK]", SpecialPieces::as_pieces),
                ElementsAre(2, 7, 4, 8, 7, 9, 7, 9, 8, 3))
        << "in brackets, not closed, with a character between that goes later";
}

TEST(WordPieces, ASpecialPieceThatTheVocabularyLacksHidesNoOther) {
    const WordPieces vocabulary =
        WordPieces::parse("[UNK]\n[CLS]\n[SEP]\n[MASK]\n[\n]\npad\n", "vocab.txt");
    EXPECT_THAT(vocabulary.encode("[PAD] [MASK]", SpecialPieces::as_pieces),
                ElementsAre(1, 4, 6, 5, 3, 2))
        << "[PAD] is brackets and letters here";
}

// A scan of the rest of the text for each of them would take minutes here.
TEST(WordPieces, ReadsManySpecialPiecesInOnePass) {
    constexpr std::size_t kCount = 100'000;
    std::string text;
    for (std::size_t i = 0; i < kCount; ++i) {
        text += "[PAD] [un] ";
    }
    const std::vector<std::int64_t> ids =
        WordPieces::parse(kVocabulary, "vocab.txt").encode(text, SpecialPieces::as_pieces);
    EXPECT_EQ(std::ranges::count(ids, 0), kCount);
}

TEST(WordPieces, NamesTheFirstByteThatIsNotUtf8) {
    const WordPieces vocabulary = WordPieces::parse(kVocabulary, "vocab.txt");
    const auto refusal = [&](std::string_view text) {
        return input_error([&] { vocabulary.encode(text); });
    };
    EXPECT_EQ(refusal("un \xC3("),
              "the text: byte 3 is 0xc3, which is not UTF-8; text in UTF-8 is expected");
    using ::testing::HasSubstr;
    EXPECT_THAT(refusal("\x80"), HasSubstr("byte 0 is 0x80")) << "a byte that only continues";
    EXPECT_THAT(refusal("\u00E9\xC0\xAF"), HasSubstr("byte 2 is 0xc0"))
        << "overlong: 2 bytes for /";
    EXPECT_THAT(refusal("a\xE0\x9F\xBF"), HasSubstr("byte 1 is 0xe0")) << "overlong: 3 bytes";
    EXPECT_THAT(refusal("a\xF0\x8F\xBF\xBF"), HasSubstr("byte 1 is 0xf0")) << "overlong: 4 bytes";
    EXPECT_THAT(refusal("ab\xED\xA0\x80"), HasSubstr("byte 2 is 0xed")) << "the surrogate U+D800";
    EXPECT_THAT(refusal("\xF4\x90\x80\x80"), HasSubstr("byte 0 is 0xf4")) << "above U+10FFFF";
    EXPECT_THAT(refusal("\xFF"), HasSubstr("byte 0 is 0xff"));
    for (const char* truncated : {"un \xC3", "un \xE6\xA8", "un \xF0\x9F\x98"}) {
        EXPECT_THAT(refusal(truncated), HasSubstr("byte 3 is 0x")) << "no more bytes";
    }
    EXPECT_THAT(pieces("\uFFFD \U0010FFFF"), ElementsAre(1))
        << "the replacement character is UTF-8";
}

TEST(WordPieces, RefusesAVocabularyWithoutTheSpecialPieces) {
    EXPECT_THROW(WordPieces::parse("[PAD]\nun\n", "vocab.txt"), InputError);
}

TEST(Utf8, GoesThereAndBack) {
    const std::string text = "a\u00E9\u6A21\U0001F600";
    EXPECT_EQ(code_points(text), U"a\u00E9\u6A21\U0001F600");
    EXPECT_EQ(to_utf8(code_points(text)), text);
    EXPECT_EQ(code_points("\xC3"), std::u32string(1, kReplacementCharacter));
}

}  // namespace
}  // namespace ropescope::test
