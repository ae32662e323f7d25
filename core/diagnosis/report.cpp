// Writes a diagnosis.
#include "core/diagnosis/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/diagnosis/held/held_words.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/method.h"

namespace ropescope::diagnosis {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Value& value) {
    const auto of = plain(value);
    if (const auto* number = std::get_if<double>(&of)) {
        return std::isfinite(*number) ? Json(*number) : Json(nullptr);
    }
    const auto* word = std::get_if<std::string>(&of);
    return word != nullptr ? Json(*word) : Json(nullptr);
}

/// Of a fault, and of a mismatch, which is one whatever its weight.
Json repair_json(const Finding& finding) {
    const std::string_view repair = faults::repair_of(finding.code);
    return finding.weight == Weight::fault && !repair.empty() ? Json(std::string(repair))
                                                              : Json(nullptr);
}

Json findings_json(const std::vector<Finding>& findings) {
    Json list = Json::array();
    for (const Finding& finding : findings) {
        list.push_back({{"code", finding.code},
                        {"weight", std::string(to_string(finding.weight))},
                        {"text", finding.text()},
                        {"where", finding.where()},
                        {"measured", value_json(finding.measured)},
                        {"expected", value_json(finding.expected)},
                        {"repair", repair_json(finding)}});
    }
    return list;
}

/// What a field says in words and in JSON; nothing for one that is empty.
struct FieldValue {
    Json operator()(const std::string& word) const { return word.empty() ? Json() : Json(word); }
    Json operator()(const Scaling& scaling) const { return scaling_json(scaling, "type"); }
    Json operator()(Dtype dtype) const { return std::string(numpy_name(dtype)); }
    template <typename T>
    Json operator()(const T& value) const {
        return value;
    }
    template <typename T>
    Json operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : Json();
    }
};

/// Whether the member is one of those that only positions of several axes have.
bool is_of_axes(const Recovered::Field& field) {
    return field.key == "axes" || field.key == "omega";
}

void add_recovered(const Recovered& recovered, bool by_head, Json& json) {
    Recovered::fields([&](const Recovered::Field& field, auto member) {
        const bool left_out = (field.key == "inv_freq" && !recovered.axis_names.empty()) ||
                              is_of_axes(field) || (by_head && !field.by_head);
        if (!left_out) {
            json[field.key] = FieldValue()(recovered.*member);
        }
    });
    if (json.contains("positions") && recovered.positions.empty()) {
        json["positions"] = nullptr;
    }
}

void add_axes(const Recovered& recovered, Json& json) {
    if (!recovered.axis_names.empty()) {
        json["axes"] = recovered.axis_names;
        json["omega"] = recovered.omega_rad;
    }
}

/// What a reader must know before any number: the expectation was only guessed.
std::string inferred_text(const Diagnosis& diagnosis) {
    if (!diagnosis.expected || diagnosis.expected->inferred.empty()) {
        return "";
    }
    const Expectation& expected = *diagnosis.expected;
    std::string text = fmt::format(
        "INFERRED, not known: {}: {}{}{}\n", expected.name, expected.inferred,
        expected.any_layout ? "; the layout is unknown, and either one is taken as right" : "",
        expected.any_base    ? "; no key states the base, and any one is taken as right"
        : expected.any_width ? "; no key states rotary_dim, and any one is taken as right"
                             : "");
    std::vector<std::string> differences;
    for (const Finding& each : diagnosis.inferred_differences) {
        differences.push_back(each.text());
    }
    if (!differences.empty()) {
        text += fmt::format("differs from what was inferred: {}\n", fmt::join(differences, "; "));
    }
    return text;
}

void add_expected(const Diagnosis& diagnosis, Json& json) {
    if (!diagnosis.expected) {
        return;
    }
    Json specs = Json::array();
    for (const RopeSpec& spec : diagnosis.expected->specs) {
        specs.push_back({{"head_dim", spec.head_dim},
                         {"rotary_dim", spec.rotary_dim},
                         {"base", spec.base},
                         {"layout", std::string(to_string(spec.layout))},
                         {"scaling", scaling_json(spec.scaling, "type")}});
    }
    json["expected"] = specs.size() == 1 ? specs.front() : specs;
    json["mismatches"] = Json::array();
    for (const Finding& mismatch : diagnosis.mismatches) {
        json["mismatches"].push_back({{"what", mismatch.code},
                                      {"text", mismatch.text()},
                                      {"expected", value_json(mismatch.expected)},
                                      {"found", value_json(mismatch.measured)},
                                      {"repair", repair_json(mismatch)}});
    }
}

