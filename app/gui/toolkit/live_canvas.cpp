// Draws heat maps and points from buffers that an engine has published.
#include "app/gui/toolkit/live_canvas.h"

#include <algorithm>
#include <array>
#include <bit>
#include <epoxy/gl.h>
#include <imgui.h>
#include <optional>
#include <utility>

#include "app/gui/toolkit/textures.h"
#include "core/base/error.h"
#include "core/gpu/heat_map.h"
#include "core/gpu/parameters.h"

namespace ropescope::gui {
namespace {

using gpu::BufferRange;

std::vector<gpu::PixelCells> narrow(const std::vector<plot::CellRange>& ranges) {
    std::vector<gpu::PixelCells> cells;
    cells.reserve(ranges.size());
    for (const plot::CellRange& range : ranges) {
        cells.push_back({static_cast<std::uint32_t>(range.begin),
                         static_cast<std::uint32_t>(range.end), range.first, range.last});
    }
    return cells;
}

std::uint32_t bits_of(plot::Color color) {
    return std::bit_cast<std::uint32_t>(color);
}

void copy(plot::Color color, float (&to)[4]) {
    const std::array channels = {color.r, color.g, color.b, color.a};
    std::ranges::transform(channels, to,
                           [](std::uint8_t channel) { return static_cast<float>(channel) / 255; });
}
void copy(plot::Pixel pixel, float (&to)[2]) {
    to[0] = static_cast<float>(pixel.x);
    to[1] = static_cast<float>(pixel.y);
}

bool same(const plot::LiveCells& a, const plot::LiveCells& b) {
    return a.tensor.buffer == b.tensor.buffer && a.layout == b.layout;
}

/// Makes a texture of pixels on the device, without reading them.
std::uint32_t texture_of(gpu::GlBuffer& pixels, std::int64_t width, std::int64_t height) {
    glMemoryBarrier(GL_PIXEL_BUFFER_BARRIER_BIT);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, pixels.all().name);
    const std::uint32_t texture = make_texture(width, height, nullptr);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return texture;
}

/// Sets the part of the framebuffer that the command may draw on, as ImGui's renderer does for its
/// own commands.
void set_scissor(const ImDrawCmd& command, const ImDrawData& frame) {
    const float x = (command.ClipRect.x - frame.DisplayPos.x) * frame.FramebufferScale.x;
    const float y = (command.ClipRect.y - frame.DisplayPos.y) * frame.FramebufferScale.y;
    const float right = (command.ClipRect.z - frame.DisplayPos.x) * frame.FramebufferScale.x;
    const float bottom = (command.ClipRect.w - frame.DisplayPos.y) * frame.FramebufferScale.y;
    const float height = frame.DisplaySize.y * frame.FramebufferScale.y;
    glScissor(static_cast<GLint>(x), static_cast<GLint>(height - bottom),
              static_cast<GLsizei>(std::max(0.0F, right - x)),
              static_cast<GLsizei>(std::max(0.0F, bottom - y)));
}

bool is_over(void* fence) {
    return glClientWaitSync(static_cast<GLsync>(fence), 0, 0) != GL_TIMEOUT_EXPIRED;
}

}  // namespace

/// What we keep in the window's own context to compute and to draw.
struct LiveCanvas::Gl {
    gpu::Device device;
    GLuint vertices = 0, parameters = 0;

    Gl() {
        glGenVertexArrays(1, &vertices);
        glGenBuffers(1, &parameters);
    }
    ~Gl() {
        glDeleteVertexArrays(1, &vertices);
        glDeleteBuffers(1, &parameters);
    }
    Gl(const Gl&) = delete;
    Gl& operator=(const Gl&) = delete;
};

LiveCanvas::LiveCanvas() = default;

LiveCanvas::~LiveCanvas() {
    for (const Picture& picture : pictures_) {
        glDeleteTextures(1, &picture.texture);
    }
    for (const UnderWay& frame : under_way_) {
        glDeleteSync(static_cast<GLsync>(frame.drawn));
    }
}

LiveCanvas::Gl& LiveCanvas::gl() {
    if (!gl_) {
        gl_ = std::make_unique<Gl>();
    }
    return *gl_;
}

template <typename Work>
void LiveCanvas::attempt(const Work& work) {
    if (!failure_.empty()) {
        return;
    }
    try {
        work();
    } catch (const CapabilityError& error) {
        failure_ = error.what();
    }
}

