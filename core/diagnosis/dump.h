// Queries and keys of somebody's implementation, before and after its rotation, as plain values.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/quantised/grid.h"
#include "core/formats/tensor.h"
#include "core/rope/qk_norm.h"

namespace ropescope::diagnosis {

/// A tensor [batch, heads, length, channels] in memory that another object owns: any strides but
/// that of the channels, which are contiguous. Strides count elements.
struct DumpTensor {
    std::string name;
    Dtype dtype = Dtype::f32;  ///< F64, F32, F16 or BF16
    const std::byte* data = nullptr;
    Index batch = 1, heads = 1, length = 0, channels = 0;
    Index batch_stride = 0, head_stride = 0, position_stride = 0;
    /// If its numbers, which are floats here, were rounded to 8 bits.
    std::optional<Quantised> quantised = {};
    /// If a norm was taken from what was dumped: the format in which its numbers were stored, and
    /// by what share of a length the rounding of the norm adds to it.
    std::optional<Dtype> stored = {};
    double norm_share = 0.0;

    /// Begins at this place from now on; the sizes stay.
    void move_to(Index b, Index h, Index l, Index channel);

    /// What each of these numbers of a head at a token may have been; empty if none was rounded to
    /// 8 bits.
    void cells(Index b, Index h, Index l, std::span<const double> values,
               std::vector<RoundedRange>& out) const;
    /// Writes the channels of one head at one token to `out`, [channels].
    void read(Index b, Index h, Index l, std::span<double> out) const;
};

/// A tensor before and after the rotation. Both have one shape.
struct DumpSide {
    DumpTensor before, after;
};

/// The positions that the dump states, [axes, batch, length] row-major; batch is 1 if all rows
/// share them.
struct DumpPositions {
    Index axes = 1, batch = 1, length = 0;
    std::vector<double> values = {};

    double at(Index axis, Index b, Index l) const {
        return values[(axis * batch + (batch == 1 ? 0 : b)) * length + l];
    }
};

/// The norm of one side beside its rotation.
struct SideNorm {
    QkNorm norm = {};
    /// [channels] for each head alike, or [heads * channels]: then all heads of a token are one
    /// row. Empty: ones for each head.
    std::vector<double> weights = {};
    bool over_all_heads = false;

    /// What channel `c` of a head is multiplied by behind the norm.
    double factor(Index head, Index c, Index channels) const {
        return weights.empty()
                   ? 1.0
                   : factor_of_weight(
                         norm, weights[std::ssize(weights) == channels ? c : head * channels + c]);
    }
    bool operator==(const SideNorm&) const = default;
};

/// What somebody dumped: q, k or both.
/// A tensor of a dump in which nothing is looked at.
struct Unread {
    std::string name;
    std::string partner;  ///< the tensor that it is compared with, and that is not there; empty: it
                          ///< has its heads side by side
};

struct Dump {
    std::optional<DumpSide> q = {}, k = {};
    std::optional<DumpPositions> q_positions = {}, k_positions = {};  ///< empty: not stated
    std::optional<SideNorm> q_norm = {}, k_norm = {};  ///< q_rot and k_rot have it in them
    std::optional<DumpTensor> scores =
        {};                          ///< [batch, heads, length of q, length of k], before the mask
    std::optional<DumpSide> v = {};  ///< values before and after the call that turns q and k
    /// Keys in the cache before and after the step, which may have appended some.
    std::optional<DumpSide> cache = {};
    std::vector<Unread> unread = {};  ///< of v and the cache
    std::string axes = "bhld";        ///< of the tensors, by letters
    std::string axes_reason = {};     ///< how the order was found, if it was not given
    bool axes_by_angles = false;      ///< the shapes leave the order open, and the angles decided
    std::shared_ptr<const void> owner = {};  ///< of the memory, if the dump owns it
};

/// The positions of a side as the analysis takes them: those that are stated, else 0, 1, 2, ...;
/// for queries that are fewer than the keys, the last ones, as in a decode step with a cache.
DumpPositions stated_positions(const Dump& dump, bool of_keys);

/// Rows of a batch that follow one another.
struct RowRange {
    Index first = 0, count = 0;
};

/// The rows that are not zero behind the rotation, if others are zero there and were not before it;
/// empty if every row was written, or if the written ones do not follow one another.
std::optional<RowRange> written_rows(const DumpSide& side);

/// The same tensors and positions without the other rows.
DumpSide only_rows(DumpSide side, const RowRange& rows);
DumpPositions only_rows(const DumpPositions& positions, const RowRange& rows);

/// Without the tokens behind the first ones.
DumpSide first_tokens(DumpSide side, Index count);
DumpPositions first_tokens(const DumpPositions& positions, Index count);

/// So many tokens are looked at head by head: all of a small dump. Names need no more, and what
/// holds for every token is held to all of them (held/residual.h).
Index tokens_of_heads(const DumpSide& side);

}  // namespace ropescope::diagnosis
