// The seam between what is computed and where: the CPU engine here, the GPU engine in core/gpu.
// Figures and checks are handed the engine they use.
#pragma once

#include <memory>
#include <string>

#include "core/analysis/pair_curves.h"
#include "core/engine/tensor_ops.h"
#include "core/rope/rotate.h"

namespace ropescope {

class Engine {
  public:
    virtual ~Engine() = default;

    /// "cpu" or "gpu", and what it runs on.
    virtual std::string name() const = 0;
    virtual std::string device() const = 0;
    /// Whether what TensorOps::publish() is told of can be drawn from the device's memory, by the
    /// context that this engine's was made to share with.
    virtual bool drawable() const { return false; }

    virtual RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                                std::int64_t count) = 0;
    /// The same for positions in any order: row r is positions[r].
    virtual RotationTable table(const Spectrum& spectrum,
                                std::span<const std::int64_t> positions) = 0;
    virtual void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                                 const RotateOptions& options) = 0;
    /// The curves of a score or a decay at any distances up to +-kMaxPosition, in double.
    virtual PairCurves pair_curves(const Spectrum& spectrum,
                                   std::span<const std::int64_t> distances,
                                   const PairWeights& weights) = 0;

    /// New operations on tensors with a memory of their own: one for each thread that computes.
    /// They use the engine, which must outlive them.
    virtual std::unique_ptr<TensorOps> tensor_ops() = 0;
};

/// threads = 0 means default_threads().
std::unique_ptr<Engine> make_cpu_engine(int threads = 0);

}  // namespace ropescope
