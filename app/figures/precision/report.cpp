// Writes the precision view as text and as CSV.
#include <fmt/format.h>

#include "app/figures/precision/precision.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {
namespace {

/// "151 363", or "at most 185 364" if not every position before it has been looked at. "nowhere" is
/// up to the last position.
std::string reached_text(const Reached& reached) {
    if (reached.position < 0) {
        return reached.exact ? "nowhere" : "not seen";
    }
    return (reached.exact ? "" : "at most ") + whole_text(reached.position);
}

/// The rows at the powers of 4.
std::string curve_table(const PrecisionState& state, std::vector<double> ChainCurves::*values) {
    std::vector<std::string> header = {"position"};
    for (const ChainCurves& curves : state.chains) {
        header.push_back(curves.chain->id);
    }
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < std::ssize(state.positions); ++i) {
        const Index position = state.positions[i];
        const bool power_of_four =
            (position & (position - 1)) == 0 && (position & 0x5555555555555555) != 0;
        if (!power_of_four) {
            continue;
        }
        rows.push_back({whole_text(position)});
        for (const ChainCurves& curves : state.chains) {
            rows.back().push_back(fmt::format("{:.2e}", (curves.*values)[i]));
        }
    }
    return text_table(header, rows) + "\n";
}

}  // namespace

plot::Text precision_report(const PrecisionState& state) {
    plot::Text text =
        plot::say("How each chain computes, and where it goes wrong up to position {}\n",
                  whole_text(state.positions.back()));
    std::vector<std::vector<std::string>> rows;
    for (const ChainCurves& curves : state.chains) {
        rows.push_back({curves.chain->id, reached_text(curves.reached[0]),
                        reached_text(curves.reached[1]), reached_text(curves.reached[2]),
                        fmt::format("{:.2e}", curves.error.back()),
                        fmt::format("{:.2e}", curves.worst.back()), curves.chain->where});
    }
    text += text_table({"chain", "first off by 1e-4", "by 0.01", "by 1", "error, last step",
                        "score changes by", ""},
                       rows);
    text += "\nLargest error of cos and sin at the sampled positions of a step\n" +
            curve_table(state, &ChainCurves::error);
    text += plot::say(
                "Change of q_m · k_n (m = {}, n = {}) when both move there, over |q| |k|, "
                "worst q and k\n",
                state.m, state.n) +
            curve_table(state, &ChainCurves::worst);
    text += plot::say("The same for random q and k, root mean square\n") +
            curve_table(state, &ChainCurves::typical);
    return text + plot::say(
                      "At most {} of each step {} sampled, for {}; the error between them can be "
                      "larger. First positions marked \"at most\" are sampled too.\n",
                      counted(state.samples, "position"), agreeing(state.samples, "is", "are"),
                      counted(state.sampled.pairs(), "pair"));
}

plot::DataTable precision_data(const PrecisionState& state) {
    std::vector<std::string> chain;
    std::vector<Index> position;
    std::vector<double> error, worst, typical;
    for (const ChainCurves& curves : state.chains) {
        for (Index i = 0; i < std::ssize(state.positions); ++i) {
            chain.push_back(curves.chain->id);
            position.push_back(state.positions[i]);
            error.push_back(curves.error[i]);
            worst.push_back(curves.worst[i]);
            typical.push_back(curves.typical[i]);
        }
    }
    return {{{"chain", std::move(chain)},
             {"position", std::move(position)},
             {"sampled_largest_error", std::move(error)},
             {"sampled_violation_worst", std::move(worst)},
             {"sampled_violation_typical", std::move(typical)}}};
}

}  // namespace ropescope::figures
