// The glossary: the page, the table that the program reads of it, and the command that prints it.
#include "app/scene/glossary.h"

#include <algorithm>
#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/base/error.h"
#include "tests/cli/pages.h"
#include "tests/support/run_program.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;

TEST(Glossary, IsThePage) {
    const std::string text = page("docs/glossary.md");
    EXPECT_EQ(embedded_file("docs/glossary.md"), text);
    std::vector<std::string> terms;
    for (const GlossaryEntry& entry : glossary()) {
        terms.push_back(entry.term);
        EXPECT_THAT(text, HasSubstr("\n| " + entry.term + " | "));
    }
    EXPECT_EQ(terms, first_cells_of(text));
}

TEST(Glossary, HasWholeSentencesInTheOrderOfTheAlphabet) {
    const auto in_small_letters = [](const GlossaryEntry& entry) {
        std::string term = entry.term;
        std::ranges::transform(term, term.begin(), [](char c) {
            return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        });
        return term;
    };
    EXPECT_TRUE(std::ranges::is_sorted(glossary(), {}, in_small_letters));
    for (const GlossaryEntry& entry : glossary()) {
        EXPECT_TRUE(entry.text.ends_with('.')) << entry.term;
        EXPECT_EQ(entry.text.find('`'), std::string::npos) << entry.term;
        EXPECT_LT(entry.text.size(), 160U) << entry.term << ": a sentence or two";
    }
}

TEST(Glossary, HasTheWordsThatEveryPageUses) {
    for (const char* term :
         {"token",      "position", "head",   "channel", "pair",     "query",         "key",
          "score",      "softmax",  "layout", "base",    "context",  "wavelength",    "inv_freq",
          "rotary_dim", "head_dim", "logits", "scaling", "spectrum", "attention_mask"}) {
        EXPECT_NO_THROW(glossary_entry(term)) << term;
    }
}

TEST(Glossary, TakesTermsAsPeopleWriteThem) {
    const std::pair<const char*, const char*> written[] = {
        {"linear", "linear scaling"},
        {"PI", "linear scaling"},
        {"position interpolation", "linear scaling"},
        {"theta", "θ"},
        {"rope_theta", "base"},
        {"mrope", "M-RoPE"},
        {"llama3", "Llama 3 scaling"},
        {"T5", "T5 bias"},
        {"kv-cache", "KV cache"},
        {"rope", "RoPE"},
        {"attention sinks", "attention sink"},
        {"interleaved", "layout"},
        {"partial_rotary_factor", "partial rotary"},
        {"dynamic", "dynamic scaling"},
        {"window", "sliding window"},
        {"RMSNorm", "norm"}};
    for (const auto& [as_written, term] : written) {
        EXPECT_EQ(glossary_entry(as_written).term, term) << as_written;
    }
    EXPECT_THROW(glossary_entry("a"), InputError) << "several begin so";
    EXPECT_THROW(glossary_entry("attentio"), InputError) << "several begin so";
}

TEST(Glossary, IsPrintedAsTextAndAsJson) {
    const RunResult one = run_ropescope({"glossary", "wavelength"});
    EXPECT_EQ(one.out, "wavelength: " + glossary_entry("wavelength").text + "\n");
    const RunResult all = run_ropescope({"glossary", "--format", "json"});
    const auto json = nlohmann::json::parse(all.out);
    ASSERT_EQ(json.size(), glossary().size());
    EXPECT_EQ(json[0]["term"], glossary().front().term);
    EXPECT_EQ(json[0]["text"], glossary().front().text);
}

TEST(Glossary, RefusesATermThatItDoesNotHave) {
    const RunResult near = run_ropescope({"glossary", "wavelenght"});
    EXPECT_EQ(near.exit_code, 2);
    EXPECT_EQ(near.err,
              "ropescope: glossary: it has no entry 'wavelenght'; did you mean 'wavelength'?\n");
    EXPECT_THAT(run_ropescope({"glossary", "zzzzzzzzzz"}).err,
                HasSubstr("`ropescope glossary` lists all"));
}

}  // namespace
}  // namespace ropescope::test
