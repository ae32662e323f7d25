// Attention on every engine against float64: whichever of its outputs are asked for, over one block
// of queries and keys and over several, and with masks by key and by query.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/attention/attention.h"
#include "core/attention/mask.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/device_matrix.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/encoder/attention_maps.h"
#include "core/formats/tensor.h"

namespace ropescope {
namespace {

/// Outputs that are asked for together. Where probabilities are asked for, a block holds all keys.
struct Wanted {
    const char* name;
    bool context = false, scores = false, probs = false, log_sums = false;
};

constexpr std::array kWanted = {
    Wanted{.name = "context", .context = true},
    Wanted{.name = "scores", .scores = true},
    Wanted{.name = "probs", .probs = true},
    Wanted{.name = "log_sums", .log_sums = true},
    Wanted{.name = "context+scores", .context = true, .scores = true},
    Wanted{.name = "context+log_sums", .context = true, .log_sums = true},
    Wanted{.name = "all", .context = true, .scores = true, .probs = true, .log_sums = true},
};

enum class Masked { no, by_key, by_key_of_sample, by_query };

struct AttentionCase {
    AttentionShape shape;
    Masked masked = Masked::no;
    double size = 1.0;  ///< of q and k; a power of two
};

/// A block has at most 256 queries and 1024 keys: 300 positions make two by one, 1100
/// make five by two. Scores of q and k of size 256 reach 1e4 and more, so that only the smallest
/// float hides a key.
const std::array kAttention = {
    AttentionCase{{1, 1, 1, 2}},
    AttentionCase{{2, 3, 17, 8}, Masked::by_key},
    AttentionCase{{2, 2, 37, 6}, Masked::by_key_of_sample},
    AttentionCase{{2, 2, 9, 16}, Masked::by_query},
    AttentionCase{{1, 2, 150, 64}},
    AttentionCase{{1, 2, 300, 4}, Masked::by_query},
    AttentionCase{{1, 1, 1100, 2}, Masked::by_query},
    AttentionCase{{1, 2, 67, 8}, Masked::no, 16.0},
    AttentionCase{{1, 2, 40, 8}, Masked::by_query, 256.0},
};

std::vector<Index> mask_shape(const AttentionCase& given) {
    const auto& [batch, heads, positions, head_dim] = given.shape;
    switch (given.masked) {
        case Masked::no:
            return {0};
        case Masked::by_key:
            return {positions};
        case Masked::by_key_of_sample:
            return {batch, positions};
        case Masked::by_query:
            return {batch, positions, positions};
    }
    return {};
}

/// Whether a mask by query hides a key: about a third of them, from the last query all, and from
/// some queries the first block of keys or all others.
bool is_hidden(Index query, Index key, Index keys) {
    const bool first_block =
        keys > kAttentionBlockKeys && query % 5 == 1 && key < kAttentionBlockKeys;
    const bool later_blocks = query % 5 == 2 && key >= kAttentionBlockKeys;
    return (key + query) % 3 == 1 || query == keys - 1 || first_block || later_blocks;
}

/// Ones and zeros.
std::vector<Index> mask_values(const AttentionCase& given) {
    const std::vector<Index> shape = mask_shape(given);
    const Index keys = shape.back();
    Index rows = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
        rows *= shape[axis];
    }
    std::vector<Index> keep;
    for (Index row = 0; row < rows; ++row) {
        const Index query = given.masked == Masked::by_query ? row % keys : row;
        for (Index key = 0; key < keys; ++key) {
            keep.push_back(is_hidden(query, key, keys) ? 0 : 1);
        }
    }
    return keep;
}

/// What an engine is given, and what must come out.
struct AttentionSubject {
    AttentionSubject(TensorOps& ops, const AttentionCase& given)
        : shape(given.shape),
          tokens(shape.batch * shape.positions),
          width(shape.heads * shape.head_dim),
          q(random_matrix(ops, tokens, width, 41, given.size)),
          k(random_matrix(ops, tokens, width, 42, given.size)),
          v(random_matrix(ops, tokens, width, 43)) {
        const std::vector<Index> values = mask_values(given);
        std::vector<bool> keep(values.begin(), values.end());
        if (given.masked == Masked::by_key) {
            for (Index sample = 1; sample < shape.batch; ++sample) {
                keep.insert(keep.end(), values.begin(), values.end());
            }
        }
        if (!values.empty()) {
            const Tensor tensor = make_tensor("mask", mask_shape(given), values);
            const AttentionMask made =
                make_attention_mask(tensor.view(), shape.batch, shape.positions);
            const std::vector<double> numbers(made.added.begin(), made.added.end());
            this->added = {upload(ops, made.batch * made.queries, made.keys, numbers), true, false,
                           made.queries > 1};
        }
        for (DeviceMatrix* x : {&q, &k, &v}) {
            x->exact.shape = {shape.batch, shape.positions, shape.heads, shape.head_dim};
        }
        expected = attention_f64(q.exact, k.exact, v.exact, keep,
                                 given.masked == Masked::by_query ? shape.positions : 1);
    }

