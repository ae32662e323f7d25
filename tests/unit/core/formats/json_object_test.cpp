#include "core/formats/json_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::HasSubstr;

/// An object around `depth` - 1 arrays or objects.
std::string nested(const std::string& open, const std::string& close, int depth) {
    std::string text = R"({"a": )";
    for (int i = 1; i < depth; ++i) {
        text += open;
    }
    text += "1";
    for (int i = 1; i < depth; ++i) {
        text += close;
    }
    return text + "}";
}

TEST(JsonObject, NestsToTheLimitAndNoDeeper) {
    for (const auto& [open, close] : {std::pair("[", "]"), {R"({"a": )", "}"}}) {
        EXPECT_NO_THROW(parse_json_object(nested(open, close, kMaxJsonDepth), "x"));
        for (const int depth : {kMaxJsonDepth + 1, 1000, 100'000}) {
            EXPECT_EQ(input_error([&] { parse_json_object(nested(open, close, depth), "x.json"); }),
                      "x.json: its objects and lists are nested more than 64 deep");
        }
    }
}

TEST(JsonObject, IsNoLongerThanTheLimit) {
    const std::string spaces(kMaxJsonBytes, ' ');
    EXPECT_THAT(input_error([&] { parse_json_object(spaces + "{}", "x.json"); }),
                HasSubstr("x.json: is longer than the 67108864 bytes of JSON"));
}

TEST(JsonObject, IsAnObject) {
    for (const char* other : {"[1]", "1", "null", R"("a")"}) {
        EXPECT_THAT(input_error([&] { parse_json_object(other, "x.json"); }),
                    HasSubstr("an object {...} is expected"));
    }
}

TEST(JsonObject, TakesThePythonNumbersAsWords) {
    const nlohmann::json parsed = parse_json_object(R"({"a": NaN, "b": [-Infinity]})", "x");
    EXPECT_EQ(parsed.at("a"), "NaN");
    EXPECT_EQ(parsed.at("b").at(0), "-Infinity");
}

}  // namespace
}  // namespace ropescope
