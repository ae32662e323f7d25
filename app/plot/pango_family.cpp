// Makes the fonts that are compiled in known to fontconfig.
#include "app/plot/pango_family.h"

#include <array>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "app/plot/faces.h"

namespace ropescope::plot {
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

/// fontconfig reads files only, and so does Pango later: a file in memory stays open until the
/// process ends. A system that has no such files or no /proc falls back to its own fonts.
void add_to_fontconfig(Face face) {
    const std::string_view bytes = face_bytes(face);
    const int memory = ::memfd_create("ropescope font", MFD_CLOEXEC);
    if (memory < 0 || ::write(memory, bytes.data(), bytes.size()) != std::ssize(bytes)) {
        return;
    }
    const std::string path = fmt::format("/proc/self/fd/{}", memory);
    if (FcConfigAppFontAddFile(nullptr, reinterpret_cast<const FcChar8*>(path.c_str())) == FcTrue) {
        rename_family(path, kFamilies[static_cast<std::size_t>(face)]);
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

}  // namespace ropescope::plot
