// The diagnose view: what is recovered from tensors before and after a rotation. Sources:
// state.cpp, panels.cpp, figure.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/view.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"
#include "core/rope/rope_spec.h"

namespace ropescope::figures {

struct MadeDump {
    diagnosis::Dump dump;
    std::string fault;    ///< what was done wrong: "the base was 10000"; empty if nothing was
    bool unseen = false;  ///< the encoding has nothing that the fault could concern
};

/// q and k in fp32, two sequences of two heads: one from position 0 on, and one that passes
/// position 4096, behind which short tables end. `code` is that of a fault or "none"; of several
/// faults with one code, the first that concerns the encoding is made. It is made in k, and if
/// `in_both` in q.
MadeDump make_dump_of(const RopeSpec& spec, const std::string& code, bool in_both);

/// How many rows of a batch, heads and tokens a side has.
struct SideShape {
    diagnosis::Side side = diagnosis::Side::none;
    Index rows = 0, heads = 0, tokens = 0;
};

/// The colour of a side.
inline plot::Role role_of(diagnosis::Side side) {
    return side == diagnosis::Side::k ? plot::Role::key : plot::Role::query;
}

struct DiagnoseState {
    std::string origin;  ///< "q and k as made by this encoding", "dump.npz"
    std::string fault;   ///< of tensors that are made: what was done wrong; empty if nothing was
    std::string unseen;  ///< the code of a fault that the encoding cannot show
    std::vector<SideShape> shapes;  ///< of the tensors that are drawn
    diagnosis::Analysis analysis;
    std::optional<Index> layer;                 ///< that is drawn, of a file with several
    std::optional<RopeSpec> expected;           ///< if the tensors are held against it
    std::vector<double> expected_inv_freq_rad;  ///< of that encoding, [pairs]

    const diagnosis::Diagnosis& diagnosis() const { return analysis.diagnosis; }
    /// The side whose angles are drawn: the faulty one, which is k if only k is; else the first.
    const diagnosis::Explanation* shown() const;
    /// Channels of the side, or of the expectation, that has most.
    Index channels() const;
    /// Pairs of the side, or of the expectation, that has most.
    Index pairs() const;
    /// Whether the angles of a side are known.
    static bool has_angles(const diagnosis::Explanation& side);
    /// Sequences of a side one after the other: how many tokens there are to draw.
    static Index tokens(const diagnosis::Explanation& side) {
        return side.turns.rows * side.turns.length;
    }
    /// The measured angle in radians from -pi to pi; of `turns` the phase of the side is taken off.
    /// NaN if it is unknown. `token` counts through the sequences.
    static double angle_rad(const diagnosis::Explanation& side, Index token, Index pair);
    /// How far the measured angle lies from the expected one, or without an expectation from the
    /// explained one, in radians from 0 to pi. NaN if either is unknown.
    double distance_rad(const diagnosis::Explanation& side, Index token, Index pair) const;
    /// The speed that was measured, in radians per position and of any sign; NaN if it is not known
    /// or smaller than its error.
    static double speed_rad(const diagnosis::Explanation& side, Index pair);
    /// The speed that a pair should have: the expected one, or without an expectation the one that
    /// the side's explanation gives it. NaN if there is none, or it is 0.
    double wanted_speed_rad(const diagnosis::Explanation& side, Index pair) const;
    /// The measured speed over the wanted one, and its error; a pair that turns the other way is
    /// below 0, and one that stands still is 0. NaN if either is not known, or the error is larger
    /// than the wanted speed.
    struct Ratio {
        double value = 0.0, error = 0.0;
    };
    Ratio speed_ratio(const diagnosis::Explanation& side, Index pair) const;
    /// What is not explained in the tensors that are drawn.
    std::vector<diagnosis::Residual> unexplained() const;
    /// Where a token was found, relative to its stated position; NaN if no position explains it.
    static double moved(const diagnosis::Explanation& side, Index token);
};

/// Null if a frame has no time for the scene's file (Work::may_draft). Throws InputError that
/// begins with the parameter's name if the dump cannot be read.
std::shared_ptr<const DiagnoseState> make_diagnose_state(const Scene& scene, const Work& work);

/// "findings": codes and sentences, the heaviest first.
plot::Panel findings_panel(const DiagnoseState& state, Index row);
/// How many lines the findings take.
Index findings_lines(const DiagnoseState& state);

// Panels. Source: panels.cpp.

/// "spectrum": the speed of each pair over the one that it should have, or if none is known the
/// speed itself.
plot::Panel speeds_panel(const DiagnoseState& state);
/// "pairing": the channel that each channel turns with.
plot::Panel pairing_panel(const DiagnoseState& state);
/// "distance": how far the angle of each pair lies from the wanted one at each token.
plot::Panel distance_panel(const DiagnoseState& state);
/// "positions": where each token was found, relative to its stated position.
plot::Panel moved_panel(const DiagnoseState& state);

/// The pairs, tokens, rows or heads of a side, and those of them with a vector that rounding does
/// not explain.
struct Strip {
    diagnosis::Side side = diagnosis::Side::none;
    std::string_view noun;  ///< "pair"
    Index count = 0;
    std::vector<Index> outside = {};
};
/// Of each side with any outside.
std::vector<std::vector<Strip>> strips_of(const DiagnoseState& state);
/// "unexplained_k": a line for each strip of the side, marked where it is outside.
plot::Panel unexplained_panel(const std::vector<Strip>& strips);
std::vector<plot::Readout> strip_readouts(const std::vector<Strip>& strips, plot::Point at);

/// CSV: a row for each pair.
plot::DataTable diagnose_data(const DiagnoseState& state);

View diagnose_view();

}  // namespace ropescope::figures
