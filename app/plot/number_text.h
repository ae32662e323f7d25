// Numbers as people write them, on axes and in texts.
#pragma once

#include <string>

#include "app/plot/sentence.h"

namespace ropescope::plot {

/// "10 000", "−0.3162", "6.3×10⁻⁸": four significant digits, with thin spaces (U+2009) between
/// thousands. Below 1e15 all digits before the point are kept.
Number number_text(double value);
/// With so many significant digits, and a power of ten where fmt's "g" would write an exponent:
/// "0.25", "−2.4×10⁻⁷", "10⁻⁵".
Number few_digits_text(double value, int digits);
/// "10 000", "1.0001", "1e-300": as many digits as it takes to read the same value back.
Number exact_number_text(double value);

/// "2.4×10⁻⁷"; "10⁻⁵" for 1, "−10⁻⁵" for −1 with a true minus.
std::string times_power_of_ten(const std::string& mantissa, int exponent);
/// The decimal number with thin spaces between its thousands.
std::string grouped(std::string digits);
/// "0.500" -> "0.5", "2.000" -> "2", "-0" -> "0".
std::string without_trailing_zeros(std::string digits);
/// A leading '-' as the minus sign (U+2212), as wide as a plus.
std::string with_true_minus(const std::string& text);

}  // namespace ropescope::plot
