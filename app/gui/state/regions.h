// Where the parts of the window lie, computed from its size.
#pragma once

#include "app/plot/painter.h"

namespace ropescope::gui {

/// The smallest window in which its parts can be used, in units of the design.
inline constexpr int kLeastWidth = 480, kLeastHeight = 360;

struct Regions {
    plot::Rect bar, navigation, figure, controls, explanation, status;
    bool names_in_navigation = true;  ///< false: only the number keys
    bool keys_in_navigation = true;   ///< false: only the names, in a column as wide as those
    bool explanation_open = true;     ///< false: one line that opens it
    bool lesson_beside = false;       ///< a lesson beside the figure, the controls below it
};

struct RegionOptions {
    double unit = 1;  ///< pixels per unit of the design: display scale x type size
    /// The user's choice; `automatic` opens the explanation if there is room.
    enum class Explanation { automatic, open, folded } explanation = Explanation::automatic;
    bool presenting = false;  ///< the figure has the whole window, or shares it with a lesson
    double strip_px = 0;      ///< the height of the controls, if they lie below the figure
    bool hall = false;        ///< for a lecture hall: a lesson stands beside the figure
    bool lesson = false;      ///< a lesson takes the place of the explanation, with more room
    bool offer = false;       ///< the offer of the first lesson takes it
    double words_px = 0;      ///< what the open explanation needs to show all its words
};

/// The columns of an open lesson, its text and its task, in pixels.
struct LessonColumns {
    double side = 0;            ///< room to the left and to the right of both
    double gap = 0;             ///< between them
    double text = 0, task = 0;  ///< widths
    bool stacked = false;  ///< the task stands below the text: side by side one would be too narrow
};
/// For an area of this width in pixels, in type for a hall or for a desk.
LessonColumns lesson_columns(double width, double unit, bool hall);

/// The most that the explanation gets of the window, in pixels of height.
double most_explanation(const Regions& regions);

/// `width` and `height` in pixels.
Regions regions(double width, double height, const RegionOptions& options);

}  // namespace ropescope::gui
