// Loads the faces into ImGui's atlas at the sizes that are drawn.
#include "app/gui/toolkit/fonts.h"

#include <cmath>
#include <cstdlib>
#include <imgui.h>
#include <imgui_freetype.h>

#include "app/plot/faces.h"
#include "core/base/index.h"

namespace ropescope::gui {
namespace {

// ImGui and FreeType count a size from the ascender to the descender; DejaVu's are 0.928 and 0.236
// of the em square.
constexpr double kLinePerEm = 1.164;

/// The characters of the compiled-in faces in ImGui's form: first and last of each range, and a 0.
const std::vector<ImWchar>& glyph_ranges() {
    static const auto ranges = [] {
        std::vector<ImWchar> pairs;
        for (const auto& [first, last] : plot::face_characters()) {
            pairs.push_back(narrow<ImWchar>(std::uint32_t{first}));
            pairs.push_back(narrow<ImWchar>(std::uint32_t{last}));
        }
        pairs.push_back(0);
        return pairs;
    }();
    return ranges;
}

ImFont* add_font(ImFontAtlas& atlas, plot::Face face, int line_px) {
    const std::string_view bytes = plot::face_bytes(face);
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.EllipsisChar = 0x2026;
    config.FontDataOwnedByAtlas = false;  // so ImGui only reads them
    return atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), narrow<int>(bytes.size()),
                                      static_cast<float>(line_px), &config, glyph_ranges().data());
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
        loaded_[key] = add_font(*atlas, key.first, key.second);
    }
    wanted_.clear();
    atlas->Build();
    return true;
}

}  // namespace ropescope::gui
