// A dump held to what is expected of it, and the explanation that follows if it is met.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/held/residual.h"
#include "core/diagnosis/tell/heads.h"

namespace ropescope::diagnosis {

/// A side of the dump with its positions.
struct StatedSide {
    Side name = Side::none;
    DumpSide tensors = {};
    DumpPositions positions = {};
    std::optional<SideNorm> norm = {};
    std::shared_ptr<const void> owner = {};  ///< of tensors that are not the dump's own
};
std::vector<StatedSide> stated_sides(const Dump& dump);

/// One of the expected embeddings and what is left of each side.
struct Held {
    ExpectedPart part = {};
    TableFormat table = {};
    std::vector<StatedSide> sides = {};
    std::vector<ExpectedRotation> rotations = {};  ///< of each side
    std::vector<Residual> residuals = {};          ///< of each side

    bool met() const;
    double outside_share() const;
};
/// Compares the sides, which were changed, with the same rotations.
void hold_again(Held& held);

/// The embedding that leaves least of the dump. Empty if none of them can be that of such tensors
/// and positions.
std::optional<Held> hold_to(const Dump& dump, const Expectation& expectation);

/// The embedding that names are compared with: the one that leaves least, or else the first with
/// the axes of the dump. Empty if nothing is expected.
std::optional<ExpectedPart> nearest_part(const Dump& dump, const Expectation& expectation,
                                         const std::optional<Held>& held);

/// The differences that scores do not notice, the same in q and in k, as they were found.
struct Unnoticed {
    /// Where the pairs of each side come out; empty: at the expected channels.
    std::vector<std::vector<ChannelPair>> written = {};
    /// [channels] of each side, as Pairing::still_at; empty: in their places.
    std::vector<std::vector<Index>> still_at = {};
    double offset = 0.0;  ///< of every position
};

/// The dump held to the expected rotation at other positions, followed by an exchange of channels
/// or signs of each pair, the same at every token, in every head, in q and in k. Empty if that is
/// not what comes out. A step of one token meets keys of other calls, which stand where they are
/// stated: of it no more is known than whether it comes out in halves, as DeepSeek's code has it.
std::optional<Held> held_behind(const Held& held, const Unnoticed& unnoticed);

/// The sides as the expectation explains them, for a dump that meets it.
std::vector<Explanation> explanations_of(const Held& held, bool backwards);
/// The kinds of heads, if the model's heads have frequencies of their own.
std::vector<HeadKind> head_kinds_of(const Held& held, bool backwards);

}  // namespace ropescope::diagnosis
