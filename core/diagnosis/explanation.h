// How one side of a dump, q or k, was turned: layout, spectrum, positions, gain and precision.
// Sources: explanation.cpp; hypotheses/position_faults.cpp, model_search.cpp, axes_explanation.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/hypotheses/axis_map.h"
#include "core/diagnosis/hypotheses/spectrum_model.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/measure/places.h"
#include "core/diagnosis/measure/turns.h"

namespace ropescope::diagnosis {

struct Explanation {
    Side side = Side::none;
    Index head_dim = 0;
    Index first_channel = 0;  ///< where the layout begins; the channels before it never change
    FloatFormat format = {};
    Pairing pairing = {};
    Turns turns = {};
    bool heads_differ = false;  ///< then a row is one head of one sequence
    Index heads = 1;            ///< rows of one sequence
    Gain gain = {};
    bool gain_is_expected = false;        ///< the gain is that of the expected model
    bool gain_may_be_yarns = false;       ///< no token tells whether its spectrum is that of YaRN
    std::optional<Stretch> stretch = {};  ///< if the gain is not uniform, and a power of positions
    std::optional<Dtype> table = {};
    AngleNoise noise = {};
    Speeds speeds = {};
    std::optional<SpectrumModel> model = {};
    int sign = 1;
    double phase_rad = 0.0;           ///< of every pair beside its angle; `turns` have it
    std::vector<double> stated = {};  ///< [rows, length], in the first axis
    Index axes = 1;                   ///< of the stated positions that differ
    Places places = {};
    /// If the same difference from the stated position is found at every token.
    std::optional<double> offset = {};
    std::optional<AxisMap> axis_map = {};  ///< if positions have several axes that differ
    bool still = false;                    ///< nothing turns, although positions differ
    bool tensor_zero = false;
    std::vector<Finding> findings = {};  ///< of this side alone
    Words too_little = {};  ///< why nothing can be said, and what to dump; empty otherwise
};

/// What is expected of a side.
struct Expected {
    std::span<const RopeSpec> specs = {};
    std::span<const RotaryScheme> schemes = {};  ///< of models that turn in several axes
    std::vector<double> gains = {};              ///< of all of them, on lengths
    Index head = 0;  ///< if schemes have frequencies for each head, and this is one head
    /// The pairs of the other side, if this one alone leaves them open; else null.
    const Pairing* like = nullptr;

    bool anything() const { return !specs.empty() || !schemes.empty(); }
};

Explanation explain(const DumpSide& side, Side name, const DumpPositions& positions,
                    const Expected& expected);

/// Of a side that is as the scheme says, in several axes.
void explain_axes_as(Explanation& side, const RotaryScheme& scheme, Index head);

/// Sets findings from the model and its positions, or too_little if there is no model. `still` are
/// rows in which nothing turns.
void conclude(Explanation& side, const DumpPositions& positions, const std::vector<bool>& still,
              const Expected& asked);

/// Sets axis_map, model and findings from positions of several axes.
void explain_axes(Explanation& side, const DumpPositions& positions, const Expected& expected);

/// The difference from the stated positions, if it is the same at every token.
std::optional<double> constant_offset(const Explanation& side);

/// Appends what the positions of the tokens are instead of the stated ones.
void find_position_faults(Explanation& side);

/// A finding about rows, or heads if these differ, that do not turn although the others do.
Finding unrotated_rows(const Explanation& side, const std::vector<Index>& rows);

/// Sets model, sign and places if angles, positions or frequencies were formed in 16 bits.
bool explain_low_precision(Explanation& side, std::span<const RopeSpec> expected);

}  // namespace ropescope::diagnosis
