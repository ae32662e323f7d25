// Lists what the analysis found.
#include <algorithm>

#include "app/figures/diagnose/panels.h"
#include "core/diagnosis/words.h"

namespace ropescope::figures {
namespace {

constexpr Index kMostFindings = 5;

std::vector<plot::Facts::Fact> facts_of(const DiagnoseState& state) {
    using diagnosis::Weight;
    std::vector<plot::Facts::Fact> facts;
    for (const diagnosis::Finding& finding : state.diagnosis().findings) {
        facts.push_back({finding.code, finding.text(),
                         finding.weight == Weight::fault ? plot::Role::wrong : plot::Role::text});
    }
    for (const diagnosis::Finding& mismatch : state.diagnosis().mismatches) {
        const auto& findings = state.diagnosis().findings;
        const auto same = std::ranges::find(findings, mismatch.words, &diagnosis::Finding::words);
        if (same == findings.end()) {  // else a finding says it already
            facts.push_back({"not as expected", mismatch.text(), plot::Role::wrong});
        }
    }
    for (const std::string& next : texts_of(state.diagnosis().next)) {
        facts.push_back({"next", next});
    }
    if (std::ssize(facts) > kMostFindings) {
        facts.resize(kMostFindings);
    }
    return facts;
}

}  // namespace

Index findings_lines(const DiagnoseState& state) {
    return std::max<Index>(1, std::ssize(facts_of(state)));
}

plot::Panel findings_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "findings", .row = 2, .column_span = 2};
    panel.x.visible = false;
    panel.y.visible = false;
    panel.marks.emplace_back(plot::Facts{facts_of(state)});
    return panel;
}

}  // namespace ropescope::figures
