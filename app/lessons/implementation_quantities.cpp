// The numbers and words of lessons about implementations: layouts, systems, whole encoders, several
// axes, and diagnoses.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/axes/axes.h"
#include "app/figures/diagnose/diagnose.h"
#include "app/figures/encoder/state.h"
#include "app/figures/layouts/layouts.h"
#include "app/figures/positions/positions.h"
#include "app/lessons/quantities.h"
#include "core/base/error.h"

namespace ropescope::lessons {
namespace {

figures::Walk walk_of(const Asked& asked) {
    return figures::make_walk(asked.scene, *asked.engine);
}

/// |R q| / |q| - 1 of a whole head in fp32.
double length_change(const Asked& asked) {
    const figures::Walk walk = walk_of(asked);
    double before = 0, after = 0;
    for (std::size_t channel = 0; channel < walk.q.size(); ++channel) {
        before += double{walk.q[channel]} * walk.q[channel];
        after += double{walk.rotated[channel]} * walk.rotated[channel];
    }
    return std::abs(std::sqrt(after / before) - 1);
}

std::shared_ptr<const figures::AttentionState> attention_of(const Asked& asked) {
    return figures::make_attention_state(asked.scene, *asked.engine, {.cache = asked.cache});
}

/// The text beside the same words in the opposite order.
std::shared_ptr<const figures::AttentionState> in_opposite_order(const Asked& asked) {
    Scene scene = asked.scene;
    scene.attention_compare = AttentionCompare::reversed;
    return figures::make_attention_state(scene, *asked.engine, {.cache = asked.cache});
}

/// Over all heads and layers, relative to the largest score.
double order_change(const Asked& asked) {
    const auto state = in_opposite_order(asked);
    if (!state->other->largest) {
        throw InputError(
            "order_change: the text is too long to compare every score; give at most "
            "256 tokens");
    }
    return state->other->largest->score / state->scale.score;
}

/// What a pass puts in the place of the first [MASK].
const Prediction& answer_of(const figures::AttentionPass& pass) {
    if (pass.predictions.empty() || pass.predictions.front().best.empty()) {
        throw InputError("answer: nothing is masked; set attention_masked");
    }
    return pass.predictions.front().best.front();
}

std::string answer_text(const figures::AttentionState& state, const figures::AttentionPass& pass) {
    return state.vocabulary->text(answer_of(pass).id);
}

std::shared_ptr<const figures::AttentionPass> compared_pass(const Asked& asked) {
    const auto state = attention_of(asked);
    if (!state->other) {
        throw InputError("answer_compared: there is one pass; set attention_compare");
    }
    return state->other->pass;
}

double moved_scores(const Asked& asked) {
    const auto state = attention_of(asked);
    return state->largest.score / state->scale.score;
}

figures::AxesState axes_of(const Asked& asked) {
    return figures::make_axes_state(asked.scene);
}

/// Pairs that an axis turns, of all.
double pairs_of_axis(const Asked& asked, std::string_view axis) {
    const figures::AxesScheme one = axes_of(asked).one;
    const auto found = std::ranges::find(one.scheme().axes, axis);
    const Index wanted = found - one.scheme().axes.begin();
    return found == one.scheme().axes.end()
               ? 0
               : to_double(std::ranges::count(one.axis_of_pair, wanted));
}

/// By the ids of time, from the first frame of a video to the last.
double video_steps(const Asked& asked) {
    const figures::PositionsState state = figures::make_positions_state(asked.scene);
    const LayoutPositions& positions = state.right.positions;
    std::vector<double> times;
    for (Index token = 0; token < state.length(); ++token) {
        const TokenKind kind = positions.origin(0, token).kind;
        if (kind == TokenKind::video || kind == TokenKind::frame) {
            times.push_back(positions.at(0, 0, token));
        }
    }
    if (times.empty()) {
        throw InputError("video_steps: there is no video; give one in positions_layout");
    }
    const auto [first, last] = std::ranges::minmax_element(times);
    return *last - *first;
}

std::shared_ptr<const figures::DiagnoseState> diagnosis_of(const Asked& asked) {
    return figures::make_diagnose_state(asked.scene, {.cache = asked.cache});
}

}  // namespace

std::vector<NumberQuantity> implementation_quantities() {
    return {
        {"length_change", "how much longer or shorter the rotation makes a head, relative to it",
         length_change},
        {"reordered_difference", "largest difference of a rotated head in both layouts, reordered",
         [](const Asked& asked) { return walk_of(asked).largest_difference; }},
        {"interleaved_score", "score with q and k in the interleaved layout",
         [](const Asked& asked) { return walk_of(asked).score; }},
        {"half_split_score", "score with q and k reordered and turned in the half-split layout",
         [](const Asked& asked) { return walk_of(asked).half_split_score; }},
        {"score_without_permutation",
         "score if interleaved q and k are turned in the half-split layout",
         [](const Asked& asked) { return walk_of(asked).score_without_p; }},
        {"score_rounding", "what the scores of the two layouts may differ by in fp32",
         [](const Asked& asked) { return walk_of(asked).rounding; }},
        {"order_change",
         "largest change of a score between two words if the words of attention_text stand in the "
         "opposite order, relative to the largest score",
         order_change},
        {"text_tokens", "tokens of attention_text, with those of its ends",
         [](const Asked& asked) { return to_double(attention_of(asked)->tokens.count()); }},
        {"answer_percent", "percent that the model gives to what it puts in the place of [MASK]",
         [](const Asked& asked) {
             return 100 * answer_of(*attention_of(asked)->pass).probability;
         }},
        {"answer_percent_compared",
         "percent that the pass of attention_compare gives to what it puts there",
         [](const Asked& asked) { return 100 * answer_of(*compared_pass(asked)).probability; }},
        {"answer_percent_reversed", "the same with the words in the opposite order",
         [](const Asked& asked) {
             return 100 * answer_of(*in_opposite_order(asked)->other->pass).probability;
         }},
        {"moved_score_change",
         "change of a score if attention_shift is added to every position, relative to the largest",
         moved_scores},
        {"pairs_by_time", "pairs that time turns",
         [](const Asked& asked) { return pairs_of_axis(asked, "t"); }},
        {"pairs_by_row", "pairs that the row of a patch turns",
         [](const Asked& asked) { return pairs_of_axis(asked, "h"); }},
        {"pairs_by_column", "pairs that the column of a patch turns",
         [](const Asked& asked) { return pairs_of_axis(asked, "w"); }},
        {"video_steps",
         "steps of time from the first frame of the videos of positions_layout to the last",
         video_steps},
        {"axes_pair_count", "pairs of the model of several axes",
         [](const Asked& asked) { return to_double(axes_of(asked).one.pairs()); }},
        {"axes_turning", "pairs that turn from the fixed patch to the chosen one",
         [](const Asked& asked) { return to_double(axes_of(asked).one.turning()); }},
        {"axes_score", "score of the fixed patch with the chosen one, for the same content",
         [](const Asked& asked) {
             const figures::AxesState state = axes_of(asked);
             return state.one.scores[state.chosen_cell()];
         }},
    };
}

std::vector<WordQuantity> implementation_words() {
    return {
        {"systems", "how the two systems of the layouts view compare",
         [](const Asked& asked) {
             return std::string(to_string(figures::compare_systems(asked.scene).verdict.verdict));
         }},
        {"answer", "the piece that the model puts in the place of [MASK]",
         [](const Asked& asked) {
             const auto state = attention_of(asked);
             return answer_text(*state, *state->pass);
         }},
        {"answer_compared", "what the pass of attention_compare puts there",
         [](const Asked& asked) {
             return answer_text(*attention_of(asked), *compared_pass(asked));
         }},
        {"answer_reversed", "the same with the words in the opposite order",
         [](const Asked& asked) {
             const auto state = in_opposite_order(asked);
             return answer_text(*state, *state->other->pass);
         }},
        {"verdict", "what diagnose says of the tensors",
         [](const Asked& asked) {
             return std::string(to_string(diagnosis_of(asked)->diagnosis().verdict));
         }},
        {"finding", "code of the first finding of diagnose, or none",
         [](const Asked& asked) {
             const auto state = diagnosis_of(asked);
             const auto& findings = state->diagnosis().findings;
             return findings.empty() ? std::string("none") : findings.front().code;
         }},
        {"mismatch", "what diagnose finds to differ from the expectation first, or none",
         [](const Asked& asked) {
             const auto state = diagnosis_of(asked);
             const auto& mismatches = state->diagnosis().mismatches;
             return mismatches.empty() ? std::string("none") : mismatches.front().code;
         }},
    };
}

}  // namespace ropescope::lessons
