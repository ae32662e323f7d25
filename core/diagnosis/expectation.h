// What a dump's implementation should do, and where it does otherwise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// The embedding of a published model or of a config.json. Throws InputError if there is neither.
Expectation read_expectation(const std::string& name_or_path);

/// The same from the text of a config.json; messages call it `name`.
Expectation parse_expectation(std::string_view json, const std::string& name);

/// Each difference of what was recovered from the embedding that fits it best.
std::vector<Finding> mismatches_of(const std::vector<Explanation>& sides,
                                   const Expectation& expectation, const Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
