// ropescope.h as a program in C uses it: the same numbers as the engine behind it, and a status
// with a message for every misuse.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <thread>

#include "core/base/file.h"
#include "core/base/number_format.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/rope/axis_positions.h"
#include "library/ropescope.h"
#include "tests/library/held_embedding.h"
#include "tests/support/gguf_bytes.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using testing::HasSubstr;
using testing::Not;

Held loaded(const std::string& name, const ropescope_options* options = nullptr) {
    ropescope_embedding* made = nullptr;
    EXPECT_EQ(ropescope_load(name.c_str(), options, &made), ROPESCOPE_OK) << ropescope_message();
    return Held(made);
}

Held plain(Index head_dim = 8, const char* layout = "half_split") {
    ropescope_embedding* made = nullptr;
    EXPECT_EQ(ropescope_make(head_dim, head_dim, 10000, layout, &made), ROPESCOPE_OK)
        << ropescope_message();
    return Held(made);
}

ropescope_facts facts_of(const Held& held) {
    ropescope_facts facts{};
    facts.size = sizeof facts;
    EXPECT_EQ(ropescope_get_facts(held.get(), &facts), ROPESCOPE_OK) << ropescope_message();
    return facts;
}

std::vector<double> omega_of(const Held& held) {
    const ropescope_facts facts = facts_of(held);
    std::vector<double> omega(facts.heads * facts.pairs * facts.axes);
    EXPECT_EQ(ropescope_spectrum(held.get(), omega.data(), omega.size()), ROPESCOPE_OK)
        << ropescope_message();
    return omega;
}

ropescope_tensor dense(void* data, std::array<Index, 4> shape,
                       ropescope_dtype dtype = ROPESCOPE_F32) {
    ropescope_tensor x{};
    x.size = sizeof x;
    x.data = data;
    x.dtype = dtype;
    Index stride = 1;
    for (int axis = 3; axis >= 0; --axis) {
        x.shape[axis] = shape[axis];
        x.stride[axis] = stride;
        stride *= shape[axis];
    }
    return x;
}

TEST(CInterface, EveryModelInOneAxisHasTheSpectrumOfItsPreset) {
    for (const ModelConfig& model : model_presets()) {
        SCOPED_TRACE(model.id);
        const Held held = loaded(model.id);
        const Spectrum expected = make_spectrum(model.rope);
        EXPECT_EQ(omega_of(held), expected.inv_freq_rad);
        EXPECT_EQ(facts_of(held).head_dim, model.rope.head_dim);
        EXPECT_EQ(facts_of(held).attention_factor, expected.attention_factor);
        EXPECT_EQ(facts_of(held).softmax_scale_factor, expected.softmax_scale_factor);
        EXPECT_EQ(std::string(ropescope_assumptions(held.get())).empty(),
                  model.assumptions.empty());
    }
}

TEST(CInterface, AGgufFileIsAConfiguration) {
    const test::TempFolder folder;
    test::write_gguf(folder / "model.gguf", test::gguf_model("llama").bytes());
    const Held held = loaded(folder / "model.gguf");
    EXPECT_EQ(omega_of(held), omega_of(plain(64)));
    std::vector<std::int64_t> channels(64);
    ASSERT_EQ(ropescope_pairs(held.get(), channels.data(), channels.size()), ROPESCOPE_OK);
    EXPECT_EQ(channels[1], 1);  // interleaved
    EXPECT_THAT(ropescope_assumptions(held.get()), HasSubstr("the converter reorders"));
}

