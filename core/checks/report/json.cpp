// A report as JSON.
#include <nlohmann/json.hpp>

#include "core/checks/report/report.h"

namespace ropescope {

std::string report_json(const CheckRun& run, const ReportOptions&) {
    using Json = nlohmann::ordered_json;  // keys in the order in which they are read
    Json checks = Json::array();
    Json notes = Json::array();
    for (const CheckResult& result : run.results) {
        const CheckFinding& finding = result.finding;
        if (finding.status == Status::note) {
            notes.push_back({{"id", result.check->id},
                             {"title", result.check->title},
                             {"source", result.check->source},
                             {"detail", finding.detail}});
            continue;
        }
        checks.push_back({{"id", result.check->id},
                          {"title", result.check->title},
                          {"source", result.check->source},
                          {"status", to_string(finding.status)},
                          {"measured", finding.measured},
                          {"bound", finding.bound},
                          {"bound_reason", finding.bound_reason},
                          {"detail", finding.detail},
                          {"worst_case", finding.worst_case},
                          {"seconds", result.seconds}});
    }
    const Json report{{"summary",
                       {{"passed", run.count(Status::passed)},
                        {"failed", run.count(Status::failed)},
                        {"skipped", run.count(Status::skipped)},
                        {"seconds", run.seconds()}}},
                      {"checks", std::move(checks)},
                      {"notes", std::move(notes)}};
    // The message of an exception may hold any bytes; the report stays valid UTF-8.
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ropescope
