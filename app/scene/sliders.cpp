// Computes where a slider stands, its range, and what moving it does.
#include "app/scene/sliders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/scene/axes_grid.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/formats/presets.h"
#include "core/models/model.h"

namespace ropescope {
namespace {

/// Maps a logarithmic axis to a linear one; if it starts at 0, by log(1 + value).
double straighten(const SliderRange& range, Scale scale, double value) {
    if (scale == Scale::linear) {
        return value;
    }
    return range.min > 0 ? std::log(value) : std::log1p(value);
}

double unstraighten(const SliderRange& range, Scale scale, double straight) {
    if (scale == Scale::linear) {
        return straight;
    }
    return range.min > 0 ? std::exp(straight) : std::expm1(straight);
}

/// Rounded to three significant digits, ties to even. The powers of ten are exact doubles, so that
/// the result is the double nearest to its decimal digits.
double three_digits(double value) {
    if (value == 0) {
        return value;
    }
    const double places = 2 - std::floor(std::log10(std::abs(value)));
    const double power = std::pow(10.0, std::abs(places));
    return places >= 0 ? std::nearbyint(value * power) / power
                       : std::nearbyint(value / power) * power;
}

double snapped(const SliderRange& range, double step, double value) {
    if (step <= 0) {
        value = three_digits(value);
    } else {
        value = range.min + std::round((value - range.min) / step) * step;
    }
    return std::clamp(value, range.min, range.max);
}

/// Brings values into the ranges that the rest of the scene allows.
Scene clipped(Scene scene) {
    scene.rotary_dim = std::min(scene.rotary_dim, scene.head_dim);
    scene.first_position = std::min(scene.first_position, largest_first_position(scene));
    return with_existing_pairs(std::move(scene));
}

}  // namespace

SliderRange slider_range(const Scene& scene, const Parameter& parameter) {
    SliderRange range{parameter.min, parameter.max};
    if (parameter.name == "rotary_dim") {
        range.max = to_double(scene.head_dim);
    } else if (parameter.name == "selected_pair") {
        range.max = to_double(scene.rotary_dim / 2 - 1);
    } else if (parameter.name == "first_position") {
        range.max = to_double(largest_first_position(scene));
    } else if (const std::optional<Index> last = last_of_grid(scene, parameter.name)) {
        range.max = to_double(*last);
    }
    range.max = std::max(range.max, range.min);
    return range;
}

double slider_fraction(const Scene& scene, const Parameter& parameter) {
    const SliderRange range = slider_range(scene, parameter);
    const double value = std::clamp(number(scene, parameter), range.min, range.max);
    const double first = straighten(range, parameter.scale, range.min);
    const double last = straighten(range, parameter.scale, range.max);
    return last > first ? (straighten(range, parameter.scale, value) - first) / (last - first)
                        : 1.0;
}

double slider_value(const Scene& scene, const Parameter& parameter, double fraction) {
    const SliderRange range = slider_range(scene, parameter);
    const double first = straighten(range, parameter.scale, range.min);
    const double last = straighten(range, parameter.scale, range.max);
    const double straight = first + std::clamp(fraction, 0.0, 1.0) * (last - first);
    return snapped(range, parameter.step, unstraighten(range, parameter.scale, straight));
}

double nudged_value(const Scene& scene, const Parameter& parameter, int steps) {
    constexpr double kSteps = 60;
    return parameter.step > 0
               ? number(scene, parameter) + steps * parameter.step
               : slider_value(scene, parameter, slider_fraction(scene, parameter) + steps / kSteps);
}

Scene with_slider(Scene scene, std::string_view name, double value) {
    const Parameter& parameter = parameter_by_name(name);
    const SliderRange range = slider_range(scene, parameter);
    const bool was_fully_rotary = scene.rotary_dim == scene.head_dim;
    const double place = std::isnan(value) ? range.min : std::clamp(value, range.min, range.max);
    if (const auto* whole = std::get_if<std::int64_t Scene::*>(&parameter.member)) {
        scene.*(*whole) = round_to_index(snapped(range, parameter.step, place));
    } else if (const auto* real = std::get_if<double Scene::*>(&parameter.member)) {
        scene.*(*real) = place;
    } else {
        throw InputError(parameter.name + ": not a number; only numbers have sliders");
    }
    return clipped(with_followers(std::move(scene), was_fully_rotary, {name}));
}

// Lists the published models that the axes view offers, and their axes.

namespace {

std::vector<std::string> axes_models(std::vector<std::string> names) {
    for (const Preset& preset : several_axes_presets()) {
        names.push_back(preset.name);
    }
    names.emplace_back(kMixedStart);
    return names;
}

using ModelPart = std::pair<std::string, AxesPart>;

/// none, all, and the axes of each part of each published model.
std::map<ModelPart, std::vector<std::string>> axes_of_presets() {
    std::map<ModelPart, std::vector<std::string>> axes;
    for (const Preset& preset : several_axes_presets()) {
        for (const Part& part : open_model(preset.name).parts) {
            std::vector<std::string> choices = {std::string(kNoAxisChosen), std::string(kAllAxes)};
            choices.insert(choices.end(), part.scheme.axes.begin(), part.scheme.axes.end());
            if (const auto named = enum_value<AxesPart>(part.kind)) {
                axes[{preset.name, *named}] = choices;
            }
            axes.try_emplace({preset.name, AxesPart::first}, choices);
        }
    }
    return axes;
}

}  // namespace

const std::vector<std::string>& offered_values(const Scene& scene, std::string_view parameter) {
    static const std::vector<std::string> models = axes_models({}), others = axes_models({"none"}),
                                          nothing;
    if (parameter == "axis") {
        static const auto axes = axes_of_presets();
        const auto found = axes.find({scene.axes_model, scene.axes_part});
        return found == axes.end() ? nothing : found->second;
    }
    return parameter == "axes_model" ? models : parameter == "axes_other" ? others : nothing;
}

}  // namespace ropescope
