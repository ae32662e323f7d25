// Lists the parameters of the scaling methods, from the descriptions of the methods.
#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

#include "app/scene/parameters.h"
#include "core/scaling/scaling.h"

namespace ropescope {
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

/// What people call the settings of single methods.
struct Words {
    std::string_view name, label, zero = {};
    bool needs_mscale_all_dim = false;  ///< without it YaRN reads neither
};
constexpr Words kWords[] = {
    {"yarn_beta_fast", "YaRN beta fast"},
    {"yarn_beta_slow", "YaRN beta slow"},
    {"yarn_truncate", "round ramp to whole pairs"},
    {"yarn_mscale_all_dim", "YaRN mscale (all dims)", "not given"},
    {"yarn_mscale", "YaRN mscale", "not given", true},
    {"yarn_softmax", "scale softmax", "", true},
    {"llama3_low_freq_factor", "low frequency factor"},
    {"llama3_high_freq_factor", "high frequency factor"},
    {"longrope_short", "short factors"},
    {"longrope_long", "long factors"},
    {"partial_rotary_factor", "share of the pairs that turn"},
};

void set_words(Parameter& parameter) {
    const auto* const words = std::ranges::find(kWords, parameter.name, &Words::name);
    if (words == std::end(kWords)) {
        throw std::logic_error(fmt::format("{}: it has no label", parameter.name));
    }
    parameter.label = words->label;
    parameter.zero = words->zero;
    if (words->needs_mscale_all_dim) {
        parameter.read_when.push_back(
            {.parameter = "yarn_mscale_all_dim", .values = {"0"}, .unless = true});
    }
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
                             .read_when = read_by({type})});
            set_words(table.back());
        }
    });
    return table;
}

}  // namespace ropescope
