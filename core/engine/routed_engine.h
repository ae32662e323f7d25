// An engine whose calls others carry out.
#pragma once

#include <functional>

#include "core/engine/engine.h"

namespace ropescope {

/// Every call on host memory goes one way to the engine that serves it: on another thread, against
/// the clock, with a second engine behind. tensor_ops() is each engine's own (relayed_ops.h).
class RoutedEngine : public Engine {
  public:
    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override;
    RotationTable table(const Spectrum& spectrum, std::span<const std::int64_t> positions) override;
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override;
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override;

  private:
    /// Calls `work` with the engine that serves, before it returns; with another one again where
    /// the first failed.
    virtual void route(const std::function<void(Engine&)>& work) = 0;
};

}  // namespace ropescope
