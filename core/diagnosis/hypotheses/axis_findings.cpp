// Names a map of axes, and compares it with those of known models.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/diagnosis/hypotheses/axis_map.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/models/model.h"

namespace ropescope::diagnosis {
namespace {

/// The name of an axis, as it is said.
Value axis_word(const AxisMap& map, Index axis) {
    if (axis < 0 || axis >= std::ssize(map.names)) {
        return axis == kAnyAxis     ? say::kAnyAxis
               : axis == kMixedAxes ? say::kSeveralAxes
                                    : say::kNoAxis;
    }
    const std::string& name = map.names[axis];
    return name == "t"   ? say::kTime
           : name == "h" ? say::kHeight
           : name == "w" ? say::kWidth
                         : Value(name);
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

Finding swapped_finding(const AxisMap& map, Side side, std::pair<Index, Index> axes,
                        const Value& model) {
    return {faults::code("axes.swapped"),
            {say::kAxesExchanged, {axis_word(map, axes.first), axis_word(map, axes.second), model}},
            {side}};
}

/// Pairs 24 to 43 turn by height, the model's by width.
Words differing_pairs(const AxisMap& map, const SchemeDifference& difference) {
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
    const Words range =
        first == last ? Words(say::kPairTurns, {first}) : Words(say::kPairsTurn, {first, last});
    return {say::kMapDiffers,
            {range, axis_word(map, map.axis[first]), axis_word(map, difference.wanted.front()),
             std::ssize(difference.pairs), std::ssize(map.axis)}};
}

/// The first of the pairs at another speed.
Words differing_speed(const SchemeDifference& difference) {
    return {
        difference.other_speeds == 1 ? say::kOneSpeed : say::kSomeSpeeds,
        {difference.first_speed, difference.found, difference.expected, difference.other_speeds}};
}

Finding expected_finding(const AxisMap& map, std::span<const ChannelPair> pairs, Side side,
                         const RotaryScheme& expected, Index head) {
    const auto of_map = [&](Words words, Weight weight = Weight::fault) {
        return Finding{faults::code("axes.map"), std::move(words), {side}, {}, {}, weight};
    };
    if (std::ssize(expected.axes) != map.axes) {
        return of_map({say::kNumberOfAxes, {map.axes, std::ssize(expected.axes)}});
    }
    const SchemeDifference difference =
        difference_from(map, pairs, expected, head, in_order(map.axes));
    if (difference.none()) {
        return of_map({say::kMapExpected, {describe_map(map)}}, Weight::note);
    }
    if (const auto axes = exchanged(map, pairs, expected, head)) {
        return swapped_finding(map, side, *axes, say::kExpectedModel);
    }
    if (const auto axes = exchanged(map, pairs, expected, head, AtSpeeds::any)) {
        Finding finding = swapped_finding(map, side, *axes, say::kExpectedModel);
        finding.words.phrase = &say::kAxesExchangedBut;
        finding.words.values.emplace_back(differing_speed(difference));
        return finding;
    }
    if (!difference.pairs.empty()) {
        return of_map(differing_pairs(map, difference));
    }
    if (!difference.comparable && pairs.front() == expected.pairs.front()) {
        return of_map(say::kOtherChannels);
    }
    if (!difference.comparable) {
        const auto [a, b] = pairs.front();
        const auto [wanted_a, wanted_b] = expected.pairs.front();
        return of_map({say::kOtherPairs, {a, b, wanted_a, wanted_b}});
    }
    return of_map({say::kAxesButSpeeds, {differing_speed(difference)}});
}

}  // namespace

Words describe_map(const AxisMap& map) {
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
    std::vector<Words> said;
    constexpr std::size_t kMost = 8;
    for (std::size_t r = 0; r < std::min(runs.size(), kMost); ++r) {
        const auto& [first, last, axis] = runs[r];
        said.push_back(first == last ? Words(say::kPairBy, {first, axis_word(map, axis)})
                                     : Words(say::kPairsBy, {first, last, axis_word(map, axis)}));
    }
    return {say::kMap, {said, runs.size() > kMost ? Value(say::kAndSoOn) : Value()}};
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
                                   Index head_dim, Side side, const RotaryScheme* expected,
                                   Index head) {
    if (expected != nullptr) {
        return {expected_finding(map, pairs, side, *expected, head)};
    }
    std::optional<Finding> swapped;
    for (const PublishedScheme& published : published_schemes(head_dim, map.axes)) {
        if (difference_from(map, pairs, published.scheme, head, in_order(map.axes)).none()) {
            return {{faults::code("axes.map"),
                     {say::kMapOf, {published.title, describe_map(map)}},
                     {side},
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
             {say::kMapIs, {describe_map(map)}},
             {side},
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
