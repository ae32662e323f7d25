// What an implementation computes that turns no pairs: each channel as a sum of itself and of its
// partner, times two factors of the token.
#pragma once

#include <optional>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/layout.h"

namespace ropescope::diagnosis {

/// y[c] = own x[c] + partner x[partner of c], at some tokens of one sequence.
struct ChannelMixture {
    Layout layout = Layout::half_split;  ///< in which channels are partners
    Index width = 0, tokens = 0;         ///< channels from the first on that change
    /// [tokens, width]; the error bounds both. Not finite where the dump leaves them open.
    std::vector<double> own = {}, partner = {}, error = {};
};

/// The mixtures that explain every number within its rounding, by partners of each usual layout:
/// none or one, but two heads fit any partners, and one head leaves the factors open.
std::vector<ChannelMixture> find_mixtures(const DumpSide& side, const FloatFormat& format);

/// The mistake that makes this mixture of a rotation; empty if it is none of those that people
/// make.
std::optional<Words> mistake_of(const ChannelMixture& mixture, Side side);

}  // namespace ropescope::diagnosis
