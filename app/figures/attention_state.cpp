#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "app/figures/attention_parts.h"
#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/printable.h"
#include "core/engine/timed_engine.h"

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
    EncoderFiles files;
    fs::path vocabulary;  ///< empty: words are told apart by their spelling
};

Model make_model(const Scene& scene) {
    const auto seed = static_cast<std::uint64_t>(scene.content_seed);
    if (scene.attention_source == "folder") {
        const fs::path folder = scene.attention_folder;
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored)) {
            throw InputError(
                fmt::format("attention_folder: {} is no folder; give one with "
                            "config.json and model.safetensors",
                            in_quotes(scene.attention_folder)));
        }
        const fs::path vocabulary = folder / "vocab.txt";
        const std::string name = folder.has_filename() ? folder.filename().string()
                                                       : folder.parent_path().filename().string();
        return {printable(name), open_encoder(folder),
                fs::exists(vocabulary, ignored) ? vocabulary : fs::path{}};
    }
    const bool demo = scene.attention_source == "demo";
    const EncoderConfig config = demo ? demo_config() : EncoderConfig{};
    return {demo ? "demo, random weights" : "the notebook's configuration, random weights",
            {config, random_weights(config, seed)},
            {}};
}

/// Tells a folder whose files were replaced from what it was.
std::string time_of(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? "-" : fmt::format("{}", time.time_since_epoch().count());
}

std::string model_key(const Scene& scene) {
    if (scene.attention_source != "folder") {
        return fmt::format("{} {}", scene.attention_source, scene.content_seed);
    }
    const fs::path folder = scene.attention_folder;
    return fmt::format("folder {} {} {} {}", time_of(folder / "config.json"),
                       time_of(folder / "model.safetensors"), time_of(folder / "vocab.txt"),
                       scene.attention_folder);
}

std::string run_key(const Scene& scene, const std::string& engine, bool rope, std::int64_t shift) {
    const std::string rotation = rope ? fmt::format("{} {}", scene.attention_table, shift) : "off";
    return fmt::format("{}|{}|{}|{}|{}", engine, rotation, scene.attention_tokens, model_key(scene),
                       scene.attention_text);
}

