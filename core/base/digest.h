// A digest that ties files to each other.
#pragma once

#include <string>
#include <string_view>

namespace ropescope {

/// FNV-1a of 64 bits (Fowler, Noll, Vo), as 16 hexadecimal digits. It tells files that were mixed
/// up or cut; it is no protection against somebody who wants two files to look alike.
std::string fnv1a(std::string_view bytes);

}  // namespace ropescope
