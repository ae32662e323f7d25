// The tensor operations on the device.
#include "core/gpu/gpu_tensor_ops.h"

#include <vector>

#include "core/engine/op_shapes.h"
#include "core/gpu/encoder_operations.h"
#include "core/gpu/gl_error.h"
#include "core/gpu/rotation.h"

namespace ropescope::gpu {
namespace {

/// A matrix without rows if there is no tensor.
Matrix matrix_of(const DeviceTensor& tensor) {
    return tensor ? Matrix{buffer_of(tensor).all(), tensor.rows, tensor.columns} : Matrix{};
}

class GpuTensorOps final : public TensorOps {
  public:
    explicit GpuTensorOps(Device& device) : device_(device) {}

    DeviceTensor make(std::int64_t rows, std::int64_t columns) override {
        constexpr std::int64_t kValue = sizeof(float);
        return {rows, columns, device_.pool.take(rows * columns * kValue)};
    }

    DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                        std::int64_t columns) override {
        op_shapes::upload(values, rows, columns);
        return {rows, columns, gpu::upload(device_.pool, values.values)};
    }

    DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                               std::int64_t columns) override {
        return upload(values, rows, columns);
    }

    HostFloats download(const DeviceTensor& tensor) override {
        check_gl("computing");
        const auto values = std::make_shared<std::vector<float>>(tensor.count());
        if (!values->empty()) {
            device_.readback.read(matrix_of(tensor).range,
                                  std::as_writable_bytes(std::span(*values)));
        }
        return {values, *values};
    }

    void publish(const DeviceTensor& tensor) override {
        check_gl("computing");
        buffer_of(tensor).publish();
    }

    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        check_gl("an earlier operation");
        const OwnedTable made = make_table(device_, spectrum, positions);
        return {{made.rows, made.pairs, made.cos}, {made.rows, made.pairs, made.sin}, layout};
    }

    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        op_shapes::gather(table, ids, out);
        const std::vector<std::uint32_t> rows(ids.begin(), ids.end());
        const auto uploaded = gpu::upload(device_.pool, std::span(rows));
        gpu::gather(device_, matrix_of(table), uploaded->all(), matrix_of(out));
    }

    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        op_shapes::gemm(x, linear, out);
        gpu::gemm(device_, matrix_of(x), {matrix_of(linear.weight), matrix_of(linear.bias)},
                  activation, matrix_of(out));
    }

    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        op_shapes::layer_norm(x, norm, out);
        gpu::layer_norm(device_, matrix_of(x),
                        {matrix_of(norm.weight), matrix_of(norm.bias), norm.eps}, matrix_of(out));
    }

    void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) override {
        op_shapes::add(a, b, out);
        gpu::add(device_, matrix_of(a), matrix_of(b), matrix_of(out));
    }

    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        op_shapes::rotate(x, heads, rotation);
        gpu::rotate(device_, matrix_of(x), heads,
                    {matrix_of(rotation.cos), matrix_of(rotation.sin)}, {}, {rotation.layout},
                    Direction::forward);
    }

    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        const AttentionShape& shape = inputs.shape;
        op_shapes::attention(inputs, outputs);
        if (shape.count() == 0) {
            return;
        }
        gpu::attention(device_, {shape, matrix_of(inputs.q), matrix_of(inputs.k),
                                 matrix_of(inputs.v), matrix_of(inputs.mask), inputs.scale,
                                 matrix_of(outputs.context), matrix_of(outputs.scores),
                                 matrix_of(outputs.probs), matrix_of(outputs.log_sums)});
    }

  private:
    Device& device_;
};

}  // namespace

std::unique_ptr<TensorOps> make_gpu_tensor_ops(Device& device) {
    return std::make_unique<GpuTensorOps>(device);
}

}  // namespace ropescope::gpu
