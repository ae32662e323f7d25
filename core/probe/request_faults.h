// Names what is wrong with one answer, beyond what the first one has shown.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/probe/behaviour.h"

namespace ropescope::probe {

/// An answer that differs from what the implementation does otherwise.
struct Question {
    const Part& subject;
    const Reply& reply;
    const Behaviour& behaviour;
    /// Codes that other requests have shown: of several explanations these come first.
    const std::set<std::string>& known;
    /// All answers that can be compared: of several rules for positions, the one that gives most of
    /// them comes first.
    std::span<const Reply* const> all;
};

/// The differences of the sides of an answer: empty if both are what the implementation does
/// otherwise; never empty else.
std::vector<diagnosis::Finding> faults_of(const Question& question);

/// Faults of the rotation that a diagnosis of this answer alone finds, mismatches with the model
/// among them.
std::vector<diagnosis::Finding> diagnosed_faults(const Part& subject, const Reply& reply);

/// Makes each mismatch a fault with a code of `diagnose`: the finding that says the same becomes
/// one, or a new one is added.
void add_mismatches(diagnosis::Diagnosis& diagnosis);

/// "12 of 256 numbers of q_rot are off, by up to 80 tolerances, and no known fault gives them."
diagnosis::Finding unnamed_fault(const Reply& reply, bool of_keys, const Difference& difference);

}  // namespace ropescope::probe
