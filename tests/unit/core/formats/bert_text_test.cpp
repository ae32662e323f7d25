// Words as BERT's tokenizer cuts them: expected words follow by hand from its published algorithm
// (google-research/bert, tokenization.py) and from the charts of Unicode.
#include "core/formats/bert_text.h"

#include <gtest/gtest.h>

namespace ropescope::test {
namespace {

/// The words with a bar between them.
std::u32string words(std::u32string_view text) {
    std::u32string joined;
    for (const std::u32string& word : bert_words(text)) {
        joined += (joined.empty() ? U"" : U"|") + word;
    }
    return joined;
}

TEST(BertText, LowersEveryScript) {
    EXPECT_EQ(words(U"\u042D\u0401 \u0395\u03A5 \u10A0 \u0531 \U00010400"),
              U"\u044D\u0435|\u03B5\u03C5|\u2D00|\u0561|\U00010428")
        << "Cyrillic, Greek, Georgian, Armenian, Deseret";
    EXPECT_EQ(words(U"\u0130I\u0131\u015E"), U"ii\u0131s") << "Turkish: no rule of a language";
    EXPECT_EQ(words(U"\u1E9E\u00DF \u01C5 \uFF21"), U"\u00DF\u00DF|\u01C6|\uFF41")
        << "no compatibility: sharp s, a letter of two, a wide letter";
    EXPECT_EQ(words(U"\u212A\u2126\u212B"), U"k\u03C9a") << "the signs of kelvin, ohm, angstrom";
}

TEST(BertText, DropsAccents) {
    EXPECT_EQ(words(U"\u00C9 E\u0301 \u1EC7 e\u0323\u0302 \u0439 \u1F86"), U"e|e|e|e|\u0438|\u03B1")
        << "precomposed, apart, several";
    EXPECT_EQ(words(U"\u0301e"), U"e") << "an accent without a letter";
    EXPECT_EQ(words(U"\u0301 e\uFE0F"), U"e") << "a word of accents, a variation selector";
    EXPECT_EQ(words(U"\u0142\u00F8\u0111\u00E6"), U"\u0142\u00F8\u0111\u00E6")
        << "strokes and ligatures are no accents";
    EXPECT_EQ(words(U"\u05E9\u05C1\u05B8 \u0915\u093F\u0902"), U"\u05E9|\u0915\u093F")
        << "Hebrew points and a nasal sign go, a vowel of its own width (Mc) stays";
}

TEST(BertText, ChoosesTheSigmaByItsPlace) {
    EXPECT_EQ(words(U"\u039F\u03A3\u03A3 \u03A3 \u03A3\u0391"),
              U"\u03BF\u03C3\u03C2|\u03C3|\u03C3\u03B1")
        << "the end of a word, a letter alone, the beginning";
    EXPECT_EQ(words(U"\u0391\u0301\u03A3\u0301' \u0391.\u03A3.\u0391 \u0391\u03A31"),
              U"\u03B1\u03C2|'|\u03B1|.|\u03C3|.|\u03B1|\u03B1\u03C21")
        << "accents, full stops and apostrophes are ignored, digits are not letters";
    EXPECT_EQ(words(U"\u4E00\u03A3 \u0391\u4E00\u03A3"), U"\u4E00|\u03C3|\u03B1|\u4E00|\u03C3")
        << "a Chinese character ends the word";
}

TEST(BertText, TakesApartWhatUnicodeComposes) {
    EXPECT_EQ(words(U"\uAC00\uAC01\uD7A3"), U"\u1100\u1161\u1100\u1161\u11A8\u1112\u1175\u11C2")
        << "Hangul: the first syllables and the last";
    EXPECT_EQ(words(U"\u0BCA \u0DDE"), U"\u0BC6\u0BBE|\u0DD9\u0DDF") << "vowels of two halves";
    EXPECT_EQ(words(U"\u304C\u30D1"), U"\u304B\u30CF") << "Japanese sound marks are Mn";
    EXPECT_EQ(words(U"a\u037Eb\u2260c"), U"a|;|b|=|c")
        << "what comes out is punctuation: of the Greek question mark and of the unequal sign";
}

TEST(BertText, PutsMarksThatStayInOrder) {
    EXPECT_EQ(words(U"a\u302E\u1B44b"), U"a\u1B44\u302Eb") << "classes 224 and 9";
    EXPECT_EQ(words(U"a\u302E\u0301\u1B44"), U"a\u1B44\u302E") << "over an accent, which goes";
    EXPECT_EQ(words(U"a\u302E\u034F\u1B44"), U"a\u302E\u1B44")
        << "not over a grapheme joiner, which is of class 0 and goes too";
    EXPECT_EQ(words(U"\U0001D15F\u1B44"), U"\U0001D158\u1B44\U0001D165") << "within a letter";
}

TEST(BertText, SplitsAtWhiteSpace) {
    EXPECT_EQ(words(U" a\tb\nc\rd\u00A0e\u3000f\u2028g\u2029h\u1680i\u2003 "),
              U"a|b|c|d|e|f|g|h|i");
    EXPECT_EQ(words(U""), U"");
    EXPECT_EQ(words(U" \u2003\t"), U"");
}

TEST(BertText, DropsControlAndFormatCharacters) {
    EXPECT_EQ(words(std::u32string_view(U"a\0b\u0001c\u000Bd\u000Ce\u007Ff\u0085g", 13)),
              U"abcdefg")
        << "the vertical tab, the form feed and the next line are control characters, no spaces";
    EXPECT_EQ(words(U"a\u00ADb\u200Bc\u200Dd\u202Ee\uFEFFf\uFFFDg\U000E0041h"), U"abcdefgh");
    EXPECT_EQ(words(U"a\uE000\u0378"), U"a\uE000\u0378") << "private use and unassigned stay";
}

TEST(BertText, ChineseCharactersAreWords) {
    EXPECT_EQ(words(U"a\u6A21\u578Bb"), U"a|\u6A21|\u578B|b");
    EXPECT_EQ(words(U"\u3400\u4DBF\u9FFF\U00020000\U0002A6DF\U0002A700\U0002CEAF\U0002F800"),
              U"\u3400|\u4DBF|\u9FFF|\U00020000|\U0002A6DF|\U0002A700|\U0002CEAF|\u4E3D")
        << "the first and last of planes 0 and 2; the last one is a variant of U+4E3D";
    EXPECT_EQ(words(U"\uF900\uFA0E"), U"\u8C48|\uFA0E");
    EXPECT_EQ(words(U"\U0002CEB0\U00030000\u3007\u3042\u30A2"),
              U"\U0002CEB0\U00030000\u3007\u3042\u30A2")
        << "later blocks, the number zero and kana are letters like others";
}

TEST(BertText, PunctuationIsAWord) {
    EXPECT_EQ(words(U"a$b^c`d~e+f<g"), U"a|$|b|^|c|`|d|~|e|+|f|<|g") << "all of ASCII";
    EXPECT_EQ(words(U"\u00BFa\u2014b\u3002c\u0589d\u060Ce\u1FEFf"),
              U"\u00BF|a|\u2014|b|\u3002|c|\u0589|d|\u060C|e|`|f");
    EXPECT_EQ(words(U"a\u20ACb\u00B0c\u00D7d"), U"a\u20ACb\u00B0c\u00D7d") << "symbols are not";
    EXPECT_EQ(words(U"...[MASK]"), U".|.|.|[|mask|]");
}

}  // namespace
}  // namespace ropescope::test
