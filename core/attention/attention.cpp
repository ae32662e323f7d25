// Computes attention block by block of queries, on several threads.
#include "core/attention/attention.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/attention/softmax.h"
#include "core/base/aligned_vector.h"
#include "core/base/parallel.h"
#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

/// Scores of one block, 1 MiB: about what a core keeps near it.
constexpr Index kBlockScores = Index{1} << 18;
constexpr Index kLeastRows = 16;
constexpr Index kMostRows = 256;

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

class BlockwiseAttention {
  public:
    explicit BlockwiseAttention(const AttentionArguments& arguments)
        : a_(arguments),
          queries_(a_.q.positions),
          keys_(a_.k.positions),
          block_rows_(std::clamp(kBlockScores / std::max<Index>(keys_, 1), kLeastRows, kMostRows)) {
    }

    void run() const {
        const Index blocks = (queries_ + block_rows_ - 1) / block_rows_;
        const Index all = a_.q.batch * a_.q.heads * blocks;
        Course course(a_.keep_going, all);
        parallel_for(all, 1, a_.threads, [&](Index begin, Index end) {
            Scratch scratch;
            if (a_.maps.probs == nullptr) {
                scratch.scores.resize(block_rows_ * keys_);
            }
            scratch.factors.resize(block_rows_);
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
    /// Of one thread: a block's scores, and one over the sum of each row's exponentials.
    struct Scratch {
        AlignedVector<float> scores;
        std::vector<float> factors;
    };

    /// The probabilities are made where they are wanted. Where only their product with the values
    /// is, that is what is divided by the sums: it is narrower.
    void one_block(const Block& block, Scratch& scratch) const {
        const Index row = (block.b * a_.q.heads + block.h) * queries_ + block.first;
        const bool with_probs = a_.maps.probs != nullptr;
        float* target = with_probs ? a_.maps.probs + row * keys_ : scratch.scores.data();
        const MatrixView<float> probs{target, block.rows, keys_, keys_};
        sgemm(a_.scale, head(a_.q, block.b, block.h, block.first, block.rows),
              head(a_.k, block.b, block.h, 0, keys_), Factor::transposed, probs);
        if (a_.maps.scores != nullptr) {
            std::copy_n(target, block.rows * keys_, a_.maps.scores + row * keys_);
        }
        for (Index r = 0; r < block.rows; ++r) {
            const Exponentials found =
                exponentials_row(probs.row(r), a_.mask.row(block.b, block.first + r, keys_), keys_);
            scratch.factors[r] = 1.0F / found.sum;
            if (with_probs) {
                scale_row(probs.row(r), 1.0F / found.sum, keys_);
            }
            if (a_.maps.log_sums != nullptr) {
                a_.maps.log_sums[row + r] = found.log_sum();
            }
        }
        if (a_.context.data != nullptr) {
            mix(block, {target, block.rows, keys_, keys_}, with_probs ? nullptr : &scratch);
        }
    }

    /// context = weights v, divided by the sums of `scratch` unless that is done.
    void mix(const Block& block, MatrixView<const float> weights, const Scratch* scratch) const {
        const MatrixView<float> context =
            head(a_.context, block.b, block.h, block.first, block.rows);
        sgemm(1.0F, weights, head(a_.v, block.b, block.h, 0, keys_), Factor::plain, context);
        for (Index r = 0; scratch != nullptr && r < block.rows; ++r) {
            scale_row(context.row(r), scratch->factors[r], context.columns);
        }
    }

    AttentionArguments a_;
    Index queries_;
    Index keys_;
    Index block_rows_;
};

}  // namespace

void attention(const AttentionArguments& arguments) {
    BlockwiseAttention(arguments).run();
}

}  // namespace ropescope
