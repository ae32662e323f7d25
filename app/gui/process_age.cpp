// Reads the start of this process from /proc.
#include "app/gui/process_age.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>

namespace ropescope::gui {

double process_age_ms() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return -1;
    }
    // Field 22 of proc(5); the third one follows the name.
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        fields >> field;
    }
    timespec now{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
        return -1;
    }
    const double started = std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double seconds =
        static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    return (seconds - started) * 1e3;
}

}  // namespace ropescope::gui
