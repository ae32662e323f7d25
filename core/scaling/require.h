// The checks that several scaling methods share. Messages start with the key of rope_scaling.
#pragma once

#include <cstdint>
#include <string_view>

namespace ropescope {

/// Finite and at least 1.
void require_factor(std::string_view key, double value);
/// Finite and above 0.
void require_positive(std::string_view key, double value);
/// A length of at least 1 position.
void require_length(std::string_view key, std::int64_t positions);

}  // namespace ropescope
