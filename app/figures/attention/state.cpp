#include "app/figures/attention/state.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

/// Cells of all heads' maps together, and of one: a side of 256 for the notebook's 16 heads.
constexpr std::int64_t kMostCells = 1 << 20;
constexpr std::int64_t kLongestSide = 256, kShortestSide = 32;

/// The notebook's architecture, small enough for a frame.
EncoderConfig demo_config() {
    EncoderConfig config;
    config.vocab_size = 256;
    config.embedding_size = config.hidden_size = 128;
    config.intermediate_size = 512;
    config.max_positions = 1 << 16;
    return config;
}

struct Model {
    std::string name;
    EncoderConfig config;
    fs::path vocabulary;  ///< empty: words are told apart by their spelling
};

fs::path folder_of(const Scene& scene) {
    const fs::path folder = scene.attention_folder;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw InputError(
            fmt::format("attention_folder: {} is no folder; give one with "
                        "config.json and model.safetensors",
                        in_quotes(scene.attention_folder)));
    }
    return folder;
}

Model make_model(const Scene& scene) {
    if (scene.attention_source == AttentionSource::folder) {
        const fs::path folder = folder_of(scene);
        std::error_code ignored;
        const fs::path vocabulary = folder / "vocab.txt";
        const std::string name = folder.has_filename() ? folder.filename().string()
                                                       : folder.parent_path().filename().string();
        return {printable(name), open_encoder(folder).config,
                fs::exists(vocabulary, ignored) ? vocabulary : fs::path{}};
    }
    const bool demo = scene.attention_source == AttentionSource::demo;
    return {demo ? "demo, random weights" : "the notebook's configuration, random weights",
            demo ? demo_config() : EncoderConfig{},
            {}};
}

Encoder make_encoder(const Scene& scene, const Model& model, Engine& engine) {
    const auto seed = static_cast<std::uint64_t>(scene.content_seed);
    return {engine, model.config,
            scene.attention_source == AttentionSource::folder
                ? open_encoder(folder_of(scene)).weights
                : random_weights(model.config, seed)};
}

/// Tells a folder whose files were replaced from what it was.
std::string time_of(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? "-" : fmt::format("{}", time.time_since_epoch().count());
}

std::string model_key(const Scene& scene) {
    if (scene.attention_source != AttentionSource::folder) {
        return fmt::format("{} {}", enum_name(scene.attention_source), scene.content_seed);
    }
    const fs::path folder = scene.attention_folder;
    return fmt::format("folder {} {} {} {}", time_of(folder / "config.json"),
                       time_of(folder / "model.safetensors"), time_of(folder / "vocab.txt"),
                       scene.attention_folder);
}

std::string run_key(const Scene& scene, const std::string& engine, bool rope, std::int64_t shift) {
    const std::string rotation =
        rope ? fmt::format("{} {}", enum_name(scene.attention_table), shift) : "off";
    return fmt::format("{}|{}|{} {} {}|{}|{}", engine, rotation, scene.attention_tokens,
                       scene.attention_padding, scene.attention_segment, model_key(scene),
                       scene.attention_text);
}

Memo<AttentionRun>& runs() {
    static Memo<AttentionRun> memo(4);
    return memo;
}
Memo<AttentionState>& states() {
    static Memo<AttentionState> memo(4);
    return memo;
}
std::shared_ptr<const Model> model_of(const Scene& scene) {
    static Memo<Model> memo(2);
    return memo.get(model_key(scene), [&] { return make_model(scene); });
}

Tokens tokens_of(const Scene& scene, const Model& model) {
    const EncoderConfig& config = model.config;
    const std::int64_t count = std::min(scene.attention_tokens, config.max_positions);
    return with_padding(model.vocabulary.empty()
                            ? tokens_by_spelling(scene.attention_text, count, config.vocab_size)
                            : tokens_by_vocabulary(scene.attention_text, count, model.vocabulary),
                        scene.attention_padding);
}

EncoderInput input_of(const Scene& scene, const Tokens& tokens, const EncoderConfig& config) {
    const std::int64_t count = tokens.count(), seen = tokens.seen(scene.attention_padding);
    EncoderInput input;
    input.shape = {1, count};
    input.ids = tokens.ids;
    if (seen < count) {
        std::vector<std::int64_t> keep(static_cast<std::size_t>(count), 0);
        std::fill_n(keep.begin(), seen, 1);
        input.mask =
            make_attention_mask(make_tensor("mask", {count}, std::span(keep)).view(), 1, count);
    }
    if (config.type_vocab_size > 1 && scene.attention_segment > 0) {
        input.type_ids.resize(static_cast<std::size_t>(count), 1);
        std::fill_n(input.type_ids.begin(), std::min(scene.attention_segment, count), 0);
    }
    return input;
}

