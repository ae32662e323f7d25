// The operations that an encoder is built from, on tensors in an engine's memory. Whatever is
// written with them runs on every engine.
#pragma once

#include <functional>

#include "core/engine/device_tensor.h"
#include "core/kernels/activation.h"
#include "core/rope/layout.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// y = x W^T + b: weight [out, in], from upload_weight(), and bias [1, out] (or none), as
/// torch.nn.Linear keeps them.
struct Linear {
    DeviceTensor weight;
    DeviceTensor bias;
};

/// weight, bias [1, columns]
struct Norm {
    DeviceTensor weight;
    DeviceTensor bias;
    double eps = 0.0;
};

/// cos and sin [rows, pairs]; row i of x takes row i modulo `rows`, so that a table of one sequence
/// serves every sample, and one of all samples gives each its own positions.
struct DeviceRotation {
    DeviceTensor cos;
    DeviceTensor sin;
    Layout layout = Layout::interleaved;
};

/// How the rows and columns of q, k, v are read: rows b * positions + l, columns h * head_dim + c.
struct AttentionShape {
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t positions = 0;
    std::int64_t head_dim = 0;

    /// Numbers in each of q, k and v.
    std::int64_t count() const { return batch * positions * heads * head_dim; }
};

/// softmax(scale q k^T + mask) v. mask [batch, positions] is added to the score of every query with
/// that key, [batch * positions, positions] is a row for each query; none: nothing is added.
struct AttentionInputs {
    AttentionShape shape;
    DeviceTensor q, k, v;
    DeviceTensor mask;
    double scale = 1.0;
    /// As AttentionArguments::going_on, for an engine that computes while it is called; others do
    /// not ask.
    std::function<bool(double done)> going_on = {};
};

/// What may be asked for besides: an empty tensor is not computed. The maps before the mask and
/// after the softmax, [batch * heads * positions, positions], and the logarithm of the sum of
/// e^(score + mask) of each of their rows, [batch * heads * positions, 1].
struct AttentionOutputs {
    DeviceTensor context;  ///< like q
    DeviceTensor scores;
    DeviceTensor probs;
    DeviceTensor log_sums;
};

/// Shapes must fit; what does not is a mistake of the program (std::logic_error). An output may be
/// an input only where that is said. Calls are executed in their order; safe from one thread at a
/// time.
class TensorOps {
  public:
    virtual ~TensorOps() = default;

    /// Memory with any values in it, from what has been given back where that fits.
    virtual DeviceTensor make(std::int64_t rows, std::int64_t columns) = 0;
    /// An engine that works in the program's memory reads `values` where they are, without a copy.
    virtual DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                                std::int64_t columns) = 0;
    /// A weight of a Linear, in whatever order the engine multiplies fastest: for gemm() alone.
    /// `values` are not needed afterwards.
    virtual DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                                       std::int64_t columns) = 0;
    /// The values, row-major; an engine that works in the program's memory shows its own, which
    /// must then not be written to any more.
    virtual HostFloats download(const DeviceTensor& tensor) = 0;
    /// Lets whoever draws on the same device (Engine::drawable) wait for what has been asked for so
    /// far and then read `tensor` where it is. Values that nobody writes to any more.
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
