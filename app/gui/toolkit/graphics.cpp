// OpenGL of desktops, and the clock of the thread.
#include "app/gui/toolkit/graphics.h"

#include <ctime>

namespace ropescope::gui {

const char* shader_version() {
    return "#version 330 core";
}

double own_time_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

}  // namespace ropescope::gui
