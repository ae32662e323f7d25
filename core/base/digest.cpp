// Computes the digest FNV-1a.
#include "core/base/digest.h"

#include <cstdint>
#include <fmt/format.h>

namespace ropescope {

std::string fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
    return fmt::format("{:016x}", hash);
}

}  // namespace ropescope
