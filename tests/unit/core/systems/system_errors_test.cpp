// What the documents' code refuses, and what it should refuse but does silently.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>

#include "core/base/error.h"
#include "core/systems/probe.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

SystemInput input_of(nd::Shape shape) {
    SystemInput input;
    const nd::Array flat = probe_vectors(5, 1, 1, 1, nd::count(shape));
    input.x = nd::view(flat, std::move(shape));
    return input;
}

FrameworkError error_at(const std::string& system, const SystemInput& input) {
    return error_of(find_system(system).apply(input));
}

PositionIds consecutive_ids(nd::Shape shape) {
    PositionIds ids{{}, std::move(shape)};
    ids.values.resize(static_cast<std::size_t>(nd::count(ids.shape)));
    std::iota(ids.values.begin(), ids.values.end(), 0);
    return ids;
}

TEST(SystemErrors, NotebookRunsOnlyWithAsManyRowsAsPositions) {
    SystemInput input = input_of({2, 10, 4, 8});
    input.table_rows = 16;  // block_size, and no input_pos
    const FrameworkError error = error_at("notebook_bf16", input);
    EXPECT_EQ(error.exception, "RuntimeError");
    EXPECT_EQ(error.text,
              "shape [1, 10, 1, 4, 2] does not hold the 128 values of shape [16, 4, 2]");
    input.table_rows = 10;
    EXPECT_EQ(array_of(find_system("notebook_bf16").apply(input)).shape, input.x.shape);
}

TEST(SystemErrors, NotebookTakesOneListOfPositionsOnly) {
    SystemInput input = input_of({2, 10, 4, 8});
    input.table_rows = 32;
    input.positions = consecutive_ids({10});
    EXPECT_EQ(array_of(find_system("notebook_fp32").apply(input)).shape, input.x.shape);
    input.positions = consecutive_ids({2, 10});
    const FrameworkError error = error_at("notebook_fp32", input);
    EXPECT_EQ(error.exception, "RuntimeError");
    EXPECT_EQ(error.text,
              "shape [1, 10, 1, 4, 2] does not hold the 160 values of shape [2, 10, 4, 2]");
}

TEST(SystemErrors, PositionsBeyondTheTable) {
    for (const char* id : {"notebook_bf16", "meta_llama", "mistral", "hf_llama_position_ids",
                           "strided_llama_as_written", "strided_llama_repaired"}) {
        SystemInput input = input_of({1, 4, 4, 8});
        input.table_rows = 3;
        input.positions = consecutive_ids({4});
        const FrameworkError error = error_at(id, input);
        EXPECT_EQ(error.exception, "IndexError") << id;
        EXPECT_EQ(error.text, "position 3 of a table of 3 rows") << id;
    }
    SystemInput past = input_of({1, 2, 4, 8});
    past.table_rows = 8;
    past.offset = 6;
    EXPECT_EQ(error_at("hf_roformer", past).exception, "IndexError");
}

TEST(SystemErrors, NegativePositionsCountFromTheEndOfTheTable) {
    SystemInput input = input_of({1, 1, 1, 8});
    input.table_rows = 10;
    input.positions = {{-1}, {1}};
    const System& system = find_system("hf_llama_position_ids");
    const nd::Array wrapped = array_of(system.apply(input));
    input.positions = {{9}, {1}};
    EXPECT_EQ(array_of(system.apply(input)), wrapped);
    input.positions = {{-11}, {1}};
    EXPECT_EQ(error_at("hf_llama_position_ids", input).exception, "IndexError");
}

TEST(SystemErrors, MetaAssertsItsTable) {
    SystemInput input = input_of({2, 5, 3, 8});
    input.table_rows = 6;
    const FrameworkError error = error_at("meta_llama", input);
    EXPECT_EQ(error.exception, "AssertionError");
    EXPECT_EQ(error.text,
              "table of shape [6, 4] for complex x of shape [2, 5, 3, 4]; expected [5, 4]");
}

/// Document 001: tables asked for q_len rows, then cut from an offset.
TEST(SystemErrors, HfLlamaCutsItsTablesTwice) {
    const System& system = find_system("hf_llama_offset");
    SystemInput input = input_of({1, 2, 4, 8});
    input.table_rows = 4;
    input.offset = 2;
    const FrameworkError error = error_at("hf_llama_offset", input);
    EXPECT_EQ(error.exception, "RuntimeError");
    EXPECT_NE(error.text.find("[1, 2, 4, 8] and [1, 1, 2, 8]"), std::string::npos) << error.text;

    // One row left: it turns all four positions by the angle of position 3, and nothing is said.
    input.offset = 3;
    const nd::Array silent = array_of(system.apply(input));
    SystemInput last_row = input;
    last_row.table_rows.reset();
    last_row.x = nd::slice(input.x, 2, 1, 2);
    EXPECT_EQ(array_of(system.apply(last_row)), nd::slice(silent, 2, 1, 2));
    input.table_rows.reset();
    EXPECT_GT(largest_difference(array_of(system.apply(input)), silent), 0.5);
}

