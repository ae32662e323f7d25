// Computes rotate_half and the complex product on arrays.
#include "core/systems/pair_algebra.h"

namespace ropescope::systems {

ComplexArray adjacent_as_complex(const nd::Array& x) {
    nd::size(x, -1);  // refuses a scalar
    nd::Shape paired(x.shape.begin(), x.shape.end() - 1);
    paired.insert(paired.end(), {-1, 2});
    const nd::Array pairs = nd::view(x, paired);
    return {nd::last(pairs, 0), nd::last(pairs, 1)};
}

ComplexArray view(const ComplexArray& z, const nd::Shape& shape) {
    return {nd::view(z.real, shape), nd::view(z.imaginary, shape)};
}

ComplexArray multiply(const ComplexArray& z, const ComplexArray& w) {
    return {nd::subtract(nd::multiply(z.real, w.real), nd::multiply(z.imaginary, w.imaginary)),
            nd::add(nd::multiply(z.real, w.imaginary), nd::multiply(z.imaginary, w.real))};
}

nd::Array as_real(const ComplexArray& z) {
    return nd::stack(z.real, z.imaginary);
}

nd::Array rotate_half(const nd::Array& x) {
    const std::int64_t half = nd::size(x, -1) / 2;
    return nd::concatenate(nd::negate(nd::slice(x, -1, half, nd::size(x, -1))),
                           nd::slice(x, -1, 0, half));
}

nd::Array blend(const nd::Array& x, const nd::Array& cos, const nd::Array& rotated,
                const nd::Array& sin) {
    return nd::add(nd::multiply(x, cos), nd::multiply(rotated, sin));
}

}  // namespace ropescope::systems
