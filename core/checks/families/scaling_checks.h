// The checks of the scaling methods. Each is given the function it checks, so that a test can give
// it a faulty one.
#pragma once

#include "core/checks/check.h"
#include "core/checks/families/spectrum_checks.h"

namespace ropescope {

/// The method, with many factors and lengths, against its reference (scaling_reference.h).
Finding follows_reference(const Scaling& scaling, const MakeSpectrum& make);
Finding factor_one_changes_nothing(const MakeSpectrum& make);
Finding scaled_between_whole_and_factor(const MakeSpectrum& make);
Finding attention_factors_by_logarithm(const MakeSpectrum& make);
Finding published_models_come_out(const MakeSpectrum& make);

}  // namespace ropescope
