// Writes the report of a probe.
#include "core/probe/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/words.h"

namespace ropescope::probe {
namespace {

using Json = nlohmann::ordered_json;

const RequestResult& result_of(const Report& report, Index id) {
    return *std::ranges::find(report.requests, id, &RequestResult::id);
}

Json request_json(const RequestResult& result) {
    Json json{{"id", result.id},
              {"name", result.name},
              {"separates", result.separates},
              {"why", result.why},
              {"judged", std::string(to_string(result.judged))}};
    if (!result.words.empty()) {
        json["text"] = text_of(result.words);
    }
    if (result.off > 0) {
        json["off"] = result.off;
        json["numbers"] = result.numbers;
        json["worst_in_tolerances"] = std::isfinite(result.worst_in_tolerances)
                                          ? Json(result.worst_in_tolerances)
                                          : Json(nullptr);
    }
    return json;
}

}  // namespace

std::string report_text(const Report& report) {
    const diagnosis::Diagnosis& diagnosis = report.diagnosis;
    // Findings stand below with their requests, and mismatches among them.
    diagnosis::Diagnosis plain = diagnosis;
    plain.findings.clear();
    plain.expected.reset();
    plain.next.clear();
    std::string text =
        report.inferred.empty() ? "" : fmt::format("INFERRED, not known: {}\n", report.inferred);
    text += diagnosis.tensor_axes.empty() ? diagnosis.summary() + "\n" : diagnosis_text(plain);
    for (std::size_t i = 0; i < diagnosis.findings.size(); ++i) {
        const diagnosis::Finding& finding = diagnosis.findings[i];
        const std::string where = finding.where();
        text += fmt::format("{}{}: {}\n", finding.code,
                            where.empty() ? "" : fmt::format(" ({})", where), finding.text());
        if (finding.weight != diagnosis::Weight::note) {
            const RequestResult& shown = result_of(report, report.shown_by[i]);
            text += fmt::format("  shown by request {}, {}: {}\n", shown.id, shown.name, shown.why);
            text += diagnosis::repair_line(finding);
        }
    }
    for (const diagnosis::Words& next : diagnosis.next) {
        if (next.phrase == &diagnosis::say::kPermutedWeights) {  // others are about dumps
            text += fmt::format("next: {}\n", text_of(next));
        }
    }
    if (report.smallest_failing) {
        const RequestResult& smallest = result_of(report, *report.smallest_failing);
        text += fmt::format("smallest failing request: {}, {}\n", smallest.id, smallest.name);
    }
    return text;
}

std::string report_json(const Report& report) {
    Json json{{"confidence", report.inferred.empty() ? "known" : "inferred"}};
    if (!report.inferred.empty()) {
        json["inferred"] = report.inferred;
    }
    json.update(Json::parse(diagnosis_json(report.diagnosis)));
    for (std::size_t i = 0; i < report.shown_by.size(); ++i) {
        json["findings"][i]["request"] = report.shown_by[i];
    }
    json["part"] = report.part;
    json["smallest_failing"] =
        report.smallest_failing ? Json(*report.smallest_failing) : Json(nullptr);
    json["requests"] = Json::array();
    for (const RequestResult& result : report.requests) {
        json["requests"].push_back(request_json(result));
    }
    return json.dump(2) + "\n";
}

}  // namespace ropescope::probe
