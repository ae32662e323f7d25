// The checks of the spectrum and of the scaling methods. They take the function under test, so that
// tests can run them on wrong ones. Sources: spectrum_checks.cpp, scaling_checks.cpp.
#pragma once

#include <functional>

#include "core/checks/check.h"
#include "core/rope/spectrum.h"

namespace ropescope {

using MakeSpectrum = std::function<Spectrum(const RopeSpec&)>;

CheckFinding first_frequency_is_one(const MakeSpectrum& make, const Cases& cases = {});
CheckFinding ratio_is_geometric(const MakeSpectrum& make, const Cases& cases = {});
CheckFinding frequencies_match_long_double(const MakeSpectrum& make, const Cases& cases = {});

using Wavelength = std::function<double(const Spectrum&, Index pair)>;
CheckFinding wavelengths_are_turns(const Wavelength& wavelength_positions, const Cases& cases = {});

using ReduceAngle = std::function<double(std::int64_t position, double inv_freq_rad)>;
CheckFinding angles_match_long_double(const ReduceAngle& reduce, const Cases& cases = {});

/// The method, with many factors and lengths, against its reference (long_double_reference.h).
CheckFinding follows_reference(const Scaling& scaling, const MakeSpectrum& make,
                               const Cases& cases = {});
CheckFinding factor_one_changes_nothing(const MakeSpectrum& make, const Cases& cases = {});
CheckFinding scaled_between_whole_and_factor(const MakeSpectrum& make, const Cases& cases = {});
CheckFinding attention_factors_by_logarithm(const MakeSpectrum& make, const Cases& cases = {});
CheckFinding published_models_come_out(const MakeSpectrum& make, const Cases& cases = {});

}  // namespace ropescope