Memo<AttentionRun>& runs() {
    static Memo<AttentionRun> memo(6);
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
    const EncoderConfig& config = model.files.config;
    const std::int64_t count = std::min(scene.attention_tokens, config.max_positions);
    return model.vocabulary.empty()
               ? tokens_by_spelling(scene.attention_text, count, config.vocab_size)
               : tokens_by_vocabulary(scene.attention_text, count, model.vocabulary);
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

AttentionRun make_run(const Model& model, const Tokens& tokens, const EncoderRope& rope,
                      Engine& engine, const std::stop_token& stop) {
    TimedEngine watched(engine);
    const Encoder encoder(watched, model.files.config, model.files.weights);
    const double brought = watched.seconds();
    EncoderInput input;
    input.shape = {1, tokens.count()};
    input.ids = tokens.ids;
    ForwardOptions options;
    options.rope = rope;
    options.trace = {.q_and_k = true, .log_sums = true, .logits = false};
    options.progress = [&stop](double) { return !stop.stop_requested(); };
    AttentionRun run{encoder.forward(input, options), {}};
    run.engine_seconds = watched.seconds() - brought;
    for (const LayerTrace& layer : run.trace.layers) {
        for (std::int64_t head = 0; head < model.files.config.n_heads; ++head) {
            stop_if_asked(stop);
            run.maps.push_back(head_map(layer, head, most_cells(model.files.config)));
        }
    }
    return run;
}

/// The largest of the layer's heads.
MapChange layer_change(const LayerTrace& a, const LayerTrace& b, std::int64_t heads,
                       const std::stop_token& stop) {
    MapChange most;
    for (std::int64_t head = 0; head < heads; ++head) {
        stop_if_asked(stop);
        const MapChange change = largest_change(a, b, head);
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

AttentionState compute_state(const Scene& scene, Engine& engine, const std::stop_token& stop) {
    const std::shared_ptr<const Model> model = model_of(scene);
    AttentionState state{.model = model->name,
                         .config = model->files.config,
                         .tokens = tokens_of(scene, *model),
                         .run = {},
                         .unrotated = {},
                         .changes = {},
                         .largest = {},
                         .scale = {}};
    const auto run = [&](bool rope, std::int64_t shift) {
        EncoderRope options;
        options.enabled = rope;
        options.shift = shift;
        options.table_dtype = scene.attention_table == "bf16" ? TableDtype::bf16 : TableDtype::fp32;
        return runs().get(run_key(scene, engine.name(), rope, shift),
                          [&] { return make_run(*model, state.tokens, options, engine, stop); });
    };
    const std::shared_ptr<const AttentionRun> unmoved = run(true, 0);
    state.unrotated = run(false, 0);
    state.run = run(true, scene.attention_shift);
    state.scale = scale_of(*state.run, *state.unrotated);
    state.engine_seconds = unmoved->engine_seconds + state.unrotated->engine_seconds +
                           (state.run == unmoved ? 0.0 : state.run->engine_seconds);
    for (std::size_t i = 0; i < unmoved->trace.layers.size(); ++i) {
        state.changes.push_back(layer_change(state.run->trace.layers[i], unmoved->trace.layers[i],
                                             state.config.n_heads, stop));
        state.largest = {std::max(state.largest.score, state.changes.back().score),
                         std::max(state.largest.prob, state.changes.back().prob)};
    }
    return state;
}

AttentionState draft_state(const Scene& scene, std::shared_ptr<const AttentionRun> unmoved,
                           std::shared_ptr<const AttentionRun> unrotated) {
    const std::shared_ptr<const Model> model = model_of(scene);
    AttentionState state{.model = model->name,
                         .config = model->files.config,
                         .tokens = tokens_of(scene, *model),
                         .run = std::move(unmoved),
                         .unrotated = std::move(unrotated),
                         .changes = {},
                         .largest = {},
                         .scale = {},
                         .draft = true};
    state.scale = scale_of(*state.run, *state.unrotated);
    state.changes.resize(state.run->trace.layers.size());
    return state;
}

}  // namespace

std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const std::stop_token& stop) {
    return states().get(run_key(scene, engine.name(), true, scene.attention_shift),
                        [&] { return compute_state(scene, engine, stop); });
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
    return scene.attention_source == "demo" && scene.attention_tokens <= kQuickTokens;
}

OpenedHead opened_head(const Scene& scene, const EncoderConfig& config) {
    return {std::min(scene.attention_layer, config.n_layers - 1),
            std::min(scene.attention_head, config.n_heads - 1)};
}

std::vector<float> map_values(const AttentionState& state, const Scene& scene, OpenedHead at) {
    const HeadMap& map = state.map(at.layer, at.head);
    if (scene.attention_quantity == "softmax") {
        return map.probs;
    }
    std::vector<float> values = map.scores;
    if (scene.attention_quantity == "effect") {
        const std::vector<float>& off = state.unrotated_map(at.layer, at.head).scores;
        std::transform(values.begin(), values.end(), off.begin(), values.begin(),
                       [](float with, float without) { return with - without; });
    }
    return values;
}

double map_limit(const AttentionState& state, const Scene& scene) {
    const double limit = scene.attention_quantity == "softmax"  ? state.scale.prob
                         : scene.attention_quantity == "scores" ? state.scale.score
                                                                : state.scale.rope_effect;
    return limit > 0 ? limit : 1.0;
}

std::string quantity_name(const Scene& scene) {
    if (scene.attention_quantity == "softmax") {
        return "probability after softmax";
    }
    return scene.attention_quantity == "scores" ? "score before the mask"
                                                : "score with RoPE − without";
}

}  // namespace ropescope::figures
