// A diagnosis as text for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/layers.h"

namespace ropescope::diagnosis {

/// A verdict of one line, then what was recovered, findings, and what to do next.
std::string diagnosis_text(const Diagnosis& diagnosis);

/// The keys are listed in docs/command-line.md. Ends in a line break.
std::string diagnosis_json(const Diagnosis& diagnosis);

/// "  to repair: rotate k, too.\n": what to change in code that has the fault; empty for what is no
/// fault of the list.
std::string repair_line(const Finding& finding);

/// The same before it is written.
nlohmann::ordered_json diagnosis_object(const Diagnosis& diagnosis);

/// The same of a dump that may have layers: what all share, then each kind of layers.
std::string diagnosis_text(const LayeredDiagnosis& diagnosis);
std::string diagnosis_json(const LayeredDiagnosis& diagnosis);

}  // namespace ropescope::diagnosis