    AttentionShape shape;
    Index tokens, width;
    DeviceMatrix q, k, v;
    AddedTensor added;
    AttentionEstimates expected;
};

void compare_outputs(WorstCase& worst, TensorOps& ops, const AttentionSubject& subject,
                     const Wanted& wanted, const std::string& name) {
    const AttentionShape& shape = subject.shape;
    const Index rows = subject.tokens * shape.heads;
    const auto make_if = [&](bool asked, Index height, Index columns) {
        return asked ? ops.make(height, columns) : DeviceTensor{};
    };
    const AttentionOutputs out{make_if(wanted.context, subject.tokens, subject.width),
                               make_if(wanted.scores, rows, shape.positions),
                               make_if(wanted.probs, rows, shape.positions),
                               make_if(wanted.log_sums, rows, 1)};
    ops.attention({shape, subject.q.device, subject.k.device, subject.v.device, subject.added,
                   1.0 / std::sqrt(to_double(shape.head_dim))},
                  out);
    const auto add = [&](const DeviceTensor& found, const Estimates& expected, const char* tensor) {
        if (found) {
            compare(worst, ops, found, expected,
                    fmt::format("{} asked={} tensor={}", name, wanted.name, tensor));
        }
    };
    add(out.scores, subject.expected.scores, "scores");
    add(out.probs, subject.expected.probs, "probs");
    add(out.log_sums, subject.expected.log_sums, "log_sums");
    add(out.context, subject.expected.context, "context");
}

CheckFinding attentions(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        for (const AttentionCase& given : kAttention) {
            const AttentionSubject subject(*ops, given);
            const AttentionShape& shape = given.shape;
            for (const Wanted& wanted : kWanted) {
                compare_outputs(
                    worst, *ops, subject, wanted,
                    fmt::format("by={} batch={} heads={} positions={} head_dim={}", engine->name(),
                                shape.batch, shape.heads, shape.positions, shape.head_dim));
            }
        }
    }
    return worst.finding(
        deviations_of("head_dim + 3 (scores), then L + 18 for each 1024 keys begun (probabilities, "
                      "sums), then L"),
        "1 to 1100 positions, head_dim 2 to 64, masks by key and by query, scores to 1e4, each "
        "output alone and together");
}

}  // namespace

std::vector<Check> attention_checks() {
    return {{.id = "engine.attention",
             .title = "scores, softmax, context",
             .source = "Vaswani et al., arXiv:1706.03762, eq. 1",
             .statement = "Every engine's blocked attention gives the maps and sums of float64, "
                          "masked or not, whichever are asked for.",
             .figure = "attention",
             .run = attentions}};
}

// Attention maps that are made of q, k and row sums, against plain loops over the same numbers.

