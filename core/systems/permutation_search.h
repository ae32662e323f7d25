// Which channels a system pairs, and the permutation that carries one system into another: both
// read off the images of basis vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/systems/system.h"

namespace ropescope {

/// Where each basis vector goes besides its own channel, at position 1 (no angle is zero there).
struct Pairing {
    std::vector<Index> partner;     ///< the other channel it reaches most; -1: none
    std::vector<Index> sign;        ///< of the entry there: +1 for the first channel of a pair
    std::vector<double> angle_rad;  ///< atan2(entry there, entry on the diagonal)
    bool mutual = false;  ///< every channel reaches exactly one other, which reaches it back
};
Pairing find_pairing(const System& system, std::int64_t head_dim, double base);

/// What tells the channels of one system apart under any renaming of them.
struct ChannelSignatures {
    std::int64_t head_dim = 0;
    std::vector<double> values;  ///< [head_dim, values a channel]
};
ChannelSignatures channel_signatures(const System& system, std::int64_t head_dim, double base);

/// p with to(x[p]) == from(x)[p], found by matching each channel of `to` with the nearest channel
/// of `from`; nothing when some channel has no match or two share one. A candidate only: the caller
/// verifies it on whole tensors.
std::optional<std::vector<Index>> search_permutation(const ChannelSignatures& from,
                                                     const ChannelSignatures& to);

bool is_identity(const std::vector<Index>& permutation);
std::vector<Index> inverse_permutation(const std::vector<Index>& permutation);

/// "even channels, then odd channels", "first half and second half alternating" or the list
/// itself, shortened: "0 2 4 6 ... 125 127".
std::string describe_permutation(const std::vector<Index>& permutation);

}  // namespace ropescope
