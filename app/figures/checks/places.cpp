// Places the checks in the panels of their view, and finds them again.
#include "app/figures/checks/places.h"

#include <algorithm>

namespace ropescope::figures {
namespace {

constexpr double kHeader = 1.2;      ///< lines above the first
constexpr double kHeading = 1.2;     ///< in cells
constexpr double kLeastHeight = 22;  ///< few families keep the look of many

bool near(double place, double middle) {
    return place >= middle - 0.5 && place < middle + 0.5;
}

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

double list_height(const CheckList& list) {
    return to_double(list.lines) + kHeader;
}

double line_middle(const CheckList& list, Index line) {
    return list_height(list) - kHeader - to_double(line) - 0.5;
}

const CheckRow* check_in_map(const CheckList& list, const FamilyPlaces& places, plot::Point at) {
    for (Index i = 0; i < std::ssize(list.all); ++i) {
        const plot::Point cell = places.of(i);
        if (near(at.x, cell.x) && near(at.y, cell.y)) {
            return &list.all[i];
        }
    }
    return nullptr;
}

const CheckRow* check_in_list(const CheckList& list, plot::Point at) {
    if (list.pages.empty() || at.x < 0 || at.x >= 100) {
        return nullptr;
    }
    const std::vector<CheckLine>& lines = list.pages[list.page];
    for (Index i = 0; i < std::ssize(lines); ++i) {
        if (near(at.y, line_middle(list, i))) {
            return lines[i].row;
        }
    }
    return nullptr;
}

}  // namespace ropescope::figures
