// Builds a scaling from a scene's fields, and writes one into them.
#include "app/scene/scene_scaling.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "app/scene/values.h"
#include "core/base/index.h"

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

}  // namespace ropescope
