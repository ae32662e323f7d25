// In place of sgemm.cpp where there is no oneDNN: matrix products by Eigen. For WebAssembly it has
// no vectors, and those of SSE2, which Emscripten imitates, need assembly of x86 in Eigen 3.4.
#include <Eigen/Core>

#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

using ByRow = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename Values, typename T>
auto mapped(MatrixView<T> m) {
    const auto index = [](std::int64_t n) { return static_cast<Eigen::Index>(n); };
    return Eigen::Map<Values, 0, Eigen::OuterStride<>>(m.data, index(m.rows), index(m.columns),
                                                       Eigen::OuterStride<>(index(m.stride)));
}

template <typename Left, typename Right>
void multiply(float alpha, const Left& a, const Right& b, MatrixView<float> c, Target target) {
    auto product = mapped<ByRow>(c);
    if (target == Target::replaced) {
        product.setZero();
    }
    product.noalias() += alpha * (a * b);
}

}  // namespace

void sgemm(float alpha, MatrixView<const float> a, MatrixView<const float> b, Factor b_stored,
           MatrixView<float> c, Target target) {
    if (c.rows == 0 || c.columns == 0) {
        return;
    }
    const auto left = mapped<const ByRow>(a), right = mapped<const ByRow>(b);
    if (b_stored == Factor::transposed) {
        multiply(alpha, left, right.transpose(), c, target);
    } else {
        multiply(alpha, left, right, c, target);
    }
}

}  // namespace ropescope
