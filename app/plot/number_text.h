// Helpers for writing numbers, shared by ticks and readouts.
#pragma once

#include <string>

namespace ropescope::plot {

/// Thin spaces between thousands of a decimal number.
std::string grouped(std::string digits);
/// "0.500" -> "0.5", "2.000" -> "2", "-0" -> "0".
std::string without_trailing_zeros(std::string digits);

/// A leading '-' as the minus sign (U+2212), as wide as a plus.
std::string with_true_minus(const std::string& text);

}  // namespace ropescope::plot
