// The families of checks; registry.cpp lists them once. The functions are in the files of their
// names, all in this folder: score_checks.cpp (engine_curves and curves_agree too),
// attention_factor_checks.cpp (factor_table_checks), rotation_checks.cpp (table_checks),
// axes_checks.cpp, scheme_checks.cpp, published_schemes.cpp (published_scheme_checks),
// position_checks.cpp, engine_checks.cpp (gpu_checks), attention_checks.cpp (map_checks),
// encoder_checks.cpp, encoding_checks.cpp, encoder_option_checks.cpp and claim_checks.cpp.
#pragma once

#include <vector>

#include "core/checks/check.h"
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Check> rope_identities();
std::vector<Check> score_checks();
std::vector<Check> attention_factor_checks();
std::vector<Check> spectrum_checks();
std::vector<Check> scaling_checks();
std::vector<Check> layout_checks();
std::vector<Check> table_checks();
std::vector<Check> rotation_checks();
std::vector<Check> factor_table_checks();
std::vector<Check> axes_checks();
std::vector<Check> scheme_checks();
std::vector<Check> published_scheme_checks();
std::vector<Check> position_checks();
std::vector<Check> engine_checks();
std::vector<Check> attention_checks();
std::vector<Check> encoder_checks();
std::vector<Check> encoding_checks();
std::vector<Check> encoder_option_checks();
std::vector<Check> map_checks();
std::vector<Check> gpu_checks();
std::vector<Check> decay_checks();
std::vector<Check> precision_checks();
std::vector<Check> absolute_checks();
std::vector<Check> system_checks();
std::vector<Check> claim_checks();

/// Holds the curves of every engine to long double.
CheckFinding engine_curves(const CheckContext& context);
/// Holds the curves of the second engine to those of the first. Skipped if there is only one.
CheckFinding curves_agree(const CheckContext& context);

/// Computes the evidence. Passed when the correct statement holds within its bound and, for a claim
/// that is not simply true, the refutation reaches its threshold. `claim` must not be a note.
CheckFinding judge(const Claim& claim);

}  // namespace ropescope
