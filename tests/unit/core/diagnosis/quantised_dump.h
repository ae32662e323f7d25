// Right and wrong dumps whose tensors behind the rotation have 8 bits, by a converter of its own: a
// table of all numbers of a format, from the bits up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/number_format.h"
#include "core/diagnosis/read_dump.h"
#include "tests/support/random.h"

namespace ropescope::test {

/// The numbers of a format that are not negative, by their bits.
inline std::vector<double> numbers_of_format(Dtype dtype) {
    std::vector<double> numbers;
    if (dtype == Dtype::i8) {
        for (int n = 0; n < 128; ++n) {
            numbers.push_back(n);
        }
        return numbers;
    }
    const bool fnuz = dtype == Dtype::f8_e4m3fnuz || dtype == Dtype::f8_e5m2fnuz;
    const bool four = dtype == Dtype::f8_e4m3 || dtype == Dtype::f8_e4m3fnuz;
    const int in_octave = four ? 8 : 4;
    const int count = fnuz ? 128 : four ? 127 : 124;
    double step = std::ldexp(1.0, (four ? -9 : -16) - (fnuz ? 1 : 0)), number = 0.0;
    for (int bits = 0; bits < count; ++bits) {
        numbers.push_back(number);
        if (bits >= 2 * in_octave && bits % in_octave == 0) {
            step *= 2.0;  // the first two octaves have the same step
        }
        number += step;
    }
    return numbers;
}

enum class Cast : std::uint8_t { nearest, zero, below };

/// The number of a format that `x` becomes.
inline double cast_to(const std::vector<double>& numbers, double x, Cast cast = Cast::nearest) {
    const double size = std::min(std::abs(x), numbers.back());
    const auto above = std::ranges::lower_bound(numbers, size);
    const double high = *above, low = size == high ? high : *(above - 1);
    const bool even = (above - numbers.begin()) % 2 == 0;
    const bool up = cast == Cast::nearest
                        ? high - size < size - low || (high - size == size - low && even)
                    : cast == Cast::below ? x < 0.0
                                          : false;
    return std::copysign(up ? high : low, x);
}

/// The bits of a number of the format.
inline std::byte bits_of(Dtype dtype, const std::vector<double>& numbers, double x) {
    const auto place = std::ranges::lower_bound(numbers, std::abs(x)) - numbers.begin();
    if (dtype == Dtype::i8) {
        return static_cast<std::byte>(static_cast<std::int8_t>(x));
    }
    return static_cast<std::byte>(place | (x < 0.0 && place > 0 ? 0x80 : 0));
}

/// How q_rot and k_rot, [1, heads, tokens, channels], are made and kept.
struct EightBits {
    Dtype dtype = Dtype::f8_e4m3;
    Cast cast = Cast::nearest;
    std::string scales = "tensor";  ///< or head, token, row, channel, none
    bool kept_as_floats = false;    ///< multiplied by the scales, which the dump lacks
    bool plain = false;             ///< not rounded to 8 bits at all
    bool states_scales = true;
    double wrong_scale = 1.0;      ///< what the stated scales are off by
    bool scales_of_input = false;  ///< by the numbers before the rotation
    double base = 10000.0, key_sign = 1.0;
    Index tokens = 24, first = 0;
};

constexpr Index kEightHeads = 4, kEightChannels = 64;

inline std::vector<double> turned_rows(const std::vector<double>& x, const EightBits& code,
                                       double sign) {
    std::vector<double> y = x;
    for (Index h = 0; h < kEightHeads; ++h) {
        for (Index t = 0; t < code.tokens; ++t) {
            const Index row = (h * code.tokens + t) * kEightChannels;
            for (Index p = 0; p < kEightChannels / 2; ++p) {
                const double angle = sign * to_double(code.first + t) *
                                     std::pow(code.base, -2.0 * to_double(p) / kEightChannels);
                const float c = to_float(std::cos(angle)), s = to_float(std::sin(angle));
                const float a = to_float(x[row + p]), b = to_float(x[row + p + kEightChannels / 2]);
                y[row + p] = a * c - b * s;
                y[row + p + kEightChannels / 2] = a * s + b * c;
            }
        }
    }
    return y;
}

/// The place of the scale of a number.
inline Index scale_at(const std::string& of, Index h, Index t, Index c, Index tokens) {
    return of == "head"      ? h
           : of == "token"   ? t
           : of == "row"     ? h * tokens + t
           : of == "channel" ? h * kEightChannels + c
                             : 0;
}
inline std::vector<std::int64_t> scale_shape(const std::string& of, Index tokens) {
    const bool head = of == "head" || of == "row" || of == "channel";
    const bool token = of == "token" || of == "row";
    return {1, head ? kEightHeads : 1, token ? tokens : 1, of == "channel" ? kEightChannels : 1};
}

inline std::shared_ptr<std::vector<Tensor>> tensors_of_eight_bits(const EightBits& code,
                                                                  std::uint64_t seed) {
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    const std::vector<double> numbers = numbers_of_format(code.dtype);
    const std::vector<std::int64_t> shape = {1, kEightHeads, code.tokens, kEightChannels};
    for (const std::string name : {"q", "k"}) {
        std::vector<double> x = Random(seed + (name == "q" ? 0 : 1))
                                    .normal<double>(kEightHeads * code.tokens * kEightChannels);
        for (double& each : x) {
            each = to_float(each);
        }
        std::vector<double> y = turned_rows(x, code, name == "k" ? code.key_sign : 1.0);
        std::map<Index, double> largest;
        const auto for_all = [&](const std::function<void(Index at, Index group)>& visit) {
            for (Index h = 0; h < kEightHeads; ++h) {
                for (Index t = 0; t < code.tokens; ++t) {
                    for (Index c = 0; c < kEightChannels; ++c) {
                        visit((h * code.tokens + t) * kEightChannels + c,
                              scale_at(code.scales, h, t, c, code.tokens));
                    }
                }
            }
        };
        for_all([&](Index at, Index group) {
            double& own = largest[group];
            own = std::max(own, std::abs(code.scales_of_input ? x[at] : y[at]));
        });
        std::vector<double> scales(largest.size());
        for (const auto& [group, size] : largest) {
            scales[group] = code.scales == "none" ? 1.0 : to_float(size / numbers.back());
        }
        std::vector<std::byte> bytes(y.size());
        for_all([&](Index at, Index group) {
            const double number = cast_to(numbers, to_float(y[at] / scales[group]), code.cast);
            bytes[at] = bits_of(code.dtype, numbers, number);
            y[at] = to_float(number * scales[group]);
        });
        for (double& scale : scales) {
            scale *= code.wrong_scale;
        }
        tensors->push_back(make_tensor_as(Dtype::f32, name, shape, x));
        if (code.plain) {
            const double sign = name == "k" ? code.key_sign : 1.0;
            tensors->push_back(
                make_tensor_as(Dtype::f32, name + "_rot", shape, turned_rows(x, code, sign)));
        } else if (code.kept_as_floats) {
            tensors->push_back(make_tensor_as(Dtype::f32, name + "_rot", shape, y));
        } else {
            tensors->push_back({name + "_rot", code.dtype, shape, bytes});
            if (code.scales != "none" && code.states_scales) {
                tensors->push_back(make_tensor_as(Dtype::f32, name + "_rot_scale",
                                                  scale_shape(code.scales, code.tokens), scales));
            }
        }
    }
    std::vector<std::int64_t> positions;
    for (Index t = 0; t < code.tokens; ++t) {
        positions.push_back(code.first + t);
    }
    tensors->push_back(
        make_tensor("positions", {code.tokens}, std::span(std::as_const(positions))));
    return tensors;
}

inline diagnosis::Dump dump_of_eight_bits(const EightBits& code, std::uint64_t seed) {
    const auto tensors = tensors_of_eight_bits(code, seed);
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return diagnosis::make_dump(views, tensors, "test", {.axes = "bhld"});
}

}  // namespace ropescope::test
