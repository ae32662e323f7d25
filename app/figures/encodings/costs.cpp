// Counts what the encodings cost the model in the box, and looks up what models that were trained
// with each answer rightly.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/figures/encodings/encodings.h"
#include "app/figures/shared/text.h"
#include "core/demo/demo_scores.h"
#include "core/encoder/position_encoding.h"

namespace ropescope::figures {
namespace {

using plot::say;

/// The trained RoFormer of the view stretch, unscaled or by YaRN.
TrainedAnswers of_demo_model(std::string_view id, demo::StretchMethod method) {
    TrainedAnswers answers{.look = encoding_look(id), .at = {}};
    for (const Index length : demo::stretched_lengths()) {
        answers.at.push_back({length, demo::demo_scores().held_out.of(method, length)});
    }
    return answers;
}

/// A multiplication of each channel by cos and by sin, and one addition: three for each channel
/// that turns, of a query and of a key.
Index turning(const TrainedEncodings& state, Index channels) {
    return state.config.n_layers * state.config.n_heads * 2 * 3 * channels;
}

EncodingCost cost_of(const TrainedEncodings& state, const EncodingLook& look) {
    const Index maps = state.config.n_layers * state.config.n_heads;
    if (look.id == "rope" || look.id == "yarn") {
        return {look, "queries and keys", 0, turning(state, state.config.rope().head_dim)};
    }
    if (look.id == "partial") {
        return {look, "queries and keys", 0, turning(state, state.config.rope().head_dim / 4)};
    }
    if (look.id == "alibi") {  // slope times distance, and the addition
        return {look, "scores", 0, 2 * maps * state.length};
    }
    if (look.id == "t5") {  // the look-up is not arithmetic
        return {look, "scores", kT5Buckets * state.config.n_heads, maps * state.length};
    }
    if (look.id == "learned") {
        return {look, "embeddings", demo::kTrainedLength * state.config.hidden_size,
                state.config.hidden_size};
    }
    if (look.id == "sinusoidal") {
        return {look, "embeddings", 0, state.config.hidden_size};
    }
    return {look, "nothing", 0, 0};
}

std::vector<TrainedAnswers> trained_answers(bool causal) {
    std::vector<TrainedAnswers> answers;
    if (!causal) {
        answers = {of_demo_model("rope", demo::StretchMethod::none),
                   of_demo_model("yarn", demo::StretchMethod::yarn)};
    }
    for (const demo::Twin& twin : demo::demo_twins()) {
        if (twin.causal == causal) {
            answers.push_back({encoding_look(twin.position), twin.seed, twin.held_out});
        }
    }
    return answers;
}

/// Share of right answers at the state's length; empty if that was not measured.
std::optional<double> answered_share(const TrainedEncodings& state, std::string_view id, int seed) {
    for (const TrainedAnswers& of : state.answers) {
        const auto found = std::ranges::find(of.at, state.length, &demo::Twin::AtLength::length);
        if (of.look.id == id && of.seed == seed && found != of.at.end()) {
            return found->count.share();
        }
    }
    return std::nullopt;
}

std::vector<EncodingCost> costs_of(const TrainedEncodings& state) {
    std::vector<EncodingCost> costs;
    for (const EncodingLook& look : encoding_looks()) {
        EncodingCost cost = cost_of(state, look);
        cost.first_seed = answered_share(state, look.id, 1);
        cost.second_seed = answered_share(state, look.id, 2);
        if (!cost.second_seed) {  // trained once: the column that every window shows has it
            std::swap(cost.first_seed, cost.second_seed);
        }
        costs.push_back(cost);
    }
    return costs;
}

std::string percent_or_dash(const std::optional<double>& share) {
    return share ? std::string(fixed_text(100 * *share, 1)) : "–";
}

}  // namespace

const EncodingCost& TrainedEncodings::cost(std::string_view id) const {
    return *std::ranges::find_if(costs,
                                 [&](const EncodingCost& cost) { return cost.look.id == id; });
}

TrainedEncodings make_trained_encodings(const Scene& scene) {
    TrainedEncodings state{.config = demo::demo_config(demo::DemoModel::rope),
                           .causal = scene.encodings_causal,
                           .length = std::stoll(scene.stretch_length),
                           .answers = trained_answers(scene.encodings_causal),
                           .costs = {}};
    state.costs = costs_of(state);
    return state;
}

std::vector<std::string> cost_header() {
    return {"encoding",     "acts on",        "parameters", "operations",
            "cached bytes", "% right, other", "% right"};
}

std::vector<std::string> cost_cells(const TrainedEncodings& state, const EncodingCost& cost) {
    return {std::string(cost.look.name),      std::string(cost.acts_on),
            whole_text(cost.parameters),      whole_text(cost.operations),
            whole_text(state.cached_bytes()), percent_or_dash(cost.first_seed),
            percent_or_dash(cost.second_seed)};
}

}  // namespace ropescope::figures
