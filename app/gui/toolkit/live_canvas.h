// Draws what an engine keeps in the memory of the device that the window draws with, where it is.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/heat_raster.h"
#include "app/plot/painter.h"
#include "core/gpu/buffers.h"

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

    /// Points or an arrow, as the painter receives them.
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

    /// Once the frame's lists are drawn. Frees pictures that it did not show, and keeps what it
    /// read until the device has drawn it.
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
        bool shown = false;  ///< in this frame
    };
    struct Queued {
        LiveCanvas* canvas = nullptr;
        Shape shape;
    };
    using Buffer = std::shared_ptr<DeviceBuffer>;
    /// A frame that the device may not have drawn yet.
    struct UnderWay {
        void* drawn = nullptr;  ///< a fence
        std::vector<Buffer> read;
    };
    static void draw_queued(const ImDrawList* list, const ImDrawCmd* command);
    void draw(const Shape& shape);
    Gl& gl();
    /// Runs it unless something has failed before.
    template <typename Work>
    void attempt(const Work& work);
    std::uint32_t color(const plot::RasterPlan& plan, const plot::LiveCells& cells);
    /// Waits for it once a frame; nothing where its engine is gone.
    std::optional<gpu::BufferRange> published(const DeviceTensor& tensor);

    std::unique_ptr<Gl> gl_;
    std::vector<Picture> pictures_;
    std::deque<Queued> queued_;                               ///< in this frame's lists
    std::map<Buffer, std::optional<gpu::BufferRange>> read_;  ///< by this frame
    std::deque<UnderWay> under_way_;
    std::int64_t colored_ = 0;
    std::string failure_;
};

}  // namespace ropescope::gui
