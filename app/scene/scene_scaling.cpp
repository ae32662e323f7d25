// Builds a scaling from a scene's fields, and writes one into them.
#include "app/scene/scene_scaling.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "app/scene/parameters.h"
#include "app/scene/values.h"
#include "core/base/index.h"
#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {
namespace {

/// Sets a method's field from the scene's member. 0 means that the method works the number out.
template <typename From, typename To>
void take(const From& from, To& to) {
    if constexpr (std::is_same_v<To, From>) {
        to = from;
    } else if constexpr (std::is_same_v<To, std::optional<From>>) {
        to = from == From{} ? std::nullopt : std::optional(from);
    } else {
        throw std::logic_error("a method's field and the scene's parameter have different types");
    }
}

/// Sets the scene's member from a method's field.
template <typename From, typename To>
void put(const From& from, To& to) {
    if constexpr (std::is_same_v<From, std::optional<To>>) {
        to = from.value_or(To{});
    } else {
        take(from, to);
    }
}

/// Calls visit(value, member) for each field of the method that people can set, with the member of
/// Scene that keeps it.
template <typename Method, typename Visit>
void for_each_setting(Method& method, Visit visit) {
    for_each_field(method, [&](const auto& field, auto& value) {
        if (!field.setting.name.empty()) {
            std::visit([&](auto member) { visit(value, member); },
                       parameter_by_name(field.setting.name).member);
        }
    });
}

/// Fills in what a scene leaves open; most methods need nothing.
template <typename Method>
void complete(Method&, const Scene&) {}

/// Empty lists: no change up to the trained length, the whole factor beyond it.
void complete(LongRopeScaling& longrope, const Scene& scene) {
    const Index pairs = std::clamp<Index>(scene.rotary_dim / 2, 0, kMaxHeadDim / 2);
    const auto fill = [pairs](std::vector<double>& factors, double usual) {
        if (factors.empty()) {
            factors.resize(static_cast<std::size_t>(pairs), usual);
        }
    };
    fill(longrope.short_factor, 1.0);
    fill(longrope.long_factor, longrope.factor);
}

/// The scene with the settings of single methods at their defaults, because the mscale or the lists
/// of one model do not fit another.
Scene without_method_fields(Scene scene) {
    const Scene usual;
    for (const Parameter& parameter : parameters()) {
        const bool kept =
            parameter.name == kScalingFactor.name || parameter.name == kOriginalLength.name;
        if (!parameter.methods().empty() && !kept) {
            std::visit([&](auto member) { scene.*member = usual.*member; }, parameter.member);
        }
    }
    return scene;
}

/// The method whose numbers the view shows: the scene's own. The calculator marks a suggested one
/// while the scene has none that extends a context.
std::string shown_method(const Scene& scene) {
    const auto extends = [](const Scaling& method) { return facts(method).extends; };
    if (scene.view != "context" || extends(scaling_of_type(scene.scaling).value())) {
        return scene.scaling;
    }
    const auto& methods = scaling_methods();
    const auto found = std::ranges::find_if(
        methods, [](const Scaling& method) { return facts(method).suggested; });
    return found == methods.end() ? scene.scaling : std::string(scaling_type(*found));
}

}  // namespace

Scaling scene_scaling(const Scene& scene) {
    return scene_scaling(scene, scene.scaling);
}

Scaling scene_scaling(const Scene& scene, std::string_view method) {
    Scaling scaling = scaling_of_type(method).value_or(NoScaling{});
    std::visit(
        [&](auto& chosen) {
            for_each_setting(chosen, [&](auto& value, auto member) { take(scene.*member, value); });
            complete(chosen, scene);
        },
        scaling);
    return scaling;
}

Scene with_scaling(Scene scene, const Scaling& scaling) {
    scene = without_method_fields(std::move(scene));
    scene.scaling = std::string(scaling_type(scaling));
    std::visit(
        [&](const auto& method) {
            for_each_setting(method,
                             [&](const auto& value, auto member) { put(value, scene.*member); });
        },
        scaling);
    if (const auto* longrope = std::get_if<LongRopeScaling>(&scaling)) {
        // A scene has only one attention factor, so it takes that of the length at which it opens.
        scene.attention_factor = longrope->short_mscale.value_or(scene.attention_factor);
    }
    return scene;
}

bool is_used(const Scene& scene, const Parameter& parameter) {
    return std::ranges::all_of(parameter.read_when, [&](const ReadWhen& when) {
        const std::string value = when.parameter == "scaling"
                                      ? shown_method(scene)
                                      : parameter_text(scene, parameter_by_name(when.parameter));
        const bool listed = std::ranges::find(when.values, value) != when.values.end();
        return listed != when.unless;
    });
}

