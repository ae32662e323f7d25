// The two ways in which the texts write "rotate every pair".
#pragma once

#include "core/systems/nd.h"

namespace ropescope::systems {

/// A complex tensor, as torch.view_as_complex makes it from [..., pairs, 2].
struct ComplexArray {
    nd::Array real;
    nd::Array imaginary;
};

/// view_as_complex(x.reshape(*x.shape[:-1], -1, 2)): adjacent channels become one number.
ComplexArray adjacent_as_complex(const nd::Array& x);
ComplexArray view(const ComplexArray& z, const nd::Shape& shape);
ComplexArray multiply(const ComplexArray& z, const ComplexArray& w);
/// view_as_real: [..., pairs, 2].
nd::Array as_real(const ComplexArray& z);

/// Hugging Face's rotate_half: cat(-x[..., d/2:], x[..., :d/2]).
nd::Array rotate_half(const nd::Array& x);

/// x * cos + rotated * sin.
nd::Array blend(const nd::Array& x, const nd::Array& cos, const nd::Array& rotated,
                const nd::Array& sin);

}  // namespace ropescope::systems
