// Reading dumps: names, axes, positions, and one line for each kind of bad input.
#include "core/diagnosis/read_dump.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy_header.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/input_error.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;
using Shape = std::vector<std::int64_t>;

Tensor filled(const std::string& name, Shape shape, Dtype dtype = Dtype::f32) {
    const std::int64_t count = Tensor{name, Dtype::u8, shape, {}}.count();
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::sin(1.0 + 0.7 * static_cast<double>(i));
    }
    return make_tensor_as(dtype, name, std::move(shape), values);
}

/// The same values turned by default angles; `axes` names the axes of the shape.
Tensor turned(const std::string& name, const Tensor& before, const std::string& axes) {
    std::vector<double> values = to_f64(before.view());
    const auto d = static_cast<std::size_t>(before.shape.back());
    const RopeSpec spec{.head_dim = before.shape.back(), .rotary_dim = before.shape.back()};
    std::int64_t inner = 1;  // rows of channels from one token to the next
    for (std::size_t a = axes.find('l') + 1; a + 1 < axes.size(); ++a) {
        inner *= before.shape[a];
    }
    const std::int64_t length = before.shape[axes.find('l')];
    for (std::size_t row = 0; row * d < values.size(); ++row) {
        const auto token = static_cast<Index>(row) / inner % length;
        const auto y = rotate_by_elements(spec, std::span(values).subspan(row * d, d), token);
        std::ranges::copy(y, values.begin() + static_cast<std::ptrdiff_t>(row * d));
    }
    return make_tensor_as(Dtype::f32, name, before.shape, values);
}

class ReadDump : public testing::Test {
  protected:
    Dump made(const std::vector<Tensor>& tensors, const DumpOptions& options = {}) {
        write_safetensors(path(), tensors);
        return read_dump(path(), options);
    }
    std::string refusal(const std::vector<Tensor>& tensors, const DumpOptions& options = {}) {
        const std::string message = test::input_error([&] { made(tensors, options); });
        return message;
    }
    std::filesystem::path path() const { return folder_ / "dump.safetensors"; }

    test::TempFolder folder_;
};

std::vector<std::pair<std::string, std::string>> npz_members(const std::vector<Tensor>& tensors) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const Tensor& tensor : tensors) {
        members.emplace_back(tensor.name + ".npy",
                             npy_header_text(tensor.view()) +
                                 std::string(reinterpret_cast<const char*>(tensor.bytes.data()),
                                             tensor.bytes.size()));
    }
    return members;
}

TEST_F(ReadDump, ReadsBothKindsOfFiles) {
    const std::vector<Tensor> tensors = {filled("q", {2, 3, 5, 8}), filled("q_rot", {2, 3, 5, 8})};
    const Dump dump = made(tensors);
    ASSERT_TRUE(dump.q);
    EXPECT_FALSE(dump.k);
    EXPECT_EQ(dump.q->before.heads, 3);
    for (const auto compression : {test::Compression::stored, test::Compression::deflated}) {
        test::write_zip(folder_ / "dump.npz", npz_members(tensors), compression);
        const Dump zipped = read_dump(folder_ / "dump.npz");
        std::vector<double> a(8), b(8);
        zipped.q->after.read(1, 2, 4, a);
        dump.q->after.read(1, 2, 4, b);
        EXPECT_EQ(a, b);
    }
}

