// Writes the attention view as CSV columns and as a report, and its title.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/attention/attention.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {

plot::DataTable attention_data(const AttentionState& state, const Scene& scene) {
    const OpenedHead at = opened_head(scene, state.config);
    const HeadMap& map = state.map(at.layer, at.head);
    const HeadMap& off = state.unrotated_map(at.layer, at.head);
    std::vector<std::int64_t> query, key, side, masked;
    for (Index row = 0; row < map.cells; ++row) {
        for (Index column = 0; column < map.cells; ++column) {
            query.push_back(row * map.block);
            key.push_back(column * map.block);
            side.push_back(map.block);
            masked.push_back(key.back() >= state.seen ? 1 : 0);
        }
    }
    const auto wide = [](const std::vector<float>& values) {
        return std::vector<double>(values.begin(), values.end());
    };
    plot::DataTable table = {{{"query", std::move(query)},
                              {"key", std::move(key)},
                              {"positions_a_side", std::move(side)},
                              {"mean_score", wide(map.scores)},
                              {"largest_probability", wide(map.probs)},
                              {"mean_score_without_rope", wide(off.scores)},
                              {"masked", std::move(masked)}}};
    if (state.other) {
        const HeadMap& other = map_of(state, ShownPass::other, at);
        table.columns.push_back({"mean_score_other", wide(other.scores)});
        table.columns.push_back({"largest_probability_other", wide(other.probs)});
        if (state.other->unrotated) {
            table.columns.push_back({"mean_score_without_rope_other",
                                     wide(unrotated_map_of(state, ShownPass::other, at).scores)});
        }
    }
    return table;
}

namespace {

/// A table of what each head does in this text; empty if it was not measured.
std::string roles_table(const AttentionState& state, ShownPass side) {
    const AttentionPass& pass = pass_of(state, side);
    if (pass.roles.empty()) {
        return "";
    }
    std::vector<std::string> header = {"layer", "head"};
    for (const HeadRole role : kMeasuredRoles) {
        header.emplace_back(to_string(role));
    }
    header.emplace_back("does");
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < std::ssize(pass.roles); ++i) {
        const Index layer = i / state.config.n_heads, head = i % state.config.n_heads;
        std::vector<std::string> row = {fmt::format("{}", layer), fmt::format("{}", head)};
        for (const HeadRole role : kMeasuredRoles) {
            row.push_back(fixed_text(pass.roles[i].of(role), 3));
        }
        row.push_back(role_text(*state.role(pass, layer, head)));
        rows.push_back(std::move(row));
    }
    return fmt::format("\nWhat each head does in this text{}\n",
                       side == ShownPass::other ? ", " + state.other->name : "") +
           text_table(header, rows);
}

/// A table of the pieces that the model would put in each [MASK]; empty if there are none.
std::string predictions_table(const AttentionState& state, ShownPass side) {
    std::vector<std::vector<std::string>> rows;
    for (const PlacePredictions& place : pass_of(state, side).predictions) {
        for (const Prediction& named : place.best) {
            rows.push_back({fmt::format("{}", place.position), piece_text(state, named.id),
                            fmt::format("{}", named.id), fixed_text(named.probability, 5)});
        }
    }
    return rows.empty() ? ""
                        : fmt::format("\nIn the place of [MASK] the model would put{}\n",
                                      side == ShownPass::other ? ", " + state.other->name : "") +
                              text_table({"place", "piece", "id", "probability"}, rows);
}

}  // namespace

plot::Text attention_report(const AttentionState& state, const Scene& scene) {
    constexpr Index kMostRows = 32;
    const OpenedHead at = opened_head(scene, state.config);
    std::vector<std::vector<std::string>> changes;
    for (Index layer = 0; layer < std::ssize(state.changes); ++layer) {
        changes.push_back({fmt::format("{}", layer),
                           fmt::format("{:.3g}", state.changes[layer].score),
                           fmt::format("{:.3g}", state.changes[layer].prob)});
    }
    plot::Text text =
        plot::say("Largest change by moving all positions by {}, {} table\n",
                  whole_text(scene.attention_shift), to_string(scene.attention_table)) +
        text_table({"layer", "score", "probability"}, changes);

    const HeadMap& map = state.map(at.layer, at.head);
    std::vector<std::vector<std::string>> rows;
    for (Index row = 0; row < std::min(map.cells, kMostRows); ++row) {
        const auto begin = map.probs.begin() + row * map.cells;
        const auto best = std::max_element(begin, begin + map.cells) - begin;
        const Index cell = row * map.cells + best;
        const auto word = [&](Index of) { return state.tokens.words[of * map.block]; };
        rows.push_back({fmt::format("{}", row * map.block), word(row),
                        fmt::format("{}", best * map.block), word(best),
                        fixed_text(map.scores[cell], 4), fixed_text(map.probs[cell], 5)});
    }
    return text +
           plot::say("\nLayer {}, head {}: the most likely key of each query{}\n", at.layer,
                     at.head, map.cells > kMostRows ? " (the first 32)" : "") +
           text_table({"query", "token", "key", "token", "score", "probability"}, rows) +
           roles_table(state, ShownPass::own) + predictions_table(state, ShownPass::own) +
           (state.other
                ? roles_table(state, ShownPass::other) + predictions_table(state, ShownPass::other)
                : "");
}

