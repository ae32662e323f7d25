// The table of report formats.
#include "core/checks/report/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope {

std::span<const ReportFormat> report_formats() {
    static constexpr std::array kFormats{
        ReportFormat{"text", ".txt", report_text},
        ReportFormat{"json", ".json", report_json},
        ReportFormat{"junit", ".xml", report_junit},
        ReportFormat{"markdown", ".md", report_markdown},
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

const ReportFormat& report_format_of(const std::filesystem::path& path) {
    const std::string ending = lower_case(path.extension().string());
    const auto formats = report_formats();
    const auto found = std::ranges::find(formats, ending, &ReportFormat::ending);
    return found == formats.end() ? formats.front() : *found;
}

}  // namespace ropescope