TEST_F(ReadDump, UnpacksNothingIfShapesDisagreeAndNothingThatNoDumpHas) {
    const auto damaged = [&](const std::vector<Tensor>& tensors, const std::string& whose) {
        const std::filesystem::path path = folder_ / "dump.npz";
        auto members = npz_members(tensors);
        const auto member =
            std::ranges::find(members, whose + ".npy", &std::pair<std::string, std::string>::first);
        const std::string numbers = member->second.substr(member->second.size() - 32);
        test::write_zip(path, members, test::Compression::stored);
        std::string bytes = read_file(path);
        bytes[bytes.find(numbers)] ^= 1;  // so that its checksum is wrong, if anybody reads it
        write_file_whole(path, bytes);
        return path;
    };
    const auto message = [&](const std::vector<Tensor>& tensors, const std::string& whose) {
        return test::input_error([&] { read_dump(damaged(tensors, whose)); });
    };
    EXPECT_THAT(message({filled("q", {4, 8}), filled("q_rot", {4, 8})}, "q"), HasSubstr("damaged"));
    EXPECT_THAT(message({filled("q", {4, 8}), filled("q_rot", {5, 8})}, "q"),
                HasSubstr("shape [5, 8]"));
    EXPECT_THAT(message({filled("q", {4, 8}), filled("q_rot", {4, 8}), filled("k", {2, 4, 8}),
                         filled("k_rot", {2, 4, 8})},
                        "q_rot"),
                HasSubstr("as many axes"));
    EXPECT_THAT(message({filled("q", {4, 8}), filled("k", {4, 8})}, "q"),
                HasSubstr("without q_rot"));
    EXPECT_THAT(message({filled("x", {4, 8})}, "x"), HasSubstr("it has x"));
    EXPECT_TRUE(
        read_dump(damaged({filled("x", {4, 8}), filled("q", {4, 8}), filled("q_rot", {4, 8})}, "x"))
            .q);
}

TEST_F(ReadDump, FindsTheAxes) {
    // By the angles: heads share them.
    const Tensor q = filled("q", {2, 6, 4, 16});
    EXPECT_EQ(made({q, turned("q_rot", q, "bhld")}).axes, "bhld");
    EXPECT_EQ(made({q, turned("q_rot", q, "blhd")}).axes, "blhd");
    const Tensor flat = filled("q", {6, 4, 16});
    EXPECT_EQ(made({flat, turned("q_rot", flat, "lhd")}).axes, "lhd");
    // By heads that k has fewer of, and by the length of the positions.
    const std::vector<Tensor> grouped = {filled("q", {1, 5, 8, 16}), filled("q_rot", {1, 5, 8, 16}),
                                         filled("k", {1, 5, 2, 16}),
                                         filled("k_rot", {1, 5, 2, 16})};
    EXPECT_EQ(made(grouped).axes, "blhd");
    std::vector<Tensor> placed = {filled("q", {1, 5, 8, 16}), filled("q_rot", {1, 5, 8, 16})};
    const std::vector<std::int64_t> positions = {3, 4, 5, 6, 7};
    placed.push_back(make_tensor("positions", {5}, std::span(positions)));
    const Dump dump = made(placed);
    EXPECT_EQ(dump.axes, "blhd");
    EXPECT_THAT(dump.axes_reason, HasSubstr("positions"));
    EXPECT_EQ(dump.q_positions->at(0, 0, 2), 5.0);
    EXPECT_EQ(made(grouped, {.axes = "bhld"}).q->before.heads, 5);
}

TEST_F(ReadDump, FindsTokensThatComeFirst) {
    // Megatron keeps [tokens, batch, heads, channels].
    const Tensor q = filled("q", {24, 2, 4, 16});
    const Dump dump = made({q, turned("q_rot", q, "lbhd")});
    EXPECT_EQ(dump.axes, "lbhd");
    EXPECT_EQ(dump.q->before.batch, 2);
    EXPECT_EQ(dump.q->before.length, 24);
    // A batch that is longer than its sequences is a batch.
    const Tensor rows = filled("q", {24, 2, 4, 16});
    EXPECT_EQ(made({rows, turned("q_rot", rows, "bhld")}).axes, "bhld");
    EXPECT_EQ(made({rows, turned("q_rot", rows, "blhd")}).axes, "blhd");
}

