// In place of graphics.cpp in a browser, where the clock of a thread stands still.
#include <chrono>

#include "app/gui/toolkit/graphics.h"

namespace ropescope::gui {

const char* shader_version() {
    return "#version 300 es";
}

double own_time_ms() {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ropescope::gui
