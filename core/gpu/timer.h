// Measures how long the device itself takes.
#pragma once

#include <cstdint>
#include <functional>

namespace ropescope::gpu {

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
