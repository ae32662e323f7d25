// ropescope_diagnose() as a program in C uses it: the text of the command `diagnose`, for tensors
// of any strides and dtype, and a message for every misuse.
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/formats/safetensors.h"
#include "library/ropescope.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/core/diagnosis/quantised_dump.h"

namespace ropescope {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Index kBatch = 2, kDumpHeads = 4, kLength = 40, kDumpChannels = 128;
constexpr std::array<Index, 4> kShape = {kBatch, kDumpHeads, kLength, kDumpChannels};

struct FreedText {
    void operator()(char* text) const { ropescope_free_text(text); }
};
using Text = std::unique_ptr<char, FreedText>;

ropescope_tensor dense_view(const void* data, std::array<Index, 4> shape,
                            ropescope_dtype dtype = ROPESCOPE_F32) {
    ropescope_tensor x{};
    x.size = sizeof x;
    x.data = const_cast<void*>(data);
    x.dtype = dtype;
    Index stride = 1;
    for (int axis = 3; axis >= 0; --axis) {
        x.shape[axis] = shape[axis];
        x.stride[axis] = stride;
        stride *= shape[axis];
    }
    return x;
}

/// Half-split rotation in double, rounded to fp32, of [.., kLength, kChannels].
std::vector<float> turned(const std::vector<float>& x, double base, double offset = 0) {
    std::vector<float> y = x;
    for (std::size_t row = 0; row < x.size() / kDumpChannels; ++row) {
        for (Index i = 0; i < kDumpChannels / 2; ++i) {
            const std::size_t first = row * kDumpChannels + i, second = first + kDumpChannels / 2;
            const double position = static_cast<double>(row % kLength) + offset;
            const double angle =
                position * std::pow(base, -2.0 * static_cast<double>(i) / kDumpChannels);
            y[first] = static_cast<float>(x[first] * std::cos(angle) - x[second] * std::sin(angle));
            y[second] =
                static_cast<float>(x[first] * std::sin(angle) + x[second] * std::cos(angle));
        }
    }
    return y;
}

/// Tensors of q and k, and a dump that points at them.
struct Dumped {
    explicit Dumped(double base = 500000, double offset = 0) {
        test::Random random(7);
        q = random.normal<float>(kBatch * kDumpHeads * kLength * kDumpChannels);
        k = random.normal<float>(kBatch * kDumpHeads * kLength * kDumpChannels);
        q_rot = turned(q, base, offset);
        k_rot = turned(k, base, offset);
        views = {dense_view(q.data(), kShape), dense_view(q_rot.data(), kShape),
                 dense_view(k.data(), kShape), dense_view(k_rot.data(), kShape)};
        dump.size = sizeof dump;
        dump.q = &views[0];
        dump.q_rot = &views[1];
        dump.k = &views[2];
        dump.k_rot = &views[3];
    }
    Dumped(const Dumped&) = delete;

