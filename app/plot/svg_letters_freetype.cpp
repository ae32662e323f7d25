// In place of svg_letters.cpp where there is no Pango: one glyph behind the other, unhinted, from
// the faces that are compiled in.
#include <fmt/format.h>
#include <ft2build.h>
#include <iterator>
#include <map>
#include <stdexcept>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "app/plot/faces.h"
#include "app/plot/svg_letters.h"
#include "app/plot/svg_text.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::plot {
namespace {

/// Where the points of an outline go: units of the face become pixels of the picture.
struct OutlinePen {
    std::string commands;
    Pixel origin;
    double scale;

    void step(char command, std::initializer_list<const FT_Vector*> points) {
        commands += command;
        const char* between = "";
        for (const FT_Vector* point : points) {
            fmt::format_to(std::back_inserter(commands), "{}{} {}", between,
                           svg_number(origin.x + static_cast<double>(point->x) * scale, 2),
                           svg_number(origin.y - static_cast<double>(point->y) * scale, 2));
            between = " ";
        }
    }
};

OutlinePen& pen_of(void* user) {
    return *static_cast<OutlinePen*>(user);
}

int move_to(const FT_Vector* to, void* pen) {
    if (!pen_of(pen).commands.empty()) {
        pen_of(pen).commands += 'Z';
    }
    pen_of(pen).step('M', {to});
    return 0;
}
int line_to(const FT_Vector* to, void* pen) {
    pen_of(pen).step('L', {to});
    return 0;
}
int conic_to(const FT_Vector* control, const FT_Vector* to, void* pen) {
    pen_of(pen).step('Q', {control, to});
    return 0;
}
int cubic_to(const FT_Vector* first, const FT_Vector* second, const FT_Vector* to, void* pen) {
    pen_of(pen).step('C', {first, second, to});
    return 0;
}

}  // namespace

struct SvgLetters::State {
    FT_Library library = nullptr;
    std::map<Face, FT_Face> faces;
    std::u32string text;
    FT_Face face = nullptr;
    std::string family;
    double scale = 0;  ///< pixels for each unit of the face

    State() {
        if (FT_Init_FreeType(&library) != 0) {
            throw std::runtime_error("figure: FreeType does not start");
        }
    }
    ~State() {
        for (const auto& [name, opened] : faces) {
            FT_Done_Face(opened);
        }
        FT_Done_FreeType(library);
    }
    FT_Face open(Face name) {
        FT_Face& opened = faces[name];
        const std::string_view bytes = face_bytes(name);
        if (opened == nullptr &&
            FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                               static_cast<FT_Long>(bytes.size()), 0, &opened) != 0) {
            throw std::runtime_error("figure: FreeType does not read the font");
        }
        return opened;
    }
    /// Calls `use` with the place of each glyph, in units, and returns the line's width.
    template <typename Use>
    double walk(Use use) const {
        double at = 0;
        for (const char32_t letter : text) {
            FT_Load_Glyph(face, FT_Get_Char_Index(face, letter), FT_LOAD_NO_SCALE);
            use(at);
            at += static_cast<double>(face->glyph->advance.x);
        }
        return at;
    }
};

/// Letters of a serif font are as wide as the compiled-in ones here; the SVG gives lines of text
/// their length.
SvgLetters::SvgLetters(std::string_view font) : state_(std::make_unique<State>()) {
    if (font != "sans" && font != "serif") {
        throw CapabilityError("export: ropescope reads no fonts here; choose sans or serif");
    }
    state_->family = font == "serif" ? "Liberation Serif,Times New Roman,Times,serif"
                                     : "DejaVu Sans,Verdana,sans-serif";
}
SvgLetters::~SvgLetters() = default;

void SvgLetters::set(std::string_view text, const TextStyle& style) {
    state_->text = code_points(text);
    state_->face = state_->open(style.face);
    state_->scale = style.size_px / state_->face->units_per_EM;
}

Pixel SvgLetters::size() const {
    const FT_Face face = state_->face;
    return {state_->walk([](double) {}) * state_->scale,
            (face->ascender - face->descender) * state_->scale};
}

const std::string& SvgLetters::family() const {
    return state_->family;
}

double SvgLetters::baseline() const {
    return state_->face->ascender * state_->scale;
}

std::string SvgLetters::outlines(Pixel at) const {
    const FT_Outline_Funcs steps = {move_to, line_to, conic_to, cubic_to, 0, 0};
    std::string commands;
    state_->walk([&](double units) {
        OutlinePen pen{"", {at.x + units * state_->scale, at.y + baseline()}, state_->scale};
        FT_Outline_Decompose(&state_->face->glyph->outline, &steps, &pen);
        commands += pen.commands + (pen.commands.empty() ? "" : "Z");
    });
    return commands;
}

}  // namespace ropescope::plot
