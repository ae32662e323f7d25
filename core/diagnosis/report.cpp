// Writes a diagnosis.
#include "core/diagnosis/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/diagnosis/number_names.h"
#include "core/diagnosis/rounding.h"
#include "core/formats/rope_scaling.h"

namespace ropescope::diagnosis {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        return std::isfinite(*number) ? Json(*number) : Json(nullptr);
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        return *word;
    }
    return nullptr;
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json findings_json(const std::vector<Finding>& findings) {
    Json list = Json::array();
    for (const Finding& finding : findings) {
        list.push_back({{"code", finding.code},
                        {"text", finding.text},
                        {"where", finding.where},
                        {"measured", value_json(finding.measured)},
                        {"expected", value_json(finding.expected)}});
    }
    return list;
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
    for (const Mismatch& mismatch : diagnosis.mismatches) {
        json["mismatches"].push_back({{"what", mismatch.what},
                                      {"text", mismatch.text},
                                      {"expected", value_json(mismatch.expected)},
                                      {"found", value_json(mismatch.found)}});
    }
}

Json heads_json(const std::vector<HeadPart>& parts) {
    Json list = Json::array();
    for (const HeadPart& part : parts) {
        Json json{{"q_heads", part.q_heads},
                  {"k_heads", part.k_heads},
                  {"layout", part.layout.empty() ? Json(nullptr) : Json(part.layout)},
                  {"rotary_dim", optional_json(part.rotary_dim)},
                  {"base", optional_json(part.base)},
                  {"scaling", part.scaling ? scaling_json(*part.scaling, "type") : Json(nullptr)},
                  {"sign", optional_json(part.sign)},
                  {"gain", optional_json(part.gain)}};
        if (part.omega_rad.empty()) {
            json["inv_freq"] = part.inv_freq_rad;
        } else {
            json["axes"] = part.axis_names;
            json["omega"] = part.omega_rad;
        }
        list.push_back(std::move(json));
    }
    return list;
}

std::string recovered_text(const Diagnosis& diagnosis) {
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        text += fmt::format("  {:<14}{}\n", name, value);
    };
    if (!diagnosis.tensor_axes.empty()) {
        line(
            "tensors",
            diagnosis.tensor_axes +
                (diagnosis.axes_reason.empty() ? "" : fmt::format(" ({})", diagnosis.axes_reason)));
    }
    if (!diagnosis.layout.empty()) {
        line("layout", diagnosis.layout);
    }
    if (diagnosis.rotary_dim) {
        line("rotary_dim", fmt::format("{}", *diagnosis.rotary_dim));
    }
    if (diagnosis.base) {
        line("base", fmt::format("{:.10g}", *diagnosis.base));
    }
    if (diagnosis.scaling) {
        line("scaling", std::string(scaling_type(*diagnosis.scaling)));
    }
    if (diagnosis.position_offset) {
        line("offset", fmt::format("{:g} positions", *diagnosis.position_offset));
    }
    if (diagnosis.gain) {
        line("gain", fmt::format("{:.6g}", *diagnosis.gain));
    }
    if (diagnosis.table_dtype) {
        line("table", std::string(numpy_name(*diagnosis.table_dtype)));
    }
    if (diagnosis.residual_rad) {
        line("residual", fmt::format("{:.2g} rad at most", *diagnosis.residual_rad));
    }
    return text;
}

/// The lines of `text` that `known` does not have.
std::string lines_beyond(const std::string& known, const std::string& text) {
    std::string lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        lines += known.find(line) == known.npos ? line : "";
        begin = end;
    }
    return lines;
}

Json json_of(const Diagnosis& diagnosis) {
    Json json{
        {"verdict", std::string(to_string(diagnosis.verdict))},
        {"summary", diagnosis.summary},
        {"tensor_axes", diagnosis.tensor_axes},
        {"layout", diagnosis.layout.empty() ? Json(nullptr) : Json(diagnosis.layout)},
        {"rotary_dim", optional_json(diagnosis.rotary_dim)},
        {"base", optional_json(diagnosis.base)},
        {"scaling", diagnosis.scaling ? scaling_json(*diagnosis.scaling, "type") : Json(nullptr)},
        {"sign", optional_json(diagnosis.sign)},
        {"position_offset", optional_json(diagnosis.position_offset)},
        {"gain", optional_json(diagnosis.gain)},
        {"table_dtype", diagnosis.table_dtype
                            ? Json(std::string(numpy_name(*diagnosis.table_dtype)))
                            : Json(nullptr)},
        {"residual", optional_json(diagnosis.residual_rad)},
        {"inv_freq", diagnosis.inv_freq_rad},
        {"positions", diagnosis.positions.empty() ? Json(nullptr) : Json(diagnosis.positions)},
        {"findings", findings_json(diagnosis.findings)},
        {"matches", diagnosis.matches.empty() ? Json(nullptr) : Json(diagnosis.matches)},
        {"next", diagnosis.next}};
    if (!diagnosis.axis_names.empty()) {
        json.erase("inv_freq");
        json["axes"] = diagnosis.axis_names;
        json["omega"] = diagnosis.omega_rad;
    }
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
        text += fmt::format("{} ({}): {}\n", finding.code, finding.where, finding.text);
    }
    if (diagnosis.expected) {
        text += diagnosis.mismatches.empty() && diagnosis.verdict != Verdict::undetermined
                    ? fmt::format("as {} says\n", diagnosis.expected->name)
                    : "";
        for (const Mismatch& mismatch : diagnosis.mismatches) {
            text += fmt::format("mismatch: {}\n", mismatch.text);
        }
    }
    for (const std::string& next : diagnosis.next) {
        text += fmt::format("next: {}\n", next);
    }
    return text;
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
    return diagnosis.summary + "\n" + recovered_text(diagnosis) + findings_text(diagnosis);
}

std::string diagnosis_text(const LayeredDiagnosis& diagnosis) {
    if (diagnosis.kinds.size() < 2) {
        return diagnosis_text(diagnosis.whole);
    }
    const std::string shared = recovered_text(diagnosis.whole);
    std::string text = diagnosis.whole.summary + "\n" + shared;
    for (const LayerKind& kind : diagnosis.kinds) {
        text += fmt::format("{}: {}\n{}", numbered("layer", kind.layers), kind.diagnosis.summary,
                            lines_beyond(shared, recovered_text(kind.diagnosis)));
    }
    return text + findings_text(diagnosis.whole);
}

std::string diagnosis_json(const Diagnosis& diagnosis) {
    return as_text(json_of(diagnosis));
}

std::string diagnosis_json(const LayeredDiagnosis& diagnosis) {
    Json json = json_of(diagnosis.whole);
    for (const LayerKind& kind : diagnosis.kinds) {
        Json part{{"layers", kind.layers}};
        part.update(json_of(kind.diagnosis));
        part.erase("expected");  // that of all layers stands above
        json["layers"].push_back(std::move(part));
    }
    return as_text(json);
}

}  // namespace ropescope::diagnosis
