// Makes the schemes in which axes share a head.
#include "core/schemes/parts_of_heads.h"

#include <fmt/format.h>
#include <numeric>

#include "core/base/error.h"
#include "core/schemes/bands.h"

namespace ropescope {
namespace {

Coordinate side(const char* axis, GridSide of) {
    return {.axis = axis, .side = of};
}

std::vector<Coordinate> rows_columns() {
    return {side("h", GridSide::row), side("w", GridSide::column)};
}
std::vector<Coordinate> columns_rows() {
    return {side("w", GridSide::column), side("h", GridSide::row)};
}
std::vector<Coordinate> frames_rows_columns() {
    return {side("t", GridSide::frame), side("h", GridSide::row), side("w", GridSide::column)};
}

/// The usual meaning of so many axes; a fourth counts the text.
std::vector<Coordinate> usual_axes(std::size_t count) {
    if (count == 2) {
        return rows_columns();
    }
    std::vector<Coordinate> axes = frames_rows_columns();
    if (count == 4) {
        axes.push_back({.axis = "l"});
    } else if (count != 3) {
        throw InputError(fmt::format("{} axes share the head; 2 to 4 are expected", count));
    }
    return axes;
}

RotaryScheme shared_head(const char* id, Index head_dim, Spectrum spectrum,
                         std::vector<ChannelPair> pairs, std::vector<Coordinate> axes) {
    std::vector<std::string> names;
    for (const Coordinate& axis : axes) {
        names.push_back(axis.axis);
    }
    return {.id = id,
            .head_dim = head_dim,
            .axes = std::move(names),
            .heads = {std::move(spectrum)},
            .pairs = std::move(pairs),
            .positions = GridRule{.axes = std::move(axes)}};
}

/// The same frequencies for each axis, of `channels` channels each.
std::vector<AxisBand> alike(Index axes, Index channels, double base, const char* id) {
    std::vector<AxisBand> bands;
    for (Index axis = 0; axis < axes; ++axis) {
        bands.push_back({axis, inverse_powers(channels, base, id)});
    }
    return bands;
}

}  // namespace

RotaryScheme parts_of_a_head(std::span<const Index> axis_channels, double base, Index head_dim) {
    constexpr const char* kId = "parts_of_a_head";
    std::vector<AxisBand> bands;
    for (const Index channels : axis_channels) {
        bands.push_back({std::ssize(bands), inverse_powers(channels, base, kId)});
    }
    const Index turning = std::accumulate(axis_channels.begin(), axis_channels.end(), Index{0});
    require_head_dim(head_dim, 2, kId);
    if (turning > head_dim) {
        throw InputError(fmt::format("the axes have {} channels; give at most the {} of a head",
                                     turning, head_dim));
    }
    return shared_head(kId, head_dim, bands_in_order(std::ssize(bands), bands),
                       channel_pairs(Layout::interleaved, turning),
                       usual_axes(axis_channels.size()));
}

RotaryScheme cogview4(Index head_dim, double base) {
    require_head_dim(head_dim, 4, "cogview4");
    return shared_head("cogview4", head_dim,
                       bands_in_order(2, alike(2, head_dim / 2, base, "cogview4")),
                       channel_pairs(Layout::half_split, head_dim), rows_columns());
}

RotaryScheme allegro(Index head_dim, const std::array<double, 3>& scale, double base) {
    require_head_dim(head_dim, 6, "allegro");
    std::vector<AxisBand> bands = alike(3, head_dim / 3, base, "allegro");
    for (AxisBand& band : bands) {
        band.omega_rad = scaled(std::move(band.omega_rad), 1.0 / scale[band.axis]);
    }
    return shared_head("allegro", head_dim, bands_in_order(3, bands),
                       half_split_blocks(head_dim / 3, 3), frames_rows_columns());
}

RotaryScheme minimax_h3(Index head_dim, Index pairs, double base) {
    constexpr Index kAxes = 3;
    const Index turning = kAxes * 2 * pairs;
    if (turning > head_dim) {
        throw InputError(
            fmt::format("rope_freq_dim: 3 x 2 x {} channels turn; give at most the {} "
                        "of a head",
                        pairs, head_dim));
    }
    return shared_head("minimax_h3", head_dim,
                       bands_in_order(kAxes, alike(kAxes, 2 * pairs, base, "minimax_h3")),
                       channel_pairs(Layout::half_split, turning), frames_rows_columns());
}

RotaryScheme lumina_next(Index head_dim, double base) {
    require_head_dim(head_dim, 4, "lumina_next");
    return shared_head("lumina_next", head_dim,
                       bands_in_turn(2, alike(2, head_dim / 2, base, "lumina_next")),
                       channel_pairs(Layout::interleaved, head_dim), rows_columns());
}

RotaryScheme hunyuan_dit(Index head_dim, double base) {
    require_head_dim(head_dim, 4, "hunyuan_dit");
    return shared_head("hunyuan_dit", head_dim,
                       bands_in_order(2, alike(2, head_dim / 2, base, "hunyuan_dit")),
                       channel_pairs(Layout::interleaved, head_dim), columns_rows());
}

}  // namespace ropescope
