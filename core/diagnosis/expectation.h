// What a dump's implementation should do, and where it does otherwise.
// Sources: expectation.cpp, mismatches.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/models/model.h"

namespace ropescope::diagnosis {

/// Of all its parts, any of which a dump may be of. Throws InputError if none of them can be
/// expected.
Expectation expectation_of(const Model& model);
/// Of one part; the result calls it `name`.
Expectation expectation_of(const Part& part, std::string name);
/// Of the model that open_model() opens.
Expectation read_expectation(const std::string& name_or_path);
/// Of a model from the text of a config.json.
Expectation parse_expectation(std::string_view json, const std::string& name);
/// The width of a head, if all its embeddings have the same; else 0. For DumpOptions.
Index head_dim_of(const Expectation& expectation);

/// Each difference of what was recovered from one of the embeddings, null if there is none.
std::vector<Finding> mismatches_of(const std::vector<Explanation>& sides,
                                   const Expectation& expectation, const ExpectedPart* part,
                                   const Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
