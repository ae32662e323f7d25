// The verdicts and the decisive numbers of the claims of the five texts and of public documents.
// The expected numbers come from the texts' own code run in PyTorch 1.13 / NumPy 1.24, and from
// float64 formulas; see tests/golden/ORIGIN.md.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/base/file.h"
#include "core/checks/families/families.h"
#include "core/claims/claim.h"
#include "core/systems/source_text.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

const Claim& claim(const std::string& id) {
    const auto& claims = all_claims();
    const auto found =
        std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == id; });
    EXPECT_NE(found, claims.end()) << id;
    return *found;
}

TEST(Claims, EveryMistakeOfTheDocumentsIsThereOnce) {
    const std::map<std::string, int> mistakes = {{"000", 12}, {"001", 9},  {"002", 9},
                                                 {"003", 2},  {"004", 15}, {"005", 3}};
    std::set<std::string> ids;
    for (const Claim& c : all_claims()) {
        EXPECT_TRUE(ids.insert(c.id).second) << c.id;
        EXPECT_FALSE(c.place.empty()) << c.id;
        EXPECT_NO_THROW(source_text_of(c.id));
    }
    for (const auto& [document, count] : mistakes) {
        for (int i = 1; i <= count; ++i) {
            const Claim& c = claim(fmt::format("{}-{:02}", document, i));
            EXPECT_NE(c.truth, Truth::holds) << c.id;
        }
        EXPECT_EQ(ids.count(fmt::format("{}-{:02}", document, count + 1)), 0U);
        EXPECT_EQ(ids.count(document + "-T1"), 1U);
    }
}

TEST(Claims, EachVerdictIsProvenNow) {
    for (const Claim& c : all_claims()) {
        EXPECT_EQ(c.truth == Truth::holds_only_if, !c.condition.empty()) << c.id;
        if (c.is_note()) {
            continue;
        }
        const Evidence evidence = c.evidence();
        EXPECT_LE(evidence.error, evidence.bound) << c.id;
        EXPECT_FALSE(evidence.bound_reason.empty()) << c.id;
        EXPECT_EQ(evidence.bound_reason.find('\n'), std::string::npos) << c.id;
        if (c.truth != Truth::holds) {
            ASSERT_TRUE(evidence.refutation) << c.id;
        }
        if (evidence.refutation) {
            EXPECT_GE(evidence.refutation->measured, evidence.refutation->at_least) << c.id;
            // A refutation is no rounding error.
            EXPECT_GE(evidence.refutation->at_least, 3.0 * evidence.bound) << c.id;
        }
    }
}

TEST(Claims, NotesAreRemarksOnly) {
    std::set<std::string> notes;
    for (const Claim& c : all_claims()) {
        if (c.is_note()) {
            notes.insert(c.id);
        }
    }
    const std::set<std::string> expected = {"000-05", "000-07", "000-08", "000-11", "001-05",
                                            "001-06", "001-07", "001-08", "002-05", "002-07",
                                            "002-08", "004-13", "004-14", "005-03"};
    EXPECT_EQ(notes, expected);
}

// Where our set-up is the reference's, the number is the reference's.
TEST(Claims, ReproduceTheReferenceNumbers) {
    const std::map<std::string, double> numbers = {
        {"000-01", 0.9085175756516868 - 0.8659643233600653},
        {"000-03", 0.958851077208406},
        {"000-06", 0.0625},
        {"000-09", 7089408 - 7087872},
        {"004-03", 1.8640781719344526},
        {"004-05", 1.4347121817990458 - 0.39733866159012243},
        {"004-06", 1.393413418694331 - 1.0806046117362789},
        {"004-07", 4.045058170053576},
        {"004-08", 0.1547819846894583},
        {"004-10", 0.486328125},
        {"004-11", 18},
        {"004-12", 2.1 - 0.3}};
    for (const auto& [id, expected] : numbers) {
        // Double formulas of a few operations on both sides; 1e-9 is far above their rounding and
        // far below what any other set-up would give.
        EXPECT_NEAR(claim(id).evidence().refutation->measured, expected, 1e-9) << id;
    }
}

const Check& check_of(const std::string& id) {
    const auto& checks = all_checks();
    const auto found =
        std::find_if(checks.begin(), checks.end(), [&](const Check& c) { return c.id == id; });
    EXPECT_NE(found, checks.end()) << id;
    return *found;
}

TEST(Claims, AreChecks) {
    EXPECT_EQ(check_of("claim.004-03").run({}).status, Status::passed);
    EXPECT_EQ(check_of("claim.004-14").run({}).status, Status::note);
    EXPECT_NE(check_of("claim.004-03").run({}).detail.find("verdict: false"), std::string::npos);
}

TEST(Claims, AVerdictThatTheNumbersDoNotBearFails) {
    Claim wrong = claim("004-T2");
    wrong.truth = Truth::fails;  // nothing refutes it
    EXPECT_EQ(judge(wrong).status, Status::failed);
    Claim unrefuted = claim("004-03");
    unrefuted.evidence = [] {
        Evidence evidence;
        evidence.refutation = Refutation{"a rounding error", 1e-16, 0.1};
        return evidence;
    };
    EXPECT_EQ(judge(unrefuted).status, Status::failed);
    Claim untrue = claim("004-T1");
    untrue.evidence = [] { return Evidence{"", 1.0, 1e-15, "none"}; };
    EXPECT_EQ(judge(untrue).status, Status::failed);
}

TEST(Claims, ThePageIsCurrent) {
    EXPECT_TRUE(read_file(test::source_dir() + "/docs/claims.md") == claims_page())
        << "run tools/update_docs.sh";
}

}  // namespace
}  // namespace ropescope
