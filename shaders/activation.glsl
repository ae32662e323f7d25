// The activation functions: 0 none, 1 gelu, 2 gelu by tanh, 3 relu, as the enum Activation in
// core/kernels/activation.h. One program serves all, because compiling a product takes longer than
// choosing at each of its results.
// gelu and its approximation are within 4e-7 (1 + |x|) of their exact values.
#include "shaders/exponential.glsl"

// Within 5e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
float error_function(float x) {
    float a = abs(x);
    float t = 1.0 / (1.0 + 0.3275911 * a);
    float sum = 1.061405429;
    sum = sum * t - 1.453152027;
    sum = sum * t + 1.421413741;
    sum = sum * t - 0.284496736;
    sum = sum * t + 0.254829592;
    float magnitude = 1.0 - sum * t * exponential(-a * a);
    return x < 0.0 ? -magnitude : magnitude;
}

float activated(float x) {
    switch (activation) {
        case 1:
            return 0.5 * x * (1.0 + error_function(x * 0.707106781));
        case 2: {
            // 0.5 x (1 + tanh u) = x / (1 + e^(-2u)); e^87 is large enough for a result of 0.
            float u = 0.797884561 * (x + 0.044715 * x * x * x);
            return x / (1.0 + exponential(min(-2.0 * u, 87.0)));
        }
        case 3:
            return max(x, 0.0);
        default:
            return x;
    }
}
