// The encoder's operations on the CPU: matrix products by oneDNN, the rest in vector loops, both
// split over the engine's threads.
#pragma once

#include <memory>

#include "core/engine/tensor_ops.h"

namespace ropescope {

std::unique_ptr<TensorOps> make_cpu_tensor_ops(int threads);

}  // namespace ropescope