TEST(CInterface, EveryModelInSeveralAxesHasTheChannelsOfItsPreset) {
    for (const Preset& preset : several_axes_presets()) {
        SCOPED_TRACE(preset.name);
        const Held held = loaded(preset.name);
        const RotaryScheme scheme = open_model(preset.name).part().scheme;
        const ropescope_facts facts = facts_of(held);
        ASSERT_EQ(facts.pairs, scheme.pair_count());
        EXPECT_EQ(facts.axes, std::ssize(scheme.axes));
        EXPECT_EQ(facts.heads, std::ssize(scheme.heads));
        std::vector<std::int64_t> channels(2 * facts.pairs);
        ASSERT_EQ(ropescope_pairs(held.get(), channels.data(), channels.size()), ROPESCOPE_OK);
        for (Index i = 0; i < facts.pairs; ++i) {
            EXPECT_EQ(channels[2 * i], scheme.pairs[i].first);
            EXPECT_EQ(channels[2 * i + 1], scheme.pairs[i].second);
        }
        std::vector<double> omega;  // of all heads
        for (const Spectrum& head : scheme.heads) {
            omega.insert(omega.end(), head.inv_freq_rad.begin(), head.inv_freq_rad.end());
        }
        EXPECT_EQ(omega_of(held), omega);
    }
}

TEST(CInterface, TheTableIsThatOfTheEngine) {
    const Held held = loaded("llama-3.1-8b");
    const std::vector<double> positions = {0, 1, -3, 131071, 0.5};
    std::vector<float> cos(5 * 64), sin(5 * 64);
    ASSERT_EQ(ropescope_table(held.get(), positions.data(), 5, cos.data(), sin.data(), cos.size()),
              ROPESCOPE_OK);
    const RotationTable expected =
        make_rotation_table(make_spectrum(open_model("llama-3.1-8b").text->rope), {positions, 1});
    EXPECT_TRUE(std::ranges::equal(cos, expected.cos));
    EXPECT_TRUE(std::ranges::equal(sin, expected.sin));
}

/// What a tensor with gaps holds where it has no element.
constexpr float kGap = 77;

// A reference of its own: pair by pair in double, from the frequencies and channels that the
// library tells.
TEST(CInterface, RotatesTensorsOfAnyOrderOfAxesAndLeavesGapsAlone) {
    const Held held = loaded("qwen2-vl-7b");
    const ropescope_facts facts = facts_of(held);
    const Index batch = 2, heads = 3, length = 4, d = facts.head_dim;
    test::Random random;
    SCOPED_TRACE(random.trace());
    // [positions, batch, heads, channels] with a gap after each head.
    std::vector<float> memory(length * batch * heads * (d + 5), kGap);
    ropescope_tensor x = dense(memory.data(), {batch, heads, length, d});
    x.stride[1] = d + 5;
    x.stride[0] = heads * x.stride[1];
    x.stride[2] = batch * x.stride[0];
    const auto at = [&](Index b, Index h, Index l, Index c) {
        return b * x.stride[0] + h * x.stride[1] + l * x.stride[2] + c;
    };
    std::vector<double> positions;  // [axes, batch, positions]
    for (Index i = 0; i < facts.axes * batch * length; ++i) {
        positions.push_back(static_cast<double>(random.integer(-500, 500)));
    }
    for (Index b = 0; b < batch; ++b) {
        for (Index h = 0; h < heads; ++h) {
            for (Index l = 0; l < length; ++l) {
                for (Index c = 0; c < d; ++c) {
                    memory[at(b, h, l, c)] = static_cast<float>(random.real(-1, 1));
                }
            }
        }
    }
    const std::vector<float> before = memory;
    ASSERT_EQ(ropescope_rotate(held.get(), &x, positions.data(), positions.size(), 0, 2),
              ROPESCOPE_OK)
        << ropescope_message();
    const std::vector<double> omega = omega_of(held);
    std::vector<std::int64_t> channels(2 * facts.pairs);
    ropescope_pairs(held.get(), channels.data(), channels.size());
    std::vector<float> expected(memory.size(), kGap);
    for (Index b = 0; b < batch; ++b) {
        for (Index h = 0; h < heads; ++h) {
            for (Index l = 0; l < length; ++l) {
                for (Index i = 0; i < facts.pairs; ++i) {
                    double angle = 0;
                    for (Index a = 0; a < facts.axes; ++a) {
                        angle +=
                            omega[i * facts.axes + a] * positions[(a * batch + b) * length + l];
                    }
                    const Index first = at(b, h, l, channels[2 * i]);
                    const Index second = at(b, h, l, channels[2 * i + 1]);
                    const double p = before[first], q = before[second];
                    expected[first] = static_cast<float>(p * std::cos(angle) - q * std::sin(angle));
                    expected[second] =
                        static_cast<float>(p * std::sin(angle) + q * std::cos(angle));
                }
            }
        }
    }
    // Entries of the table are within 1e-7, and two products and a sum of numbers below 1 round by
    // at most 3 x 2^-24 = 1.8e-7 together: 4e-7 for both.
    for (std::size_t i = 0; i < memory.size(); ++i) {
        ASSERT_NEAR(memory[i], expected[i], 4e-7) << i;
    }
}

