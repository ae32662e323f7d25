// Writes the decay view as text and as CSV.
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "app/figures/decay/decay.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {
namespace {

/// "45", "0.024": two digits, so that a share above zero never becomes 0.
plot::Number percent_text(double share) {
    return share >= 0.01 ? fixed_text(100 * share, 0) : general_text(100 * share, 2);
}

plot::Text rises_sentence(const DecayState& state, const char* name, const Rises& rises) {
    if (rises.constant()) {
        return plot::say("{} is {} at every distance.\n", name, fixed_text(rises.lowest, 4));
    }
    if (rises.rising == 0) {
        return plot::say("{} never rises: it has {} {}.\n", name, whole_text(rises.steps),
                         steps_noun(state, rises));
    }
    // Indices of the curve: distances themselves if each was looked at.
    const auto distance_at = [&](Index i) {
        return whole_text(state.counted ? i : state.distances[i]);
    };
    return plot::say(
        "{} rises on {} of {} {} ({} %), first after distance {}; lowest {} at {}; at {} it stands "
        "{} above an "
        "earlier, nearer value.\n",
        name, whole_text(rises.rising), whole_text(rises.steps), steps_noun(state, rises),
        percent_text(rises.share()), distance_at(rises.first), fixed_text(rises.lowest, 4),
        distance_at(rises.lowest_at), distance_at(rises.regained_at),
        fixed_text(rises.highest_regain, 4));
}

plot::Text meaning(const DecayState& state) {
    plot::Text text = "What this means for distance decay\n";
    text += rises_sentence(state, "The bound", state.bound_rises);
    text += rises_sentence(state, "The sum of cosines (q = k)", state.cosine_rises);
    if (state.below_zero >= 0) {
        text += plot::say(
            "The sum of cosines is first negative at distance {}: there a key equal to the query "
            "scores below the mean of unrelated ones, which is zero.\n",
            whole_text(state.below_zero));
    } else if (state.counted) {
        text += plot::say("The sum of cosines is never negative up to here.\n");
    }
    text +=
        plot::say("Random content within {} degrees: its mean is {} of the sum of cosines{}\n\n",
                  state.angle_deg, fixed_text(mean_share(state.angle_rad), 3),
                  mean_share(state.angle_rad) < 1e-9
                      ? ": unrelated q and k have a mean of zero at every distance."
                      : "; the band around it holds the draws from 5 to 95 %.");
    return text;
}

}  // namespace

plot::Text decay_report(const DecayState& state) {
    constexpr Index kMostRows = 33;
    const Index count = std::ssize(state.random_at);
    const Index rows_shown = std::min(count, kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (Index row = 0; row < rows_shown; ++row) {
        const Index r = rows_shown == 1 ? 0 : row * (count - 1) / (rows_shown - 1);
        const Index i = state.random_at[r];
        rows.push_back(
            {fmt::format("{}", state.distances[i]), fixed_text(state.curves.upper_bound[i], 4),
             signed_text(state.curves.cosine_sum[i], 4), signed_text(state.random.mean[r], 3),
             signed_text(state.random.low[r], 3), signed_text(state.random.high[r], 3)});
    }
    return meaning(state) +
           text_table({"distance", "upper bound", "sum of cosines", "random mean", "5 %", "95 %"},
                      rows) +
           plot::say(
               "The rows are evenly chosen. Random: {} draws of q and k, unit vectors in every "
               "pair.\n",
               whole_text(state.draws));
}

plot::DataTable decay_data(const DecayState& state) {
    const Index count = std::ssize(state.distances);
    const auto rising = [&](const std::vector<double>& curve) {
        std::vector<Index> flags(count, 0);
        for (Index i = 0; i + 1 < count; ++i) {
            flags[i] = curve[i + 1] > curve[i] + state.tolerance ? 1 : 0;
        }
        return flags;
    };
    const auto spread = [&](const std::vector<double>& values) {
        std::vector<double> column(count, std::numeric_limits<double>::quiet_NaN());
        for (Index r = 0; r < std::ssize(values); ++r) {
            column[state.random_at[r]] = values[r];
        }
        return column;
    };
    plot::DataTable table = {{{"distance_positions", state.distances},
                              {"upper_bound", state.curves.upper_bound},
                              {"cosine_sum", state.curves.cosine_sum},
                              {"bound_rises_by_next_row", rising(state.curves.upper_bound)},
                              {"cosine_rises_by_next_row", rising(state.curves.cosine_sum)},
                              {"random_mean", spread(state.random.mean)},
                              {"random_low_5_percent", spread(state.random.low)},
                              {"random_high_5_percent", spread(state.random.high)}}};
    if (state.measured) {
        const auto at_distances = [&](const std::vector<double>& values) {
            std::vector<double> column(count, std::numeric_limits<double>::quiet_NaN());
            for (Index i = 0; i < count; ++i) {
                if (state.distances[i] < std::ssize(values)) {
                    column[i] = values[state.distances[i]];
                }
            }
            return column;
        };
        const DecayState::Measured& measured = *state.measured;
        table.columns.push_back(
            {"measured_mean_cosine", at_distances(measured.by_distance.cosine)});
        if (!measured.by_distance.probability.empty()) {
            const Index head = measured.at.layer * measured.heads + measured.at.head;
            table.columns.push_back(
                {"measured_probability", at_distances(measured.by_distance.probability[head])});
        }
    }
    return table;
}

}  // namespace ropescope::figures
