// Names a map of axes, and compares it with those of known models.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/diagnosis/axis_map.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/models/model.h"

namespace ropescope::diagnosis {
namespace {

std::string axis_word(const AxisMap& map, Index axis) {
    if (axis < 0 || axis >= std::ssize(map.names)) {
        return "no axis";
    }
    const std::string& name = map.names[axis];
    return name == "t" ? "time" : name == "h" ? "height" : name == "w" ? "width" : name;
}

/// The speeds that a scheme gives the pair on these channels, [axes]; empty if it has no such pair.
std::optional<std::vector<double>> row_of_scheme(const RotaryScheme& scheme, Index head,
                                                 const ChannelPair& channels) {
    for (Index p = 0; p < scheme.pair_count(); ++p) {
        const ChannelPair& own = scheme.pairs[p];
        const bool same = own == channels;
        if (same || (own.first == channels.second && own.second == channels.first)) {
            const Index heads = std::ssize(scheme.heads);
            const std::span<const double> omega =
                scheme.heads[std::min(head, heads - 1)].omega_rad(p);
            std::vector<double> row(omega.begin(), omega.end());
            for (double& each : row) {
                each *= same ? 1.0 : -1.0;
            }
            return row;
        }
    }
    return std::nullopt;
}

/// The only axis with a speed; one of kAnyAxis and kMixedAxes if there is none or several.
Index axis_of_row(std::span<const double> row) {
    Index found = kAnyAxis;
    for (Index a = 0; a < std::ssize(row); ++a) {
        if (row[a] != 0.0) {
            found = found == kAnyAxis ? a : kMixedAxes;
        }
    }
    return found;
}

double length_of(std::span<const double> row) {
    double length = 0.0;
    for (const double each : row) {
        length = std::hypot(length, each);
    }
    return length;
}

/// Where the map differs from a scheme whose axes are renamed by `axis_of`.
struct SchemeDifference {
    bool comparable = true;
    Index other_speeds = 0;              ///< pairs with another speed
    Index first_speed = -1;              ///< the first of them by one axis, or -1
    double found = 0.0, expected = 0.0;  ///< its speeds, in radians per unit of the axis
    std::vector<Index> pairs,
        wanted;  ///< pairs that turn by another axis, and by which they should
    bool none() const { return comparable && other_speeds == 0 && pairs.empty(); }

