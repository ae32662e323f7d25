// Draws what an engine keeps in the memory of the device that the window draws with, where it is.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "app/plot/heat_raster.h"
#include "app/plot/painter.h"

struct ImDrawCmd;
struct ImDrawList;

namespace ropescope::gui {

/// Made and used with the window's context current. What an engine gave up meanwhile is left out,
/// and everything once failure() says why nothing can be drawn so.
class LiveCanvas {
  public:
    LiveCanvas();
    ~LiveCanvas();
    LiveCanvas(const LiveCanvas&) = delete;
    LiveCanvas& operator=(const LiveCanvas&) = delete;

    /// OpenGL's name of a texture with the picture, valid until the frame has been drawn; 0 where
    /// there is none.
    std::uint32_t heat_map(const plot::RasterPlan& plan, const plot::LiveCells& cells);

    /// Points or an arrow, as the painter is told of them.
    struct Shape {
        plot::LivePoints points;
        plot::Placement placement;
        bool arrow = false;
        plot::Pixel from = {};         ///< of an arrow
        double extent = 0, width = 0;  ///< a dot's radius, an arrow's head and shaft
        plot::Color first = {}, last = {};
    };
    /// Drawn when the list is.
    void add(ImDrawList& list, const Shape& shape);

    /// Frees what has not been drawn for some frames: the device may still be drawing the last
    /// ones.
    void end_frame();
    /// In one line; "" while it works: without OpenGL 4.3, with shaders that the driver refuses, or
    /// without memory the window has to draw numbers that are read.
    const std::string& failure() const { return failure_; }
    /// Pictures coloured so far: one that has not changed is kept.
    std::int64_t colored() const { return colored_; }

  private:
    struct Gl;
    struct Picture {
        plot::RasterPlan plan;
        plot::LiveCells cells;
        std::uint32_t texture = 0;
        int age = 0;  ///< frames since it was drawn
    };
    struct Queued {
        LiveCanvas* canvas = nullptr;
        Shape shape;
        int age = 0;
    };
    static void draw_queued(const ImDrawList* list, const ImDrawCmd* command);
    void draw(const Shape& shape);
    Gl& gl();
    /// Runs it unless something has failed before.
    template <typename Work>
    void attempt(const Work& work);
    std::uint32_t color(const plot::RasterPlan& plan, const plot::LiveCells& cells);

    std::unique_ptr<Gl> gl_;
    std::vector<Picture> pictures_;
    std::deque<Queued> queued_;  ///< of this frame at the back, kept as long as it may be drawn
    std::int64_t colored_ = 0;
    std::string failure_;
};

}  // namespace ropescope::gui
