// How a model turns one side of a dump: which channels, how fast and by what factor, in float64,
// and how far float32 may be from it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {

/// One of the embeddings that a dump may be of, at the length that it reaches.
struct ExpectedPart {
    RotaryScheme scheme = {};
    std::optional<RopeSpec> spec = {};  ///< of text in one axis
    std::string layer_type = {};        ///< if the model has several types of layers
    /// [heads][pairs, axes]: bounds of what float32 makes of the frequencies and of their product
    /// with a position, in radians per position.
    std::vector<std::vector<double>> error = {};

    Index axes() const { return std::ssize(scheme.axes); }
};

/// The embeddings of an expectation in a sequence of `reach` positions, on which some depend.
std::vector<ExpectedPart> expected_parts(const Expectation& expectation, Index reach);
/// Of frequencies that were found: a part without a name.
ExpectedPart part_of_spec(const RopeSpec& spec, bool backwards);

/// What one head does to the pairs of a token.
struct HeldHead {
    std::vector<double> omega = {}, error = {};  ///< [pairs, axes], radians per position
    double gain = 1.0;                           ///< on cos and sin
    double gain_error = 0.0;                     ///< of a gain that was measured, as a share of it
};

/// What happens to a pair behind its rotation: a matrix of two rows.
using PairMatrix = std::array<double, 4>;

/// The rotation of one side.
struct ExpectedRotation {
    Index axes = 1;
    Index first_channel = 0;                            ///< channels before it never change
    std::vector<ChannelPair> pairs = {}, written = {};  ///< where pairs are read and written
    std::vector<Index> still_at = {};                   ///< as Pairing::still_at
    std::vector<HeldHead> heads = {};                   ///< one for all heads, or one for each
    std::vector<PairMatrix> behind = {};                ///< [pairs], or empty: nothing happens
    /// If a norm was taken from the tensors: the format of the numbers behind it, and by what share
    /// of a length its own rounding adds to that of the rotation.
    std::optional<FloatFormat> format_behind = {};
    double norm_share = 0.0;
    /// What positions that were measured may be off by.
    double position_error = 0.0;

    const HeldHead& head(Index h) const {
        return heads[std::min<std::size_t>(h, heads.size() - 1)];
    }
};

/// The part's rotation of tensors with so many channels, at positions with so many axes. A head may
/// have channels in front that never turn, as in multi-head latent attention, and a tensor may be
/// the slice of the head that turns. A model of several axes turns text by the sum of its speeds.
/// Empty if the part cannot be the rotation of such a tensor.
std::optional<ExpectedRotation> rotation_of(const ExpectedPart& part, Index channels,
                                            const DumpPositions& positions);

/// [pairs]: bounds of what fp32 makes of these frequencies and of their product with a position, in
/// radians per position. `spec` may say how they are made; a scaling that cannot be made from it
/// says nothing.
std::vector<double> frequency_errors(std::span<const double> omega,
                                     const std::optional<RopeSpec>& spec = {});

/// 1 + the largest position that is stated, of q and k; at least 1.
Index reach_of(const Dump& dump);

}  // namespace ropescope::diagnosis
