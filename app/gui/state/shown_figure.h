// The figure that the window shows: what it was made of, and when it is made again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/figures/view.h"
#include "app/plot/look.h"

namespace ropescope::gui {

/// The progress of the whole figure that replaces a draft.
struct Refining {
    std::optional<double> done;  ///< 0 .. 1, once it is known
    bool stopped = false;        ///< the user has stopped it: the draft stays
};

struct ShownFigure {
    std::optional<figures::Picture> picture;  ///< the last one that could be made
    std::string error;                        ///< why `picture` is not of `scene`; else empty

    // What `picture`, or else `error`, was made of.
    std::optional<Scene> scene;
    std::optional<EngineKind> engine;
    std::int64_t check_results = 0;  ///< of the run of checks, if the view shows one

    std::uint64_t count = 0;        ///< pictures made so far, drafts and whole ones
    std::uint64_t drafts = 0;       ///< drafts made so far
    Refining refining;              ///< of the draft that is shown
    std::int64_t readout_rows = 0;  ///< the most values that a panel of the figure shows

    bool may_draft = false;  ///< somebody completes drafts: FigureRefiner, in a page web::Beside
    /// Of a picture that update() waits for: the share that is done, 0 .. 1.
    std::function<void(double done)> progress = {};
    bool live = true;            ///< figures may be drawn from the engine's memory (Work::live)
    figures::FigureCache cache;  ///< results that the next figures can use

    /// Makes the picture again if something that its view reads has changed.
    void update(const Scene& wanted, Engine& on, const CheckRun& run);
    /// Whether the picture or the error is of exactly these values; if not, update() makes it
    /// again.
    bool is_of(const Scene& wanted, const Engine& on, const CheckRun& run) const;
    /// Shows a picture of `scene`.
    void show(figures::Picture next);
    /// The draft counts as the figure from now on.
    void settle();
    /// The whole figure of the draft cannot be made: says why in the figure's place. Every error of
    /// work beside the frame that makes figures ends here.
    void refuse(std::string why);
    /// The next update() makes the picture again.
    void forget() { scene.reset(); }

    /// Null before the first one.
    const plot::Figure* figure() const { return picture ? &picture->figure : nullptr; }
    /// The figure, if it is of `scene`; null while only an earlier one can be shown.
    const plot::Figure* current() const { return error.empty() ? figure() : nullptr; }
    bool is_draft() const { return picture && picture->draft; }
    /// Whether the whole figure of the draft is to be computed.
    bool wants_whole() const { return is_draft() && error.empty() && !refining.stopped; }
};

/// Whether the scene's view shows a run of the checks.
bool shows_checks(const Scene& scene);

// How the user looks at the figure of each view: what is enlarged and what is hidden. It belongs to
// the window, not to the scene; exports and copied commands take it along.

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
        std::map<std::string, plot::AxisRange, std::less<>> own_x =
            {};  ///< when the range was chosen
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
