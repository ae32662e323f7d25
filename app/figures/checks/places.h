// Where the checks lie in the panels of their view: what is drawn there and what a click finds
// there.
#pragma once

#include <string>
#include <vector>

#include "app/figures/checks/list.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The map of all checks: a heading for each family, and below it a cell for each check.
class FamilyPlaces {
  public:
    static constexpr int kColumns = 10;
    static constexpr double kWidth = kColumns;
    struct Heading {
        std::string family;
        double y = 0;
    };

    explicit FamilyPlaces(const CheckList& list);
    double height() const { return height_; }
    const std::vector<Heading>& headings() const { return headings_; }
    /// Middle of the cell of list.all[check].
    plot::Point of(Index check) const { return cells_[check]; }

  private:
    double height_ = 0;
    std::vector<Heading> headings_;
    std::vector<plot::Point> cells_;
};

/// Lines of the list's panel, the header among them; y runs from 0 to this.
double list_height(const CheckList& list);
/// Middle of a line of the page.
double line_middle(const CheckList& list, Index line);

/// The check at a point of the map of all checks; null if there is none.
const CheckRow* check_in_map(const CheckList& list, const FamilyPlaces& places, plot::Point at);
/// The check at a point of the list; null if there is none.
const CheckRow* check_in_list(const CheckList& list, plot::Point at);

}  // namespace ropescope::figures