    std::vector<float> q, q_rot, k, k_rot;
    std::array<ropescope_tensor, 4> views{};
    ropescope_dump dump{};
};

/// What the call says; a failure of the test if it refuses.
std::string diagnosed(const ropescope_dump& dump, int* passed = nullptr) {
    char* json = nullptr;
    EXPECT_EQ(ropescope_diagnose(&dump, &json, passed), ROPESCOPE_OK) << ropescope_message();
    const Text held(json);
    return json == nullptr ? "{}" : json;
}

TEST(CDiagnose, GivesTheTextOfTheCommand) {
    const test::TempFolder folder;
    const std::string path = (folder / "dump.safetensors").string();
    for (const double base : {500000.0, 10000.0}) {
        const Dumped made(base);
        const std::vector<std::int64_t> shape(kShape.begin(), kShape.end());
        const std::vector<Tensor> tensors = {
            make_tensor("q", shape, made.q), make_tensor("q_rot", shape, made.q_rot),
            make_tensor("k", shape, made.k), make_tensor("k_rot", shape, made.k_rot)};
        write_safetensors(path, tensors);
        for (const char* expect : {"", "llama-3-8b", "qwen2-vl-7b"}) {
            SCOPED_TRACE(testing::Message() << base << " " << expect);
            ropescope_dump dump = made.dump;
            std::vector<std::string> command = {"diagnose", path,       "--axes",
                                                "bhld",     "--format", "json"};
            if (*expect != 0) {
                dump.expect = expect;
                command.insert(command.end(), {"--expect", expect});
            }
            const test::RunResult run = test::run_ropescope(command);
            int passed = -1;
            EXPECT_EQ(diagnosed(dump, &passed), run.out);
            EXPECT_EQ(passed, run.exit_code == 0 ? 1 : 0);
        }
    }
}

TEST(CDiagnose, TakesANormValuesAndCaches) {
    const test::TempFolder folder;
    const std::string path = (folder / "dump.safetensors").string();
    const Dumped made(10000.0);
    const std::vector<std::int64_t> shape(kShape.begin(), kShape.end());
    const std::vector<double> weights(static_cast<std::size_t>(kShape[3]), 0.5);
    const std::vector<Tensor> tensors = {
        make_tensor("q", shape, made.q), make_tensor("q_rot", shape, made.q_rot),
        make_tensor("v", shape, made.k), make_tensor("v_rot", shape, made.k_rot),
        make_tensor("q_norm", {kShape[3]}, std::span<const double>(weights))};
    write_safetensors(path, tensors);
    ropescope_dump dump = made.dump;
    dump.k = dump.k_rot = nullptr;
    dump.v = &made.views[2];
    dump.v_rot = &made.views[3];
    dump.q_norm = weights.data();
    dump.q_norm_count = weights.size();
    dump.norm = "l2";
    dump.norm_eps = 1e-5;
    dump.norm_order = "after";
    const test::RunResult run =
        test::run_ropescope({"diagnose", path, "--axes", "bhld", "--norm", "l2", "--norm-eps",
                             "1e-5", "--norm-order", "after", "--format", "json"});
    int passed = -1;
    EXPECT_EQ(diagnosed(dump, &passed), run.out);
    EXPECT_EQ(passed, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("v_rot"));
    dump.v_rot = nullptr;
    char* json = nullptr;
    EXPECT_EQ(ropescope_diagnose(&dump, &json, nullptr), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), testing::HasSubstr("v without v_rot; give v and v_rot"));
    dump.v_rot = &made.views[3];
    dump.norm = "batch";
    EXPECT_EQ(ropescope_diagnose(&dump, &json, nullptr), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), testing::HasSubstr("norm: kind 'batch'"));
}

TEST(CDiagnose, ReadsAnyStridesAndPositionsWithoutWriting) {
    const Dumped made(10000, 5);
    const std::string expected = [&] {
        ropescope_dump dump = made.dump;
        std::vector<double> positions;
        for (Index l = 0; l < kLength; ++l) {
            positions.push_back(static_cast<double>(l + 5));
        }
        dump.q_positions = dump.k_positions = positions.data();
        dump.q_count = dump.k_count = positions.size();
        return diagnosed(dump);
    }();
    EXPECT_THAT(expected, HasSubstr("\"verdict\": \"valid\""));
    // q as [length, batch, heads, channels + 3], backwards in its heads; positions of each batch.
    constexpr Index kRow = kDumpChannels + 3;
    std::vector<float> memory(kLength * kBatch * kDumpHeads * kRow, 9);
    for (Index b = 0; b < kBatch; ++b) {
        for (Index h = 0; h < kDumpHeads; ++h) {
            for (Index l = 0; l < kLength; ++l) {
                for (Index c = 0; c < kDumpChannels; ++c) {
                    memory[((l * kBatch + b) * kDumpHeads + (kDumpHeads - 1 - h)) * kRow + c] =
                        made.q[((b * kDumpHeads + h) * kLength + l) * kDumpChannels + c];
                }
            }
        }
    }
    const std::vector<float> before = memory;
    ropescope_tensor q = made.views[0];
    q.data = memory.data() + (kDumpHeads - 1) * kRow;
    q.stride[0] = kDumpHeads * kRow;
    q.stride[1] = -kRow;
    q.stride[2] = kBatch * kDumpHeads * kRow;
    std::vector<double> positions;
    for (Index row = 0; row < kBatch * kLength; ++row) {
        positions.push_back(static_cast<double>(row % kLength + 5));
    }
    ropescope_dump dump = made.dump;
    dump.q = &q;
    dump.q_positions = dump.k_positions = positions.data();
    dump.q_count = dump.k_count = positions.size();
    EXPECT_EQ(diagnosed(dump), expected);
    EXPECT_EQ(memory, before);
}

