// Where the ticks of an axis lie, and their labels.
#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::plot {

struct Tick {
    double value = 0;
    std::string label;  ///< rich text: "10^{-8}"
    bool major = true;
};

/// Ticks inside drawable(axis), ascending, about `most` of them major: at 1, 2, 5 x 10^k. A log
/// axis has whole decades, with 2 and 5 as minor ticks; 16 whole numbers and more have powers of
/// two.
std::vector<Tick> make_ticks(const Axis& axis, int most);

}  // namespace ropescope::plot
