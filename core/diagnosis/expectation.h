// What a dump's implementation should do, and where it does otherwise.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// The embedding of a published model or of a config.json. Throws InputError if there is neither.
Expectation read_expectation(const std::string& name_or_path);

/// Each difference of what was recovered from the embedding that fits it best.
std::vector<Mismatch> mismatches_of(const std::vector<Explanation>& sides,
                                    const Expectation& expectation, const Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
