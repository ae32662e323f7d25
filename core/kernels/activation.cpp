// Activation functions in vector loops.
#include "core/kernels/activation.h"

#include <cmath>
#include <numbers>

#include "core/base/multiversion.h"
#include "core/kernels/vector_math.h"

namespace ropescope {
namespace {

constexpr float kInverseSqrt2 = 0.707106781F;
constexpr double kTanhScale = 0.79788456080286536;  // sqrt(2 / pi)
constexpr double kTanhCubic = 0.044715;

[[gnu::always_inline]] inline float gelu(float x) {
    return 0.5F * x * (1.0F + erf_f32(x * kInverseSqrt2));
}

/// 0.5 x (1 + tanh u) = x / (1 + e^(-2u)); e^87 is large enough for a result of 0.
[[gnu::always_inline]] inline float gelu_tanh(float x) {
    constexpr float kMost = 87.0F;
    const float u =
        static_cast<float>(kTanhScale) * (x + static_cast<float>(kTanhCubic) * x * x * x);
    const float power = -2.0F * u;
    return x / (1.0F + exp_f32(power > kMost ? kMost : power));
}

// Each function has one loop: a switch inside would keep it from becoming vector code.
ROPESCOPE_MULTIVERSION
void add_row(float* x, const float* bias, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        x[i] += bias[i];
    }
}

ROPESCOPE_MULTIVERSION
void gelu_row(float* x, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        x[i] = gelu(x[i]);
    }
}

ROPESCOPE_MULTIVERSION
void gelu_tanh_row(float* x, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        x[i] = gelu_tanh(x[i]);
    }
}

ROPESCOPE_MULTIVERSION
void relu_row(float* x, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        x[i] = x[i] < 0.0F ? 0.0F : x[i];
    }
}

}  // namespace

double activation_f64(Activation activation, double x) {
    switch (activation) {
        case Activation::gelu:
            return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
        case Activation::gelu_tanh:
            return 0.5 * x * (1.0 + std::tanh(kTanhScale * (x + kTanhCubic * x * x * x)));
        case Activation::relu:
            return x < 0.0 ? 0.0 : x;
        case Activation::none:
            break;
    }
    return x;
}

void bias_and_activation(MatrixView<float> x, const float* bias, Activation activation) {
    for (std::int64_t r = 0; r < x.rows; ++r) {
        if (bias != nullptr) {
            add_row(x.row(r), bias, x.columns);
        }
        switch (activation) {
            case Activation::gelu:
                gelu_row(x.row(r), x.columns);
                break;
            case Activation::gelu_tanh:
                gelu_tanh_row(x.row(r), x.columns);
                break;
            case Activation::relu:
                relu_row(x.row(r), x.columns);
                break;
            case Activation::none:
                break;
        }
    }
}

}  // namespace ropescope
