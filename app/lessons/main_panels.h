// A figure with fewer of its panels, where not all have room: in a hall, beside a lesson in a small
// window, on a phone, in a frame of another page.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::lessons {

/// The figure with its main panels alone, and those of which the step of a lesson speaks (null: no
/// lesson is open), without the line below the title. A view that names no main panels has all.
plot::Figure main_figure(const plot::Figure& figure, const Step* step);

/// The names of panels in the words of the step, its task and its hint: panel "right answers",
/// curve "score against distance".
std::vector<std::string> names_of_panels(const Step& step);

/// The id of the panel that carries most of what the figure says; empty if its view names none.
std::string main_panel(const plot::Figure& figure);

/// Where a figure is drawn, and how.
struct PanelRoom {
    plot::Rect area;
    const plot::Theme& theme;
    double scale = 1;
    plot::Painter& metrics;
    plot::Dress dress = {};
    bool all_panels = true;   ///< they are wanted, if they have room
    bool whole_texts = true;  ///< with whole names of panels and axes, and with numbers at the axes
    /// Ids of the panels that the control beside the figure changes: one of them is shown, unless
    /// the step speaks of another. Empty if nothing changes any.
    std::vector<std::string> changing = {};
};

/// As many panels as have room with their names and, if wanted, with whole texts: all, the main
/// ones beside or below each other, of the main ones a single plane, or one panel alone. For small
/// windows, phones and frames in other pages.
plot::Figure fitting_figure(const plot::Figure& figure, const Step* step, const PanelRoom& room);

}  // namespace ropescope::lessons
