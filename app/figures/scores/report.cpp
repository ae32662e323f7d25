// Writes the scores view's table for CSV and its text report.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "app/figures/scores/scores.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {
namespace {

plot::Text separability_text(const ScoresState& state) {
    return plot::say(
        "Non-separability: of the table of {} contents by {} distances, {} % of the sum of "
        "squares lies beyond the first singular value. Singular values above 1e-10 of the "
        "largest: {}; of q·k times a bias of the distance {}, of q·k plus a bias {}.\n\n",
        state.contents, state.distances, general_text(100 * state.beyond, 3), state.rope.rank,
        state.multiplied.rank, state.added.rank);
}

std::string pair_table(const ScoresState& state) {
    std::vector<std::vector<std::string>> rows;
    for (const Index pair : evenly_chosen(state.spec.pairs(), 64)) {
        const PairShare& share = state.shares[pair];
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{:.4g}", state.spectrum.wavelength_positions(pair)),
                        signed_text(share.cos_part, 5), signed_text(share.sin_part, 5),
                        signed_text(share.sum(), 5), pair == state.selected ? "selected" : ""});
    }
    return text_table({"pair", "λ positions", "cos part", "J sin part", "sum", ""}, rows);
}

std::string singular_table(const ScoresState& state) {
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < std::min<Index>(16, std::ssize(state.rope.values)); ++i) {
        const auto share = [&](const SingularValues& singular) {
            return fmt::format("{:.2e}", singular.values[i] / singular.values.front());
        };
        rows.push_back({fmt::format("{}", i + 1), share(state.rope), share(state.multiplied),
                        share(state.added)});
    }
    return text_table({"singular value", "RoPE", "q·k × bias", "q·k + bias"}, rows);
}

}  // namespace

plot::Text scores_report(const ScoresState& state) {
    std::string carriers;
    for (Index i = 0; i < std::min<Index>(16, std::ssize(state.carriers)); ++i) {
        carriers += (i == 0 ? "" : ", ") + fmt::format("{}", state.carriers[i]);
    }
    return plot::say(
               "At n − m = {} the mean cosine is {}: cos part {}, J sin part {}.\n"
               "{} of {} {} half of the sum of the magnitudes of all shares: {}{}.\n",
               whole_text(state.delta), signed_text(state.total.sum(), 5),
               signed_text(state.total.cos_part, 5), signed_text(state.total.sin_part, 5),
               state.carriers.size(), counted(state.spec.pairs(), "pair"),
               agreeing(std::ssize(state.carriers), "makes", "make"), carriers,
               state.carriers.size() > 16 ? ", ..." : "") +
           separability_text(state) + pair_table(state) + "\n" + singular_table(state) +
           "each over the largest of its table\n";
}

plot::DataTable scores_data(const ScoresState& state) {
    std::vector<std::string> table;
    std::vector<double> at, value, cos_part, sin_part;
    const auto add = [&](const char* name, double where, double a, double b, double c) {
        table.emplace_back(name);
        at.push_back(where);
        value.push_back(a);
        cos_part.push_back(b);
        sin_part.push_back(c);
    };
    const auto add_share = [&](const char* name, double where, const PairShare& share) {
        add(name, where, share.sum(), share.cos_part, share.sin_part);
    };
    for (Index i = -state.half(); i <= state.half(); ++i) {
        add_share("score", to_double(i) * state.step, state.curve_at(i));
    }
    for (Index i = 0; i < std::ssize(state.shares); ++i) {
        add_share("pair", to_double(i), state.shares[i]);
    }
    const auto add_singular = [&](const char* name, const SingularValues& singular) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        for (Index i = 0; i < std::ssize(singular.values); ++i) {
            add(name, to_double(i) + 1, singular.values[i], kNone, kNone);
        }
    };
    add_singular("singular_rope", state.rope);
    add_singular("singular_times_bias", state.multiplied);
    add_singular("singular_plus_bias", state.added);
    return {{{"table", std::move(table)},
             {"at", std::move(at)},
             {"value", std::move(value)},
             {"cos_part", std::move(cos_part)},
             {"sin_part", std::move(sin_part)}}};
}

}  // namespace ropescope::figures
