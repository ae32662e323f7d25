// The one table of scene parameters. Sliders, --set name=value, --help, the scene file and the docs
// all read it; adding a parameter is one field in Scene and one row here. Sources: parameters.cpp,
// view_parameters.cpp, dump_parameters.cpp, scene_scaling.cpp, values.cpp (the page of the
// documents).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope {

/// Another parameter's values under which a parameter is read.
struct ReadWhen {
    std::string parameter;
    std::vector<std::string> values;
    bool unless = false;  ///< true: it is read under all other values
};

struct Parameter {
    using Member = std::variant<
        std::int64_t Scene::*, double Scene::*, std::string Scene::*,
        std::vector<std::int64_t> Scene::*, std::vector<double> Scene::*, bool Scene::*,
        Layout Scene::*, Scale Scene::*, NumberFormat Scene::*, SpectrumQuantity Scene::*,
        Overlays Scene::*, TableQuantity Scene::*, LayoutsShow Scene::*, ContextShow Scene::*,
        EncodingsShow Scene::*, AttentionQuantity Scene::*, AttentionSource Scene::*,
        AttentionCompare Scene::*, ContentSource Scene::*, ListedStatus Scene::*, AxesPart Scene::*,
        AxesTokens Scene::*, PrecisionLines Scene::*, NormPlace Scene::*>;
    std::string name;   ///< also the key of the scene file
    std::string group;  ///< heading in the controls: "Positions", "Encoding", ...
    Member member;
    double min = 0.0;  ///< of the slider; numbers and elements of whole-number lists
    double max = 0.0;
    double step = 1.0;  ///< granularity of the slider: 2 for even dimensions; 0: none
    Scale scale = Scale::linear;
    /// Names of an enum's or a bool's values (parameters() fills them in), or the ids that a string
    /// may be; empty for other strings.
    std::vector<std::string> choices = {};
    std::string unit = {};    ///< "channels", "positions", "rad/position", ...
    std::string help = {};    ///< one sentence
    std::string symbol = {};  ///< what formulas and figures call it: "m"
    /// What --set and scene files accept, if that is more than the slider offers.
    std::optional<double> accepted_min = {}, accepted_max = {};
    /// Every view reads it only if all of these hold; a control is shown under the same condition.
    std::vector<ReadWhen> read_when = {};
    std::string label = {};  ///< what its control is called; empty: its name, with spaces
    std::string zero = {};   ///< what the value 0 means to people: "automatic"

    /// The scaling methods that read it; empty if it counts under any scaling.
    const std::vector<std::string>& methods() const;

    double lowest() const { return accepted_min.value_or(min); }
    double highest() const { return accepted_max.value_or(max); }
};

/// What the control of the parameter is called: "query position m", "padding tokens".
std::string label_of(const Parameter& parameter);

const std::vector<Parameter>& parameters();
/// Null if no parameter has the name.
const Parameter* find_parameter(std::string_view name);
/// Throws InputError naming near matches.
const Parameter& parameter_by_name(std::string_view name);

std::vector<Parameter> attention_parameters();
std::vector<Parameter> axes_parameters();
std::vector<Parameter> positions_parameters();
std::vector<Parameter> diagnose_parameters();
std::vector<Parameter> stretch_parameters();
std::vector<Parameter> encodings_parameters();
std::vector<Parameter> cache_parameters();

/// The longest context that a parameter accepts, in positions; far beyond any published model.
inline constexpr double kLongestContext = 1 << 29;

std::vector<Parameter> scaling_parameters();

/// A Markdown page with a table for each group: name, default, accepted values, unit, help.
std::string parameters_markdown();

}  // namespace ropescope
