// Figures of several scenes as data for a page: every frame in two sizes (a screen, a phone) and in
// the colours of two themes, with the values under the cursor and the reports. What frames have in
// common is held once.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/plot/color.h"
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
};

struct Film {
    std::string data;        ///< what page.js draws: JSON, compressed (zlib), as base64
    std::string first_svg;   ///< of the first frame, for a page without scripts
    std::string first_text;  ///< its report
    std::string title;       ///< of the first frame
};

/// Throws InputError if a scene cannot be drawn. `progress` receives the share of the work that is
/// done, from 0 to 1.
Film make_film(const std::vector<FrameScene>& frames, Engine& engine, Palette& palette,
               const std::function<void(double done)>& progress = {});

}  // namespace ropescope::pages