TEST(SystemErrors, KerasBatches) {
    for (const std::int64_t batch : {2, 4}) {
        const FrameworkError error = error_at("keras_as_written", input_of({batch, 5, 8}));
        EXPECT_EQ(error.exception, "InvalidArgumentError");
        EXPECT_EQ(error.fault, nd::Fault::broadcast);
        EXPECT_NE(error.text.find(fmt::format("[{}, 5, 4] and [5, 1, 4]", batch)),
                  std::string::npos)
            << error.text;
    }
    // Sequences of one token: the batch axis may have any length, all are turned by position 0.
    const SystemInput one = input_of({3, 1, 8});
    EXPECT_EQ(array_of(find_system("keras_as_written").apply(one)).values, one.x.values);
}

TEST(SystemErrors, MistralOnHeadsFirst) {
    SystemInput input = input_of({3, 7, 16});  // [heads, seq, d]
    input.table_rows = 7;
    const FrameworkError error = error_at("mistral", input);
    EXPECT_EQ(error.exception, "RuntimeError");
    EXPECT_NE(error.text.find("[3, 7, 8] and [7, 1, 8]"), std::string::npos) << error.text;

    // heads == seq: turned by the head's index instead, unnoticed.
    input.x = input_of({7, 7, 16}).x;
    const nd::Array by_head = array_of(find_system("mistral").apply(input));
    input.x = nd::transpose(input.x, {1, 0, 2});
    const nd::Array right = nd::transpose(array_of(find_system("mistral").apply(input)), {1, 0, 2});
    EXPECT_GT(largest_difference(by_head, right), 1.0);
}

TEST(SystemErrors, OddHeadDim) {
    const struct {
        const char* system;
        nd::Shape shape;
        nd::Fault fault;
    } cases[] = {
        {"notebook_bf16", {2, 5, 3, 7}, nd::Fault::view},
        {"meta_llama", {2, 5, 3, 7}, nd::Fault::view},
        {"mistral", {5, 3, 7}, nd::Fault::view},
        {"hf_roformer", {2, 3, 5, 7}, nd::Fault::view},
        {"hf_llama_offset", {2, 3, 5, 7}, nd::Fault::broadcast},
        {"hf_llama_position_ids", {2, 3, 5, 7}, nd::Fault::broadcast},
        {"strided_llama_as_written", {2, 3, 5, 7}, nd::Fault::broadcast},
        {"keras_as_written", {1, 4, 7}, nd::Fault::broadcast},
        {"keras_intended", {1, 4, 7}, nd::Fault::broadcast},
        {"d2l_sinusoidal", {1, 4, 33}, nd::Fault::broadcast},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(error_at(c.system, input_of(c.shape)).fault, c.fault) << c.system;
    }
    // The table alone has an odd width and is fine: [seq, 7].
    EXPECT_EQ(array_of(find_system("roformer_sinusoidal").apply(input_of({1, 4, 7}))).shape,
              (nd::Shape{4, 7}));
}

TEST(SystemErrors, PositionIdsWhereTheCodeHasNone) {
    for (const char* id : {"hf_llama_offset", "hf_roformer", "roformer_sinusoidal",
                           "keras_as_written", "keras_intended", "d2l_sinusoidal"}) {
        SystemInput input = input_of({1, 4, 4, 8});
        input.x.shape.resize(find_system(id).axes.size());
        input.x = input_of(input.x.shape).x;
        input.positions = consecutive_ids({4});
        EXPECT_EQ(error_at(id, input).exception, "TypeError") << id;
    }
}

/// Whatever the shape, a system answers with an array or an error, never with an exception.
TEST(SystemErrors, NoShapeGetsAnExceptionOut) {
    for (const System& system : all_systems()) {
        for (const std::int64_t channels : {0, 1, 2, 3}) {
            for (const nd::Shape& shape :
                 {nd::Shape{channels}, nd::Shape{2, channels}, nd::Shape{2, 3, channels},
                  nd::Shape{2, 3, 2, channels}, nd::Shape{0, 3, 2, channels},
                  nd::Shape{1, 1, 2, 3, channels}}) {
                EXPECT_NO_THROW(system.apply(input_of(shape))) << system.id;
            }
        }
        EXPECT_NO_THROW(system.apply(SystemInput{})) << system.id;
    }
}

TEST(Systems, UnknownIdNamesNearOnes) {
    try {
        find_system("meta_lama");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("'meta_llama'"), std::string::npos)
            << error.what();
    }
}

TEST(Systems, IdsAreDifferentAndEveryFieldIsFilled) {
    std::vector<std::string> ids, briefs;
    for (const System& system : all_systems()) {
        EXPECT_LE(system.brief.size(), kLongestBrief) << system.id;
        EXPECT_FALSE(system.brief.empty()) << system.id;
        briefs.push_back(system.brief);
        EXPECT_FALSE(system.title.empty() || system.source.empty() || system.what.empty());
        EXPECT_NE(system.axes.find('d'), std::string::npos);
        ids.push_back(system.id);
    }
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(ids.size(), 15U);
    std::sort(briefs.begin(), briefs.end());
    EXPECT_EQ(std::adjacent_find(briefs.begin(), briefs.end()), briefs.end());
}

}  // namespace
}  // namespace ropescope::test
