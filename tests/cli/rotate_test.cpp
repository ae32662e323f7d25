// ropescope rotate on files: the official ONNX cases, its own angles, and every refusal.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "core/formats/npy.h"
#include "core/rope/routes.h"
#include "tests/support/needs_egl.h"
#include "tests/support/no_egl.h"
#include "tests/support/onnx_cases.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using Arguments = std::vector<std::string>;
using ::testing::HasSubstr;

/// A folder of .npy files to call the program on.
class Rotate : public ::testing::Test {
  protected:
    template <typename T>
    std::string write(const std::string& name, std::vector<std::int64_t> shape,
                      const std::vector<T>& values) {
        const std::string path = (folder_ / name).string();
        write_npy(path, make_tensor(name, std::move(shape), std::span<const T>(values)).view());
        return path;
    }
    /// Random values, the same for the same shape.
    std::string write_random(const std::string& name, const std::vector<std::int64_t>& shape) {
        std::mt19937 generator(7);
        std::normal_distribution<float> normal;
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            count *= size;
        }
        std::vector<float> values(static_cast<std::size_t>(count));
        std::generate(values.begin(), values.end(), [&] { return normal(generator); });
        return write(name, shape, values);
    }
    RunResult rotate(const std::string& input, Arguments more) {
        Arguments arguments = {"rotate", input, "-o", output()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_ropescope(arguments);
    }
    Tensor rotated(const std::string& input, const Arguments& more) {
        const RunResult run = rotate(input, more);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.out + run.err, "");
        return read_npy(output());
    }
    void expect_refused(const std::string& input, const Arguments& more, const std::string& part,
                        int exit_code = 2) {
        const RunResult run = rotate(input, more);
        EXPECT_EQ(run.exit_code, exit_code);
        EXPECT_THAT(run.err, HasSubstr(part));
        EXPECT_THAT(run.err, ::testing::StartsWith("ropescope: "));
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        EXPECT_FALSE(std::filesystem::exists(output()));
    }
    std::string output() const { return (folder_ / "out.npy").string(); }

    TempFolder folder_;
};

class RotateOnnx : public Rotate, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(RotateOnnx, Agrees) {
    const OnnxCase& c = onnx_cases()[GetParam()];
    Arguments arguments = {"--layout", std::string(to_string(c.layout)),
                           "--cos",    write("cos.npy", c.table_shape, c.cos),
                           "--sin",    write("sin.npy", c.table_shape, c.sin)};
    if (!c.position_ids.empty()) {
        arguments.push_back("--positions");
        arguments.push_back(write("ids.npy", {c.batch, c.positions}, c.position_ids));
    }
    if (c.merged_heads) {
        arguments.push_back("--heads");
        arguments.push_back(std::to_string(c.heads));
    }
    const Tensor out = rotated(write("x.npy", c.input_shape(), c.input), arguments);
    EXPECT_EQ(out.shape, c.input_shape());
    EXPECT_LE(largest_difference(to_f32(out.view()), c.expected), onnx_tolerance(c));
}

INSTANTIATE_TEST_SUITE_P(Opset23, RotateOnnx, ::testing::Range(std::size_t{0}, std::size_t{8}),
                         [](const auto& each) { return onnx_cases()[each.param].name; });

/// Every head vector of [batch, heads, positions, head_dim] rotated in double by another route.
/// The engine's fp32 table and arithmetic stay within |x| (1e-7 + 3 * 2^-24) per product, two
/// products, and |x| < 8 for these normal numbers: 4.5e-6.
constexpr double kRouteBound = 2 * 8 * (1e-7 + 3 * 0x1p-24);

double largest_error(const Tensor& in, const Tensor& out, const RopeSpec& spec,
                     const std::vector<std::int64_t>& positions) {
    const std::vector<double> x = to_f64(in.view());
    const std::vector<double> y = to_f64(out.view());
    const auto d = static_cast<std::size_t>(spec.head_dim);
    double largest = 0;
    for (std::size_t row = 0; row * d < x.size(); ++row) {
        const std::int64_t position = positions[row % positions.size()];
        const std::vector<double> expected =
            rotate_by_complex(spec, std::span(x).subspan(row * d, d), position);
        for (std::size_t c = 0; c < d; ++c) {
            largest = std::max(largest, std::abs(expected[c] - y[row * d + c]));
        }
    }
    return largest;
}

TEST_F(Rotate, RefusesToReplaceItsInput) {
    const std::string path = write_random("q.npy", {2, 4});
    const RunResult run = run_ropescope({"rotate", path, "-o", path});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("would be lost"));
    EXPECT_EQ(run_ropescope({"rotate", path, "-o", path + ".rot.npy"}).exit_code, 0);
}

