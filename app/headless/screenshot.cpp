// Draws frames until the picture comes to rest.
#include "app/headless/screenshot.h"

#include <png.h>
#include <stdexcept>

#include "app/gui/state/lesson_run.h"
#include "app/headless/offscreen_gui.h"
#include "app/lessons/lesson_checks.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/checks/check_run.h"

namespace ropescope::headless {

Image screenshot(const Scene& scene, Engine& engine, const ScreenshotOptions& options) {
    // The first frame differs: sizes of text are known only after a frame has drawn it.
    constexpr int kMostFrames = 8;
    OffscreenGui gui(scene, engine, options);
    gui.state().shown.progress = options.progress;
    gui.state().presenting = gui.state().hall = options.present;
    if (!options.lesson.empty()) {
        gui::open_lesson(gui.state(), options.lesson);
        gui::show_step(gui.state(), options.step);
    }
    if (gui::shows_checks(scene)) {
        // Nothing waits here, so the picture shows the finished run.
        gui.state().checks = {.phase = gui::ChecksState::Phase::over,
                              .run = run_all_checks(engine, lessons::further_checks())};
    }
    gui.frame();
    Image last;
    for (int i = 0; i < kMostFrames; ++i) {
        gui.frame();
        Image image = gui.read();
        if (!gui.state().shown.error.empty()) {
            throw InputError(gui.state().shown.error);
        }
        if (image.pixels == last.pixels) {
            return image;
        }
        last = std::move(image);
    }
    throw std::runtime_error("screenshot: the picture does not come to rest");
}

// Writes a picture as PNG bytes, declared in screenshot.h.

// Default settings of libpng and no time stamp, so that the same image gives the same bytes.
std::string encode_png(const Image& image) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.pixels.size() * 3);
    for (const plot::Color& pixel : image.pixels) {
        rgb.insert(rgb.end(), {pixel.r, pixel.g, pixel.b});
    }
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = narrow<png_uint_32>(image.width);
    png.height = narrow<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) {
        throw std::runtime_error(std::string("PNG: the picture cannot be encoded: ") + png.message);
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace ropescope::headless
