// Computes attention block by block of queries, and where the rows of the map are not asked for
// block by block of keys too, on several threads.
#include "core/attention/attention.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "core/attention/softmax.h"
#include "core/base/aligned_vector.h"
#include "core/base/parallel.h"
#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

/// Scores of one block, 1 MiB: about what a core keeps near it. Blocks of fewer queries or keys
/// make the products slower, because each one reorders its factors first.
constexpr Index kBlockScores = Index{1} << 18;
constexpr Index kMostRows = 256;
constexpr Index kLeastRows = 16;

template <typename T>
MatrixView<T> head(const TensorView<T>& x, Index b, Index h, Index first, Index rows) {
    return {x.row(b, h, first), rows, x.head_dim, x.position_stride};
}

/// Queries first .. first + rows - 1 of one head.
struct Block {
    Index b = 0;
    Index h = 0;
    Index first = 0;
    Index rows = 0;
};

/// Counts the blocks of all threads; the one that called asks whether they go on.
class Course {
  public:
    Course(const std::function<bool(double)>& keep_going, Index blocks)
        : keep_going_(keep_going), blocks_(blocks) {}

    /// Before each block.
    bool goes_on() {
        if (!keep_going_) {
            return true;
        }
        const Index begun = begun_++;
        if (std::this_thread::get_id() == caller_ &&
            !keep_going_(to_double(begun) / to_double(blocks_))) {
            ended_ = true;
        }
        return !ended_;
    }

  private:
    const std::function<bool(double)>& keep_going_;
    Index blocks_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::atomic<Index> begun_{0};
    std::atomic<bool> ended_{false};
};

/// Keys first .. first + count - 1 of that head.
struct Keys {
    Index first = 0;
    Index count = 0;
};

/// What is known of a row after some of its keys.
struct RowState {
    float largest = -std::numeric_limits<float>::infinity();
    float sum = 0.0F;         ///< of e^(x - largest)
    float correction = 1.0F;  ///< e^(largest before the last block of keys - largest now)

    void take(const Exponentials& found) {
        correction = sum == 0.0F ? 1.0F : std::exp(largest - found.largest);
        largest = found.largest;
        sum = sum * correction + found.sum;
    }
};

/// The softmax of a row is made while its keys go by: e^(x - largest so far), and what was summed
/// before is corrected whenever a larger score comes (Milakov and Gimelshein, arXiv:1805.02867,
/// algorithm 3; with the values, Dao et al., arXiv:2205.14135, algorithm 1). Only a row that must
/// be stored waits for all of its keys.
class BlockwiseAttention {
  public:
    explicit BlockwiseAttention(const AttentionArguments& arguments)
        : a_(arguments),
          queries_(a_.q.positions),
          keys_(a_.k.positions),
          block_keys_(a_.maps.probs == nullptr ? std::min(kAttentionBlockKeys, keys_) : keys_),
          block_rows_(
              std::clamp(kBlockScores / std::max<Index>(block_keys_, 1), kLeastRows, kMostRows)) {}

    void run() const {
        const Index blocks = (queries_ + block_rows_ - 1) / block_rows_;
        const Index all = a_.q.batch * a_.q.heads * blocks;
        Course course(a_.keep_going, all);
        parallel_for(all, 1, a_.threads, [&](Index begin, Index end) {
            Scratch scratch;
            if (a_.maps.probs == nullptr) {
                scratch.scores.resize(block_rows_ * block_keys_);
            }
            for (Index i = begin; i < end && course.goes_on(); ++i) {
                const Index pair = i / blocks;
                const Index first = i % blocks * block_rows_;
                one_block({pair / a_.q.heads, pair % a_.q.heads, first,
                           std::min(block_rows_, queries_ - first)},
                          scratch);
            }
        });
    }

  private:
    /// Of one thread: the scores of a block, and the state of each of its rows.
    struct Scratch {
        AlignedVector<float> scores;
        std::vector<RowState> rows;
    };

    Index map_row(const Block& block) const {
        return (block.b * a_.q.heads + block.h) * queries_ + block.first;
    }

    void one_block(const Block& block, Scratch& scratch) const {
        scratch.rows.assign(block.rows, RowState{});
        for (Index first = 0; first < keys_; first += block_keys_) {
            const Keys keys{first, std::min(block_keys_, keys_ - first)};
            const MatrixView<const float> weights = exponentials_of(block, keys, scratch);
            if (a_.context.data != nullptr) {
                mix(block, keys, weights, scratch.rows);
            }
        }
        finish(block, scratch.rows);
    }

    /// The scores of the block and these keys, then e^(score + added - largest so far).
    MatrixView<const float> exponentials_of(const Block& block, const Keys& keys,
                                            Scratch& scratch) const {
        float* target = a_.maps.probs == nullptr ? scratch.scores.data()
                                                 : a_.maps.probs + map_row(block) * keys_;
        const MatrixView<float> x{target, block.rows, keys.count, keys.count};
        sgemm(a_.scale, head(a_.q, block.b, block.h, block.first, block.rows),
              head(a_.k, block.b, block.h, keys.first, keys.count), Factor::transposed, x);
        for (Index r = 0; r < block.rows; ++r) {
            if (a_.maps.scores != nullptr) {
                std::copy_n(x.row(r), keys.count,
                            a_.maps.scores + (map_row(block) + r) * keys_ + keys.first);
            }
            const float* added = a_.added.row(block.b, block.h, block.first + r, keys_);
            RowState& row = scratch.rows[r];
            row.take(exponentials_row(x.row(r), added == nullptr ? nullptr : added + keys.first,
                                      keys.count, row.largest));
        }
        return {target, block.rows, keys.count, keys.count};
    }

    /// Adds weights v to the context, which holds what earlier keys gave.
    void mix(const Block& block, const Keys& keys, MatrixView<const float> weights,
             const std::vector<RowState>& rows) const {
        const MatrixView<float> context = context_of(block);
        const bool first = keys.first == 0;
        if (!first) {
            correct(context, rows);
        }
        sgemm(1.0F, weights, head(a_.v, block.b, block.h, keys.first, keys.count), Factor::plain,
              context, first ? Target::replaced : Target::added_to);
    }

    static void correct(MatrixView<float> context, const std::vector<RowState>& rows) {
        for (Index r = 0; r < context.rows; ++r) {
            if (rows[r].correction != 1.0F) {
                scale_row(context.row(r), rows[r].correction, context.columns);
            }
        }
    }

    /// Divides by the sums: the stored rows, and the context.
    void finish(const Block& block, const std::vector<RowState>& rows) const {
        for (Index r = 0; r < block.rows; ++r) {
            const float factor = 1.0F / rows[r].sum;
            if (a_.maps.probs != nullptr) {
                scale_row(a_.maps.probs + (map_row(block) + r) * keys_, factor, keys_);
            }
            if (a_.context.data != nullptr) {
                scale_row(context_of(block).row(r), factor, a_.context.head_dim);
            }
            if (a_.maps.log_sums != nullptr) {
                a_.maps.log_sums[map_row(block) + r] = log_sum(rows[r].largest, rows[r].sum);
            }
        }
    }

    MatrixView<float> context_of(const Block& block) const {
        return head(a_.context, block.b, block.h, block.first, block.rows);
    }

    AttentionArguments a_;
    Index queries_;
    Index keys_;
    Index block_keys_;
    Index block_rows_;
};

}  // namespace

void attention(const AttentionArguments& arguments) {
    BlockwiseAttention(arguments).run();
}

}  // namespace ropescope