bool describes_encoding(const Parameter& parameter) {
    return parameter.group == "Encoding" || parameter.name == "scaling" ||
           parameter.name == "spectrum_overlay" || !parameter.methods().empty();
}

std::vector<std::string> with_scaling_parameters(std::vector<std::string> names) {
    for (const Parameter& parameter : parameters()) {
        const bool there = std::ranges::find(names, parameter.name) != names.end();
        if (!there && (parameter.name == "scaling" || !parameter.methods().empty())) {
            names.push_back(parameter.name);
        }
    }
    return names;
}

// Lists the parameters of the scaling methods, from the descriptions of the methods.

namespace {

Parameter::Member member_of(std::string_view setting) {
    const auto* const found = std::ranges::find(kMethodSettings, setting,
                                                &std::pair<std::string_view, SettingMember>::first);
    if (found == std::end(kMethodSettings)) {
        throw std::logic_error(fmt::format("{}: Scene has no member for this setting", setting));
    }
    return std::visit([](auto member) -> Parameter::Member { return member; }, found->second);
}

/// Calls visit(type, setting) for each setting of each method.
template <typename Visit>
void for_each_setting(Visit visit) {
    for (const Scaling& scaling : scaling_methods()) {
        const auto visit_field = [&](const auto& field, const auto&) {
            if (!field.setting.name.empty()) {
                visit(std::string(scaling_type(scaling)), field.setting);
            }
        };
        std::visit([&](const auto& method) { for_each_field(method, visit_field); }, scaling);
    }
}

std::vector<std::string> methods_with(const Setting& shared) {
    std::vector<std::string> types;
    for_each_setting([&](const std::string& type, const Setting& setting) {
        if (setting.name == shared.name) {
            types.push_back(type);
        }
    });
    return types;
}

std::vector<std::string> methods_that_read_the_length() {
    std::vector<std::string> types;
    for (const Scaling& scaling : scaling_methods()) {
        if (facts(scaling).depends_on_seq_len) {
            types.emplace_back(scaling_type(scaling));
        }
    }
    return types;
}

std::vector<ReadWhen> read_by(std::vector<std::string> methods) {
    return {{.parameter = "scaling", .values = std::move(methods)}};
}

std::vector<Parameter> shared_parameters() {
    return {
        {.name = "scaling",
         .group = "Scaling",
         .member = &Scene::scaling,
         .choices = scaling_types(),
         .help = "How the trained context is extended; default is no scaling.",
         .label = "method"},
        {.name = "scaling_factor",
         .group = "Scaling",
         .member = &Scene::scaling_factor,
         .min = 1,
         .max = 64,
         .step = 0,
         .scale = Scale::logarithmic,
         .help = "The factor by which the context is extended.",
         .accepted_max = 1e9,
         .read_when = read_by(methods_with(kScalingFactor)),
         .label = "factor"},
        {.name = "original_length",
         .group = "Scaling",
         .member = &Scene::original_length,
         .min = 128,
         .max = kMaxPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "The trained context, before it is extended.",
         .accepted_min = 1,
         .accepted_max = kLongestContext,
         .read_when = read_by(methods_with(kOriginalLength)),
         .label = "trained length"},
        {.name = "seq_len",
         .group = "Scaling",
         .member = &Scene::seq_len,
         .max = kMaxPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Length of the current sequence; 0 if it is not known yet.",
         .accepted_max = kLongestContext,
         .read_when = read_by(methods_that_read_the_length()),
         .label = "sequence length",
         .zero = "not known"},
        {.name = "attention_factor",
         .group = "Scaling",
         .member = &Scene::attention_factor,
         .max = 4,
         .step = 0,
         .help = "Multiplies cos and sin; 0 takes what the method works out.",
         .accepted_max = 1e6,
         .read_when = read_by(methods_with(kAttentionFactor)),
         .zero = "automatic"},
    };
}

}  // namespace

std::vector<Parameter> scaling_parameters() {
    std::vector<Parameter> table = shared_parameters();
    for_each_setting([&](const std::string& type, const Setting& setting) {
        if (!setting.help.empty()) {  // the method's own
            table.push_back({.name = std::string(setting.name),
                             .group = "Scaling",
                             .member = member_of(setting.name),
                             .min = setting.min,
                             .max = setting.max,
                             .step = 0,
                             .scale = setting.logarithmic ? Scale::logarithmic : Scale::linear,
                             .unit = std::string(setting.unit),
                             .help = std::string(setting.help),
                             .accepted_min = setting.lowest,
                             .accepted_max = setting.highest,
                             .read_when = read_by({type}),
                             .label = std::string(setting.label),
                             .zero = std::string(setting.zero)});
            if (!setting.beside.empty()) {
                table.back().read_when.push_back(
                    {.parameter = std::string(setting.beside), .values = {"0"}, .unless = true});
            }
        }
    });
    return table;
}

}  // namespace ropescope
