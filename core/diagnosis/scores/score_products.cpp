// Rounds queries, keys and scores as kernels do, and multiplies blocks of queries and keys, small
// enough to stay in a core's cache.
#include "core/diagnosis/scores/score_products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/base/multiversion.h"

namespace ropescope::diagnosis {
namespace {

/// Drops 13 of the bits of a float32, after `add` was added to them.
double to_tf32(double value, std::uint32_t add, bool ties_to_even) {
    const auto bits = std::bit_cast<std::uint32_t>(to_float(value));
    const std::uint32_t odd = ties_to_even ? bits >> 13U & 1U : 0U;
    return std::bit_cast<float>((bits + add + odd) & ~std::uint32_t{0x1fff});
}

double rounded_term(TermRounding rounding, double value) {
    switch (rounding) {
        case TermRounding::f16:
            return round_to(Dtype::f16, value);
        case TermRounding::bf16:
            return round_to(Dtype::bf16, value);
        case TermRounding::tf32:
            return to_tf32(value, 0xfff, true);
        case TermRounding::tf32_away:
            return to_tf32(value, 0x1000, false);
        case TermRounding::tf32_cut:
            return to_tf32(value, 0, false);
        default:
            return value;
    }
}

constexpr Index kKeys = 64;   // of a block
constexpr Index kTile = 32;   // keys whose sums the registers hold, for two queries
constexpr Index kRowsAt = 2;  // queries of a tile

/// out [rows, kKeys] = q [rows, channels] keys [channels, kKeys]; `rows` is a multiple of kRowsAt.
ROPESCOPE_MULTIVERSION
void multiply(const double* q, Index rows, Index channels, const double* keys, double* out) {
    for (Index r = 0; r < rows; r += kRowsAt) {
        const double *first = q + r * channels, *second = first + channels;
        for (Index n = 0; n < kKeys; n += kTile) {
            double sums[kRowsAt][kTile] = {};
            for (Index c = 0; c < channels; ++c) {
                const double x = first[c], y = second[c];
                const double* key = keys + c * kKeys + n;
                for (Index j = 0; j < kTile; ++j) {
                    sums[0][j] += x * key[j];
                }
                for (Index j = 0; j < kTile; ++j) {
                    sums[1][j] += y * key[j];
                }
            }
            std::copy_n(sums[0], kTile, out + r * kKeys + n);
            std::copy_n(sums[1], kTile, out + (r + 1) * kKeys + n);
        }
    }
}

/// The same for all numbers, so that it becomes vector code; counts are exact in double.
ROPESCOPE_MULTIVERSION
void count(const double* scores, const double* products, const double* sizes, const double* spreads,
           Index n, double factor, const ScoreTolerance& tolerance, double* counts) {
    const double scale = std::abs(factor), of_sizes = scale * tolerance.of_sizes;
    const double of_products = scale * tolerance.of_products, least = tolerance.least;
    double judged = 0.0, zero = 0.0, right = 0.0;
    for (Index i = 0; i < n; ++i) {
        const double allowed =
            of_sizes * sizes[i] + scale * spreads[i] + of_products * std::abs(products[i]) + least;
        const double is_judged = sizes[i] > 0.0 ? 1.0 : 0.0;
        judged += is_judged;
        zero += scores[i] == 0.0 ? is_judged : 0.0;
        right += std::abs(scores[i] - factor * products[i]) <= allowed ? 1.0 : 0.0;
    }
    counts[0] = judged;
    counts[1] = zero;
    counts[2] = right;
}

double vector_length(std::span<const double> vector) {
    double squares = 0.0;
    for (const double x : vector) {
        squares += x * x;
    }
    return std::sqrt(squares);
}

/// The tensor without its first channels.
DumpTensor from_channel(DumpTensor tensor, Index first) {
    tensor.move_to(0, 0, 0, first);
    return tensor;
}

/// The queries of one head in a block, and the keys that they meet.
class HeadProducts {
  public:
    HeadProducts(const ScoreFactors& factors, const QueryBlock& block)
        : factors_(factors),
          block_(block),
          rows_(block.last - block.first),
          padded_rows_((rows_ + kRowsAt - 1) / kRowsAt * kRowsAt),
          queries_(padded_rows_ * channels()),
          queries_read_(rows_),
          keys_(channels() * kKeys),
          keys_read_(kKeys),
          products_(padded_rows_ * kKeys) {}

    void visit(const DumpTensor& scores, Index h,
               const std::function<void(const ScoreRow&)>& take) {
        read_queries(h);
        for (Index first = 0; first < factors_.k.length; first += kKeys) {
            const Index count = std::min(kKeys, factors_.k.length - first);
            read_keys(factors_.key_head(h), first, count);
            multiply(queries_.data(), padded_rows_, channels(), keys_.data(), products_.data());
            hand_out(from_channel(scores, first), {h, first, count}, take);
        }
    }

  private:
    struct Part {
        Index h, first_key, count;
    };
    /// A vector as it was dumped, and how far the terms may be from ours.
    struct Read {
        double length, spread;
    };

