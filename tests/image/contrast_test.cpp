// The contrast of every word of every figure on the pixels that it really stands on.
#include <algorithm>
#include <cairo.h>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "app/figures/view.h"
#include "app/plot/cairo_painter.h"
#include "app/plot/draw_figure.h"
#include "app/plot/text_line.h"

namespace ropescope::test {
namespace {

/// Draws with Cairo, and before each word looks at the pixels where it will stand.
class GroundPainter : public plot::Painter {
  public:
    struct Word {
        std::string text;
        double contrast = 0;
    };
    std::vector<Word> words;

    GroundPainter(int width, int height)
        : width_(width),
          height_(height),
          surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
          context_(cairo_create(surface_.get())),
          painter_(context_.get(), false) {}

    void line(plot::Pixel from, plot::Pixel to, plot::Color color, double width) override {
        painter_.line(from, to, color, width);
    }
    void polyline(std::span<const plot::Pixel> points, plot::Color color, double width) override {
        painter_.polyline(points, color, width);
    }
    void polygon(std::span<const plot::Pixel> points, plot::Color fill) override {
        painter_.polygon(points, fill);
    }
    void circle(plot::Pixel center, double radius, plot::Color fill) override {
        painter_.circle(center, radius, fill);
    }
    void fill_rect(plot::Rect rect, plot::Color fill, double corner) override {
        painter_.fill_rect(rect, fill, corner);
    }
    void stroke_rect(plot::Rect rect, plot::Color color, double width, double corner) override {
        painter_.stroke_rect(rect, color, width, corner);
    }
    void text(plot::Pixel at, std::string_view text, const plot::TextStyle& style) override {
        const plot::Pixel size = painter_.text_size(text, style);
        if (const auto ground = most_common({at.x, at.y, size.x, size.y})) {
            words.push_back({std::string(text), plot::contrast_ratio(style.color, *ground)});
        }
        painter_.text(at, text, style);
    }
    plot::Pixel text_size(std::string_view text, const plot::TextStyle& style) override {
        return painter_.text_size(text, style);
    }
    void image(plot::Rect rect, const plot::ImageView& image) override {
        painter_.image(rect, image);
    }
    void push_clip(plot::Rect rect) override { painter_.push_clip(rect); }
    void pop_clip() override { painter_.pop_clip(); }

  private:
    /// Of the pixels of the picture; a line that crosses them is not their ground.
    std::optional<plot::Color> most_common(plot::Rect where) {
        cairo_surface_flush(surface_.get());
        const unsigned char* data = cairo_image_surface_get_data(surface_.get());
        const int stride = cairo_image_surface_get_stride(surface_.get());
        std::map<std::uint32_t, int> counts;
        for (int y = std::max(0, static_cast<int>(where.y));
             y < std::min<double>(height_, where.y + where.height); ++y) {
            for (int x = std::max(0, static_cast<int>(where.x));
                 x < std::min<double>(width_, where.x + where.width); ++x) {
                std::uint32_t pixel = 0;
                std::memcpy(&pixel, data + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, 4);
                ++counts[pixel & 0xffffffU];
            }
        }
        const auto most =
            std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        return most == counts.end() ? std::nullopt : std::optional(plot::rgb(most->first));
    }

    int width_, height_;
    plot::CairoSurface surface_;
    plot::Context context_;
    plot::CairoPainter painter_;
};

class WordsOfAView : public testing::TestWithParam<std::string> {};

TEST_P(WordsOfAView, CanBeReadOnTheirGround) {
    Scene scene;
    scene.view = GetParam();
    const auto engine = make_cpu_engine(1);
    const plot::Figure figure = figures::make_figure(scene, *engine, {.may_draft = true});
    for (const plot::Theme* theme :
         {&plot::light_theme(), &plot::dark_theme(), &plot::projector_theme()}) {
        GroundPainter painter(1100, 800);
        painter.fill_rect({0, 0, 1100, 800}, (*theme)[plot::Role::background], 0);
        plot::draw_figure(figure, {0, 0, 1100, 800}, *theme, 1, painter);
        EXPECT_GT(painter.words.size(), 10U);
        for (const GroundPainter::Word& word : painter.words) {
            // WCAG 2 level AA asks for 4.5 : 1.
            EXPECT_GE(word.contrast, 4.5) << theme->name << ": " << word.text;
        }
    }
}

std::vector<std::string> ids() {
    std::vector<std::string> ids;
    for (const figures::View& view : figures::views()) {
        ids.push_back(view.id);
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(EveryView, WordsOfAView, testing::ValuesIn(ids()),
                         [](const auto& of) { return of.param; });

TEST(GroundPainter, SeesWhatIsUnderAWord) {
    GroundPainter painter(200, 50);
    painter.fill_rect({0, 0, 200, 50}, plot::rgb(0xffffff), 0);
    painter.text({5, 5}, "grey", {plot::Face::regular, 15, plot::rgb(0x999999)});
    ASSERT_EQ(painter.words.size(), 1U);
    EXPECT_NEAR(painter.words.front().contrast, 2.85, 0.01) << "WCAG's ratio of 999 on white";
}

}  // namespace
}  // namespace ropescope::test
