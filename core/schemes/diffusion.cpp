// Makes the schemes of models that make images and videos.
#include "core/schemes/diffusion.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <numeric>

#include "core/base/error.h"
#include "core/schemes/bands.h"

namespace ropescope {
namespace {

/// A band for each axis whose frequencies begin again at 1. Its pairs fill the head.
RotaryScheme parts_of_the_head(const char* id, std::span<const Index> axis_channels, double base,
                               GridRule rule) {
    if (axis_channels.size() != rule.axes.size()) {
        throw InputError(fmt::format("{}: channels [{}]; give the channels of each of {} axes", id,
                                     fmt::join(axis_channels, ", "), rule.axes.size()));
    }
    std::vector<AxisBand> bands;
    std::vector<std::string> names;
    for (std::size_t a = 0; a < rule.axes.size(); ++a) {
        bands.push_back({static_cast<Index>(a), inverse_powers(axis_channels[a], base, id)});
        names.push_back(rule.axes[a].axis);
    }
    const Index head_dim = std::accumulate(axis_channels.begin(), axis_channels.end(), Index{0});
    require_head_dim(head_dim, 2, id);
    return {.id = id,
            .head_dim = head_dim,
            .axes = std::move(names),
            .heads = {bands_in_order(std::ssize(bands), bands)},
            .pairs = channel_pairs(Layout::interleaved, head_dim),
            .positions = std::move(rule)};
}

Coordinate frame(const char* axis) {
    return {.axis = axis, .side = GridSide::frame};
}
Coordinate row() {
    return {.axis = "h", .side = GridSide::row};
}
Coordinate column() {
    return {.axis = "w", .side = GridSide::column};
}
/// The same for all patches of an image.
Coordinate image(const char* axis, double per_grid) {
    return {.axis = axis, .per_grid = per_grid};
}

/// Channels of t, h and w where h and w have 2 floor(head_dim / 6) each.
std::array<Index, 3> sixths(Index head_dim, const char* id) {
    require_head_dim(head_dim, 2, id);
    if (head_dim < 6) {
        throw InputError(fmt::format(
            "head_dim: {} leaves rows and columns no channels; give an even number from 6 on",
            head_dim));
    }
    const Index side = head_dim / 6 * 2;
    return {head_dim - 2 * side, side, side};
}

}  // namespace

RotaryScheme flux1(std::span<const Index> axis_channels, double base) {
    return parts_of_the_head(
        "flux1", axis_channels, base,
        {.axes = {image("id", 1.0), row(), column()}, .text = TextPositions::origin});
}

RotaryScheme flux2(std::span<const Index> axis_channels, double base) {
    return parts_of_the_head("flux2", axis_channels, base,
                             {.axes = {image("t", 10.0), row(), column(), image("l", 0.0)},
                              .text = TextPositions::last});
}

RotaryScheme qwen_image(std::span<const Index> axis_channels, double base) {
    GridRule rule{.axes = {frame("frame"), row(), column()}, .text = TextPositions::beyond};
    rule.axes[0].per_grid = 1.0;
    rule.axes[1].spacing = rule.axes[2].spacing = Spacing::centred;
    return parts_of_the_head("qwenimage", axis_channels, base, std::move(rule));
}

RotaryScheme wan(Index head_dim, double base) {
    return parts_of_the_head("wan21", sixths(head_dim, "wan21"), base,
                             {.axes = {frame("f"), row(), column()}});
}

RotaryScheme hunyuan_video(std::span<const Index> axis_channels, double base) {
    return parts_of_the_head(
        "hunyuanvideo", axis_channels, base,
        {.axes = {frame("t"), row(), column()}, .text = TextPositions::still, .text_first = false});
}

RotaryScheme cogvideox(Index head_dim, std::optional<PatchGrid> base_grid) {
    require_head_dim(head_dim, 16, "cogvideox");
    GridRule rule{.axes = {frame("t"), row(), column()}, .text = TextPositions::still};
    if (base_grid) {
        rule.base = *base_grid;
        rule.axes[1].spacing = rule.axes[2].spacing = Spacing::cropped;
    }
    const std::array<Index, 3> channels = {head_dim / 4, head_dim / 8 * 3, head_dim / 8 * 3};
    return parts_of_the_head("cogvideox", channels, 10000.0, std::move(rule));
}

RotaryScheme cosmos(const Cosmos& arguments) {
    const std::array<Index, 3> channels = sixths(arguments.head_dim, "cosmos");
    std::vector<AxisBand> bands;
    for (std::size_t a = 0; a < channels.size(); ++a) {
        const double wide = to_double(channels[a]);
        const double scale = arguments.scale[a];
        if (channels[a] < 4 || !std::isfinite(scale) || scale <= 0.0) {
            throw InputError(fmt::format(
                "rope_scale: {} for an axis of {} channels; give a number above 0 and a head_dim "
                "of 12 or more",
                scale, channels[a]));
        }
        const double base = 10000.0 * std::pow(scale, wide / (wide - 2.0));
        bands.push_back({static_cast<Index>(a), inverse_powers(channels[a], base, "cosmos")});
    }
    GridRule rule{.axes = {frame("t"), row(), column()}};
    rule.axes[0].scale = arguments.fps > 0.0 ? arguments.base_fps / arguments.fps : 1.0;
    return {.id = "cosmos",
            .head_dim = arguments.head_dim,
            .axes = {"t", "h", "w"},
            .heads = {bands_in_order(3, bands)},
            .pairs = channel_pairs(Layout::half_split, arguments.head_dim),
            .positions = std::move(rule)};
}

RotaryScheme ltx(const Ltx& arguments) {
    require_head_dim(arguments.head_dim, 2, "ltx");
    const Index width = shared_width(arguments.heads, arguments.head_dim, 6);
    std::vector<double> rising = linear_steps(0.0, 1.0, width / 6);
    for (double& number : rising) {
        number = std::numbers::pi / 2.0 * std::pow(arguments.base, number);
    }
    const Spectrum turning =
        bands_in_turn(3, std::vector<AxisBand>{{0, rising}, {1, rising}, {2, rising}});
    std::vector<double> omega_rad(3 * (width / 2) - std::ssize(turning.inv_freq_rad), 0.0);
    omega_rad.insert(omega_rad.end(), turning.inv_freq_rad.begin(), turning.inv_freq_rad.end());
    RotaryScheme scheme{.id = "ltx",
                        .head_dim = arguments.head_dim,
                        .axes = {"f", "h", "w"},
                        .heads = {},
                        .pairs = channel_pairs(arguments.layout, arguments.head_dim),
                        .positions = {}};
    const Index each = 3 * (arguments.head_dim / 2);
    for (Index h = 0; h < arguments.heads; ++h) {
        const auto first = omega_rad.begin() + h * each;
        scheme.heads.push_back({{first, first + each}, 1.0, 1.0, 3});
    }
    GridRule rule{.axes = {frame("f"), row(), column()}};
    for (std::size_t a = 0; a < rule.axes.size(); ++a) {
        rule.axes[a].scale = 2.0 * arguments.unit[a];
        rule.axes[a].offset = -1.0;
    }
    scheme.positions = std::move(rule);
    return scheme;
}

}  // namespace ropescope