TEST(CInterface, HalvesAreTurnedInSinglePrecisionAndRoundedOnce) {
    const Held held = plain(64, "interleaved");
    test::Random random;
    SCOPED_TRACE(random.trace());
    const std::array<Index, 4> shape = {2, 3, 700, 64};  // several buffers of positions
    const std::vector<float> values = random.normal<float>(2 * 3 * 700 * 64);
    for (const ropescope_dtype dtype : {ROPESCOPE_F16, ROPESCOPE_BF16}) {
        const bool is_f16 = dtype == ROPESCOPE_F16;
        std::vector<std::uint16_t> halves;
        std::vector<float> wide;
        for (const float value : values) {
            halves.push_back(is_f16 ? f16_from_f32(value) : bf16_from_f32(value));
            wide.push_back(is_f16 ? f32_from_f16(halves.back()) : f32_from_bf16(halves.back()));
        }
        const ropescope_tensor x = dense(halves.data(), shape, dtype);
        const ropescope_tensor y = dense(wide.data(), shape);
        ASSERT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 0, 0), ROPESCOPE_OK);
        ASSERT_EQ(ropescope_rotate(held.get(), &y, nullptr, 0, 0, 0), ROPESCOPE_OK);
        for (std::size_t i = 0; i < wide.size(); ++i) {
            ASSERT_EQ(halves[i], is_f16 ? f16_from_f32(wide[i]) : bf16_from_f32(wide[i])) << i;
        }
    }
}

TEST(CInterface, TheInverseGivesTheTensorBack) {
    const Held held = plain();
    std::vector<float> memory(2 * 5 * 8);
    std::iota(memory.begin(), memory.end(), 1.0F);
    const std::vector<float> before = memory;
    const ropescope_tensor x = dense(memory.data(), {1, 2, 5, 8});
    ASSERT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 0, 1), ROPESCOPE_OK);
    EXPECT_NE(memory, before);
    ASSERT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 1, 1), ROPESCOPE_OK);
    // Twice two products and a sum of numbers up to 80 sqrt(2), each rounded to 2^-24 of it.
    for (std::size_t i = 0; i < memory.size(); ++i) {
        EXPECT_NEAR(memory[i], before[i], 6 * 114 * 0x1p-24);
    }
}

TEST(CInterface, LayersAndLengthsAreChosen) {
    ropescope_options options{};
    options.size = sizeof options;
    options.layer_type = "sliding_attention";
    const Held sliding = loaded("gemma-3-1b", &options);
    EXPECT_NE(omega_of(sliding), omega_of(loaded("gemma-3-1b")));
    options.layer_type = nullptr;
    options.seq_len = 131072;
    const Held longer = loaded("phi-3-mini-128k", &options);
    EXPECT_NE(omega_of(longer), omega_of(loaded("phi-3-mini-128k")));
    options.part = "vision";
    options.seq_len = 0;
    ropescope_embedding* none = nullptr;
    EXPECT_EQ(ropescope_load("llama-3.1-8b", &options, &none), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), HasSubstr("part: 'vision' is not a part of llama-3.1-8b"));
}

TEST(CInterface, ConfigurationsAreReadFromFilesAndFromText) {
    const std::string path = test::source_dir() + "/tests/golden/hf_roformer_base/config.json";
    const std::string text = read_file(path);
    ropescope_embedding* parsed = nullptr;
    ASSERT_EQ(ropescope_parse(text.data(), text.size(), nullptr, &parsed), ROPESCOPE_OK)
        << ropescope_message();
    EXPECT_EQ(omega_of(Held(parsed)), omega_of(loaded(path)));
    ropescope_embedding* none = nullptr;
    EXPECT_EQ(ropescope_parse("{", 1, nullptr, &none), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), HasSubstr("config.json"));
    EXPECT_EQ(ropescope_load("llama-3.1-9b", nullptr, &none), ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(ropescope_message(), HasSubstr("llama-3.1-8b"));
    EXPECT_EQ(none, nullptr);
}

