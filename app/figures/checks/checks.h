// The checks view: every check, what was found about it, and where it lies in the panels. Sources:
// state.cpp, figure.cpp, report.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/checks/check.h"
#include "core/checks/check_run.h"

namespace ropescope::figures {

/// A check with its finding, which is empty until the check has been run.
struct CheckRow {
    const Check* check = nullptr;
    std::optional<CheckFinding> finding = {};

    bool is(Status status) const { return finding && finding->status == status; }
    /// Whether a number decides it, and is known.
    bool is_measured() const { return is(Status::passed) || is(Status::failed); }
};

/// A line of the list: a check, or the name of the family that begins or goes on.
struct CheckLine {
    const CheckRow* row = nullptr;
    std::string heading = {};
};

struct CheckList {
    std::vector<CheckRow> all;
    std::vector<const CheckRow*> shown;         ///< the rows that the filters leave, point into all
    const CheckRow* selected = nullptr;         ///< null if nothing is shown
    std::vector<std::vector<CheckLine>> pages;  ///< point into all
    Index page = 0;                             ///< the one with the selected check
    Index lines = 0;                            ///< room on a page
    std::string nothing = {};                   ///< why none is shown, with near matches

    int count(Status status) const;
    bool finished() const;
    bool shows(const CheckRow& row) const;
};

/// Lists the checks that the run was asked for, or all of the library if it was asked for none.
/// Throws InputError naming near matches if the selected check is not among them.
CheckList list_checks(const Scene& scene, const CheckRun& run);

/// The settings that open the figure of a check, the view first: "view=layouts",
/// "system_b=mistral". Empty if no view shows the check.
std::vector<std::string> settings_of(const Check& check);

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

/// As in the report: "ok", "FAIL", "skip", "note"; "..." before the check was run.
std::string status_word(const CheckRow& row);
plot::Role status_role(const CheckRow& row);

/// Keys that move up and down through the list, also page by page, and stop at its ends. Enter
/// opens the figure of the selected check.
std::vector<plot::Link> check_keys(const CheckList& list);

/// The values of the check at that point, or else of the selected one.
std::vector<plot::Readout> check_readouts(const CheckList& list, const CheckRow* at);

/// A click on a check selects it; on the selected one it opens the figure that shows it. If nothing
/// is listed, a click on the list clears the filters.
Scene after_check_click(const CheckList& list, const CheckRow* at, const Scene& scene);
/// The scene in which every check is listed.
Scene listing_all(const Scene& scene);

plot::DataTable checks_data(const CheckList& list);
plot::Text checks_report(const CheckList& list);

View checks_view();

}  // namespace ropescope::figures
