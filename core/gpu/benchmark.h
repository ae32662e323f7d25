// What the device does a second, and how much of what it could do that is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/gpu/device_limits.h"

namespace ropescope::gpu {

/// The device's own limits, measured.
struct DevicePeaks {
    int rounds = 9;                      ///< that medians are of
    double copy_bytes_per_second = 0.0;  ///< read and written, of a copy between buffers
    double flops_per_second = 0.0;       ///< fp32, multiply-adds in registers
};

struct Measurement {
    std::string name;
    double seconds = 0.0;   ///< median
    double share = 0.0;     ///< of the limit, 0 .. 1
    double target = 0.0;    ///< of the share, on hardware
    bool by_bytes = false;  ///< the limit is the copy's, not the multiply-adds'
};

/// Rotations, products, attention; the sizes are the seed's on hardware and small where a processor
/// imitates a GPU. In the current context; `peaks` is measured first. Throws CapabilityError.
std::vector<Measurement> measure_operations(DevicePeaks& peaks);

/// Median device time of anything that is done in the current context, and its share of the peak.
Measurement measure_flops(const std::string& name, double flops, double target,
                          const DevicePeaks& peaks, const std::function<void()>& work);

}  // namespace ropescope::gpu