TEST_F(Rotate, DefaultsAreHalfSplitBase10000PositionsFromZero) {
    const std::string in = write_random("q.npy", {3, 5, 16});
    const Tensor out = rotated(in, {});
    EXPECT_EQ(out.dtype, Dtype::f32);
    EXPECT_LE(largest_error(read_npy(in), out, {16, 16, 1e4, Layout::half_split}, {0, 1, 2, 3, 4}),
              kRouteBound);
}

TEST_F(Rotate, TakesBaseRotaryDimLayoutAndPositions) {
    const std::string in = write_random("q.npy", {4, 12});
    const std::vector<std::int64_t> positions = {7, -3, 131071, 1048576};
    const Tensor out =
        rotated(in, {"--base", "500000", "--rotary-dim", "8", "--layout", "interleaved",
                     "--positions", write("ids.npy", {4}, positions)});
    EXPECT_LE(largest_error(read_npy(in), out, {12, 8, 5e5, Layout::interleaved}, positions),
              kRouteBound);
}

TEST_F(Rotate, AxesNameAnyOrder) {
    // The same numbers as [L, H, d] and as [H, L, d] must give the same head vectors.
    const std::vector<std::int64_t> shape = {5, 3, 8};
    const std::string lhd = write_random("lhd.npy", shape);
    const std::vector<float> x = to_f32(read_npy(lhd).view());
    std::vector<float> swapped(x.size());
    for (std::size_t l = 0; l < 5; ++l) {
        for (std::size_t h = 0; h < 3; ++h) {
            std::copy_n(x.begin() + static_cast<std::ptrdiff_t>((l * 3 + h) * 8), 8,
                        swapped.begin() + static_cast<std::ptrdiff_t>((h * 5 + l) * 8));
        }
    }
    const std::vector<float> by_heads =
        to_f32(rotated(write("hld.npy", {3, 5, 8}, swapped), {"--axes", "hld"}).view());
    const std::vector<float> by_positions = to_f32(rotated(lhd, {"--axes", "lhd"}).view());
    for (std::size_t l = 0; l < 5; ++l) {
        for (std::size_t h = 0; h < 3; ++h) {
            for (std::size_t c = 0; c < 8; ++c) {
                ASSERT_EQ(by_positions[(l * 3 + h) * 8 + c], by_heads[(h * 5 + l) * 8 + c]);
            }
        }
    }
}

TEST_F(Rotate, InverseUndoes) {
    const std::string in = write_random("q.npy", {2, 3, 9, 16});
    const std::vector<float> x = to_f32(read_npy(in).view());
    const std::string there =
        write("there.npy", {2, 3, 9, 16}, to_f32(rotated(in, {"--base", "100"}).view()));
    const Tensor back = rotated(there, {"--base", "100", "--inverse"});
    EXPECT_LE(largest_difference(to_f32(back.view()), x), 2 * kRouteBound);
}

TEST_F(Rotate, ConfigGivesTheEmbedding) {
    const std::string config = (folder_ / "config.json").string();
    std::ofstream(config) << R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
        "rope_theta": 500000.0, "max_position_embeddings": 128})";
    const std::string in = write_random("q.npy", {6, 16});
    EXPECT_LE(largest_error(read_npy(in), rotated(in, {"--config", config}),
                            {16, 16, 5e5, Layout::half_split}, {0, 1, 2, 3, 4, 5}),
              kRouteBound);
    std::filesystem::remove(output());
    expect_refused(write_random("wide.npy", {6, 32}), {"--config", config}, "head_dim 16");
}

TEST_F(Rotate, DynamicScalingSeesTheLargestPosition) {
    const std::string config = (folder_ / "config.json").string();
    std::ofstream(config) << R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
        "rope_theta": 10000, "max_position_embeddings": 128,
        "rope_scaling": {"rope_type": "dynamic", "factor": 2}})";
    const std::string in = write_random("q.npy", {3, 16});
    const std::vector<std::int64_t> positions = {199, 0, 7};
    // A sequence of 200: base (factor 200 / 128 - (factor - 1))^(d / (d - 2)).
    const double base = 1e4 * std::pow(2.0 * 200 / 128 - 1, 16.0 / 14.0);
    EXPECT_LE(largest_error(read_npy(in),
                            rotated(in, {"--config", config, "--positions",
                                         write("ids.npy", {3}, positions)}),
                            {16, 16, base, Layout::half_split}, positions),
              kRouteBound);
}

