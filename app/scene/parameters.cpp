// Lists the parameters of a scene, but for those of scaling, attention and several axes.
#include "app/scene/parameters.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/analysis/precision.h"
#include "core/base/names.h"
#include "core/checks/check_families.h"
#include "core/systems/system_ids.h"

namespace ropescope {
namespace {

constexpr double kLastPosition = kMaxPosition;
constexpr int kLastPair = kMaxHeadDim / 2 - 1;

std::vector<std::string> system_ids() {
    return {kSystemIds.begin(), kSystemIds.end()};
}

std::vector<std::string> chain_ids() {
    std::vector<std::string> ids;
    for (const PrecisionChain& chain : precision_chains()) {
        ids.push_back(chain.id);
    }
    return ids;
}

std::vector<std::string> families_of_checks() {
    std::vector<std::string> families = {"all"};
    families.insert(families.end(), kCheckFamilies.begin(), kCheckFamilies.end());
    return families;
}

std::vector<Parameter> encoding_parameters() {
    return {
        {.name = "view",
         .group = "View",
         .member = &Scene::view,
         .help = "The figure that is drawn, by its id."},
        {.name = "model",
         .group = "Encoding",
         .member = &Scene::model,
         .help =
             "Id of a published model, or the path of a Hugging Face config.json or a GGUF file."},

        {.name = "query_position",
         .group = "Positions",
         .member = &Scene::query_position,
         .max = kLastPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Position m of the query.",
         .symbol = "m"},
        {.name = "key_position",
         .group = "Positions",
         .member = &Scene::key_position,
         .max = kLastPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Position n of the key.",
         .symbol = "n"},
        {.name = "speed",
         .group = "Positions",
         .member = &Scene::speed,
         .min = 0.25,
         .max = 64,
         .step = 0,
         .scale = Scale::logarithmic,
         .unit = "positions/s",
         .help = "Speed of the animation, in positions per second; a walk takes 6 seconds at 1.",
         .accepted_min = 0.01,
         .accepted_max = 10000},

        {.name = "head_dim",
         .group = "Encoding",
         .member = &Scene::head_dim,
         .min = 2,
         .max = 1024,
         .step = 2,
         .scale = Scale::logarithmic,
         .unit = "channels",
         .help = "Channels of one attention head; even.",
         .accepted_max = kMaxHeadDim},
        {.name = "rotary_dim",
         .group = "Encoding",
         .member = &Scene::rotary_dim,
         .min = 2,
         .max = kMaxHeadDim,
         .step = 2,
         .unit = "channels",
         .help = "Leading channels that are rotated, at most head_dim; even."},
        {.name = "base",
         .group = "Encoding",
         .member = &Scene::base,
         .min = 1,
         .max = 1e9,
         .step = 0,
         .scale = Scale::logarithmic,
         .help = "Base of the inverse frequencies, rope_theta in model files.",
         .accepted_min = std::numeric_limits<double>::denorm_min(),
         .accepted_max = std::numeric_limits<double>::max()},
        {.name = "layout",
         .group = "Encoding",
         .member = &Scene::layout,
         .help = "Which two channels form a pair: (2i, 2i+1) or (i, i + rotary_dim/2)."},
    };
}

std::vector<Parameter> analysis_parameters() {
    return {
        {.name = "pairs",
         .group = "Pairs",
         .member = &Scene::pairs,
         .max = kLastPair,
         .help = "The pairs that are drawn, 1 to 16 of them."},
        {.name = "selected_pair",
         .group = "Pairs",
         .member = &Scene::selected_pair,
         .max = kLastPair,
         .help = "The pair that every view marks; click one to follow it."},

        {.name = "content_angle_deg",
         .group = "Content",
         .member = &Scene::content_angle_deg,
         .max = 180,
         .step = 5,
         .unit = "degrees",
         .help = "How far k's content may lie from q's in every pair: 0 is the same content, 180 "
                 "unrelated content.",
         .label = "angle between q and k contents"},
        {.name = "content_seed",
         .group = "Content",
         .member = &Scene::content_seed,
         .min = 1,
         .max = 100,
         .help = "Seed of the random content of q and k.",
         .accepted_min = 0,
         .accepted_max = 1 << 30,
         .label = "random seed"},
        {.name = "distance_range",
         .group = "Content",
         .member = &Scene::distance_range,
         .min = 8,
         .max = 65536,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "The score is drawn for distances from minus this to plus this.",
         .accepted_min = 1,
         .accepted_max = kLastPosition,
         .label = "largest distance"},

        {.name = "spectrum_quantity",
         .group = "Spectrum",
         .member = &Scene::spectrum_quantity,
         .help = "What is drawn for every pair: positions per turn, or radians per position.",
         .label = "y axis"},
        {.name = "context_length",
         .group = "Spectrum",
         .member = &Scene::context_length,
         .min = 128,
         .max = kLastPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Context that the wavelengths are compared with.",
         .accepted_min = 1,
         .accepted_max = kLongestContext,
         .label = "context"},

        {.name = "spectrum_overlay",
         .group = "Spectrum",
         .member = &Scene::spectrum_overlay,
         .help = "What is drawn beside the spectrum: the unscaled one, or what each scaling method "
                 "would make of it.",
         .label = "compare with"},
        {.name = "target_length",
         .group = "Scaling",
         .member = &Scene::target_length,
         .min = 256,
         .max = kLastPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Length that the trained context is to be extended to.",
         .accepted_min = 1,
         .accepted_max = kLongestContext},
        {.name = "context_show",
         .group = "Scaling",
         .member = &Scene::context_show,
         .help = "What each scaling method does to each pair, or which bases allow a length.",
         .label = "show"},

        {.name = "table_quantity",
         .group = "Table",
         .member = &Scene::table_quantity,
         .help = "What the table shows: cos or sin, as a cache holds them, or the angle.",
         .label = "show"},
        {.name = "first_position",
         .group = "Table",
         .member = &Scene::first_position,
         .max = kLastPosition,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "First position of the table."},
        {.name = "position_count",
         .group = "Table",
         .member = &Scene::position_count,
         .min = 1,
         .max = kLastPosition + 1,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Number of positions in the table.",
         .label = "number of positions"},

        {.name = "decay_range",
         .group = "Decay",
         .member = &Scene::decay_range,
         .min = 16,
         .max = 131072,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "The decay is drawn for distances from 0 to this.",
         .accepted_min = 2,
         .accepted_max = kLastPosition,
         .label = "largest distance"},
        {.name = "distance_axis",
         .group = "Decay",
         .member = &Scene::distance_axis,
         .help = "How distances are laid out; a logarithmic axis begins at 1."},

        {.name = "precision_chain",
         .group = "Precision",
         .member = &Scene::precision_chain,
         .choices = chain_ids(),
         .help = "The way to compute the table that is shown pair by pair.",
         .label = "computed as"},
        {.name = "precision_lines",
         .group = "Precision",
         .member = &Scene::precision_lines,
         .help = "Whether every way has a line, or three: the chosen one and two that differ much "
                 "from it, of a bf16 table, bf16 positions and an fp32 angle.",
         .label = "lines"},

        {.name = "shift",
         .group = "Absolute",
         .member = &Scene::shift,
         .max = 1024,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "How far the shift map carries a position.",
         .symbol = "s",
         .accepted_max = kLastPosition},
        {.name = "absolute_norm",
         .group = "Absolute",
         .member = &Scene::absolute_norm,
         .help = "Where RoPE's q and k have an RMS norm, whose weights are 1 and 2 in the two "
                 "channels of each pair: nowhere, before the rotation or after it.",
         .label = "norm of q and k"},
    };
}

std::vector<Parameter> system_and_check_parameters() {
    return {
        {.name = "layouts_show",
         .group = "Layouts",
         .member = &Scene::layouts_show,
         .help = "The systems with the walk beside them, or the walk alone with its numbers.",
         .label = "show"},
        {.name = "walk",
         .group = "Layouts",
         .member = &Scene::walk,
         .max = 1,
         .step = 0,
         .help = "How far the vector has walked through the permutation: 0 is interleaved, 1 half "
                 "split."},

        {.name = "system_a",
         .group = "Systems",
         .member = &Scene::system_a,
         .choices = system_ids(),
         .help = "The first of the two systems that are compared.",
         .read_when = {{.parameter = "layouts_show", .values = {"systems"}}},
         .label = "first system"},
        {.name = "system_b",
         .group = "Systems",
         .member = &Scene::system_b,
         .choices = system_ids(),
         .help = "The system that it is compared with.",
         .read_when = {{.parameter = "layouts_show", .values = {"systems"}}},
         .label = "second system"},

        {.name = "check_family",
         .group = "Checks",
         .member = &Scene::check_family,
         .choices = families_of_checks(),
         .help = "The family of checks that is listed.",
         .label = "family"},
        {.name = "check_status",
         .group = "Checks",
         .member = &Scene::check_status,
         .help = "Only checks that ended like this are listed.",
         .label = "status"},
        {.name = "check_filter",
         .group = "Checks",
         .member = &Scene::check_filter,
         .help = "Only checks whose id matches this glob, or that contain this word.",
         .label = "filter"},
        {.name = "selected_check",
         .group = "Checks",
         .member = &Scene::selected_check,
         .help = "Id of the check that is explained.",
         .label = "selected"},
        {.name = "check_lines",
         .group = "Checks",
         .member = &Scene::check_lines,
         .min = 8,
         .max = 40,
         .unit = "lines",
         .help = "How many lines the list of checks shows at once.",
         .accepted_min = 2,
         .accepted_max = 1000,
         .label = "rows per page"},
    };
}

/// Fills in the names of the values of an enum, the default first, or of a bool, where no choice of
/// them is given.
struct NameChoices {
    Parameter& parameter;

