// Explains a side whose positions have several axes: the map of pairs to axes, and its spectrum.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {
namespace {

/// The speeds of these pairs, so that the right sign is positive.
Speeds speeds_of(const AxisMap& map, std::span<const Index> pairs, int sign) {
    Speeds speeds{.step = 1.0};
    for (const Index p : pairs) {
        speeds.omega.push_back(sign * map.omega[p]);
        // A pair that any axis explains says nothing about its speed.
        speeds.error.push_back(map.axis[p] == kAnyAxis ? std::numeric_limits<double>::infinity()
                                                       : map.error[p]);
    }
    return speeds;
}

std::vector<Index> pairs_of_axis(const AxisMap& map, Index axis) {
    std::vector<Index> pairs;
    for (Index p = 0; p < std::ssize(map.axis); ++p) {
        if (axis == kAnyAxis || map.axis[p] == axis) {
            pairs.push_back(p);
        }
    }
    return pairs;
}

/// One range of frequencies over all pairs, as M-RoPE has.
std::optional<SpectrumModel> common_spectrum(const AxisMap& map, Index head_dim, int sign) {
    const Speeds speeds = speeds_of(map, pairs_of_axis(map, kAnyAxis), sign);
    const SpectrumQuestion question{speeds, head_dim, 2 * std::ssize(speeds.omega)};
    for (ModelSource* const source : {&default_spectra, &linear_spectra, &fitted_default}) {
        if (const std::vector<SpectrumModel> found = models_of(source, question); !found.empty()) {
            return found.front();
        }
    }
    return std::nullopt;
}

/// A range of frequencies of its own for each axis, as vision towers and FLUX have.
std::optional<SpectrumModel> spectrum_of_each(const AxisMap& map, Index head_dim, int sign) {
    std::optional<SpectrumModel> common;
    for (Index axis = 0; axis < map.axes; ++axis) {
        const std::vector<Index> pairs = pairs_of_axis(map, axis);
        if (pairs.size() < 2) {
            continue;
        }
        const Speeds speeds = speeds_of(map, pairs, sign);
        const SpectrumQuestion question{speeds, head_dim, 2 * std::ssize(pairs)};
        const std::vector<SpectrumModel> found = models_of(&default_spectra, question);
        if (found.empty() || (common && found.front().base != common->base)) {
            return std::nullopt;
        }
        common = found.front();
    }
    if (common) {
        common->text += " in each axis";
        common->rotary_dim = 2 * std::ssize(map.axis);
    }
    return common;
}

}  // namespace

void explain_axes(Explanation& side, const DumpPositions& positions, const Expected& expected) {
    if (side.heads_differ) {
        side.too_little = fmt::format(
            "the heads of {} turn differently, in several axes; dump one head at a time",
            side.side);
        return;
    }
    AxisMap map = recover_axis_map(side.turns, positions, side.noise);
    const RotaryScheme* scheme = nullptr;
    for (const RotaryScheme& each : expected.schemes) {
        const bool fits = each.head_dim == side.head_dim && std::ssize(each.axes) == map.axes;
        if (scheme == nullptr || fits) {
            scheme = &each;
        }
    }
    if (scheme != nullptr && std::ssize(scheme->axes) == map.axes) {
        map.names = scheme->axes;
    }
    if (!map.explained()) {
        const auto none = std::ranges::count(map.axis, kNoAxis);
        side.too_little = fmt::format(
            "{} of {} pairs of {} turn by no single axis of the positions; dump fewer tokens, some "
            "of them neighbours in each axis, in float32",
            none, map.axis.size(), side.side);
        return;
    }
    const auto backwards = std::ranges::count_if(map.omega, [](double w) { return w < 0.0; });
    side.sign = 2 * backwards > std::ssize(map.omega) ? -1 : 1;
    std::optional<SpectrumModel> model = common_spectrum(map, side.head_dim, side.sign);
    if (!model) {
        model = spectrum_of_each(map, side.head_dim, side.sign);
    }
    if (!model) {
        model = SpectrumModel{.code = "spectrum.scaled", .text = "speeds of its own in each axis"};
    }
    model->omega = map.omega;
    for (double& omega : model->omega) {
        omega *= side.sign;
    }
    model->rotary_dim = 2 * side.turns.pairs;
    side.model = std::move(model);
    side.speeds = speeds_of(map, pairs_of_axis(map, kAnyAxis), side.sign);
    side.places.position = side.stated;
    side.places.error.assign(side.stated.size(), std::numeric_limits<double>::infinity());
    side.offset = 0.0;
    // The transposed rotation has the same map.
    AxisMap forward = map;
    for (double& omega : forward.omega) {
        omega *= side.sign;
    }
    for (Finding& finding :
         axis_findings(forward, side.pairing.pairs, side.head_dim, side.side, scheme)) {
        finding.measured = describe_map(map);
        side.findings.push_back(std::move(finding));
    }
    side.axis_map = std::move(map);
}

}  // namespace ropescope::diagnosis