TEST_F(Rotate, HalfPrecisionStaysHalfAndDoubleBecomesSingle) {
    const std::vector<double> values = {1, 2, 3, 4};
    const std::string half = (folder_ / "half.npy").string();
    write_npy(half, make_tensor_as(Dtype::f16, "half", {1, 4}, values).view());
    EXPECT_EQ(rotated(half, {}).dtype, Dtype::f16);
    EXPECT_EQ(rotated(write("double.npy", {1, 4}, values), {}).dtype, Dtype::f32);
}

TEST_F(Rotate, NotANumberIsNamedByItsIndex) {
    std::vector<float> values(24, 1.0F);
    values[17] = std::numeric_limits<float>::quiet_NaN();
    values[20] = std::numeric_limits<float>::infinity();
    expect_refused(write("x.npy", {3, 2, 4}, values), {}, "x.npy: the value at [2, 0, 1] is nan");
    values[17] = 0;
    expect_refused(write("x.npy", {3, 2, 4}, values), {}, "x.npy: the value at [2, 1, 0] is inf");
    expect_refused(write("x.npy", {1, 2}, std::vector<double>{1, 1e300}), {}, "[0, 1] is inf");
}

TEST_F(Rotate, WrongRanksAreRefused) {
    expect_refused(write_random("x.npy", {8}), {}, "x.npy: 1 axes; expected [L, d]");
    expect_refused(write_random("x.npy", {1, 1, 1, 1, 8}), {}, "5 axes");
    expect_refused(write_random("x.npy", {2, 8}), {"--axes", "bhld"}, "the axes bhld need 4");
    expect_refused(write_random("x.npy", {2, 8}), {"--axes", "dl"}, "'dl' is not an axis order");
    expect_refused(write_random("x.npy", {2, 2, 8}), {"--axes", "hld", "--heads", "2"}, "heads:");
    expect_refused(write_random("x.npy", {2, 3, 8}), {"--heads", "3"}, "into 3 heads");
}

TEST_F(Rotate, ImpossibleEmbeddingsAreRefused) {
    expect_refused(write_random("x.npy", {2, 7}), {}, "head_dim");
    const std::string in = write_random("x.npy", {2, 8});
    expect_refused(in, {"--rotary-dim", "10"}, "rotary_dim");
    expect_refused(in, {"--rotary-dim", "3"}, "rotary_dim");
    expect_refused(in, {"--base", "0"}, "base");
    expect_refused(in, {"--base", "nan"}, "base");
    expect_refused(in, {"--layout", "halfsplit"}, "half_split");
}

TEST_F(Rotate, PositionsOutsideTheirRangeAreNamed) {
    const std::string in = write_random("x.npy", {3, 8});
    const std::vector<std::int64_t> far = {0, 1048577, 2};
    expect_refused(in, {"--positions", write("ids.npy", {3}, far)},
                   "ids.npy: position 1048577 at [1] lies outside");
    const std::vector<std::int64_t> two = {0, 1};
    expect_refused(in, {"--positions", write("ids.npy", {2}, two)},
                   "ids.npy: shape [2]; expected [3]");
    expect_refused(in, {"--positions", write("ids.npy", {3}, std::vector<float>{0, 1, 2})}, "F32");
}

TEST_F(Rotate, TablesThatDoNotFitAreRefused) {
    const std::string in = write_random("x.npy", {2, 3, 4, 8});  // bhld
    const std::string table = write_random("cos.npy", {4, 4});
    const std::string narrow = write_random("sin.npy", {4, 2});
    expect_refused(in, {"--cos", table}, "--cos without --sin");
    expect_refused(in, {"--sin", table}, "--sin without --cos");
    expect_refused(in, {"--cos", table, "--sin", narrow},
                   "sin.npy: shape [4, 2] differs from [4, 4]");
    expect_refused(in, {"--cos", table, "--sin", table, "--base", "100"}, "--base");
    expect_refused(in, {"--cos", table, "--sin", table, "--config", "c.json"}, "--config");
    expect_refused(in, {"--cos", table, "--sin", table, "--rotary-dim", "4"}, "--rotary-dim: 4");
    const std::string wide = write_random("wide.npy", {4, 5});
    expect_refused(in, {"--cos", wide, "--sin", wide}, "wide.npy: 5 pairs a row; expected 1 to 4");
    const std::string flat = write_random("flat.npy", {4});
    expect_refused(in, {"--cos", flat, "--sin", flat}, "flat.npy: shape [4]; expected");
    const std::string few = write_random("few.npy", {3, 4});
    expect_refused(in, {"--cos", few, "--sin", few}, "few.npy: 3 rows; the tensor has 4 positions");
    const std::string other = write_random("other.npy", {3, 4, 4});
    expect_refused(in, {"--cos", other, "--sin", other}, "does not fit batch 2 and 4 positions");
}

