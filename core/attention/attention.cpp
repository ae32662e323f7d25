#include "core/attention/attention.h"

#include <algorithm>

#include "core/attention/softmax.h"
#include "core/base/aligned_vector.h"
#include "core/base/parallel.h"
#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

/// Scores of one block: they stay in a core's second-level cache.
constexpr std::int64_t kBlockScores = std::int64_t{1} << 17;
constexpr std::int64_t kLeastRows = 16;
constexpr std::int64_t kMostRows = 256;

template <typename T>
MatrixView<T> head(const TensorView<T>& x, std::int64_t b, std::int64_t h, std::int64_t first,
                   std::int64_t rows) {
    return {x.row(b, h, first), rows, x.head_dim, x.position_stride};
}

/// Queries first .. first + rows - 1 of one head.
struct Block {
    std::int64_t b = 0;
    std::int64_t h = 0;
    std::int64_t first = 0;
    std::int64_t rows = 0;
};

class BlockwiseAttention {
  public:
    explicit BlockwiseAttention(const AttentionArguments& arguments)
        : a_(arguments),
          queries_(a_.q.positions),
          keys_(a_.k.positions),
          block_rows_(
              std::clamp(kBlockScores / std::max<std::int64_t>(keys_, 1), kLeastRows, kMostRows)) {}

    void run() const {
        const std::int64_t blocks = (queries_ + block_rows_ - 1) / block_rows_;
        const std::int64_t all = a_.q.batch * a_.q.heads * blocks;
        parallel_for(all, 1, a_.threads, [&](std::int64_t begin, std::int64_t end) {
            AlignedVector<float> scratch;
            if (a_.maps.probs == nullptr) {
                scratch.resize(static_cast<std::size_t>(block_rows_ * keys_));
            }
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t pair = i / blocks;
                const std::int64_t first = i % blocks * block_rows_;
                one_block({pair / a_.q.heads, pair % a_.q.heads, first,
                           std::min(block_rows_, queries_ - first)},
                          scratch.data());
            }
        });
    }

  private:
    /// The probabilities are made where they are wanted, else in `scratch`.
    void one_block(const Block& block, float* scratch) const {
        const std::int64_t row = (block.b * a_.q.heads + block.h) * queries_ + block.first;
        float* target = a_.maps.probs == nullptr ? scratch : a_.maps.probs + row * keys_;
        const MatrixView<float> probs{target, block.rows, keys_, keys_};
        sgemm(a_.scale, head(a_.q, block.b, block.h, block.first, block.rows),
              head(a_.k, block.b, block.h, 0, keys_), Factor::transposed, probs);
        if (a_.maps.scores != nullptr) {
            std::copy_n(target, block.rows * keys_, a_.maps.scores + row * keys_);
        }
        for (std::int64_t r = 0; r < block.rows; ++r) {
            const float log_sum =
                softmax_row(probs.row(r), a_.mask.row(block.b, block.first + r, keys_), keys_);
            if (a_.maps.log_sums != nullptr) {
                a_.maps.log_sums[row + r] = log_sum;
            }
        }
        if (a_.context.data != nullptr) {
            sgemm(1.0F, {target, block.rows, keys_, keys_}, head(a_.v, block.b, block.h, 0, keys_),
                  Factor::plain, head(a_.context, block.b, block.h, block.first, block.rows));
        }
    }

    AttentionArguments a_;
    std::int64_t queries_;
    std::int64_t keys_;
    std::int64_t block_rows_;
};

}  // namespace

void attention(const AttentionArguments& arguments) {
    BlockwiseAttention(arguments).run();
}

}  // namespace ropescope
