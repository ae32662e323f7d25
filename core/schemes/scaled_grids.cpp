// Makes the schemes of vision models whose coordinates depend on the size of the grid.
#include "core/schemes/scaled_grids.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/base/error.h"
#include "core/schemes/bands.h"

namespace ropescope {
namespace {

/// first * (last / first)^s for `count` numbers s from 0 to 1.
std::vector<double> equal_ratios(double first, double last, Index count) {
    std::vector<double> numbers = linear_steps(0.0, 1.0, count);
    for (double& number : numbers) {
        number = first * std::pow(last / first, number);
    }
    return numbers;
}

void require_above(const char* what, double value, double least) {
    if (!std::isfinite(value) || value <= least) {
        throw InputError(fmt::format("{}: {}; give a finite number above {}", what, value, least));
    }
}

Spectrum same_for_both(const std::vector<double>& omega_rad) {
    return bands_in_order(2, std::vector<AxisBand>{{0, omega_rad}, {1, omega_rad}});
}

/// Rows and columns in the order of grid_indexing.
RotaryScheme timm_grid_scheme(const char* id, const TimmGrid& grid, Spectrum spectrum,
                              Coordinate row, Coordinate column) {
    row.axis = "y";
    row.side = GridSide::row;
    column.axis = "x";
    column.side = GridSide::column;
    GridRule rule{.still_before = grid.still_before};
    rule.axes = grid.columns_first ? std::vector{column, row} : std::vector{row, column};
    return {.id = id,
            .head_dim = grid.head_dim,
            .axes = {rule.axes[0].axis, rule.axes[1].axis},
            .heads = {std::move(spectrum)},
            .pairs = channel_pairs(grid.layout, grid.head_dim),
            .positions = std::move(rule)};
}

Coordinate timm_coordinate(const TimmLanguage& language, Index reference) {
    return reference > 0 ? Coordinate{.spacing = Spacing::by_side,
                                      .scale = to_double(reference),
                                      .offset = language.offset}
                         : Coordinate{.offset = language.offset};
}

Spacing spacing_of(Dinov3::Normalise normalise) {
    switch (normalise) {
        case Dinov3::Normalise::max:
            return Spacing::centres_of_longer;
        case Dinov3::Normalise::min:
            return Spacing::centres_of_shorter;
        case Dinov3::Normalise::separate:
            break;
    }
    return Spacing::centres;
}

/// 2 pi / period.
std::vector<double> dinov3_frequencies(const Dinov3& arguments) {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    require_head_dim(arguments.head_dim, 4, "dinov3");
    if (!arguments.periods) {
        return scaled(inverse_powers(arguments.head_dim / 2, arguments.base, "dinov3"), kTurn);
    }
    const auto [min, max] = *arguments.periods;
    require_above("pos_embed_rope_min_period", min, 0.0);
    require_above("pos_embed_rope_max_period", max, 0.0);
    return equal_ratios(kTurn / min, kTurn / max, arguments.head_dim / 4);
}

}  // namespace

RotaryScheme timm_language(const TimmGrid& grid, const TimmLanguage& frequencies) {
    require_head_dim(grid.head_dim, 4, "timm's rotary embedding");
    const std::vector<double> omega_rad =
        inverse_powers(grid.head_dim / 2, frequencies.temperature, "rope_temperature");
    return timm_grid_scheme("timm_cat_lang", grid, same_for_both(omega_rad),
                            timm_coordinate(frequencies, frequencies.reference_rows),
                            timm_coordinate(frequencies, frequencies.reference_columns));
}

RotaryScheme timm_pixels(const TimmGrid& grid, const TimmPixels& frequencies) {
    require_head_dim(grid.head_dim, 4, "timm's rotary embedding");
    require_above("rope_max_res", frequencies.max_resolution, 0.0);
    const Index count = grid.head_dim / 4;
    const double last = frequencies.max_resolution / 2.0;
    const std::vector<double> steps =
        frequencies.linear ? linear_steps(1.0, last, count) : equal_ratios(1.0, last, count);
    const Coordinate ends{.spacing = Spacing::ends};
    return timm_grid_scheme("timm_cat_pixel", grid, same_for_both(scaled(steps, std::numbers::pi)),
                            ends, ends);
}

RotaryScheme timm_mrope(const TimmMrope& arguments) {
    require_head_dim(arguments.head_dim, 2, "timm_mrope");
    std::vector<double> omega_rad =
        inverse_powers(arguments.head_dim, arguments.temperature, "rope_temperature");
    std::vector<Index> axis_of_pair;
    for (Index pair = 0; pair < std::ssize(omega_rad); ++pair) {
        const bool row = pair % 3 == 1 && pair < 3 * arguments.rows;
        const bool column = pair % 3 == 2 && pair < 3 * arguments.columns;
        axis_of_pair.push_back(column ? 1 : 0);
        omega_rad[pair] = row || column ? omega_rad[pair] : 0.0;
    }
    return {.id = "timm_mrope",
            .head_dim = arguments.head_dim,
            .axes = {"h", "w"},
            .heads = {by_axis_of_pair(2, omega_rad, axis_of_pair)},
            .pairs = channel_pairs(Layout::half_split, arguments.head_dim),
            .positions = GridRule{.axes = {{.axis = "h", .side = GridSide::row},
                                           {.axis = "w", .side = GridSide::column}},
                                  .still_before = arguments.still_before}};
}

RotaryScheme dinov3(const Dinov3& arguments) {
    const Spacing spacing = spacing_of(arguments.normalise);
    return {
        .id = "dinov3",
        .head_dim = arguments.head_dim,
        .axes = {"h", "w"},
        .heads = {same_for_both(dinov3_frequencies(arguments))},
        .pairs = channel_pairs(arguments.layout, arguments.head_dim),
        .positions = GridRule{.axes = {{.axis = "h", .side = GridSide::row, .spacing = spacing},
                                       {.axis = "w", .side = GridSide::column, .spacing = spacing}},
                              .still_before = arguments.still_before}};
}

}  // namespace ropescope