/// Queries that are looked at: all of the notebook's positions, evenly chosen ones of more.
std::int64_t query_step(std::int64_t count) {
    constexpr std::int64_t kMostQueries = 1024;
    return (count + kMostQueries - 1) / kMostQueries;
}

/// A side of every map, so that all of them together stay below kMostCells.
std::int64_t most_cells(const EncoderConfig& config) {
    const auto heads = static_cast<double>(config.n_layers * config.n_heads);
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(kMostCells) / heads));
    return std::clamp(side, kShortestSide, kLongestSide);
}

void stop_if_asked(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw ForwardCancelled();
    }
}

/// What the passes of one state share.
struct Pass {
    const Encoder& encoder;
    EncoderInput input;
    std::int64_t step = 1;  ///< query_step()
    std::int64_t seen = 0;
    const Work& work;
};

/// A part of the whole work.
struct Share {
    double begin = 0, end = 1;
    double at(double done) const { return begin + done * (end - begin); }
};

AttentionRun make_run(const Pass& pass, const EncoderRope& rope, Share share) {
    constexpr double kForward = 0.9;  // the maps are the rest
    const EncoderConfig& config = pass.encoder.config();
    ForwardOptions options;
    options.rope = rope;
    options.trace = {.q_and_k = true, .log_sums = true, .logits = false};
    options.progress = [&](double done) {
        pass.work.tell(share.at(kForward * done));
        return !pass.work.stop.stop_requested();
    };
    const auto began = std::chrono::steady_clock::now();
    const Trace trace = pass.encoder.forward(pass.input, options);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    AttentionRun run;
    run.engine_seconds = passed.count();
    const MapDetail detail{most_cells(config), pass.step, pass.seen};
    const auto all = static_cast<double>(config.n_layers * config.n_heads);
    for (const LayerTrace& layer : trace.layers) {
        for (std::int64_t head = 0; head < config.n_heads; ++head) {
            stop_if_asked(pass.work.stop);
            run.maps.push_back(head_map(layer, head, detail));
            const double done = static_cast<double>(run.maps.size()) / all;
            pass.work.tell(share.at(kForward + (1 - kForward) * done));
        }
        if (rope.enabled || pass.step == 1) {
            run.layers.push_back(with_every_nth_query(layer, pass.step));
        }
    }
    return run;
}

/// The largest of the layer's heads.
MapChange layer_change(const LayerTrace& a, const LayerTrace& b, std::int64_t seen,
                       const std::stop_token& stop) {
    MapChange most;
    for (std::int64_t head = 0; head < a.q_rot.shape[1]; ++head) {
        stop_if_asked(stop);
        const MapChange change = largest_change(a, b, head, seen);
        most = {std::max(most.score, change.score), std::max(most.prob, change.prob)};
    }
    return most;
}

MapScale scale_of(const AttentionRun& run, const AttentionRun& unrotated) {
    MapScale most;
    const auto widen = [](double& limit, float value) {
        limit = std::max(limit, static_cast<double>(std::abs(value)));
    };
    for (std::size_t head = 0; head < run.maps.size(); ++head) {
        const HeadMap& on = run.maps[head];
        for (std::size_t i = 0; i < on.scores.size(); ++i) {
            widen(most.score, on.scores[i]);
            widen(most.prob, on.probs[i]);
            widen(most.rope_effect, on.scores[i] - unrotated.maps[head].scores[i]);
        }
    }
    return most;
}

/// All but the passes.
AttentionState without_runs(const Scene& scene, const Model& model) {
    AttentionState state;
    state.model = model.name;
    state.config = model.config;
    state.tokens = tokens_of(scene, model);
    state.query_step = query_step(state.tokens.count());
    state.seen = state.tokens.seen(scene.attention_padding);
    return state;
}

EncoderRope rope_of(const Scene& scene, bool enabled, std::int64_t shift) {
    EncoderRope rope;
    rope.enabled = enabled;
    rope.shift = shift;
    rope.table_dtype = scene.attention_table;
    return rope;
}

/// The passes at rest, without RoPE and moved, those that are not known yet computed.
struct Passes {
    std::shared_ptr<const AttentionRun> unmoved, unrotated, moved;
};

constexpr double kPassesShare = 0.9;  // of the whole; comparing them is the rest

Passes run_passes(const Scene& scene, const Pass& pass, const std::string& engine) {
    const bool stays = scene.attention_shift == 0;
    const std::array<std::pair<bool, std::int64_t>, 3> kinds = {
        std::pair{true, std::int64_t{0}}, {false, 0}, {true, scene.attention_shift}};
    const auto key = [&](const auto& kind) {
        return run_key(scene, engine, kind.first, kind.second);
    };
    double missing = 0;
    for (std::size_t i = 0; i < (stays ? 2 : kinds.size()); ++i) {
        missing += runs().find(key(kinds[i])) ? 0 : 1;
    }
    double done = 0;
    const auto run = [&](std::size_t i) {
        return runs().get(key(kinds[i]), [&] {
            const Share share{kPassesShare * done / missing, kPassesShare * (done + 1) / missing};
            done += 1;
            return make_run(pass, rope_of(scene, kinds[i].first, kinds[i].second), share);
        });
    };
    Passes passes;
    passes.unmoved = run(0);
    passes.unrotated = run(1);
    passes.moved = run(2);
    return passes;
}

