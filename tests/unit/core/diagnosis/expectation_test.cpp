// What a diagnosis says about a dump that should be that of a model.
#include "core/diagnosis/expectation.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/read_dump.h"
#include "core/formats/safetensors.h"
#include "core/rope/axis_positions.h"
#include "core/rope/rotate.h"
#include "core/rope/spectrum.h"
#include "core/rope/table_rows.h"
#include "tests/support/input_error.h"
#include "tests/support/random.h"
#include "tests/support/temp_folder.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

/// q of one sequence and head, turned by the table at these rows.
class TurnedQuery {
  public:
    TurnedQuery(Index tokens, Index head_dim, const RotationTable& table,
                const RotateOptions& options)
        : tokens_(tokens),
          head_dim_(head_dim),
          x_(test::Random(7).normal<float>(tokens * head_dim)),
          y_(x_.size()) {
        rotate(bhld_view<const float>(x_.data(), 1, 1, tokens, head_dim),
               bhld_view(y_.data(), 1, 1, tokens, head_dim), table.view(), options);
    }
    Diagnosis against(const Expectation& expectation,
                      const std::vector<double>& positions = {}) const {
        std::vector<Tensor> tensors = {
            make_tensor("q", {1, 1, tokens_, head_dim_}, std::span<const float>(x_)),
            make_tensor("q_rot", {1, 1, tokens_, head_dim_}, std::span<const float>(y_))};
        if (!positions.empty()) {
            tensors.push_back(make_tensor("positions", {std::ssize(positions) / tokens_, tokens_},
                                          std::span<const double>(positions)));
        }
        std::vector<TensorBytes> views;
        std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
        return diagnose(make_dump(views, nullptr, "test", {}), &expectation);
    }

  private:
    Index tokens_, head_dim_;
    std::vector<float> x_, y_;
};

TurnedQuery turned(const RopeSpec& spec, const RotateOptions& options = {}) {
    constexpr Index kTokens = 64;
    return {kTokens, spec.head_dim, make_rotation_table(make_spectrum(spec), Index{0}, kTokens),
            options};
}

std::vector<std::string> texts(const Diagnosis& diagnosis) {
    std::vector<std::string> all;
    std::ranges::transform(diagnosis.mismatches, std::back_inserter(all), &Finding::text);
    return all;
}

TEST(Expectation, IsMetByTheModelItself) {
    for (const char* name : {"llama-3-8b", "llama-3.1-8b", "llama-2-7b"}) {
        const Expectation expectation = read_expectation(name);
        const RotateOptions options{.layout = expectation.specs.front().layout};
        const Diagnosis found = turned(expectation.specs.front(), options).against(expectation);
        EXPECT_EQ(found.verdict, Verdict::valid) << name << ": " << found.summary();
        EXPECT_THAT(texts(found), testing::IsEmpty()) << name;
    }
}

/// Frequencies and channels of one's own, as `rotate --spec` takes them.
TEST(Expectation, MayBeTheFileOfASpec) {
    const RopeSpec spec{.head_dim = 16, .rotary_dim = 16, .base = 700.0};
    const Spectrum spectrum = make_spectrum(spec);
    std::vector<std::int64_t> channels;
    for (const ChannelPair& pair : channel_pairs(Layout::half_split, 16)) {
        channels.insert(channels.end(), {pair.first, pair.second});
    }
    const test::TempFolder folder;
    const auto written = [&](std::vector<double> omega) {
        const std::vector<Tensor> tensors = {
            make_tensor("omega", {8, 1}, std::span<const double>(omega)),
            make_tensor("pairs", {8, 2}, std::span<const std::int64_t>(channels))};
        write_safetensors(folder / "spec.safetensors", tensors);
        return read_expectation((folder / "spec.safetensors").string());
    };
    const TurnedQuery query(12, 16, make_rotation_table(spectrum, 0, 12), {});
    EXPECT_TRUE(passes(query.against(written(spectrum.inv_freq_rad))));
    std::vector<double> other = spectrum.inv_freq_rad;
    other[2] *= 1.01;
    EXPECT_FALSE(passes(query.against(written(other))));
}

