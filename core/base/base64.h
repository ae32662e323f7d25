// Bytes as text of 64 characters (RFC 4648, section 4).
#pragma once

#include <string>
#include <string_view>

namespace ropescope {

/// With '=' at the end where the number of bytes is no multiple of three.
std::string base64(std::string_view bytes);

}  // namespace ropescope
