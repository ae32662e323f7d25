// Explains a side whose positions have several axes: the map of pairs to axes, and its spectrum.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/scaling/proportional.h"

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

/// Pairs behind these stay as they are: a map has no speed for them.
Index turning_pairs(const AxisMap& map) {
    Index count = std::ssize(map.axis);
    while (count > 0 && map.axis[count - 1] == kAnyAxis &&
           std::abs(map.omega[count - 1]) <= map.error[count - 1]) {
        --count;
    }
    return count;
}

/// One range of frequencies over these pairs, as M-RoPE has.
std::optional<SpectrumModel> common_spectrum(const AxisMap& map, Index pairs, Index head_dim,
                                             int sign) {
    std::vector<Index> some = pairs_of_axis(map, kAnyAxis);
    some.resize(pairs);
    const Speeds speeds = speeds_of(map, some, sign);
    const SpectrumQuestion question{speeds, head_dim, 2 * std::ssize(speeds.omega)};
    for (ModelSource* const source : {&default_spectra, &linear_spectra, &fitted_default}) {
        if (const std::vector<SpectrumModel> found = models_of(source, question); !found.empty()) {
            return found.front();
        }
    }
    return std::nullopt;
}

/// How many pairs an axis may have: those that show it, with the slow ones behind them that any
/// axis explains, or its share of all pairs.
std::set<Index> possible_counts(const AxisMap& map, Index axis) {
    Index shown = 0, with_slow = 0, last = kAnyAxis;
    for (const Index each : map.axis) {
        last = each == kAnyAxis ? last : each;
        shown += each == axis ? 1 : 0;
        with_slow += last == axis ? 1 : 0;
    }
    return {shown, with_slow, std::max(shown, std::ssize(map.axis) / map.axes)};
}

/// A range of frequencies of its own for each axis, as vision towers and FLUX have: the usual base
/// that fits all of them best.
std::optional<SpectrumModel> spectrum_of_each(const AxisMap& map, Index head_dim, int sign) {
    std::map<double, std::pair<Index, double>> bases;  // base: axes that it fits, and how far off
    Index axes = 0;
    for (Index axis = 0; axis < map.axes; ++axis) {
        const std::vector<Index> pairs = pairs_of_axis(map, axis);
        if (pairs.size() < 2) {
            continue;
        }
        ++axes;
        const Speeds speeds = speeds_of(map, pairs, sign);
        std::map<double, double> off;
        for (const Index count : possible_counts(map, axis)) {
            const SpectrumQuestion question{speeds, head_dim, 2 * count};
            for (const SpectrumModel& model : models_of(&default_spectra, question)) {
                off.try_emplace(*model.base, fit_of(question, model.omega).squares);
            }
        }
        for (const auto& [base, squares] : off) {
            ++bases[base].first;
            bases[base].second += squares;
        }
    }
    const auto fits_all = [&](double base) {
        const auto found = bases.find(base);
        return axes > 0 && found != bases.end() && found->second.first == axes;
    };
    std::optional<double> best;
    for (const double base : usual_bases()) {  // the first of those that fit alike is more usual
        if (fits_all(base) && (!best || bases[base].second < 0.25 * bases[*best].second)) {
            best = base;
        }
    }
    if (!best) {
        return std::nullopt;
    }
    return SpectrumModel{.code = faults::code("spectrum.default"),
                         .base = *best,
                         .words = {say::kBaseInEachAxis, {Measured{*best}}}};
}

/// Of the expected schemes one with the sizes at hand, else any; null if nothing is expected.
const RotaryScheme* expected_scheme(const Expected& expected, Index head_dim, Index axes) {
    const RotaryScheme* scheme = nullptr;
    for (const RotaryScheme& each : expected.schemes) {
        const bool fits = each.head_dim == head_dim && std::ssize(each.axes) == axes;
        if (scheme == nullptr || fits) {
            scheme = &each;
        }
    }
    return scheme;
}

/// The map of the scheme, forwards or backwards, if it predicts all angles.
std::optional<AxisMap> predicted_by(const RotaryScheme& scheme, const Explanation& side,
                                    const DumpPositions& positions, Index head) {
    if (scheme.head_dim != side.head_dim || std::ssize(scheme.axes) != positions.axes) {
        return std::nullopt;
    }
    for (const int sign : {1, -1}) {
        std::optional<AxisMap> map = axis_map_of(scheme, head, side.pairing.pairs, sign);
        if (map && explains(*map, side.turns, positions, side.noise)) {
            return map;
        }
    }
    return std::nullopt;
}

/// The simplest map: that of the expected scheme or of a published one if it predicts all angles,
/// else what the angles show by themselves.
AxisMap find_map(const Explanation& side, const DumpPositions& positions,
                 const RotaryScheme* scheme, Index head) {
    if (scheme != nullptr) {
        if (std::optional<AxisMap> map = predicted_by(*scheme, side, positions, head)) {
            return *map;
        }
    }
    for (const PublishedScheme& published : published_schemes(side.head_dim, positions.axes)) {
        if (std::optional<AxisMap> map = predicted_by(published.scheme, side, positions, head)) {
            return *map;
        }
    }
    AxisMap map = recover_axis_map(side.turns, positions, side.noise);
    if (scheme != nullptr && std::ssize(scheme->axes) == map.axes) {
        map.names = scheme->axes;
    }
    return map;
}

