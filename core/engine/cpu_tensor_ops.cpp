// The tensor operations on the processor.
#include "core/engine/cpu_tensor_ops.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "core/attention/attention.h"
#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/engine/tensor_ops.h"
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
        if (inputs.added) {
            arguments.added = {read(inputs.added.values).data, inputs.added.steps(shape)};
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

// Hands out, takes back and borrows the memory of tensors on the CPU.

namespace {

class BorrowedBuffer final : public CpuBuffer {
  public:
    explicit BorrowedBuffer(HostFloats values) : values_(std::move(values)) {}
    const float* data() const override { return values_.values.data(); }
    float* writable() override {
        throw std::logic_error("a tensor that was uploaded is written to");
    }

  private:
    HostFloats values_;
};

}  // namespace

/// Guarded by a mutex: another thread than the one that computes may drop a result.
struct BufferPool::Free {
    std::mutex mutex;
    std::vector<AlignedVector<float>> memory;

    /// The smallest buffer that holds `count` floats and is at most twice as large; or an empty
    /// one.
    AlignedVector<float> find(std::size_t count) {
        const std::lock_guard lock(mutex);
        auto best = memory.end();
        for (auto it = memory.begin(); it != memory.end(); ++it) {
            const bool fits = it->size() >= count && it->size() / 2 <= count;
            if (fits && (best == memory.end() || it->size() < best->size())) {
                best = it;
            }
        }
        if (best == memory.end()) {
            return {};
        }
        AlignedVector<float> found = std::move(*best);
        memory.erase(best);
        return found;
    }

    /// Returns all kept memory to the system if `count` floats dwarf it (logits of a large
    /// vocabulary): the peak matters then, and getting the memory again costs little beside that.
    void make_room(std::size_t count) {
        const std::lock_guard lock(mutex);
        std::size_t kept = 0;
        for (const AlignedVector<float>& values : memory) {
            kept += values.size();
        }
        if (count / 2 >= kept) {
            memory.clear();
        }
    }

    void keep(AlignedVector<float> values) {
        const std::lock_guard lock(mutex);
        memory.push_back(std::move(values));
    }
};

namespace {

class PooledBuffer final : public CpuBuffer {
  public:
    using GiveBack = std::function<void(AlignedVector<float>)>;
    PooledBuffer(AlignedVector<float> values, GiveBack give_back)
        : values_(std::move(values)), give_back_(std::move(give_back)) {}
    ~PooledBuffer() override { give_back_(std::move(values_)); }
    const float* data() const override { return values_.data(); }
    float* writable() override { return values_.data(); }

  private:
    AlignedVector<float> values_;
    GiveBack give_back_;
};

}  // namespace

BufferPool::BufferPool() : free_(std::make_shared<Free>()) {}

std::shared_ptr<CpuBuffer> BufferPool::take(std::int64_t count) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
    AlignedVector<float> values = free_->find(size);
    if (values.empty()) {
        free_->make_room(size);
        values.resize(size);
    }
    return std::make_shared<PooledBuffer>(
        std::move(values), [pool = std::weak_ptr<Free>(free_)](AlignedVector<float> returned) {
            if (const std::shared_ptr<Free> free = pool.lock()) {
                free->keep(std::move(returned));
            }
        });
}

std::shared_ptr<CpuBuffer> borrow(const HostFloats& values) {
    return std::make_shared<BorrowedBuffer>(values);
}

}  // namespace ropescope
