// The language in which lessons state numbers.
#include "app/lessons/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "core/base/error.h"

namespace ropescope::lessons {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// "two" is 2, and 20 with any settings; the word "mood" is "calm".
const Names kNames = {
    .number =
        [](std::string_view name, const std::vector<std::string>& settings) {
            if (name != "two") {
                throw InputError("no number " + std::string(name));
            }
            return settings.empty() ? 2.0 : 10.0 * static_cast<double>(settings.size()) + 10;
        },
    .word =
        [](std::string_view name, const std::vector<std::string>& settings) {
            if (name != "mood") {
                throw InputError("no word " + std::string(name));
            }
            return settings.empty() ? std::string("calm") : settings.front();
        },
};

TEST(LessonExpression, ComputesInTheUsualOrder) {
    EXPECT_EQ(value_of("1 + two * 3", kNames), 7);
    EXPECT_EQ(value_of("(1 + two) * -3 / 2 - 1", kNames), -5.5);
    EXPECT_EQ(value_of("10 - 3 - two", kNames), 5);
    EXPECT_EQ(value_of("abs(two - 5) + sqrt(16)", kNames), 7);
    EXPECT_EQ(value_of("2 * pi", kNames), 2 * std::numbers::pi);
    EXPECT_EQ(value_of("two[a=1, b=(two + 1)]", kNames), 30) << "a name asked in another scene";
}

TEST(LessonExpression, JudgesComparisons) {
    for (const char* holds :
         {"two = 2", "two != 3", "two < 3", "two <= 2", "3 > two", "two >= 2", "mood is calm",
          "mood is not wild", "mood[a=half of it] is a=half of it", "0.1 + 0.2 = 0.3"}) {
        EXPECT_TRUE(judge(holds, kNames).holds) << holds;
    }
    for (const char* fails :
         {"two = 3", "two != 2", "two < 2", "two > 2", "two >= 2.5", "mood is wild",
          "mood is not calm", "0 / 0 = 0 / 0", "0 / 0 != 1", "1 = 1.00000000001"}) {
        EXPECT_FALSE(judge(fails, kNames).holds) << fails;
    }
    EXPECT_EQ(judge("two = 3", kNames).sides, "2 = 3");
}

TEST(LessonExpression, RefusesWhatItCannotRead) {
    const auto message = [](const char* text) { return [text] { judge(text, kNames); }; };
    EXPECT_THAT(message("two"), ThrowsMessage<InputError>(HasSubstr("one of = !=")));
    EXPECT_THAT(message("two = "), ThrowsMessage<InputError>(HasSubstr("a number or a name")));
    EXPECT_THAT(message("two = 2 2"), ThrowsMessage<InputError>(HasSubstr("the end")));
    EXPECT_THAT(message("(two = 2"), ThrowsMessage<InputError>(HasSubstr(")")));
    EXPECT_THAT(message("three = 3"), ThrowsMessage<InputError>(HasSubstr("no number three")));
    EXPECT_THAT(message("mood is "), ThrowsMessage<InputError>(HasSubstr("a word")));
    EXPECT_THAT(message("two[a] = 2"), ThrowsMessage<InputError>(HasSubstr("=")));
    const std::string deep(100, '(');
    EXPECT_THAT([&] { judge(deep, kNames); }, ThrowsMessage<InputError>(HasSubstr("brackets")));
}

}  // namespace
}  // namespace ropescope::lessons