Json heads_json(const std::vector<HeadPart>& parts) {
    Json list = Json::array();
    for (const HeadPart& part : parts) {
        Json json{{"q_heads", part.q_heads}, {"k_heads", part.k_heads}};
        add_recovered(part, true, json);
        add_axes(part, json);
        list.push_back(std::move(json));
    }
    return list;
}

/// A line of text for what was recovered, under its label.
using Line = std::pair<std::string_view, std::string>;

std::vector<Line> recovered_lines(const Diagnosis& diagnosis) {
    std::vector<Line> lines;
    if (!diagnosis.tensor_axes.empty()) {
        lines.emplace_back(
            "tensors",
            diagnosis.tensor_axes +
                (diagnosis.axes_reason.empty() ? "" : fmt::format(" ({})", diagnosis.axes_reason)));
    }
    Recovered::fields([&](const Recovered::Field& field, auto member) {
        const auto& value = diagnosis.*member;
        using Member = std::remove_cvref_t<decltype(value)>;
        const auto add = [&](const auto& shown) {
            lines.emplace_back(field.label, fmt::format(fmt::runtime(field.format), shown));
        };
        if constexpr (std::is_same_v<Member, std::string>) {
            if (!value.empty()) {
                add(value);
            }
        } else if constexpr (requires { value.has_value(); }) {
            if (!value || field.label.empty()) {
                return;
            }
            if constexpr (std::is_same_v<Member, std::optional<Scaling>>) {
                add(scaling_type(*value));
            } else if constexpr (std::is_same_v<Member, std::optional<Dtype>>) {
                add(numpy_name(*value));
            } else {
                add(*value);
            }
        }
    });
    return lines;
}

/// The lines, but for those that are `known`.
std::string text_of_lines(const std::vector<Line>& lines, const std::vector<Line>& known = {}) {
    std::string text;
    for (const Line& line : lines) {
        if (std::ranges::find(known, line) == known.end()) {
            text += fmt::format("  {:<14}{}\n", line.first, line.second);
        }
    }
    return text;
}

/// [[0, 3], [7, 7]]: runs of neighbours, first and last.
Json ranges_json(const std::vector<Index>& numbers) {
    Json ranges = Json::array();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0 && numbers[i] == numbers[i - 1] + 1) {
            ranges.back()[1] = numbers[i];
        } else {
            ranges.push_back({numbers[i], numbers[i]});
        }
    }
    return ranges;
}

Json unexplained_json(const std::vector<Residual>& unexplained) {
    Json list = Json::array();
    for (const Residual& left : unexplained) {
        const HeldPlace& at = left.place;
        Json worst{{"in_allowances", std::isfinite(left.worst) ? Json(left.worst) : Json(nullptr)},
                   {"row", at.row},
                   {"head", at.head},
                   {"token", at.token},
                   {"pair", at.pair < 0 ? Json(nullptr) : Json(at.pair)},
                   {"channel", at.channel}};
        Json side{{"side", std::string(to_string(left.side))},
                  {"count", left.outside},
                  {"of", left.compared},
                  {"worst", std::move(worst)},
                  {"pairs", ranges_json(left.pairs)},
                  {"still_channels", left.still_channels},
                  {"tokens", ranges_json(left.tokens)},
                  {"rows", ranges_json(left.rows)},
                  {"heads", ranges_json(left.heads)}};
        if (!left.layers.empty()) {
            side["layers"] = left.layers;
        }
        list.push_back(std::move(side));
    }
    return list;
}

