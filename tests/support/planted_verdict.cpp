// Says how a diagnosis differs from the answer to a planted dump.
#include "tests/support/planted_verdict.h"

#include <fmt/format.h>
#include <set>

namespace ropescope::test {

std::string difference(const PlantedDump& planted, const diagnosis::Diagnosis& found) {
    std::string text;
    if (found.verdict != planted.verdict) {
        text += fmt::format("verdict {}, not {}; ", to_string(found.verdict),
                            to_string(planted.verdict));
    }
    std::set<std::string> missing = planted.codes;
    for (const diagnosis::Finding& finding : found.findings) {
        missing.erase(finding.code);
        const bool expected =
            planted.codes.contains(finding.code) || planted.allowed.contains(finding.code) ||
            (finding.weight == diagnosis::Weight::note &&
             (finding.code.starts_with("layout.") || finding.code.starts_with("matches.")));
        if (!expected) {
            text += fmt::format("{}: {} ", finding.code, finding.text());
        }
    }
    for (const std::string& code : missing) {
        text += fmt::format("no {}; ", code);
    }
    return text.empty() ? text : text + "(" + found.summary() + ")";
}

std::vector<std::string> fault_codes(const diagnosis::Diagnosis& found) {
    std::vector<std::string> codes;
    for (const diagnosis::Finding& finding : found.findings) {
        if (finding.weight == diagnosis::Weight::fault) {
            codes.push_back(finding.code);
        }
    }
    return codes;
}

}  // namespace ropescope::test
