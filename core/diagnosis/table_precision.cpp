// Tells a table in 16 bits by its numbers: they are numbers of the format, all of them.
#include "core/diagnosis/table_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropescope::diagnosis {
namespace {

/// Entries at even steps, at most `most` of them.
template <typename Visit>
void visit_entries(const Turns& turns, Index most, Visit visit) {
    const Index size = std::ssize(turns.angle_rad);
    // An odd step visits all pairs in turn, as the number of pairs is rarely a multiple of it.
    const Index step = std::max<Index>(1, size / most) | 1;
    for (Index at = 0; at < size; at += step) {
        visit(at);
    }
}

bool is_of(Dtype dtype, double value, double error) {
    return std::abs(round_to(dtype, value) - value) <= error;
}

}  // namespace

std::optional<Dtype> table_dtype(const Turns& turns, const FloatFormat& format) {
    if (format.dtype == Dtype::f16 || format.dtype == Dtype::bf16) {
        return std::nullopt;
    }
    Index seen = 0, f16 = 0, bf16 = 0;
    visit_entries(turns, 4096, [&](Index at) {
        const double error = turns.error_rad[at] + 0x1p-22, gain = turns.gain[at];
        if (!(error < 0x1p-16)) {
            return;
        }
        const double c = gain * std::cos(turns.angle_rad[at]);
        const double s = gain * std::sin(turns.angle_rad[at]);
        // Numbers near 0 and 1 are close to one of any format.
        if (std::abs(s) > 0.1 && std::abs(c) > 0.1) {
            ++seen;
            f16 += is_of(Dtype::f16, c, error) && is_of(Dtype::f16, s, error) ? 1 : 0;
            bf16 += is_of(Dtype::bf16, c, error) && is_of(Dtype::bf16, s, error) ? 1 : 0;
        }
    });
    constexpr Index kFewest = 4;  // a number is one of fp16 by chance once in a thousand times
    if (seen < kFewest) {
        return std::nullopt;
    }
    return bf16 == seen ? Dtype::bf16 : f16 == seen ? Dtype::f16 : Dtype::f32;
}

AngleNoise noise_of_table(std::optional<Dtype> table) {
    AngleNoise noise;
    // Half a unit in the last place of cos and of sin together turn a point by at most a unit.
    if (table && *table != Dtype::f32) {
        noise.table_rad = format_of(*table).unit;
    }
    return noise;
}

namespace {

/// The factor on the pairs of one token: their mean, if they agree and at least two tell.
std::optional<double> gain_of_token(const Turns& turns, const AngleNoise& noise, Index token) {
    double sum = 0.0;
    Index told = 0;
    const auto visit = [&](auto look) {
        for (Index p = 0; p < turns.pairs; ++p) {
            const std::size_t at = token * turns.pairs + p;
            if (turns.error_rad[at] < 0.25F) {
                look(double{turns.gain[at]}, turns.error_rad[at] + noise.table_rad + 0x1p-22);
            }
        }
    };
    visit([&](double gain, double) {
        sum += gain;
        ++told;
    });
    if (told < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double mean = sum / to_double(told);
    bool alike = true;
    visit([&](double gain, double error) {
        alike = alike && std::abs(gain / mean - 1.0) <= 4.0 * error;
    });
    return alike ? std::optional(mean) : std::nullopt;
}

std::vector<double> gains_by_token(const Turns& turns, const AngleNoise& noise) {
    std::vector<double> gains;
    bool any = false;
    for (Index token = 0; token < turns.rows * turns.length; ++token) {
        const std::optional<double> gain = gain_of_token(turns, noise, token);
        if (!gain) {
            return {};
        }
        any = any || !std::isnan(*gain);
        gains.push_back(*gain);
    }
    return any ? gains : std::vector<double>();
}

}  // namespace

Gain measure_gain(const Turns& turns, const AngleNoise& noise, const FloatFormat& format) {
    std::vector<double> gains;
    visit_entries(turns, 4096, [&](Index at) {
        if (turns.error_rad[at] < 0.25F) {
            gains.push_back(turns.gain[at]);
        }
    });
    Gain gain;
    if (gains.empty()) {
        return gain;
    }
    std::ranges::nth_element(gains, gains.begin() + std::ssize(gains) / 2);
    gain.value = gains[gains.size() / 2];
    for (Index token = 0; token < turns.rows * turns.length; ++token) {
        bool zero = true;
        for (Index p = 0; p < turns.pairs; ++p) {
            const std::size_t at = token * turns.pairs + p;
            zero = zero && turns.gain[at] == 0.0F;
            if (turns.error_rad[at] < 1.0F) {
                // A gain is held in fp32.
                const double allowed = turns.error_rad[at] + noise.table_rad + 0x1p-22;
                gain.uniform =
                    gain.uniform && std::abs(turns.gain[at] / gain.value - 1.0) <= 2.0 * allowed;
            }
        }
        if (zero && turns.pairs > 0 && gain.zero_token < 0) {
            gain.zero_token = token % turns.length;
        }
    }
    if (!gain.uniform && gain.zero_token < 0) {
        gain.by_token = gains_by_token(turns, noise);
    }
    const double rounding = kRotationUnits * format.unit + noise.table_rad + 0x1p-20;
    gain.value = std::abs(gain.value - 1.0) <= rounding ? 1.0 : gain.value;
    return gain;
}

}  // namespace ropescope::diagnosis
