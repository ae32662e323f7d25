// Writes to standard output, to a file or to standard error.
#include "app/cli/output.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/base/write_file.h"

namespace ropescope::cli {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void deliver(std::string_view text, const std::string& path) {
    if (path.empty()) {
        print(text);
    } else {
        write_file_whole(path, text);
    }
}

int deliver_report(const CheckRun& run, const ReportFormat& format, const ReportOptions& options,
                   const std::string& path) {
    deliver(format.write(run, options), path);
    return run.ok() ? 0 : 1;
}

void tell(std::string_view text) {
    constexpr std::size_t kMostCharacters = 500;
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    line = fmt::format("ropescope: {}\n", printable(line, kMostCharacters));
    std::fputs(line.c_str(), stderr);
}

void tell_assumptions(const ModelConfig& model) {
    if (model.confidence == Confidence::inferred) {
        tell(fmt::format("{}: inferred, not known, as follows", printable(model.id)));
    }
    tell_assumptions(model.id, model.assumptions);
}

void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions) {
    for (const std::string& assumption : assumptions) {
        tell(fmt::format("{}: assumed: {}", printable(place), assumption));
    }
}

}  // namespace ropescope::cli
