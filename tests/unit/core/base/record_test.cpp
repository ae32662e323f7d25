#include "core/base/record.h"

#include <gtest/gtest.h>

namespace ropescope {
namespace {

const Record kRecord = {
    {"base", "base", 1e4, "10 000"}, {"part", "", "text"}, {"", "size", {}, "3 layers"}};

TEST(Record, SaysToProgramsAndToPeopleWhatEachReads) {
    EXPECT_EQ(json_of(kRecord).dump(), R"({"base":10000.0,"part":"text"})");
    EXPECT_EQ(text_of(kRecord),
              "  base               10 000\n"
              "  size               3 layers\n");
}

TEST(Record, OfSeveralRowsIsATable) {
    const Records rows = {{{"", "pair", {}, "0"}, {"omega", "rad", 1.0, "1"}},
                          {{"", "pair", {}, "1"}, {"omega", "rad", 0.25, "0.25"}}};
    EXPECT_EQ(text_of(rows),
              "pair   rad\n"
              "   0     1\n"
              "   1  0.25\n");
    EXPECT_EQ(json_of(rows).dump(), R"([{"omega":1.0},{"omega":0.25}])");
    EXPECT_EQ(column_of(rows, "omega").dump(), "[1.0,0.25]");
    EXPECT_EQ(text_of(Records{}), "");
}

TEST(Record, GivesTheFieldsThatACallerChooses) {
    EXPECT_EQ(json_of(with_keys(kRecord, {"part"})).dump(), R"({"part":"text"})");
}

}  // namespace
}  // namespace ropescope
