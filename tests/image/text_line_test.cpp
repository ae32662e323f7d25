// Lines of text that Pango lays out, and what becomes of a font that cannot be opened.
#include "app/plot/text_line.h"

#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

#include "app/plot/faces.h"
#include "core/base/write_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope::plot {
namespace {

/// A text in the font of a file, which `before_use` may remove.
Pixel size_in_font(const std::function<void(const std::filesystem::path&)>& before_use) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder / "letters.ttf";
    write_file_whole(file, face_bytes(Face::regular));
    const CairoSurface surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr));
    const Context context(cairo_create(surface.get()));
    TextLine line(context.get(), chosen_font(file.string()).pango);
    before_use(file);
    line.set("letters", TextStyle{});
    return line.size();
}

TEST(TextLine, IsRefusedWhereItsFontCannotBeOpened) {
    EXPECT_GT(size_in_font([](const auto&) {}).x, 10);
    const auto remove = [](const std::filesystem::path& file) { std::filesystem::remove(file); };
    EXPECT_THAT([&] { size_in_font(remove); },
                testing::ThrowsMessage<std::runtime_error>(
                    testing::AllOf(testing::HasSubstr("its letters cannot be drawn"),
                                   testing::Not(testing::HasSubstr("\n")))));
}

}  // namespace
}  // namespace ropescope::plot
