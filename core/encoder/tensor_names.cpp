// Names the tensors of both RoFormers and states their shapes.
#include "core/encoder/tensor_names.h"

#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>

namespace ropescope {
namespace {

using NameKind = ExpectedTensor::Kind;

EncoderNames notebook_names(const EncoderConfig& config) {
    EncoderNames names;
    names.words = "token_embeddings";
    for (Index i = 0; i < config.n_layers; ++i) {
        const auto of = [i](std::string_view module) {
            return fmt::format("layers.{}.{}", i, module);
        };
        names.layers.push_back({of("attention.query"), of("attention.key"), of("attention.value"),
                                of("attention.w_o"), of("attention_norm"), of("feed_forward.c_fc"),
                                of("feed_forward.c_proj"), of("feed_forward.layer_norm"),
                                of("ffn_norm")});
    }
    names.decoder = "output";
    return names;
}

EncoderNames hugging_face_names(const EncoderConfig& config) {
    EncoderNames names;
    names.words = "roformer.embeddings.word_embeddings";
    names.types = "roformer.embeddings.token_type_embeddings";
    names.embedding_norm = "roformer.embeddings.LayerNorm";
    if (config.embedding_size != config.hidden_size) {
        names.project = "roformer.embeddings_project";
    }
    names.stored_table = "roformer.encoder.embed_positions.weight";
    if (config.position == PositionEncoding::learned) {
        names.positions = "roformer.embeddings.position_embeddings";
    }
    if (config.position == PositionEncoding::t5) {
        names.relative_bias = "roformer.encoder.relative_attention_bias";
    }
    for (Index i = 0; i < config.n_layers; ++i) {
        const auto of = [i](std::string_view module) {
            return fmt::format("roformer.encoder.layer.{}.{}", i, module);
        };
        names.layers.push_back({of("attention.self.query"), of("attention.self.key"),
                                of("attention.self.value"), of("attention.output.dense"),
                                of("attention.output.LayerNorm"), of("intermediate.dense"),
                                of("output.dense"), "", of("output.LayerNorm")});
    }
    if (config.has_head) {
        names.transform = "cls.predictions.transform.dense";
        names.transform_norm = "cls.predictions.transform.LayerNorm";
        names.decoder = "cls.predictions.decoder";
        names.decoder_bias = "cls.predictions.bias";
    }
    return names;
}

/// Collects tensors module by module.
class Expected {
  public:
    void embedding(const std::string& module, Index rows, Index columns) {
        add({module + ".weight", {rows, columns}, NameKind::embedding, 0});
    }
    void linear(const std::string& module, Index out, Index in) {
        add({module + ".weight", {out, in}, NameKind::linear, in});
        add({module + ".bias", {out}, NameKind::linear, in});
    }
    void norm(const std::string& module, Index width) {
        add({module + ".weight", {width}, NameKind::norm_weight, 0});
        add({module + ".bias", {width}, NameKind::norm_bias, 0});
    }
    void add(ExpectedTensor tensor) { tensors.push_back(std::move(tensor)); }

