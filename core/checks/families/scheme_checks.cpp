// Rotations in several axes: identities that hold for all schemes, and each number by another
// route.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/families/scheme_cases.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

constexpr Index kSchemeTokens = 6;
constexpr const char* kSwept = "all presets of several axes and a mixed scheme, 6 tokens";

/// Whether some case of the scheme by that engine is wanted.
bool wanted(const CheckContext& context, const Engine& engine, const SchemeCase& given) {
    return context.cases.may_contain(fmt::format("by={} scheme={}", engine.name(), given.name));
}

std::vector<double> in_double(std::span<const float> x) {
    return {x.begin(), x.end()};
}

/// Adds the distance of every row of `found` and `expected`, against `error` relative to |x|.
void compare_rows(WorstCase& worst, const HeadVectors& found, const HeadVectors& expected,
                  const HeadVectors& x, double error, const std::string& name) {
    for (Index row = 0; row < x.heads * x.tokens; ++row) {
        const Index h = row / x.tokens, token = row % x.tokens;
        const auto original = in_double(x.row(h, token));
        worst.add(distance(in_double(found.row(h, token)), in_double(expected.row(h, token))),
                  error * norm(original),
                  [&] { return fmt::format("{} head={} token={}", name, h, token); });
    }
}

/// Runs `add` for every engine and scheme that is wanted.
template <typename Add>
void sweep(const CheckContext& context, Add add) {
    for (Engine* engine : context.engines) {
        for (const SchemeCase& given : scheme_cases()) {
            if (wanted(context, *engine, given)) {
                add(*engine, given.scheme,
                    fmt::format("by={} scheme={}", engine->name(), given.name));
            }
        }
    }
}

CheckFinding pairs_turn_by_their_axes(const CheckContext& context) {
    WorstCase worst(context.cases);
    sweep(context, [&](Engine& engine, const RotaryScheme& scheme, const std::string& name) {
        const TokenPositions positions = spread_tokens(scheme, kSchemeTokens);
        const HeadVectors x = random_vectors(scheme, kSchemeTokens, 81);
        const HeadVectors y = turned(engine, scheme, x, positions);
        const double error = axis_rotation_error(std::ssize(scheme.axes));
        for (const Index h : {Index{0}, x.heads - 1}) {
            const Spectrum& head = scheme.heads[scheme.heads.size() > 1 ? h : 0];
            for (Index entry = 0; entry < kSchemeTokens * scheme.pair_count(); ++entry) {
                const Index token = entry / scheme.pair_count(), i = entry % scheme.pair_count();
                const auto [first, second] = scheme.pairs[i];
                const LongDoublePair before{x.row(h, token)[first], x.row(h, token)[second]};
                const LongDoublePair after = turned_by_reference(head, i, positions, token, before);
                worst.add(
                    static_cast<double>(std::hypot(after.first - y.row(h, token)[first],
                                                   after.second - y.row(h, token)[second])),
                    error * static_cast<double>(std::hypot(before.first, before.second)),
                    [&] { return fmt::format("{} head={} token={} pair={}", name, h, token, i); });
            }
        }
    });
    return worst.finding(kAxisRotationBound, kSwept);
}

CheckFinding scores_depend_on_differences(const CheckContext& context) {
    WorstCase worst(context.cases);
    sweep(context, [&](Engine& engine, const RotaryScheme& scheme, const std::string& name) {
        const Index axes = std::ssize(scheme.axes);
        const TokenPositions positions = spread_tokens(scheme, kSchemeTokens);
        const HeadVectors x = random_vectors(scheme, kSchemeTokens, 82);
        const HeadVectors before = turned(engine, scheme, x, positions);
        TokenPositions shift = positions;
        for (Index i = 0; i < std::ssize(shift.values); ++i) {
            shift.values[i] = 5.5 - 3.0 * to_double(i / kSchemeTokens);
        }
        for (Index axis = 0; axis <= axes; ++axis) {  // each alone, then all together
            const HeadVectors after = turned(
                engine, scheme, x, added(positions, axis < axes ? along(shift, axis) : shift));
            const auto score = [&](const HeadVectors& y, Index h, Index q) {
                return dot(in_double(y.row(h, q)), in_double(y.row(h, q + 1)));
            };
            for (Index q = 0; q + 1 < kSchemeTokens; ++q) {
                const Index h = q % x.heads;
                const double size = norm(in_double(x.row(h, q))) * norm(in_double(x.row(h, q + 1)));
                worst.add(
                    std::abs(score(after, h, q) - score(before, h, q)),
                    (4.0 * axis_rotation_error(axes) + 2.0 * dot_error(scheme.head_dim)) * size,
                    [&] { return fmt::format("{} shifted={} token={}", name, axis, q); });
            }
        }
    });
    return worst.finding(std::string("four rotations of ") + kAxisRotationBound +
                             ", and two dot products of head_dim 2^-53",
                         kSwept);
}

