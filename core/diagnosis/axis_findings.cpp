// Names a map of axes, and compares it with those of known models.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/diagnosis/axis_map.h"
#include "core/formats/schemes/scheme_presets.h"

namespace ropescope::diagnosis {
namespace {

std::string axis_word(const AxisMap& map, Index axis) {
    if (axis < 0 || axis >= std::ssize(map.names)) {
        return "no axis";
    }
    const std::string& name = map.names[axis];
    return name == "t" ? "time" : name == "h" ? "height" : name == "w" ? "width" : name;
}

/// What a scheme says about the pair on these channels.
struct SchemePair {
    Index axis = kAnyAxis;
    double omega = 0.0;
};

std::optional<SchemePair> pair_of_scheme(const RotaryScheme& scheme, const ChannelPair& channels) {
    for (Index p = 0; p < scheme.pair_count(); ++p) {
        const ChannelPair& own = scheme.pairs[p];
        const bool same = own == channels;
        if (same || (own.first == channels.second && own.second == channels.first)) {
            const std::span<const double> omega = scheme.heads.front().omega_rad(p);
            SchemePair found;
            for (Index a = 0; a < std::ssize(omega); ++a) {
                if (omega[a] != 0.0) {
                    found = {a, same ? omega[a] : -omega[a]};
                }
            }
            return found;
        }
    }
    return std::nullopt;
}

/// Where the map differs from a scheme whose axes are renamed by `axis_of`.
struct SchemeDifference {
    bool comparable = true;
    bool speeds = false;  ///< a speed is another one
    std::vector<Index> pairs,
        wanted;  ///< pairs that turn by another axis, and by which they should
    bool none() const { return comparable && !speeds && pairs.empty(); }
};

SchemeDifference difference_from(const AxisMap& map, std::span<const ChannelPair> pairs,
                                 const RotaryScheme& scheme, std::span<const Index> axis_of) {
    SchemeDifference difference;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const std::optional<SchemePair> wanted = pair_of_scheme(scheme, pairs[p]);
        if (!wanted) {
            difference.comparable = difference.comparable && std::abs(map.omega[p]) <= map.error[p];
            continue;
        }
        const double allowed = map.error[p] + 0x1p-18 * std::abs(wanted->omega);
        difference.speeds = difference.speeds || std::abs(map.omega[p] - wanted->omega) > allowed;
        if (wanted->axis >= 0 && map.axis[p] >= 0 && axis_of[wanted->axis] != map.axis[p]) {
            difference.pairs.push_back(static_cast<Index>(p));
            difference.wanted.push_back(wanted->axis);
        }
    }
    return difference;
}

std::vector<Index> in_order(Index axes) {
    std::vector<Index> order;
    for (Index a = 0; a < axes; ++a) {
        order.push_back(a);
    }
    return order;
}

/// Two axes that must be exchanged to get the scheme; empty if that does not help.
std::optional<std::pair<Index, Index>> exchanged(const AxisMap& map,
                                                 std::span<const ChannelPair> pairs,
                                                 const RotaryScheme& scheme) {
    for (Index a = 0; a < map.axes; ++a) {
        for (Index b = a + 1; b < map.axes; ++b) {
            std::vector<Index> order = in_order(map.axes);
            std::swap(order[a], order[b]);
            if (difference_from(map, pairs, scheme, order).none()) {
                return std::pair{a, b};
            }
        }
    }
    return std::nullopt;
}

Finding swapped_finding(const AxisMap& map, const std::string& side, std::pair<Index, Index> axes,
                        const std::string& model) {
    return {"axes.swapped",
            fmt::format("{} and {} are exchanged: the map is that of {} otherwise.",
                        axis_word(map, axes.first), axis_word(map, axes.second), model),
            side};
}

/// "pairs 24 to 43 turn by height, the model's by width".
std::string differing_text(const AxisMap& map, const SchemeDifference& difference) {
    const Index first = difference.pairs.front();
    Index last = first;
    for (std::size_t i = 1; i < difference.pairs.size(); ++i) {
        const bool goes_on = difference.pairs[i] == last + 1 &&
                             map.axis[difference.pairs[i]] == map.axis[first] &&
                             difference.wanted[i] == difference.wanted.front();
        if (!goes_on) {
            break;
        }
        last = difference.pairs[i];
    }
    const std::string range = first == last ? fmt::format("pair {} turns", first)
                                            : fmt::format("pairs {} to {} turn", first, last);
    return fmt::format("{} by {}, and {} is expected; {} of {} pairs differ", range,
                       axis_word(map, map.axis[first]), axis_word(map, difference.wanted.front()),
                       difference.pairs.size(), map.axis.size());
}

Finding expected_finding(const AxisMap& map, std::span<const ChannelPair> pairs,
                         const std::string& side, const RotaryScheme& expected) {
    if (std::ssize(expected.axes) != map.axes) {
        return {"axes.map",
                fmt::format("The positions have {} axes, and {} are expected.", map.axes,
                            expected.axes.size()),
                side};
    }
    const SchemeDifference difference = difference_from(map, pairs, expected, in_order(map.axes));
    if (difference.none()) {
        return {"axes.map", "The map is the expected one: " + describe_map(map) + ".",
                side,       {},
                {},         Weight::note};
    }
    if (const auto axes = exchanged(map, pairs, expected)) {
        return swapped_finding(map, side, *axes, "the expected model");
    }
    if (!difference.pairs.empty()) {
        return {"axes.map", "In the map, " + differing_text(map, difference) + ".", side};
    }
    return {"axes.map",
            difference.comparable
                ? "Pairs turn by the expected axes, but not at the expected speed."
                : "Other channels turn than expected.",
            side};
}

}  // namespace

