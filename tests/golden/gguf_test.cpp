// Frequencies of GGUF files by another route: ggml's rope_yarn (ggml-org/llama.cpp,
// ggml/src/ggml-cpu/ops.cpp) and the factors that the converters write, in long double from the
// published formulas.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/models/model.h"
#include "core/rope/spectrum.h"
#include "tests/support/gguf_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::Gguf;
using test::gguf_model;
using Real = long double;

/// What ggml_rope_ext gets.
struct Ggml {
    int dims = 64;
    Real base = 10000;
    Real freq_scale = 1;
    Real ext_factor = 0;
    Real attention = 1;  ///< on cos and sin in the end
    Real original = 0;
    Real beta_fast = 32, beta_slow = 1;
    std::vector<float> factors = {};
};

Real corrected_dim(const Ggml& ggml, Real turns) {
    const Real two_pi = 2 * std::numbers::pi_v<Real>;
    return ggml.dims * std::log(ggml.original / (turns * two_pi)) / (2 * std::log(ggml.base));
}

std::vector<double> speeds(const Ggml& ggml) {
    std::vector<double> result;
    for (int pair = 0; pair < ggml.dims / 2; ++pair) {
        const Real exponent = static_cast<Real>(-2 * pair) / ggml.dims;
        const Real factor = ggml.factors.empty() ? 1 : ggml.factors[static_cast<std::size_t>(pair)];
        const Real apart = std::pow(ggml.base, exponent) / factor;
        Real theta = ggml.freq_scale * apart;
        if (ggml.ext_factor != 0) {
            const Real low = std::max<Real>(0, std::floor(corrected_dim(ggml, ggml.beta_fast)));
            const Real high =
                std::min<Real>(ggml.dims - 1, std::ceil(corrected_dim(ggml, ggml.beta_slow)));
            const Real place = (pair - low) / std::max<Real>(0.001L, high - low);
            const Real mix = (1 - std::min<Real>(1, std::max<Real>(0, place))) * ggml.ext_factor;
            theta = theta * (1 - mix) + apart * mix;
        }
        result.push_back(static_cast<double>(theta));
    }
    return result;
}

Spectrum spectrum_of(const Gguf& file, Index seq_len = 0, const char* part = "") {
    const test::TempFolder folder;
    test::write_gguf(folder / "model.gguf", file.bytes());
    RopeSpec spec = *open_model(folder / "model.gguf").part(part).spec;
    spec.seq_len = seq_len;
    return make_spectrum(spec);
}

/// A power and at most four operations more, each rounded once; the reference rounds once.
constexpr double kUnits = 8 * 0x1p-53;

void expect_as_ggml(const Spectrum& found, const Ggml& ggml, double tolerance = kUnits) {
    const std::vector<double> expected = speeds(ggml);
    ASSERT_EQ(found.pairs(), std::ssize(expected));
    for (Index pair = 0; pair < found.pairs(); ++pair) {
        const double speed = expected[static_cast<std::size_t>(pair)];
        EXPECT_NEAR(found.inv_freq_rad[pair], speed, tolerance * speed) << "pair " << pair;
    }
    const double attention = static_cast<double>(ggml.attention);
    EXPECT_NEAR(found.attention_factor, attention, kUnits * attention);
}

/// conversion/llama.py, LlamaModel.generate_extra_tensors, in its fp32.
std::vector<float> llama3_factors(int dims, float base, float factor) {
    std::vector<float> factors;
    for (int i = 0; i < dims; i += 2) {
        const float freq = 1.0F / std::pow(base, static_cast<float>(i) / static_cast<float>(dims));
        const float wavelength = static_cast<float>(2 * std::numbers::pi) / freq;
        if (wavelength < 8192.0F / 4.0F) {
            factors.push_back(1.0F);
        } else if (wavelength > 8192.0F) {
            factors.push_back(factor);
        } else {
            const float smooth = (8192.0F / wavelength - 1.0F) / 3.0F;
            factors.push_back(1.0F / ((1.0F - smooth) / factor + smooth));
        }
    }
    return factors;
}

TEST(GoldenGguf, WithoutScaling) {
    expect_as_ggml(spectrum_of(gguf_model("llama", 32, 128, 2, 500000.0F)),
                   {.dims = 128, .base = 500000});
}

