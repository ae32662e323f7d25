// How long the device itself takes.
#pragma once

#include <cstdint>
#include <functional>

namespace ropescope::gpu {

/// Two time stamps in the stream of commands (GL_TIMESTAMP; an elapsed-time query is 0 for compute
/// on llvmpipe).
class DeviceTimer {
  public:
    DeviceTimer();
    ~DeviceTimer();
    DeviceTimer(const DeviceTimer&) = delete;
    DeviceTimer& operator=(const DeviceTimer&) = delete;

    /// Seconds from when the device begins to when it ends what `work` asks of it: the median of
    /// `rounds`, after two that nobody counts.
    double median_seconds(int rounds, const std::function<void()>& work);

  private:
    double seconds(const std::function<void()>& work);

    std::uint32_t begin_ = 0, end_ = 0;
};

}  // namespace ropescope::gpu
