// The operations that an encoder is built from, on tensors in an engine's memory. A model that is
// written with them runs on every engine.
#pragma once

#include <functional>

#include "core/attention/attention.h"
#include "core/engine/device_tensor.h"
#include "core/kernels/activation.h"
#include "core/rope/layout.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// y = x W^T + b, stored as torch.nn.Linear does: weight [out, in], from upload_weight(), and bias
/// [1, out], which may be empty.
struct Linear {
    DeviceTensor weight;
    DeviceTensor bias;
};

/// A layer norm's weight and bias [1, columns].
struct Norm {
    DeviceTensor weight;
    DeviceTensor bias;
    double eps = 0.0;
};

/// cos and sin [rows, pairs]. Row i of x takes row i modulo `rows`: a table for one sequence serves
/// every sample of a batch, and a table for the whole batch gives each sample positions of its own.
struct DeviceRotation {
    DeviceTensor cos;
    DeviceTensor sin;
    Layout layout = Layout::interleaved;
};

/// The shape of q, k and v: row b * positions + l, column h * head_dim + c is channel c of head h
/// at position l of sample b.
struct AttentionShape {
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t positions = 0;
    std::int64_t head_dim = 0;

    /// Numbers in each of q, k and v.
    std::int64_t count() const { return batch * positions * heads * head_dim; }
};

/// What is added to the scores before the softmax: a mask, a bias by distance, or both. A row has a
/// number for each key; rows go by sample, head and query, as far as they depend on them.
struct AddedTensor {
    DeviceTensor values;  ///< empty: nothing is added
    bool by_sample = true;
    bool by_head = false;
    bool by_query = false;

    explicit operator bool() const { return static_cast<bool>(values); }
    std::int64_t rows(const AttentionShape& shape) const;
    AddedSteps steps(const AttentionShape& shape) const;
};

/// softmax(scale q k^T + added) v.
struct AttentionInputs {
    AttentionShape shape;
    DeviceTensor q, k, v;
    AddedTensor added;
    double scale = 1.0;
    /// As AttentionArguments::keep_going. Only an engine that computes during the call uses it.
    std::function<bool(double done)> keep_going = {};
};

/// An output that is an empty tensor is not computed. Maps are [batch * heads * positions,
/// positions].
struct AttentionOutputs {
    DeviceTensor context;   ///< like q
    DeviceTensor scores;    ///< map before the addition
    DeviceTensor probs;     ///< map after the softmax
    DeviceTensor log_sums;  ///< [rows of a map, 1]: log of the row's sum of e^(score + added)
};

/// Throws std::logic_error if shapes do not fit: that is a mistake of the program. An
/// output may be an input only if the comment says so. Calls are executed in their order. One
/// thread at a time may use them.
class TensorOps {
  public:
    virtual ~TensorOps() = default;

    /// A tensor with undefined values, in memory that an earlier tensor gave back if that fits.
    virtual DeviceTensor make(std::int64_t rows, std::int64_t columns) = 0;
    /// An engine that works in the program's memory reads `values` in place, without a copy.
    virtual DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                                std::int64_t columns) = 0;
    /// A weight of a Linear, in the order that the engine multiplies fastest, so only gemm() can
    /// use it. `values` are not needed afterwards.
    virtual DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                                       std::int64_t columns) = 0;
    /// The values, row-major. An engine that works in the program's memory returns its own, without
    /// a copy: do not write to the tensor afterwards.
    virtual HostFloats download(const DeviceTensor& tensor) = 0;
    /// Inserts a fence: once it has passed, a context that shares with this device
    /// (Engine::drawable) may read `tensor` in place. Do not write to the tensor afterwards.
    virtual void publish(const DeviceTensor& tensor) = 0;

    /// cos and sin [positions, pairs], as Engine::table().
    virtual DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                                 Layout layout) = 0;

    /// out[i] = table[ids[i]]; each id is a row of the table.
    virtual void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                        const DeviceTensor& out) = 0;
    /// out = activation(x W^T + b); out [x.rows, out] is another tensor than x.
    virtual void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
                      const DeviceTensor& out) = 0;
    /// out = layer norm of each row of x; out may be x.
    virtual void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) = 0;
    /// out = a + b; out may be a or b.
    virtual void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) = 0;
    /// Rotates every head of x [rows, heads * head_dim] in place.
    virtual void rotate(const DeviceTensor& x, std::int64_t heads,
                        const DeviceRotation& rotation) = 0;
    virtual void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) = 0;
};

}  // namespace ropescope

namespace ropescope::op_shapes {

// Checks the shapes of each operation of TensorOps, the same on every engine. Shapes that do not
// fit are a mistake of the program: std::logic_error with the name of the operation.

void upload(const HostFloats& values, std::int64_t rows, std::int64_t columns);
void gather(const DeviceTensor& table, std::span<const std::int64_t> ids, const DeviceTensor& out);
void gemm(const DeviceTensor& x, const Linear& linear, const DeviceTensor& out);
void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out);
void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out);
void rotate(const DeviceTensor& x, std::int64_t heads, const DeviceRotation& rotation);
void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs);

}  // namespace ropescope::op_shapes
