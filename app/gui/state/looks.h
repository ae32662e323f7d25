// How the user looks at the figure of each view: what is enlarged and what is hidden. It belongs to
// the window, not to the scene; exports and copied commands take it along.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/plot/look.h"

namespace ropescope::gui {

class Looks {
  public:
    /// What holds for the figure: a range is given up when the panel's own x axis has changed,
    /// because a parameter then asks for another part of it.
    const plot::Look& of(const plot::Figure& figure);
    /// The figure as it is looked at. `count` says when it is another one (ShownFigure::count). The
    /// reference is valid until the next call.
    const plot::Figure& seen(const plot::Figure& figure, std::uint64_t count);

    void set_range(const plot::Figure& figure, std::string_view panel,
                   const plot::PanelRange& range);
    /// Shows the whole panel again. Returns false if it is whole.
    bool fit(const plot::Figure& figure, std::string_view panel);
    bool is_zoomed(const plot::Figure& figure, std::string_view panel);
    /// Hides what has the name, or shows it again.
    void toggle(const plot::Figure& figure, const std::string& name);

  private:
    struct View {
        plot::Look look = {};
        std::map<std::string, plot::Range, std::less<>> own_x = {};  ///< when the range was chosen
    };
    std::map<std::string, View, std::less<>> views_;
    std::uint64_t seen_count_ = 0;
    plot::Look seen_look_ = {};
    std::optional<plot::Figure> seen_ = {};
};

/// What the left or the right button does while it is held down over the figure.
struct Pan {
    std::string panel = {};  ///< empty: nothing
    bool right = false;      ///< button
    bool moved = false;      ///< further than a click may
    plot::Pixel from = {}, last = {};
    bool click_made_step = false;  ///< the last click was a step of undo
};

}  // namespace ropescope::gui