TEST_F(ReadDump, SplitsHeadsThatStandSideBySide) {
    const Tensor q = filled("q", {9, 4, 96}), k = filled("k", {9, 1, 96});
    std::vector<Tensor> tensors = {q, turned("q_rot", q, "lhd"), k, turned("k_rot", k, "lhd")};
    for (Tensor& tensor : tensors) {
        tensor.shape = {9, tensor.shape[1] * tensor.shape[2]};
    }
    const Dump dump = made(tensors);
    EXPECT_EQ(dump.axes, "lhd");
    EXPECT_THAT(dump.axes_reason, HasSubstr("heads of 96 channels"));
    EXPECT_EQ(dump.q->before.heads, 4);
    EXPECT_EQ(dump.k->before.heads, 1);
    EXPECT_EQ(made(tensors, {.axes = "ld"}).q->before.channels, 384);
    // One wide head stays one.
    const Tensor wide = filled("q", {9, 512});
    EXPECT_EQ(made({wide, turned("q_rot", wide, "ld")}).axes, "ld");
}

TEST_F(ReadDump, SplitsHeadsThatStandSideBySideInABatch) {
    // As Hugging Face has them before it divides the heads.
    const Tensor q = filled("q", {2, 9, 4, 96}), k = filled("k", {2, 9, 1, 96});
    std::vector<Tensor> tensors = {q, turned("q_rot", q, "blhd"), k, turned("k_rot", k, "blhd")};
    for (Tensor& tensor : tensors) {
        tensor.shape = {2, 9, tensor.shape[2] * tensor.shape[3]};
    }
    const Dump dump = made(tensors);
    EXPECT_EQ(dump.axes, "blhd");
    EXPECT_EQ(dump.q->before.heads, 4);
    EXPECT_EQ(dump.k->before.heads, 1);
    EXPECT_EQ(dump.q->before.batch, 2);
    // One wide head stays one, whatever is expected.
    const Tensor wide = filled("q", {2, 9, 512});
    EXPECT_EQ(made({wide, turned("q_rot", wide, "hld")}, {.head_dim = 128}).axes, "hld");
}

TEST_F(ReadDump, DividesWhatDoesNotTurnByTheWidthThatIsExpected) {
    for (const Shape& shape : {Shape{9, 384}, Shape{2, 9, 384}}) {
        const Tensor q = filled("q", shape);
        std::vector<double> values = to_f64(q.view());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] *= std::cos(0.3 * static_cast<double>(i * i % 101));
        }
        const std::vector<Tensor> wrong = {q, make_tensor_as(Dtype::f32, "q_rot", shape, values)};
        EXPECT_EQ(made(wrong).q->before.channels, 384);
        const Dump dump = made(wrong, {.head_dim = 96});
        EXPECT_EQ(dump.q->before.channels, 96);
        EXPECT_EQ(dump.q->before.heads, 4);
        EXPECT_EQ(made(wrong, {.head_dim = 80}).q->before.channels, 384);
    }
}

TEST_F(ReadDump, FindsTheAxesOfPositions) {
    const std::vector<Tensor> one = {filled("q", {1, 2, 6, 8}), filled("q_rot", {1, 2, 6, 8})};
    const std::vector<Tensor> two = {filled("q", {2, 2, 6, 8}), filled("q_rot", {2, 2, 6, 8})};
    const auto with = [&](std::vector<Tensor> tensors, Shape shape, std::vector<double> numbers) {
        tensors.push_back(make_tensor("positions", std::move(shape), std::span(numbers)));
        return *made(tensors).q_positions;
    };
    // Rows of three ids, one for each token.
    const DumpPositions ids =
        with(one, {6, 3}, {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0, 1, 2});
    EXPECT_EQ(ids.axes, 3);
    EXPECT_EQ(ids.at(2, 0, 5), 2.0);
    // Two rows for two sequences: those of a grid are its axes, others are sequences.
    const DumpPositions grid = with(two, {2, 6}, {0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2});
    EXPECT_EQ(grid.axes, 2);
    EXPECT_EQ(grid.batch, 1);
    const DumpPositions padded = with(two, {2, 6}, {0, 1, 2, 3, 4, 5, 1, 1, 0, 1, 2, 3});
    EXPECT_EQ(padded.axes, 1);
    EXPECT_EQ(padded.batch, 2);
}