    template <typename T>
    void operator()(T Scene::*) const {}
    template <Named T>
    void operator()(T Scene::*) const {
        if (parameter.choices.empty()) {
            parameter.choices = enum_names<T>();
        }
    }
    void operator()(bool Scene::*) const { parameter.choices = {"no", "yes"}; }
};

std::vector<Parameter> make_parameters() {
    std::vector<Parameter> table = encoding_parameters();
    std::ranges::move(scaling_parameters(), std::back_inserter(table));
    std::ranges::move(analysis_parameters(), std::back_inserter(table));
    std::ranges::move(attention_parameters(), std::back_inserter(table));
    std::ranges::move(stretch_parameters(), std::back_inserter(table));
    std::ranges::move(encodings_parameters(), std::back_inserter(table));
    std::ranges::move(cache_parameters(), std::back_inserter(table));
    std::ranges::move(axes_parameters(), std::back_inserter(table));
    std::ranges::move(positions_parameters(), std::back_inserter(table));
    std::ranges::move(diagnose_parameters(), std::back_inserter(table));
    std::ranges::move(system_and_check_parameters(), std::back_inserter(table));
    for (Parameter& parameter : table) {
        std::visit(NameChoices{parameter}, parameter.member);
    }
    return table;
}

}  // namespace

const std::vector<std::string>& Parameter::methods() const {
    static const std::vector<std::string> any;
    const auto found = std::ranges::find(read_when, "scaling", &ReadWhen::parameter);
    return found == read_when.end() ? any : found->values;
}

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> table = make_parameters();
    return table;
}

std::string label_of(const Parameter& parameter) {
    std::string label = parameter.label;
    if (label.empty()) {
        label = parameter.name;
        // Words of the field stay as code has them: head_dim, inv_freq.
        if (!label.ends_with("_dim") && !label.ends_with("_freq")) {
            std::ranges::replace(label, '_', ' ');
        }
    }
    return parameter.symbol.empty() ? label : label + " " + parameter.symbol;
}

const Parameter* find_parameter(std::string_view name) {
    const auto& table = parameters();
    const auto found = std::ranges::find(table, name, &Parameter::name);
    return found == table.end() ? nullptr : &*found;
}

const Parameter& parameter_by_name(std::string_view name) {
    return element_named(parameters(), &Parameter::name, name, [&](const std::string& near) {
        return "parameter '" + std::string(name) + "' is unknown" + near;
    });
}

}  // namespace ropescope