TEST(CDiagnose, AnEmbeddingIsAnExpectationToo) {
    const Dumped made(10000);
    for (const double base : {10000.0, 500000.0}) {
        ropescope_embedding* embedding = nullptr;
        ASSERT_EQ(ropescope_make(kDumpChannels, kDumpChannels, base, "half_split", &embedding),
                  ROPESCOPE_OK);
        ropescope_dump dump = made.dump;
        dump.embedding = embedding;
        int passed = -1;
        const std::string json = diagnosed(dump, &passed);
        ropescope_free(embedding);
        EXPECT_EQ(passed, base == 10000.0 ? 1 : 0);
        EXPECT_EQ(json.find("base 10000, expected 500000") == json.npos, base == 10000.0);
    }
}

TEST(CDiagnose, HalvesAndDoublesAreRead) {
    const Dumped made(10000);
    std::vector<std::uint16_t> q, q_rot;
    for (std::size_t i = 0; i < made.q.size(); ++i) {
        q.push_back(bf16_from_f32(made.q[i]));
        q_rot.push_back(bf16_from_f32(made.q_rot[i]));
    }
    const std::vector<double> k(made.k.begin(), made.k.end());
    const std::vector<double> k_rot(made.k_rot.begin(), made.k_rot.end());
    const std::array<ropescope_tensor, 4> views = {dense_view(q.data(), kShape, ROPESCOPE_BF16),
                                                   dense_view(q_rot.data(), kShape, ROPESCOPE_BF16),
                                                   dense_view(k.data(), kShape, ROPESCOPE_F64),
                                                   dense_view(k_rot.data(), kShape, ROPESCOPE_F64)};
    ropescope_dump of_q{}, of_k{};
    of_q.size = of_k.size = sizeof(ropescope_dump);
    of_q.q = &views[0];
    of_q.q_rot = &views[1];
    of_k.k = &views[2];
    of_k.k_rot = &views[3];
    for (const ropescope_dump& dump : {of_q, of_k}) {
        const auto json = nlohmann::json::parse(diagnosed(dump));
        EXPECT_EQ(json["verdict"], "valid");
        EXPECT_NEAR(json["base"].get<double>(), 10000, 1);
    }
}

TEST(CDiagnose, EightBitsAreReadWithTheirScales) {
    const Dumped made;
    for (const auto& [named, dtype] : {std::pair{ROPESCOPE_F8_E4M3, Dtype::f8_e4m3},
                                       std::pair{ROPESCOPE_F8_E5M2, Dtype::f8_e5m2},
                                       std::pair{ROPESCOPE_F8_E4M3FNUZ, Dtype::f8_e4m3fnuz},
                                       std::pair{ROPESCOPE_F8_E5M2FNUZ, Dtype::f8_e5m2fnuz},
                                       std::pair{ROPESCOPE_I8, Dtype::i8}}) {
        const std::vector<double> numbers = test::numbers_of_format(dtype);
        std::vector<float> scales;  // of each head at each token
        std::vector<std::byte> bytes;
        for (std::size_t row = 0; row < made.q_rot.size(); row += kDumpChannels) {
            const std::span<const float> values = std::span(made.q_rot).subspan(row, kDumpChannels);
            float largest = 0.0F;
            for (const float value : values) {
                largest = std::max(largest, std::abs(value));
            }
            scales.push_back(largest / to_float(numbers.back()));
            for (const float value : values) {
                const double number = test::cast_to(numbers, value / scales.back());
                bytes.push_back(test::bits_of(dtype, numbers, number));
            }
        }
        const ropescope_tensor q_rot = dense_view(bytes.data(), kShape, named);
        const ropescope_tensor scale = dense_view(scales.data(), {kBatch, kDumpHeads, kLength, 1});
        ropescope_dump dump{};
        dump.size = sizeof dump;
        dump.q = &made.views[0];
        dump.q_rot = &q_rot;
        dump.q_rot_scale = &scale;
        dump.expect = "llama-3-8b";
        int passed = -1;
        EXPECT_THAT(diagnosed(dump, &passed),
                    HasSubstr("each number is judged within half a step"));
        EXPECT_EQ(passed, 1) << to_string(dtype);
        scales[7] *= 1.5F;
        diagnosed(dump, &passed);
        EXPECT_EQ(passed, 0) << to_string(dtype);
    }
}

/// A misuse, and words of its message.
struct DiagnoseMisuse {
    const char* name;
    std::function<void(ropescope_dump&)> change;
    const char* says;
};

