// Runs programs on buffers, and cuts work into parts that the device can take.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/gpu/buffers.h"
#include "core/gpu/gl_context.h"

namespace ropescope::gpu {

/// a / b, rounded up: work groups for a number of threads, tiles for a number of rows.
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

class Launcher {
  public:
    explicit Launcher(const DeviceLimits& limits);
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Binds the buffers as storage 1, 2, ... and the parameter block as uniform 0. Later launches
    /// see what this one writes. Throws CapabilityError if a range is too large for the device.
    template <typename Parameters>
    void run(std::uint32_t program, std::span<const BufferRange> buffers,
             const Parameters& parameters, std::int64_t groups) {
        run_bytes(program, buffers, std::as_bytes(std::span(&parameters, 1)), groups);
    }

    /// For tests: after `launches` more, run() reports a lost context; if negative, never.
    void lose_after(std::int64_t launches) { launches_left_ = launches; }

  private:
    void run_bytes(std::uint32_t program, std::span<const BufferRange> buffers,
                   std::span<const std::byte> parameters, std::int64_t groups);
    std::int64_t place_parameters(std::span<const std::byte> parameters);

    const DeviceLimits& limits_;
    std::uint32_t ring_ = 0;
    std::int64_t ring_end_ = 0;
    std::int64_t launches_left_ = -1;
};

/// What one of many equal steps of a computation costs.
struct StepCost {
    std::int64_t bytes = 0;       ///< of the largest buffer that grows with the steps
    double operations = 0.0;      ///< floating-point operations, or bytes moved if more
    std::int64_t groups_num = 1;  ///< work groups, a fraction: groups_num / groups_den
    std::int64_t groups_den = 1;
};

/// The most steps of one part: within the limits on ranges and groups, and short enough for the
/// watchdog of a desktop's driver, which ends what runs for a second or two. A multiple of `grain`,
/// at least `grain`. A range may begin at any multiple of kRowGrain rows.
inline constexpr std::int64_t kRowGrain = 64;
std::int64_t steps_at_once(const DeviceLimits& limits, const StepCost& cost, std::int64_t grain);

/// Calls part(first, count) for parts of [0, count) with at most `at_once` steps each.
void in_parts(std::int64_t count, std::int64_t at_once,
              const std::function<void(std::int64_t first, std::int64_t count)>& part);

}  // namespace ropescope::gpu