    void add_speed(Index pair, double speed, double wanted_speed) {
        if (other_speeds++ == 0) {
            first_speed = pair;
            found = speed;
            expected = wanted_speed;
        }
    }
};

SchemeDifference difference_from(const AxisMap& map, std::span<const ChannelPair> pairs,
                                 const RotaryScheme& scheme, Index head,
                                 std::span<const Index> axis_of) {
    SchemeDifference difference;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto wanted = row_of_scheme(scheme, head, pairs[p]);
        if (!wanted) {
            difference.comparable = difference.comparable && std::abs(map.omega[p]) <= map.error[p];
            continue;
        }
        const auto off = [&](double found, double expected) {
            return std::abs(found - expected) > map.error[p] + 0x1p-18 * std::abs(expected);
        };
        const Index axis = axis_of_row(*wanted);
        if (axis == kMixedAxes && map.axis[p] == kAnyAxis) {
            continue;  // the tokens do not tell
        }
        if (axis == kMixedAxes || map.axis[p] == kMixedAxes) {
            const std::vector<double> found = map.row(static_cast<Index>(p));
            for (std::size_t a = 0; a < wanted->size(); ++a) {
                if (off(found[axis_of[a]], (*wanted)[a])) {
                    difference.add_speed(static_cast<Index>(p), found[axis_of[a]], (*wanted)[a]);
                    break;
                }
            }
            continue;
        }
        const double speed = axis >= 0 ? (*wanted)[axis] : 0.0;
        if (off(map.omega[p], speed)) {
            difference.add_speed(static_cast<Index>(p), map.omega[p], speed);
        }
        if (axis >= 0 && map.axis[p] >= 0 && axis_of[axis] != map.axis[p]) {
            difference.pairs.push_back(static_cast<Index>(p));
            difference.wanted.push_back(axis);
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

enum class AtSpeeds { of_scheme, any };

/// Two axes that must be exchanged to get the scheme; empty if that does not help.
std::optional<std::pair<Index, Index>> exchanged(const AxisMap& map,
                                                 std::span<const ChannelPair> pairs,
                                                 const RotaryScheme& scheme, Index head,
                                                 AtSpeeds speeds = AtSpeeds::of_scheme) {
    for (Index a = 0; a < map.axes; ++a) {
        for (Index b = a + 1; b < map.axes; ++b) {
            std::vector<Index> order = in_order(map.axes);
            std::swap(order[a], order[b]);
            SchemeDifference difference = difference_from(map, pairs, scheme, head, order);
            if (speeds == AtSpeeds::any) {
                difference.other_speeds = 0;
            }
            if (difference.none()) {
                return std::pair{a, b};
            }
        }
    }
    return std::nullopt;
}

Finding swapped_finding(const AxisMap& map, const std::string& side, std::pair<Index, Index> axes,
                        const std::string& model) {
    return {faults::code("axes.swapped"),
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

/// "60 of 64 pairs at another speed: pair 1 by 0.8 radians per step, expected 0.7".
std::string speed_text(const SchemeDifference& difference) {
    return fmt::format(
        "{} at another speed: pair {} by {:.6g} radians per position, expected {:.6g}",
        difference.other_speeds == 1 ? "one pair"
                                     : fmt::format("{} pairs", difference.other_speeds),
        difference.first_speed, difference.found, difference.expected);
}

Finding expected_finding(const AxisMap& map, std::span<const ChannelPair> pairs,
                         const std::string& side, const RotaryScheme& expected, Index head) {
    if (std::ssize(expected.axes) != map.axes) {
        return {faults::code("axes.map"),
                fmt::format("The positions have {} axes, and {} are expected.", map.axes,
                            expected.axes.size()),
                side};
    }
    const SchemeDifference difference =
        difference_from(map, pairs, expected, head, in_order(map.axes));
    if (difference.none()) {
        return {faults::code("axes.map"),
                "The map is the expected one: " + describe_map(map) + ".",
                side,
                {},
                {},
                Weight::note};
    }
    if (const auto axes = exchanged(map, pairs, expected, head)) {
        return swapped_finding(map, side, *axes, "the expected model");
    }
    if (const auto axes = exchanged(map, pairs, expected, head, AtSpeeds::any)) {
        Finding finding = swapped_finding(map, side, *axes, "the expected model");
        finding.text.back() = ',';
        finding.text += " but " + speed_text(difference) + ".";
        return finding;
    }
    if (!difference.pairs.empty()) {
        return {faults::code("axes.map"), "In the map, " + differing_text(map, difference) + ".",
                side};
    }
    if (!difference.comparable && pairs.front() == expected.pairs.front()) {
        return {faults::code("axes.map"), "Other channels turn than expected.", side};
    }
    if (!difference.comparable) {
        return {faults::code("axes.map"),
                fmt::format("Channels {} and {} are a pair; the expected model pairs {} and {}.",
                            pairs.front().first, pairs.front().second, expected.pairs.front().first,
                            expected.pairs.front().second),
                side};
    }
    return {faults::code("axes.map"),
            fmt::format("Pairs turn by the expected axes, but {}.", speed_text(difference)), side};
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
                            run.axis == kAnyAxis     ? "any axis"
                            : run.axis == kMixedAxes ? "several axes at once"
                                                     : axis_word(map, run.axis));
    }
    return text + (runs.size() > kMost ? ", and so on in turn" : "");
}

std::optional<AxisMap> axis_map_of(const RotaryScheme& scheme, Index head,
                                   std::span<const ChannelPair> pairs, int sign) {
    AxisMap map{.axes = std::ssize(scheme.axes), .names = scheme.axes};
    Index known = 0;
    for (const ChannelPair& channels : pairs) {
        std::optional<std::vector<double>> row = row_of_scheme(scheme, head, channels);
        known += row ? 1 : 0;
        std::vector<double> speeds = row.value_or(std::vector<double>(map.axes));
        for (double& each : speeds) {
            each *= sign;
        }
        const Index axis = axis_of_row(speeds);
        map.axis.push_back(axis);
        map.omega.push_back(axis >= 0 ? speeds[axis] : length_of(speeds));
        map.error.push_back(0.0);
        map.mixed.push_back(axis == kMixedAxes ? std::move(speeds) : std::vector<double>());
    }
    return known == scheme.pair_count() ? std::optional(map) : std::nullopt;
}

std::vector<Finding> axis_findings(const AxisMap& map, std::span<const ChannelPair> pairs,
                                   Index head_dim, const std::string& side,
                                   const RotaryScheme* expected, Index head) {
    if (expected != nullptr) {
        return {expected_finding(map, pairs, side, *expected, head)};
    }
    std::optional<Finding> swapped;
    for (const PublishedScheme& published : published_schemes(head_dim, map.axes)) {
        if (difference_from(map, pairs, published.scheme, head, in_order(map.axes)).none()) {
            return {{faults::code("axes.map"),
                     fmt::format("The map is that of {}: {}.", published.title, describe_map(map)),
                     side,
                     {},
                     {},
                     Weight::note}};
        }
        if (const auto axes =
                swapped ? std::nullopt : exchanged(map, pairs, published.scheme, head)) {
            swapped = swapped_finding(map, side, *axes, published.title);
        }
    }
    if (swapped) {
        // Time, height and width have one order; rows and columns are stated in both.
        swapped->weight = map.axes == 2 ? Weight::note : Weight::fault;
        return {*swapped};
    }
    return {{faults::code("axes.map"),
             "The map: " + describe_map(map) + ".",
             side,
             {},
             {},
             Weight::note}};
}

std::vector<PublishedScheme> published_schemes(Index head_dim, Index axes) {
    std::vector<PublishedScheme> found;
    for (const Preset& preset : several_axes_presets()) {
        try {
            RotaryScheme scheme = open_model(preset.name).part().scheme;
            if (scheme.head_dim == head_dim && std::ssize(scheme.axes) == axes) {
                found.push_back({preset.title, std::move(scheme)});
            }
        } catch (const InputError&) {
            continue;  // a preset that makes no scheme of this kind
        }
    }
    return found;
}

}  // namespace ropescope::diagnosis
