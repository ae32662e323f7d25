// Hands out the fonts that are compiled in, and makes them known to fontconfig.
#include "app/plot/faces.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/embedded.h"

namespace ropescope::plot {
namespace {

struct FaceFile {
    const char* name;    ///< of the embedded file
    const char* family;  ///< which nothing else on a system has
};
/// In the order of Face.
constexpr auto kFaces = std::to_array<FaceFile>({
    {"assets/fonts/DejaVuSans.ttf", "ropescope Sans"},
    {"assets/fonts/DejaVuSans-Bold.ttf", "ropescope Sans"},
    {"assets/fonts/DejaVuSansMono.ttf", "ropescope Mono"},
});

const FaceFile& file_of(Face face) {
    return kFaces[static_cast<std::size_t>(face)];
}

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
        rename_family(path, file_of(face).family);
    }
}

}  // namespace

std::string_view face_bytes(Face face) {
    return embedded_file(file_of(face).name).value();
}

const std::vector<std::pair<char32_t, char32_t>>& face_characters() {
    static const auto characters = [] {
        constexpr int kHexadecimal = 16;
        std::vector<std::pair<char32_t, char32_t>> ranges;
        std::string_view text = embedded_file("assets/fonts/characters.txt").value();
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            std::uint32_t first = 0, last = 0;
            const auto dash = std::from_chars(line.begin(), line.end(), first, kHexadecimal);
            if (dash.ec == std::errc()) {  // not a remark
                std::from_chars(dash.ptr + 1, line.end(), last, kHexadecimal);
                ranges.emplace_back(first, last);
            }
        }
        return ranges;
    }();
    return characters;
}

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
