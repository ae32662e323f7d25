// Lists the modules of a model with output shapes and parameter counts.
#include "core/encoder/parameter_table.h"

#include <fmt/format.h>
#include <map>

#include "core/encoder/tensor_names.h"

namespace ropescope {
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
    for (const LayerNames& layer : names.layers) {
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
    table.module(top + 2, "LayerNorm", embedding, {names.embedding_norm});
    if (!names.project.empty()) {
        table.module(top + 1, "Linear", width, {names.project + "."});
    }
    table.group(top + 1, "RoFormerEncoder", width);
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