    std::vector<ExpectedTensor> tensors;
};

void add_layer(Expected& all, const EncoderConfig& config, const LayerTensorNames& names) {
    const Index width = config.hidden_size;
    all.norm(names.attention_norm, width);
    for (const std::string& module : {names.query, names.key, names.value, names.output}) {
        all.linear(module, width, width);
    }
    all.norm(names.ffn_norm, width);
    all.linear(names.up, config.intermediate_size, width);
    all.linear(names.down, width, config.intermediate_size);
    if (!names.inner_norm.empty()) {
        all.norm(names.inner_norm, width);
    }
}

/// Hugging Face keeps the decoder's weight and bias twice, or once when they are tied.
void add_hugging_face_head(Expected& all, const EncoderConfig& config, const EncoderNames& names) {
    all.linear(names.transform, config.embedding_size, config.hidden_size);
    all.norm(names.transform_norm, config.embedding_size);
    const Index in = config.embedding_size;
    all.add({names.decoder + ".weight",
             {config.vocab_size, in},
             NameKind::linear,
             in,
             config.tied_head,
             !config.tied_head});
    all.add({names.decoder_bias, {config.vocab_size}, NameKind::linear, in});
    all.add({names.decoder + ".bias", {config.vocab_size}, NameKind::linear, in, true, false});
}

bool ends_with_replaced(std::string& name, std::string_view ending, std::string_view replacement) {
    if (!name.ends_with(ending)) {
        return false;
    }
    name.replace(name.size() - ending.size(), ending.size(), replacement);
    return true;
}

}  // namespace

Index ExpectedTensor::count() const {
    return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

EncoderNames encoder_names(const EncoderConfig& config) {
    return config.architecture == Architecture::notebook ? notebook_names(config)
                                                         : hugging_face_names(config);
}

std::vector<ExpectedTensor> expected_tensors(const EncoderConfig& config) {
    const EncoderNames names = encoder_names(config);
    Expected all;
    all.embedding(names.words, config.vocab_size, config.embedding_size);
    if (!names.types.empty()) {
        all.embedding(names.types, config.type_vocab_size, config.embedding_size);
        all.norm(names.embedding_norm, config.embedding_size);
    }
    if (!names.positions.empty()) {
        all.embedding(names.positions, config.max_positions, config.embedding_size);
    }
    if (!names.project.empty()) {
        all.linear(names.project, config.hidden_size, config.embedding_size);
    }
    if (!names.relative_bias.empty()) {
        all.embedding(names.relative_bias, kT5Buckets, config.n_heads);
    }
    if (!names.stored_table.empty()) {
        all.add({names.stored_table,
                 {config.max_positions, config.head_dim()},
                 NameKind::table,
                 0,
                 true});
    }
    for (const LayerTensorNames& layer : names.layers) {
        add_layer(all, config, layer);
    }
    if (!names.transform.empty()) {
        add_hugging_face_head(all, config, names);
    } else if (!names.decoder.empty()) {
        all.add({names.decoder + ".weight",
                 {config.vocab_size, config.hidden_size},
                 NameKind::linear,
                 config.hidden_size});
    }
    return all.tensors;
}

std::string canonical_name(const EncoderConfig& config, std::string_view stored) {
    std::string name(stored);
    if (config.architecture == Architecture::notebook) {
        return name;
    }
    if (!ends_with_replaced(name, ".gamma", ".weight")) {
        ends_with_replaced(name, ".beta", ".bias");
    }
    for (const std::string_view start : {"embeddings.", "embeddings_project.", "encoder."}) {
        if (name.starts_with(start)) {
            return "roformer." + name;
        }
    }
    return name;
}

// Lists the modules of a model with output shapes and parameter counts.

namespace {

class TableBuilder {
  public:
    TableBuilder(const EncoderConfig& config, Index batch, Index positions)
        : expected_(expected_tensors(config)), batch_(batch), positions_(positions) {}

    /// A module that is only there for those below it.
    void group(int depth, const std::string& name, Index width) {
        add(depth, name, width, std::nullopt);
    }
    /// A module whose parameters are the tensors that start with one of `starts`.
    void module(int depth, const std::string& name, Index width,
                const std::vector<std::string>& starts) {
        Index sum = 0;
        for (const ExpectedTensor& tensor : expected_) {
            for (const std::string& start : starts) {
                sum += tensor.counted && tensor.name.starts_with(start) ? tensor.count() : 0;
            }
        }
        add(depth, name, width, sum);
    }

    ParameterTable table;

  private:
    /// width 0: without an output of its own.
    void add(int depth, const std::string& name, Index width, std::optional<Index> parameters) {
        const std::string label =
            depth == 0 ? name : fmt::format("{}: {}-{}", name, depth, ++numbers_[depth]);
        std::vector<Index> shape;
        if (width > 0) {
            shape = {batch_, positions_, width};
        }
        table.rows.push_back({label, depth, std::move(shape), parameters});
        table.total += parameters.value_or(0);
    }

    std::vector<ExpectedTensor> expected_;
    std::map<int, int> numbers_;
    Index batch_;
    Index positions_;
};

void add_notebook(TableBuilder& table, const EncoderConfig& config, const EncoderNames& names) {
    const Index width = config.hidden_size;
    table.group(0, "RoFormer", config.vocab_size);
    table.module(1, "Embedding", width, {names.words});
    table.group(1, "ModuleList", 0);
    for (const LayerTensorNames& layer : names.layers) {
        table.group(2, "EncoderLayer", width);
        table.module(3, "LayerNorm", width, {layer.attention_norm + "."});
        table.module(3, "MultiHeadAttention", width,
                     {layer.query, layer.key, layer.value, layer.output});
        table.module(3, "LayerNorm", width, {layer.ffn_norm + "."});
        table.module(3, "FeedForward", width, {layer.up, layer.down, layer.inner_norm});
    }
    table.module(1, "Linear", config.vocab_size, {names.decoder});
}

void add_hugging_face(TableBuilder& table, const EncoderConfig& config, const EncoderNames& names) {
    const Index embedding = config.embedding_size;
    const Index width = config.hidden_size;
    // Without its head the model is the top row itself.
    const int top = config.has_head ? 1 : 0;
    if (config.has_head) {
        table.group(0, "RoFormerForMaskedLM", config.vocab_size);
    }
    table.group(top, "RoFormerModel", width);
    table.group(top + 1, "RoFormerEmbeddings", embedding);
    table.module(top + 2, "Embedding", embedding, {names.words});
    table.module(top + 2, "Embedding", embedding, {names.types});
    if (!names.positions.empty()) {
        table.module(top + 2, "Embedding", embedding, {names.positions});
    }
    table.module(top + 2, "LayerNorm", embedding, {names.embedding_norm});
    if (!names.project.empty()) {
        table.module(top + 1, "Linear", width, {names.project + "."});
    }
    table.group(top + 1, "RoFormerEncoder", width);
    if (!names.relative_bias.empty()) {
        table.module(top + 2, "Embedding", 0, {names.relative_bias});
    }
    table.module(top + 2, "RoFormerSinusoidalPositionalEmbedding", 0, {names.stored_table});
    for (std::size_t i = 0; i < names.layers.size(); ++i) {
        table.module(top + 2, "RoFormerLayer", width,
                     {fmt::format("roformer.encoder.layer.{}.", i)});
    }
    if (config.has_head) {
        table.group(1, "RoFormerOnlyMLMHead", config.vocab_size);
        table.module(2, "RoFormerPredictionHeadTransform", embedding,
                     {"cls.predictions.transform."});
        table.module(2, "Linear", config.vocab_size, {names.decoder + ".", names.decoder_bias});
    }
}

}  // namespace

ParameterTable parameter_table(const EncoderConfig& config, Index batch, Index positions) {
    const EncoderNames names = encoder_names(config);
    TableBuilder builder(config, batch, positions);
    if (config.architecture == Architecture::notebook) {
        add_notebook(builder, config, names);
    } else {
        add_hugging_face(builder, config, names);
    }
    return builder.table;
}

}  // namespace ropescope
