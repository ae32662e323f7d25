// Says which faults make the numbers at hand, as text and as JSON.
#include "app/cli/positions_findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUnexplained = "ids.unexplained";

std::string unexplained_text(const Findings& findings) {
    return findings.tokens <= findings.most_tokens
               ? fmt::format("No fault that is known makes these {}, and no two of them do.",
                             findings.numbers)
               : fmt::format(
                     "No single fault that is known makes these {}; two at once are looked "
                     "for in at most {} tokens.",
                     findings.numbers, findings.most_tokens);
}

bool is_explained(const Findings& findings) {
    return !findings.single.empty() || !findings.pairs.empty();
}

Json json_of(const NamedFault& fault, const NamedFault& other) {
    return {{"code", std::string(fault.code)},
            {"text", fault.how},
            {"together_with", std::string(other.code)}};
}

}  // namespace

std::string findings_text(const Findings& findings) {
    std::string text;
    for (const NamedFault& fault : findings.single) {
        text += fmt::format("{}: {}\n", fault.code, fault.how);
    }
    for (const auto& [first, second] : findings.pairs) {
        text += fmt::format("{} and {} together: {} {}\n", first.code, second.code, first.how,
                            second.how);
    }
    return is_explained(findings)
               ? text
               : fmt::format("{}: {}\n", kUnexplained, unexplained_text(findings));
}

std::string unseen_text(const Findings& findings) {
    std::string text;
    for (const UnseenFault& fault : findings.unseen) {
        text +=
            fmt::format("this layout cannot show {}; it takes {}\n", fault.code, fault.shown_by);
    }
    return text;
}

Json findings_json(const Findings& findings) {
    Json list = Json::array();
    for (const NamedFault& fault : findings.single) {
        list.push_back({{"code", std::string(fault.code)}, {"text", fault.how}});
    }
    for (const auto& [first, second] : findings.pairs) {
        list.push_back(json_of(first, second));
        list.push_back(json_of(second, first));
    }
    if (!is_explained(findings)) {
        list.push_back({{"code", std::string(kUnexplained)}, {"text", unexplained_text(findings)}});
    }
    return list;
}

Json unseen_json(const Findings& findings) {
    Json list = Json::array();
    for (const UnseenFault& fault : findings.unseen) {
        list.push_back(
            {{"code", std::string(fault.code)}, {"shown_by", std::string(fault.shown_by)}});
    }
    return list;
}

}  // namespace ropescope::cli
