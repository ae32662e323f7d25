// Copies the numbers of explanations into a recovered.
#include "core/diagnosis/recovered.h"

#include <algorithm>
#include <cmath>

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

}  // namespace ropescope::diagnosis
