// The encoder that the attention view runs: a trained one in the box, a random one, or a
// checkpoint.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/figures/work.h"
#include "app/scene/scene.h"
#include "core/demo/demo_models.h"
#include "core/encoder/encoder.h"
#include "core/formats/word_pieces.h"

namespace ropescope::figures {

struct AttentionModel {
    std::string name;  ///< for people: "small encoder, random weights"
    EncoderConfig config;
    /// Null: tokens are made from the spelling of the words.
    std::shared_ptr<const WordPieces> vocabulary = nullptr;
    bool has_rope = true;  ///< false: it was trained without positions
    /// Tokens of a text of its training; of random weights as many as of those in the box.
    Index trained_length = demo::kTrainedLength;
};

/// Tells models apart, and a folder from itself after its files have been replaced.
struct ModelKey {
    AttentionSource source = AttentionSource::demo;
    std::int64_t seed = 0;  ///< of random weights, else 0
    std::string folder = {};
    /// When config.json, model.safetensors and vocab.txt were last written.
    std::array<std::optional<std::filesystem::file_time_type>, 3> written = {};

    bool operator==(const ModelKey&) const = default;
};
ModelKey model_key(const Scene& scene);
/// Whether the encoder's weights are drawn by content_seed.
bool has_random_weights(const Scene& scene);

/// The model of the scene, opened once. Throws InputError if the scene's folder contains no model.
std::shared_ptr<const AttentionModel> attention_model(const Scene& scene, FigureCache& cache);
/// The model with its weights in the engine's memory. Valid until another model is loaded into the
/// cache.
const Encoder& loaded_encoder(const Scene& scene, const AttentionModel& model, Engine& engine,
                              FigureCache& cache);

}  // namespace ropescope::figures
