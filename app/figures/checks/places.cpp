#include "app/figures/checks/places.h"

#include <algorithm>

namespace ropescope::figures {
namespace {

constexpr double kHeader = 1.2;      ///< lines above the first
constexpr double kHeading = 1.2;     ///< in cells
constexpr double kLeastHeight = 22;  ///< few families keep the look of many

}  // namespace

FamilyPlaces::FamilyPlaces(const CheckList& list) {
    // From the top down first, then turned over: y runs upwards.
    double down = 0;
    int column = 0;
    for (const CheckRow& row : list.all) {
        const std::string family(family_of(row.check->id));
        if (headings_.empty() || headings_.back().family != family) {
            down += headings_.empty() ? 0 : 1.0;
            headings_.push_back({family, down + kHeading / 2});
            down += kHeading;
            column = 0;
        } else if (column == kColumns) {
            down += 1;
            column = 0;
        }
        cells_.push_back({column + 0.5, down + 0.5});
        ++column;
    }
    height_ = std::max(kLeastHeight, down + 1);
    for (Heading& heading : headings_) {
        heading.y = height_ - heading.y;
    }
    for (plot::Point& cell : cells_) {
        cell.y = height_ - cell.y;
    }
}

double list_height(const Scene& scene) {
    return static_cast<double>(scene.check_lines) + kHeader;
}

double line_middle(const Scene& scene, std::size_t line) {
    return list_height(scene) - kHeader - static_cast<double>(line) - 0.5;
}

}  // namespace ropescope::figures
