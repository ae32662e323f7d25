// A diagnosis together with the angles that it was concluded from, for those who draw them.
// Sources: diagnosis.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

struct Analysis {
    std::vector<Explanation> sides = {};  ///< q, k or both
    /// If heads do not turn alike, those that the sides belong to: the first kind with a fault
    /// and with angles, else the first. "q, heads 2 and 3, and k, head 1".
    std::string heads = {};
    Diagnosis diagnosis = {};
};

/// As diagnose(), with what lies behind the result.
Analysis analyse(const Dump& dump, const Expectation* expectation = nullptr);

/// The angle that the explanation of a side gives a pair at a token, in radians, not reduced: its
/// speed times the position that the token was found at. Empty if the pair or the token is not
/// explained, and for positions in several axes.
std::optional<double> explained_angle_rad(const Explanation& side, Index row, Index token,
                                          Index pair);

}  // namespace ropescope::diagnosis
