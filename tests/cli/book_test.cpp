// The book (docs/README.md): it has a page for every view, states what the program computes, and
// its links lead somewhere.
#include <cctype>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/plot/rich_text.h"
#include "core/base/file.h"
#include "core/checks/check.h"
#include "tests/cli/pages.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<std::string> found(const std::string& text, const std::regex& what) {
    return {std::sregex_token_iterator(text.begin(), text.end(), what, 1),
            std::sregex_token_iterator()};
}

class ViewPage : public ::testing::TestWithParam<std::string> {
  protected:
    const figures::View& view_ = figures::view_by_id(GetParam());
    const std::string text_ = page("docs/views/" + view_.id + ".md");
};

TEST_P(ViewPage, HasItsNameItsQuestionAndItsPicture) {
    EXPECT_TRUE(text_.starts_with("# " + view_.name + "\n**" + view_.question + "**"));
    EXPECT_THAT(text_, HasSubstr("(../pictures/" + view_.id + "-dark.png)"));
    EXPECT_THAT(page("docs/README.md"), HasSubstr("(views/" + view_.id + ".md)"));
    EXPECT_THAT(page("docs/user-guide/README.md"), HasSubstr("(../views/" + view_.id + ".md)"));
}

TEST_P(ViewPage, HasTheFormulasOfTheExplanationWithTheirSource) {
    const std::vector<std::string> blocks = blocks_of(text_);
    ASSERT_FALSE(blocks.empty());
    std::string formulas;
    for (const std::string& formula : view_.formulas) {
        formulas += plot::plain_formula(formula) + "\n";
    }
    EXPECT_EQ(blocks.front(), formulas);
    EXPECT_THAT(text_, HasSubstr("```\n" + view_.formula_source + "\n"));
}

/// The single letters of a text, Latin and Greek but for the sign of a sum, that are no part of a
/// word.
std::set<std::string> letters_of(const std::string& text) {
    std::set<std::string> letters;
    std::string word;
    std::size_t count = 0;
    const auto end_word = [&] {
        if (count == 1) {
            letters.insert(word);
        }
        word.clear();
        count = 0;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool greek = (byte == 0xCE || byte == 0xCF) && text.substr(at, 2) != "Σ";
        if (greek) {
            word += text.substr(at++, 2);
            ++count;
        } else if (std::isalpha(byte) != 0) {
            word += text[at];
            ++count;
        } else {
            end_word();
        }
    }
    end_word();
    return letters;
}

TEST_P(ViewPage, NamesEverySymbolOfItsFormulas) {
    std::string named;
    for (const std::string& cell : first_cells_of(text_)) {
        named += cell + "\n";
    }
    const std::set<std::string> known = letters_of(named);
    for (const std::string& letter : letters_of(blocks_of(text_).front())) {
        EXPECT_TRUE(known.contains(letter)) << letter << " stands in a formula and in no table";
    }
}

TEST_P(ViewPage, NamesEveryColumnOfItsCsv) {
    const TempFolder folder;
    const std::string file = folder / "numbers.csv";
    const RunResult run = run_ropescope({"--engine", "cpu", "figure", view_.id, "-o", file});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::string csv = read_file(file);
    for (const std::string& column :
         found(csv.substr(0, csv.find('\n')) + ",", std::regex(R"(([^,]+),)"))) {
        EXPECT_THAT(text_, HasSubstr("`" + column + "`"));
    }
}

std::vector<std::string> view_ids() {
    std::vector<std::string> ids;
    for (const figures::View& view : figures::views()) {
        ids.push_back(view.id);
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Views, ViewPage, ::testing::ValuesIn(view_ids()),
                         [](const auto& each) { return each.param; });

TEST(Book, HasAPageForNoOtherView) {
    for (const std::string& name : pages_below("docs/views")) {
        EXPECT_NO_THROW(figures::view_by_id(fs::path(name).stem().string())) << name;
    }
}

TEST(Book, ListsEveryPage) {
    const std::string index = page("docs/README.md");
    for (const std::string& name : pages_below("docs")) {
        const std::string below = fs::path(name).lexically_relative("docs").string();
        EXPECT_TRUE(below == "README.md" || index.find("(" + below + ")") != std::string::npos)
            << name << " is not in the index of the book, docs/README.md";
    }
}

/// What a heading is called in a link: lower case, words joined by "-", other signs left out.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-') {
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (c == ' ') {
            anchor += '-';
        }
    }
    return anchor;
}

