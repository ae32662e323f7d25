// The diagnose view: what is recovered from tensors before and after a rotation. Sources:
// state.cpp, figure.cpp, report.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
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

struct DiagnoseState {
    std::string origin;  ///< "q and k as made by this encoding", "dump.npz"
    std::string fault;   ///< of tensors that are made: what was done wrong; empty if nothing was
    std::string unseen;  ///< the code of a fault that the encoding cannot show
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
    /// Where a token was found, relative to its stated position; NaN if no position explains it.
    static double moved(const diagnosis::Explanation& side, Index token);
};

/// Null if a frame has no time for the scene's file (Work::may_draft). Throws InputError that
/// begins with the parameter's name if the dump cannot be read.
std::shared_ptr<const DiagnoseState> make_diagnose_state(const Scene& scene, const Work& work);

/// "findings": codes and sentences, the heaviest first.
plot::Panel findings_panel(const DiagnoseState& state);
/// How many lines the findings take.
Index findings_lines(const DiagnoseState& state);

/// CSV: a row for each pair.
plot::DataTable diagnose_data(const DiagnoseState& state);

View diagnose_view();

}  // namespace ropescope::figures
