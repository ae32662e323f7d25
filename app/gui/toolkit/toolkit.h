// ImGui, its OpenGL renderer, fonts and textures: what the desktop window and the offscreen
// screenshot share. Needs a current OpenGL context.
#pragma once

#include <functional>

#include "app/gui/toolkit/fonts.h"
#include "app/gui/toolkit/live_canvas.h"
#include "app/gui/toolkit/textures.h"
#include "app/plot/color.h"

struct ImGuiContext;

namespace ropescope::gui {

class Toolkit {
  public:
    /// `density`: see Fonts.
    explicit Toolkit(double density = 1);
    ~Toolkit();
    Toolkit(const Toolkit&) = delete;
    Toolkit& operator=(const Toolkit&) = delete;

    Fonts& fonts() { return fonts_; }
    Textures& textures() { return textures_; }
    LiveCanvas& live() { return live_; }

    /// Draws one frame into the bound framebuffer: `platform` tells ImGui the display's size, the
    /// time and the input, `build` makes its windows. Returns the milliseconds of CPU time that
    /// this thread took from the input to the finished draw lists, without OpenGL's.
    double frame(const std::function<void()>& platform, const std::function<void()>& build,
                 plot::Color background);

  private:
    ImGuiContext* context_;
    Fonts fonts_;
    Textures textures_;
    LiveCanvas live_;
    bool atlas_uploaded_ = false;
};

}  // namespace ropescope::gui
