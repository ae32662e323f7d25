// BERT's lower-casing tokenizer: expected pieces follow from the published algorithm by hand.
#include "core/formats/word_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/utf8.h"

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

TEST(WordPieces, LowersLatinAndDropsAccents) {
    EXPECT_THAT(pieces("UN"), ElementsAre(4));
    EXPECT_THAT(pieces("CAFÉ"), ElementsAre(9));
    EXPECT_THAT(pieces("cafe\u0301"), ElementsAre(9)) << "the accent as a character of its own";
    EXPECT_THAT(pieces("Э э"), ElementsAre(14, 13)) << "other scripts stay as they are";
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
}

TEST(WordPieces, ASpecialPieceThatTheVocabularyLacksHidesNoOther) {
    const WordPieces vocabulary =
        WordPieces::parse("[UNK]\n[CLS]\n[SEP]\n[MASK]\n[\n]\npad\n", "vocab.txt");
    EXPECT_THAT(vocabulary.encode("[PAD] [MASK]", SpecialPieces::as_pieces),
                ElementsAre(1, 4, 6, 5, 3, 2))
        << "[PAD] is brackets and letters here";
}

TEST(WordPieces, NamesTheFirstByteThatIsNotUtf8) {
    const WordPieces vocabulary = WordPieces::parse(kVocabulary, "vocab.txt");
    try {
        vocabulary.encode("un \xC3(");
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "the text: byte 3 is 0xc3, which is not UTF-8; text in UTF-8 is expected");
    }
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
