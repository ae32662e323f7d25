#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/gui/state/model_menu.h"
#include "app/scene/glossary.h"
#include "app/scene/parameters.h"

namespace ropescope {
namespace {

std::vector<std::string> terms_in(std::string_view text) {
    std::vector<std::string> terms;
    for (const GlossaryWord& word : glossary_words(text)) {
        terms.push_back(word.entry->term);
    }
    return terms;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GlossaryWords, AreWholeWordsInAnyCase) {
    EXPECT_THAT(terms_in("A Pair turns; repair and pairing do not."), ElementsAre("pair"));
    EXPECT_THAT(terms_in("head_dim is no head_dimension"), ElementsAre("head_dim"));
    EXPECT_THAT(terms_in("baseline"), IsEmpty());
}

TEST(GlossaryWords, PluralsMeanTheSame) {
    EXPECT_THAT(terms_in("queries, keys and frequencies; patches"),
                ElementsAre("query", "key", "frequency", "patch"));
}

TEST(GlossaryWords, TheLongestTermCounts) {
    EXPECT_THAT(terms_in("a partial rotary rotation"), testing::Contains("partial rotary"));
}

TEST(GlossaryWords, SayWhereTheyStand) {
    const std::string text = "Each pair of a head.";
    const auto words = glossary_words(text);
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(text.substr(words[0].begin, words[0].end - words[0].begin), "pair");
    EXPECT_EQ(text.substr(words[1].begin, words[1].end - words[1].begin), "head");
}

TEST(GlossaryWords, EveryTermFindsItselfUnlessItHasOtherMeanings) {
    for (const GlossaryEntry& entry : glossary()) {
        constexpr std::array kOfManyMeanings = {"value",     "table", "shift",
                                                "attention", "norm",  "seed"};
        if (std::ranges::count(kOfManyMeanings, entry.term) > 0) {
            EXPECT_THAT(glossary_words(entry.term), IsEmpty());
            continue;
        }
        const auto words = glossary_words(entry.term);
        ASSERT_EQ(words.size(), 1U) << entry.term;
        EXPECT_EQ(words.front().entry, &entry);
    }
}

/// Whatever the window calls a method of scaling or an encoding explains itself under the mouse.
TEST(GlossaryHelp, KnowsTheNamesInListsAndLegends) {
    const Parameter& scaling = *find_parameter("scaling");
    for (const std::string& value : scaling.choices) {
        const std::string name = gui::choice_name(scaling, value);
        EXPECT_EQ(glossary_help(name).empty(), value == "default") << name;
    }
    for (const std::string_view name : {"RoPE", "ALiBi", "T5 bias", "partial RoPE", "sinusoids"}) {
        EXPECT_THAT(glossary_help(name), testing::HasSubstr(": ")) << name;
    }
    EXPECT_THAT(glossary_help("YaRN"), testing::StartsWith("YaRN: "));
    EXPECT_THAT(glossary_help("Llama 2 7B"), IsEmpty());
}

}  // namespace
}  // namespace ropescope
