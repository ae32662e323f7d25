// The checks of the spectrum. They take the function that computes it, so that tests can run them
// on wrong ones.
#pragma once

#include <functional>

#include "core/checks/check.h"
#include "core/rope/spectrum.h"

namespace ropescope {

using MakeSpectrum = std::function<Spectrum(const RopeSpec&)>;

Finding first_frequency_is_one(const MakeSpectrum& make);
Finding ratio_is_geometric(const MakeSpectrum& make);
Finding frequencies_match_long_double(const MakeSpectrum& make);

using Wavelength = std::function<double(const Spectrum&, Index pair)>;
Finding wavelengths_are_turns(const Wavelength& wavelength_positions);

using ReduceAngle = std::function<double(std::int64_t position, double inv_freq_rad)>;
Finding angles_match_long_double(const ReduceAngle& reduce);

}  // namespace ropescope
