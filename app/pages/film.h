// Figures of several scenes as data for a page: every frame in two sizes (a screen, a phone) and in
// the colours of two themes, with the values under the cursor and the reports. On a phone a figure
// has the panels that have room with their names. What frames have in common is held once.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// The colours of a page: pairs of one for light and one for dark.
class Palette {
  public:
    /// The number of the pair, from 0.
    std::size_t number(plot::Color light, plot::Color dark);
    /// CSS with a class for each pair: .f0 fills, .s0 strokes.
    std::string css() const;

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_;
};

struct FrameScene {
    std::string label;  ///< what tells it from the others: "base 10 000"
    Scene scene;
    bool done = false;  ///< the task of the step is done in it
};

/// Whole pictures, with their titles; or pictures that stand beside words, with their titles below
/// them, as low as they can be without leaving much out.
enum class FilmKind { whole, beside_words };

struct Film {
    std::string data;  ///< what page.js draws: JSON, compressed (zlib), as base64
    /// Of the frame that is shown first, for a page without scripts: for a screen, for a phone.
    std::array<std::string, 2> first_svgs;
    std::array<std::string, 2> shapes;  ///< of these: width/height, as CSS has it
    std::string first_text;             ///< its report
    std::string title, subtitle;        ///< its own
};

/// What somebody sees of the figure's panels: two figures with the same look differ in their words
/// at most.
std::vector<std::string> look_of(const plot::Figure& figure);

/// What is drawn, and which frame is shown at first.
struct FilmFrames {
    std::vector<FrameScene> scenes;
    std::size_t first = 0;
    FilmKind kind = FilmKind::whole;
    /// Of a lesson: on a phone the panels of which it speaks are shown, else those that change.
    /// Null: of no lesson.
    const lessons::Step* step = nullptr;
};

/// Throws InputError if a scene cannot be drawn. `progress` receives the share of the work that is
/// done, from 0 to 1.
Film make_film(const FilmFrames& frames, Engine& engine, Palette& palette,
               const std::function<void(double done)>& progress = {});

}  // namespace ropescope::pages
