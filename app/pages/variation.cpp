// Reads --vary and makes the scenes of its values.
#include "app/pages/variation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "app/plot/number_text.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::pages {
namespace {

constexpr std::string_view kPosition = "position", kQuery = "query_position";

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
    throw InputError(fmt::format(
        "--vary: {} {}; give NAME=FROM:TO, NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,..., for example "
        "base=100:1e7",
        in_quotes(text), why));
}

const Parameter& parameter_of(std::string_view name) {
    return parameter_by_name(name == kPosition ? kQuery : name);
}

bool is_whole(const Parameter& parameter) {
    return std::holds_alternative<std::int64_t Scene::*>(parameter.member);
}

/// A logarithmic scale has no place for zero.
bool on_logarithms(const Parameter& parameter, double from, double to) {
    return parameter.scale == Scale::logarithmic && from > 0 && to > 0;
}

/// The value at a share of the way between the two, on the parameter's scale.
double between(const Parameter& parameter, double from, double to, double share) {
    if (on_logarithms(parameter, from, to)) {
        return std::exp(std::log(from) + share * (std::log(to) - std::log(from)));
    }
    return from + share * (to - from);
}

std::string number_setting(const Parameter& parameter, double value) {
    if (!is_whole(parameter)) {
        return fmt::format("{:.6g}", value);
    }
    const double step = std::max(1.0, parameter.step);
    return fmt::format("{:.0f}", std::round(value / step) * step);
}

/// Every whole number of a linear scale; elsewhere as many as make a smooth film.
int usual_count(const Parameter& parameter, double from, double to) {
    constexpr int kSmooth = 61;
    const double steps = std::abs(to - from) / std::max(1.0, parameter.step);
    const bool whole = is_whole(parameter) && !on_logarithms(parameter, from, to);
    return whole && steps < 1e6 ? static_cast<int>(steps) + 1 : kSmooth;
}

/// Sets the values, and what was wanted if that is too much.
void take_numbers(Variation& variation, const Parameter& parameter, std::string_view text,
                  std::string_view range, std::size_t most) {
    const std::vector<std::string_view> parts = split(range, ':');
    if (const std::string wrong = misread(parts); !wrong.empty()) {
        throw InputError("--vary: " + wrong);
    }
    const std::optional<double> from = parse_number<double>(parts.front());
    const std::optional<double> to = parse_number<double>(parts.at(1));
    if (!from || !to) {
        refuse(text, fmt::format("has {}, which is not a number", in_quotes(parts[from ? 1 : 0])));
    }
    const int wanted = parts.size() == 3 ? parse_number<int>(parts[2]).value_or(0)
                                         : usual_count(parameter, *from, *to);
    if (wanted < 2) {
        refuse(text, fmt::format("has the count {}, which is not a whole number from 2 to {}",
                                 in_quotes(parts.back()), std::numeric_limits<int>::max()));
    }
    const int count = std::min(wanted, static_cast<int>(most));
    variation.wanted = parts.size() == 3 && count < wanted ? static_cast<std::size_t>(wanted) : 0;
    std::vector<std::string>& values = variation.values;
    for (int i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        const double value =
            last ? *to : between(parameter, *from, *to, static_cast<double>(i) / (count - 1));
        std::string setting = number_setting(parameter, value);
        if (values.empty() || values.back() != setting) {
            values.push_back(std::move(setting));
        }
    }
}

}  // namespace

Variation parse_variation(std::string_view text, std::size_t most) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        refuse(text, "names no values");
    }
    Variation variation{.name = std::string(text.substr(0, equals)), .values = {}};
    const Parameter& parameter = parameter_of(variation.name);
    const std::string_view values = text.substr(equals + 1);
    const auto colons = std::ranges::count(values, ':');
    if (is_number(parameter) && colons > 2) {
        refuse(text, fmt::format("has {} numbers between colons, and a range has two and a count",
                                 colons + 1));
    }
    if (is_number(parameter) && colons > 0) {
        take_numbers(variation, parameter, text, values, most);
    } else {
        for (const std::string_view value : split_list(values)) {
            variation.values.emplace_back(value);
        }
        if (variation.values.size() > most) {
            refuse(text, fmt::format("has more than {} values", most));
        }
    }
    if (variation.values.size() < 2) {
        refuse(text, colons > 0 && !is_number(parameter) ? "is a range, which only numbers have"
                                                         : "has fewer than two different values");
    }
    for (std::size_t i = 0; i < variation.values.size(); ++i) {
        varied({}, variation, i);  // refuses values that the parameter cannot take
    }
    return variation;
}

std::string what_is_cut(const Variation& variation) {
    return variation.wanted == 0
               ? ""
               : fmt::format(
                     "--vary: {} values were asked for; {} are drawn, from the first to the "
                     "last",
                     variation.wanted, variation.values.size());
}

Scene varied(const Scene& scene, const Variation& variation, std::size_t i) {
    const std::string& value = variation.values.at(i);
    if (variation.name != kPosition) {
        return apply_settings(scene, {variation.name + "=" + value});
    }
    const Scene moved = apply_settings(scene, {fmt::format("{}={}", kQuery, value)});
    const std::int64_t distance = scene.key_position - scene.query_position;
    return apply_settings(
        moved, {fmt::format("key_position={}",
                            std::max<std::int64_t>(0, moved.query_position + distance))});
}

Variation thinned(const Variation& variation, std::size_t count) {
    const std::size_t all = variation.values.size();
    if (count >= all || count < 2) {
        return variation;
    }
    Variation fewer{.name = variation.name, .values = {}};
    for (std::size_t i = 0; i < count; ++i) {
        fewer.values.push_back(variation.values[i * (all - 1) / (count - 1)]);
    }
    return fewer;
}

std::string value_label(const Variation& variation, std::size_t i) {
    const std::string& value = variation.values.at(i);
    const std::optional<double> number = parse_number<double>(value);
    const std::string name =
        variation.name == kPosition ? variation.name : label_of(parameter_by_name(variation.name));
    return name + " " + (number ? plot::exact_number_text(*number) : spoken(value));
}

}  // namespace ropescope::pages