namespace {

constexpr Index kMapHeads = 2;
constexpr Index kMapHeadDim = 6;
constexpr double kHiddenSize = 4.0;  ///< of keys that are hidden, where others are below 1

struct MapCase {
    Index length, most_cells, query_step;
    std::optional<Index> seen_keys = {};
};

/// Cells of one position, of several, and smaller ones at the end; more than the 64 rows that are
/// computed at once.
std::vector<MapCase> map_cases() {
    return {{5, 8, 1}, {37, 8, 1}, {37, 8, 3, 29}, {150, 32, 2}, {150, 256, 1, 100}};
}

TraceTensor tensor(std::vector<Index> shape, std::span<const double> values) {
    const auto copy = std::make_shared<std::vector<float>>(values.begin(), values.end());
    return {std::move(shape), {copy, *copy}};
}

/// One layer of random queries and keys, and what follows from them in double.
class MapSubject {
  public:
    MapSubject(const MapCase& given, std::uint64_t seed) : given_(given), length_(given.length) {
        const Index count = kMapHeads * length_;
        q_ = random_rows(count, kMapHeadDim, seed);
        k_ = random_rows(count, kMapHeadDim, seed + 1);
        for (Index i = 0; i < std::ssize(k_.values); ++i) {
            // What hidden keys would score exceeds what the others do.
            k_.values[i] *= i / kMapHeadDim % length_ < seen() ? 1.0 : kHiddenSize;
        }
        for (Index row = 0; row < count; ++row) {
            double sum = 0.0;
            for (Index key = 0; key < seen(); ++key) {
                sum += std::exp(score(row / length_, row % length_, key));
            }
            // As fp32 holds it; the probabilities below are made of the same number.
            log_sums_.push_back(to_float(std::log(sum)));
        }
        layer_.q_rot = tensor({1, kMapHeads, length_, kMapHeadDim}, q_.values);
        layer_.k_rot = tensor({1, kMapHeads, length_, kMapHeadDim}, k_.values);
        layer_.log_sums = tensor({1, kMapHeads, length_}, log_sums_);
    }

    const LayerTrace& layer() const { return layer_; }
    Index seen() const { return given_.seen_keys.value_or(length_); }

    double score(Index head, Index query, Index key) const {
        return dot(q_[head * length_ + query], k_[head * length_ + key]) / std::sqrt(kMapHeadDim);
    }
    double prob(Index head, Index query, Index key) const {
        return key < seen() ? std::exp(score(head, query, key) - log_sums_[head * length_ + query])
                            : 0.0;
    }

