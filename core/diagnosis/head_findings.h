// Findings of kinds of heads, as one list that names the heads.
#pragma once

#include <vector>

#include "core/diagnosis/head_kinds.h"

namespace ropescope::diagnosis {

/// The findings of each kind, once if several kinds share them; what differs between the kinds
/// among them. `q_heads` and `k_heads` are those of the dump, 0 if it lacks the side.
std::vector<Finding> findings_of_kinds(const std::vector<HeadKind>& kinds, Index q_heads,
                                       Index k_heads);

}  // namespace ropescope::diagnosis
