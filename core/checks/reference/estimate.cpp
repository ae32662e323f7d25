// Carries a value and the variance of its fp32 error through each operation.
#include "core/checks/reference/estimate.h"

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "core/attention/attention.h"
#include "core/base/index.h"
#include "core/checks/reference/error_model.h"

namespace ropescope {
namespace {

using Matrix64 = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows64 = Eigen::Map<const Matrix64>;

constexpr double kUnit2 = kUnitFloat * kUnitFloat;
/// exp_f32() returns 0 below this.
constexpr double kVanished = 1e-37;

double square(double x) {
    return x * x;
}

std::size_t index_of(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// How steep the activation is, and what its fp32 code adds (activation.h: 4e-7 (1 + |x|)).
double slope(Activation activation, double x) {
    constexpr double kStep = 1e-6;
    return (activation_f64(activation, x + kStep) - activation_f64(activation, x - kStep)) /
           (2 * kStep);
}

double activation_error(Activation activation, double x) {
    const bool smooth = activation == Activation::gelu || activation == Activation::gelu_tanh;
    return smooth ? 4e-7 * (1 + std::abs(x)) / kDeviations : 0.0;
}

}  // namespace

Estimates zero_estimates(std::vector<std::int64_t> shape) {
    const auto count =
        index_of(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
    return {std::move(shape), std::vector<double>(count), std::vector<double>(count)};
}

Estimates exactly(std::vector<std::int64_t> shape, std::span<const double> values) {
    Estimates x = zero_estimates(std::move(shape));
    std::copy(values.begin(), values.end(), x.value.begin());
    return x;
}

Estimates linear_f64(const Estimates& x, std::span<const double> weight,
                     std::span<const double> bias, Activation activation) {
    const std::int64_t in = x.columns();
    const std::int64_t out = static_cast<std::int64_t>(weight.size()) / in;
    Estimates y = zero_estimates({x.rows(), out});
    const Rows64 value(x.value.data(), x.rows(), in), w(weight.data(), out, in);
    const Rows64 variance(x.variance.data(), x.rows(), in);
    const Matrix64 sums = value * w.transpose();
    const Matrix64 magnitudes = value.cwiseAbs() * w.cwiseAbs().transpose();
    const Matrix64 variances = variance * w.cwiseAbs2().transpose();
    for (std::int64_t r = 0; r < x.rows(); ++r) {
        for (std::int64_t o = 0; o < out; ++o) {
            double sum = sums(r, o);
            double error =
                variances(r, o) + static_cast<double>(in + 1) * kUnit2 * square(magnitudes(r, o));
            if (!bias.empty()) {
                sum += bias[index_of(o)];
                error += kUnit2 * square(sum);
            }
            y.value[index_of(r * out + o)] = activation_f64(activation, sum);
            y.variance[index_of(r * out + o)] =
                error * square(slope(activation, sum)) + square(activation_error(activation, sum));
        }
    }
    return y;
}

Estimates layer_norm_f64(const Estimates& x, std::span<const double> weight,
                         std::span<const double> bias, double eps) {
    const std::int64_t width = x.columns();
    const auto n = static_cast<double>(width);
    Estimates y = x;
    for (std::int64_t r = 0; r < x.rows(); ++r) {
        const double* value = x.value.data() + r * width;
        const double* variance = x.variance.data() + r * width;
        const double mean = std::accumulate(value, value + width, 0.0) / n;
        double squares = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            squares += square(value[i] - mean);
        }
        const double scale = 1.0 / std::sqrt(squares / n + eps);
        // z_i = (x_i - mean) scale;  dz_i = scale (dx_i - mean of dx - z_i mean of z dx)
        double of_mean = 0.0;
        double of_scale = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            of_mean += variance[i] / (n * n);
            of_scale += square((value[i] - mean) * scale) * variance[i] / (n * n);
        }
        for (std::int64_t i = 0; i < width; ++i) {
            const double z = (value[i] - mean) * scale;
            const double w = weight[index_of(i)];
            // Roundings: of the mean and the difference, of the scale, of two products and a sum.
            const double roundings =
                square(scale) * (square(mean) + square(value[i] - mean)) + 3 * square(z);
            y.value[index_of(r * width + i)] = z * w + bias[index_of(i)];
            y.variance[index_of(r * width + i)] =
                square(w) * (square(scale) * (variance[i] + of_mean + square(z) * of_scale) +
                             kUnit2 * roundings) +
                kUnit2 * square(z * w + bias[index_of(i)]);
        }
    }
    return y;
}

Estimates add_f64(const Estimates& a, const Estimates& b) {
    Estimates sum = a;
    for (std::size_t i = 0; i < sum.value.size(); ++i) {
        sum.value[i] += b.value[i];
        sum.variance[i] += b.variance[i] + kUnit2 * square(sum.value[i]);
    }
    return sum;
}

namespace {

/// One head's attention; rows of q, k, v by position.
class HeadAttention {
  public:
    HeadAttention(const Estimates& q, const Estimates& k, const Estimates& v,
                  std::span<const double> bias, AttentionEstimates& out, std::int64_t b,
                  std::int64_t h)
        : q_(q), k_(k), v_(v), bias_(bias), out_(out), b_(b), h_(h) {}

