// Formulas in plain text, as the checks and reports have them, and in rich text's markup.
//   plain:  R_m^T R_n = R_{n-m}, base^(-2i/d), 2^-24
//   markup: R_{m}^{T} R_{n} = R_{n−m}, base^{−2i/d}, 2^{−24}
#pragma once

#include <string>
#include <string_view>

namespace ropescope::plot {

/// Raises what stands behind '^', and lowers what stands behind '_' and a single letter (or theta):
/// the words of names such as head_dim stay. Markup stays markup.
std::string formula_markup(std::string_view plain);

/// Without the braces that one character or number does not need: W_{q} becomes W_q.
std::string plain_formula(std::string_view markup);

}  // namespace ropescope::plot
