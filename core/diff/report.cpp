// Writes what lies between two things.
#include "core/diff/report.h"

#include <fmt/format.h>

namespace ropescope::diff {

std::string report_text(const DiffReport& report) {
    std::string text = report.summary + "\n" + text_of(report.facts);
    for (const std::string& remark : report.remarks) {
        text += remark + "\n";
    }
    return text + text_of(report.rows);
}

std::string report_json(const DiffReport& report) {
    nlohmann::ordered_json json{{"verdict", std::string(to_string(report.verdict))},
                                {"summary", report.summary}};
    json.update(json_of(report.facts));
    json["remarks"] = report.remarks;
    json["differences"] = json_of(report.rows);
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ropescope::diff
