// The numbers of lessons about the trained model in the box: its right answers on longer texts.
#include <algorithm>
#include <cmath>
#include <span>

#include "app/figures/stretch/stretch.h"
#include "app/lessons/quantities.h"
#include "core/demo/masked_accuracy.h"

namespace ropescope::lessons {
namespace {

using demo::StretchMethod;

figures::StretchState state_of(const Asked& asked) {
    return figures::make_stretch_state(asked.scene);
}

template <StretchMethod kMethod>
figures::StretchRow row_of(const Asked& asked) {
    const figures::StretchState state = state_of(asked);
    return *std::ranges::find(state.rows, kMethod, &figures::StretchRow::method);
}

template <StretchMethod kMethod>
double percent_right(const Asked& asked) {
    return 100 * row_of<kMethod>(asked).count.share();
}

template <StretchMethod kMethod>
double at_new_angles(const Asked& asked) {
    return row_of<kMethod>(asked).unseen;
}

const demo::TextScores& all_scores() {
    return demo::demo_scores().held_out;
}

/// Counted now, in the first of the held-out texts in the box: few enough for a lesson to wait.
double percent_right_in_short_texts(const Asked& asked) {
    constexpr std::size_t kTexts = 16;
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const Encoder encoder(*asked.engine, files.config, files.weights);
    const std::vector<demo::HiddenText> texts = demo::hidden_texts(demo::kTrainedLength);
    const EncoderRope rope = demo::stretched_rope(StretchMethod::linear, state_of(asked).length);
    const demo::MaskedCount count =
        demo::masked_accuracy(encoder, std::span(texts).first(kTexts), rope, 0.0);
    return 100 * to_double(count.right) / to_double(count.of);
}

/// The largest standard error of a share of the hidden pieces, in percent.
double percent_error(const Asked& asked) {
    const double of = to_double(state_of(asked).unscaled().count.of);
    return 100 * std::sqrt(0.25 / of);
}

}  // namespace

std::vector<NumberQuantity> stretch_quantities() {
    return {
        {"trained_tokens", "tokens of a text that the model in the box was trained on",
         [](const Asked&) { return to_double(demo::kTrainedLength); }},
        {"stretched_tokens", "tokens of the texts of stretch_length",
         [](const Asked& asked) { return to_double(state_of(asked).length); }},
        {"stretch_factor", "how many times longer they are than those of the training",
         [](const Asked& asked) { return state_of(asked).factor; }},
        {"stretch_pairs", "pairs of a head of the model in the box",
         [](const Asked& asked) { return to_double(state_of(asked).unscaled().spec.pairs()); }},
        {"hidden_pieces", "hidden pieces of the held-out text",
         [](const Asked& asked) { return to_double(state_of(asked).unscaled().count.of); }},
        {"right_unscaled", "percent of them that are named rightly at stretch_length, unscaled",
         percent_right<StretchMethod::none>},
        {"right_linear", "the same with linear scaling", percent_right<StretchMethod::linear>},
        {"right_linear_in_short_texts",
         "percent that are named rightly in the first sixteen texts of the trained length, slowed "
         "by linear scaling as for stretch_length",
         percent_right_in_short_texts},
        {"right_ntk", "the same as right_linear with NTK scaling",
         percent_right<StretchMethod::ntk>},
        {"right_yarn", "the same with YaRN", percent_right<StretchMethod::yarn>},
        {"right_llama", "the same with Llama 3's scaling", percent_right<StretchMethod::llama3>},
        {"right_error", "the largest standard error of such a percentage", percent_error},
        {"right_without_rope", "percent at the trained length with RoPE switched off",
         [](const Asked&) { return 100 * all_scores().of(demo::RopeChange::off).share(); }},
        {"right_without_position", "percent at the trained length of the twin without positions",
         [](const Asked&) { return 100 * all_scores().no_position.share(); }},
        {"new_angles_unscaled",
         "pairs that meet angles at stretch_length that no text of the "
         "training had, unscaled",
         at_new_angles<StretchMethod::none>},
        {"new_angles_linear", "the same with linear scaling", at_new_angles<StretchMethod::linear>},
        {"new_angles_ntk", "the same with NTK scaling", at_new_angles<StretchMethod::ntk>},
        {"new_angles_yarn", "the same with YaRN", at_new_angles<StretchMethod::yarn>},
        {"new_angles_llama", "the same with Llama 3's scaling",
         at_new_angles<StretchMethod::llama3>},
        {"slower_linear", "pairs that linear scaling slows at stretch_length",
         [](const Asked& asked) { return to_double(row_of<StretchMethod::linear>(asked).slower); }},
        {"gain_yarn", "factor on cos and sin with YaRN at stretch_length",
         [](const Asked& asked) {
             return row_of<StretchMethod::yarn>(asked).spectrum.attention_factor;
         }},
    };
}

}  // namespace ropescope::lessons
