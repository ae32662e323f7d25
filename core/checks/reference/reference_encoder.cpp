// Runs an encoder layer by layer on estimates.
#include "core/checks/reference/reference_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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
        keep_keys();
        add_distances();
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
            x = norm(with_positions(add_f64(x, rows_of(names_.types, types))),
                     names_.embedding_norm);
        }
        return names_.project.empty() ? x : linear(x, names_.project);
    }

    /// [batch, queries, keys]: the mask, and none of the keys after the query of a decoder.
    void keep_keys() {
        const std::int64_t length = input_.shape.positions;
        queries_ = config_.causal ? length : input_.mask.queries;
        const std::int64_t samples = keys_are_hidden() ? input_.shape.batch : 0;
        for (std::int64_t row = 0; row < samples * queries_; ++row) {
            const std::int64_t given = input_.mask.queries == 1 ? row / queries_ : row;
            for (std::int64_t key = 0; key < length; ++key) {
                const bool masked = input_.mask.given() &&
                                    input_.mask.added[place_of(given * length + key)] != 0.0F;
                keep_.push_back(!masked && !(config_.causal && key > row % length));
            }
        }
    }
    bool keys_are_hidden() const { return config_.causal || input_.mask.given(); }

    /// [heads, queries, keys] for positions 0, 1, ...: ALiBi's slopes times the distances, or T5's
    /// numbers, straight from their definitions. Both see distances alone, so that a shift changes
    /// nothing.
    void add_distances() {
        const std::vector<double> table = names_.relative_bias.empty()
                                              ? std::vector<double>{}
                                              : values(names_.relative_bias + ".weight");
        const std::int64_t length = input_.shape.positions;
        const bool added = config_.position == PositionEncoding::alibi || !table.empty();
        for (std::int64_t i = 0; added && i < config_.n_heads * length * length; ++i) {
            const std::int64_t head = i / length / length;
            const std::int64_t distance = i % length - i / length % length;
            bias_.push_back(table.empty()
                                ? -alibi_slope(head) * to_double(std::abs(distance))
                                : table[place_of(t5_range(distance) * config_.n_heads + head)]);
        }
    }

    /// Press et al.: a geometric series for a power of two of heads, and for those beyond the
    /// largest such number the means between its members.
    double alibi_slope(std::int64_t head) const {
        const double whole = std::exp2(std::floor(std::log2(to_double(config_.n_heads))));
        const double number =
            to_double(head) < whole ? to_double(head) + 1.0 : to_double(head) - whole + 0.5;
        return std::exp2(-8.0 * number / whole);
    }

    /// Raffel et al.: ranges of one distance each up to half of them, and then as many again whose
    /// ends grow by the same factor up to 128. The first that does not end before the distance.
    std::int64_t t5_range(std::int64_t distance) const {
        const std::int64_t ranges = config_.causal ? 32 : 16;
        const std::int64_t exact = ranges / 2;
        const std::int64_t size =
            config_.causal ? std::max<std::int64_t>(-distance, 0) : std::abs(distance);
        std::int64_t range = std::min(size, exact);
        while (size >= exact && range + 1 < ranges &&
               to_double(size) >= to_double(exact) *
                                      std::pow(128.0 / to_double(exact),
                                               to_double(range + 1 - exact) / to_double(exact)) *
                                      (1.0 - 1e-12)) {
            ++range;
        }
        return range + (!config_.causal && distance > 0 ? ranges : 0);
    }

    /// Adds the vectors of positions, where the model has such.
    Estimates with_positions(const Estimates& x) const {
        if (config_.position != PositionEncoding::sinusoidal &&
            config_.position != PositionEncoding::learned) {
            return x;
        }
        const std::vector<double> table = config_.position == PositionEncoding::learned
                                              ? values(names_.positions + ".weight")
                                              : std::vector<double>{};
        const std::int64_t width = config_.embedding_size;
        Estimates added = zero_estimates(x.shape);
        for (std::int64_t i = 0; i < std::ssize(added.value); ++i) {
            const std::int64_t token = i / width, channel = i % width;
            const std::int64_t m =
                position(token / input_.shape.positions, token % input_.shape.positions);
            added.value[place_of(i)] =
                table.empty() ? sinusoid(m, channel, width) : table[place_of(m * width + channel)];
            // A sinusoid is rounded once.
            added.variance[place_of(i)] =
                table.empty()
                    ? kUnitFloat * kUnitFloat * added.value[place_of(i)] * added.value[place_of(i)]
                    : 0.0;
        }
        return add_f64(x, added);
    }

    /// Vaswani et al., section 3.5, divided by sqrt(width).
    static double sinusoid(std::int64_t m, std::int64_t channel, std::int64_t width) {
        const double angle =
            to_double(m) / std::pow(10000.0, to_double(channel - channel % 2) / to_double(width));
        return (channel % 2 == 0 ? std::sin(angle) : std::cos(angle)) / std::sqrt(to_double(width));
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
        AttentionEstimates found = attention_f64(q, k, v, keep_, queries_, bias_);
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

    /// Pair i turns by position * base^(-2i / rotary_dim) (RoFormer, eq. 15), straight from there.
    Estimates rotated(Estimates x, bool wanted) const {
        if (!wanted || !rope_.enabled || config_.position != PositionEncoding::rope) {
            return x;
        }
        const std::int64_t width = config_.head_dim();
        const std::int64_t turned = config_.rotary_dim();
        const bool adjacent = rope_.layout.value_or(Layout::interleaved) == Layout::interleaved;
        const double base = rope_.base.value_or(config_.rope_base);
        for (std::int64_t row = 0; row < x.rows(); ++row) {
            const std::int64_t token = row / config_.n_heads;
            const std::int64_t m =
                position(token / input_.shape.positions, token % input_.shape.positions);
            for (std::int64_t i = 0; i < turned / 2; ++i) {
                const double angle =
                    static_cast<double>(m) *
                    std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(turned));
                turn(x, place_of(row * width + (adjacent ? 2 * i : i)),
                     place_of(row * width + (adjacent ? 2 * i + 1 : i + turned / 2)), angle);
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
    std::vector<bool> keep_;  ///< empty if no key is hidden
    std::int64_t queries_ = 1;
    std::vector<double> bias_;
    ReferenceTrace trace_;
};

}  // namespace

ReferenceTrace reference_forward(const EncoderConfig& config, const Weights& weights,
                                 const EncoderInput& input, const EncoderRope& rope) {
    return ReferencePass(config, weights, input, rope).run();
}

}  // namespace ropescope
