// Whether one tensor is another one with its channels or its heads in another order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diff/allowance.h"

namespace ropescope::diff {

/// [channels]: the channel of `a` that each channel of `b` is, at every token of every head. Empty
/// if there is none, or if it is each channel itself.
std::optional<std::vector<Index>> channel_order(const diagnosis::DumpTensor& a,
                                                const diagnosis::DumpTensor& b,
                                                const Allowance& allowance);

/// [heads]: the head of `a` that each head of `b` is, at every token.
std::optional<std::vector<Index>> head_order(const diagnosis::DumpTensor& a,
                                             const diagnosis::DumpTensor& b,
                                             const Allowance& allowance);

/// "in interleaved order where A has half-split order", "2 and 5 exchanged", "1 2 3 0": how the
/// things of B stand, with `noun` for what they are.
std::string describe_order(const std::vector<Index>& order, const std::string& noun);

}  // namespace ropescope::diff
