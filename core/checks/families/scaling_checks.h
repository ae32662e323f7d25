// The checks of the scaling methods, each handed what it checks so that a test can hand it a fault.
#pragma once

#include "core/checks/check.h"
#include "core/checks/families/spectrum_checks.h"

namespace ropescope {

Finding linear_is_interpolation(const MakeSpectrum& make);
Finding ntk_is_a_larger_base(const MakeSpectrum& make);
Finding dynamic_follows_the_length(const MakeSpectrum& make);
Finding yarn_follows_its_ramp(const MakeSpectrum& make);
Finding llama3_follows_its_bands(const MakeSpectrum& make);
Finding longrope_takes_its_list(const MakeSpectrum& make);
Finding proportional_stops_pairs(const MakeSpectrum& make);
Finding factor_one_changes_nothing(const MakeSpectrum& make);
Finding scaled_between_whole_and_factor(const MakeSpectrum& make);
Finding attention_factors_by_logarithm(const MakeSpectrum& make);
Finding published_models_come_out(const MakeSpectrum& make);

}  // namespace ropescope
