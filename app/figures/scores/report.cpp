#include <cmath>
#include <fmt/format.h>

#include "app/figures/scores/state.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

std::string separability_text(const ScoresState& state) {
    return fmt::format(
        "Non-separability: of the table of {} contents by {} distances, {:.3g} % of the sum of "
        "squares lies beyond the first singular value; {} singular values are above 1e-10 of the "
        "largest. q·k times a bias of the distance has 1, q·k plus a bias has 2.\n\n",
        state.contents, state.distances, 100 * state.beyond, state.rank);
}

std::string pair_table(const ScoresState& state) {
    constexpr int kMostRows = 64;
    const int shown = std::min(state.spec.pairs(), kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (int row = 0; row < shown; ++row) {
        const int pair = shown == 1 ? 0 : row * (state.spec.pairs() - 1) / (shown - 1);
        const PairShare& share = state.shares[static_cast<std::size_t>(pair)];
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{:.4g}", state.spectrum.wavelength_positions(pair)),
                        signed_text(share.cos_part, 5), signed_text(share.sin_part, 5),
                        signed_text(share.sum(), 5), pair == state.selected ? "selected" : ""});
    }
    return text_table({"pair", "λ positions", "cos part", "J sin part", "sum", ""}, rows);
}

std::string singular_table(const ScoresState& state) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(16, state.rope.size()); ++i) {
        const auto share = [&](const std::vector<double>& values) {
            return fmt::format("{:.2e}", values[i] / values.front());
        };
        rows.push_back({fmt::format("{}", i + 1), share(state.rope), share(state.multiplied),
                        share(state.added)});
    }
    return text_table({"singular value", "RoPE", "q·k × bias", "q·k + bias"}, rows);
}

}  // namespace

std::string scores_report(const ScoresState& state) {
    std::string carriers;
    for (std::size_t i = 0; i < std::min<std::size_t>(16, state.carriers.size()); ++i) {
        carriers += (i == 0 ? "" : ", ") + fmt::format("{}", state.carriers[i]);
    }
    return fmt::format(
               "At n − m = {} the mean cosine is {}: cos part {}, J sin part {}.\n"
               "{} of {} pairs carry half of it (sum of the magnitudes): {}{}.\n",
               whole_text(state.delta), signed_text(state.total.sum(), 5),
               signed_text(state.total.cos_part, 5), signed_text(state.total.sin_part, 5),
               state.carriers.size(), state.spec.pairs(), carriers,
               state.carriers.size() > 16 ? ", ..." : "") +
           separability_text(state) + pair_table(state) + "\n" + singular_table(state) +
           "each over the largest of its table\n";
}

plot::DataTable scores_data(const ScoresState& state) {
    std::vector<std::string> table;
    std::vector<double> at, total, cos_part, sin_part;
    const auto add = [&](const char* name, double where, double a, double b, double c) {
        table.emplace_back(name);
        at.push_back(where);
        total.push_back(a);
        cos_part.push_back(b);
        sin_part.push_back(c);
    };
    const auto half = static_cast<std::int64_t>(state.halves.even.size()) - 1;
    for (std::int64_t i = -half; i <= half; ++i) {
        const auto index = static_cast<std::size_t>(std::abs(i));
        const double even = state.halves.even[index];
        const double odd = (i < 0 ? -1 : 1) * state.halves.odd[index];
        add("score", static_cast<double>(i) * state.step, even + odd, even, odd);
    }
    for (std::size_t i = 0; i < state.shares.size(); ++i) {
        const PairShare& share = state.shares[i];
        add("pair", static_cast<double>(i), share.sum(), share.cos_part, share.sin_part);
    }
    for (std::size_t i = 0; i < state.rope.size(); ++i) {
        add("singular", static_cast<double>(i) + 1, state.rope[i], state.multiplied[i],
            state.added[i]);
    }
    return {{{"table", std::move(table)},
             {"at", std::move(at)},
             {"total", std::move(total)},
             {"cos_part", std::move(cos_part)},
             {"sin_part", std::move(sin_part)}}};
}

}  // namespace ropescope::figures
