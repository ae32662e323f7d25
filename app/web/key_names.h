// The keys of a browser as GLFW names them.
#pragma once

#include <string_view>

namespace ropescope::web {

/// GLFW's constant for a key. `code`: its place on the keyboard, `key`: what it writes in the
/// layout of the user (KeyboardEvent.code and .key of the UI Events specification). Letters and
/// digits are the written ones, as the window's shortcuts want them; 0 for a key that the window
/// has no use for.
int glfw_key(std::string_view code, std::string_view key);

}  // namespace ropescope::web