  private:
    const MapCase& given_;
    Index length_;
    HeadRows q_, k_;
    std::vector<double> log_sums_;
    LayerTrace layer_;
};

/// Of a score in fp32: head_dim products and sums, the scale, and rounding the means of q and k,
/// each at most the sum of |q k| <= head_dim times the size of hidden keys, over its root; and of
/// e^(score - log_sum) <= 1, whose argument, at most 8, and result round too.
constexpr double kScoreError = (kMapHeadDim + 5) * kUnitFloat * kHiddenSize * kMapHeadDim / 2.4;
constexpr double kProbError = kScoreError + 16 * kUnitFloat;

void add_cells(WorstCase& worst, const MapCase& given, const MapSubject& subject, Index head,
               const HeadMap& map, const std::string& name) {
    for (Index row = 0; row < map.cells; ++row) {
        for (Index column = 0; column < map.cells; ++column) {
            double sum = 0.0;
            double count = 0.0;
            double most = 0.0;
            for (Index q = row * map.block; q < std::min(given.length, (row + 1) * map.block);
                 ++q) {
                for (Index k = column * map.block;
                     k < std::min(given.length, (column + 1) * map.block); ++k) {
                    sum += subject.score(head, q, k);
                    count += 1.0;
                    if (q % given.query_step == 0) {
                        most = std::max(most, subject.prob(head, q, k));
                    }
                }
            }
            const Index cell = row * map.cells + column;
            const auto add = [&](const char* number, double error, double bound) {
                worst.add(error, bound, [&] {
                    return fmt::format("{} row={} column={} number={}", name, row, column, number);
                });
            };
            add("score", std::abs(map.scores.at(cell) - sum / count), kScoreError);
            add("prob", std::abs(map.probs.at(cell) - most), kProbError);
        }
    }
}

// A mean is off by at most what its scores are, and so is a deviation; squares in double leave at
// most the root of L u of the largest score.
void add_distances(WorstCase& worst, const MapCase& given, const MapSubject& subject, Index head,
                   const HeadMap& map, const std::string& name) {
    const double bound =
        kScoreError + kHiddenSize * kMapHeadDim * std::sqrt(to_double(given.length) * kUnitDouble);
    for (Index bin = 0; bin < std::ssize(map.mean_score); ++bin) {
        double sum = 0.0;
        double squares = 0.0;
        double count = 0.0;
        for (Index query = 0; query < given.length; query += given.query_step) {
            for (Index key = 0; key < given.length; ++key) {
                const Index from = map.first_distance + bin * map.bin;
                if (key - query >= from && key - query < from + map.bin) {
                    sum += subject.score(head, query, key);
                    squares += subject.score(head, query, key) * subject.score(head, query, key);
                    count += 1.0;
                }
            }
        }
        const double mean = sum / std::max(count, 1.0);
        const double variance = squares / std::max(count, 1.0) - mean * mean;
        const auto where = [&] { return fmt::format("{} bin={}", name, bin); };
        worst.add(std::abs(map.mean_score[bin] - mean), bound, where);
        worst.add(std::abs(map.deviation.at(bin) - std::sqrt(std::max(0.0, variance))), bound,
                  where);
    }
    // The bins must reach from the last key's distance to the first query's to the opposite.
    const Index reach = map.first_distance + std::ssize(map.mean_score) * map.bin;
    worst.add(to_double(std::abs(map.first_distance + given.length - 1)), 0.0,
              [&] { return name + " number=first_distance"; });
    worst.add(reach >= given.length ? 0.0 : 1.0, 0.0, [&] { return name + " number=reach"; });
}

void add_change(WorstCase& worst, const MapCase& given, const MapSubject& a, const MapSubject& b,
                Index head, const std::string& name) {
    double score = 0.0;
    double prob = 0.0;
    for (Index query = 0; query < given.length; query += given.query_step) {
        for (Index key = 0; key < given.length; ++key) {
            score =
                std::max(score, std::abs(a.score(head, query, key) - b.score(head, query, key)));
            prob = std::max(prob, std::abs(a.prob(head, query, key) - b.prob(head, query, key)));
        }
    }
    const MapChange change =
        largest_change(with_every_nth_query(a.layer(), given.query_step),
                       with_every_nth_query(b.layer(), given.query_step), head, given.seen_keys);
    worst.add(std::abs(change.score - score), 2 * kScoreError,
              [&] { return name + " number=score_change"; });
    worst.add(std::abs(change.prob - prob), 2 * kProbError,
              [&] { return name + " number=prob_change"; });
}

CheckFinding maps_of_sums(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const MapCase& given : map_cases()) {
        const MapSubject subject(given, 91);
        const MapSubject other(given, 93);
        for (Index head = 0; head < kMapHeads; ++head) {
            const std::string name =
                fmt::format("positions={} most_cells={} query_step={} seen_keys={} head={}",
                            given.length, given.most_cells, given.query_step, subject.seen(), head);
            const HeadMap map = head_map(subject.layer(), head,
                                         {given.most_cells, given.query_step, given.seen_keys});
            add_cells(worst, given, subject, head, map, name);
            add_distances(worst, given, subject, head, map, name);
            add_change(worst, given, subject, other, head, name);
        }
    }
    return worst.finding(
        "4 (head_dim + 5) 2^-24 sqrt(head_dim) for scores, 2^-20 more for probabilities",
        "5 to 150 positions in cells of 1 to 5, every query and every n-th, hidden keys, changes");
}

}  // namespace

std::vector<Check> map_checks() {
    return {{.id = "encoder.maps",
             .title = "maps of long sequences",
             .source = "core/encoder/attention_maps.h",
             .statement = "Reduced maps, means by distance and the largest change are those of "
                          "every score, which q, k and the sums of a pass determine.",
             .figure = "attention",
             .run = maps_of_sums}};
}

}  // namespace ropescope