/// A misuse, and words of its message.
struct Misuse {
    const char* name;
    std::function<ropescope_status()> call;
    const char* says;
};

TEST(CInterface, EveryMisuseGetsAStatusAndOneLine) {
    const Held held = plain();
    const Held two_axes = loaded("qwen2-vl-7b");
    std::vector<float> memory(2 * 5 * 8, 1.0F);
    const ropescope_tensor good = dense(memory.data(), {1, 2, 5, 8});
    const auto with = [&](const auto& change) {
        ropescope_tensor x = good;
        change(x);
        return ropescope_rotate(held.get(), &x, nullptr, 0, 0, 1);
    };
    double numbers[8] = {};
    const double nan[5] = {0, 1, std::numeric_limits<double>::quiet_NaN(), 3, 4};
    ropescope_embedding* made = nullptr;
    ropescope_facts facts{};
    const std::vector<Misuse> misuses = {
        {"no name", [&] { return ropescope_load(nullptr, nullptr, &made); }, "path_or_name: null"},
        {"no result", [&] { return ropescope_load("llama-3.1-8b", nullptr, nullptr); },
         "result: null"},
        {"no embedding", [&] { return ropescope_spectrum(nullptr, numbers, 4); },
         "embedding: null"},
        {"facts of no size", [&] { return ropescope_get_facts(held.get(), &facts); },
         "sizeof(ropescope_facts)"},
        {"too little room", [&] { return ropescope_spectrum(held.get(), numbers, 3); },
         "room for 3 values; 4 are expected"},
        {"an odd rotary_dim", [&] { return ropescope_make(8, 7, 1e4, "half_split", &made); },
         "rotary_dim"},
        {"another layout", [&] { return ropescope_make(8, 8, 1e4, "split", &made); }, "layout"},
        {"tokens below 0",
         [&] { return ropescope_table(held.get(), numbers, -1, nullptr, nullptr, 0); }, "tokens"},
        {"heads of 9 channels", [&] { return with([](auto& x) { x.shape[3] = 9; }); },
         "9 channels"},
        {"size below 0", [&] { return with([](auto& x) { x.shape[0] = -1; }); }, "batch"},
        {"no memory", [&] { return with([](auto& x) { x.data = nullptr; }); }, "data is null"},
        {"memory between two elements",
         [&] { return with([](auto& x) { x.data = static_cast<char*>(x.data) + 2; }); },
         "do not begin at a multiple of the 4 bytes"},
        {"a table without sines",
         [&] { return ropescope_table(held.get(), numbers, 1, memory.data(), nullptr, 4); }, "sin"},
        {"channels apart", [&] { return with([](auto& x) { x.stride[3] = 2; }); }, "side by side"},
        {"a broadcast axis", [&] { return with([](auto& x) { x.stride[1] = 0; }); },
         "share memory"},
        {"rows that overlap", [&] { return with([](auto& x) { x.stride[2] = 7; }); },
         "share memory"},
        {"a negative stride", [&] { return with([](auto& x) { x.stride[2] = -8; }); },
         "one above 0 is expected"},
        {"a stride that no memory has",
         [&] {
             return with([](auto& x) {
                 x.shape[0] = 2;
                 x.stride[0] = Index{1} << 60;
             });
         },
         "larger than memory"},
        {"a stride whose bytes wrap around",
         [&] {
             return with([](auto& x) {
                 x.shape[0] = 2;
                 x.stride[0] = (Index{1} << 62) - 64;
             });
         },
         "larger than memory"},
        {"a size beyond memory",
         [&] {
             return with([](auto& x) {
                 x.shape[0] = Index{1} << 40;
                 x.stride[0] = Index{1} << 40;
             });
         },
         "larger than memory"},
        {"more positions than memory",
         [&] { return ropescope_rotate(held.get(), &good, numbers, SIZE_MAX, 0, 1); },
         "larger than memory"},
        {"a dtype that is none",
         [&] { return with([](auto& x) { std::memset(&x.dtype, 99, 1); }); }, "dtype 99"},
        {"a dtype that is not turned",
         [&] { return with([](auto& x) { x.dtype = ROPESCOPE_F64; }); }, "dtype F64"},
        {"too many positions",
         [&] { return ropescope_rotate(held.get(), &good, numbers, 6, 0, 0); },
         "6 numbers; [1, 5]"},
        {"positions that are no numbers",
         [&] { return ropescope_rotate(held.get(), &good, nan, 5, 0, 0); }, "position"},
        {"a count without positions",
         [&] { return ropescope_rotate(held.get(), &good, nullptr, 5, 0, 0); }, "count is 5"},
        {"positions without a count",
         [&] { return ropescope_rotate(held.get(), &good, numbers, 0, 0, 0); }, "count is 0"},
        {"threads below 0", [&] { return ropescope_rotate(held.get(), &good, nullptr, 0, 0, -1); },
         "threads"},
        {"three axes without positions",
         [&] {
             std::vector<float> head(128);
             const ropescope_tensor x = dense(head.data(), {1, 1, 1, 128});
             return ropescope_rotate(two_axes.get(), &x, nullptr, 0, 0, 0);
         },
         "3 axes"},
    };
    for (const Misuse& misuse : misuses) {
        SCOPED_TRACE(misuse.name);
        EXPECT_EQ(misuse.call(), ROPESCOPE_BAD_INPUT);
        EXPECT_THAT(ropescope_message(), HasSubstr(misuse.says));
        EXPECT_THAT(ropescope_message(), Not(HasSubstr("\n")));
    }
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(memory, std::vector<float>(2 * 5 * 8, 1.0F)) << "a refused call wrote";
}

