// Writes the stretching view as text and as CSV.
#include <cmath>
#include <fmt/format.h>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/stretch/stretch.h"

namespace ropescope::figures {
namespace {

/// The largest standard error of a share of so many pieces, in points.
double largest_error_points(Index of) {
    return 100 * std::sqrt(0.25 / to_double(of));
}

}  // namespace

plot::Text stretch_report(const StretchState& state) {
    std::vector<std::vector<std::string>> table;
    for (const StretchRow& row : state.rows) {
        table.push_back(stretch_cells(state, row));
    }
    const demo::TextScores& scores = demo::demo_scores().held_out;
    plot::Text text = text_table(stretch_header(), table);
    text += plot::say(
        "\nto trained: points more or fewer than in texts of {} tokens. A share has a standard "
        "error of at most {} points.\n",
        whole_text(demo::kTrainedLength),
        fixed_text(two_digits_up(largest_error_points(state.unscaled().count.of)), 2));
    text +=
        "slower pairs: pairs that turn slower than in training\n"
        "new angles: pairs that finished no turn in a text of the training and reach angles that "
        "no such text had\n";
    text += plot::say(
        "For comparison, in texts of {} tokens: with RoPE switched off {} % are right, and a model "
        "trained without positions names {} %.\n\n",
        whole_text(demo::kTrainedLength), percent_text(scores.of(demo::RopeChange::off).share()),
        percent_text(scores.no_position.share()));
    for (const StretchRow& row : state.rows) {
        text += plot::say("{}: {}\n", row.type, describe_scaling(row.spec));
    }
    return text;
}

plot::DataTable stretch_data(const StretchState& state) {
    std::vector<std::string> method;
    std::vector<Index> length, right, hidden, pair;
    std::vector<double> share, wavelength, turns, attention;
    for (const StretchRow& row : state.rows) {
        for (const Index at : state.lengths) {
            const demo::ScriptCount& count = demo::demo_scores().held_out.of(row.method, at);
            const Spectrum spectrum = make_spectrum(demo::stretched_spec(row.method, at));
            for (Index i = 0; i < spectrum.pairs(); ++i) {
                method.push_back(row.type);
                length.push_back(at);
                right.push_back(count.right);
                hidden.push_back(count.of);
                share.push_back(100 * count.share());
                pair.push_back(i);
                wavelength.push_back(spectrum.wavelength_positions(i));
                turns.push_back(to_double(at) / spectrum.wavelength_positions(i));
                attention.push_back(spectrum.attention_factor);
            }
        }
    }
    return {{{"method", method},
             {"length_tokens", length},
             {"right", right},
             {"hidden", hidden},
             {"share_percent", share},
             {"pair", pair},
             {"wavelength_positions", wavelength},
             {"turns_in_text", turns},
             {"attention_factor", attention}}};
}

}  // namespace ropescope::figures
