// Chooses the values that a page has computed for each control.
#include "app/pages/step_controls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "app/figures/shared/choice_names.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/film.h"
#include "app/plot/number_text.h"
#include "app/scene/scene_scaling.h"
#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/formats/presets.h"

namespace ropescope::pages {
namespace {

/// Frames are a few kilobytes each, and one film is loaded while its reader waits: that many values
/// for each of two controls, whose combinations are all drawn, and in a list.
constexpr std::size_t kMostOfTwo = 9, kMostListed = 9;

bool is_whole_number(const Parameter& parameter) {
    return std::holds_alternative<std::int64_t Scene::*>(parameter.member);
}

std::string value_setting(const Parameter& parameter, double value) {
    return is_whole_number(parameter) ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

/// Numbers from `low` to `high`, in steps or, if these are too many, evenly spread, always with the
/// `kept` ones.
std::set<double> even_numbers(double low, double high, double step, std::size_t most,
                              std::set<double> kept) {
    const double count = step > 0 ? (high - low) / step : static_cast<double>(most);
    const double stride = std::max(1.0, std::ceil(count / static_cast<double>(most)));
    const double by = step > 0 ? step * stride
                               : (high - low) / static_cast<double>(std::max<std::size_t>(1, most));
    for (double at = low; by > 0 && at <= high + by / 1024; at += by) {
        kept.insert(std::min(at, high));
    }
    return kept;
}

/// With as many digits as a reader can say: 71 000, not 70 710.7.
double rounded(double value) {
    return std::strtod(fmt::format("{:.2g}", value).c_str(), nullptr);
}

/// Numbers that grow by one factor.
std::set<double> growing_numbers(double low, double high, double step, std::size_t most,
                                 std::set<double> kept) {
    for (std::size_t i = 0; i <= most; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(most);
        const double value = std::exp(std::log(low) + share * (std::log(high) - std::log(low)));
        kept.insert(step > 0 ? std::max(step, std::round(value / step) * step) : rounded(value));
    }
    return kept;
}

/// The numbers around the way from one value to the other: a quarter of it further on both sides,
/// and at least three steps, so that a reader can miss what is asked for.
std::set<double> numbers_around(const Parameter& parameter, const SliderRange& range, double from,
                                double to, std::size_t most) {
    const double low = std::min(from, to), high = std::max(from, to);
    const double step = parameter.step;
    const double beyond = std::max((high - low) / 4, 3 * step);
    const auto inside = [&](double value) { return std::clamp(value, range.min, range.max); };
    constexpr double kFar = 64;  // beyond it, numbers of a logarithmic slider grow by a factor
    if (parameter.scale == Scale::logarithmic && high > kFar) {
        // The next ones show that exactly this number was asked for.
        std::set<double> kept = {from, to};
        if (is_whole_number(parameter)) {
            kept.insert({inside(to - step), inside(to + step)});
        }
        constexpr double kFurther = 4;
        const double lowest =
            std::max({range.min, low / kFurther, step > 0 ? step : low / kFurther});
        return growing_numbers(lowest, inside(high * kFurther), step,
                               std::min<std::size_t>(most, 21), std::move(kept));
    }
    // Of two controls each has few values, and they lie on whole steps from the first one.
    const double first = step > 0 ? from - std::floor((from - inside(low - beyond)) / step) * step
                                  : inside(low - beyond);
    return even_numbers(first, inside(high + beyond), step, most, {from, to});
}

/// At most kMostListed of the choices, in their order, with those that are kept.
std::vector<std::string> few_of(const std::vector<std::string>& all,
                                const std::set<std::string>& kept) {
    std::vector<std::string> few;
    std::size_t room = kMostListed - std::min(kMostListed, kept.size());
    for (const std::string& each : all) {
        const bool keep = kept.contains(each);
        if (keep || room > 0) {
            few.push_back(each);
            room -= keep ? 0 : 1;
        }
    }
    return few;
}

std::size_t place_of(const std::vector<std::string>& values, const std::string& value) {
    const auto found = std::ranges::find(values, value);
    return found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
}

StepControl control_between(const Scene& from, const Scene& to, const Parameter& parameter,
                            std::size_t most) {
    StepControl control{.parameter = &parameter, .values = {}};
    std::string start = parameter_text(from, parameter), solved = parameter_text(to, parameter);
    if (is_number(parameter)) {
        start = value_setting(parameter, number(from, parameter));
        solved = value_setting(parameter, number(to, parameter));
        for (const double value :
             numbers_around(parameter, slider_range(from, parameter), number(from, parameter),
                            number(to, parameter), most)) {
            std::string setting = value_setting(parameter, value);
            if (control.values.empty() || control.values.back() != setting) {
                control.values.push_back(std::move(setting));
            }
        }
    } else {
        control.values = few_of(figures::listed_values(from, parameter), {start, solved});
        if (start != solved &&
            place_of(control.values, start) == place_of(control.values, solved)) {
            control.values = {start, solved};  // a text has no list
        }
    }
    control.start = place_of(control.values, start);
    control.solved = place_of(control.values, solved);
    return control;
}

}  // namespace

std::string control_value(const std::string& value) {
    const std::optional<double> number = parse_number<double>(value);
    return number ? std::string(plot::exact_number_text(*number)) : spoken(value);
}

std::vector<StepControl> controls_of(const lessons::Step& step, std::size_t most) {
    if (!step.task) {
        return {};
    }
    const Scene solved = lessons::solved_scene(step);
    std::vector<const Parameter*> changed;
    for (const std::string& setting : step.task->solution) {
        const Parameter& parameter = parameter_by_name(setting.substr(0, setting.find('=')));
        if (parameter_text(step.scene, parameter) != parameter_text(solved, parameter)) {
            changed.push_back(&parameter);
        }
    }
    std::vector<StepControl> controls;
    for (const Parameter* parameter : changed) {
        controls.push_back(
            control_between(step.scene, solved, *parameter,
                            changed.size() == 1 ? most : std::min(most, kMostOfTwo)));
    }
    return controls;
}

std::vector<StepControl> drawable(const Scene& scene, std::vector<StepControl> controls,
                                  Engine& engine) {
    figures::FigureCache cache;
    for (StepControl& control : controls) {
        const std::string start = control.values[control.start],
                          solved = control.values[control.solved];
        std::erase_if(control.values, [&](const std::string& value) {
            try {
                const std::string setting = control.parameter->name + "=" + value;
                figures::make_figure(apply_settings(scene, {setting}), engine, {.cache = &cache});
                return false;
            } catch (const InputError&) {
                return true;
            }
        });
        control.start = place_of(control.values, start);
        control.solved = place_of(control.values, solved);
    }
    return controls;
}

namespace {

/// From end to end of the slider of a number, or the choices of a list.
StepControl whole_control(const Scene& scene, const Parameter& parameter, std::size_t most) {
    StepControl control{.parameter = &parameter, .values = {}};
    if (parameter.name == "model") {  // published ones, whose files the page need not have
        std::vector<std::string> ids;
        for (const ModelConfig& model : model_presets()) {
            ids.push_back(model.id);
        }
        control.values = few_of(ids, {scene.model});
        control.start = control.solved = place_of(control.values, scene.model);
        return control;
    }
    if (!is_number(parameter)) {
        return control_between(scene, scene, parameter, most);
    }
    std::set<double> values = {number(scene, parameter)};
    for (std::size_t i = 0; i < most; ++i) {
        const double value =
            slider_value(scene, parameter, static_cast<double>(i) / static_cast<double>(most - 1));
        const bool at_an_end = i == 0 || i + 1 == most;
        const bool is_short = is_whole_number(parameter) && value < 100;
        values.insert(at_an_end || is_short ? value : rounded(value));
    }
    for (const double value : values) {
        control.values.push_back(value_setting(parameter, value));
    }
    control.start = control.solved =
        place_of(control.values, value_setting(parameter, number(scene, parameter)));
    return control;
}

/// Leaves out values with which the figure looks as with one before: layers that a model has not.
void leave_out_alike(const Scene& scene, StepControl& control, Engine& engine) {
    figures::FigureCache cache;
    std::set<std::vector<std::string>> seen;
    const std::string start = control.values[control.start];
    const auto is_new = [&](const std::string& value) {
        const Scene changed = apply_settings(scene, {control.parameter->name + "=" + value});
        return seen.insert(look_of(figures::make_figure(changed, engine, {.cache = &cache})))
            .second;
    };
    is_new(start);
    std::erase_if(control.values,
                  [&](const std::string& value) { return value != start && !is_new(value); });
    control.start = control.solved = place_of(control.values, start);
}

}  // namespace

std::vector<StepControl> controls_of(const figures::View& view, const Scene& scene,
                                     std::size_t most, Engine& engine) {
    std::vector<StepControl> switches;
    for (const std::string& name : view.parameters) {
        const Parameter* parameter = find_parameter(name);
        if (parameter == nullptr || name == "view" || !is_used(scene, *parameter) ||
            !view.needs(name, scene)) {
            continue;
        }
        StepControl control = whole_control(scene, *parameter, most);
        if (control.values.size() < 2) {
            continue;  // a text without a list
        }
        control = drawable(scene, {control}, engine).front();
        leave_out_alike(scene, control, engine);
        constexpr std::size_t kMostOfSwitch = 3;
        const bool is_switch = !is_number(*parameter) && control.values.size() <= kMostOfSwitch;
        if (is_switch || name == "model") {
            switches.push_back(std::move(control));
        } else if (control.values.size() > 1) {
            return {control};
        }
    }
    std::erase_if(switches, [](const StepControl& each) { return each.values.size() < 2; });
    switches.resize(std::min<std::size_t>(switches.size(), 1));
    return switches;
}

std::size_t frame_count(const std::vector<StepControl>& controls) {
    std::size_t count = 1;
    for (const StepControl& control : controls) {
        count *= control.values.size();
    }
    return count;
}

Scene frame_scene(const Scene& scene, const std::vector<StepControl>& controls, std::size_t frame) {
    std::vector<std::string> settings;
    for (const StepControl& control : controls) {
        settings.push_back(control.parameter->name + "=" +
                           control.values[frame % control.values.size()]);
        frame /= control.values.size();
    }
    return apply_settings(scene, settings);
}

namespace {

std::size_t frame_at(const std::vector<StepControl>& controls, std::size_t StepControl::*place) {
    std::size_t frame = 0, stride = 1;
    for (const StepControl& control : controls) {
        frame += control.*place * stride;
        stride *= control.values.size();
    }
    return frame;
}

}  // namespace

std::size_t start_frame(const std::vector<StepControl>& controls) {
    return frame_at(controls, &StepControl::start);
}

std::size_t solved_frame(const std::vector<StepControl>& controls) {
    return frame_at(controls, &StepControl::solved);
}

}  // namespace ropescope::pages
