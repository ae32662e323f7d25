// Finds the layout of a rotation behind which each token was multiplied by a factor.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/pairing.h"

namespace ropescope::diagnosis {
namespace {

/// Rows of one head as a side of their own, in double.
DumpTensor as_tensor(const std::vector<double>& rows, Index channels) {
    return {.name = "rows",
            .dtype = Dtype::f64,
            .data = reinterpret_cast<const std::byte*>(rows.data()),
            .length = std::ssize(rows) / channels,
            .channels = channels,
            .batch_stride = 0,
            .head_stride = 0,
            .position_stride = channels};
}

double length_of(const std::vector<double>& row) {
    double squares = 0.0;
    for (const double value : row) {
        squares += value * value;
    }
    return std::sqrt(squares);
}

}  // namespace

std::optional<Pairing> find_scaled_pairing(const DumpSide& side, const FloatFormat& format) {
    constexpr Index kRows = 128, kFewestPairs = 4;
    const DumpTensor& before = side.before;
    const Index count = std::min(kRows, before.batch * before.heads * before.length);
    std::vector<double> x(before.channels), y(before.channels), all_x, all_y;
    for (Index i = 0; i < count; ++i) {
        const Index b = i % before.batch, h = i / before.batch % before.heads;
        const Index token = i * before.length / count;
        before.read(b, h, token, x);
        side.after.read(b, h, token, y);
        const double length = length_of(y);
        if (!(length > 0.0)) {
            continue;
        }
        const double factor = length_of(x) / length;
        std::ranges::for_each(y, [&](double& value) { value *= factor; });
        all_x.insert(all_x.end(), x.begin(), x.end());
        all_y.insert(all_y.end(), y.begin(), y.end());
    }
    if (all_x.empty()) {
        return std::nullopt;
    }
    Pairing pairing = find_pairing(
        {as_tensor(all_x, before.channels), as_tensor(all_y, before.channels)}, format, count);
    const bool found =
        pairing.kind == PairingKind::found && std::ssize(pairing.pairs) >= kFewestPairs;
    return found ? std::optional(std::move(pairing)) : std::nullopt;
}

}  // namespace ropescope::diagnosis