    void query(std::int64_t m, const std::vector<bool>& keep, std::int64_t mask_queries) const {
        const std::int64_t row = ((b_ * heads() + h_) * positions() + m) * positions();
        for (std::int64_t n = 0; n < positions(); ++n) {
            score(m, n, index_of(row + n));
        }
        const auto kept = [&](std::int64_t n) {
            const std::int64_t mask_row = b_ * mask_queries + (mask_queries == 1 ? 0 : m);
            return keep.empty() || keep[index_of(mask_row * positions() + n)];
        };
        softmax(row, kept);
        for (std::int64_t c = 0; c < head_dim(); ++c) {
            mix(m, c, row);
        }
    }

  private:
    std::int64_t positions() const { return q_.shape[1]; }
    std::int64_t heads() const { return q_.shape[2]; }
    std::int64_t head_dim() const { return q_.shape[3]; }
    std::size_t channel(std::int64_t l, std::int64_t c) const {
        return index_of(((b_ * positions() + l) * heads() + h_) * head_dim() + c);
    }

    void score(std::int64_t m, std::int64_t n, std::size_t place) const {
        double sum = 0.0;
        double magnitude = 0.0;
        double variance = 0.0;
        for (std::int64_t c = 0; c < head_dim(); ++c) {
            const std::size_t i = channel(m, c);
            const std::size_t j = channel(n, c);
            sum += q_.value[i] * k_.value[j];
            magnitude += std::abs(q_.value[i] * k_.value[j]);
            variance += square(q_.value[i]) * k_.variance[j] + square(k_.value[j]) * q_.variance[i];
        }
        const auto width = static_cast<double>(head_dim());
        out_.scores.value[place] = sum / std::sqrt(width);
        // Two roundings more: of the scale and of the product with it.
        out_.scores.variance[place] = (variance + (width + 3) * kUnit2 * square(magnitude)) / width;
    }

    /// e^x is within 2^-22 relative (vector_math.h): four units.
    static constexpr double kExp = 16;

    /// Where keys go by in blocks, each but the first may correct what came before it by an
    /// exponential, with a product and a sum (core/attention/attention.cpp).
    double of_key_blocks() const {
        return (kExp + 2) * to_double((positions() - 1) / kAttentionBlockKeys);
    }

