// Colours as people with another colour vision see them, and how far two colours are apart.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/color.h"

namespace ropescope::test {

enum class Vision { usual, protanopia, deuteranopia, tritanopia };

using Rgb = std::array<double, 3>;  ///< linear light

inline Rgb linear_light(plot::Color color) {
    const auto linear = [](std::uint8_t channel) {
        const double v = channel / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return {linear(color.r), linear(color.g), linear(color.b)};
}

/// The matrices for a whole loss (severity 1.0) of G. M. Machado, M. M. Oliveira, L. A. F.
/// Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG
/// 15 (2009).
inline Rgb seen(plot::Color color, Vision vision) {
    using Matrix = std::array<Rgb, 3>;
    static constexpr std::array<Matrix, 4> kMatrices = {
        Matrix{Rgb{1, 0, 0}, Rgb{0, 1, 0}, Rgb{0, 0, 1}},
        Matrix{Rgb{0.152286, 1.052583, -0.204868}, Rgb{0.114503, 0.786281, 0.099216},
               Rgb{-0.003882, -0.048116, 1.051998}},
        Matrix{Rgb{0.367322, 0.860646, -0.227968}, Rgb{0.280085, 0.672501, 0.047413},
               Rgb{-0.011820, 0.042940, 0.968881}},
        Matrix{Rgb{1.255528, -0.076749, -0.178779}, Rgb{-0.078411, 0.930809, 0.147602},
               Rgb{0.004733, 0.691367, 0.303900}}};
    const Rgb light = linear_light(color);
    Rgb out{};
    for (std::size_t row = 0; row < 3; ++row) {
        const Rgb& weights = kMatrices[static_cast<std::size_t>(vision)][row];
        for (std::size_t column = 0; column < 3; ++column) {
            out[row] += weights[column] * light[column];
        }
        out[row] = std::clamp(out[row], 0.0, 1.0);
    }
    return out;
}

/// The distance of two colours in Oklab (B. Ottosson 2020), where black and white are 1 apart and
/// 0.02 is just seen.
inline double distance(const Rgb& one, const Rgb& other) {
    const auto lab = [](const Rgb& c) {
        const double l = std::cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
        const double m = std::cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
        const double s = std::cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
        return Rgb{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                   1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                   0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
    };
    const Rgb a = lab(one), b = lab(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// The smallest distance of the two over all kinds of colour vision.
inline double least_distance(plot::Color a, plot::Color b) {
    double least = 1;
    for (const Vision vision :
         {Vision::usual, Vision::protanopia, Vision::deuteranopia, Vision::tritanopia}) {
        least = std::min(least, distance(seen(a, vision), seen(b, vision)));
    }
    return least;
}

}  // namespace ropescope::test
