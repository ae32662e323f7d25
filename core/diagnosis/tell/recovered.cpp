// Copies the numbers of explanations into a diagnosis, and finds the system of the five texts that
// has the same.
#include "core/diagnosis/tell/recovered.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/systems/probe.h"

namespace ropescope::diagnosis {
namespace {

void fill_positions(const Explanation& side, Recovered& recovered) {
    const auto same = [&](std::size_t at) {
        const double found = side.places.position[at];
        return std::abs(found - side.stated[at]) <= 2.0 * side.places.error[at] + 1e-6;
    };
    bool all = true;
    for (std::size_t at = 0; at < side.stated.size() && all; ++at) {
        all = same(at);
    }
    if (all) {
        return;
    }
    for (Index row = 0; row < side.turns.rows; ++row) {
        std::vector<double> positions;
        for (Index t = 0; t < side.turns.length; ++t) {
            const std::size_t at = row * side.turns.length + t;
            const double found = side.places.position[at], whole = std::round(found);
            positions.push_back(
                std::abs(found - whole) <= 2.0 * side.places.error[at] + 1e-6 ? whole : found);
        }
        recovered.positions.push_back(std::move(positions));
    }
    const auto alike = [&](const auto& row) { return row == recovered.positions.front(); };
    if (std::ranges::all_of(recovered.positions, alike)) {
        recovered.positions.resize(1);
    }
}

void fill_axes(const AxisMap& map, Recovered& recovered) {
    recovered.axis_names = map.names;
    for (Index p = 0; p < std::ssize(map.axis); ++p) {
        recovered.omega_rad.push_back(map.row(p));
    }
}

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
        const SystemResult outcome = run_bhld(system, x, setting);
        const nd::Array* made = std::get_if<nd::Array>(&outcome);
        return made != nullptr ? difference(*made, y) : std::numeric_limits<double>::infinity();
    } catch (const InputError&) {
        return std::numeric_limits<double>::infinity();
    }
}

}  // namespace

const Explanation& leading(const std::vector<Explanation>& sides) {
    const auto explained =
        std::ranges::find_if(sides, [](const Explanation& side) { return side.model.has_value(); });
    const auto paired = std::ranges::find_if(
        sides, [](const Explanation& side) { return side.pairing.kind == PairingKind::found; });
    return explained != sides.end() ? *explained : paired != sides.end() ? *paired : sides.front();
}

void fill_numbers(const std::vector<Explanation>& sides, Recovered& recovered) {
    const Explanation& side = leading(sides);
    if (side.pairing.kind != PairingKind::found) {
        return;
    }
    recovered.layout = side.pairing.layout;
    recovered.table_dtype = side.table;
    if (side.gain.by_token.empty()) {
        recovered.gain = side.gain.value;
    }
    if (!side.model) {
        return;
    }
    recovered.rotary_dim = side.model->rotary_dim;
    recovered.base = side.model->base;
    recovered.scaling = side.model->scaling;
    recovered.sign = side.sign;
    recovered.position_offset = side.offset;
    if (side.axis_map) {
        fill_axes(*side.axis_map, recovered);
    } else {
        recovered.inv_freq_rad = side.model->omega;
    }
    double residual = 0.0;
    for (const Explanation& each : sides) {
        residual = std::max(residual, each.places.worst_rad);
    }
    recovered.residual_rad = residual;
    fill_positions(side, recovered);
}

void fill_heads(const std::vector<HeadKind>& kinds, Diagnosis& diagnosis) {
    for (const HeadKind& kind : kinds) {
        HeadPart& part = diagnosis.heads.emplace_back();
        part.q_heads = kind.q_heads;
        part.k_heads = kind.k_heads;
        fill_numbers(kind.sides, part);
    }
    keep_common(
        diagnosis.heads, [](const Recovered::Field& field) { return field.by_head; }, diagnosis);
    if (diagnosis.omega_rad.empty()) {
        diagnosis.axis_names.clear();
    }
}

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
                               .role = side.side == Side::k ? QkvRole::key : QkvRole::query};
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
