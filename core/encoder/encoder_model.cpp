// Runs one forward pass on the operations of an engine and keeps what the TraceRequest names.
#include "core/encoder/encoder_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/encoder/added_scores.h"

namespace ropescope {
namespace {

/// A dense copy [batch, heads, positions, head_dim] of rows (batch, position), columns (head,
/// channel).
TraceTensor heads_apart(const HostFloats& rows, const AttentionShape& shape) {
    const auto copy = std::make_shared<std::vector<float>>(rows.values.size());
    float* to = copy->data();
    const Index width = shape.heads * shape.head_dim;
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.positions; ++l) {
                const float* from =
                    rows.values.data() + (b * shape.positions + l) * width + h * shape.head_dim;
                to = std::copy_n(from, shape.head_dim, to);
            }
        }
    }
    return {{shape.batch, shape.heads, shape.positions, shape.head_dim}, {copy, *copy}};
}

/// What one pass works with. Tensors have a row for every token.
class Forward {
  public:
    Forward(const Encoder::Model& model, const EncoderInput& input, const ForwardOptions& options)
        : model_(model),
          config_(model.config),
          ops_(*model.ops),
          input_(input),
          options_(options),
          tokens_(input.shape.batch * input.shape.positions),
          shape_{input.shape.batch, config_.n_heads, input.shape.positions, config_.head_dim()} {}

    Trace run() {
        set_up();
        DeviceTensor x = embed();
        keep_hidden(x);
        for (const EncoderLayer& layer : model_.layers) {
            x = config_.architecture == Architecture::notebook ? notebook_layer(layer, x)
                                                               : hugging_face_layer(layer, x);
            keep_hidden(x);
            step(width() + 2.0 * inner());
        }
        if (config_.has_head && options_.trace.logits) {
            const DeviceTensor logits = head(std::move(x));
            trace_.logits = kept(logits, {shape_.batch, shape_.positions, config_.vocab_size});
            step(vocabulary());
        }
        return std::move(trace_);
    }

  private:
    bool turns() const {
        return config_.position == PositionEncoding::rope && options_.rope.enabled;
    }

    void set_up() {
        positions_ = encoder_positions(options_.rope, input_.positions, input_.shape);
        if (turns()) {
            const EncoderRotation rotation =
                encoder_rotation(config_, options_.rope, input_.positions, input_.shape,
                                 model_.stored_table.empty() ? nullptr : &model_.stored_table);
            const RotationTable& table = rotation.table;
            rotation_ = {own(table.cos, table.rows), own(table.sin, table.rows), rotation.layout};
        }
        const AddedRows added =
            added_scores(config_, input_.shape, positions_, input_.mask, model_.relative_bias);
        if (!added.values.empty()) {
            const Index rows = std::ssize(added.values) / shape_.positions;
            added_ = {own(added.values, rows), added.by_sample, added.by_head, added.by_query};
        }
        step(0);
    }

    /// A copy of `values` that the engine may read as long as it wants.
    template <typename Values>
    DeviceTensor own(const Values& values, Index rows) {
        const auto copy = std::make_shared<const Values>(values);
        return ops_.upload({copy, {copy->data(), copy->size()}}, rows, std::ssize(*copy) / rows);
    }

    DeviceTensor embed() {
        DeviceTensor x = ops_.make(tokens_, config_.embedding_size);
        ops_.gather(model_.words, input_.ids, x);
        if (model_.types) {
            const std::vector<Index> zeros(input_.ids.size(), 0);
            const DeviceTensor types = ops_.make(tokens_, config_.embedding_size);
            ops_.gather(model_.types, input_.type_ids.empty() ? zeros : input_.type_ids, types);
            ops_.add(x, types, x);
            add_positions(x);
            ops_.layer_norm(x, model_.embedding_norm, x);
        }
        return model_.project.weight ? linear(x, model_.project) : x;
    }

    /// Adds the vector of its position to each row, where the model has such vectors.
    void add_positions(const DeviceTensor& x) {
        if (config_.position == PositionEncoding::sinusoidal) {
            ops_.add(x, own(sinusoidal_rows(of_all_rows(), config_.embedding_size), tokens_), x);
        }
        if (config_.position == PositionEncoding::learned) {
            const DeviceTensor rows = ops_.make(tokens_, config_.embedding_size);
            ops_.gather(model_.positions, learned_rows(), rows);
            ops_.add(x, rows, x);
        }
    }

