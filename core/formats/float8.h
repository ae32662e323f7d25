// The values of floats in 8 bits: OCP's E4M3 and E5M2 and the FNUZ formats of Graphcore and AMD.
#pragma once

#include <cstdint>

#include "core/formats/tensor.h"

namespace ropescope {

/// A format in 8 bits: so many bits of fraction behind the sign and the exponent.
struct Float8 {
    int fraction = 3;
    int bias = 7;
    bool fnuz = false;        ///< no infinities and no -0; its bits are the only NaN
    bool infinities = false;  ///< as IEEE 754 has them
};

/// Of F8_E4M3, F8_E5M2 and their FNUZ kinds.
Float8 float8_of(Dtype dtype);

/// The number that these bits are; NaN and infinities too.
double value_of(const Float8& format, std::uint8_t bits);

}  // namespace ropescope