std::uint32_t LiveCanvas::heat_map(const plot::RasterPlan& plan, const plot::LiveCells& cells) {
    const auto known = std::ranges::find_if(pictures_, [&](const Picture& picture) {
        return same(picture.cells, cells) && picture.plan == plan;
    });
    if (known != pictures_.end()) {
        known->shown = true;
        return known->texture;
    }
    std::uint32_t texture = 0;
    attempt([&] { texture = color(plan, cells); });
    if (texture != 0) {
        pictures_.push_back({plan, cells, texture, true});
        ++colored_;
    }
    return texture;
}

std::uint32_t LiveCanvas::color(const plot::RasterPlan& plan, const plot::LiveCells& cells) {
    const std::optional<BufferRange> values = published(cells.tensor);
    if (!values || plan.columns.empty() || plan.rows.empty()) {
        return 0;
    }
    std::vector<std::uint32_t> shades;
    std::ranges::transform(plan.shades, std::back_inserter(shades), bits_of);
    const auto pixels = gpu::heat_map_pixels(
        gl().device, *values, cells.layout, narrow(plan.columns), narrow(plan.rows),
        {shades, bits_of(plan.undefined), plan.low, plan.high});
    return texture_of(*pixels, std::ssize(plan.columns), std::ssize(plan.rows));
}

void LiveCanvas::add(ImDrawList& list, const Shape& shape) {
    queued_.push_back({this, shape});
    list.AddCallback(draw_queued, &queued_.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void LiveCanvas::draw_queued(const ImDrawList* /*list*/, const ImDrawCmd* command) {
    const Queued& queued = *static_cast<const Queued*>(command->UserCallbackData);
    set_scissor(*command, *ImGui::GetDrawData());
    queued.canvas->attempt([&] { queued.canvas->draw(queued.shape); });
}

void LiveCanvas::draw(const Shape& shape) {
    const std::optional<BufferRange> values = published(shape.points.tensor);
    if (!values || shape.points.count == 0) {
        return;
    }
    gpu::LivePointsParameters parameters{};
    const ImDrawData& frame = *ImGui::GetDrawData();
    copy({frame.DisplayPos.x, frame.DisplayPos.y}, parameters.display_origin);
    copy({frame.DisplaySize.x, frame.DisplaySize.y}, parameters.display_size);
    copy(shape.placement.origin, parameters.origin);
    copy(shape.placement.unit, parameters.unit);
    copy(shape.from, parameters.from);
    parameters.extent = static_cast<float>(shape.extent);
    parameters.width = static_cast<float>(shape.width);
    copy(shape.first, parameters.color_first);
    copy(shape.last, parameters.color_last);
    parameters.count = static_cast<std::uint32_t>(shape.points.count);

    glUseProgram(
        gl().device.programs.get_drawing(shape.arrow ? "shaders/live_arrow" : "shaders/live_dots"));
    glBindBuffer(GL_UNIFORM_BUFFER, gl().parameters);
    glBufferData(GL_UNIFORM_BUFFER, sizeof parameters, &parameters, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl().parameters);
    glBindVertexArray(gl().vertices);
    constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
    glBindVertexBuffer(0, values->name, values->offset_bytes + shape.points.first * kFloat,
                       static_cast<GLsizei>(shape.points.step * kFloat));
    glVertexAttribFormat(0, 2, GL_FLOAT, GL_FALSE, 0);
    glVertexAttribBinding(0, 0);
    glVertexBindingDivisor(0, 1);
    glEnableVertexAttribArray(0);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(shape.points.count));
}

std::optional<BufferRange> LiveCanvas::published(const DeviceTensor& tensor) {
    const auto known = read_.find(tensor.buffer);
    return known != read_.end()
               ? known->second
               : read_.emplace(tensor.buffer, gpu::buffer_of(tensor).published()).first->second;
}

void LiveCanvas::end_frame() {
    std::erase_if(pictures_, [](Picture& picture) {
        if (!picture.shown) {
            glDeleteTextures(1, &picture.texture);
        }
        return !std::exchange(picture.shown, false);
    });
    queued_.clear();
    if (!read_.empty()) {
        UnderWay frame{glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), {}};
        for (const auto& [buffer, range] : read_) {
            frame.read.push_back(buffer);
        }
        under_way_.push_back(std::move(frame));
        read_.clear();
    }
    while (!under_way_.empty() && is_over(under_way_.front().drawn)) {
        glDeleteSync(static_cast<GLsync>(under_way_.front().drawn));
        under_way_.pop_front();
    }
}

}  // namespace ropescope::gui
