// A file descriptor with an owner.
#pragma once

#include <unistd.h>
#include <utility>

namespace ropescope {

/// Closes the descriptor that it was given, unless that is negative.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return fd_; }

    /// Returns 0, or -1 with errno: a full disk may show only here.
    int close() {
        const int fd = std::exchange(fd_, -1);
        return fd < 0 ? 0 : ::close(fd);
    }

  private:
    int fd_;
};

}  // namespace ropescope
