// Adds up what rounding leaves open.
#include "core/diff/allowance.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/base/number_format.h"
#include "core/base/parallel.h"

namespace ropescope::diff {
namespace {

using diagnosis::FloatFormat;
using diagnosis::PairingKind;

/// Each code rounds the tables, the products, the sum and the result: see the header.
constexpr double kRoundings = 4.0;
/// The largest base that published models use (usual_bases()): its logarithm bounds how far the
/// power of a frequency is off.
constexpr double kLargestBase = 1e11;

template <typename T>
T number_at(const TensorBytes& tensor, Index i) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + i * static_cast<Index>(sizeof(T)), sizeof(T));
    return value;
}

/// Whether all numbers of the tensor are those of a narrower format.
template <typename T>
bool all_are(const TensorBytes& tensor, Dtype narrow) {
    const Index count = tensor.count();
    std::atomic<bool> all = true;
    parallel_for(count, 1 << 16, default_threads(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const double value = number_at<T>(tensor, i);
            if (diagnosis::round_to(narrow, value) != value && !std::isnan(value)) {
                all = false;
            }
            if (i % 1024 == 0 && !all) {
                return;
            }
        }
    });
    return all;
}

}  // namespace

FloatFormat whole_format(const TensorBytes& tensor) {
    for (const Dtype narrow : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
        const bool is_narrower = dtype_size(narrow) < dtype_size(tensor.dtype);
        if (is_narrower && (tensor.dtype == Dtype::f64 ? all_are<double>(tensor, narrow)
                                                       : all_are<float>(tensor, narrow))) {
            return diagnosis::format_of(narrow);
        }
    }
    return diagnosis::format_of(tensor.dtype);
}

Allowance::Allowance(FormatPair formats, std::optional<FormatPair> before, const Turning& turning)
    : formats_(formats), before_(before), turning_(&turning) {
    const diagnosis::Pairing& pairing = turning.pairing;
    if (pairing.kind != PairingKind::found) {
        return;
    }
    Index channels = 0;
    for (const ChannelPair& pair : pairing.rotated) {
        channels = std::max({channels, pair.first + 1, pair.second + 1});
    }
    pair_.assign(channels, -1);
    partner_.assign(channels, -1);
    for (Index i = 0; i < std::ssize(pairing.rotated); ++i) {
        const auto [first, second] = pairing.rotated[i];
        pair_[first] = pair_[second] = i;
        partner_[first] = second;
        partner_[second] = first;
    }
}

void Allowance::write(std::span<const double> vector, Index row, Index token,
                      std::span<double> out) const {
    // Rounding is a share of the exact number, which is that of the dump within its own rounding.
    const double second_order = 1.0 + 8.0 * formats_.units();
    const auto stored = [&](double x) {
        return (formats_.units() + formats_.quotients) * second_order * std::abs(x) +
               formats_.steps();
    };
    if (turning_ == nullptr || turning_->pairing.kind == PairingKind::still) {
        std::ranges::transform(vector, out.begin(), stored);
        return;
    }
    double norm = 0.0;  // if pairs are not known, no pair is longer than the vector
    if (partner_.empty()) {
        for (const double x : vector) {
            norm = std::hypot(norm, x);
        }
    }
    const double share =
        kRoundings * formats_.units() + formats_.quotients + (before_ ? before_->units() : 0.0);
    const double steps = kRoundings * formats_.steps() + (before_ ? before_->steps() : 0.0);
    const double distance =
        turning_->distance[(turning_->rows == 1 ? 0 : row) * turning_->tokens + token];
    const double units = diagnosis::angle_units(kLargestBase);
    for (Index c = 0; c < std::ssize(vector); ++c) {
        if (partner_.empty()) {
            // Frequencies are at most 1, and the pair may be the last one of the channels.
            const double angle = 2.0 * (units + to_double(std::ssize(vector)) / 2.0) *
                                 diagnosis::kUnitOfF32 * distance;
            out[c] = (share * second_order + angle) * norm + steps;
        } else if (c >= std::ssize(partner_) || partner_[c] < 0) {
            out[c] = stored(vector[c]);
        } else {
            const double angle = 2.0 * (units + to_double(pair_[c])) * diagnosis::kUnitOfF32 *
                                 distance * turning_->fastest_rad[pair_[c]];
            out[c] =
                (share * second_order + angle) * std::hypot(vector[c], vector[partner_[c]]) + steps;
        }
    }
}

}  // namespace ropescope::diff
