// The permutation that carries one system into another, read off the images of basis vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/systems/system.h"

namespace ropescope {

/// Values that distinguish the channels of a system, however the channels are ordered.
struct ChannelSignatures {
    std::int64_t head_dim = 0;
    std::vector<double> values;  ///< [head_dim, values a channel]
};
ChannelSignatures channel_signatures(const System& system, std::int64_t head_dim, double base);

/// p with to(x[p]) == from(x)[p], found by matching each channel of `to` with the nearest channel
/// of `from`; empty if a channel has no match or two share one. This is only a candidate, which the
/// caller must verify on whole tensors.
std::optional<std::vector<Index>> search_permutation(const ChannelSignatures& from,
                                                     const ChannelSignatures& to);

bool is_identity(const std::vector<Index>& permutation);
std::vector<Index> inverse_permutation(const std::vector<Index>& permutation);

/// "even channels, then odd channels", "first half and second half alternating" or the list
/// itself, shortened: "0 2 4 6 ... 125 127".
std::string describe_permutation(const std::vector<Index>& permutation);

}  // namespace ropescope