TEST(GoldenGguf, FactorsOfLlama3AreTheirMethod) {
    for (const auto& [dims, factor] : {std::pair(128, 8.0F), std::pair(64, 32.0F)}) {
        Gguf file = gguf_model("llama", 32, static_cast<std::uint32_t>(dims), 2, 500000.0F);
        const std::vector<float> factors = llama3_factors(dims, 500000.0F, factor);
        file.tensor("rope_freqs.weight", factors);
        const Spectrum found = spectrum_of(file);
        // The converter's fp32 is off by up to (t (ln base + 6) + 8) / 3 units of 2^-24 times the
        // factor, for t <= 4 turns (core/formats/gguf/scaling.cpp): 40 units times 32.
        expect_as_ggml(found, {.dims = dims, .base = 500000, .factors = factors},
                       40 * 32 * 0x1p-24);
        // The method itself: Meta's apply_scaling.
        for (Index pair = 0; pair < found.pairs(); ++pair) {
            const Real plain = std::pow<Real>(500000, static_cast<Real>(-2 * pair) / dims);
            const Real turns = 8192 * plain / (2 * std::numbers::pi_v<Real>);
            const Real share = std::min<Real>(1, std::max<Real>(0, (turns - 1) / 3));
            const auto expected = static_cast<double>((1 - share) * plain / factor + share * plain);
            // At the slow end of the ramp the rounding of the share is weighed by the factor.
            EXPECT_NEAR(found.inv_freq_rad[pair], expected,
                        static_cast<double>(factor) * kUnits * expected)
                << pair;
        }
    }
}

TEST(GoldenGguf, TheStepOfLlama4) {
    std::vector<float> factors;
    for (int i = 0; i < 128; i += 2) {
        const Real turns = 8192 * std::pow<Real>(500000, -static_cast<Real>(i) / 128) /
                           (2 * std::numbers::pi_v<Real>);
        factors.push_back(turns > 1 ? 1.0F : 16.0F);
    }
    Gguf file = gguf_model("llama4", 40, 128, 4, 500000.0F);
    file.tensor("rope_freqs.weight", factors);
    const test::TempFolder folder;
    test::write_gguf(folder / "model.gguf", file.bytes());
    const Scaling scaling = open_model(folder / "model.gguf").part().spec->scaling;
    EXPECT_TRUE(std::holds_alternative<Llama3Scaling>(scaling));
    expect_as_ggml(spectrum_of(file), {.dims = 128, .base = 500000, .factors = factors});
    factors[30] = 2.0F;  // neither end of the step
    Gguf other = gguf_model("llama4", 40, 128, 4, 500000.0F);
    other.tensor("rope_freqs.weight", factors);
    expect_as_ggml(spectrum_of(other), {.dims = 128, .base = 500000, .factors = factors});
}

TEST(GoldenGguf, OtherFactorsAreTakenAsTheyAre) {
    std::vector<float> factors = llama3_factors(128, 500000.0F, 8.0F);
    factors[40] *= 1.001F;  // no longer the method's
    Gguf file = gguf_model("llama", 32, 128, 2, 500000.0F);
    file.tensor("rope_freqs.weight", factors);
    for (const Index length : {0, 4096, 100000}) {
        expect_as_ggml(spectrum_of(file, length),
                       {.dims = 128, .base = 500000, .factors = factors});
    }
    file.add("llama.rope.scaling.type", "linear").add("llama.rope.scaling.factor", 2.0F);
    expect_as_ggml(spectrum_of(file),
                   {.dims = 128, .base = 500000, .freq_scale = 0.5L, .factors = factors});
}

TEST(GoldenGguf, LinearAndItsOlderKey) {
    for (const char* key : {"qwen2.rope.scaling.factor", "qwen2.rope.scale_linear"}) {
        // A file without a type means linear.
        expect_as_ggml(spectrum_of(gguf_model("qwen2").add(key, 4.0F)), {.freq_scale = 0.25L});
        expect_as_ggml(
            spectrum_of(gguf_model("qwen2").add(key, 4.0F).add("qwen2.rope.scaling.type", "none")),
            {});
        expect_as_ggml(spectrum_of(gguf_model("qwen2").add(key, 0.0F)), {});
    }
    expect_as_ggml(spectrum_of(gguf_model("qwen2")
                                   .add("qwen2.rope.scaling.factor", 4.0F)
                                   .add("qwen2.rope.scaling.attn_factor", 1.25F)),
                   {.freq_scale = 0.25L, .attention = 1.25L});
}

