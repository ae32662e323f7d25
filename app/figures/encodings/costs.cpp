// What the encodings cost the model in the box, and what models that were trained with each answer
// rightly, as tables and in words.
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
Index turning(const EncodingsState& state, Index channels) {
    return state.layers * state.heads * 2 * 3 * channels;
}

EncodingCost cost_of(const EncodingsState& state, const EncodingLook& look) {
    const Index maps = state.layers * state.heads;
    if (look.id == "rope" || look.id == "yarn") {
        return {look, "queries and keys", 0, turning(state, state.head_dim)};
    }
    if (look.id == "partial") {
        return {look, "queries and keys", 0, turning(state, state.head_dim / 4)};
    }
    if (look.id == "alibi") {  // slope times distance, and the addition
        return {look, "scores", 0, 2 * maps * state.length};
    }
    if (look.id == "t5") {  // the look-up is not arithmetic
        return {look, "scores", kT5Buckets * state.heads, maps * state.length};
    }
    if (look.id == "learned") {
        return {look, "embeddings", demo::kTrainedLength * state.hidden, state.hidden};
    }
    if (look.id == "sinusoidal") {
        return {look, "embeddings", 0, state.hidden};
    }
    return {look, "nothing", 0, 0};
}

std::string percent_or_dash(const std::optional<double>& share) {
    return share ? std::string(fixed_text(100 * *share, 1)) : "–";
}

}  // namespace

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

std::optional<double> answered_share(std::string_view id, bool causal, int seed, Index length) {
    for (const TrainedAnswers& of : trained_answers(causal)) {
        const auto found = std::ranges::find(of.at, length, &demo::Twin::AtLength::length);
        if (of.look.id == id && of.seed == seed && found != of.at.end()) {
            return found->count.share();
        }
    }
    return std::nullopt;
}

std::vector<EncodingCost> encoding_costs(const EncodingsState& state) {
    std::vector<EncodingCost> costs;
    for (const EncodingLook& look : encoding_looks()) {
        EncodingCost cost = cost_of(state, look);
        cost.first_seed = answered_share(look.id, state.causal, 1, state.length);
        cost.second_seed = answered_share(look.id, state.causal, 2, state.length);
        if (!cost.second_seed) {  // trained once: the column that every window shows has it
            std::swap(cost.first_seed, cost.second_seed);
        }
        costs.push_back(cost);
    }
    return costs;
}

std::vector<std::string> cost_header() {
    return {"encoding",     "acts on",        "parameters", "operations",
            "cached bytes", "% right, other", "% right"};
}

std::vector<std::string> cost_cells(const EncodingsState& state, const EncodingCost& cost) {
    return {std::string(cost.look.name),      std::string(cost.acts_on),
            whole_text(cost.parameters),      whole_text(cost.operations),
            whole_text(state.cached_bytes()), percent_or_dash(cost.first_seed),
            percent_or_dash(cost.second_seed)};
}

plot::Text encodings_report(const EncodingsState& state) {
    std::vector<std::vector<std::string>> costs;
    for (const EncodingCost& cost : state.costs) {
        costs.push_back(cost_cells(state, cost));
    }
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> header = {"distance"};
    for (const ComparedEncoding& of : state.encodings) {
        header.emplace_back(of.look.name);
    }
    constexpr Index kMostRows = 25;
    for (const Index i : evenly_chosen(std::ssize(state.encodings.front().mean_added), kMostRows)) {
        std::vector<std::string> row = {signed_text(to_double(state.first_distance() + i), 0)};
        for (const ComparedEncoding& of : state.encodings) {
            row.push_back(fixed_text(of.mean_probability[i], 4));
        }
        rows.push_back(std::move(row));
    }
    return say("What each costs this model, and right answers of models trained with it, in texts "
               "of {} tokens:\n",
               whole_text(state.length)) +
           text_table(cost_header(), costs) +
           "\nparameters: numbers that training adds for positions\n"
           "operations: multiplications and additions for the last token of the text, in all "
           "layers\n"
           "cached bytes: keys and values of a token in all layers, the same for every encoding\n"
           "other: of another training, which differs in its seed alone\n"
           "\nMean probability that a query gives to a key, by the distance of the key from it:\n" +
           text_table(header, rows);
}

}  // namespace ropescope::figures
