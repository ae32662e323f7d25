// How long tests wait for what should have happened, before they call it a hang.
#pragma once

namespace ropescope::test {

/// Under a sanitizer everything takes ten times as long.
#ifdef ROPESCOPE_SANITIZED
inline constexpr int kPatience = 10;
#else
inline constexpr int kPatience = 1;
#endif

}  // namespace ropescope::test
