// Opens the attention view's model and loads its weights.
#include "app/figures/encoder/model.h"

#include <fmt/format.h>

#include "app/figures/shared/file_time.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/memo.h"
#include "core/demo/demo_models.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

/// The architecture of the RoFormer notebook, small enough to run within a frame.
EncoderConfig random_config() {
    EncoderConfig config;
    config.vocab_size = 256;
    config.embedding_size = config.hidden_size = 128;
    config.intermediate_size = 512;
    config.max_positions = 1 << 16;
    return config;
}

fs::path folder_of(const Scene& scene) {
    const fs::path folder = scene.attention_folder;
    if (path_kind(folder) != PathKind::folder) {
        throw InputError(
            fmt::format("attention_folder: {} is not a folder; give one with "
                        "config.json and model.safetensors",
                        in_quotes(scene.attention_folder)));
    }
    return folder;
}

/// The views make scores and probabilities of q and k alone.
void require_scores_of_q_and_k(const EncoderConfig& config) {
    const bool biased =
        config.position == PositionEncoding::alibi || config.position == PositionEncoding::t5;
    if (biased || config.causal) {
        throw InputError(fmt::format(
            "attention_folder: this model {}, which the views do not draw; give an encoder whose "
            "scores are those of q and k, or run this one with the command encode",
            config.causal ? "is a decoder" : "adds a bias to its scores"));
    }
}

AttentionModel open_folder(const fs::path& folder) {
    const fs::path vocabulary = folder / "vocab.txt";
    const std::string name =
        (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    const EncoderConfig config = open_encoder(folder).config;
    require_scores_of_q_and_k(config);
    return {printable(name), config,
            path_kind(vocabulary) == PathKind::nothing
                ? nullptr
                : std::make_shared<const WordPieces>(WordPieces::read(vocabulary)),
            config.position == PositionEncoding::rope, config.max_positions};
}

/// The vocabulary of the models in the box, which lives as long as the program.
std::shared_ptr<const WordPieces> boxed_vocabulary() {
    return {std::shared_ptr<void>(), &demo::demo_vocabulary()};
}

AttentionModel read_attention_model(const Scene& scene) {
    using demo::DemoModel;
    switch (scene.attention_source) {
        case AttentionSource::demo:
            return {"RoFormer trained on WordNet", demo::demo_config(DemoModel::rope),
                    boxed_vocabulary()};
        case AttentionSource::no_position:
            return {"twin trained without positions", demo::demo_config(DemoModel::no_position),
                    boxed_vocabulary(), false};
        case AttentionSource::random:
            return {"small encoder, random weights", random_config()};
        case AttentionSource::full:
            return {"d2l RoFormer notebook's size, random weights", {}};
        case AttentionSource::folder:
            break;
    }
    return open_folder(folder_of(scene));
}

Weights weights_of(const Scene& scene, const AttentionModel& model) {
    switch (scene.attention_source) {
        case AttentionSource::demo:
            return demo::demo_model(demo::DemoModel::rope).weights;
        case AttentionSource::no_position:
            return demo::demo_model(demo::DemoModel::no_position).weights;
        case AttentionSource::random:
        case AttentionSource::full:
            return random_weights(model.config, scene.content_seed);
        case AttentionSource::folder:
            break;
    }
    return open_encoder(folder_of(scene)).weights;
}

struct OpenModels {
    Memo<ModelKey, AttentionModel> memo{2};
};
/// The encoder used last.
struct LoadedEncoder {
    std::optional<Encoder> encoder;
    EngineKind engine = EngineKind::cpu;
    ModelKey model;
};

}  // namespace

bool has_random_weights(const Scene& scene) {
    return scene.attention_source == AttentionSource::random ||
           scene.attention_source == AttentionSource::full;
}

ModelKey model_key(const Scene& scene) {
    if (has_random_weights(scene)) {
        return {.source = scene.attention_source, .seed = scene.content_seed};
    }
    if (scene.attention_source != AttentionSource::folder) {
        return {.source = scene.attention_source};
    }
    const fs::path folder = scene.attention_folder;
    return {.source = scene.attention_source,
            .folder = scene.attention_folder,
            .written = {time_of(folder / "config.json"), time_of(folder / "model.safetensors"),
                        time_of(folder / "vocab.txt")}};
}

std::shared_ptr<const AttentionModel> attention_model(const Scene& scene, FigureCache& cache) {
    return cache.results<OpenModels>().memo.get(model_key(scene),
                                                [&] { return read_attention_model(scene); });
}

const Encoder& loaded_encoder(const Scene& scene, const AttentionModel& model, Engine& engine,
                              FigureCache& cache) {
    auto& [kept, kind, key] = cache.engine_memory<LoadedEncoder>();
    if (ModelKey wanted = model_key(scene); !kept || kind != engine.kind() || key != wanted) {
        kept.reset();  // the memory of one is enough
        kept.emplace(engine, model.config, weights_of(scene, model));
        kind = engine.kind();
        key = std::move(wanted);
    }
    return *kept;
}

}  // namespace ropescope::figures
