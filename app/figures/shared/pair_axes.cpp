// Finds the axis of each pair, and counts the pairs of each axis.
#include "app/figures/shared/pair_axes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ropescope::figures {

plot::Role role_of_side(Side side) {
    switch (side) {
        case Side::frame:
            return plot::Role::first;
        case Side::row:
            return plot::Role::second;
        case Side::column:
            return plot::Role::third;
        case Side::none:
            break;
    }
    return plot::Role::sin_part;
}

Side side_of_axis(const RotaryScheme& scheme, Index axis) {
    if (const auto* grid = std::get_if<GridRule>(&scheme.positions)) {
        return grid->axes[axis].side;
    }
    constexpr Side kSides[] = {Side::frame, Side::row, Side::column};  // t, h, w
    return axis < std::ssize(kSides) ? kSides[axis] : Side::none;
}

std::vector<Index> axes_of_pairs(const Spectrum& spectrum) {
    std::vector<Index> axes;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const auto omega_rad = spectrum.omega_rad(pair);
        Index axis = kNoAxis;
        for (Index a = 0; a < spectrum.axes; ++a) {
            if (omega_rad[a] != 0) {
                axis = axis == kNoAxis ? a : kSeveralAxes;
            }
        }
        axes.push_back(axis);
    }
    return axes;
}

std::string pairs_by_axis(const std::vector<std::string>& names,
                          const std::vector<Index>& axis_of_pair) {
    std::vector<std::string> words;
    const auto add = [&](Index axis, const std::string& name) {
        if (const Index count = std::ranges::count(axis_of_pair, axis); count > 0) {
            words.push_back(fmt::format("{} by {}", count, name));
        }
    };
    for (Index axis = 0; axis < std::ssize(names); ++axis) {
        add(axis, names[axis]);
    }
    add(kSeveralAxes, "several axes");
    add(kNoAxis, "none");
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace ropescope::figures
