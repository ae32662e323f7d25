// Random matrices in double and in an engine's memory, and what an engine made of them against
// estimates.
#pragma once

#include <string>

#include "core/base/index.h"
#include "core/checks/reference/estimate.h"
#include "core/checks/worst_case.h"
#include "core/engine/tensor_ops.h"

namespace ropescope {

/// Numbers that fp32 holds exactly, in double and in an engine's memory.
struct DeviceMatrix {
    Estimates exact;
    DeviceTensor device;

    std::span<const double> values() const { return exact.value; }
};

/// Numbers that fp32 holds exactly, moved to the engine.
DeviceTensor upload(TensorOps& ops, Index rows, Index columns, std::span<const double> values);

/// Numbers from [-size, size); `size` is a power of two.
DeviceMatrix random_matrix(TensorOps& ops, Index rows, Index columns, std::uint64_t seed,
                           double size = 1.0);
/// The same as the weight [out, in] of a product.
DeviceMatrix random_weight(TensorOps& ops, Index out, Index in, std::uint64_t seed,
                           double size = 1.0);

/// Adds every number of `found` with its bound; the cases are `where` and an index.
void compare(WorstCase& worst, std::span<const float> found, const Estimates& expected,
             const std::string& where);
void compare(WorstCase& worst, TensorOps& ops, const DeviceTensor& found, const Estimates& expected,
             const std::string& where);

/// "10 standard deviations of `roundings` independent roundings of 2^-24"
std::string deviations_of(std::string_view roundings);

}  // namespace ropescope