TEST_F(Rotate, PositionsOutsideAGivenTableAreNamed) {
    const std::string in = write_random("x.npy", {2, 3, 4, 8});
    const std::string table = write_random("cos.npy", {4, 4});
    const std::vector<std::int64_t> ids = {0, 1, 2, 3, 3, 2, 4, 0};
    expect_refused(in,
                   {"--cos", table, "--sin", table, "--positions", write("ids.npy", {2, 4}, ids)},
                   "ids.npy: position 4 at [1, 2] lies outside 0 .. 3");
    const std::string ready = write_random("ready.npy", {2, 4, 4});
    expect_refused(in,
                   {"--cos", ready, "--sin", ready, "--positions", write("ids.npy", {2, 4}, ids)},
                   "leave the position ids out");
}

TEST_F(Rotate, FilesThatAreNotThereAreNamed) {
    expect_refused((folder_ / "none.npy").string(), {}, "none.npy");
    const std::string in = write_random("x.npy", {2, 8});
    expect_refused(in, {"--positions", "nowhere.npy"}, "nowhere.npy");
    EXPECT_EQ(run_ropescope({"rotate", in}).exit_code, 2);
    EXPECT_EQ(run_ropescope({"rotate", in, "-o", "/nowhere/out.npy"}).exit_code, 2);
}

TEST_F(Rotate, SceneOptionsAreRefusedRatherThanIgnored) {
    expect_refused(write_random("x.npy", {2, 8}), {"--set", "base=100"}, "--set describe figures");
}

TEST_F(Rotate, UnknownEngineNamesTheNearest) {
    expect_refused(write_random("x.npy", {2, 8}), {"--engine", "gpuu"},
                   "'gpuu' is not one of auto, cpu, gpu; did you mean 'gpu'");
}

#ifndef ROPESCOPE_SANITIZED  // sanitizers map more memory than the limit below
TEST_F(Rotate, OutOfMemoryIsOneLine) {
    // 64 MB of zeros: the program and its libraries (88 MB on Debian 12, more than that on Debian
    // 13) and the file that it maps have room below the limit, a second copy has not.
    const std::vector<float> zeros(std::size_t{2000000} * 8);
    const std::string in = write("x.npy", {2000000, 8}, zeros);
    const RunResult run =
        run_command({"sh", "-c", "ulimit -v 200000; exec \"$@\"", "sh", program_path(), "rotate",
                     in, "-o", output(), "--engine", "cpu"});
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.err, ::testing::StartsWith("ropescope: out of memory"));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(Rotate, NoElementsNeedNoTable) {
    // A table for 131072 positions and 2048 pairs has 2 GB.
    const std::string in = write("x.npy", {0, 131072, 4096}, std::vector<float>{});
    const RunResult run = run_command({"sh", "-c", "ulimit -v 500000; exec \"$@\"", "sh",
                                       program_path(), "rotate", in, "-o", output()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read_npy(output()).shape, (std::vector<std::int64_t>{0, 131072, 4096}));
}
#endif

TEST_F(Rotate, OnTheGpuItIsWhatTheCpuMakesOfIt) {
    ROPESCOPE_NEEDS_EGL();
    const std::string in = write_random("x.npy", {2, 3, 65, 16});
    const Tensor cpu = rotated(in, {"--engine", "cpu", "--base", "500000"});
    const Tensor gpu = rotated(in, {"--engine", "gpu", "--base", "500000"});
    // Each side's table is within 1e-7, and each has two products and a sum in fp32; values are
    // normal, below 6.
    EXPECT_LE(largest_difference(to_f32(gpu.view()), to_f32(cpu.view())),
              2 * 2 * 6 * (1e-7 + 0x1p-23));
}

TEST_F(Rotate, WithoutEglTheGpuIsRefusedAndTheCpuServes) {
    const std::string in = write_random("x.npy", {2, 8});
    const RunResult refused =
        run_ropescope({"rotate", in, "-o", output(), "--engine", "gpu"}, kNoEgl);
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_THAT(refused.err, ::testing::HasSubstr("--engine cpu works"));
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    const RunResult served = run_ropescope({"rotate", in, "-o", output()}, kNoEgl);
    EXPECT_EQ(served.exit_code, 0) << served.err;
    EXPECT_EQ(served.err,
              "ropescope: computing on the CPU: this machine has no OpenGL through EGL\n");
    const RunResult chosen =
        run_ropescope({"rotate", in, "-o", output(), "--engine", "cpu"}, kNoEgl);
    EXPECT_EQ(chosen.err, "") << "it is what was asked for";
}

TEST_F(Rotate, ADeviceThatIsNotThereIsNamed) {
    ROPESCOPE_NEEDS_EGL();
    expect_refused(write_random("x.npy", {2, 8}), {"--engine", "gpu", "--device", "Voodoo"},
                   "'Voodoo'", 3);
}

/// Dynamic NTK with heads of 16 channels, trained on 64 positions.
constexpr const char* kDynamicConfig =
    R"({"model_type": "llama", "hidden_size": 32, "num_attention_heads": 2,
        "max_position_embeddings": 64, "rope_theta": 10000.0,
        "rope_scaling": {"type": "dynamic", "factor": 2.0}})";

