// Reads the settings of a check's figure and looks for its view.
#include "app/figures/checks/settings.h"

#include <algorithm>

#include "app/figures/view.h"

namespace ropescope::figures {

std::vector<std::string> settings_of(const Check& check) {
    std::vector<std::string> settings;
    for (std::size_t begin = 0; begin < check.figure.size();) {
        const std::size_t end = std::min(check.figure.find(' ', begin), check.figure.size());
        settings.push_back(check.figure.substr(begin, end - begin));
        begin = end + 1;
    }
    if (settings.empty() ||
        std::ranges::find(views(), settings.front(), &View::id) == views().end()) {
        return {};
    }
    settings.front() = "view=" + settings.front();
    return settings;
}

}  // namespace ropescope::figures
