// Takes one axis of a model of several, as an encoding of one axis.
#include "app/figures/shared/shown_encoding.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::figures {
namespace {

/// The number of the axis of that name; the number of axes for "all".
Index axis_number(const RotaryScheme& scheme, const Scene& scene) {
    const Index axes = std::ssize(scheme.axes);
    const auto found = std::ranges::find(scheme.axes, scene.axis) - scheme.axes.begin();
    if (found == axes && scene.axis != kAllAxes) {
        throw InputError(fmt::format("axis: {} is not an axis of axes_model={}; give {}, {} or {}",
                                     in_quotes(scene.axis), printable(scene.axes_model, 60),
                                     fmt::join(scheme.axes, ", "), kAllAxes, kNoAxisChosen));
    }
    return found;
}

/// Radians per unit of position in that axis, or in all of them at once.
Spectrum spectrum_along(const Spectrum& several, Index axis) {
    Spectrum one = several;
    one.axes = 1;
    one.inv_freq_rad.clear();
    for (Index pair = 0; pair < several.pairs(); ++pair) {
        const auto omega_rad = several.omega_rad(pair);
        double sum_rad = 0;
        for (const double each_rad : omega_rad) {
            sum_rad += each_rad;
        }
        one.inv_freq_rad.push_back(axis < several.axes ? omega_rad[axis] : sum_rad);
    }
    return one;
}

/// "centre of the row from -1 to 1" if the positions of the axis are not whole numbers.
std::string unusual_positions(const RotaryScheme& scheme, Index axis) {
    const auto* const grid = std::get_if<GridRule>(&scheme.positions);
    if (grid == nullptr || axis >= std::ssize(grid->axes)) {
        return "";
    }
    const Coordinate& coordinate = grid->axes[axis];
    const bool whole = coordinate.spacing == Spacing::centred ||
                       (coordinate.spacing == Spacing::plain && coordinate.scale == 1.0);
    return whole ? "" : describe(GridRule{.axes = {coordinate}});
}

}  // namespace

plot::Text AlongAxis::words() const {
    return plot::say("along {} of {}", axis == kAllAxes ? "all axes at once" : axis, model);
}

const Part& axes_part(const Model& model, AxesPart part) {
    return part == AxesPart::first ? model.parts.front() : model.part(to_string(part));
}

ShownEncoding shown_encoding(const Scene& scene) {
    if (scene.axis == kNoAxisChosen) {
        const RopeSpec spec = rope_spec(scene);
        return {scene, spec, make_spectrum(spec), std::nullopt};
    }
    const Model model = open_model(scene.axes_model, Allowed::regular_file);
    const RotaryScheme& scheme = axes_part(model, scene.axes_part).scheme;
    const Index axis = axis_number(scheme, scene);
    const Index head = std::min<Index>(scene.axes_head, std::ssize(scheme.heads) - 1);
    ShownEncoding shown{scene, {}, spectrum_along(scheme.heads[head], axis), AlongAxis{}};
    shown.scene.head_dim = scheme.head_dim;
    shown.scene.rotary_dim = 2 * scheme.pair_count();
    shown.scene.scaling = "default";
    shown.scene.layout =
        layout_name(scheme.pairs) == "interleaved" ? Layout::interleaved : Layout::half_split;
    shown.scene = with_existing_pairs(shown.scene);
    shown.spec = rope_spec(shown.scene);
    const auto& omega_rad = shown.spectrum.inv_freq_rad;
    shown.along =
        AlongAxis{scene.axis,
                  model.title,
                  scheme.pairs,
                  axis < std::ssize(scheme.axes) ? role_of_side(side_of_axis(scheme, axis))
                                                 : plot::Role::text,
                  std::ranges::count_if(omega_rad, [](double each_rad) { return each_rad != 0; }),
                  unusual_positions(scheme, axis)};
    return shown;
}

ChannelPair channels_of(const RopeSpec& spec, const std::optional<AlongAxis>& along, Index pair) {
    return along ? along->pairs[pair] : pair_channels(spec.layout, spec.rotary_dim, pair);
}

std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum,
                                         const std::optional<AlongAxis>& along, Index pair) {
    std::vector<plot::Readout> readouts = describe_pair(spec, spectrum, pair);
    const ChannelPair channels = channels_of(spec, along, pair);
    std::ranges::find(readouts, "channels", &plot::Readout::name)->value =
        fmt::format("{}, {}", channels.first, channels.second);
    return readouts;
}

plot::Text report_head(const plot::Figure& figure, const RopeSpec& spec,
                       const std::optional<AlongAxis>& along) {
    if (!along) {
        return report_head(figure, spec);
    }
    return std::string(figure.title) + "\n" + std::string(figure.subtitle) + "\n" +
           plot::say("head_dim {}, {} {}", spec.head_dim, counted(spec.pairs(), "pair"),
                     along->words()) +
           "\n\n";
}

plot::Text along_sentence(const std::optional<AlongAxis>& along) {
    return along && !along->positions.empty()
               ? plot::say(" Patches do not lie at whole positions ({}).", along->positions)
               : plot::Text();
}

// Finds the axis of each pair, and counts the pairs of each axis.

plot::Role role_of_side(GridSide side) {
    switch (side) {
        case GridSide::frame:
            return plot::Role::first;
        case GridSide::row:
            return plot::Role::second;
        case GridSide::column:
            return plot::Role::third;
        case GridSide::none:
            break;
    }
    return plot::Role::text;
}

GridSide side_of_axis(const RotaryScheme& scheme, Index axis) {
    if (const auto* grid = std::get_if<GridRule>(&scheme.positions)) {
        return grid->axes[axis].side;
    }
    constexpr GridSide kSides[] = {GridSide::frame, GridSide::row, GridSide::column};  // t, h, w
    return axis < std::ssize(kSides) ? kSides[axis] : GridSide::none;
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