TEST_F(Rotate, TheLengthOfTheWholeSequence) {
    const std::string config = (folder_ / "config.json").string();
    std::ofstream(config) << kDynamicConfig;
    const std::string in = write_random("q.npy", {4, 16});
    RopeSpec spec{16, 16, 1e4, Layout::half_split,
                  DynamicNtkScaling{.factor = 2, .original_positions = 64}};
    for (const std::int64_t length : {4, 512}) {
        spec.seq_len = length;
        const Tensor out = rotated(in, {"--config", config, "--seq-len", std::to_string(length)});
        EXPECT_LE(largest_error(read_npy(in), out, spec, {0, 1, 2, 3}), kRouteBound) << length;
    }
    // At 512 positions the slowest pair turns slower: at position 3 that is far beyond rounding.
    spec.seq_len = 4;
    const Tensor out = rotated(in, {"--config", config, "--seq-len", "512"});
    EXPECT_GT(largest_error(read_npy(in), out, spec, {0, 1, 2, 3}), 100 * kRouteBound);
    EXPECT_EQ(rotated(in, {"--config", config}).bytes,
              rotated(in, {"--config", config, "--seq-len", "4"}).bytes);
}

TEST_F(Rotate, ALengthThatCannotBeIsRefused) {
    const std::string config = (folder_ / "config.json").string();
    std::ofstream(config) << kDynamicConfig;
    const std::string in = write_random("q.npy", {4, 16});
    expect_refused(in, {"--seq-len", "9"}, "--seq-len: without --config");
    expect_refused(in, {"--config", config, "--seq-len", "3"}, "reaches position 3; give 4 to");
    expect_refused(in, {"--config", config, "--seq-len", "9223372036854775807"}, "give 4 to");
}

TEST_F(Rotate, Bf16InAndOut) {
    const std::string wide = write_random("wide.npy", {4, 16});
    const std::vector<double> values = to_f64(read_npy(wide).view());
    const Tensor bf16 = make_tensor_as(Dtype::bf16, "q", {4, 16}, values);
    const std::string in = (folder_ / "q.npy").string();
    write_npy(in, bf16.view());
    const Tensor out = rotated(in, {});
    EXPECT_EQ(out.dtype, Dtype::bf16);
    // bf16 keeps 8 bits: half a unit in the last place of numbers below 8 is 2^-6.
    const double bound = kRouteBound + 0x1p-6;
    EXPECT_LE(largest_error(bf16, out, {16, 16, 1e4, Layout::half_split}, {0, 1, 2, 3}), bound);

    Tensor bits = bf16;
    bits.dtype = Dtype::u16;
    write_npy(in, bits.view());
    const Tensor as_bits = rotated(in, {"--dtype", "bf16"});
    EXPECT_EQ(as_bits.dtype, Dtype::u16);
    EXPECT_EQ(as_bits.bytes, out.bytes);
    std::filesystem::remove(output());
    expect_refused(in, {}, "U16");
    expect_refused(in, {"--dtype", "fp8"}, "--dtype: 'fp8'");
    expect_refused(wide, {"--dtype", "bf16"}, "F32; leave it out");
}

TEST_F(Rotate, OneIdIsThePositionOfTheFirstToken) {
    const std::string in = write_random("q.npy", {2, 3, 4, 16});
    const std::vector<std::int64_t> offset = {100};
    const Tensor out = rotated(in, {"--positions", write("ids.npy", {1}, offset)});
    EXPECT_LE(
        largest_error(read_npy(in), out, {16, 16, 1e4, Layout::half_split}, {100, 101, 102, 103}),
        kRouteBound);
    std::filesystem::remove(output());
    const std::vector<std::int64_t> last = {1048574};  // the fourth would be 1048577
    expect_refused(in, {"--positions", write("ids.npy", {1}, last)}, "1048577");
}

}  // namespace
}  // namespace ropescope::test