TEST(GoldenGguf, Yarn) {
    Gguf file = gguf_model("qwen2", 32, 128, 2, 1e6F);
    file.add("qwen2.rope.scaling.type", "yarn")
        .add("qwen2.rope.scaling.factor", 4.0F)
        .add("qwen2.rope.scaling.original_context_length", std::uint32_t{32768});
    Ggml ggml{.dims = 128,
              .base = 1e6L,
              .freq_scale = 0.25L,
              .ext_factor = 1,
              .attention = 1 + 0.1L * std::log(4.0L),
              .original = 32768};
    expect_as_ggml(spectrum_of(file), ggml);
    file.add("qwen2.rope.scaling.attn_factor", 0.5F);
    ggml.attention *= 0.5L;
    expect_as_ggml(spectrum_of(file), ggml);
    file.add("qwen2.rope.scaling.yarn_beta_fast", 16.0F)
        .add("qwen2.rope.scaling.yarn_beta_slow", 2.0F);
    ggml.beta_fast = 16;
    ggml.beta_slow = 2;
    expect_as_ggml(spectrum_of(file), ggml);
    file.add("qwen2.rope.scaling.yarn_ext_factor", 0.0F);
    ggml.ext_factor = 0;
    ggml.attention = 0.5L;
    expect_as_ggml(spectrum_of(file), ggml);
}

TEST(GoldenGguf, YarnOfDeepSeekScalesTheSoftmax) {
    Gguf file = gguf_model("deepseek2", 16, 64);
    file.add("deepseek2.rope.scaling.type", "yarn")
        .add("deepseek2.rope.scaling.factor", 40.0F)
        .add("deepseek2.rope.scaling.original_context_length", std::uint32_t{4096})
        .add("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F);
    const Spectrum found = spectrum_of(file);
    expect_as_ggml(found, {.freq_scale = 1 / 40.0L, .ext_factor = 1, .original = 4096});
    const Real mscale = 1 + 0.1L * std::log(40.0L);
    EXPECT_NEAR(found.softmax_scale_factor, static_cast<double>(mscale * mscale), 2 * kUnits);
    // Mistral writes mscale_all_dim itself, and its attention is not scaled by it.
    Gguf mistral = gguf_model("mistral3", 32, 128, 2, 1e6F);
    mistral.add("mistral3.rope.scaling.type", "yarn")
        .add("mistral3.rope.scaling.factor", 16.0F)
        .add("mistral3.rope.scaling.original_context_length", std::uint32_t{16384})
        .add("mistral3.rope.scaling.yarn_log_multiplier", 1.0F);
    const Spectrum other = spectrum_of(mistral);
    expect_as_ggml(
        other,
        {.dims = 128, .base = 1e6L, .freq_scale = 1 / 16.0L, .ext_factor = 1, .original = 16384});
    EXPECT_EQ(other.softmax_scale_factor, 1.0);
}

TEST(GoldenGguf, LongRopeHasAListForEachSideOfItsLength) {
    std::vector<float> brief(48), far(48);
    for (std::size_t i = 0; i < brief.size(); ++i) {
        brief[i] = 1.0F + 0.01F * static_cast<float>(i);
        far[i] = 1.0F + 0.75F * static_cast<float>(i);
    }
    Gguf file = gguf_model("phi3", 32, 96);
    file.add("phi3.rope.scaling.type", "longrope")
        .add("phi3.rope.scaling.original_context_length", std::uint32_t{4096})
        .add("phi3.rope.scaling.attn_factor", 1.1902381F)
        .tensor("rope_factors_long.weight", far)
        .tensor("rope_factors_short.weight", brief);
    const Real attention = static_cast<Real>(1.1902381F);
    expect_as_ggml(spectrum_of(file, 4096), {.dims = 96, .attention = attention, .factors = brief});
    expect_as_ggml(spectrum_of(file, 4097), {.dims = 96, .attention = attention, .factors = far});
}

TEST(GoldenGguf, LayersWithAWindowAreNotScaled) {
    Gguf file = gguf_model("gemma3", 4, 256, 6, 1e6F);
    file.add("gemma3.attention.sliding_window", std::uint32_t{1024})
        .add("gemma3.rope.scaling.type", "linear")
        .add("gemma3.rope.scaling.factor", 8.0F);
    expect_as_ggml(spectrum_of(file, 0, "full_attention"),
                   {.dims = 256, .base = 1e6L, .freq_scale = 0.125L});
    expect_as_ggml(spectrum_of(file, 0, "sliding_attention"), {.dims = 256});
}

TEST(GoldenGguf, BothByteOrdersSayTheSame) {
    Gguf file = gguf_model("llama", 32, 128, 2, 500000.0F);
    const std::vector<float> factors(64, 3.25F);
    file.tensor("rope_freqs.weight", factors);
    const test::TempFolder folder;
    test::write_gguf(folder / "big.gguf", file.bytes(true));
    expect_as_ggml(make_spectrum(*open_model(folder / "big.gguf").part().spec),
                   {.dims = 128, .base = 500000, .factors = factors});
}

}  // namespace
}  // namespace ropescope