TEST_F(ReadDump, FewerQueriesAreTheLastOnes) {
    const Dump dump = made({filled("q", {1, 2, 1, 16}), filled("q_rot", {1, 2, 1, 16}),
                            filled("k", {1, 2, 9, 16}), filled("k_rot", {1, 2, 9, 16})});
    EXPECT_EQ(stated_positions(dump, false).values, std::vector<double>{8.0});
    EXPECT_EQ(stated_positions(dump, true).values.size(), 9U);
}

TEST_F(ReadDump, TakesOtherNames) {
    const Dump dump = made({filled("a.q", {4, 8}), filled("b", {4, 8})},
                           {.names = parse_names("q=a.q, q_rot=b")});
    EXPECT_EQ(dump.q->before.name, "a.q");
    EXPECT_THAT(test::input_error([] { parse_names("q"); }), HasSubstr("q=NAME"));
    EXPECT_THAT(test::input_error([] { parse_names("w=NAME"); }), HasSubstr("q_rot"));
    EXPECT_THAT(refusal({filled("a.q", {4, 8}), filled("b", {4, 8})}, {.names = {{"q", "a.k"}}}),
                HasSubstr("did you mean 'a.q'"));
}

TEST_F(ReadDump, RefusesWhatDoesNotFitTogether) {
    const Tensor q = filled("q", {1, 2, 4, 8}), rotated = filled("q_rot", {1, 2, 4, 8});
    EXPECT_THAT(refusal({filled("x", {2, 2})}), HasSubstr("neither q and q_rot"));
    EXPECT_THAT(refusal({}), HasSubstr("no tensors"));
    EXPECT_THAT(refusal({q}), HasSubstr("without q_rot"));
    EXPECT_THAT(refusal({rotated}), HasSubstr("without q"));
    EXPECT_THAT(refusal({q, filled("q_rot", {1, 2, 5, 8})}), HasSubstr("[1, 2, 5, 8]"));
    EXPECT_THAT(refusal({filled("q", {8}), filled("q_rot", {8})}), HasSubstr("shape [8]"));
    EXPECT_THAT(refusal({filled("q", {2, 0, 8}), filled("q_rot", {2, 0, 8})}), HasSubstr("shape"));
    EXPECT_THAT(refusal({filled("q", {4, 1}), filled("q_rot", {4, 1})}), HasSubstr("1 channels"));
    EXPECT_THAT(refusal({filled("q", {4, 4098}), filled("q_rot", {4, 4098})}),
                HasSubstr("4098 channels"));
    EXPECT_THAT(refusal({q, rotated, filled("k", {2, 4, 8}), filled("k_rot", {2, 4, 8})}),
                HasSubstr("as many axes"));
    EXPECT_THAT(refusal({q, rotated}, {.axes = "hld"}), HasSubstr("4 axes"));
    EXPECT_THAT(refusal({q, rotated, filled("scores", {1, 2, 4, 4})}), HasSubstr("both sides"));
    EXPECT_THAT(refusal({q, rotated, filled("k", {1, 2, 4, 8}), filled("k_rot", {1, 2, 4, 8}),
                         filled("scores", {1, 2, 4, 5})}),
                HasSubstr("[1, 2, 4, 4] is expected"));
    EXPECT_THAT(refusal({q, rotated, filled("k", {1, 2, 4, 8}), filled("k_rot", {1, 2, 4, 8}),
                         filled("scores", {16})}),
                HasSubstr("[1, 2, 4, 4] is expected"));
}

/// The last axis of scores counts keys, not channels.
TEST_F(ReadDump, ReadsScoresOfOneKeyAndOfMany) {
    for (const std::int64_t keys : {1, 4100}) {
        const Dump dump = made(
            {filled("q", {1, 2, 1, 8}), filled("q_rot", {1, 2, 1, 8}), filled("k", {1, 1, keys, 8}),
             filled("k_rot", {1, 1, keys, 8}), filled("scores", {1, 2, 1, keys})},
            {.axes = "bhld"});
        ASSERT_TRUE(dump.scores);
        EXPECT_EQ(dump.scores->channels, keys);
    }
}

