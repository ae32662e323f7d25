// Checks the shapes of tensor operations.
#include "core/engine/tensor_ops.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ropescope {

std::int64_t AddedTensor::rows(const AttentionShape& shape) const {
    return (by_sample ? shape.batch : 1) * (by_head ? shape.heads : 1) *
           (by_query ? shape.positions : 1);
}

AddedSteps AddedTensor::steps(const AttentionShape& shape) const {
    const std::int64_t of_head = by_query ? shape.positions : 1;
    const std::int64_t of_sample = by_head ? shape.heads * of_head : of_head;
    return {by_sample ? of_sample : 0, by_head ? of_head : 0, by_query ? 1 : 0};
}

}  // namespace ropescope

namespace ropescope::op_shapes {
namespace {

void require(bool fits, const char* operation) {
    if (!fits) {
        throw std::logic_error(fmt::format("{}: the shapes do not fit", operation));
    }
}

bool same_shape(const DeviceTensor& a, const DeviceTensor& b) {
    return a.rows == b.rows && a.columns == b.columns;
}

}  // namespace

void upload(const HostFloats& values, std::int64_t rows, std::int64_t columns) {
    require(std::ssize(values.values) == rows * columns, "upload");
}

void gather(const DeviceTensor& table, std::span<const std::int64_t> ids, const DeviceTensor& out) {
    require(out.rows == std::ssize(ids) && out.columns == table.columns, "gather");
}

void gemm(const DeviceTensor& x, const Linear& linear, const DeviceTensor& out) {
    require(x.columns == linear.weight.columns && out.rows == x.rows &&
                out.columns == linear.weight.rows &&
                (!linear.bias || linear.bias.columns == out.columns),
            "gemm");
}

void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) {
    require(
        x.columns == norm.weight.columns && x.columns == norm.bias.columns && same_shape(x, out),
        "layer_norm");
}

void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) {
    require(same_shape(a, b) && same_shape(a, out), "add");
}

void rotate(const DeviceTensor& x, std::int64_t heads, const DeviceRotation& rotation) {
    const std::int64_t rows = rotation.cos.rows;
    require(rows > 0 && x.rows % rows == 0 && x.columns % heads == 0 &&
                same_shape(rotation.cos, rotation.sin) &&
                2 * rotation.cos.columns <= x.columns / heads,
            "rotate");
}

void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) {
    const std::int64_t count = inputs.shape.count();
    require(
        inputs.q.count() == count && inputs.k.count() == count &&
            (!outputs.context || (inputs.v.count() == count && outputs.context.count() == count)) &&
            (!inputs.added || (inputs.added.values.rows == inputs.added.rows(inputs.shape) &&
                               inputs.added.values.columns == inputs.shape.positions)),
        "attention");
}

}  // namespace ropescope::op_shapes
