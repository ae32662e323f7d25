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

/// The check whose panel is below the list: its id is the panel's title.
std::string shown_check(const Said& s) {
    return std::ranges::find(s.figure.panels, "detail", &plot::Panel::id)->title;
}

std::vector<std::string> ids_of_checks() {
    std::vector<std::string> ids;
    for (const Check& check : all_checks()) {
        ids.push_back(check.id);
    }
    return ids;
}

/// Of the families, one has so many checks without its notes; all of them hold.
void holds_of_a_family(const Said& s) {
    std::map<std::string, double> decide;
    for (const Check& check : all_checks()) {
        decide[std::string(family_of(check.id))] += 1;
    }
    EXPECT_LE(s.value(0), s.value(1));
    EXPECT_TRUE(std::ranges::any_of(
        decide, [&](const auto& family) { return s.value(1) <= family.second; }));
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
            {"All {} hold, each within the bound derived for it",
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
            {"Computed for this figure; {}{} without a measurement. Bars: measured / bound from "
             "10^{{−4}}, log scale",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.number(0, statuses(s, "note"));
                     EXPECT_EQ(s.word(0).empty(), statuses(s, "skipped") == 0);
                 }
             }},
            {"{} skipped,",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.number(0, statuses(s, "skipped"));
                 }
             }},
            {"Nothing to list: {}", [](const Said& s) { EXPECT_TRUE(s.words("id").empty()); }},
            {"{} of {} checks",
             [](const Said& s) {
                 s.numbers(
                     {to_double(std::ssize(s.words("id"))), to_double(std::ssize(all_checks()))});
             }},
            {"page {} of {}", [](const Said& s) { EXPECT_LE(s.value(0), s.value(1)); }},
            {"{} of {}", holds_of_a_family},
            {"{} {} {}: {}",
             [](const Said& s) {
                 const auto ids = s.words("id");
                 const auto at = std::ranges::find(ids, shown_check(s)) - ids.begin();
                 const auto row = static_cast<std::size_t>(at);
                 s.numbers({s.column("measured").at(row), s.column("bound").at(row)});
                 EXPECT_EQ(s.word(0), s.value(0) <= s.value(1) ? "≤" : ">");
             }},
            {"> {}", [](const Said& s) { EXPECT_EQ(s.word(0), shown_check(s)); }},
            {"{}",
             [](const Said& s) {
                 if (s.words("id").empty()) {
                     EXPECT_NE(s.figure.title.find(s.word(0)), std::string::npos);
                 } else {
                     said_by_a_check(s);
                 }
             }},
        },
        {},
        {
            {"", check_row},
        },
        {},
        {},
        {{"check_filter=norm"},
         {"check_family=rope", "check_filter=Keras"},
         {"check_filter=no such check"},
         {"check_status=note"},
         {"check_status=failed"}},
        ids_of_checks()};
}

const RegisteredClaims kChecksClaims{checks_claims};

}  // namespace

}  // namespace ropescope::figures