TEST_F(ReadDump, RefusesNumbersThatAreNone) {
    const std::vector<std::int64_t> whole(64, 1);
    EXPECT_THAT(
        refusal({make_tensor("q", {1, 2, 4, 8}, std::span(whole)), filled("q_rot", {1, 2, 4, 8})}),
        HasSubstr("dtype I64"));
}

TEST_F(ReadDump, RefusesPositionsThatDoNotFit) {
    const auto with = [&](Shape shape, const std::vector<double>& positions) {
        return refusal({filled("q", {2, 2, 4, 8}), filled("q_rot", {2, 2, 4, 8}),
                        make_tensor("positions", std::move(shape), std::span(positions))});
    };
    EXPECT_THAT(with({3}, {0, 1, 2}), HasSubstr("4 tokens"));
    EXPECT_THAT(with({4}, {0, 1, 2, 1e9}), HasSubstr("token 3"));
    EXPECT_THAT(with({4}, {0, 1, 2, std::nan("")}), HasSubstr("token 3"));
    EXPECT_THAT(with({1, 1, 1, 4}, {0, 1, 2, 3}), HasSubstr("4 axes"));
    EXPECT_THAT(with({}, {3}), HasSubstr("0 axes"));
    EXPECT_THAT(with({0, 4}, {}), HasSubstr("shape [0, 4]"));
    EXPECT_THAT(refusal({filled("q", {2, 2, 4, 8}), filled("q_rot", {2, 2, 4, 8}),
                         filled("positions", {4})},
                        {.position_axes = "x"}),
                HasSubstr("--position-axes"));
}

TEST_F(ReadDump, RefusesOtherAndDamagedFiles) {
    write_file_whole(folder_ / "x.npz", std::string("PK\x03\x04 but no archive"));
    EXPECT_THAT(test::input_error([&] { read_dump(folder_ / "x.npz"); }), HasSubstr("zip"));
    write_file_whole(folder_ / "x.txt", std::string("hello"));
    EXPECT_THAT(test::input_error([&] { read_dump(folder_ / "x.txt"); }),
                HasSubstr("neither a .safetensors nor a .npz"));
    EXPECT_THAT(test::input_error([&] { read_dump(folder_ / "none"); }), HasSubstr("none"));
    made({filled("q", {4, 8}), filled("q_rot", {4, 8})});
    std::string bytes = read_file(path());
    bytes.resize(bytes.size() - 5);
    write_file_whole(path(), bytes);
    EXPECT_THAT(test::input_error([&] { read_dump(path()); }), HasSubstr("dump.safetensors"));
}

/// A decode step: one query, and the keys and positions of the whole cache.
TEST_F(ReadDump, QueriesHaveTheLastPositionsOfTheCache) {
    const Tensor q = filled("q", {2, 4, 1, 8}), k = filled("k", {2, 4, 6, 8});
    std::vector<double> values(12);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 100.0 + static_cast<double>(i);
    }
    for (const Shape& shape : {Shape{6}, Shape{2, 6}}) {
        const auto count = static_cast<std::size_t>(shape.size() == 1 ? 6 : 12);
        const Tensor positions =
            make_tensor_as(Dtype::f64, "positions", shape, std::span(values).first(count));
        const Dump dump =
            made({q, turned("q_rot", q, "bhld"), k, turned("k_rot", k, "bhld"), positions});
        ASSERT_TRUE(dump.q_positions && dump.k_positions);
        EXPECT_EQ(dump.q_positions->length, 1);
        EXPECT_EQ(dump.q_positions->at(0, 0, 0), 105.0);
        EXPECT_EQ(dump.k_positions->at(0, 0, 0), 100.0);
        if (shape.size() == 2) {
            EXPECT_EQ(dump.q_positions->at(0, 1, 0), 111.0);
        }
    }
    EXPECT_THAT(refusal({q, turned("q_rot", q, "bhld"), k, turned("k_rot", k, "bhld"),
                         make_tensor_as(Dtype::f64, "positions", {5}, std::span(values).first(5))}),
                HasSubstr("one position for each token is expected"));
}

}  // namespace
}  // namespace ropescope::diagnosis
