// The values under the cursor in the panels of the attention view.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/attention/panels.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

std::vector<plot::Readout> map_readouts(const AttentionState& state, Side side, OpenedHead opened,
                                        plot::Point at) {
    const HeadMap& map = map_of(state, side, opened);
    const double block = to_double(map.block);
    const Index query = plot::pick_cell(at.y / block, map.cells);
    const Index key = plot::pick_cell(at.x / block, map.cells);
    const Index i = query * map.cells + key;
    const auto token = [&](Index cell) {
        const Index position = cell * map.block;
        return whole_text(position) + "  " + state.tokens.words[position];
    };
    const float off = state.unrotated_map(opened.layer, opened.head).scores[i];
    return {{"query", token(query)},
            {"key", token(key)},
            {"distance", whole_text((key - query) * map.block)},
            {"score", signed_text(map.scores[i], 4)},
            {"score without RoPE", signed_text(off, 4)},
            {"probability",
             fixed_text(map.probs[i], 5) + (key * map.block >= state.seen ? ", masked" : "")}};
}

std::vector<plot::Readout> head_readouts(const AttentionState& state, Side side, plot::Point at) {
    const Index layer = plot::pick_index(at.y, state.config.n_layers);
    const Index head = plot::pick_index(at.x, state.config.n_heads);
    const HeadMap& map = map_of(state, side, {layer, head});
    const auto [low, high] = std::ranges::minmax(map.scores);
    std::vector<plot::Readout> values = {
        {"layer", whole_text(layer)},
        {"head", whole_text(head)},
        {"lowest score", signed_text(low, 4)},
        {"highest score", signed_text(high, 4)},
        {"highest probability", fixed_text(std::ranges::max(map.probs), 5)}};
    if (const AttentionPass& pass = pass_of(state, side); !pass.roles.empty()) {
        const RoleShares& shares = pass.roles[layer * state.config.n_heads + head];
        for (const HeadRole role : kMeasuredRoles) {
            values.push_back(
                {fmt::format("to {}", to_string(role)), fixed_text(shares.of(role), 3)});
        }
    }
    return values;
}

std::vector<plot::Readout> prediction_readouts(const AttentionState& state, Side side,
                                               const Scene& scene, plot::Point at) {
    const PlacePredictions* place = chosen_place(pass_of(state, side), scene);
    if (place == nullptr || place->best.empty()) {
        return {};
    }
    const Prediction& named = place->best[plot::pick_index(at.y, std::ssize(place->best))];
    return {{"place", whole_text(place->position)},
            {"piece", piece_text(state, named.id)},
            {"id", whole_text(named.id)},
            {"probability of the piece", fixed_text(named.probability, 5)}};
}

std::vector<plot::Readout> distance_readouts(const AttentionState& state, OpenedHead opened,
                                             plot::Point at) {
    const HeadMap& map = state.map(opened.layer, opened.head);
    const HeadMap& beside = state.other ? map_of(state, Side::other, opened)
                                        : state.unrotated_map(opened.layer, opened.head);
    const double bin = (at.x - to_double(map.first_distance)) / to_double(map.bin);
    const Index i = plot::pick_index(bin, std::ssize(map.mean_score));
    return {{"distance", whole_text(map.first_distance + i * map.bin)},
            {"mean score", signed_text(map.mean_score[i], 4)},
            {"deviation", fixed_text(map.deviation[i], 4)},
            {state.other ? "mean of the other" : "mean without RoPE",
             signed_text(beside.mean_score[i], 4)}};
}

std::vector<plot::Readout> shift_readouts(const AttentionState& state, plot::Point at) {
    const Index layer = plot::pick_index(at.x, state.config.n_layers);
    const MapChange& change = state.changes[layer];
    return {{"layer", whole_text(layer)},
            {"largest change, score", plot::few_digits_text(change.score, 3)},
            {"largest change, probability", plot::few_digits_text(change.prob, 3)}};
}

}  // namespace

std::vector<plot::Readout> attention_readouts(const AttentionState& state, const Scene& scene,
                                              std::string_view panel, plot::Point at) {
    const OpenedHead opened = opened_head(scene, state.config);
    const Side side = panel.ends_with(".other") ? Side::other : Side::own;
    if (panel.starts_with("map")) {
        return map_readouts(state, side, opened, at);
    }
    if (panel.starts_with("heads")) {
        return head_readouts(state, side, at);
    }
    if (panel.starts_with("predictions")) {
        return prediction_readouts(state, side, scene, at);
    }
    if (panel == "distance") {
        return distance_readouts(state, opened, at);
    }
    return panel == "shift" ? shift_readouts(state, at) : std::vector<plot::Readout>{};
}

}  // namespace ropescope::figures
