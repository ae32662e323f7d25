// Opens the attention view's model and loads its weights.
#include "app/figures/attention/model.h"

#include <fmt/format.h>

#include "app/figures/file_time.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/memo.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

/// The RoFormer notebook's architecture, small enough to run within a frame.
EncoderConfig demo_config() {
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

AttentionModel open_folder(const fs::path& folder) {
    const fs::path vocabulary = folder / "vocab.txt";
    const std::string name =
        (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    return {printable(name), open_encoder(folder).config,
            path_kind(vocabulary) == PathKind::nothing ? fs::path{} : vocabulary};
}

AttentionModel read_attention_model(const Scene& scene) {
    if (scene.attention_source == AttentionSource::folder) {
        return open_folder(folder_of(scene));
    }
    return scene.attention_source == AttentionSource::demo
               ? AttentionModel{"demo, random weights", demo_config(), {}}
               : AttentionModel{"RoFormer notebook's configuration, random weights", {}, {}};
}

Encoder load_encoder(const Scene& scene, const AttentionModel& model, Engine& engine) {
    return {engine, model.config,
            scene.attention_source == AttentionSource::folder
                ? open_encoder(folder_of(scene)).weights
                : random_weights(model.config, scene.content_seed)};
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

ModelKey model_key(const Scene& scene) {
    if (scene.attention_source != AttentionSource::folder) {
        return {.source = scene.attention_source, .seed = scene.content_seed};
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
        kept.emplace(load_encoder(scene, model, engine));
        kind = engine.kind();
        key = std::move(wanted);
    }
    return *kept;
}

}  // namespace ropescope::figures
