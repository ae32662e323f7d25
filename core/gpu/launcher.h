// Running a program on buffers, and work cut into parts that the device can take.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/gpu/buffers.h"
#include "core/gpu/device_limits.h"

namespace ropescope::gpu {

class Launcher {
  public:
    explicit Launcher(const DeviceLimits& limits);
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Storage buffers at bindings 1, 2, ...; the parameter block at uniform binding 0. What comes
    /// after sees what this has written. Throws CapabilityError for a range the device cannot take.
    template <typename Parameters>
    void run(std::uint32_t program, std::span<const BufferRange> buffers,
             const Parameters& parameters, std::int64_t groups) {
        run_bytes(program, buffers, std::as_bytes(std::span(&parameters, 1)), groups);
    }

    /// For tests: from then on run() reports a lost context. Below 0: never.
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

/// What one of many equal steps of a computation needs.
struct StepCost {
    std::int64_t bytes = 0;       ///< of the largest buffer that grows with the steps
    double operations = 0.0;      ///< floating-point, or bytes moved where those count for more
    std::int64_t groups_num = 1;  ///< work groups, a fraction: groups_num / groups_den
    std::int64_t groups_den = 1;
};

/// Most steps of one part: within the limits on ranges and groups, and short enough for the
/// watchdog of a desktop's driver, which ends what runs for a second or two. A multiple of `grain`,
/// at least `grain`. A multiple of kRowGrain rows begins where a range may begin.
inline constexpr std::int64_t kRowGrain = 64;
std::int64_t steps_at_once(const DeviceLimits& limits, const StepCost& cost, std::int64_t grain);

/// part(first, count) over [0, count) in parts of `at_once`.
void in_parts(std::int64_t count, std::int64_t at_once,
              const std::function<void(std::int64_t first, std::int64_t count)>& part);

}  // namespace ropescope::gpu
