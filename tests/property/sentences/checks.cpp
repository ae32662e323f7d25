// What the view checks says.
#include <cctype>
#include <cstring>
#include <map>

#include "core/checks/check_run.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

double statuses(const Said& s, const std::string& status) {
    return to_double(std::ranges::count(s.words("status"), status));
}

/// The letters of a text: markup leaves them as they are, but for the names of Greek ones.
std::string letters(std::string text) {
    for (const char* greek : {"theta", "delta", "phi", "pi", "sqrt", "sum"}) {
        for (std::size_t at = text.find(greek); at != text.npos; at = text.find(greek)) {
            text.erase(at, std::strlen(greek));
        }
    }
    std::erase_if(text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) == 0; });
    return text;
}

/// The letters of everything that the checks say.
const std::vector<std::string>& words_of_checks() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> said;
        for (const Check& check : all_checks()) {
            for (const std::string* text :
                 {&check.title, &check.statement, &check.source, &check.id}) {
                said.push_back(letters(*text));
            }
        }
        return said;
    }();
    return all;
}

/// A check says it: its own words, which the run judges.
void said_by_a_check(const Said& s) {
    const std::string said = letters(s.word(0));
    const auto says = [&](const std::string& words) { return words.find(said) != words.npos; };
    // What the run found stands in the table.
    const std::vector<std::string> found = s.words("detail");
    EXPECT_TRUE(std::ranges::any_of(words_of_checks(), says) ||
                std::ranges::any_of(found, says, letters))
        << s.word(0);
}

void check_row(const Under& u) {
    if (u.readouts.size() == 1) {
        EXPECT_EQ(u.text("listed"), "no check");
        EXPECT_TRUE(words_of(u.figure, "id").empty());
        return;
    }
    const auto ids = words_of(u.figure, "id");
    const std::string& id = u.text("");
    const std::string &status = u.text("status"), &share = u.text("measured / bound");
    const auto at = static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
    if (at == ids.size()) {  // a family that is not listed
        EXPECT_EQ(u.panel, "families");
        EXPECT_TRUE(std::ranges::any_of(all_checks(), [&](const Check& c) { return c.id == id; }));
        return;
    }
    static const std::map<std::string, std::string> kWords = {
        {"passed", "ok"}, {"failed", "FAIL"}, {"skipped", "skip"}, {"note", "note"}};
    EXPECT_EQ(status, kWords.at(words_of(u.figure, "status")[at]));
    const double measured = column_of(u.figure, "measured")[at],
                 bound = column_of(u.figure, "bound")[at];
    if (bound > 0) {
        u.is("measured / bound", measured / bound);
    } else {
        EXPECT_EQ(share, "–");
    }
}

ViewClaims checks_claims() {
    const auto listed_all = [](const Said& s) {
        return s.scene.check_family == "all" && s.scene.check_filter == "*" &&
               s.scene.check_status == ListedStatus::all;
    };
    return {
        "checks",
        {
            {"All # statements hold, each within the bound derived for it",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.number(0, statuses(s, "passed"));
                     EXPECT_EQ(statuses(s, "failed"), 0);
                     const auto measured = s.column("measured"), bound = s.column("bound");
                     for (std::size_t row = 0; row < measured.size(); ++row) {
                         EXPECT_FALSE(measured[row] > bound[row]);
                     }
                 }
             }},
            {"Computed just now; * without a measurement",
             [listed_all](const Said& s) {
                 const auto some = test::match("# skipped, # note*", s.word(0)),
                            none = test::match("# note*", s.word(0));
                 ASSERT_TRUE(some || none);
                 if (listed_all(s)) {
                     EXPECT_EQ(some ? some->numbers[0].value : 0, statuses(s, "skipped"));
                     EXPECT_EQ((some ? some : none)->numbers.back().value, statuses(s, "note"));
                 }
             }},
            {"Bars: measured / bound from 10^{#}, log scale", names_only},
            {"Nothing to list: *", [](const Said& s) { EXPECT_TRUE(s.words("id").empty()); }},
            {"# of # checks",
             [](const Said& s) { s.number(0, to_double(std::ssize(s.words("id")))); }},
            {"page # of #", names_only},
            {"all checks", names_only},
            {"# ≤ #", names_only},
            {"# ≤ *#", names_only},
            {"exact", names_only},
            {"states", names_only},
            {"measured ≤ bound", names_only},
            {"in short: *", said_by_a_check},
            {"claim: *", said_by_a_check},
            {"states: *", said_by_a_check},
            {"correct: *", said_by_a_check},
            {"found: *", names_only},
            {"measured: *", names_only},
            {"source: *", said_by_a_check},
            {": Click here to list all", names_only},
            {": No check*", [](const Said& s) { EXPECT_TRUE(s.words("id").empty()); }},
            {"# of #", names_only},
            {"*", said_by_a_check},
        },
        {
            {"Each line is a statement, computed just now: the largest error found, and the bound "
             "that rounding allows; \"exact\" means no error",
             nothing_to_compare},
            {"A claim comes from one of the five texts in docs/sources.md; the numbers must lead "
             "to our verdict on it",
             nothing_to_compare},
            {"Move with ↑ ↓, PgUp, PgDn or the wheel; Enter or a second click opens the figure "
             "that shows the statement, and undo brings you back",
             nothing_to_compare},
            {"List one family, or the checks that contain a word: norm, Keras", nothing_to_compare},
            {"Ctrl + K computes all of them again", nothing_to_compare},
        },
        {
            {"", check_row},
        },
        {},
        {{"> *", said_by_a_check}},
        {},
        {{"check_filter=norm"},
         {"check_family=rope", "check_filter=Keras"},
         {"check_filter=no such check"},
         {"check_status=note"},
         {"check_status=failed"}}};
}

const RegisteredClaims kChecksClaims{checks_claims};

}  // namespace

}  // namespace ropescope::figures
