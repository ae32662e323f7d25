// Computes the state of the stretch view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/stretch/stretch.h"

namespace ropescope::figures {
namespace {

/// Two speeds or angles that differ by less count as equal: a few roundings lie far below.
constexpr double kSame = 1e-9;

/// The name of a method in the list of all scaling methods.
std::string type_of(demo::StretchMethod method) {
    return method == demo::StretchMethod::none ? "default" : std::string(to_string(method));
}

void count_pairs(StretchRow& row, const StretchState& state, const Spectrum& trained) {
    for (Index pair = 0; pair < row.spectrum.pairs(); ++pair) {
        const double before = trained.inv_freq_rad[pair], after = row.spectrum.inv_freq_rad[pair];
        row.slower += after < before * (1 - kSame) ? 1 : 0;
        const double shown = to_double(demo::kTrainedLength) * before;
        const double reached = to_double(state.length) * after;
        row.unseen += shown < 2 * std::numbers::pi && reached > shown * (1 + kSame) ? 1 : 0;
    }
}

}  // namespace

const StretchRow& StretchState::best() const {
    return *std::ranges::max_element(rows.begin() + 1, rows.end(), {},
                                     [](const StretchRow& row) { return row.count.right; });
}

bool StretchState::a_method_helps() const {
    const double plain = unscaled().count.share(), of = to_double(unscaled().count.of);
    return best().count.share() - plain > 2 * std::sqrt(plain * (1 - plain) / of);
}

double StretchState::share(const StretchRow& row, Index at) const {
    return demo::demo_scores().held_out.of(row.method, at).share();
}

double StretchState::trained_turns(Index pair) const {
    // The unscaled encoding is that of the training at every length.
    return unscaled().turns(pair, demo::kTrainedLength);
}

StretchState make_stretch_state(const Scene& scene) {
    StretchState state{.length = std::stoll(scene.stretch_length),
                       .lengths = demo::stretched_lengths(),
                       .rows = {}};
    state.factor = to_double(state.length) / to_double(demo::kTrainedLength);
    const Spectrum trained =
        make_spectrum(demo::stretched_spec(demo::StretchMethod::none, demo::kTrainedLength));
    for (std::size_t i = 0; i < kEnumNames<demo::StretchMethod>.size(); ++i) {
        const auto method = static_cast<demo::StretchMethod>(i);
        const RopeSpec spec = demo::stretched_spec(method, state.length);
        StretchRow row{.method = method,
                       .type = type_of(method),
                       .spec = spec,
                       .spectrum = make_spectrum(spec),
                       .count = demo::demo_scores().held_out.of(method, state.length)};
        count_pairs(row, state, trained);
        state.rows.push_back(std::move(row));
    }
    return state;
}

// Writes the stretching view as text and as CSV.

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
