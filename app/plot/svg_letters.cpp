// Lays out letters with Pango and traces them with Cairo.
#include "app/plot/svg_letters.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "app/plot/svg_text.h"
#include "app/plot/text_line.h"

namespace ropescope::plot {

struct SvgLetters::State {
    // Without bounds: Cairo leaves out glyphs that lie far from a surface, from paths too.
    CairoSurface surface{cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr)};
    Context context{cairo_create(surface.get())};
    ChosenFont font;
    TextLine line{context.get(), font.pango};

    explicit State(ChosenFont chosen) : font(std::move(chosen)) {}
};

SvgLetters::SvgLetters(std::string_view font)
    : state_(std::make_unique<State>(chosen_font(font))) {}
SvgLetters::~SvgLetters() = default;

void SvgLetters::set(std::string_view text, const TextStyle& style) {
    state_->line.set(text, style);
}

Pixel SvgLetters::size() const {
    return state_->line.size();
}

const std::string& SvgLetters::family() const {
    return state_->font.family;
}

double SvgLetters::baseline() const {
    return state_->line.baseline();
}

std::string SvgLetters::outlines(Pixel at) const {
    cairo_t* context = state_->context.get();
    cairo_new_path(context);
    cairo_move_to(context, at.x, at.y);
    pango_cairo_layout_path(context, state_->line.layout());
    const std::unique_ptr<cairo_path_t, FreedBy<cairo_path_destroy>> path(cairo_copy_path(context));
    cairo_new_path(context);
    std::string commands;
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        const cairo_path_data_t* step = path->data + i;
        commands += "MLCZ"[step->header.type];
        for (int point = 1; point < step->header.length; ++point) {
            fmt::format_to(std::back_inserter(commands), "{}{} {}", point > 1 ? " " : "",
                           svg_number(step[point].point.x, 2), svg_number(step[point].point.y, 2));
        }
    }
    return commands;
}

}  // namespace ropescope::plot
