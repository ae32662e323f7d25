// What targets share: bytes as a file or as lines, and a reader that may refuse them.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.h"

namespace ropescope::fuzz {

/// A file in memory, which is as good as one on a disk and faster.
class MemoryFile {
  public:
    explicit MemoryFile(const std::string& bytes) : descriptor_(::memfd_create("fuzz", 0)) {
        if (::write(descriptor_, bytes.data(), bytes.size()) != std::ssize(bytes)) {
            throw std::runtime_error("no file in memory");
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }

    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  private:
    int descriptor_;
};

/// The first line of the bytes, which goes, and the rest, which stays.
inline std::string take_line(std::string& bytes) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string line = bytes.substr(0, end);
    bytes.erase(0, end + 1);
    return line;
}

/// Throws unless something holds that must hold for any bytes.
inline void require(bool holds, const char* what) {
    if (!holds) {
        throw std::logic_error(what);
    }
}

/// Runs a reader. A refusal is an InputError, whose text the program makes one printable line of at
/// most 500 characters before it prints it.
inline void read_or_refuse(const std::function<void()>& reader) {
    try {
        reader();
    } catch (const InputError&) {
        return;
    }
}

}  // namespace ropescope::fuzz