    template <typename Kept>
    void softmax(std::int64_t row, Kept kept) const {
        const auto scores = [&](std::int64_t n) { return with_bias(row + n); };
        std::vector<double> exponentials(index_of(positions()));
        double largest = -HUGE_VAL;
        for (std::int64_t n = 0; n < positions(); ++n) {
            largest = kept(n) ? std::max(largest, scores(n)) : largest;
        }
        double sum = 0.0;
        for (std::int64_t n = 0; n < positions(); ++n) {
            // Without a single key every score is -FLT_MAX: all are the same.
            exponentials[index_of(n)] =
                largest == -HUGE_VAL ? 1.0 : (kept(n) ? std::exp(scores(n) - largest) : 0.0);
            sum += exponentials[index_of(n)];
        }
        double of_sum = 0.0;
        for (std::int64_t n = 0; n < positions(); ++n) {
            of_sum += square(exponentials[index_of(n)] / sum) * score_variance(row + n, largest);
        }
        for (std::int64_t n = 0; n < positions(); ++n) {
            const double p = exponentials[index_of(n)] / sum;
            out_.probs.value[index_of(row + n)] = p;
            const double roundings = kExp + to_double(positions()) + 2 + of_key_blocks();
            out_.probs.variance[index_of(row + n)] =
                square(p) * (score_variance(row + n, largest) + of_sum + roundings * kUnit2) +
                square(kVanished);
        }
        log_sum(index_of(row / positions()), largest, sum, of_sum);
    }

    /// A relative error of the sum is an absolute one of its logarithm, which rounds, as does the
    /// sum with the largest score.
    void log_sum(std::size_t place, double largest, double sum, double of_sum) const {
        constexpr double kHidden = std::numeric_limits<float>::lowest();
        const double value = (largest == -HUGE_VAL ? kHidden : largest) + std::log(sum);
        out_.log_sums.value[place] = value;
        out_.log_sums.variance[place] =
            of_sum + kUnit2 * (kExp + to_double(positions()) + of_key_blocks() +
                               square(std::log(sum)) + square(value));
    }

    /// A score and what is added to it; `place` counts over the maps of all samples.
    double with_bias(std::int64_t place) const {
        const double score = out_.scores.value[index_of(place)];
        const std::int64_t of_sample = heads() * positions() * positions();
        return bias_.empty() ? score : score + bias_[index_of(place % of_sample)];
    }

    /// With the roundings of the sum with what is added and of the difference to the largest.
    double score_variance(std::int64_t place, double largest) const {
        const double sum = with_bias(place);
        const double off = largest == -HUGE_VAL ? 0.0 : sum - largest;
        return out_.scores.variance[index_of(place)] +
               kUnit2 * (square(off) + (bias_.empty() ? 0.0 : square(sum)));
    }

    void mix(std::int64_t m, std::int64_t c, std::int64_t row) const {
        double sum = 0.0;
        double magnitude = 0.0;
        double variance = 0.0;
        for (std::int64_t n = 0; n < positions(); ++n) {
            const double p = out_.probs.value[index_of(row + n)];
            const std::size_t i = channel(n, c);
            sum += p * v_.value[i];
            magnitude += std::abs(p * v_.value[i]);
            variance += p * p * v_.variance[i] +
                        square(v_.value[i]) * out_.probs.variance[index_of(row + n)];
        }
        out_.context.value[channel(m, c)] = sum;
        out_.context.variance[channel(m, c)] =
            variance + static_cast<double>(positions() + 1) * kUnit2 * square(magnitude);
    }

    const Estimates& q_;
    const Estimates& k_;
    const Estimates& v_;
    std::span<const double> bias_;
    AttentionEstimates& out_;
    std::int64_t b_;
    std::int64_t h_;
};

}  // namespace

AttentionEstimates attention_f64(const Estimates& q, const Estimates& k, const Estimates& v,
                                 const std::vector<bool>& keep, std::int64_t mask_queries,
                                 std::span<const double> bias) {
    const std::vector<std::int64_t> map = {q.shape[0], q.shape[2], q.shape[1], q.shape[1]};
    const std::vector<std::int64_t> sums = {q.shape[0], q.shape[2], q.shape[1]};
    AttentionEstimates out{zero_estimates(map), zero_estimates(map), zero_estimates(sums),
                           zero_estimates(q.shape)};
    for (std::int64_t b = 0; b < q.shape[0]; ++b) {
        for (std::int64_t h = 0; h < q.shape[2]; ++h) {
            for (std::int64_t m = 0; m < q.shape[1]; ++m) {
                HeadAttention(q, k, v, bias, out, b, h).query(m, keep, mask_queries);
            }
        }
    }
    return out;
}

}  // namespace ropescope
