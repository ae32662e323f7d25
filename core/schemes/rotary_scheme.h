// A rotary embedding in one or several axes as a value: frequencies, channels, who turns, and how
// positions are made.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/positions/grid_rule.h"
#include "core/positions/multimodal_ids.h"
#include "core/positions/token_positions.h"
#include "core/rope/rope_spec.h"
#include "core/rope/rotate.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// The number of a token in its sequence, in one axis.
struct SequenceRule {};

/// How positions come about.
using PositionRule = std::variant<SequenceRule, GridRule, MultimodalRule>;

/// Pair i of a head is channels pairs[i] and turns by
///   angle(i, token) = sum over axes a of omega[i, a] * position[a, token].
struct RotaryScheme {
    std::string id = {};  ///< of scheme_facts(); empty for frequencies of one's own
    Index head_dim = 0;
    std::vector<std::string> axes = {};  ///< names: "t", "h", "w", ...
    std::vector<Spectrum> heads = {};    ///< one for all heads, or one for each
    std::vector<ChannelPair> pairs = {};
    PositionRule positions = {};

    Index pair_count() const { return std::ssize(pairs); }
};

/// Throws InputError unless the parts fit together: a frequency for every pair and axis, finite, in
/// every head; channels of the head, none twice.
void validate(const RotaryScheme& scheme);

/// Text in one axis.
RotaryScheme scheme_of(const RopeSpec& spec);

/// The channels of all pairs of a layout.
std::vector<ChannelPair> channel_pairs(Layout layout, Index rotary_dim);
/// `blocks` blocks of block_dim channels, half-split each.
std::vector<ChannelPair> half_split_blocks(Index block_dim, Index blocks);

/// "half_split", "interleaved", "half_split_per_block", or "listed" for any other pairs.
std::string_view layout_name(std::span<const ChannelPair> pairs);

/// The table that `make` gives for the spectrum of all heads; if heads differ, the tables of all
/// heads one below the other. All must have the same rows.
RotationTable table_of_heads(const RotaryScheme& scheme,
                             const std::function<RotationTable(const Spectrum& head)>& make);

/// The table of the scheme for these positions, with a part for each head if heads differ.
RotationTable make_rotation_table(const RotaryScheme& scheme, const AxisPositions& positions,
                                  int threads = 0);
/// How to rotate with that table. `rows` are table_rows() of the positions and must outlive the
/// result, and so must the scheme.
RotateOptions rotate_options(const RotaryScheme& scheme, std::span<const Index> rows);

/// How positions are made, and which tokens turn, for people.
std::string describe_positions(const RotaryScheme& scheme);
std::string describe_turning(const RotaryScheme& scheme);

}  // namespace ropescope
