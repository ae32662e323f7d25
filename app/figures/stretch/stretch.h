// The stretching view: what each scaling method costs a trained model in longer texts. Sources:
// state.cpp, figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/demo/demo_scores.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// A method at the length that is looked at.
struct StretchRow {
    demo::StretchMethod method = demo::StretchMethod::none;
    std::string type;  ///< as scaling_type() names the method
    RopeSpec spec;
    Spectrum spectrum;
    demo::ScriptCount count;  ///< over all of the held-out text
    int slower = 0;           ///< pairs that turn slower than in training
    /// Pairs that finished no turn in a text of the training and reach angles that no such text
    /// had.
    int unseen = 0;

    /// Turns of a pair within a text of `length` tokens.
    double turns(Index pair, Index length) const {
        return to_double(length) / spectrum.wavelength_positions(pair);
    }
};

struct StretchState {
    Index length = 0;
    double factor = 1;             ///< length / trained length
    std::vector<Index> lengths;    ///< that were measured, ascending; the first is the trained one
    std::vector<StretchRow> rows;  ///< the first is the unscaled encoding

    const StretchRow& unscaled() const { return rows.front(); }
    /// The scaled row with the most right answers.
    const StretchRow& best() const;
    /// Whether the best one is better than the unscaled encoding by more than chance explains: two
    /// standard errors of a share of so many pieces.
    bool a_method_helps() const;
    /// Share of right answers of a method at a measured length.
    double share(const StretchRow& row, Index length) const;
    /// Turns of a pair within a text of the training.
    double trained_turns(Index pair) const;
};
StretchState make_stretch_state(const Scene& scene);

/// "27.6": a share in percent.
plot::Number percent_text(double share);
/// The header of the table, and the cells of a row: method, % right, points more or fewer than at
/// the trained length, slower pairs, pairs at new angles.
std::vector<std::string> stretch_header();
std::vector<std::string> stretch_cells(const StretchState& state, const StretchRow& row);

/// CSV: method, length_tokens, right, hidden, share_percent, pair, wavelength_positions,
/// turns_in_text, attention_factor: one row for each method, length and pair.
plot::DataTable stretch_data(const StretchState& state);

plot::Text stretch_report(const StretchState& state);

View stretch_view();

}  // namespace ropescope::figures
