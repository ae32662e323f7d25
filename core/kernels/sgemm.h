// Matrix products in fp32. Sources: sgemm.cpp, by oneDNN, or sgemm_eigen.cpp, chosen in CMake.
#pragma once

#include <cstdint>

namespace ropescope {

/// A row-major matrix that owns no memory; row r starts at data + r * stride.
template <typename T>
struct MatrixView {
    T* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;

    T* row(std::int64_t r) const { return data + r * stride; }
};

/// How the right factor is stored: plain [k, n], or transposed [n, k], as linear layers keep their
/// weights [out, in].
enum class Factor { plain, transposed };

/// Whether a product replaces the numbers of its target or is added to them.
enum class Target { replaced, added_to };

/// c = alpha * a b, or c + alpha * a b, a [m, k], c [m, n], on the calling thread. The error of
/// each element is at most (k + 1) 2^-24 (|alpha| sum |a| |b| + |c|), whatever the order of the
/// sum. Throws std::logic_error if oneDNN refuses the sizes.
void sgemm(float alpha, MatrixView<const float> a, MatrixView<const float> b, Factor b_stored,
           MatrixView<float> c, Target target = Target::replaced);

}  // namespace ropescope