CheckFinding rotations_add_up(const CheckContext& context) {
    WorstCase worst(context.cases);
    sweep(context, [&](Engine& engine, const RotaryScheme& scheme, const std::string& name) {
        const TokenPositions a = spread_tokens(scheme, kSchemeTokens);
        TokenPositions b = a;
        std::ranges::reverse(b.values);
        const HeadVectors x = random_vectors(scheme, kSchemeTokens, 83);
        compare_rows(worst, turned(engine, scheme, turned(engine, scheme, x, a), b),
                     turned(engine, scheme, x, added(a, b)), x,
                     3.0 * axis_rotation_error(std::ssize(scheme.axes)), name);
    });
    return worst.finding(std::string("three rotations of ") + kAxisRotationBound, kSwept);
}

CheckFinding axes_commute(const CheckContext& context) {
    WorstCase worst(context.cases);
    sweep(context, [&](Engine& engine, const RotaryScheme& scheme, const std::string& name) {
        const Index axes = std::ssize(scheme.axes);
        const TokenPositions positions = spread_tokens(scheme, kSchemeTokens);
        const HeadVectors x = random_vectors(scheme, kSchemeTokens, 84);
        const HeadVectors together = turned(engine, scheme, x, positions);
        HeadVectors up = x, down = x;
        for (Index a = 0; a < axes; ++a) {
            up = turned(engine, scheme, up, along(positions, a));
            down = turned(engine, scheme, down, along(positions, axes - 1 - a));
        }
        const double error = to_double(axes + 1) * axis_rotation_error(axes);
        compare_rows(worst, up, together, x, error, name + " order=up");
        compare_rows(worst, down, together, x, error, name + " order=down");
    });
    return worst.finding(std::string("axes + 1 rotations of ") + kAxisRotationBound, kSwept);
}

/// Tokens of a grid whose sides suit every rule, with text if the model has it beside patches.
TokenPositions tokens_of_grid(const GridRule& rule) {
    const bool frames = std::ranges::any_of(
        rule.axes, [](const Coordinate& axis) { return axis.side == GridSide::frame; });
    return grid_positions(rule,
                          {{{frames ? 2 : 1, 4, 4}}, rule.text == TextPositions::none ? 0 : 3});
}

/// Bound 0: a token or a channel that does not turn keeps its bits.
CheckFinding still_tokens_stay(const CheckContext& context) {
    WorstCase worst(context.cases);
    sweep(context, [&](Engine& engine, const RotaryScheme& scheme, const std::string& name) {
        const auto* rule = std::get_if<GridRule>(&scheme.positions);
        TokenPositions positions =
            rule != nullptr ? tokens_of_grid(*rule) : spread_tokens(scheme, kSchemeTokens);
        if (rule == nullptr) {
            positions.turns[2] = false;
        }
        std::vector<bool> pair_channel(scheme.head_dim, false);
        for (const ChannelPair& pair : scheme.pairs) {
            pair_channel[pair.first] = pair_channel[pair.second] = true;
        }
        const HeadVectors x = random_vectors(scheme, positions.tokens(), 85);
        const HeadVectors y = turned(engine, scheme, x, positions);
        for (Index row = 0; row < x.heads * x.tokens; ++row) {
            const Index token = row % x.tokens;
            Index changed = 0;
            for (Index c = 0; c < x.head_dim; ++c) {
                const bool still = !positions.turns[token] || !pair_channel[c];
                const Index at = row * x.head_dim + c;
                changed += still && x.values[at] != y.values[at] ? 1 : 0;
            }
            worst.add(to_double(changed), 0.0, [&] { return fmt::format("{} row={}", name, row); });
        }
    });
    return worst.finding(
        "exact: they are not touched",
        "all presets of several axes, their own grids with text, one mixed scheme");
}

}  // namespace

std::vector<Check> scheme_checks() {
    const char* const paper =
        "RoFormer, section 3.2.2, in several axes; core/formats/schemes/scheme_facts.cpp";
    return {{.id = "axes.angles",
             .title = "the sum over the axes",
             .source = paper,
             .statement = "Each pair turns by the sum over the axes of its frequency times the "
                          "position of the token.",
             .figure = "axes",
             .run = pairs_turn_by_their_axes},
            {.id = "axes.relative",
             .title = "relative positions in every axis",
             .source = paper,
             .statement = "A score depends on the difference of the positions alone, in each axis "
                          "and in all together.",
             .figure = "axes",
             .run = scores_depend_on_differences},
            {.id = "axes.composition",
             .title = "rotations add up",
             .source = paper,
             .statement = "A rotation by a and then by b is the rotation by a + b.",
             .figure = "axes",
             .run = rotations_add_up},
            {.id = "axes.commutation",
             .title = "axes in any order",
             .source = paper,
             .statement = "The axes turn a vector one by one, in any order, as all together.",
             .figure = "axes",
             .run = axes_commute},
            {.id = "axes.still_tokens",
             .title = "what does not turn",
             .source = "core/formats/schemes/scheme_facts.cpp",
             .statement = "Tokens and channels that do not turn stay to the bit.",
             .figure = "axes",
             .run = still_tokens_stay}};
}

}  // namespace ropescope
