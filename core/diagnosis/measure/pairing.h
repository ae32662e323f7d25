// Finds out which channels turn together, from lengths alone: a rotation keeps the length of a
// pair, whatever its angle.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/layout.h"

namespace ropescope::diagnosis {

/// still: no channel changes. unclear: several layouts fit, because hardly anything turns.
/// no_rotation: no pairing keeps the lengths.
enum class PairingKind { found, still, unclear, no_rotation };

struct Pairing {
    PairingKind kind = PairingKind::still;
    /// "half_split", "interleaved", "half_split_per_block" or "other".
    std::string layout = "";
    /// Channels that the layout spans; those behind it stay as they are.
    Index rotary_dim = 0;
    Index blocks = 1;  ///< of half_split_per_block
    std::vector<ChannelPair> pairs = {};
    /// Where each pair lies in the rotated tensor; the same as `pairs` unless channels are
    /// permuted.
    std::vector<ChannelPair> rotated = {};
    /// [channels]: where those that stay as they are come out; empty if they do in their places.
    std::vector<Index> still_at = {};
    /// 1 + the last pair whose channels change at all, and 1 + the last channel that does.
    Index touched_pairs = 0, touched_channels = 0;
    /// Worst change of a pair's squared length, as a share of it.
    double length_error = 0.0;

    bool permuted() const { return pairs != rotated; }
};

/// Looks at `most` rows of the tensors at even steps.
Pairing find_pairing(const DumpSide& side, const FloatFormat& format, Index most = 128);

/// The first channel of which a bit changes, in the rows that find_pairing looks at; 0 if none
/// does.
Index first_changed(const DumpSide& side, Index most = 128);

/// For lengths that change with the position: the layout of a known model by which all heads turn
/// and stretch alike at every token, although each pair and token has a factor of its own. Empty
/// with one head in all, which fits any layout.
std::optional<Pairing> find_stretched_pairing(const DumpSide& side, const FloatFormat& format);

/// For tokens with a factor of their own on all channels, as of a norm behind the rotation: the
/// pairing that keeps the lengths when each row has the length it had before. Empty if there is
/// none of four pairs at least; the factor of a row would fit fewer by chance.
std::optional<Pairing> find_scaled_pairing(const DumpSide& side, const FloatFormat& format);

}  // namespace ropescope::diagnosis
