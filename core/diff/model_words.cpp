// Says what lies between two models.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"
#include "core/diff/model_diff.h"
#include "core/formats/scaling_words.h"

namespace ropescope::diff {
namespace {

using Json = nlohmann::ordered_json;

/// A number, a word or a scaling, without the marks of JSON.
std::string plain_text(const Json& value) {
    if (value.is_null()) {
        return "not said";
    }
    if (value.is_string()) {
        return printable(value.get<std::string>());
    }
    if (value.is_number_float()) {
        return fmt::format("{}", value.get<double>());
    }
    if (!value.is_object()) {
        return printable(value.dump(), 60);
    }
    std::string text;
    for (const auto& [key, each] : value.items()) {
        text += key == "type"     ? scaling_type_text(value)
                : each.is_array() ? fmt::format(", {} {}", key, list_text(each))
                                  : fmt::format(", {} {}", key, plain_text(each));
    }
    return text;
}

std::string frequency_text(const FrequencyDifference& first) {
    std::string text = fmt::format(
        "{} of {} pairs turn at other speeds, first pair {}: {:.9g} and {:.9g} rad per "
        "position; {:.4g} rad apart at position {}",
        first.pairs, first.of, first.pair, first.a_rad, first.b_rad, first.angle_rad,
        first.position);
    if (first.radian_at) {
        text += fmt::format(", a radian at position {}", *first.radian_at);
    }
    return text;
}

/// What is different of some layers, in one line; empty if nothing is.
std::string line_of(const LayersDifference& layers) {
    std::vector<std::string> pieces;
    if (layers.frequencies) {
        pieces.push_back(frequency_text(*layers.frequencies));
    }
    for (const DifferingParameter& each : layers.parameters) {
        if (each.effect != Sameness::equal) {
            pieces.push_back(
                fmt::format("{} {} and {}", each.name, plain_text(each.a), plain_text(each.b)));
        }
    }
    return fmt::format("{}", fmt::join(pieces, "; "));
}

Json frequencies_json(const std::optional<FrequencyDifference>& first) {
    if (!first) {
        return nullptr;
    }
    return {{"head", first->head},
            {"pair", first->pair},
            {"axis", first->axis},
            {"a", first->a_rad},
            {"b", first->b_rad},
            {"pairs", first->pairs},
            {"of", first->of},
            {"position", first->position},
            {"angle", first->angle_rad},
            {"radian_at", first->radian_at ? Json(*first->radian_at) : Json(nullptr)}};
}

Record row_of(const std::string& where, const DifferingParameter& each) {
    return {{"where", "where", where, where},
            {"parameter", "parameter", each.name, each.name},
            {"a", "A", each.a, plain_text(each.a)},
            {"b", "B", each.b, plain_text(each.b)},
            {"effect", "", std::string(to_string(each.effect))}};
}

std::string summary_of(const ModelDifference& difference, Sameness verdict) {
    const auto first = std::ranges::find(difference.layers, verdict, &LayersDifference::sameness);
    const std::string both =
        fmt::format("{} and {}", printable(difference.a), printable(difference.b));
    switch (verdict) {
        case Sameness::equal:
            return fmt::format("equal: {} turn alike", both);
        case Sameness::equivalent:
            return fmt::format("equivalent: {} turn alike for weights that go with them; {}: {}",
                               both, first->name, line_of(*first));
        default:
            return fmt::format("different: {}: {}", first->name, line_of(*first));
    }
}

}  // namespace

DiffReport report_of(const ModelDifference& difference) {
    DiffReport report;
    Json spectra = Json::array();
    for (const DifferingParameter& each : difference.sizes) {
        report.rows.push_back(row_of("model", each));
    }
    for (const LayersDifference& layers : difference.layers) {
        report.verdict = std::max(report.verdict, layers.sameness);
        report.compared.push_back({layers.name, layers.sameness, line_of(layers)});
        spectra.push_back({{"where", layers.name},
                           {"layers", layers.layers},
                           {"verdict", std::string(to_string(layers.sameness))},
                           {"first", frequencies_json(layers.frequencies)}});
        for (const DifferingParameter& each : layers.parameters) {
            report.rows.push_back(row_of(layers.name, each));
        }
    }
    report.summary = summary_of(difference, report.verdict);
    report.facts = {{"kind", "", "models"},
                    {"a", "A", difference.a, printable(difference.a)},
                    {"b", "B", difference.b, printable(difference.b)},
                    {"spectra", "", std::move(spectra)}};
    for (const LayersDifference& layers : difference.layers) {
        if (difference.layers.size() > 1) {
            const std::string line = line_of(layers);
            report.facts.push_back({"", layers.name, {}, line.empty() ? "turn alike" : line});
        }
    }
    report.remarks = difference.remarks;
    return report;
}

}  // namespace ropescope::diff
