// Rows of a tensor before and behind a rotation, and how well a pair of channels keeps its length
// in them. Sources: pairing.cpp, block_pairing.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/dump.h"
#include "core/rope/layout.h"

namespace ropescope::diagnosis {

/// Rows of the tensors before and after, [count, channels] each.
struct PairSamples {
    Index count = 0, channels = 0;
    std::vector<double> x, y;
};

/// How much each channel changes: the sum of squared changes over that of squares.
struct Changes {
    std::vector<double> share;
    std::vector<bool> touched;  ///< a bit of it changes somewhere
};

/// A layout to try: pairs before and after.
struct Candidate {
    std::string layout;
    Index rotary_dim = 0;
    std::vector<ChannelPair> pairs, rotated;
};

/// The root mean square of the change of a pair's squared length, as a share of it, if lengths are
/// multiplied by the root of `gain2`.
double length_error(const PairSamples& samples, ChannelPair pair, ChannelPair rotated,
                    double gain2);

/// Rows of channels as a tensor of one head, in double; the tensor has no memory of its own.
DumpTensor as_tensor(const std::vector<double>& rows, Index channels);

/// Half-split inside blocks of any even widths, one after the other, as models have them whose axes
/// turn unequal parts of a head; channels between them may stay unless they change strongly. Of all
/// ways to cut the channels, the one that keeps the lengths best: a channel that stays costs half
/// the share that it changes by, a pair that of its length, each at least what rounding makes of
/// it, and a block as much as a pair, so that fewer blocks win where both fit. Empty if none fits:
/// `limit` bounds the error of each pair.
std::optional<Candidate> block_pairing(const PairSamples& samples, const Changes& changes,
                                       const std::vector<bool>& strong, double rounding,
                                       double limit);

}  // namespace ropescope::diagnosis