/// -1 if the pairs turn the other way: nearly all of them, because speeds that are learned, or too
/// fast to be told from slower ones, have any sign.
int sign_of(const AxisMap& map) {
    Index forwards = 0, backwards = 0;
    for (std::size_t p = 0; p < map.axis.size(); ++p) {
        if (std::abs(map.omega[p]) > map.error[p]) {
            ++(map.omega[p] < 0.0 ? backwards : forwards);
        }
    }
    return !map.has_mixed() && backwards > 10 * forwards ? -1 : 1;
}

/// The same map turned round: the transposed rotation has it.
AxisMap times(AxisMap map, int sign) {
    for (std::size_t p = 0; p < map.axis.size(); ++p) {
        map.omega[p] *= map.axis[p] == kMixedAxes ? 1 : sign;
        for (double& omega : map.mixed[p]) {
            omega *= sign;
        }
    }
    return map;
}

SpectrumModel spectrum_of(const AxisMap& map, Index pairs, Index head_dim, int sign) {
    if (map.has_mixed()) {
        return {.code = faults::code("spectrum.scaled"), .words = say::kLearnedDirections};
    }
    std::optional<SpectrumModel> model = common_spectrum(map, pairs, head_dim, sign);
    if (!model) {
        model = spectrum_of_each(map, head_dim, sign);
    }
    return model ? *model
                 : SpectrumModel{.code = faults::code("spectrum.scaled"), .words = say::kOwnSpeeds};
}

/// Tokens that turn as a known model has it, the expected one before the published ones, at other
/// positions than stated. Where the angles give a map of the stated positions, that is simpler.
bool find_misplaced(Explanation& side, const DumpPositions& positions, const RotaryScheme* scheme,
                    Index head, const AxisMap& found) {
    if (found.explained() && !found.has_mixed()) {
        return false;
    }
    std::vector<RotaryScheme> schemes;
    if (scheme != nullptr) {
        schemes.push_back(*scheme);
    } else if (!found.explained()) {
        for (PublishedScheme& published : published_schemes(side.head_dim, positions.axes)) {
            schemes.push_back(std::move(published.scheme));
        }
    }
    for (const RotaryScheme& each : schemes) {
        if (each.head_dim != side.head_dim || std::ssize(each.axes) != positions.axes) {
            continue;
        }
        const auto map = axis_map_of(each, head, side.pairing.pairs, 1);
        auto finding = map ? misplaced_tokens(*map, side.turns, positions, side.noise, side.side)
                           : std::nullopt;
        if (finding) {
            side.findings.push_back(std::move(*finding));
            return true;
        }
    }
    return false;
}

/// The side turns by this map; findings compare it with `scheme`, which may be null.
void adopt_map(Explanation& side, AxisMap map, std::span<const ChannelPair> pairs,
               const RotaryScheme* scheme, Index head) {
    side.sign = sign_of(map);
    // Only adjacent pairs can stay behind the others; a half-split layout says its width itself.
    const bool behind = side.pairing.layout == "interleaved";
    const Index turning =
        behind ? std::max(turning_pairs(map), side.pairing.touched_pairs) : side.turns.pairs;
    SpectrumModel model = spectrum_of(map, turning, side.head_dim, side.sign);
    model.omega = map.omega;
    for (std::size_t p = 0; p < model.omega.size(); ++p) {
        model.omega[p] *= map.axis[p] == kMixedAxes ? 1 : side.sign;
    }
    model.rotary_dim = 2 * turning;
    side.model = std::move(model);
    side.speeds = speeds_of(map, pairs_of_axis(map, kAnyAxis), side.sign);
    side.places.position = side.stated;
    side.places.error.assign(side.stated.size(), std::numeric_limits<double>::infinity());
    side.offset = 0.0;
    for (Finding& finding :
         axis_findings(times(map, side.sign), pairs, side.head_dim, side.side, scheme, head)) {
        finding.measured = describe_map(map);
        if (finding.code == faults::code("axes.swapped") && finding.weight == Weight::note) {
            side.too_little = {say::kOrderOpen, {finding.words}};
        }
        side.findings.push_back(std::move(finding));
    }
    side.axis_map = std::move(map);
}

}  // namespace

void explain_axes(Explanation& side, const DumpPositions& positions, const Expected& expected) {
    if (side.heads_differ) {
        side.too_little = {say::kHeadsInAxes, {side.side}};
        return;
    }
    const RotaryScheme* scheme = expected_scheme(expected, side.head_dim, positions.axes);
    AxisMap map = find_map(side, positions, scheme, expected.head);
    if (find_misplaced(side, positions, scheme, expected.head, map)) {
        return;
    }
    if (!map.explained()) {
        const auto none = std::ranges::count(map.axis, kNoAxis);
        side.too_little = {say::kNoSumOfAxes,
                           {none, std::ssize(map.axis), side.side,
                            expected.anything() ? Value() : Value(say::kOrExpect)}};
        return;
    }
    adopt_map(side, std::move(map), side.pairing.pairs, scheme, expected.head);
}

void explain_axes_as(Explanation& side, const RotaryScheme& scheme, Index head) {
    if (auto map = axis_map_of(scheme, head, scheme.pairs, 1)) {
        adopt_map(side, std::move(*map), scheme.pairs, &scheme, head);
        side.model->words = say::kExpected;
    }
}

}  // namespace ropescope::diagnosis
