// In place of packed_matrix.cpp where there is no oneDNN: Eigen packs its factors in each product,
// so the weight is a plain copy in one part.
#include <vector>

#include "core/kernels/packed_matrix.h"

namespace ropescope {

struct PackedMatrix::State {
    std::int64_t out = 0;
    std::int64_t in = 0;
    std::vector<float> values = {};  ///< dense rows
};

PackedMatrix::PackedMatrix(MatrixView<const float> weight)
    : state_(std::make_unique<State>(State{.out = weight.rows, .in = weight.columns})) {
    for (std::int64_t row = 0; row < weight.rows; ++row) {
        state_->values.insert(state_->values.end(), weight.row(row),
                              weight.row(row) + weight.columns);
    }
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
    return state_->out > 0 ? 1 : 0;
}

std::int64_t PackedMatrix::first_out(std::int64_t part) const {
    return part == 0 ? 0 : state_->out;
}

void PackedMatrix::multiply(std::int64_t /*part*/, MatrixView<const float> x,
                            MatrixView<float> y) const {
    if (x.rows > 0) {
        const std::int64_t in = state_->in;
        sgemm(1, x, {state_->values.data(), state_->out, in, in}, Factor::transposed, y);
    }
}

}  // namespace ropescope
