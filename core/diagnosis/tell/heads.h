// Heads that do not turn alike: which of them do, how each kind turns, and what is said of all.
#pragma once

#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Heads of q that turn alike, with the heads of k that they meet; a head of k may meet several
/// kinds. One list is empty if the dump lacks that side.
struct HeadKind {
    std::vector<Index> q_heads = {}, k_heads = {};
    std::vector<Explanation> sides = {};  ///< of the first head of each list
};

/// The kinds of heads, in the order of their first head. Empty if the heads turn alike, or if
/// `together`, which explains all heads at once, says as much.
std::vector<HeadKind> kinds_of_heads(const Dump& dump, const Expected& expected,
                                     const std::vector<Explanation>& together);

/// The findings of each kind, once if several kinds share them; what differs between the kinds
/// among them. `q_heads` and `k_heads` are those of the dump, 0 if it lacks the side.
std::vector<Finding> findings_of_kinds(const std::vector<HeadKind>& kinds, Index q_heads,
                                       Index k_heads);

}  // namespace ropescope::diagnosis