TEST(CDiagnose, EveryMisuseGetsAStatusAndOneLine) {
    const Dumped made;
    ropescope_tensor other = made.views[0], null = made.views[0], huge = made.views[0],
                     none = made.views[0], unsized = made.views[0], small = made.views[0];
    std::memset(&other.dtype, 9, 1);
    null.data = nullptr;
    huge.stride[0] = Index{1} << 60;
    none.shape[1] = -4;
    unsized.size = 8;
    small.shape[2] = 3;
    const std::vector<double> numbers(kLength + 1);
    ropescope_embedding* embedding = nullptr;
    ASSERT_EQ(ropescope_make(kDumpChannels, kDumpChannels, 1e4, "half_split", &embedding),
              ROPESCOPE_OK);
    const std::vector<DiagnoseMisuse> misuses = {
        {"a dump of no size", [](auto& dump) { dump.size = 0; }, "sizeof(ropescope_dump)"},
        {"a tensor of no size", [&](auto& dump) { dump.q = &unsized; }, "sizeof(ropescope_tensor)"},
        {"nothing", [](auto& dump) { dump.q = dump.q_rot = dump.k = dump.k_rot = nullptr; },
         "neither q and q_rot nor k and k_rot"},
        {"half a side", [](auto& dump) { dump.k_rot = nullptr; }, "k without k_rot"},
        {"the other half", [](auto& dump) { dump.q = nullptr; }, "q_rot without q"},
        {"another dtype", [&](auto& dump) { dump.q = &other; }, "q: dtype 9"},
        {"no memory", [&](auto& dump) { dump.q = &null; }, "q: its data is null"},
        {"too large", [&](auto& dump) { dump.q = &huge; }, "q: shape"},
        {"a size below 0", [&](auto& dump) { dump.q = &none; }, "sizes of 0 or more"},
        {"other shapes", [&](auto& dump) { dump.q = &small; }, "both are expected alike"},
        {"scores of another shape", [&](auto& dump) { dump.scores = &small; }, "'scores'"},
        {"positions of another number",
         [&](auto& dump) {
             dump.q_positions = numbers.data();
             dump.q_count = numbers.size();
         },
         "q_positions: 41 numbers; [1, 40] for all batches or [1, 2, 40]"},
        {"positions of three axes",
         [&](auto& dump) {
             dump.q_positions = numbers.data();
             dump.q_count = 40;
             dump.position_axes = 3;
         },
         "[3, 40]"},
        {"axes below 0",
         [&](auto& dump) {
             dump.k_positions = numbers.data();
             dump.k_count = 40;
             dump.position_axes = -1;
         },
         "position_axes: -1"},
        {"a count without positions", [](auto& dump) { dump.k_count = 4; }, "count is 4"},
        {"an unknown model", [](auto& dump) { dump.expect = "no-such-model"; }, "no-such-model"},
        {"two expectations",
         [&](auto& dump) {
             dump.expect = "llama-3-8b";
             dump.embedding = embedding;
         },
         "give one of them"},
    };
    for (const DiagnoseMisuse& misuse : misuses) {
        SCOPED_TRACE(misuse.name);
        ropescope_dump dump = made.dump;
        misuse.change(dump);
        char* json = nullptr;
        int passed = -1;
        EXPECT_EQ(ropescope_diagnose(&dump, &json, &passed), ROPESCOPE_BAD_INPUT);
        EXPECT_THAT(ropescope_message(), HasSubstr(misuse.says));
        EXPECT_THAT(ropescope_message(), Not(HasSubstr("\n")));
        EXPECT_THAT(ropescope_message(), Not(HasSubstr("--")));
        EXPECT_EQ(json, nullptr);
        EXPECT_EQ(passed, -1);
    }
    EXPECT_EQ(ropescope_diagnose(nullptr, nullptr, nullptr), ROPESCOPE_BAD_INPUT);
    EXPECT_EQ(ropescope_diagnose(&made.dump, nullptr, nullptr), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), HasSubstr("json: null"));
    ropescope_free(embedding);
}

TEST(CDiagnose, ThreadsDiagnoseAtOnce) {
    const Dumped made;
    const std::string expected = diagnosed(made.dump);
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 3; ++round) {
                EXPECT_EQ(diagnosed(made.dump), expected);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(CDiagnose, TheExampleInCTellsTheBaseThatWasForgotten) {
    const std::string example =
        std::filesystem::path(test::program_path()).parent_path() / "library_example_diagnose";
    const test::RunResult right = test::run_command({example});
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
    EXPECT_THAT(right.out, HasSubstr("\"verdict\": \"valid\""));
    const test::RunResult wrong = test::run_command({example, "10000"});
    EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
    EXPECT_THAT(wrong.out, HasSubstr("base 10000, expected 500000"));
}

}  // namespace
}  // namespace ropescope
