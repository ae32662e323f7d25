// What a search states must be true of the tensors: of every vector, in the allowance of
// held/residual.h. What is not is taken back.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Holds what each side is accused of to its tensors: a wrong spectrum, positions, a phase, pairs
/// that do not turn as the others, or a factor that YaRN may have. If the parameters that were
/// found do not explain every vector, with the accused pairs left out, another model may, so that
/// the side is left without a model. Lengths, channels and rows that were compared with each other
/// stand.
void take_back_unproved(const Dump& dump, std::vector<Explanation>& sides);

/// If q and k are said to turn alike, both get the model of the one which explains the other side,
/// too. Empty if there is no such: then what is left of k by the model of q.
std::optional<Residual> share_model(const Dump& dump, std::vector<Explanation>& sides);

/// Leaves open where q and k stand, if they stand apart by speeds that they do not share: far
/// tokens show a small offset and a factor on all speeds nearly alike.
void leave_offsets_open(std::vector<Explanation>& sides);

}  // namespace ropescope::diagnosis