Json not_finite_json(const std::vector<NotFinite>& all) {
    Json list = Json::array();
    for (const NotFinite& numbers : all) {
        Json json{{"tensor", numbers.tensor},
                  {"nan", numbers.nan},
                  {"infinite", numbers.infinite},
                  {"of", numbers.of},
                  {"first",
                   {{"token", numbers.token},
                    {"position", numbers.position},
                    {"row", numbers.row},
                    {"head", numbers.head},
                    {"channel", numbers.channel}}},
                  {"tokens", ranges_json(numbers.tokens)},
                  {"channels", ranges_json(numbers.channels)},
                  {"pairs", numbers.pairs.empty() ? Json() : ranges_json(numbers.pairs)},
                  {"rows", ranges_json(numbers.rows)},
                  {"heads", ranges_json(numbers.heads)}};
        if (!numbers.layers.empty()) {
            json["layers"] = numbers.layers;
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json json_of(const Diagnosis& diagnosis) {
    Json json = Json::object();
    if (diagnosis.expected) {
        const std::string& inferred = diagnosis.expected->inferred;
        json["confidence"] = inferred.empty() ? "known" : "inferred";
        if (!inferred.empty()) {
            json["inferred"] = inferred;
            json["inferred_differences"] = Json::array();
            for (const Finding& each : diagnosis.inferred_differences) {
                json["inferred_differences"].push_back({{"what", each.code},
                                                        {"text", each.text()},
                                                        {"expected", value_json(each.expected)},
                                                        {"found", value_json(each.measured)}});
            }
        }
    }
    json.update({{"verdict", std::string(to_string(diagnosis.verdict))},
                 {"summary", diagnosis.summary()},
                 {"tensor_axes", diagnosis.tensor_axes}});
    add_recovered(diagnosis, false, json);
    json["findings"] = findings_json(diagnosis.findings);
    json["matches"] = FieldValue()(diagnosis.matches);
    json["next"] = texts_of(diagnosis.next);
    json["unexplained"] = unexplained_json(diagnosis.unexplained);
    json["not_finite"] = not_finite_json(diagnosis.not_finite);
    json["not_shown"] = texts_of(diagnosis.not_shown);
    add_axes(diagnosis, json);
    if (!diagnosis.heads.empty()) {
        json["heads"] = heads_json(diagnosis.heads);
    }
    add_expected(diagnosis, json);
    return json;
}

std::string as_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string findings_text(const Diagnosis& diagnosis) {
    std::string text;
    for (const Finding& finding : diagnosis.findings) {
        text += fmt::format("{} ({}): {}\n", finding.code, finding.where(), finding.text());
        text += repair_line(finding);
    }
    if (diagnosis.expected) {
        text +=
            diagnosis.mismatches.empty() && diagnosis.verdict != Verdict::undetermined
                ? fmt::format(
                      "as {} says{}\n", diagnosis.expected->name,
                      diagnosis.inferred_differences.empty() ? "" : ", but for what was inferred")
                : "";
        for (const Finding& mismatch : diagnosis.mismatches) {
            text += fmt::format("mismatch: {}\n", mismatch.text());
            const bool said = std::ranges::any_of(diagnosis.findings, [&](const Finding& finding) {
                return finding.code == mismatch.code && finding.weight == Weight::fault;
            });
            text += said ? "" : repair_line(mismatch);
        }
    }
    for (const Residual& left : diagnosis.unexplained) {
        text += fmt::format("unexplained: {}\n", text_of(words_of(left)));
    }
    for (const std::string& open : texts_of(diagnosis.not_shown)) {
        text += fmt::format("not shown: {}\n", open);
    }
    for (const std::string& next : texts_of(diagnosis.next)) {
        text += fmt::format("next: {}\n", next);
    }
    return text;
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
    return inferred_text(diagnosis) + diagnosis.summary() + "\n" +
           text_of_lines(recovered_lines(diagnosis)) + findings_text(diagnosis);
}

std::string diagnosis_text(const LayeredDiagnosis& diagnosis) {
    if (diagnosis.kinds.size() < 2) {
        return diagnosis_text(diagnosis.whole);
    }
    const std::vector<Line> shared = recovered_lines(diagnosis.whole);
    std::string text =
        inferred_text(diagnosis.whole) + diagnosis.whole.summary() + "\n" + text_of_lines(shared);
    for (const AlikeLayers& kind : diagnosis.kinds) {
        text += fmt::format("{}: {}\n{}", text_of(Place{.layers = kind.layers}),
                            kind.diagnosis.summary(),
                            text_of_lines(recovered_lines(kind.diagnosis), shared));
    }
    return text + findings_text(diagnosis.whole);
}

std::string repair_line(const Finding& finding) {
    const std::string_view repair = faults::repair_of(finding.code);
    return finding.weight == Weight::fault && !repair.empty()
               ? fmt::format("  to repair: {}.\n", repair)
               : "";
}

std::string diagnosis_json(const Diagnosis& diagnosis) {
    return as_text(json_of(diagnosis));
}

nlohmann::ordered_json diagnosis_object(const Diagnosis& diagnosis) {
    return json_of(diagnosis);
}

std::string diagnosis_json(const LayeredDiagnosis& diagnosis) {
    Json json = json_of(diagnosis.whole);
    for (const AlikeLayers& kind : diagnosis.kinds) {
        Json part{{"layers", kind.layers}};
        part.update(json_of(kind.diagnosis));
        part.erase("expected");  // that of all layers stands above
        json["layers"].push_back(std::move(part));
    }
    return as_text(json);
}

}  // namespace ropescope::diagnosis
