// Makes the schemes of vision models that count rows and columns of patches.
#include "core/schemes/vision_towers.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/base/error.h"
#include "core/base/uniform.h"
#include "core/schemes/bands.h"

namespace ropescope {
namespace {

const Coordinate kRow = {.axis = "h", .side = GridSide::row};
const Coordinate kColumn = {.axis = "w", .side = GridSide::column};
const Coordinate kX = {.axis = "x", .side = GridSide::column};
const Coordinate kY = {.axis = "y", .side = GridSide::row};

/// base^(-4j / head_dim) for each of two axes.
std::vector<AxisBand> equal_bands(Index head_dim, double base, const char* scheme) {
    require_head_dim(head_dim, 4, scheme);
    const std::vector<double> omega_rad = inverse_powers(head_dim / 2, base, scheme);
    return {{0, omega_rad}, {1, omega_rad}};
}

RotaryScheme tower(const char* id, Index head_dim, Spectrum spectrum,
                   std::vector<ChannelPair> pairs, GridRule rule) {
    std::vector<std::string> axes;
    for (const Coordinate& axis : rule.axes) {
        axes.push_back(axis.axis);
    }
    return {.id = id,
            .head_dim = head_dim,
            .axes = std::move(axes),
            .heads = {std::move(spectrum)},
            .pairs = std::move(pairs),
            .positions = std::move(rule)};
}

}  // namespace

RotaryScheme qwen2_vl_vision(Index head_dim, double base, Index merge) {
    return tower("qwen2_vl_vision", head_dim,
                 bands_in_order(2, equal_bands(head_dim, base, "qwen2_vl_vision")),
                 channel_pairs(Layout::half_split, head_dim),
                 {.axes = {kRow, kColumn}, .merge = merge});
}

RotaryScheme muse_glimmer_vision(Index head_dim, double base, Index merge) {
    const Coordinate column{.axis = "w", .side = GridSide::column, .offset = 1.0};
    const Coordinate row{.axis = "h", .side = GridSide::row, .offset = 1.0};
    return tower("muse_glimmer_vision", head_dim,
                 bands_in_order(2, equal_bands(head_dim, base, "muse_glimmer_vision")),
                 channel_pairs(Layout::half_split, head_dim),
                 {.axes = {column, row}, .merge = merge});
}

RotaryScheme minimax_m3_vision(Index head_dim, double base, Index merge) {
    constexpr Index kAxes = 3;
    require_head_dim(head_dim, 2, "minimax_m3_vision");
    const Index channels = head_dim / kAxes / 2 * 2;
    std::vector<AxisBand> bands;
    for (Index axis = 0; axis < kAxes; ++axis) {
        bands.push_back({axis, inverse_powers(channels, base, "minimax_m3_vision")});
    }
    const Coordinate frame{.axis = "t", .side = GridSide::frame};
    return tower("minimax_m3_vision", head_dim, bands_in_order(kAxes, bands),
                 channel_pairs(Layout::half_split, kAxes * channels),
                 {.axes = {frame, kRow, kColumn}, .merge = merge});
}

RotaryScheme sam3_vit(Index head_dim, double base) {
    return tower("sam3_vit", head_dim, bands_in_order(2, equal_bands(head_dim, base, "sam3_vit")),
                 channel_pairs(Layout::interleaved, head_dim), {.axes = {kX, kY}});
}

RotaryScheme efficientloftr(Index head_dim, Index heads, double base) {
    require_head_dim(head_dim, 4, "efficientloftr");
    const std::vector<double> omega_rad =
        inverse_powers(shared_width(heads, head_dim, 4) / 2, base, "efficientloftr");
    const Index speeds = head_dim / 4;  // of each head; a row and a column have the same
    const Coordinate row{.axis = "h", .side = GridSide::row, .offset = 1.0};
    const Coordinate column{.axis = "w", .side = GridSide::column, .offset = 1.0};
    RotaryScheme scheme =
        tower("efficientloftr", head_dim, {}, channel_pairs(Layout::interleaved, head_dim),
              {.axes = {row, column}});
    scheme.heads.clear();
    for (Index head = 0; head < heads; ++head) {
        const auto first = omega_rad.begin() + head * speeds;
        const std::vector<double> own(first, first + speeds);
        scheme.heads.push_back(bands_in_turn(2, std::vector<AxisBand>{{0, own}, {1, own}}));
    }
    return scheme;
}

RotaryScheme pixtral(Index head_dim, double base, Layout layout) {
    require_head_dim(head_dim, 4, "pixtral");
    const std::vector<double> all = inverse_powers(head_dim, base, "pixtral");
    std::vector<AxisBand> bands = {{0, {}}, {1, {}}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        bands[i % 2].omega_rad.push_back(all[i]);
    }
    return tower(layout == Layout::half_split ? "pixtral_hf" : "pixtral_mistral", head_dim,
                 bands_in_order(2, bands), channel_pairs(layout, head_dim),
                 {.axes = {kRow, kColumn}});
}

RotaryScheme llama4_vision(Index head_dim, double base) {
    GridRule rule{.axes = {kX, kY}, .still_after = 1, .square = true};
    for (Coordinate& axis : rule.axes) {
        axis.offset = 1.0;
    }
    return tower("llama4_vision", head_dim,
                 bands_in_order(2, equal_bands(head_dim, base, "llama4_vision")),
                 channel_pairs(Layout::interleaved, head_dim), std::move(rule));
}

RotaryScheme gemma4_vision(Index head_dim, double base) {
    return tower("gemma4_vision", head_dim,
                 bands_in_order(2, equal_bands(head_dim, base, "gemma4_vision")),
                 half_split_blocks(head_dim / 2, 2), {.axes = {kX, kY}});
}

RotaryScheme moonvit(Index head_dim, double base, Layout layout) {
    return tower("moonvit", head_dim, bands_in_turn(2, equal_bands(head_dim, base, "moonvit")),
                 channel_pairs(layout, head_dim), {.axes = {kX, kY}});
}

RotaryScheme sam2(Index head_dim, double base) {
    return tower("sam2", head_dim, bands_in_order(2, equal_bands(head_dim, base, "sam2")),
                 channel_pairs(Layout::interleaved, head_dim), {.axes = {kX, kY}, .square = true});
}

RotaryScheme ropevit_axial(Index head_dim, double base) {
    return tower(
        "ropevit_axial", head_dim, bands_in_order(2, equal_bands(head_dim, base, "ropevit_axial")),
        channel_pairs(Layout::interleaved, head_dim), {.axes = {kX, kY}, .still_before = 1});
}

RotaryScheme ropevit_mixed(Index head_dim, Index heads, std::span<const double> freqs) {
    require_head_dim(head_dim, 2, "ropevit_mixed");
    const Index pairs = head_dim / 2;
    if (heads < 1 || std::ssize(freqs) != 2 * heads * pairs) {
        throw InputError(
            fmt::format("freqs: {} numbers for {} heads of {} pairs; give [2, heads, "
                        "pairs], one for x and one for y of each pair",
                        freqs.size(), heads, pairs));
    }
    RotaryScheme scheme =
        tower("ropevit_mixed", head_dim, {}, channel_pairs(Layout::interleaved, head_dim),
              {.axes = {kX, kY}, .still_before = 1});
    scheme.heads.clear();
    for (Index h = 0; h < heads; ++h) {
        Spectrum head{{}, 1.0, 1.0, 2};
        for (Index i = h * pairs; i < (h + 1) * pairs; ++i) {
            head.inv_freq_rad.push_back(freqs[i]);
            head.inv_freq_rad.push_back(freqs[heads * pairs + i]);
        }
        scheme.heads.push_back(std::move(head));
    }
    return scheme;
}

// Draws the frequencies of RoPE-ViT mixed before training.

RotaryScheme ropevit_mixed_at_start(Index head_dim, Index heads, std::uint64_t seed, double base) {
    constexpr const char* kName = "ropevit_mixed";
    require_head_dim(head_dim, 4, kName);
    const std::vector<double> speeds_rad = inverse_powers(head_dim / 2, base, kName);
    std::vector<double> along_x, along_y;
    for (Index head = 0; head < heads; ++head) {
        const double first = 2 * std::numbers::pi * uniform(seed, head);
        for (const double direction : {first, first + std::numbers::pi / 2}) {
            for (const double speed_rad : speeds_rad) {
                along_x.push_back(speed_rad * std::cos(direction));
                along_y.push_back(speed_rad * std::sin(direction));
            }
        }
    }
    along_x.insert(along_x.end(), along_y.begin(), along_y.end());
    return ropevit_mixed(head_dim, heads, along_x);
}

}  // namespace ropescope