TEST(Expectation, NamesBaseLayoutAndWidth) {
    const Expectation expectation = read_expectation("llama-3-8b");
    RopeSpec spec = expectation.specs.front();
    spec.base = 10000.0;
    EXPECT_THAT(texts(turned(spec).against(expectation)), Contains("base 10000, expected 500000"));
    spec = expectation.specs.front();
    EXPECT_THAT(texts(turned(spec, {.layout = Layout::interleaved}).against(expectation)),
                Contains("layout interleaved, expected half-split"));
    spec.rotary_dim = 64;
    EXPECT_THAT(texts(turned(spec).against(expectation)), Contains("rotary_dim 64, expected 128"));
}

TEST(Expectation, NamesScalingThatIsMissing) {
    RopeSpec spec{.base = 10000.0,
                  .scaling = YarnScaling{.factor = 4.0, .original_positions = 4096}};
    const Expectation expectation{.name = "yarn", .specs = {spec}};
    EXPECT_THAT(texts(turned(spec).against(expectation)), testing::IsEmpty());
    spec.scaling = NoScaling{};
    const std::vector<std::string> found = texts(turned(spec).against(expectation));
    EXPECT_THAT(found, Contains("scaling default, expected yarn"));
    EXPECT_THAT(found, Contains("attention factor 1, expected 1.1386"));
}

TEST(Expectation, NamesPairsThatTurnByAnotherAxis) {
    const Expectation expectation = read_expectation("qwen2-vl-7b");
    ASSERT_EQ(expectation.schemes.size(), 2U);
    const RotaryScheme& scheme = expectation.schemes.front();
    // Four tokens of text and an image of 4 x 7 patches.
    std::vector<std::array<double, 3>> places;
    for (Index t = 0; t < 4; ++t) {
        places.push_back({to_double(t), to_double(t), to_double(t)});
    }
    for (Index patch = 0; patch < 28; ++patch) {
        places.push_back({4.0, to_double(4 + patch / 7), to_double(4 + patch % 7)});
    }
    std::vector<double> positions;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const auto& place : places) {
            positions.push_back(place[axis]);
        }
    }
    const auto diagnose_scheme = [&](const RotaryScheme& made) {
        const RotationTable table = make_rotation_table(made, {positions, 3});
        const std::vector<Index> rows = consecutive_rows(std::ssize(places));
        return TurnedQuery(std::ssize(places), made.head_dim, table, rotate_options(made, rows))
            .against(expectation, positions);
    };
    const Diagnosis right = diagnose_scheme(scheme);
    EXPECT_EQ(right.verdict, Verdict::valid) << right.summary();
    EXPECT_THAT(texts(right), testing::IsEmpty());
    EXPECT_EQ(right.axis_names, scheme.axes);
    EXPECT_EQ(right.omega_rad.size(), 64U);

    RotaryScheme other = scheme;  // the last 24 pairs turn by height
    std::vector<double>& omega = other.heads.front().inv_freq_rad;
    for (std::size_t pair = 40; pair < 64; ++pair) {
        std::swap(omega[3 * pair + 1], omega[3 * pair + 2]);
    }
    EXPECT_THAT(texts(diagnose_scheme(other)),
                Contains(HasSubstr("pairs 40 to 63 turn by height, and width is expected")));
    for (std::size_t pair = 16; pair < 40; ++pair) {
        std::swap(omega[3 * pair + 1], omega[3 * pair + 2]);
    }
    const Diagnosis swapped = diagnose_scheme(other);
    EXPECT_EQ(swapped.verdict, Verdict::invalid);
    EXPECT_THAT(swapped.findings, Contains(Field(&Finding::code, "axes.swapped")));
}

TEST(Expectation, OfAMistypedNameSuggestsTheModelThatIsMeant) {
    for (const auto& [mistyped, meant] :
         {std::pair("lama-2-7b", "'llama-2-7b'"), std::pair("qwen2-vl-7", "'qwen2-vl-7b'")}) {
        EXPECT_THAT(test::input_error([&, name = mistyped] { read_expectation(name); }),
                    HasSubstr(meant));
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
