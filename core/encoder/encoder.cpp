// Uploads a model's weights to an engine and runs forward passes there.
#include "core/encoder/encoder.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/encoder/encoder_model.h"
#include "core/encoder/tensor_names.h"

namespace ropescope {
namespace {

/// Puts tensors of a checkpoint into an engine's memory.
class Uploader {
  public:
    Uploader(TensorOps& ops, const EncoderConfig& config, const Weights& weights)
        : ops_(ops),
          weights_(weights),
          matched_(match_weights(config, weights)),
          eps_(config.layer_norm_eps) {}

    bool has(const std::string& name) const { return matched_.contains(name); }

    DeviceTensor tensor(const std::string& name) const {
        const TensorBytes& bytes = matched_.at(name);
        const Index rows = bytes.shape.size() == 2 ? bytes.shape[0] : 1;
        return ops_.upload(weights_.floats(bytes.name), rows, bytes.shape.back());
    }
    DeviceTensor weight(const std::string& name) const {
        const TensorBytes& bytes = matched_.at(name);
        const DeviceTensor copy =
            ops_.upload_weight(weights_.floats(bytes.name), bytes.shape[0], bytes.shape[1]);
        weights_.release(bytes.name);
        return copy;
    }
    Linear linear(const std::string& module) const {
        return {weight(module + ".weight"), tensor(module + ".bias")};
    }
    /// Without a name there is none.
    Norm norm(const std::string& module) const {
        return module.empty() ? Norm{}
                              : Norm{tensor(module + ".weight"), tensor(module + ".bias"), eps_};
    }
    std::vector<float> values(const std::string& name) const { return to_f32(matched_.at(name)); }

  private:
    TensorOps& ops_;
    const Weights& weights_;
    std::map<std::string, TensorBytes> matched_;
    double eps_;
};

EncoderLayer upload_layer(const Uploader& from, const LayerTensorNames& names) {
    return {from.linear(names.query),  from.linear(names.key),          from.linear(names.value),
            from.linear(names.output), from.norm(names.attention_norm), from.linear(names.up),
            from.linear(names.down),   from.norm(names.inner_norm),     from.norm(names.ffn_norm)};
}

}  // namespace

Encoder::Encoder(Engine& engine, EncoderConfig config, const Weights& weights)
    : model_(std::make_unique<Model>()) {
    Model& model = *model_;
    model.config = config;
    model.ops = engine.tensor_ops();
    const Uploader from(*model.ops, config, weights);
    const EncoderNames names = encoder_names(config);
    model.words = from.tensor(names.words + ".weight");
    if (!names.types.empty()) {
        model.types = from.tensor(names.types + ".weight");
        model.embedding_norm = from.norm(names.embedding_norm);
    }
    if (!names.positions.empty()) {
        model.positions = from.tensor(names.positions + ".weight");
    }
    if (!names.relative_bias.empty()) {
        model.relative_bias = from.values(names.relative_bias + ".weight");
    }
    if (!names.project.empty()) {
        model.project = from.linear(names.project);
    }
    if (from.has(names.stored_table)) {
        model.stored_table = from.values(names.stored_table);
    }
    for (const LayerTensorNames& layer : names.layers) {
        model.layers.push_back(upload_layer(from, layer));
    }
    if (!names.transform.empty()) {
        model.transform = from.linear(names.transform);
        model.transform_norm = from.norm(names.transform_norm);
    }
    if (!names.decoder.empty()) {
        model.decoder.weight =
            from.weight((config.tied_head ? names.words : names.decoder) + ".weight");
    }
    if (!names.decoder_bias.empty()) {
        model.decoder.bias = from.tensor(names.decoder_bias);
    }
}

Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

const EncoderConfig& Encoder::config() const {
    return model_->config;
}

Trace Encoder::forward(const EncoderInput& input, const ForwardOptions& options) const {
    return run_forward(*model_, input, options);
}

EncoderFiles open_encoder(const std::filesystem::path& folder) {
    EncoderFiles files{read_encoder_config(folder), Weights::open(folder)};
    EncoderConfig& config = files.config;
    if (config.architecture == Architecture::hugging_face && config.has_head) {
        // A config that names no class leaves it to the weights.
        const auto& tensors = files.weights.tensors();
        config.has_head = std::ranges::any_of(
            tensors, [](const TensorBytes& tensor) { return tensor.name.starts_with("cls."); });
        config.tied_head = config.tied_head && config.has_head;
    }
    return files;
}

}  // namespace ropescope
