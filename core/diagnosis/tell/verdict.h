// What follows from the findings of a diagnosis: the verdict, its main reason, and what the
// findings share with one of the five texts.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/explanation.h"
#include "core/diagnosis/tell/heads.h"

namespace ropescope::diagnosis {

Verdict verdict_of(const Diagnosis& diagnosis);

/// The main reason for the verdict.
Words gist_of(const Diagnosis& diagnosis, const std::vector<Explanation>& sides);

/// Names the system of the five texts with the same numbers, if nothing is wrong that it would
/// share.
void add_match(const Dump& dump, const Explanation& side, Diagnosis& diagnosis);

/// The transposed rotation is what a model that was trained with it should do.
void weigh_direction(const Expectation& expectation, std::vector<Finding>& findings);

/// "q, heads 2 and 3, and k, head 1"
std::string names_of_heads(const HeadKind& kind);

}  // namespace ropescope::diagnosis