    /// The position of each row of the batch.
    std::vector<Index> of_all_rows() const {
        std::vector<Index> all;
        while (std::ssize(all) < tokens_) {
            all.insert(all.end(), positions_.begin(), positions_.end());
        }
        return all;
    }

    std::vector<Index> learned_rows() const {
        for (const Index position : positions_) {
            if (position < 0 || position >= config_.max_positions) {
                throw InputError(fmt::format(
                    "positions: {} has no learned vector; the model has those of 0 .. {}", position,
                    config_.max_positions - 1));
            }
        }
        return of_all_rows();
    }

    /// h = x + attention(norm(x)); f = norm(h); h + norm(feed_forward(f) + f)
    DeviceTensor notebook_layer(const EncoderLayer& layer, const DeviceTensor& x) {
        DeviceTensor normed = ops_.make(tokens_, config_.hidden_size);
        ops_.layer_norm(x, layer.attention_norm, normed);
        DeviceTensor h = attend(layer, normed);
        ops_.add(x, h, h);
        ops_.layer_norm(h, layer.ffn_norm, normed);
        const DeviceTensor y = feed_forward(layer, normed);
        ops_.add(y, normed, y);
        ops_.layer_norm(y, layer.inner_norm, y);
        ops_.add(h, y, y);
        return y;
    }

    /// h = norm(x + attention(x)); norm(h + feed_forward(h))
    DeviceTensor hugging_face_layer(const EncoderLayer& layer, const DeviceTensor& x) {
        const DeviceTensor h = attend(layer, x);
        ops_.add(x, h, h);
        ops_.layer_norm(h, layer.attention_norm, h);
        const DeviceTensor y = feed_forward(layer, h);
        ops_.add(h, y, y);
        ops_.layer_norm(y, layer.ffn_norm, y);
        return y;
    }

    /// Attention with its output projection.
    DeviceTensor attend(const EncoderLayer& layer, const DeviceTensor& x) {
        AttentionInputs in{shape_,
                           linear(x, layer.query),
                           linear(x, layer.key),
                           linear(x, layer.value),
                           added_,
                           1.0 / std::sqrt(to_double(config_.head_dim())),
                           [this](double done) { return report(done * keys()); }};
        if (turns()) {
            ops_.rotate(in.q, config_.n_heads, rotation_);
            ops_.rotate(in.k, config_.n_heads, rotation_);
            if (config_.rotary_value) {
                ops_.rotate(in.v, config_.n_heads, rotation_);
            }
        }
        AttentionOutputs out = wanted_maps();
        out.context = ops_.make(tokens_, config_.hidden_size);
        step(3.0 * width());
        ops_.attention(in, out);
        step(keys());
        keep_layer(in, out);
        return linear(out.context, layer.output);
    }

    DeviceTensor feed_forward(const EncoderLayer& layer, const DeviceTensor& x) {
        return linear(linear(x, layer.up, config_.activation), layer.down);
    }

    DeviceTensor head(DeviceTensor x) {
        if (model_.transform.weight) {
            x = linear(x, model_.transform, config_.activation);
            ops_.layer_norm(x, model_.transform_norm, x);
        }
        return linear(x, model_.decoder);
    }

    DeviceTensor linear(const DeviceTensor& x, const Linear& layer,
                        Activation activation = Activation::none) {
        DeviceTensor y = ops_.make(x.rows, layer.weight.rows);
        ops_.gemm(x, layer, activation, y);
        return y;
    }

    /// Whether anything of the layer that comes next in the trace is kept.
    bool layer_wanted() const {
        const std::vector<Index>& layers = options_.trace.layers;
        const Index next = std::ssize(trace_.layers);
        return layers.empty() || std::ranges::find(layers, next) != layers.end();
    }

    AttentionOutputs wanted_maps() {
        const TraceRequest& want = options_.trace;
        if (!layer_wanted()) {
            return {};
        }
        const Index rows = shape_.batch * shape_.heads * shape_.positions;
        const auto make_if = [&](bool wanted, Index columns) {
            return wanted ? ops_.make(rows, columns) : DeviceTensor{};
        };
        return {{},
                make_if(want.scores, shape_.positions),
                make_if(want.probs, shape_.positions),
                make_if(want.log_sums, 1)};
    }

