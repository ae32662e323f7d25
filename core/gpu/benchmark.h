// Measures how much the device computes in a second, and what share of its limits that is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/gpu/gl_context.h"

namespace ropescope::gpu {

/// The device's own limits, measured.
struct DevicePeaks {
    int rounds = 9;                      ///< of which medians are taken
    double copy_bytes_per_second = 0.0;  ///< of a copy between buffers, read and written
    double flops_per_second = 0.0;       ///< fp32, multiply-adds in registers
};

struct Measurement {
    std::string name;
    double seconds = 0.0;   ///< median
    double share = 0.0;     ///< of the limit, 0 .. 1
    double target = 0.0;    ///< for the share, on hardware
    bool by_bytes = false;  ///< the limit is that of a copy, not of multiply-adds
};

/// Measures rotations, products and attention in the current context, after filling in `peaks`. The
/// sizes are those of an encoder of width 768 on hardware, and small in software (is_software()).
/// Throws CapabilityError.
std::vector<Measurement> measure_operations(DevicePeaks& peaks);

/// The median device time of `work` in the current context, and its share of the peak.
Measurement measure_flops(const std::string& name, double flops, double target,
                          const DevicePeaks& peaks, const std::function<void()>& work);

// Measures how long the device itself takes.

/// Uses two time stamps in the stream of commands (GL_TIMESTAMP; on llvmpipe an elapsed-time query
/// returns 0 for compute).
class DeviceTimer {
  public:
    DeviceTimer();
    ~DeviceTimer();
    DeviceTimer(const DeviceTimer&) = delete;
    DeviceTimer& operator=(const DeviceTimer&) = delete;

    /// Seconds that the device spends on what `work` asks of it: the median of `rounds`, after two
    /// rounds that do not count.
    double median_seconds(int rounds, const std::function<void()>& work);

  private:
    double seconds(const std::function<void()>& work);

    std::uint32_t begin_ = 0, end_ = 0;
};

}  // namespace ropescope::gpu
