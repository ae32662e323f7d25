// The numbers of a diagnosis, from the explanations of its sides.
#pragma once

#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"
#include "core/diagnosis/head_kinds.h"

namespace ropescope::diagnosis {

/// The side whose numbers stand for both: the first that is explained.
const Explanation& leading(const std::vector<Explanation>& sides);

/// Sets layout, base and all other recovered numbers.
void fill_numbers(const std::vector<Explanation>& sides, Diagnosis& diagnosis);

/// Sets what each kind of heads does, and takes back the numbers that they do not share.
void fill_heads(const std::vector<HeadKind>& kinds, Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
