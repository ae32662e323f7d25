// Runs an encoder layer by layer on estimates.
#include "core/checks/reference/reference_encoder.h"

#include <cmath>

#include "core/checks/reference/error_model.h"
#include "core/encoder/tensor_names.h"

namespace ropescope {
namespace {

std::size_t place_of(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

class ReferencePass {
  public:
    ReferencePass(const EncoderConfig& config, const Weights& weights, const EncoderInput& input,
                  const EncoderRope& rope)
        : config_(config),
          names_(encoder_names(config)),
          weights_(weights),
          input_(input),
          rope_(rope) {
        for (const float added : input.mask.added) {
            keep_.push_back(added == 0.0F);
        }
    }

    ReferenceTrace run() {
        Estimates x = embed();
        trace_.hidden.push_back(x);
        for (const LayerTensorNames& layer : names_.layers) {
            x = config_.architecture == Architecture::notebook ? notebook_layer(layer, x)
                                                               : hugging_face_layer(layer, x);
            trace_.hidden.push_back(x);
        }
        if (config_.has_head) {
            trace_.logits = head(x);
        }
        return std::move(trace_);
    }

  private:
    std::vector<double> values(const std::string& name) const {
        const TensorBytes* tensor = weights_.find(name);
        return tensor == nullptr ? std::vector<double>{} : to_f64(*tensor);
    }

    Estimates embed() const {
        Estimates x = rows_of(names_.words, input_.ids);
        if (!names_.types.empty()) {
            std::vector<std::int64_t> types = input_.type_ids;
            types.resize(input_.ids.size(), 0);
            x = norm(add_f64(x, rows_of(names_.types, types)), names_.embedding_norm);
        }
        return names_.project.empty() ? x : linear(x, names_.project);
    }

    Estimates rows_of(const std::string& module, const std::vector<std::int64_t>& ids) const {
        const std::vector<double> table = values(module + ".weight");
        const std::int64_t width = config_.embedding_size;
        std::vector<double> rows;
        for (const std::int64_t id : ids) {
            rows.insert(rows.end(), table.begin() + id * width, table.begin() + (id + 1) * width);
        }
        return exactly({static_cast<std::int64_t>(ids.size()), width}, rows);
    }

    Estimates notebook_layer(const LayerTensorNames& layer, const Estimates& x) {
        const Estimates h = add_f64(x, attend(layer, norm(x, layer.attention_norm)));
        const Estimates f = norm(h, layer.ffn_norm);
        return add_f64(h, norm(add_f64(feed_forward(layer, f), f), layer.inner_norm));
    }

    Estimates hugging_face_layer(const LayerTensorNames& layer, const Estimates& x) {
        const Estimates h = norm(add_f64(x, attend(layer, x)), layer.attention_norm);
        return norm(add_f64(h, feed_forward(layer, h)), layer.ffn_norm);
    }

    Estimates attend(const LayerTensorNames& layer, const Estimates& x) {
        const Estimates q = rotated(heads(linear(x, layer.query)), true);
        const Estimates k = rotated(heads(linear(x, layer.key)), true);
        const Estimates v = rotated(heads(linear(x, layer.value)), config_.rotary_value);
        AttentionEstimates found = attention_f64(q, k, v, keep_, input_.mask.queries);
        trace_.layers.push_back(
            {q, k, std::move(found.scores), std::move(found.probs), std::move(found.log_sums)});
        found.context.shape = x.shape;
        return linear(found.context, layer.output);
    }

    Estimates feed_forward(const LayerTensorNames& layer, const Estimates& x) const {
        return linear(linear(x, layer.up, config_.activation), layer.down);
    }

    Estimates head(Estimates x) const {
        if (!names_.transform.empty()) {
            x = norm(linear(x, names_.transform, config_.activation), names_.transform_norm);
        }
        const std::string weight = (config_.tied_head ? names_.words : names_.decoder) + ".weight";
        return linear_f64(x, values(weight), values(names_.decoder_bias), Activation::none);
    }

    Estimates linear(const Estimates& x, const std::string& module,
                     Activation activation = Activation::none) const {
        return linear_f64(x, values(module + ".weight"), values(module + ".bias"), activation);
    }

    Estimates norm(const Estimates& x, const std::string& module) const {
        return layer_norm_f64(x, values(module + ".weight"), values(module + ".bias"),
                              config_.layer_norm_eps);
    }

    Estimates heads(Estimates x) const {
        x.shape = {input_.shape.batch, input_.shape.positions, config_.n_heads, config_.head_dim()};
        return x;
    }

    std::int64_t position(std::int64_t b, std::int64_t l) const {
        const std::vector<std::int64_t>& ids = input_.positions.values;
        const std::int64_t positions = input_.shape.positions;
        if (!input_.positions.given()) {
            return l + rope_.shift;
        }
        const bool each = static_cast<std::int64_t>(ids.size()) != positions;
        return ids[place_of(each ? b * positions + l : l)] + rope_.shift;
    }

    /// Pair i turns by position * base^(-2i / head_dim) (RoFormer, eq. 15), straight from there.
    Estimates rotated(Estimates x, bool wanted) const {
        if (!wanted || !rope_.enabled) {
            return x;
        }
        const std::int64_t width = config_.head_dim();
        const bool adjacent = rope_.layout.value_or(Layout::interleaved) == Layout::interleaved;
        const double base = rope_.base.value_or(config_.rope_base);
        for (std::int64_t row = 0; row < x.rows(); ++row) {
            const std::int64_t token = row / config_.n_heads;
            const std::int64_t m =
                position(token / input_.shape.positions, token % input_.shape.positions);
            for (std::int64_t i = 0; i < width / 2; ++i) {
                const double angle =
                    static_cast<double>(m) *
                    std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
                turn(x, place_of(row * width + (adjacent ? 2 * i : i)),
                     place_of(row * width + (adjacent ? 2 * i + 1 : i + width / 2)), angle);
            }
        }
        return x;
    }

    /// Variances: cos and sin are rounded once, each product and the sum once.
    static void turn(Estimates& x, std::size_t first, std::size_t second, double angle) {
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const double a = x.value[first];
        const double b = x.value[second];
        const double va = x.variance[first];
        const double vb = x.variance[second];
        const double roundings = 3 * kUnitFloat * kUnitFloat * (a * a + b * b);
        x.value[first] = a * c - b * s;
        x.value[second] = b * c + a * s;
        x.variance[first] = va * c * c + vb * s * s + roundings;
        x.variance[second] = vb * c * c + va * s * s + roundings;
    }

    const EncoderConfig& config_;
    EncoderNames names_;
    const Weights& weights_;
    const EncoderInput& input_;
    const EncoderRope& rope_;
    std::vector<bool> keep_;
    ReferenceTrace trace_;
};

}  // namespace

ReferenceTrace reference_forward(const EncoderConfig& config, const Weights& weights,
                                 const EncoderInput& input, const EncoderRope& rope) {
    return ReferencePass(config, weights, input, rope).run();
}

}  // namespace ropescope