// Writes the title and the line below it.

namespace {

/// What each of the two passes predicts, else by how much they differ.
plot::Text compared_title(const AttentionState& state, const Scene& scene) {
    const PlacePredictions* own = chosen_place(state, ShownPass::own, scene);
    const PlacePredictions* other = chosen_place(state, ShownPass::other, scene);
    if (own != nullptr && other != nullptr && !own->best.empty() && !other->best.empty()) {
        const auto piece = [&](const PlacePredictions& place) {
            return piece_text(state, place.best.front().id);
        };
        const auto percent = [](const PlacePredictions& place) {
            return fixed_text(100 * place.best.front().probability, 1);
        };
        return plot::say("In the place of [MASK] the model puts “{}” ({} %); with {}: “{}” ({} %)",
                         piece(*own), percent(*own), state.other->name, piece(*other),
                         percent(*other));
    }
    if (!state.other->largest) {
        return plot::say("The same text twice, the second time with {}", state.other->name);
    }
    if (scene.attention_compare == AttentionCompare::reversed &&
        state.other->largest->score <= state.rounding()) {
        return plot::say(
            "The words in the opposite order: no score between two words differs by more than {} "
            "(rounding)",
            plot::number_text(two_digits_up(state.other->largest->score)));
    }
    return plot::say("With {}, scores differ by up to {}, probabilities by up to {}",
                     state.other->name,
                     plot::number_text(two_digits_up(state.other->largest->score)),
                     plot::number_text(two_digits_up(state.other->largest->prob)));
}

/// What the model predicts; empty if it predicts nothing.
plot::Text predicted_title(const AttentionState& state, const Scene& scene) {
    const PlacePredictions* place = chosen_place(state, ShownPass::own, scene);
    if (place == nullptr || place->best.empty()) {
        return {};
    }
    const Prediction& best = place->best.front();
    return plot::say("In the place of [MASK] the model puts “{}” ({} %)",
                     piece_text(state, best.id), fixed_text(100 * best.probability, 1));
}

}  // namespace

/// A change of scores by more than rounding is news; else the prediction is.
plot::Text attention_title(const AttentionState& state, const Scene& scene) {
    if (state.other) {
        return compared_title(state, scene);
    }
    plot::Text predicted = predicted_title(state, scene);
    if (scene.attention_shift == 0 && !predicted.empty()) {
        return predicted;
    }
    if (scene.attention_shift == 0) {
        return plot::say(
            "What every head of a whole encoder makes of the distance between two tokens");
    }
    const plot::Number moved = counted(scene.attention_shift, "position");
    if (state.shift != scene.attention_shift) {
        return plot::say("Move every token by {}: computing what changes", moved);
    }
    const plot::Number by = plot::number_text(two_digits_up(state.largest.score));
    const auto changed = std::ranges::find_if(
        state.changes, [&](const MapChange& at) { return at.score > state.rounding(); });
    if (changed == state.changes.end() && !predicted.empty()) {
        return predicted;
    }
    if (changed == state.changes.end()) {
        return plot::say("Move every token by {}: no score changes by more than {} (rounding)",
                         moved, by);
    }
    const Index first = changed - state.changes.begin();
    return plot::say("Move every token by {}: scores change by up to {}{}{}", moved, by,
                     first == 0 ? plot::Text() : plot::say(" from layer {} on", first),
                     scene.attention_table == NumberFormat::bf16 ? ", with a bf16 table"
                     : state.config.rotary_value                 ? "; values are rotated too"
                                                                 : "");
}

plot::Text attention_subtitle(const AttentionState& state, const Scene& scene) {
    const EncoderConfig& config = state.config;
    const OpenedHead at = opened_head(scene, config);
    const HeadMap& map = state.map(at.layer, at.head);
    plot::Text text =
        plot::say("{}: {} × {}, {}, {}. {}: {}", state.model, counted(config.n_layers, "layer"),
                  counted(config.n_heads, "head"), encoding_sizes(config.rope()),
                  counted(state.tokens.count(), "token"),
                  state.other ? "Both large maps" : "Large map", quantity_name(scene));
    if (state.other) {
        text += plot::say(", the second with {}", state.other->name);
    }
    if (map.block > 1) {
        text +=
            plot::say("; a cell is the {} of {} × {} pairs",
                      scene.attention_quantity == AttentionQuantity::softmax ? "largest" : "mean",
                      map.block, map.block);
    }
    if (state.query_step > 1) {
        text +=
            plot::say("; probabilities and the curves are of one query in {}", state.query_step);
    }
    if (state.seen < state.tokens.count()) {
        text += plot::say("; {} masked", counted(state.tokens.count() - state.seen, "padded key"));
    }
    return text + ".";
}

}  // namespace ropescope::figures
