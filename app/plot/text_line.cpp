// Lays out one line of text with Pango.
#include "app/plot/text_line.h"

#include <array>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <span>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "app/plot/faces.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/processors.h"
#include "core/base/write_file.h"

namespace ropescope::plot {
namespace {

using Font = std::unique_ptr<PangoFontDescription, FreedBy<pango_font_description_free>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, FreedBy<cairo_font_options_destroy>>;

}  // namespace

namespace {

/// The first warning of Pango in this thread; empty: none. Pango warns where it cannot open a file
/// of a font, and goes on with boxes or with the letters of another font.
std::string& warning_of_pango() {
    thread_local std::string warning;
    return warning;
}

/// GLib ends the process where it gets no memory and no thread. The program tells its own reason
/// instead, as last_words.h says.
[[noreturn]] void end_for_glib(std::string_view text) {
    try {
        throw CapabilityError(
            fmt::format("letters cannot be drawn: {}; raise the limits of processes and memory "
                        "(ulimit -u, ulimit -v)",
                        printable(text)));
    } catch (const CapabilityError&) {
        std::terminate();
    }
}

GLogWriterOutput keep_warning(GLogLevelFlags level, const GLogField* fields, gsize count,
                              void* /*unused*/) {
    std::string_view domain, text;
    for (const GLogField& field : std::span(fields, count)) {
        const std::string_view key = field.key;
        if (key == "GLIB_DOMAIN" || key == "MESSAGE") {
            (key == "MESSAGE" ? text : domain) = static_cast<const char*>(field.value);
        }
    }
    if ((level & G_LOG_LEVEL_ERROR) != 0) {
        end_for_glib(text);
    }
    if (domain != "Pango" || (level & G_LOG_LEVEL_WARNING) == 0) {
        return g_log_writer_default(level, fields, count, nullptr);
    }
    if (warning_of_pango().empty()) {
        warning_of_pango() = text;
    }
    return G_LOG_WRITER_HANDLED;
}

/// Pango starts a thread for its fonts, and ends the process if it cannot; there fontconfig reads
/// its files, and does not bear that memory ends meanwhile. Warnings of Pango's are ours to tell.
cairo_t* with_pango(cairo_t* context) {
    [[maybe_unused]] static const bool ready = [] {
        require_thread("letters");
        constexpr std::size_t kRoom = std::size_t{64} << 20;
        require_addresses(kRoom);
        g_log_set_writer_func(keep_warning, nullptr, nullptr);
        return true;
    }();
    return context;
}

}  // namespace

TextLine::TextLine(cairo_t* context, std::string family)
    : layout_(pango_cairo_create_layout(with_pango(context))), family_(std::move(family)) {
    // Unhinted outlines in grey give the same glyphs at every place and on every machine.
    const FontOptions options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    PangoContext* pango = pango_layout_get_context(layout_.get());
    pango_cairo_context_set_font_options(pango, options.get());
    pango_cairo_context_set_resolution(pango, 96);
    pango_context_set_round_glyph_positions(pango, FALSE);
    pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
}

void TextLine::set(std::string_view text, const TextStyle& style) {
    const Font font(pango_font_description_new());
    const char* const own = pango_family(style.face);  // also makes the faces known
    pango_font_description_set_family_static(font.get(), family_.empty() ? own : family_.c_str());
    pango_font_description_set_weight(
        font.get(), style.face == Face::bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font.get(), style.size_px * PANGO_SCALE);
    pango_layout_set_font_description(layout_.get(), font.get());
    warning_of_pango().clear();
    pango_layout_set_text(layout_.get(), text.data(), narrow<int>(text.size()));
    size();  // lays out, which opens the fonts
    if (const std::string& warning = warning_of_pango(); !warning.empty()) {
        throw std::runtime_error(fmt::format(
            "figure: its letters cannot be drawn, because the file of their font cannot "
            "be opened (Pango: {}); raise the limit of open files, or choose another "
            "font by --font",
            printable(warning)));
    }
}

Pixel TextLine::size() const {
    int width = 0;
    int height = 0;
    pango_layout_get_size(layout_.get(), &width, &height);
    return {pango_units_to_double(width), pango_units_to_double(height)};
}

double TextLine::baseline() const {
    return pango_units_to_double(pango_layout_get_baseline(layout_.get()));
}

// Makes the fonts that are compiled in known to fontconfig.

namespace {

/// Names that nothing else on a system has, in the order of Face.
constexpr std::array<const char*, 3> kFamilies = {"ropescope Sans", "ropescope Sans",
                                                  "ropescope Mono"};

/// Replaces the family of the font in the file `path`, which fontconfig has just read.
void rename_family(const std::string& path, const char* family) {
    const FcFontSet* fonts = FcConfigGetFonts(nullptr, FcSetApplication);
    for (int i = 0; fonts != nullptr && i < fonts->nfont; ++i) {
        FcPattern* font = fonts->fonts[i];
        FcChar8* file = nullptr;
        if (FcPatternGetString(font, FC_FILE, 0, &file) == FcResultMatch &&
            path == reinterpret_cast<const char*>(file)) {
            FcPatternDel(font, FC_FAMILY);
            FcPatternAddString(font, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
        }
    }
}

/// Whether fontconfig has read the file; then its family is known by our name.
bool add_file(const std::string& path, Face face) {
    if (FcConfigAppFontAddFile(nullptr, reinterpret_cast<const FcChar8*>(path.c_str())) != FcTrue) {
        return false;
    }
    rename_family(path, kFamilies[static_cast<std::size_t>(face)]);
    return true;
}

/// A file in memory, which stays open until the process ends. False on a system that has no such
/// files or no /proc.
bool add_in_memory(Face face) {
    const std::string_view bytes = face_bytes(face);
    const int memory = ::memfd_create("ropescope font", MFD_CLOEXEC);
    return memory >= 0 && ::write(memory, bytes.data(), bytes.size()) == std::ssize(bytes) &&
           add_file(fmt::format("/proc/self/fd/{}", memory), face);
}

/// fontconfig reads files only, and so does Pango later: what it was given must stay until the
/// process ends. Throws InputError.
void add_to_fontconfig(Face face) {
    static std::deque<TemporaryFile> files;  // removed at the end of the process
    if (add_in_memory(face)) {
        return;
    }
    TemporaryFile& file = files.emplace_back(temporary_folder() / "ropescope-font.ttf");
    const std::string_view bytes = face_bytes(face);
    if (::write(file.descriptor(), bytes.data(), bytes.size()) != std::ssize(bytes) ||
        !add_file(file.path().string(), face)) {
        throw InputError(fmt::format(
            "{}: the letters of the picture cannot be written there; name another folder in TMPDIR",
            printable(temporary_folder().string())));
    }
}

}  // namespace

const char* pango_family(Face face) {
    [[maybe_unused]] static const bool known = [] {
        for (const Face each : {Face::regular, Face::bold, Face::mono}) {
            add_to_fontconfig(each);
        }
        return true;
    }();
    return face == Face::mono ? "ropescope Mono,DejaVu Sans Mono" : "ropescope Sans,DejaVu Sans";
}

namespace {

/// Characters that a chosen font does not have come from the compiled-in one.
constexpr const char* kRest = ",ropescope Sans,DejaVu Sans";

/// Makes the font of a file known under a name that nothing else has, and returns what it calls
/// itself.
std::string add_font_file(const std::string& path) {
    int fonts = 0;
    const auto* file = reinterpret_cast<const FcChar8*>(path.c_str());
    FcPattern* const font = FcFreeTypeQuery(file, 0, nullptr, &fonts);
    FcChar8* family = nullptr;
    if (font == nullptr || FcPatternGetString(font, FC_FAMILY, 0, &family) != FcResultMatch ||
        FcConfigAppFontAddFile(nullptr, file) != FcTrue) {
        throw InputError(
            fmt::format("--font: {} is not a font that can be read; give a .ttf or .otf file",
                        in_quotes(path)));
    }
    std::string name = reinterpret_cast<const char*>(family);
    FcPatternDestroy(font);
    rename_family(path, "ropescope chosen");
    pango_cairo_font_map_set_default(nullptr);  // the next one sees the new font
    return name;
}

}  // namespace

ChosenFont chosen_font(std::string_view font) {
    pango_family(Face::regular);  // makes the compiled-in faces known
    if (font == "sans") {
        return {"", "DejaVu Sans,Verdana,sans-serif"};
    }
    if (font == "serif") {
        const std::string serif =
            "STIX Two Text,TeX Gyre Termes,Liberation Serif,Times New Roman,Times";
        return {serif + ",DejaVu Serif,serif" + kRest, serif + ",serif"};
    }
    const std::string family = add_font_file(std::string(font));
    return {std::string("ropescope chosen") + kRest, family + ",sans-serif"};
}

}  // namespace ropescope::plot