TEST(CInterface, NothingIsDoneForATensorOfNoElements) {
    const Held held = plain();
    const ropescope_tensor x = dense(nullptr, {0, 2, 5, 8});
    EXPECT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 0, 0), ROPESCOPE_OK);
}

TEST(CInterface, ThreadsShareAnEmbeddingAndHaveTheirOwnMessages) {
    const Held held = loaded("llama-3.1-8b");
    std::vector<float> expected(32 * 9 * 128, 1.0F);
    const ropescope_tensor x = dense(expected.data(), {1, 32, 9, 128});
    ASSERT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 0, 2), ROPESCOPE_OK);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round) {
                std::vector<float> own(expected.size(), 1.0F);
                const ropescope_tensor y = dense(own.data(), {1, 32, 9, 128});
                EXPECT_EQ(ropescope_rotate(held.get(), &y, nullptr, 0, 0, 2), ROPESCOPE_OK);
                EXPECT_EQ(own, expected);
                EXPECT_EQ(ropescope_rotate(held.get(), &y, nullptr, 0, 0, -1 - i),
                          ROPESCOPE_BAD_INPUT);
                EXPECT_THAT(ropescope_message(), HasSubstr(std::to_string(-1 - i)));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(CInterface, TheExampleInCRuns) {
    const std::string example =
        std::filesystem::path(test::program_path()).parent_path() / "library_example";
    const test::RunResult run = test::run_command({example});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    // cos 0 - sin 0 = 1; cos 1 - sin 1 = -0.301169.
    EXPECT_THAT(run.out, HasSubstr("llama-3.1-8b: 64 pairs in heads of 128 channels\n"));
    EXPECT_THAT(run.out, HasSubstr("position      0: channel 0 becomes  1.000000\n"));
    EXPECT_THAT(run.out, HasSubstr("position      1: channel 0 becomes -0.301169\n"));
    const test::RunResult wrong = test::run_command({example, "no-such-model"});
    EXPECT_EQ(wrong.exit_code, ROPESCOPE_BAD_INPUT);
    EXPECT_THAT(wrong.err, HasSubstr("no-such-model"));
}

}  // namespace
}  // namespace ropescope
