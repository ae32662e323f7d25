// The one table of scene parameters. Sliders, --set name=value, --help, the scene file and the docs
// all read it; adding a parameter is one field in Scene and one row here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope {

enum class Scale { linear, logarithmic };

struct Parameter {
    using Member = std::variant<std::int64_t Scene::*, double Scene::*, std::string Scene::*,
                                std::vector<std::int64_t> Scene::*>;
    std::string name;   ///< also the key of the scene file
    std::string group;  ///< heading in the controls: "Positions", "Encoding", ...
    Member member;
    double min = 0.0;  ///< of the slider; numbers and list elements
    double max = 0.0;
    double step = 1.0;  ///< granularity of the slider: 2 for even dimensions
    Scale scale = Scale::linear;
    std::vector<std::string> choices = {};  ///< strings with a fixed set of values
    std::string form = {};    ///< of a string without choices that may be empty: what it looks like
    std::string unit = {};    ///< "channels", "positions", "rad/position", ...
    std::string help = {};    ///< one sentence
    std::string symbol = {};  ///< what formulas and figures call it: "m"
    /// What --set and scene files accept, where that is more than the slider offers.
    std::optional<double> accepted_min = {}, accepted_max = {};
    /// The scaling methods that read it; empty: it counts whatever the scaling.
    std::vector<std::string> methods = {};

    double lowest() const { return accepted_min.value_or(min); }
    double highest() const { return accepted_max.value_or(max); }
};

const std::vector<Parameter>& parameters();
/// Null when there is none.
const Parameter* find_parameter(std::string_view name);
/// Throws InputError naming near matches.
const Parameter& parameter_by_name(std::string_view name);

/// What a value must look like, for errors and help: "a whole number from 2 to 4096",
/// "interleaved or half_split", "a finite number above 0".
std::string expected_form(const Parameter& parameter);

/// The value as the text that set_parameter() accepts.
std::string parameter_text(const Scene& scene, const Parameter& parameter);

/// Scene with one value replaced. Throws InputError naming the parameter (or near matches), the
/// text and the expected form or range. Does not check values against each other: rope_spec() does.
Scene set_parameter(Scene scene, std::string_view name, std::string_view text);

/// Applies "name=value" strings in order; "model=..." (a preset's id, or the path of a config.json
/// or of its folder) is loaded first, wherever it stands. What follows: see assignments.h.
Scene apply_settings(Scene scene, const std::vector<std::string>& settings);

}  // namespace ropescope
