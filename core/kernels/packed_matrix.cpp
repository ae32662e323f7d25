#include "core/kernels/packed_matrix.h"

#include <map>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>

#include "core/base/aligned_vector.h"

/// See sgemm.cpp.
extern "C" void omp_set_num_threads(int threads);

namespace ropescope {
namespace {

using dnnl::memory;

constexpr auto kF32 = memory::data_type::f32;
/// The number of rows that the order is chosen for.
constexpr std::int64_t kUsualRows = 256;

memory::desc dense(std::int64_t rows, std::int64_t columns) {
    return {{rows, columns}, kF32, memory::dims{columns, 1}};
}

dnnl::matmul::primitive_desc product(const dnnl::engine& engine, std::int64_t rows,
                                     const memory::desc& weights) {
    const memory::dims dims = weights.dims();
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return {dnnl::matmul::desc(dense(rows, dims[0]), weights, dense(rows, dims[1])), attributes,
            engine};
}

AlignedVector<float> floats_for(std::size_t bytes) {
    return AlignedVector<float>((bytes + sizeof(float) - 1) / sizeof(float));
}

/// A product of a certain number of rows.
struct Product {
    dnnl::matmul primitive;
    memory::desc scratchpad;
};

}  // namespace

struct PackedMatrix::State {
    std::int64_t out = 0;
    std::int64_t in = 0;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    memory::desc packed;
    AlignedVector<float> values;
    std::mutex mutex;
    std::map<std::int64_t, Product> products;  ///< by rows

    Product product_of(std::int64_t rows) {
        const std::lock_guard lock(mutex);
        auto found = products.find(rows);
        if (found == products.end()) {
            const auto chosen = product(engine, rows, packed);
            found = products.emplace(rows, Product{dnnl::matmul(chosen), chosen.scratchpad_desc()})
                        .first;
        }
        return found->second;
    }
};

PackedMatrix::PackedMatrix(MatrixView<const float> weight) : state_(std::make_unique<State>()) {
    omp_set_num_threads(1);
    state_->out = weight.rows;
    state_->in = weight.columns;
    const memory::dims dims = {weight.columns, weight.rows};
    state_->packed =
        product(state_->engine, kUsualRows, {dims, kF32, memory::format_tag::any}).weights_desc();
    state_->values = floats_for(state_->packed.get_size());
    const memory::desc transposed(dims, kF32, memory::dims{1, weight.stride});
    // oneDNN takes no pointers to const; the source is only read.
    memory from(transposed, state_->engine, const_cast<float*>(weight.data));
    memory to(state_->packed, state_->engine, state_->values.data());
    dnnl::stream stream(state_->engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
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

void PackedMatrix::multiply(MatrixView<const float> x, MatrixView<float> y) const {
    if (x.rows == 0) {
        return;
    }
    omp_set_num_threads(1);
    const Product product = state_->product_of(x.rows);
    const dnnl::engine& engine = state_->engine;
    AlignedVector<float> scratch = floats_for(product.scratchpad.get_size());
    dnnl::stream stream(engine);
    product.primitive.execute(
        stream,
        {{DNNL_ARG_SRC, memory(dense(x.rows, x.columns), engine, const_cast<float*>(x.data))},
         {DNNL_ARG_WEIGHTS, memory(state_->packed, engine, state_->values.data())},
         {DNNL_ARG_DST, memory(dense(y.rows, y.columns), engine, y.data)},
         {DNNL_ARG_SCRATCHPAD, memory(product.scratchpad, engine, scratch.data())}});
    stream.wait();
}

}  // namespace ropescope
