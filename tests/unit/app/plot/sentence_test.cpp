#include "app/plot/sentence.h"

#include <gtest/gtest.h>

#include "app/plot/number_text.h"

namespace ropescope::plot {
namespace {

TEST(Sentence, KeepsItsWordsAndItsValues) {
    const Text text = say("{} of {} turn", 3, number_text(10000.4));
    EXPECT_EQ(text, "3 of 10\u2009000 turn");
    ASSERT_EQ(text.sentences.size(), 1U);
    EXPECT_EQ(text.sentences[0].words, "{} of {} turn");
    EXPECT_EQ(text.sentences[0].values,
              (std::vector<SentenceValue>{{"3", 3.0}, {"10\u2009000", 10000.4}}));
    EXPECT_EQ(text.sentences[0].text(), text);
}

TEST(Sentence, WritesBracesThatAreNoPlaces) {
    EXPECT_EQ(say("M_{{{}}} p_{{m}}", 3), "M_{3} p_{m}");
    EXPECT_EQ(say("M_{{{}}} p_{{m}}", 3).sentences[0].text(), "M_{3} p_{m}");
}

TEST(Sentence, HoldsThoseOfTheTextsThatItIsMadeOf) {
    const Text inner = say("factor {}", 4);
    const Text text = say("{}: {}", "yarn", inner) + " and " + say("{} more", 1);
    EXPECT_EQ(text, "yarn: factor 4 and 1 more");
    ASSERT_EQ(text.sentences.size(), 3U);
    EXPECT_EQ(text.sentences[0].values, (std::vector<SentenceValue>{{"yarn"}, {"factor 4"}}));
    EXPECT_EQ(text.sentences[1].words, "factor {}");
    EXPECT_EQ(text.sentences[2].words, "{} more");
}

TEST(Sentence, IsLostInAStringAndKeptInAText) {
    Text text = "named ";
    text += say("{} pairs", 2);
    EXPECT_EQ(text.sentences.size(), 1U);
    const std::string plain = text;
    EXPECT_TRUE(Text(plain).sentences.empty());
}

}  // namespace
}  // namespace ropescope::plot