TEST(Book, LinksIntoAPageLeadToAHeading) {
    static const std::regex kLink(R"(\]\(([^)\s]*#[^)\s]+)\))");
    static const std::regex kHeading(R"((?:^|\n)#+ ([^\n]+))");
    std::vector<std::string> names = pages_below("docs");
    names.insert(names.end(), {"README.md", "CONTRIBUTING.md"});
    int links = 0;
    for (const std::string& name : names) {
        for (const std::string& link : found(page(name), kLink)) {
            if (link.starts_with("http")) {
                continue;
            }
            const std::string file = link.substr(0, link.find('#'));
            const fs::path target =
                file.empty() ? fs::path(name) : fs::path(name).parent_path() / file;
            bool there = false;
            for (const std::string& heading :
                 found(page(target.lexically_normal().string()), kHeading)) {
                there = there || anchor_of(heading) == link.substr(link.find('#') + 1);
            }
            EXPECT_TRUE(there) << name << " links to " << link << ", which is no heading there";
            ++links;
        }
    }
    EXPECT_GT(links, 0);
}

class Chapter : public ::testing::TestWithParam<std::string> {};

TEST_P(Chapter, NamesChecksThatExist) {
    std::set<std::string> known;
    for (const Check& check : all_checks()) {
        known.insert(check.id);
    }
    for (const Check& check : lessons::further_checks()) {
        known.insert(check.id);
    }
    std::string families;
    for (const std::string_view family : kCheckFamilies) {
        families += (families.empty() ? "" : "|") + std::string(family);
    }
    const std::regex check("`((?:" + families + ")\\.[\\w-]+)`");
    const std::vector<std::string> named = found(page(GetParam()), check);
    EXPECT_FALSE(named.empty()) << "a chapter says which checks prove it";
    for (const std::string& id : named) {
        EXPECT_TRUE(known.contains(id)) << id << " is not in `ropescope check --list`";
    }
}

/// A section begins with a heading of the second level.
TEST_P(Chapter, BindsEverySectionToAComputation) {
    const std::string text = page(GetParam());
    static const std::regex kBound(R"(`[a-z]+\.[\w-]+`|```console)");
    for (std::size_t at = text.find("\n## "); at != std::string::npos;) {
        const std::size_t next = text.find("\n## ", at + 1);
        const std::string section = text.substr(at + 1, next - at - 1);
        EXPECT_TRUE(std::regex_search(section, kBound))
            << section.substr(0, section.find('\n')) << " names no check and shows no output";
        at = next;
    }
}

/// Numbers of two digits or with a fraction; "4 096" is 4096. Those that cite a place are left out.
std::set<std::string> numbers_of(std::string text) {
    text = std::regex_replace(text, std::regex(R"(arXiv:[\d.]+|IEEE [\d-]+)"), "");
    text = std::regex_replace(
        text, std::regex(R"((eq\.|eqs\.|equations?|sections?|figure) [\d.,–\- ]+(and [\d.]+)?)"),
        "");
    text = std::regex_replace(text, std::regex(R"((\d) (?=\d{3}(\D|$)))"), "$1");
    static const std::regex kNumber(R"((\d+(?:\.\d+)?))");
    std::set<std::string> numbers;
    for (const std::string& number : found(text, kNumber)) {
        if (number.size() > 1) {
            numbers.insert(number);
        }
    }
    return numbers;
}

TEST_P(Chapter, StatesOnlyNumbersThatItsOutputHas) {
    std::string shown;
    for (const auto& [command, output] : examples_of(GetParam())) {
        shown += command + "\n";
        for (const std::string& line : output.value_or(std::vector<std::string>())) {
            shown += line + "\n";
        }
    }
    const std::set<std::string> computed = numbers_of(shown);
    for (const std::string& number : numbers_of(prose_of(page(GetParam())))) {
        EXPECT_TRUE(computed.contains(number))
            << GetParam() << " states " << number << ", which no example of the page prints";
    }
}

INSTANTIATE_TEST_SUITE_P(Mathematics, Chapter, ::testing::ValuesIn(pages_below("docs/mathematics")),
                         [](const auto& each) { return fs::path(each.param).stem().string(); });

}  // namespace
}  // namespace ropescope::test
