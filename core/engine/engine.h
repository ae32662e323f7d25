// The interface to whatever computes: the CPU engine (cpu_engine.cpp) or the GPU engine (core/gpu).
// Figures and checks receive the engine that they use.
#pragma once

#include <memory>
#include <string>

#include "core/analysis/decay.h"
#include "core/base/enum_names.h"
#include "core/engine/tensor_ops.h"
#include "core/rope/axis_positions.h"
#include "core/rope/rotate.h"

namespace ropescope {

/// What computes.
enum class EngineKind { cpu, gpu };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<EngineKind> = {"cpu", "gpu"};

/// How often callers have called an engine and its tensor operations, and how long they waited.
struct EngineTime {
    std::int64_t calls = 0;
    double seconds = 0.0;

    friend EngineTime operator+(const EngineTime& a, const EngineTime& b) {
        return {a.calls + b.calls, a.seconds + b.seconds};
    }
    friend EngineTime operator-(const EngineTime& a, const EngineTime& b) {
        return {a.calls - b.calls, a.seconds - b.seconds};
    }
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual EngineKind kind() const = 0;
    /// What reports call it: "cpu" or "gpu", unless a test gives it another name.
    virtual std::string name() const { return std::string(to_string(kind())); }
    /// The hardware it runs on, for people to read.
    virtual std::string device() const = 0;
    /// Whether the context that this engine shares with can draw a tensor from the device's memory
    /// after TensorOps::publish().
    virtual bool drawable() const { return false; }
    /// Since the engine was made; zeros if it has no clock (make_dispatched_engine() gives one).
    virtual EngineTime time() const { return {}; }

    /// The table of `count` positions from `first_position` on.
    virtual RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                                std::int64_t count) = 0;
    /// The same for positions in any order: row r is for positions[r].
    virtual RotationTable table(const Spectrum& spectrum,
                                std::span<const std::int64_t> positions) = 0;
    /// The same for positions in several axes: row r is for token r (rope/axis_positions.h).
    virtual RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) = 0;
    /// Rotates every head vector of x by the row of the table that belongs to it (rope/rotate.h).
    virtual void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                                 const RotateOptions& options) = 0;
    /// The curves of a score or a decay at distances from -kMaxPosition to kMaxPosition, in double.
    virtual PairCurves pair_curves(const Spectrum& spectrum,
                                   std::span<const std::int64_t> distances,
                                   const PairWeights& weights) = 0;

    /// New operations on tensors, with a memory of their own. Each thread that computes needs its
    /// own. The engine must outlive them.
    virtual std::unique_ptr<TensorOps> tensor_ops() = 0;
};

/// The engine on the processor. threads = 0 means default_threads().
std::unique_ptr<Engine> make_cpu_engine(int threads = 0);

}  // namespace ropescope
