// The tensor operations on the processor.
#include "core/engine/cpu_tensor_ops.h"

#include <algorithm>
#include <stdexcept>

#include "core/attention/attention.h"
#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/engine/buffer_pool.h"
#include "core/engine/op_shapes.h"
#include "core/kernels/layer_norm.h"
#include "core/kernels/packed_matrix.h"
#include "core/rope/rotate.h"

namespace ropescope {
namespace {

/// Rows of a cheap operation that are worth another thread.
constexpr std::int64_t kRowGrain = 16;
/// Most rows of a product that one call computes: the results are still in the cache when bias and
/// activation follow.
constexpr std::int64_t kProductRows = 256;

/// Rows of one call, chosen so that blocks of rows times parts of the weight give every thread the
/// same amount of work.
std::int64_t product_rows(std::int64_t rows, std::int64_t parts, std::int64_t threads) {
    constexpr std::int64_t kManyPerThread = 8;  // then one more or less no longer matters
    std::int64_t blocks = (rows + kProductRows - 1) / kProductRows;
    while (blocks * parts % threads != 0 && blocks * parts < kManyPerThread * threads) {
        ++blocks;
    }
    const std::int64_t each = (rows + blocks - 1) / blocks;
    return std::max((each + kRowGrain - 1) / kRowGrain * kRowGrain, kRowGrain);
}

/// A weight in oneDNN's order.
struct PackedBuffer final : DeviceBuffer {
    explicit PackedBuffer(MatrixView<const float> weight) : matrix(weight) {}
    PackedMatrix matrix;
};

const PackedMatrix& packed(const DeviceTensor& weight) {
    const auto* buffer = dynamic_cast<const PackedBuffer*>(weight.buffer.get());
    if (buffer == nullptr) {
        throw std::logic_error("gemm: the weight is not from upload_weight()");
    }
    return buffer->matrix;
}

CpuBuffer& buffer_of(const DeviceTensor& tensor) {
    auto* buffer = dynamic_cast<CpuBuffer*>(tensor.buffer.get());
    if (buffer == nullptr) {
        throw std::logic_error("a tensor of another engine, or none");
    }
    return *buffer;
}

MatrixView<const float> read(const DeviceTensor& tensor) {
    return {buffer_of(tensor).data(), tensor.rows, tensor.columns, tensor.columns};
}

MatrixView<float> write(const DeviceTensor& tensor) {
    return {buffer_of(tensor).writable(), tensor.rows, tensor.columns, tensor.columns};
}

float* write_or_null(const DeviceTensor& tensor) {
    return tensor ? write(tensor).data : nullptr;
}

class CpuTensorOps final : public TensorOps {
  public:
    explicit CpuTensorOps(int threads) : threads_(threads) {}

    DeviceTensor make(std::int64_t rows, std::int64_t columns) override {
        return {rows, columns, pool_.take(rows * columns)};
    }

    DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                        std::int64_t columns) override {
        op_shapes::upload(values, rows, columns);
        return {rows, columns, borrow(values)};
    }

    DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                               std::int64_t columns) override {
        op_shapes::upload(values, rows, columns);
        return {rows, columns,
                std::make_shared<PackedBuffer>(
                    MatrixView<const float>{values.values.data(), rows, columns, columns})};
    }

    HostFloats download(const DeviceTensor& tensor) override {
        const float* data = buffer_of(tensor).data();
        return {tensor.buffer, {data, data + tensor.count()}};
    }

