// The dtype of an answer, held to the one that was asked for.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/finding.h"
#include "core/probe/behaviour.h"
#include "core/probe/reply.h"

namespace ropescope::probe {

/// The dtype whose rounding an answer is held to. In float64 implementations may form angles, sines
/// and cosines in float32, as they do in any other dtype.
Dtype held_dtype(Dtype asked);

/// An answer has the dtype of its request; a wider one may carry the same numbers, as NumPy makes
/// people do for bfloat16, and float32 may answer float64. Anything else means that the
/// implementation returns another dtype than it was given.
std::optional<diagnosis::Finding> problem_of_dtype(std::string_view name, const Tensor& tensor,
                                                   Dtype asked, const std::vector<double>& values);

/// The same for numbers that lie in a wide dtype and were rounded to a narrower one than was asked:
/// they are right within the rounding of the narrower, and wrong within that of the dtype asked.
/// For an answer that is right otherwise.
std::optional<diagnosis::Finding> narrowed_numbers(const Part& subject, const Reply& reply,
                                                   const Behaviour& behaviour);

}  // namespace ropescope::probe
