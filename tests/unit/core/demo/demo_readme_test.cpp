// The numbers on the demo model's page follow from what the script counted (scores.json).
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class DemoReadme : public ::testing::Test {
  protected:
    static std::string file(const std::string& name) {
        return read_file(source_dir() + "/assets/demo-roformer/" + name);
    }
    static std::string percent(const json& count) {
        return fmt::format("{:.1f}",
                           100.0 * count.at("right").get<double>() / count.at("of").get<double>());
    }
    json held_out(const std::string& position, int seed) const {
        const json& models = scores_.at("models");
        const auto found = std::ranges::find_if(models, [&](const json& model) {
            return model.at("position") == position && model.at("seed") == seed;
        });
        return found == models.end() ? json() : found->at("held_out");
    }

    const std::string page_ = file("README.md");
    const json scores_ = json::parse(file("scores.json"));
};

TEST_F(DemoReadme, SaysWhatEachPositionIsWorth) {
    const std::pair<const char*, const char*> rows[] = {{"RoPE, base 10000", "rope"},
                                                        {"RoPE, base 100", "rope100"},
                                                        {"additive sinusoids", "sinusoidal"},
                                                        {"none", "none"}};
    for (const auto& [name, position] : rows) {
        const bool shipped = scores_.at("shipped_seed") == 2 &&
                             (position == std::string("rope") || position == std::string("none"));
        EXPECT_THAT(page_, HasSubstr(fmt::format("| {} | {} % | {} %{} |", name,
                                                 percent(held_out(position, 1).at("changes").at(0)),
                                                 percent(held_out(position, 2).at("changes").at(0)),
                                                 shipped ? " (shipped)" : "")));
    }
}

TEST_F(DemoReadme, SaysWhatAChangedRotationCosts) {
    const json shipped = held_out("rope", 2);
    ASSERT_EQ(shipped.at("changes").size(), 3U);
    for (const json& of : shipped.at("changes")) {
        const std::string change = of.at("change");
        if (change != "none") {
            EXPECT_THAT(page_, HasSubstr((change == "off" ? "switched off " : "half-split ") +
                                         percent(of) + " %"));
        }
        EXPECT_EQ(of.at("of"), 23222);
    }
    EXPECT_THAT(page_, HasSubstr("of 23,222 in the held-out text"));
}

TEST_F(DemoReadme, SaysWhatLongerTextsCost) {
    std::map<int, std::string> rows;
    const json shipped = held_out("rope", 2);
    for (const json& of : shipped.at("lengths")) {
        rows[of.at("length")] += " " + percent(of) + " |";
    }
    rows.erase(128);  // no text is longer than those of the training there
    ASSERT_EQ(rows.size(), 3U);
    for (const auto& [length, cells] : rows) {
        EXPECT_THAT(page_, HasSubstr(fmt::format("| {} |{}", length, cells)));
    }
}

}  // namespace
}  // namespace ropescope::test