    void publish(const DeviceTensor& /*tensor*/) override {}  // it is the program's own memory

    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        const auto table = std::make_shared<const RotationTable>(
            make_rotation_table(spectrum, positions, threads_));
        const auto tensor = [&](const AlignedVector<float>& values) {
            return DeviceTensor{table->rows, table->pairs, borrow({table, values})};
        };
        return {tensor(table->cos), tensor(table->sin), layout};
    }

    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        op_shapes::gather(table, ids, out);
        const MatrixView<const float> from = read(table);
        const MatrixView<float> to = write(out);
        over_rows(out.rows,
                  [&](std::int64_t r) { std::copy_n(from.row(ids[r]), from.columns, to.row(r)); });
    }

    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        op_shapes::gemm(x, linear, out);
        if (x.rows == 0) {
            return;
        }
        const PackedMatrix& weight = packed(linear.weight);
        const MatrixView<const float> from = read(x);
        const MatrixView<float> to = write(out);
        const float* bias = linear.bias ? read(linear.bias).data : nullptr;
        const std::int64_t rows_each = product_rows(x.rows, weight.parts(), threads_);
        const std::int64_t blocks = (x.rows + rows_each - 1) / rows_each;
        parallel_for(
            blocks * weight.parts(), 1, threads_, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t row = i / weight.parts() * rows_each;
                    const std::int64_t part = i % weight.parts();
                    const std::int64_t rows = std::min(rows_each, x.rows - row);
                    const MatrixView<float> all{to.row(row), rows, to.columns, to.stride};
                    weight.multiply(part, {from.row(row), rows, from.columns, from.stride}, all);
                    const std::int64_t first = weight.first_out(part);
                    bias_and_activation(
                        {all.data + first, rows, weight.first_out(part + 1) - first, all.stride},
                        bias == nullptr ? nullptr : bias + first, activation);
                }
            });
    }

    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        op_shapes::layer_norm(x, norm, out);
        const MatrixView<const float> from = read(x);
        const MatrixView<float> to = write(out);
        const float* weight = read(norm.weight).data;
        const float* bias = read(norm.bias).data;
        over_rows(x.rows, [&](std::int64_t r) {
            layer_norm_row(from.row(r), weight, bias, norm.eps, x.columns, to.row(r));
        });
    }

    void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) override {
        op_shapes::add(a, b, out);
        const MatrixView<const float> first = read(a);
        const MatrixView<const float> second = read(b);
        const MatrixView<float> to = write(out);
        over_rows(a.rows, [&](std::int64_t r) {
            add_rows(first.row(r), second.row(r), a.columns, to.row(r));
        });
    }

    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        const std::int64_t rows = rotation.cos.rows;
        op_shapes::rotate(x, heads, rotation);
        const RotationTableView table{read(rotation.cos).data, read(rotation.sin).data, rows,
                                      narrow<int>(rotation.cos.columns)};
        rotate_in_place(blhd_view(write(x).data, x.rows / rows, rows, heads, x.columns / heads),
                        table, {rotation.layout, Direction::forward, {}, threads_});
    }

    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        const AttentionShape& shape = inputs.shape;
        const auto view = [&](auto* data) {
            return blhd_view(data, shape.batch, shape.positions, shape.heads, shape.head_dim);
        };
        op_shapes::attention(inputs, outputs);
        AttentionArguments arguments;
        arguments.q = view(read(inputs.q).data);
        arguments.k = view(read(inputs.k).data);
        if (outputs.context) {
            arguments.v = view(read(inputs.v).data);
            arguments.context = view(write(outputs.context).data);
        }
        if (inputs.mask) {
            arguments.mask = {read(inputs.mask).data, inputs.mask.rows / shape.batch};
        }
        arguments.scale = static_cast<float>(inputs.scale);
        arguments.maps = {write_or_null(outputs.scores), write_or_null(outputs.probs),
                          write_or_null(outputs.log_sums)};
        arguments.threads = threads_;
        arguments.keep_going = inputs.keep_going;
        ropescope::attention(arguments);
    }

  private:
    template <typename Row>
    void over_rows(std::int64_t rows, Row row) const {
        parallel_for(rows, kRowGrain, threads_, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                row(r);
            }
        });
    }

    int threads_;
    BufferPool pool_;
};

}  // namespace

std::unique_ptr<TensorOps> make_cpu_tensor_ops(int threads) {
    return std::make_unique<CpuTensorOps>(threads);
}

}  // namespace ropescope
