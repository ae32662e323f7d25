// Reorders a weight in parts and multiplies with them, by oneDNN.
#include "core/kernels/packed_matrix.h"

#include <Eigen/Core>
#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "core/base/aligned_vector.h"
#include "core/kernels/onednn.h"

namespace ropescope {
namespace {

using dnnl::memory;

constexpr auto kF32 = memory::data_type::f32;
/// oneDNN chooses the order for this number of rows.
constexpr std::int64_t kUsualRows = 256;
/// A part has at most kPartChannels output channels, in multiples of kChannelGrain.
constexpr std::int64_t kPartChannels = 384;
constexpr std::int64_t kChannelGrain = 64;

memory::desc rows_of(std::int64_t rows, std::int64_t columns, std::int64_t stride) {
    return {{rows, columns}, kF32, memory::dims{stride, 1}};
}

dnnl::matmul::primitive_desc product(const dnnl::engine& engine, const memory::desc& x,
                                     const memory::desc& weights, const memory::desc& y) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
#if DNNL_VERSION_MAJOR >= 3  // Debian 13
    return {engine, x, weights, y, attributes};
#else
    return {dnnl::matmul::desc(x, weights, y), attributes, engine};
#endif
}

AlignedVector<float> floats_for(std::size_t bytes) {
    return AlignedVector<float>((bytes + sizeof(float) - 1) / sizeof(float));
}

/// A product for one number of rows and one number of channels.
struct Product {
    dnnl::matmul primitive;
    memory::desc x;
    memory::desc y;
    memory::desc scratchpad;
};

/// Some output channels of the weight.
struct Part {
    memory::desc packed;
    AlignedVector<float> values;
};

/// The transposed weight, row-major. oneDNN 3.7 reorders columns wrongly where the last block is
/// not full.
AlignedVector<float> transposed(MatrixView<const float> weight) {
    using ByRow = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    AlignedVector<float> values(static_cast<std::size_t>(weight.rows * weight.columns));
    const Eigen::Map<const ByRow, 0, Eigen::OuterStride<>> from(
        weight.data, weight.rows, weight.columns, Eigen::OuterStride<>(weight.stride));
    Eigen::Map<ByRow> to(values.data(), weight.columns, weight.rows);
    constexpr std::int64_t kCacheLine = 16;  // of floats
    for (std::int64_t row = 0; row < weight.rows; row += kCacheLine) {
        const std::int64_t count = std::min(kCacheLine, weight.rows - row);
        to.middleCols(row, count) = from.middleRows(row, count).transpose();
    }
    return values;
}

std::int64_t rounded_up(std::int64_t count, std::int64_t grain) {
    return (count + grain - 1) / grain * grain;
}

/// Does work with oneDNN. Throws std::bad_alloc if oneDNN gets no memory.
template <typename Work>
void with_onednn(const Work& work) {
    prepare_onednn();
    try {
        work();
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_out_of_memory) {
            throw std::bad_alloc();
        }
        throw;
    }
}

}  // namespace

struct PackedMatrix::State {
    explicit State(MatrixView<const float> weight) : out(weight.rows), in(weight.columns) {
        const std::int64_t count = (out + kPartChannels - 1) / kPartChannels;
        part_channels =
            rounded_up((out + count - 1) / std::max<std::int64_t>(count, 1), kChannelGrain);
        for (std::int64_t part = 0; first_out(part) < out; ++part) {
            parts.push_back(pack(part, weight));
        }
    }

    std::int64_t out = 0;
    std::int64_t in = 0;
    std::int64_t part_channels = 0;  ///< of each part except the last
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    std::vector<Part> parts;
    std::mutex mutex;
    std::map<std::pair<std::int64_t, std::int64_t>, Product> products;  ///< by rows and channels

    std::int64_t first_out(std::int64_t part) const { return std::min(part * part_channels, out); }

    /// A part in the order that oneDNN prefers.
    Part pack(std::int64_t part, MatrixView<const float> weight) const {
        const std::int64_t channels = first_out(part + 1) - first_out(part);
        const memory::dims dims = {in, channels};
        const memory::desc any(dims, kF32, memory::format_tag::any);
        const memory::desc packed =
            product(engine, rows_of(kUsualRows, in, in), any, rows_of(kUsualRows, channels, out))
                .weights_desc();
        AlignedVector<float> values = floats_for(packed.get_size());
        AlignedVector<float> plain =
            transposed({weight.row(first_out(part)), channels, in, weight.stride});
        memory from(rows_of(in, channels, channels), engine, plain.data());
        memory to(packed, engine, values.data());
        dnnl::stream stream(engine);
        dnnl::reorder(from, to).execute(stream, from, to);
        stream.wait();
        return {packed, std::move(values)};
    }

    Product product_of(std::int64_t rows, std::int64_t channels, const memory::desc& packed) {
        const std::lock_guard lock(mutex);
        const std::pair key(rows, channels);
        auto found = products.find(key);
        if (found == products.end()) {
            const memory::desc x = rows_of(rows, in, in);
            const memory::desc y = rows_of(rows, channels, out);
            const auto chosen = product(engine, x, packed, y);
            found =
                products.emplace(key, Product{dnnl::matmul(chosen), x, y, chosen.scratchpad_desc()})
                    .first;
        }
        return found->second;
    }

    void multiply(std::int64_t part, MatrixView<const float> x_rows, MatrixView<float> y_rows) {
        Part& weights = parts.at(part);
        const std::int64_t channels = first_out(part + 1) - first_out(part);
        const Product product = product_of(x_rows.rows, channels, weights.packed);
        AlignedVector<float> scratch = floats_for(product.scratchpad.get_size());
        dnnl::stream stream(engine);
        product.primitive.execute(
            stream, {{DNNL_ARG_SRC, memory(product.x, engine, const_cast<float*>(x_rows.data))},
                     {DNNL_ARG_WEIGHTS, memory(weights.packed, engine, weights.values.data())},
                     {DNNL_ARG_DST, memory(product.y, engine, y_rows.data + first_out(part))},
                     {DNNL_ARG_SCRATCHPAD, memory(product.scratchpad, engine, scratch.data())}});
        stream.wait();
    }
};

PackedMatrix::PackedMatrix(MatrixView<const float> weight) {
    with_onednn([&] { state_ = std::make_unique<State>(weight); });
}

PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&&) noexcept = default;

std::int64_t PackedMatrix::out() const {
    return state_->out;
}

std::int64_t PackedMatrix::in() const {
    return state_->in;
}

std::int64_t PackedMatrix::parts() const {
    return std::ssize(state_->parts);
}

std::int64_t PackedMatrix::first_out(std::int64_t part) const {
    return state_->first_out(part);
}

void PackedMatrix::multiply(std::int64_t part, MatrixView<const float> x,
                            MatrixView<float> y) const {
    if (x.rows == 0) {
        return;
    }
    with_onednn([&] { state_->multiply(part, x, y); });
}

}  // namespace ropescope
