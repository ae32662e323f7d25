// Draws tensors that an engine keeps in the memory of the window's device, without copying them.
// Sources: live_canvas.cpp; live_canvas_missing.cpp where there are no compute shaders.
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

/// Made and used with the window's context current. Tensors of an engine that is gone are not
/// drawn, and nothing is drawn once failure() has a reason.
class LiveCanvas {
  public:
    LiveCanvas();
    ~LiveCanvas();
    LiveCanvas(const LiveCanvas&) = delete;
    LiveCanvas& operator=(const LiveCanvas&) = delete;

    /// OpenGL's name of a texture with the picture, valid until the frame has been drawn; 0 if it
    /// cannot be drawn.
    std::uint32_t heat_map(const plot::RasterPlan& plan, const plot::LiveCells& cells);

    /// Points or an arrow, with the arguments of the painter.
    struct Shape {
        plot::LivePoints points;
        plot::Placement placement;
        bool arrow = false;
        plot::Pixel from = {};         ///< of an arrow
        double extent = 0, width = 0;  ///< a dot's radius, an arrow's head and shaft
        plot::Color first = {}, last = {};
    };
    /// Draws the shape when ImGui's renderer comes to this place of the list.
    void add(ImDrawList& list, const Shape& shape);

    /// Called when the frame's lists are drawn. Frees pictures that the frame did not show, and
    /// keeps the tensors that it read until the device has drawn them.
    void end_frame();
    /// Why the window must read the numbers instead, in one line: no OpenGL 4.3, a shader that the
    /// driver refuses, or no memory. Empty while drawing works.
    const std::string& failure() const { return failure_; }
    /// How many pictures were coloured so far; a picture that has not changed is not coloured
    /// again.
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
    /// Runs `work` unless something has failed before.
    template <typename Work>
    void attempt(const Work& work);
    std::uint32_t color(const plot::RasterPlan& plan, const plot::LiveCells& cells);
    /// The tensor's memory, after waiting once a frame for its fence; empty if its engine is gone.
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