    Read as_terms(bool of_query, std::span<double> vector) const {
        const double length = vector_length(vector);
        return {length, factors_.terms.apply(of_query, vector)};
    }

    Index channels() const { return factors_.q.channels; }

    void read_queries(Index h) {
        for (Index r = 0; r < rows_; ++r) {
            const auto query = std::span(queries_).subspan(r * channels(), channels());
            factors_.q.read(block_.b, h, block_.first + r, query);
            queries_read_[r] = as_terms(true, query);
        }
    }

    /// Puts key after key into the columns of [channels, kKeys].
    void read_keys(Index head, Index first, Index count) {
        std::vector<double> key(channels());
        for (Index n = 0; n < count; ++n) {
            factors_.k.read(block_.b, head, first + n, key);
            keys_read_[n] = as_terms(false, key);
            for (Index c = 0; c < channels(); ++c) {
                keys_[c * kKeys + n] = key[c];
            }
        }
    }

    void hand_out(const DumpTensor& scores, const Part& part,
                  const std::function<void(const ScoreRow&)>& take) const {
        double row[kKeys], sizes[kKeys], spreads[kKeys];
        const std::span<double> values(row, part.count);
        for (Index r = 0; r < rows_; ++r) {
            scores.read(block_.b, part.h, block_.first + r, values);
            for (Index n = 0; n < part.count; ++n) {
                const Read &query = queries_read_[r], &key = keys_read_[n];
                sizes[n] = query.length * key.length;
                spreads[n] = query.spread * key.length + query.length * key.spread;
            }
            take({block_.b, part.h, block_.first + r, part.first_key, values,
                  std::span(products_).subspan(r * kKeys, part.count),
                  std::span<const double>(sizes, part.count),
                  std::span<const double>(spreads, part.count)});
        }
    }

    const ScoreFactors& factors_;
    const QueryBlock block_;
    const Index rows_, padded_rows_;
    std::vector<double> queries_;
    std::vector<Read> queries_read_;
    std::vector<double> keys_;
    std::vector<Read> keys_read_;
    std::vector<double> products_;
};

}  // namespace

double ScoreTerms::apply(bool to_query, std::span<double> vector) const {
    const TermRounding rounding = to_query ? q : k;
    if (rounding == TermRounding::none) {
        return 0.0;
    }
    const double scale = factor_on == FactorOn::both                 ? std::sqrt(std::abs(factor))
                         : to_query && factor_on != FactorOn::scores ? std::abs(factor)
                                                                     : 1.0;
    // A number of float32 that was rotated, or scaled by a factor that is not known better.
    const double unsure = of_kept_numbers && factor_on == FactorOn::scores ? 0.0 : 0x1p-21;
    const auto term = [&](double x, double share) {
        const double first = rounded_before ? rounded_term(rounding, x * share) : x;
        return rounded_term(rounding, to_float(first * scale * share)) / scale;
    };
    double squares = 0.0;
    for (double& x : vector) {
        const double spread = term(x, 1.0 + unsure) - term(x, 1.0 - unsure);
        squares += spread * spread;
        x = term(x, 1.0);
    }
    return std::sqrt(squares);
}

std::vector<ScoreTerms> usual_terms() {
    using enum TermRounding;
    using On = ScoreTerms::FactorOn;
    std::vector<ScoreTerms> all = {{none, none}};
    for (const TermRounding rounding : {bf16, f16, tf32, tf32_away, tf32_cut}) {
        all.push_back({rounding, rounding});
        for (const On on : {On::queries, On::both}) {
            all.push_back({rounding, rounding, on, false});
            if (rounding == f16 || rounding == bf16) {
                all.push_back({rounding, rounding, on, true});
            }
        }
    }
    for (const TermRounding rounding : {f16, bf16}) {  // a cache of another format
        all.push_back({none, rounding});
        all.push_back({rounding, none});
    }
    return all;
}

bool ScoreGrid::holds(double score) const {
    if (dtype == Dtype::f64 || !std::isfinite(score) || round_to(dtype, score) == score) {
        return true;
    }
    const double sum = score / factor;
    return factor != 1.0 && std::abs(round_to(dtype, sum) - sum) <= 0x1p-22 * std::abs(sum);
}

RowCount count_row(const ScoreRow& row, double factor, const ScoreTolerance& tolerance) {
    double counts[3] = {};
    count(row.scores.data(), row.products.data(), row.sizes.data(), row.spreads.data(),
          std::ssize(row.scores), factor, tolerance, counts);
    const auto off_grid = std::ranges::count_if(
        row.scores, [&](double score) { return !tolerance.grid.holds(score); });
    return {round_to_index(counts[0]), round_to_index(counts[1]),
            std::ssize(row.scores) - round_to_index(counts[2]) + off_grid};
}

void visit_scores(const ScoreFactors& factors, const DumpTensor& scores, const QueryBlock& block,
                  const std::function<void(const ScoreRow&)>& take) {
    HeadProducts products(factors, block);
    for (Index h = 0; h < factors.q.heads; ++h) {
        products.visit(scores, h, take);
    }
}

}  // namespace ropescope::diagnosis
