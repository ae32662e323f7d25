// Numbers as people write them, on axes and in texts.
#pragma once

#include <string>

namespace ropescope::plot {

/// "10 000", "−0.3162", "6.3e-08": short, thin spaces (U+2009) between thousands, four significant
/// digits; the part before the point is never rounded away below 1e9.
std::string number_text(double value);
/// "10 000", "1.0001", "1e-300": every digit that makes the value.
std::string exact_number_text(double value);

/// Thin spaces between thousands of a decimal number.
std::string grouped(std::string digits);
/// "0.500" -> "0.5", "2.000" -> "2", "-0" -> "0".
std::string without_trailing_zeros(std::string digits);
/// A leading '-' as the minus sign (U+2212), as wide as a plus.
std::string with_true_minus(const std::string& text);

}  // namespace ropescope::plot
