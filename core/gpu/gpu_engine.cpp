// The engine in the OpenGL context of its thread.
#include "core/gpu/gpu_engine.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "core/base/index.h"
#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"
#include "core/gpu/encoder_operations.h"
#include "core/gpu/gl_context.h"
#include "core/gpu/rotation.h"
#include "core/rope/layout.h"

namespace ropescope {

namespace {

/// Calls copy(head vector of the view, its offset in dense memory [batch, positions, heads,
/// head_dim]).
template <typename Copy>
void for_each_head(const TensorView<float>& x, Copy copy) {
    std::int64_t at = 0;
    for (std::int64_t b = 0; b < x.batch; ++b) {
        for (std::int64_t l = 0; l < x.positions; ++l) {
            for (std::int64_t h = 0; h < x.heads; ++h, at += x.head_dim) {
                copy(x.row(b, h, l), at);
            }
        }
    }
}

/// The table row of every (batch, position).
std::vector<std::uint32_t> row_numbers(const TensorView<float>& x,
                                       std::span<const std::int64_t> rows) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(x.batch * x.positions);
    for (std::int64_t b = 0; b < x.batch; ++b) {
        for (std::int64_t l = 0; l < x.positions; ++l) {
            const std::int64_t row = table_row(rows, x.positions, b, l);
            numbers.push_back(row == kNotRotated ? gpu::kStillRow : narrow<std::uint32_t>(row));
        }
    }
    return numbers;
}

/// The pairs of the map as the shader lists them; empty if they are those of a layout, which
/// `layout` becomes then.
std::vector<std::uint32_t> listed_channels(std::span<const ChannelPair> pairs, Layout& layout) {
    if (const std::optional<Layout> known = layout_of(pairs)) {
        layout = *known;
        return {};
    }
    std::vector<std::uint32_t> channels;
    for (const ChannelPair& pair : pairs) {
        channels.push_back(narrow<std::uint32_t>(pair.first));
        channels.push_back(narrow<std::uint32_t>(pair.second));
    }
    return channels;
}

class GpuEngine final : public Engine {
  public:
    explicit GpuEngine(std::int64_t lost_after) { device_.launcher.lose_after(lost_after); }

    EngineKind kind() const override { return EngineKind::gpu; }
    std::string device() const override {
        return fmt::format("{}, OpenGL {}", device_.limits.renderer, device_.limits.version);
    }

    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        validate_positions(first_position, count);
        std::vector<std::int64_t> positions(count);
        std::iota(positions.begin(), positions.end(), first_position);
        return table(spectrum, positions);
    }

    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        gpu::check_gl("an earlier operation");
        return read_back(gpu::make_table(device_, spectrum, positions));
    }

    RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) override {
        gpu::check_gl("an earlier operation");
        return read_back(gpu::make_table(device_, spectrum, positions));
    }

    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        validate_rotation(x, table, options);
        if (x.size() == 0) {
            return;
        }
        gpu::check_gl("an earlier operation");
        std::vector<float> dense(x.size());
        for_each_head(x, [&](const float* head, std::int64_t at) {
            std::copy_n(head, x.head_dim, dense.data() + at);
        });
        rotate_dense(dense, x, table, options);
        for_each_head(x, [&](float* head, std::int64_t at) {
            std::copy_n(dense.data() + at, x.head_dim, head);
        });
    }

    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        gpu::check_gl("an earlier operation");
        return gpu::pair_curves(device_, spectrum, distances, weights);
    }

    std::unique_ptr<TensorOps> tensor_ops() override { return gpu::make_gpu_tensor_ops(device_); }

  private:
    RotationTable read_back(const gpu::OwnedTable& made) {
        RotationTable table{.rows = made.rows, .pairs = made.pairs, .cos = {}, .sin = {}};
        read_back(*made.cos, made.rows * made.pairs, table.cos);
        read_back(*made.sin, made.rows * made.pairs, table.sin);
        return table;
    }

    void read_back(gpu::GlBuffer& from, std::int64_t count, AlignedVector<float>& to) {
        to.resize(count);
        if (count > 0) {
            device_.readback.read(from.all(), std::as_writable_bytes(std::span(to)));
        }
    }

    void rotate_dense(std::span<float> x, const TensorView<float>& shape,
                      const RotationTableView& table, const RotateOptions& options) {
        const std::vector<std::uint32_t> numbers = row_numbers(shape, options.rows);
        const auto values = gpu::upload(device_.pool, std::span<const float>(x));
        const auto indices = gpu::upload(device_.pool, std::span<const std::uint32_t>(numbers));
        Layout layout = options.layout;
        const std::vector<std::uint32_t> listed = listed_channels(options.pairs, layout);
        const auto channels = gpu::upload(device_.pool, std::span<const std::uint32_t>(listed));
        // Without row numbers only the first rows of a table, which may be long, are read.
        const bool all_rows = !options.rows.empty() || options.rows_per_head > 0;
        const std::int64_t rows = all_rows ? table.rows : std::min(table.rows, shape.positions);
        const std::int64_t size = rows * table.pairs;
        const auto cos = gpu::upload(device_.pool, std::span(table.cos, table.cos + size));
        const auto sin = gpu::upload(device_.pool, std::span(table.sin, table.sin + size));
        gpu::rotate(
            device_, {values->all(), shape.batch * shape.positions, shape.heads * shape.head_dim},
            shape.heads, {{cos->all(), rows, table.pairs}, {sin->all(), rows, table.pairs}},
            {indices->all(), options.rows_per_head},
            {layout, listed.empty() ? gpu::BufferRange{} : channels->all()}, options.direction);
        device_.readback.read(values->all(), std::as_writable_bytes(x));
    }

    gpu::Device device_;
};

}  // namespace

std::unique_ptr<Engine> make_gpu_engine(std::int64_t lost_after) {
    return std::make_unique<GpuEngine>(lost_after);
}

}  // namespace ropescope

namespace ropescope::gpu {

// The tensor operations on the device.

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
        gpu::attention(device_,
                       {shape, matrix_of(inputs.q), matrix_of(inputs.k), matrix_of(inputs.v),
                        matrix_of(inputs.added.values), inputs.added.steps(shape), inputs.scale,
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
