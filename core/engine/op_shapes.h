// Checks the shapes of each operation of TensorOps, the same on every engine. Shapes that do not
// fit are a mistake of the program: std::logic_error with the name of the operation.
#pragma once

#include "core/engine/tensor_ops.h"

namespace ropescope::op_shapes {

void upload(const HostFloats& values, std::int64_t rows, std::int64_t columns);
void gather(const DeviceTensor& table, std::span<const std::int64_t> ids, const DeviceTensor& out);
void gemm(const DeviceTensor& x, const Linear& linear, const DeviceTensor& out);
void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out);
void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out);
void rotate(const DeviceTensor& x, std::int64_t heads, const DeviceRotation& rotation);
void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs);

}  // namespace ropescope::op_shapes
