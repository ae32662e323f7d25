// Checks a scheme, and makes its tables and the options to rotate with them.
#include "core/schemes/rotary_scheme.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/rope/layout.h"

namespace ropescope {
namespace {

void validate_head(const RotaryScheme& scheme, const Spectrum& head) {
    if (head.axes != std::ssize(scheme.axes) || head.pairs() != scheme.pair_count()) {
        throw InputError(
            fmt::format("omega: {} pairs in {} axes; this model has {} pairs in {} "
                        "axes, give a frequency for each",
                        head.pairs(), head.axes, scheme.pairs.size(), scheme.axes.size()));
    }
    for (std::size_t i = 0; i < head.inv_freq_rad.size(); ++i) {
        if (!std::isfinite(head.inv_freq_rad[i])) {
            throw InputError(fmt::format("omega: {} for pair {} in axis {}; give a finite number",
                                         head.inv_freq_rad[i], i / scheme.axes.size(),
                                         scheme.axes[i % scheme.axes.size()]));
        }
    }
}

}  // namespace

void validate(const RotaryScheme& scheme) {
    if (scheme.heads.empty() || scheme.axes.empty() || scheme.pairs.empty()) {
        throw InputError(
            fmt::format("omega: frequencies of {} heads for {} pairs in {} axes; give "
                        "at least one of each",
                        scheme.heads.size(), scheme.pairs.size(), scheme.axes.size()));
    }
    validate_pairs(scheme.pairs, scheme.head_dim);
    for (const Spectrum& head : scheme.heads) {
        validate_head(scheme, head);
    }
}

RotaryScheme scheme_of(const RopeSpec& spec) {
    return {.id = "text",
            .head_dim = spec.head_dim,
            .axes = {"position"},
            .heads = {make_spectrum(spec)},
            .pairs = channel_pairs(spec.layout, spec.rotary_dim),
            .positions = SequenceRule{}};
}

std::vector<ChannelPair> channel_pairs(Layout layout, Index rotary_dim) {
    std::vector<ChannelPair> pairs;
    for (Index i = 0; i < rotary_dim / 2; ++i) {
        pairs.push_back(pair_channels(layout, rotary_dim, i));
    }
    return pairs;
}

std::vector<ChannelPair> half_split_blocks(Index block_dim, Index blocks) {
    std::vector<ChannelPair> pairs;
    for (Index first = 0; first < blocks * block_dim; first += block_dim) {
        for (const ChannelPair& pair : channel_pairs(Layout::half_split, block_dim)) {
            pairs.push_back({first + pair.first, first + pair.second});
        }
    }
    return pairs;
}

std::string_view layout_name(std::span<const ChannelPair> pairs) {
    if (const std::optional<Layout> layout = layout_of(pairs)) {
        return to_string(*layout);
    }
    const std::vector<PairRun> runs = pair_runs(pairs);
    const auto blocks = half_split_blocks(2 * runs.front().count, std::ssize(runs));
    return std::ranges::equal(pairs, blocks) ? "half_split_per_block" : "listed";
}

RotationTable table_of_heads(const RotaryScheme& scheme,
                             const std::function<RotationTable(const Spectrum& head)>& make) {
    validate(scheme);
    RotationTable all = make(scheme.heads.front());
    for (const Spectrum& head : std::span(scheme.heads).subspan(1)) {
        const RotationTable one = make(head);
        all.rows += one.rows;
        all.cos.insert(all.cos.end(), one.cos.begin(), one.cos.end());
        all.sin.insert(all.sin.end(), one.sin.begin(), one.sin.end());
    }
    return all;
}

RotationTable make_rotation_table(const RotaryScheme& scheme, const AxisPositions& positions,
                                  int threads) {
    return table_of_heads(scheme, [&](const Spectrum& head) {
        return make_rotation_table(head, positions, threads);
    });
}

RotateOptions rotate_options(const RotaryScheme& scheme, std::span<const Index> rows) {
    return {.rows = rows,
            .pairs = scheme.pairs,
            .rows_per_head = scheme.heads.size() > 1 ? std::ssize(rows) : 0};
}

std::string describe_positions(const RotaryScheme& scheme) {
    if (const auto* grid = std::get_if<GridRule>(&scheme.positions)) {
        return describe(*grid);
    }
    if (const auto* rule = std::get_if<MultimodalRule>(&scheme.positions)) {
        if (rule->family == MultimodalFamily::hunyuan_vl) {
            return fmt::format(
                "{}: all tokens count in p, and text in all axes; a patch of an image has its "
                "column, its row and the number of the image in w, h and t; patches are merged {} "
                "x {}, and each row ends in one token more",
                to_string(rule->family), rule->merge, rule->merge);
        }
        return fmt::format(
            "{}: text counts in all axes, a block of patches goes out from the "
            "position of the text before it; patches are merged {} x {}",
            to_string(rule->family), rule->merge, rule->merge);
    }
    return "position: number of the token";
}

std::string describe_turning(const RotaryScheme& scheme) {
    const auto* grid = std::get_if<GridRule>(&scheme.positions);
    return grid != nullptr ? describe_turning(*grid) : "all tokens";
}

}  // namespace ropescope