std::string describe_map(const AxisMap& map) {
    struct Run {
        Index first, last, axis;
    };
    std::vector<Run> runs;
    for (Index p = 0; p < std::ssize(map.axis); ++p) {
        const Index axis = map.axis[p];
        if (!runs.empty() && (runs.back().axis == axis || axis == kAnyAxis)) {
            runs.back().last = p;
        } else {
            runs.push_back({p, p, axis});
        }
    }
    std::string text;
    constexpr std::size_t kMost = 8;
    for (std::size_t r = 0; r < std::min(runs.size(), kMost); ++r) {
        const Run& run = runs[r];
        text += fmt::format("{}{} by {}", text.empty() ? "pairs " : ", ",
                            run.first == run.last ? fmt::format("{}", run.first)
                                                  : fmt::format("{} to {}", run.first, run.last),
                            run.axis == kAnyAxis ? "any axis" : axis_word(map, run.axis));
    }
    return text + (runs.size() > kMost ? ", and so on in turn" : "");
}

std::vector<Finding> axis_findings(const AxisMap& map, std::span<const ChannelPair> pairs,
                                   Index head_dim, const std::string& side,
                                   const RotaryScheme* expected) {
    if (expected != nullptr) {
        return {expected_finding(map, pairs, side, *expected)};
    }
    std::optional<Finding> swapped;
    for (const SchemePreset& preset : scheme_presets()) {
        try {
            const RotaryScheme scheme = scheme_of_preset(preset).scheme;
            if (scheme.head_dim != head_dim || std::ssize(scheme.axes) != map.axes ||
                scheme.heads.size() != 1) {
                continue;
            }
            if (difference_from(map, pairs, scheme, in_order(map.axes)).none()) {
                return {{"axes.map",
                         fmt::format("The map is that of {}: {}.", preset.title, describe_map(map)),
                         side,
                         {},
                         {},
                         Weight::note}};
            }
            if (const auto axes = swapped ? std::nullopt : exchanged(map, pairs, scheme)) {
                swapped = swapped_finding(map, side, *axes, preset.title);
            }
        } catch (const InputError&) {
            continue;  // a preset that makes no scheme of this kind
        }
    }
    if (swapped) {
        return {*swapped};
    }
    return {{"axes.map", "The map: " + describe_map(map) + ".", side, {}, {}, Weight::note}};
}

}  // namespace ropescope::diagnosis
