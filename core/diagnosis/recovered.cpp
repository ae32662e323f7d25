// Copies the numbers of explanations into a diagnosis.
#include "core/diagnosis/recovered.h"

#include <algorithm>
#include <cmath>

namespace ropescope::diagnosis {
namespace {

void fill_positions(const Explanation& side, Diagnosis& diagnosis) {
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
        diagnosis.positions.push_back(std::move(positions));
    }
    const auto alike = [&](const auto& row) { return row == diagnosis.positions.front(); };
    if (std::ranges::all_of(diagnosis.positions, alike)) {
        diagnosis.positions.resize(1);
    }
}

void fill_axes(const AxisMap& map, Diagnosis& diagnosis) {
    diagnosis.axis_names = map.names;
    for (Index p = 0; p < std::ssize(map.axis); ++p) {
        diagnosis.omega_rad.push_back(map.row(p));
    }
}

/// Takes back what the parts do not share.
void keep_common(const std::vector<HeadPart>& parts, Diagnosis& diagnosis) {
    const HeadPart& first = parts.front();
    const auto differ = [&](auto member) {
        return std::ranges::any_of(
            parts, [&](const HeadPart& part) { return part.*member != first.*member; });
    };
    if (differ(&HeadPart::layout)) {
        diagnosis.layout.clear();
    }
    if (differ(&HeadPart::rotary_dim)) {
        diagnosis.rotary_dim.reset();
    }
    if (differ(&HeadPart::base)) {
        diagnosis.base.reset();
    }
    if (differ(&HeadPart::scaling)) {
        diagnosis.scaling.reset();
    }
    if (differ(&HeadPart::sign)) {
        diagnosis.sign.reset();
    }
    if (differ(&HeadPart::gain)) {
        diagnosis.gain.reset();
    }
    if (differ(&HeadPart::inv_freq_rad)) {
        diagnosis.inv_freq_rad.clear();
    }
    if (differ(&HeadPart::omega_rad)) {
        diagnosis.axis_names.clear();
        diagnosis.omega_rad.clear();
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

void fill_numbers(const std::vector<Explanation>& sides, Diagnosis& diagnosis) {
    const Explanation& side = leading(sides);
    if (side.pairing.kind != PairingKind::found) {
        return;
    }
    diagnosis.layout = side.pairing.layout;
    diagnosis.table_dtype = side.table;
    if (side.gain.by_token.empty()) {
        diagnosis.gain = side.gain.value;
    }
    if (!side.model) {
        return;
    }
    diagnosis.rotary_dim = side.model->rotary_dim;
    diagnosis.base = side.model->base;
    diagnosis.scaling = side.model->scaling;
    diagnosis.sign = side.sign;
    diagnosis.position_offset = side.offset;
    if (side.axis_map) {
        fill_axes(*side.axis_map, diagnosis);
    } else {
        diagnosis.inv_freq_rad = side.model->omega;
    }
    double residual = 0.0;
    for (const Explanation& each : sides) {
        residual = std::max(residual, each.places.worst_rad);
    }
    diagnosis.residual_rad = residual;
    fill_positions(side, diagnosis);
}

void fill_heads(const std::vector<HeadKind>& kinds, Diagnosis& diagnosis) {
    for (const HeadKind& kind : kinds) {
        Diagnosis own;
        fill_numbers(kind.sides, own);
        diagnosis.heads.push_back({.q_heads = kind.q_heads,
                                   .k_heads = kind.k_heads,
                                   .layout = own.layout,
                                   .rotary_dim = own.rotary_dim,
                                   .base = own.base,
                                   .scaling = own.scaling,
                                   .sign = own.sign,
                                   .gain = own.gain,
                                   .inv_freq_rad = own.inv_freq_rad,
                                   .axis_names = own.axis_names,
                                   .omega_rad = own.omega_rad});
    }
    keep_common(diagnosis.heads, diagnosis);
}

}  // namespace ropescope::diagnosis
