// The most multiply-adds in fp32 that this processor can do: the floor under every matrix product.
#pragma once

#include <cstdint>

namespace ropescope::bench {

/// About `flops` floating-point operations (a multiply-add is two) in registers, on `threads`
/// threads, with the widest vector units there are.
void run_multiply_adds(double flops, int threads);

}  // namespace ropescope::bench
