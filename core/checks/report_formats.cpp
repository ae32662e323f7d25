#include <array>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/checks/report.h"

namespace ropescope {

std::span<const ReportFormat> report_formats() {
    static constexpr std::array kFormats{
        ReportFormat{"text", report_text},
        ReportFormat{"json", report_json},
        ReportFormat{"junit", report_junit},
        ReportFormat{"markdown", report_markdown},
    };
    return kFormats;
}

const ReportFormat& report_format(std::string_view name) {
    std::string choices;
    for (const ReportFormat& format : report_formats()) {
        if (format.name == name) {
            return format;
        }
        choices += (choices.empty() ? "" : ", ") + std::string(format.name);
    }
    throw InputError(fmt::format("format: '{}' is not a report format of check; choose one of {}",
                                 name, choices));
}

}  // namespace ropescope
