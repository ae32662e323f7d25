// The normalisation of q and k beside the rotation, as models have it (QK-norm) and fused kernels
// compute it in one step with the rotation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// rms: x / sqrt(mean(x^2) + eps) w; rms_plus_one: the same with 1 + w, as Gemma's weights are
/// kept; layer: (x - mean(x)) / sqrt(var(x) + eps) w; l2: x / sqrt(sum(x^2) + eps) w.
enum class NormKind : std::uint8_t { rms, rms_plus_one, layer, l2 };
/// before or after the rotation.
enum class NormOrder : std::uint8_t { before, after };

/// How wrong code computes a norm: with eps added to the root of the mean and not under it, or with
/// a mean over one number less, as estimates of a variance have it.
enum class NormSlip : std::uint8_t { none, eps_outside, one_less };

struct QkNorm {
    NormKind kind = NormKind::rms;
    double eps = 1e-6;
    NormOrder order = NormOrder::before;
    NormSlip slip = NormSlip::none;
    bool operator==(const QkNorm&) const = default;
};

/// What a row of numbers is shifted and multiplied by, without weights: (x - shift) * scale.
struct NormOfRow {
    double shift = 0.0, scale = 1.0;
};
/// Of a row that is given by its sums.
NormOfRow norm_of_sums(const QkNorm& norm, double sum, double sum_of_squares, Index count);
NormOfRow norm_of(const QkNorm& norm, std::span<const double> row);

/// What a weight multiplies its channel by.
double factor_of_weight(const QkNorm& norm, double weight);

/// The row as float64 normalises it, each channel multiplied by factor_of_weight() of its weight;
/// `weights` has as many numbers.
std::vector<double> normalised_row(const QkNorm& norm, std::span<const double> weights,
                                   std::span<const double> row);

/// Bound of what float32 makes of the scale of a row of so many numbers, as a share of it, in units
/// of 2^-24. The sum of squares is formed in any order: its n roundings are independent, and the
/// partial sums grow evenly, so that the sum is off by more than 8 sqrt(n / 3) units once in 10^13
/// rows (Hoeffding's inequality; Higham and Mary, 2019), and its root by half of that. The mean,
/// eps and a reciprocal root of hardware (2 units in the last place) add 6, the product with the
/// number and that with its weight, which may be 1 + w, 3.
double norm_units(Index count);

}  // namespace ropescope

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<NormKind> = {"rms", "rms_plus_one",
                                                                         "layer", "l2"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<NormOrder> = {"before", "after"};
}  // namespace ropescope
