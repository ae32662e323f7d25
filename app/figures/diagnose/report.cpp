// The findings of the diagnose view in a panel, and its numbers.
#include <algorithm>
#include <limits>

#include "app/figures/diagnose/diagnose.h"
#include "core/diagnosis/words.h"

namespace ropescope::figures {
namespace {

constexpr Index kMostFindings = 5;

std::vector<plot::Facts::Fact> facts_of(const DiagnoseState& state) {
    using diagnosis::Weight;
    std::vector<plot::Facts::Fact> facts;
    for (const diagnosis::Finding& finding : state.diagnosis().findings) {
        facts.push_back({finding.code, plot::say("{}", finding.text()),
                         finding.weight == Weight::fault ? plot::Role::wrong : plot::Role::text});
    }
    for (const diagnosis::Finding& mismatch : state.diagnosis().mismatches) {
        const auto& findings = state.diagnosis().findings;
        const auto same = std::ranges::find(findings, mismatch.words, &diagnosis::Finding::words);
        if (same == findings.end()) {  // else a finding says it already
            facts.push_back(
                {"not as expected", plot::say("{}", mismatch.text()), plot::Role::wrong});
        }
    }
    for (const std::string& next : texts_of(state.diagnosis().next)) {
        facts.push_back({"next", plot::say("{}", next)});
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

namespace {

struct SideColumns {
    std::vector<Index> x, y;
    std::vector<double> speed;
};

SideColumns columns_of(const diagnosis::Explanation& side, Index pairs) {
    SideColumns columns;
    for (Index pair = 0; pair < pairs; ++pair) {
        const bool known =
            DiagnoseState::has_angles(side) && pair < std::ssize(side.pairing.rotated);
        columns.x.push_back(known ? side.pairing.rotated[pair].first : -1);
        columns.y.push_back(known ? side.pairing.rotated[pair].second : -1);
        columns.speed.push_back(known && pair < side.turns.pairs
                                    ? DiagnoseState::speed_rad(side, pair)
                                    : std::numeric_limits<double>::quiet_NaN());
    }
    return columns;
}

}  // namespace

plot::DataTable diagnose_data(const DiagnoseState& state) {
    const Index pairs = state.pairs();
    std::vector<Index> numbers;
    for (Index pair = 0; pair < pairs; ++pair) {
        numbers.push_back(pair);
    }
    plot::DataTable table{{{"pair", numbers}}};
    for (const diagnosis::Explanation& side : state.analysis.sides) {
        SideColumns columns = columns_of(side, pairs);
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_x", std::move(columns.x)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_y", std::move(columns.y)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_speed_rad", std::move(columns.speed)});
    }
    if (state.expected) {
        std::vector<double> wanted = state.expected_inv_freq_rad;
        wanted.resize(pairs, 0.0);
        table.columns.push_back({"expected_speed_rad", std::move(wanted)});
    }
    return table;
}

}  // namespace ropescope::figures
