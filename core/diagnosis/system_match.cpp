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

/// [1, 1, tokens, channels] of the first head.
nd::Array first_tokens(const DumpTensor& tensor) {
    nd::Array array;
    array.shape = {1, 1, std::min(tensor.length, kMostTokens), tensor.channels};
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

/// Largest difference as a share of the largest value.
double difference(const nd::Array& a, const nd::Array& b) {
    double most = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        most = std::max(most, std::abs(a.values[i] - b.values[i]));
        largest = std::max(largest, std::abs(b.values[i]));
    }
    return largest > 0.0 ? most / largest : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<std::string> matching_system(const DumpSide& tensors, const DumpPositions& positions,
                                           const Explanation& side) {
    if (side.still || side.head_dim % 2 != 0 || side.head_dim > kMostChannels ||
        !counts_up(positions)) {
        return std::nullopt;
    }
    const nd::Array x = first_tokens(tensors.before), y = first_tokens(tensors.after);
    const ProbeSetting setting{.base = side.model && side.model->base ? *side.model->base : 10000.0,
                               .offset = static_cast<Index>(positions.values.front()),
                               .role = side.side == "k" ? Role::key : Role::query};
    // Both roundings of a rotated pair, and angles that are formed in fp32 from different powers.
    const double last = to_double(setting.offset + x.shape[2]);
    const double allowed = 2.0 * kRotationUnits * side.format.unit + 0x1p-20 * last;
    double least = allowed;
    std::optional<std::string> nearest;
    for (const System& system : all_systems()) {
        if (system.kind != SystemKind::rotary) {
            continue;
        }
        try {
            const Outcome outcome = run_bhld(system, x, setting);
            const nd::Array* made = std::get_if<nd::Array>(&outcome);
            const double off = made != nullptr ? difference(*made, y) : 2.0 * allowed;
            if (off < least || (off == least && !nearest)) {
                least = off;
                nearest = system.id;
            }
        } catch (const InputError&) {
            continue;  // the system does not take these sizes
        }
    }
    return nearest;
}

}  // namespace ropescope::diagnosis
