// Runs the transcribed code of the five texts on the tensors of a dump.
#include "core/diagnosis/system_match.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/systems/probe.h"

namespace ropescope::diagnosis {
namespace {

constexpr Index kMostTokens = kMatchedTokens, kMostFirst = 4096, kMostChannels = 512;
constexpr Index kFewTokens = 4;

/// [1, 1, tokens, channels] of the first head.
nd::Array first_tokens(const DumpTensor& tensor, Index most) {
    nd::Array array;
    array.shape = {1, 1, std::min(tensor.length, most), tensor.channels};
    std::vector<double> row(tensor.channels);
    for (Index t = 0; t < array.shape[2]; ++t) {
        tensor.read(0, 0, t, row);
        array.values.insert(array.values.end(), row.begin(), row.end());
    }
    return array;
}

bool counts_up(const DumpPositions& positions) {
    const double first = positions.values.front();
    bool up = positions.axes == 1 && first >= 0.0 && first <= to_double(kMostFirst);
    for (Index t = 0; t < positions.length; ++t) {
        up = up && positions.at(0, 0, t) == first + to_double(t);
    }
    return up && first == std::round(first);
}

double largest_of(const nd::Array& array) {
    double largest = 0.0;
    for (const double value : array.values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

/// Largest difference as a share of the largest value.
double difference(const nd::Array& a, const nd::Array& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        most = std::max(most, std::abs(a.values[i] - b.values[i]));
    }
    const double largest = largest_of(b);
    return largest > 0.0 ? most / largest : std::numeric_limits<double>::infinity();
}

/// The difference of what a system makes of `x` from `y`; infinite if it does not take these sizes.
double difference_of(const System& system, const nd::Array& x, const nd::Array& y,
                     const ProbeSetting& setting) {
    try {
        const Outcome outcome = run_bhld(system, x, setting);
        const nd::Array* made = std::get_if<nd::Array>(&outcome);
        return made != nullptr ? difference(*made, y) : std::numeric_limits<double>::infinity();
    } catch (const InputError&) {
        return std::numeric_limits<double>::infinity();
    }
}

}  // namespace

std::optional<std::string> matching_system(const DumpSide& tensors, const DumpPositions& positions,
                                           const Explanation& side) {
    if (side.still || side.head_dim % 2 != 0 || side.head_dim > kMostChannels ||
        !counts_up(positions)) {
        return std::nullopt;
    }
    const nd::Array x = first_tokens(tensors.before, kMostTokens);
    const nd::Array y = first_tokens(tensors.after, kMostTokens);
    // Few tokens rule most systems out.
    const nd::Array few_x = first_tokens(tensors.before, kFewTokens);
    const nd::Array few_y = first_tokens(tensors.after, kFewTokens);
    const ProbeSetting setting{.base = side.model && side.model->base ? *side.model->base : 10000.0,
                               .offset = static_cast<Index>(positions.values.front()),
                               .role = side.side == Side::k ? Role::key : Role::query};
    // Both roundings of a rotated pair, and angles that are formed in fp32 from different powers.
    const double last = to_double(setting.offset + x.shape[2]);
    const double allowed = 2.0 * kRotationUnits * side.format.unit + 0x1p-20 * last;
    // The same difference is a larger share of the few; twice that, as both are rounded.
    const double few_allowed = 2.0 * allowed * largest_of(y) / largest_of(few_y);
    double least = allowed;
    std::optional<std::string> nearest;
    for (const System& system : all_systems()) {
        if (system.kind != SystemKind::rotary ||
            difference_of(system, few_x, few_y, setting) > few_allowed) {
            continue;
        }
        const double off = difference_of(system, x, y, setting);
        if (off < least || (off == least && !nearest)) {
            least = off;
            nearest = system.id;
        }
    }
    return nearest;
}

}  // namespace ropescope::diagnosis
