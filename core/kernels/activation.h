// The activation functions of the encoders.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/enum_names.h"
#include "core/kernels/sgemm.h"

namespace ropescope {

/// gelu: x Phi(x) with the error function; gelu_tanh: its approximation by tanh, which Hugging Face
/// calls gelu_new (Hendrycks and Gimpel, arXiv:1606.08415).
enum class Activation { none, gelu, gelu_tanh, relu };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<Activation> = {"none", "gelu",
                                                                           "gelu_new", "relu"};

/// The exact function, in double.
double activation_f64(Activation activation, double x);

/// x = activation(x + bias). `bias` has one value for each column; nullptr: no bias. gelu and
/// gelu_tanh are within 4e-7 (1 + |x|) of the exact value at the rounded sum.
void bias_and_activation(MatrixView<float> x, const float* bias, Activation activation);

}  // namespace ropescope
