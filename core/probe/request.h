// A question to an implementation of rotary position embedding, and its answer, as plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/faults/rotation/plan.h"
#include "core/formats/tensor.h"

namespace ropescope::probe {

/// What the numbers of an answer may be: F64, F32, F16 or BF16.
bool is_answer_dtype(Dtype dtype);

/// Whether positions [..., length] are 0, 1, 2, ... in every row.
bool counts_from_0(std::span<const double> positions, Index length);

/// [batch, heads, length, head_dim]
std::vector<std::int64_t> shape_of(const faults::HeadShape& shape);

/// Tensors that are to be rotated: q [B, H, L, D], k [B, Hk, L, D] and their positions. A request
/// about queries alone has keys without heads.
struct Request {
    Index id = 0;                ///< counted from 1
    std::string name = {};       ///< "decode of two rows"
    std::string separates = {};  ///< the faults that it tells from others: "rows.unrotated"
    std::string why = {};        ///< one sentence
    faults::HeadShape q_shape = {}, k_shape = {};
    Dtype dtype = Dtype::f32;            ///< of q and k: F32, F16, BF16 or F64
    std::vector<double> q = {}, k = {};  ///< row-major; exact in `dtype`
    std::vector<double> positions = {};  ///< [axes, B, L]
    Index axes = 1;
    std::vector<std::string> axis_names = {};  ///< [axes] of a model of several: "t", "h", "w"
    /// Tokens in the cache before this call; only for requests that are a part of a sequence.
    std::optional<Index> past = {};
    std::optional<Index> repeats = {};  ///< id of an earlier request with the same contents
    /// The norm beside the rotation, whose weights [D] are exact in `dtype`; of both sides or none.
    std::optional<diagnosis::SideNorm> q_norm = {}, k_norm = {};
    bool may_refuse = false;  ///< an error is no fault: dtypes, positions below 0

    /// `q`, `k`, `positions` [B, L], for several axes [axes, B, L], in I64 or, if they are not
    /// whole, F64; `past` [1] in I64 and `q_norm`, `k_norm` [D] if there are any.
    std::vector<Tensor> tensors() const;
    /// Of an answer's scores.
    std::vector<std::int64_t> scores_shape() const;
    /// Whether the tokens of every row are 0, 1, 2, ... in every axis, as code counts them that
    /// takes no positions.
    bool counts_from_0() const;
    /// The largest position plus 1: the length of the sequence.
    Index reach() const;
    bool has_keys() const { return k_shape.heads > 0; }
    /// The weights of the norm of a side; empty without one.
    const std::optional<diagnosis::SideNorm>& norm_of(bool of_keys) const {
        return of_keys ? k_norm : q_norm;
    }
    /// Numbers in q and k: requests with fewer are smaller.
    Index size() const { return q_shape.size() + k_shape.size(); }
};

/// How a call ended. error: the implementation says that it cannot; timed_out: no answer in time;
/// ended: it is gone and cannot be asked again; garbled: it said something that is not an answer,
/// so that nothing more is asked; unsupported: it takes no positions, and the request has some of
/// its own; unreadable: the tensors of this one answer cannot be read;
/// not_asked: an earlier request ended it.
enum class Outcome : std::uint8_t {
    answered,
    error,
    unsupported,
    timed_out,
    ended,
    garbled,
    unreadable,
    not_asked
};

struct Answer {
    Outcome outcome = Outcome::answered;
    std::string text = {};  ///< one line, of every outcome but answered: what was said or seen
    /// Of the shapes of q and k, in F64, F32, F16 or BF16. `scores` [B, H, L, L] is optional:
    /// q_rot . k_rot times the softmax scale, before the mask. One of another shape or dtype may
    /// come without its bytes.
    std::optional<Tensor> q_rot = {}, k_rot = {}, scores = {};
};

/// Calls the implementation. Called in the order of the requests, from one thread.
using Ask = std::function<Answer(const Request&)>;

}  // namespace ropescope::probe
