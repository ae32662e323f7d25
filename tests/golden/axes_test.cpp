// Schemes of models that turn in several axes, read from their own files, against numbers that
// their own sources made (tests/golden/ORIGIN.md).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/formats/safetensors.h"
#include "core/formats/schemes/schemes.h"
#include "core/models/model.h"
#include "tests/support/fp32_rotation.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

std::filesystem::path folder() {
    return std::filesystem::path(test::source_dir()) / "tests/golden/axes";
}

/// One case of the folder.
struct Golden {
    nlohmann::json about;
    const SafetensorsFile& file;

    std::string name() const { return about.at("case").get<std::string>(); }
    std::vector<double> numbers(const char* what) const {
        return to_f64(file.at(name() + "/" + what));
    }
    std::vector<Index> integers(const char* what) const {
        return to_i64(file.at(name() + "/" + what));
    }
    Index axes() const { return std::ssize(about.at("axes")); }
};

/// RoPE-ViT's mixed frequencies are in a weight: of layer 1 in one case and layer 0 in the other.
RotaryScheme scheme_of_case(const Golden& golden) {
    if (golden.about.at("scheme") == "ropevit_mixed") {
        return mixed_scheme_of_weights(golden.file.at(golden.name() + "/freqs"),
                                       golden.name() == "ropevit_mixed_4x6" ? 1 : 0, 2);
    }
    const auto parts = parse_model(golden.about.at("config").dump(), "config.json").parts;
    EXPECT_EQ(parts.size(), 1U);
    return parts.at(0).scheme;
}

/// The stored heads of the scheme.
std::vector<Spectrum> stored_heads(const RotaryScheme& scheme, const Golden& golden) {
    if (scheme.heads.size() == 1) {
        return scheme.heads;
    }
    std::vector<Spectrum> heads;
    for (const Index head : golden.integers("head_index")) {
        heads.push_back(scheme.heads.at(head));
    }
    return heads;
}

void expect_frequencies(const RotaryScheme& scheme, const Golden& golden) {
    const std::vector<double> omega = golden.numbers("omega");
    std::vector<double> ours;
    for (const Spectrum& head : stored_heads(scheme, golden)) {
        ours.insert(ours.end(), head.inv_freq_rad.begin(), head.inv_freq_rad.end());
    }
    ASSERT_EQ(ours.size(), omega.size());
    for (std::size_t i = 0; i < omega.size(); ++i) {
        EXPECT_NEAR(ours[i], omega[i], 1e-12 * std::abs(omega[i])) << "number " << i;
    }
}

void expect_channels(const RotaryScheme& scheme, const Golden& golden) {
    const std::vector<Index> pairs = golden.integers("pairs");
    ASSERT_EQ(std::ssize(pairs), 2 * scheme.pair_count());
    for (Index i = 0; i < scheme.pair_count(); ++i) {
        EXPECT_EQ(scheme.pairs[i], (ChannelPair{pairs[2 * i], pairs[2 * i + 1]})) << i;
    }
}

/// A sum of a few products of double: four units of 2^-53 of numbers below 128.
constexpr double kPosition = 1e-13;

void expect_grid(const RotaryScheme& scheme, const Golden& golden) {
    GridTokens tokens{{}, golden.about.at("text").get<Index>()};
    for (const auto& grid : golden.about.at("grids")) {
        tokens.grids.push_back({grid[0], grid[1], grid[2]});
    }
    const auto* rule = std::get_if<GridRule>(&scheme.positions);
    ASSERT_NE(rule, nullptr);
    const TokenPositions built = grid_positions(*rule, tokens);
    ASSERT_EQ(built.tokens(), golden.about.at("tokens").get<Index>());
    const std::vector<double> positions = golden.numbers("positions");
    const std::vector<Index> turns = golden.integers("turns");
    const bool some = golden.file.find(golden.name() + "/token_index") != nullptr;
    const std::vector<Index> index = some ? golden.integers("token_index") : std::vector<Index>();
    for (Index i = 0; i < std::ssize(turns); ++i) {
        const Index token = some ? index[i] : i;
        EXPECT_EQ(built.turns[token], turns[i] != 0) << "token " << token;
        for (Index a = 0; a < golden.axes(); ++a) {
            EXPECT_NEAR(built.view().at(a, token), positions[a * std::ssize(turns) + i], kPosition)
                << "axis " << a << " of token " << token;
        }
    }
}

/// The stored tokens of which the rotation is stored, too.
TokenPositions picked_tokens(const Golden& golden) {
    const std::vector<double> positions = golden.numbers("positions");
    const std::vector<Index> turns = golden.integers("turns");
    std::vector<TokenCoordinates> places;
    for (const Index i : golden.integers("picked")) {
        TokenCoordinates place{{}, turns[i] != 0};
        for (Index a = 0; a < golden.axes(); ++a) {
            place.position.push_back(positions[a * std::ssize(turns) + i]);
        }
        places.push_back(place);
    }
    return token_positions(places, golden.axes());
}

void expect_rotation(RotaryScheme scheme, const Golden& golden) {
    const TokenPositions positions = picked_tokens(golden);
    const std::vector<float> q = to_f32(golden.file.at(golden.name() + "/q"));
    const std::vector<float> expected = to_f32(golden.file.at(golden.name() + "/q_rot"));
    const Index tokens = positions.tokens();
    const Index heads = std::ssize(q) / (tokens * scheme.head_dim);
    scheme.heads = stored_heads(scheme, golden);
    scheme.heads.resize(std::min<std::size_t>(scheme.heads.size(), heads));
    const RotationTable table = make_rotation_table(scheme, positions.view(), 1);
    const std::vector<Index> rows = table_rows(positions);
    std::vector<float> rotated = q;
    rotate_in_place(bhld_view(rotated.data(), 1, heads, tokens, scheme.head_dim), table.view(),
                    rotate_options(scheme, rows));
    const std::vector<double> bounds =
        test::fp32_bounds(scheme, positions, heads, test::largest_of(q));
    for (Index i = 0; i < std::ssize(q); ++i) {
        const auto place = [&] {
            return fmt::format("head {} token {} channel {}", i / (tokens * scheme.head_dim),
                               i / scheme.head_dim % tokens, i % scheme.head_dim);
        };
        EXPECT_NEAR(rotated[i], expected[i], bounds[i]) << place();
        if (bounds[i] == 0.0) {
            EXPECT_EQ(rotated[i], q[i]) << place();
        }
    }
}

TEST(GoldenAxes, SchemesOfPublishedModels) {
    const SafetensorsFile file = SafetensorsFile::open(folder() / "cases.safetensors");
    const auto cases = nlohmann::json::parse(read_file(folder() / "cases.json"));
    ASSERT_EQ(cases.size(), 39U);
    for (const nlohmann::json& about : cases) {
        const Golden golden{about, file};
        SCOPED_TRACE(golden.name());
        const RotaryScheme scheme = scheme_of_case(golden);
        EXPECT_EQ(scheme.head_dim, about.at("head_dim").get<Index>());
        EXPECT_EQ(scheme.axes, about.at("axes").get<std::vector<std::string>>());
        if (about.at("scheme") != "qwen2_vl_text") {
            EXPECT_EQ(scheme.id, about.at("case") == "timm_mixed_6x4"
                                     ? "ropevit_mixed"
                                     : about.at("scheme").get<std::string>());
        }
        expect_frequencies(scheme, golden);
        expect_channels(scheme, golden);
        if (!about.at("grids").empty()) {
            expect_grid(scheme, golden);
        }
        expect_rotation(scheme, golden);
    }
}

}  // namespace
}  // namespace ropescope
