// Writes JUnit XML.
#include "core/base/junit.h"

#include <algorithm>
#include <fmt/format.h>

namespace ropescope {
namespace {

/// Text for XML 1.0: markup and line breaks escaped, control characters (which it cannot hold) and
/// bytes beyond ASCII (which may not be UTF-8 in the message of an exception) replaced.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\n':
                safe += "&#10;";
                break;
            default:
                safe += c >= ' ' && c <= '~' ? c : '?';
        }
    }
    return safe;
}

std::string outcome(const JunitCase& test) {
    if (test.skipped) {
        return fmt::format("<skipped message=\"{}\"/>", xml(*test.skipped));
    }
    return test.failure ? fmt::format("<failure message=\"{}\">{}</failure>", xml(*test.failure),
                                      xml(test.detail))
                        : "";
}

}  // namespace

std::string junit_text(std::string_view suite, const std::vector<JunitCase>& cases) {
    std::string lines;
    double seconds = 0.0;
    for (const JunitCase& test : cases) {
        seconds += test.seconds;
        lines +=
            fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n",
                        xml(test.group), xml(test.name), test.seconds, outcome(test));
    }
    const auto failures = std::ranges::count_if(
        cases, [](const JunitCase& test) { return test.failure && !test.skipped; });
    const auto skipped = std::ranges::count_if(
        cases, [](const JunitCase& test) { return test.skipped.has_value(); });
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
        "time=\"{:.6f}\">\n{}</testsuite>\n",
        xml(suite), cases.size(), failures, skipped, seconds, lines);
}

}  // namespace ropescope
