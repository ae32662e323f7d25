// Position ids and tables that somebody else made.
#include "core/rope/table_rows.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace ropescope::test {
namespace {

using Rows = std::vector<std::int64_t>;

struct Table {
    std::vector<float> values;
    GivenTables given;

    explicit Table(const Rows& shape) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            count *= size;
        }
        values.assign(count, 1.0F);
        given = {values, values, shape, shape};
    }
};

TEST(TableRows, WithoutIdsTheyCount) {
    const Table table({9, 2});
    const auto found = rows_of_given_tables(table.given, {}, {3, 4}, 4);
    EXPECT_EQ(found.rows, (Rows{0, 1, 2, 3}));
    EXPECT_EQ(found.table.rows, 9);
    EXPECT_EQ(found.table.pairs, 2);
}

TEST(TableRows, IdsChooseTheRows) {
    const Table table({9, 2});
    const PositionIds shared = {{8, 0, 3}, {1, 3}};
    EXPECT_EQ(rows_of_given_tables(table.given, shared, {2, 3}, 4).rows, (Rows{8, 0, 3}));
    const PositionIds each = {{8, 0, 3, 1, 1, 2}, {2, 3}};
    EXPECT_EQ(rows_of_given_tables(table.given, each, {2, 3}, 4).rows, each.values);
}

TEST(TableRows, AReadyTableHasOneRowAPlace) {
    const Table table({2, 3, 2});
    EXPECT_EQ(rows_of_given_tables(table.given, {}, {2, 3}, 4).rows, (Rows{0, 1, 2, 3, 4, 5}));
    const Table shared({1, 3, 2});
    EXPECT_EQ(rows_of_given_tables(shared.given, {}, {2, 3}, 4).rows, (Rows{0, 1, 2}));
    EXPECT_THROW(rows_of_given_tables(table.given, {}, {3, 3}, 4), InputError);
    EXPECT_THROW(rows_of_given_tables(table.given, {}, {2, 4}, 4), InputError);
}

TEST(TableRows, TheMessageNamesIndexAndValue) {
    const PositionIds ids = {{0, 1, 2, 3, -1, 5}, {2, 3}, "ids.npy"};
    try {
        validate(ids, {2, 3}, 0, 9);
        FAIL() << "-1 was accepted";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "ids.npy: position -1 at [1, 1] lies outside 0 .. 9");
    }
}

TEST(TableRows, OnlyTheThreeShapesAreAccepted) {
    const Rows values = {0, 1, 2, 3, 4, 5};
    EXPECT_NO_THROW(validate({values, {6}}, {2, 6}, 0, 9));
    EXPECT_NO_THROW(validate({values, {1, 6}}, {2, 6}, 0, 9));
    EXPECT_NO_THROW(validate({values, {2, 3}}, {2, 3}, 0, 9));
    EXPECT_THROW(validate({values, {6}}, {2, 3}, 0, 9), InputError);
    EXPECT_THROW(validate({values, {3, 2}}, {2, 3}, 0, 9), InputError);
}

TEST(TableRows, OneIdIsAnOffset) {
    EXPECT_EQ(with_offset({{7}, {1}}, 3).values, (Rows{7, 8, 9}));
    EXPECT_EQ(with_offset({{7}, {1}}, 3).shape, (Rows{3}));
    EXPECT_EQ(with_offset({{-2}, {1}}, 3).values, (Rows{-2, -1, 0}));
    EXPECT_EQ(with_offset({{7}, {1}}, 1).values, (Rows{7}));
    EXPECT_EQ(with_offset({{4, 5, 6}, {3}}, 3).values, (Rows{4, 5, 6}));
    EXPECT_EQ(with_offset({{4, 5, 6}, {1, 3}}, 3).shape, (Rows{1, 3}));
    EXPECT_FALSE(with_offset({}, 3).given());
    const Table table({9, 2});
    const PositionIds ids = with_offset({{5}, {1}}, 3);
    EXPECT_EQ(rows_of_given_tables(table.given, ids, {2, 3}, 4).rows, (Rows{5, 6, 7}));
    EXPECT_THROW((void)with_offset({{INT64_MAX}, {1}}, 3), InputError);
}

TEST(TableRows, FrequenciesSeeTheLargestPosition) {
    EXPECT_EQ(sequence_length({}, 7), 7);
    EXPECT_EQ(sequence_length({}, 7, 5000), 5007);
    EXPECT_EQ(sequence_length({{3, 4099, 10}, {3}}, 3), 4100);
    EXPECT_EQ(sequence_length({{-9, -5}, {2}}, 2), 1);
    EXPECT_EQ(sequence_length({}, 0), 1);
}

}  // namespace
}  // namespace ropescope::test
