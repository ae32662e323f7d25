// Pages in a browser: what a screen reader meets, what the keyboard does, on a desk and on a phone.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kPhoneWidth = 390;

class InABrowser : public ::testing::Test {
  protected:
    /// Runs the program into a file of the folder.
    std::string page(std::vector<std::string> arguments) const {
        const std::string path = (folder_ / "page.html").string();
        arguments.insert(arguments.end(), {"-o", path});
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return path;
    }

    /// The results of the steps. A page must be quiet and ask for nothing but itself.
    Json opened(const std::string& path, int width, const Json& steps) const {
        const RunResult run =
            run_command({"node", source_dir() + "/tests/browser/browse.js", "file://" + path,
                         std::to_string(width), width < 500 ? "844" : "800", steps.dump()});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const Json found = Json::parse(run.out, nullptr, false);
        if (found.is_discarded()) {
            ADD_FAILURE() << run.out << run.err;
            return Json::array();
        }
        EXPECT_EQ(found["problems"], Json::array());
        const std::string folder = "file://" + folder_.path().string();
        for (const std::string request : found["requests"]) {
            EXPECT_TRUE(request.starts_with(folder) || request.starts_with("data:")) << request;
        }
        return found["results"];
    }

    TempFolder folder_;
};

const Json kTree = Json::object({{"tree", true}});
const Json kWidth = Json::object({{"eval", "document.scrollingElement.scrollWidth"}});

const Json kSpoken = Json::object(
    {{"eval", "document.querySelector('input[type=range]').getAttribute('aria-valuetext')"}});

Json key(const char* name) {
    return Json::object({{"key", name}});
}

std::vector<Json> of_role(const Json& tree, std::string_view role) {
    std::vector<Json> nodes;
    std::ranges::copy_if(tree, std::back_inserter(nodes),
                         [&](const Json& node) { return node["role"] == role; });
    return nodes;
}

Json focused(const Json& tree) {
    Json last;
    for (const Json& node : tree) {
        last = node["focused"] == true ? node : last;
    }
    return last;
}

std::string words_of(const Json& tree) {
    std::string words;
    for (const Json& node : of_role(tree, "StaticText")) {
        words += node["name"].get<std::string>() + "\n";
    }
    return words;
}

/// What holds for every page: its parts are named, and so is whatever takes the keyboard.
void expect_readable(const Json& tree) {
    EXPECT_EQ(of_role(tree, "main").size(), 1U);
    EXPECT_GE(of_role(tree, "heading").size(), 1U);
    for (const Json& node : tree) {
        if (node["focusable"] == true) {
            EXPECT_NE(node["name"], "") << node;
        }
    }
}

TEST_F(InABrowser, AFigureWithASliderIsReadAloudAndMovedByKeys) {
    const std::string path = page({"figure", "spectrum", "--vary", "base=100:1e7:5"});
    const Json found = opened(
        path, kPhoneWidth,
        {kTree, kWidth, key("Tab"), key("Tab"), key("ArrowRight"), kTree, kSpoken, key("Tab"),
         key("ArrowRight"), key("ArrowRight"), kTree, key("Tab"), key("Enter"), kTree});
    ASSERT_EQ(found.size(), 14U);
    expect_readable(found[0]);
    ASSERT_TRUE(found[1].is_number());
    EXPECT_LE(found[1], kPhoneWidth);
    ASSERT_EQ(of_role(found[0], "slider").size(), 1U);
    EXPECT_EQ(of_role(found[0], "button").front()["name"], "Play");
    const std::string first = of_role(found[0], "image").front()["name"];
    EXPECT_THAT(first, StartsWith("Figure: "));

    const Json slider = focused(found[5]);
    EXPECT_EQ(slider["name"], "base");
    ASSERT_TRUE(found[6].is_string()) << found[6];
    EXPECT_THAT(found[6].get<std::string>(), StartsWith("base "))
        << "in place of a number of the step";
    EXPECT_NE(of_role(found[5], "image").front()["name"], first) << "another base, another title";

    EXPECT_EQ(focused(found[10])["role"], "image");
    EXPECT_THAT(words_of(found[10]), HasSubstr("wavelength"))
        << "the values at the keyboard's place";

    EXPECT_THAT(words_of(found[13]), HasSubstr("never a full turn")) << "the report is real text";
}

TEST_F(InABrowser, LessonsAreReadableOnADeskAndOnAPhone) {
    const std::string path = page({"lesson", "one-pair"});
    for (const int width : {kPhoneWidth, 1280}) {
        const Json found = opened(path, width, {kTree, kWidth});
        ASSERT_EQ(found.size(), 2U);
        expect_readable(found[0]);
        ASSERT_TRUE(found[1].is_number());
        EXPECT_LE(found[1], width);
        EXPECT_GE(of_role(found[0], "image").size(), 2U);
        EXPECT_THAT(words_of(found[0]), HasSubstr("The figure in words and numbers"));
    }
}

TEST_F(InABrowser, TheBookIsReadableOnADeskAndOnAPhone) {
    const std::string site = (folder_ / "site").string();
    ASSERT_EQ(run_ropescope({"docs", "--no-pictures", "-o", site}).exit_code, 0);
    for (const char* name : {"index", "command-line", "views/context", "verify/confusion"}) {
        for (const int width : {kPhoneWidth, 1280}) {
            const Json found = opened(site + "/" + name + ".html", width, {kTree, kWidth});
            ASSERT_EQ(found.size(), 2U);
            expect_readable(found[0]);
            ASSERT_TRUE(found[1].is_number());
            EXPECT_LE(found[1], width) << name;
            EXPECT_GE(of_role(found[0], "link").size(), 2U) << name;
        }
    }
}

}  // namespace
}  // namespace ropescope::test
