// Tensors of tests/golden as the arrays that the seed systems work on.
#pragma once

#include <string>

#include "core/formats/safetensors.h"
#include "core/systems/system.h"

namespace ropescope::test {

/// tests/golden/<path>
SafetensorsFile open_golden(const std::string& path);

/// F64 tensors as f64, all others as f32.
nd::Array golden_array(const SafetensorsFile& file, const std::string& name);

/// Largest |a - b|; infinite when the shapes differ.
double largest_difference(const nd::Array& a, const nd::Array& b);

/// The array, or a test failure with the error's text.
nd::Array array_of(const SystemResult& outcome);
/// The error, or a test failure.
FrameworkError error_of(const SystemResult& outcome);

/// sqrt(2) max|x|: no pair of channels is longer.
double pair_length(const nd::Array& x);

}  // namespace ropescope::test