AttentionState compute_state(const Scene& scene, Engine& engine, const Work& work) {
    const std::shared_ptr<const Model> model = model_of(scene);
    AttentionState state = without_runs(scene, *model);
    EncoderCache own;
    EncoderCache& encoders = work.encoders != nullptr ? *work.encoders : own;
    const Encoder& encoder =
        encoders.get(model_key(scene), engine, [&] { return make_encoder(scene, *model, engine); });
    const Pass pass{encoder, input_of(scene, state.tokens, state.config), state.query_step,
                    state.seen, work};
    const Passes passes = run_passes(scene, pass, engine.name());
    state.unrotated = passes.unrotated;
    state.run = passes.moved;
    state.scale = scale_of(*state.run, *state.unrotated);
    state.engine_seconds = passes.unmoved->engine_seconds + passes.unrotated->engine_seconds +
                           (passes.moved == passes.unmoved ? 0.0 : passes.moved->engine_seconds);
    const auto layers = static_cast<double>(state.config.n_layers);
    for (std::size_t i = 0; i < passes.unmoved->layers.size(); ++i) {
        state.changes.push_back(
            layer_change(state.run->layers[i], passes.unmoved->layers[i], state.seen, work.stop));
        state.largest = {std::max(state.largest.score, state.changes.back().score),
                         std::max(state.largest.prob, state.changes.back().prob)};
        work.tell(Share{kPassesShare, 1}.at(static_cast<double>(i + 1) / layers));
    }
    return state;
}

AttentionState draft_state(const Scene& scene, std::shared_ptr<const AttentionRun> unmoved,
                           std::shared_ptr<const AttentionRun> unrotated) {
    AttentionState state = without_runs(scene, *model_of(scene));
    state.run = std::move(unmoved);
    state.unrotated = std::move(unrotated);
    state.draft = true;
    state.scale = scale_of(*state.run, *state.unrotated);
    state.changes.resize(state.run->layers.size());
    return state;
}

}  // namespace

std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const Work& work) {
    return states().get(run_key(scene, engine.name(), true, scene.attention_shift),
                        [&] { return compute_state(scene, engine, work); });
}

std::shared_ptr<const AttentionState> known_attention_state(const Scene& scene,
                                                            const std::string& preferred) {
    const std::string other = preferred == "gpu" ? "cpu" : "gpu";
    for (const std::string& engine : {preferred, other}) {
        if (auto whole = states().find(run_key(scene, engine, true, scene.attention_shift))) {
            return whole;
        }
        const auto unmoved = runs().find(run_key(scene, engine, true, 0));
        const auto unrotated = runs().find(run_key(scene, engine, false, 0));
        if (unmoved && unrotated) {
            return std::make_shared<const AttentionState>(draft_state(scene, unmoved, unrotated));
        }
    }
    return nullptr;
}

bool is_quick(const Scene& scene) {
    constexpr std::int64_t kQuickTokens = 64;
    return scene.attention_source == AttentionSource::demo &&
           scene.attention_tokens <= kQuickTokens;
}

OpenedHead opened_head(const Scene& scene, const EncoderConfig& config) {
    return {std::min(scene.attention_layer, config.n_layers - 1),
            std::min(scene.attention_head, config.n_heads - 1)};
}

std::vector<float> map_values(const AttentionState& state, const Scene& scene, OpenedHead at) {
    const HeadMap& map = state.map(at.layer, at.head);
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return map.probs;
    }
    std::vector<float> values = map.scores;
    if (scene.attention_quantity == AttentionQuantity::effect) {
        const std::vector<float>& off = state.unrotated_map(at.layer, at.head).scores;
        std::transform(values.begin(), values.end(), off.begin(), values.begin(),
                       [](float with, float without) { return with - without; });
    }
    return values;
}

double map_limit(const AttentionState& state, const Scene& scene) {
    const double limit = scene.attention_quantity == AttentionQuantity::softmax ? state.scale.prob
                         : scene.attention_quantity == AttentionQuantity::scores
                             ? state.scale.score
                             : state.scale.rope_effect;
    return limit > 0 ? limit : 1.0;
}

std::string quantity_name(const Scene& scene) {
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return "probability after softmax";
    }
    return scene.attention_quantity == AttentionQuantity::scores ? "score before the mask"
                                                                 : "score with RoPE − without";
}

}  // namespace ropescope::figures
