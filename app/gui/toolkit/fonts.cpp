// Loads DejaVu into ImGui's atlas at the sizes that are drawn.
#include "app/gui/toolkit/fonts.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <string>

#include "core/base/error.h"

namespace ropescope::gui {
namespace {

// ImGui and FreeType count a size from the ascender to the descender; DejaVu's are 0.928 and 0.236
// of the em square.
constexpr double kLinePerEm = 1.164;

// The characters of the program's texts, models' names and formulas. Each glyph costs start-up time
// at every size, so we take whole blocks only if they are short.
// clang-format off
constexpr auto kGlyphs = std::to_array<ImWchar>({
    0x0020, 0x007e, 0x00a0, 0x017f,                  // Latin
    0x0391, 0x03c9, 0x03d1, 0x03d5,                  // Greek
    0x1d40, 0x1d40, 0x2070, 0x209c,                  // raised and lowered
    0x2009, 0x2009, 0x2010, 0x2026, 0x202f, 0x202f,  // spaces and dashes
    0x2190, 0x2193, 0x2202, 0x2202, 0x2206, 0x2207,  // arrows, derivatives
    0x2211, 0x2212, 0x221a, 0x221e, 0x2248, 0x2248, 0x2260, 0x2265,  // sums, comparisons
    0x25a0, 0x25a0, 0x25b2, 0x25cf, 0x2713, 0x2717,  // marks
    0xfffd, 0xfffd, 0,
});
// clang-format on

struct FaceFile {
    const char* file;     ///< where Debian installs it
    const char* pattern;  ///< for fontconfig, elsewhere
};
constexpr auto kFaces = std::to_array<FaceFile>({
    {"DejaVuSans.ttf", "DejaVu Sans:style=Book"},
    {"DejaVuSans-Bold.ttf", "DejaVu Sans:style=Bold"},
    {"DejaVuSansMono.ttf", "DejaVu Sans Mono:style=Book"},
});

/// The path that fontconfig gives for the pattern; empty if it has only a substitute.
std::string ask_fontconfig(const char* pattern) {
    std::string path;
    FcPattern* wanted = FcNameParse(reinterpret_cast<const FcChar8*>(pattern));
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern* match = FcFontMatch(nullptr, wanted, &result);
    FcChar8* file = nullptr;
    if (match != nullptr && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch) {
        path = reinterpret_cast<const char*>(file);
    }
    FcPatternDestroy(match);
    FcPatternDestroy(wanted);
    return path.find("DejaVu") != std::string::npos ? path : "";
}

std::string face_path(plot::Face face) {
    const FaceFile& entry = kFaces[static_cast<std::size_t>(face)];
    // We look in the usual place first, because fontconfig takes tens of milliseconds to read its
    // caches.
    std::string path = std::string("/usr/share/fonts/truetype/dejavu/") + entry.file;
    if (!std::filesystem::exists(path)) {
        path = ask_fontconfig(entry.pattern);
    }
    if (path.empty()) {
        throw CapabilityError(std::string("font: ") + entry.file +
                              " is not installed; install the package fonts-dejavu-core");
    }
    return path;
}

}  // namespace

Fonts::Fonts(double density) : density_(density) {}

double Fonts::line_px(double size_px) const {
    return std::max(1.0, std::round(size_px * density_ * kLinePerEm)) / density_;
}

ImFont* Fonts::get(plot::Face face, double size_px) {
    const Key key{face, static_cast<int>(std::lround(line_px(size_px) * density_))};
    if (const auto found = loaded_.find(key); found != loaded_.end()) {
        return found->second;
    }
    wanted_.insert(key);
    ImFont* nearest = nullptr;
    int distance = 0;
    for (const auto& [have, font] : loaded_) {
        const int apart = std::abs(have.second - key.second) + (have.first == face ? 0 : 1000);
        if (nearest == nullptr || apart < distance) {
            nearest = font;
            distance = apart;
        }
    }
    return nearest;
}

bool Fonts::load_wanted() {
    if (wanted_.empty()) {
        return false;
    }
    for (const auto& [key, font] : loaded_) {
        wanted_.insert(key);
    }
    loaded_.clear();
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    atlas->Clear();
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    for (const Key& key : wanted_) {
        ImFontConfig config;
        config.OversampleH = config.OversampleV = 1;
        config.EllipsisChar = 0x2026;
        loaded_[key] = atlas->AddFontFromFileTTF(
            face_path(key.first).c_str(), static_cast<float>(key.second), &config, kGlyphs.data());
    }
    wanted_.clear();
    atlas->Build();
    return true;
}

}  // namespace ropescope::gui
