// The families of checks; registry.cpp lists them once. The functions are in the files of their
// names and in score_checks.cpp, table_checks.cpp, engine_checks.cpp and encoder_checks.cpp (which
// has gpu_checks too).
#pragma once

#include <vector>

#include "core/checks/check.h"

namespace ropescope {

std::vector<Check> rope_identities();
std::vector<Check> score_checks();
std::vector<Check> spectrum_checks();
std::vector<Check> scaling_checks();
std::vector<Check> layout_checks();
std::vector<Check> table_checks();
std::vector<Check> engine_checks();
std::vector<Check> encoder_checks();
std::vector<Check> gpu_checks();
std::vector<Check> decay_checks();
std::vector<Check> precision_checks();
std::vector<Check> absolute_checks();
std::vector<Check> system_checks();
std::vector<Check> claim_checks();

}  // namespace ropescope