    void keep_layer(const AttentionInputs& in, const AttentionOutputs& out) {
        const std::vector<Index> sums = {shape_.batch, shape_.heads, shape_.positions};
        const std::vector<Index> map = {shape_.batch, shape_.heads, shape_.positions,
                                        shape_.positions};
        LayerTrace layer;
        if (options_.trace.q_and_k && layer_wanted()) {
            layer.q_rot = heads_apart(ops_.download(in.q), shape_);
            layer.k_rot = heads_apart(ops_.download(in.k), shape_);
        }
        layer.scores = kept(out.scores, map);
        layer.probs = kept(out.probs, map);
        layer.log_sums = kept(out.log_sums, sums);
        trace_.layers.push_back(std::move(layer));
    }

    void keep_hidden(const DeviceTensor& x) {
        if (options_.trace.hidden) {
            trace_.hidden.push_back(kept(x, {shape_.batch, shape_.positions, config_.hidden_size}));
        }
    }

    TraceTensor kept(const DeviceTensor& tensor, std::vector<Index> shape) {
        return tensor ? TraceTensor{std::move(shape), ops_.download(tensor)} : TraceTensor{};
    }

    // Progress is counted in multiply-adds for one token, divided by hidden_size.
    double width() const { return to_double(config_.hidden_size); }
    double inner() const { return to_double(config_.intermediate_size); }
    double keys() const { return 2.0 * to_double(shape_.positions); }
    double vocabulary() const {
        return config_.has_head && options_.trace.logits ? to_double(config_.vocab_size) : 0.0;
    }
    void step(double units) {
        done_ += units;
        if (!report(0.0)) {
            throw ForwardCancelled();
        }
    }
    /// Whether the pass goes on. Once stopped, it stays stopped.
    bool report(double further) {
        const double layer = 4.0 * width() + keys() + 2.0 * inner();
        const double all = to_double(config_.n_layers) * layer + vocabulary();
        cancelled_ = cancelled_ || (options_.progress &&
                                    !options_.progress(std::min(1.0, (done_ + further) / all)));
        return !cancelled_;
    }

    const Encoder::Model& model_;
    const EncoderConfig& config_;
    TensorOps& ops_;
    const EncoderInput& input_;
    const ForwardOptions& options_;
    Index tokens_;
    AttentionShape shape_;
    DeviceRotation rotation_;
    std::vector<Index> positions_;
    AddedTensor added_;
    Trace trace_;
    double done_ = 0.0;
    bool cancelled_ = false;
};

}  // namespace

Trace run_forward(const Encoder::Model& model, const EncoderInput& input,
                  const ForwardOptions& options) {
    validate(input, model.config);
    return Forward(model, input, options).run();
}

// Checks ids, token types and mask against the config and each other.

namespace {

/// Ids of [batch, positions], each below `limit`.
void validate_ids(const std::vector<Index>& ids, SequenceShape shape, Index limit, const char* what,
                  const char* limit_name) {
    const Index count = shape.batch * shape.positions;
    if (std::ssize(ids) != count) {
        throw InputError(fmt::format("{}: {} values; [{}, {}] is expected", what, ids.size(),
                                     shape.batch, shape.positions));
    }
    for (Index i = 0; i < count; ++i) {
        const Index id = ids[i];
        if (id < 0 || id >= limit) {
            throw InputError(fmt::format("{}: {} at [{}, {}] lies outside 0 .. {}, the model's {}",
                                         what, id, i / shape.positions, i % shape.positions,
                                         limit - 1, limit_name));
        }
    }
}

}  // namespace

void validate(const EncoderInput& input, const EncoderConfig& config) {
    const SequenceShape shape = input.shape;
    if (shape.batch < 1 || shape.positions < 1) {
        throw InputError("ids: the list is empty; give at least one token");
    }
    if (shape.positions > config.max_positions) {
        throw InputError(
            fmt::format("ids: {0} positions exceed the model's {1} ({2}); give at most {1} tokens",
                        shape.positions, config.max_positions,
                        config.architecture == Architecture::notebook ? "block_size"
                                                                      : "max_position_embeddings"));
    }
    validate_ids(input.ids, shape, config.vocab_size, "ids", "vocab_size");
    if (!input.type_ids.empty() && config.type_vocab_size == 0) {
        throw InputError("type ids: this model has no token types; leave them out");
    }
    if (!input.type_ids.empty()) {
        validate_ids(input.type_ids, shape, config.type_vocab_size, "type ids", "type_vocab_size");
    }
    const AttentionMask& mask = input.mask;
    if (mask.given() && (mask.batch != shape.batch || mask.keys != shape.positions)) {
        throw InputError(fmt::format("mask: made for [{}, {}]; the tokens are [{}, {}]", mask.batch,
                                     mask.keys, shape.batch, shape.positions));
    }
}

}  // namespace ropescope
