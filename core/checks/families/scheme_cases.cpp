// Makes the schemes and tokens of the checks of several axes, and turns vectors by two routes.
#include "core/checks/families/scheme_cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/names.h"
#include "core/checks/sweep.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

/// The largest frequency of an axis.
double fastest(const RotaryScheme& scheme) {
    double omega = 0.0;
    for (const Spectrum& head : scheme.heads) {
        for (const double each : head.inv_freq_rad) {
            omega = std::max(omega, std::abs(each));
        }
    }
    return omega;
}

/// Frequencies of both signs, up to 1.
RotaryScheme mixed() {
    constexpr Index kHeadDim = 16, kHeads = 2;
    return ropevit_mixed(kHeadDim, kHeads, random_rows(1, kHeads * kHeadDim, 71).values);
}

std::vector<SchemeCase> make_cases() {
    std::vector<SchemeCase> cases;
    for (const Preset& preset : several_axes_presets()) {
        cases.push_back({preset.name, open_model(preset.name).part().scheme});
    }
    cases.push_back({"ropevit-mixed", mixed()});
    return cases;
}

}  // namespace

const std::vector<SchemeCase>& scheme_cases() {
    static const std::vector<SchemeCase> cases = make_cases();
    return cases;
}

const RotaryScheme& scheme_case(std::string_view name) {
    return element_named(scheme_cases(), &SchemeCase::name, name,
                         [&](const std::string& near) {
                             return fmt::format("scheme: '{}' is not a preset{}", name, near);
                         })
        .scheme;
}

TokenPositions spread_tokens(const RotaryScheme& scheme, Index count) {
    const Index axes = std::ssize(scheme.axes);
    const double far = std::floor(0x1p16 / std::max(1.0, fastest(scheme)));
    std::vector<TokenPlace> places;
    for (Index token = 0; token < count; ++token) {
        TokenPlace place{{}, true};
        for (Index a = 0; a < axes; ++a) {
            const Index whole = (7 * token + 5 * a * token + 3 * a) % 41 - 13;
            place.position.push_back(token + 1 == count
                                         ? far - to_double(a)
                                         : to_double(whole) + (token % 2 == 0 ? 0.0 : 0.25));
        }
        places.push_back(std::move(place));
    }
    return token_positions(places, axes);
}

TokenPositions added(const TokenPositions& a, const TokenPositions& b) {
    TokenPositions sum = a;
    for (std::size_t i = 0; i < sum.values.size(); ++i) {
        sum.values[i] += b.values[i];
    }
    return sum;
}

TokenPositions along(const TokenPositions& positions, Index axis) {
    TokenPositions one = positions;
    for (Index i = 0; i < std::ssize(one.values); ++i) {
        one.values[i] = i / positions.tokens() == axis ? one.values[i] : 0.0;
    }
    return one;
}

HeadVectors random_vectors(const RotaryScheme& scheme, Index tokens, std::uint64_t seed) {
    const Index heads = scheme.heads.size() > 1 ? std::ssize(scheme.heads) : 2;
    const Rows drawn = random_rows(heads * tokens, scheme.head_dim, seed);
    return {heads, tokens, scheme.head_dim, {drawn.values.begin(), drawn.values.end()}};
}

HeadVectors turned(Engine& engine, const RotaryScheme& scheme, HeadVectors x,
                   const TokenPositions& positions) {
    const std::vector<Index> rows = table_rows(positions);
    const RotationTable table = table_of_heads(
        scheme, [&](const Spectrum& head) { return engine.table(head, positions.view()); });
    engine.rotate_in_place(bhld_view(x.values.data(), 1, x.heads, x.tokens, x.head_dim),
                           table.view(), rotate_options(scheme, rows));
    return x;
}

LongDoublePair turned_by_reference(const Spectrum& head, Index pair,
                                   const TokenPositions& positions, Index token, LongDoublePair x) {
    long double angle = 0.0L;
    for (Index a = 0; a < head.axes; ++a) {
        angle += static_cast<long double>(head.omega_rad(pair)[a]) *
                 static_cast<long double>(positions.view().at(a, token));
    }
    const long double cos = head.attention_factor * std::cos(angle);
    const long double sin = head.attention_factor * std::sin(angle);
    return {x.first * cos - x.second * sin, x.first * sin + x.second * cos};
}

}  // namespace ropescope
