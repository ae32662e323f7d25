#include "exchange.hpp"
#include <cmath>
Array rotate(Array x, const Array& positions, float base) {  // x [B, H, L, D]: call your code here
    const std::int64_t heads = x.shape[1], length = x.shape[2], d = x.shape[3];
    for (std::int64_t row = 0; row < std::ssize(x.values) / d; ++row) {
        const float position = positions.values[row / (heads * length) * length + row % length];
        for (std::int64_t i = 0; i < d / 2; ++i) {
            const float angle = position * std::pow(base, -2.0F * float(i) / float(d));
            const float a = x.values[row * d + i], b = x.values[row * d + i + d / 2];
            x.values[row * d + i] = a * std::cos(angle) - b * std::sin(angle);
            x.values[row * d + i + d / 2] = b * std::cos(angle) + a * std::sin(angle);
        }
    }
    return x;
} int main(int, char** words) { serve([&](const auto& x, const auto& p) { return rotate(x, p, std::stof(words[1])); }); }
