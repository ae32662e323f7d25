// The painter, the theme and the scale, which every drawing function needs, as one value.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/plot/painter.h"

namespace ropescope::plot {

struct Pen {
    Painter& painter;
    const Theme& theme;
    double scale = 1;

    double px(double units) const { return units * scale; }
    /// A width in whole pixels, at least one, so that hairlines stay sharp.
    double hairline() const { return std::max(1.0, std::floor(theme.thin_px * scale)); }
    Color color(Role role) const { return theme[role]; }
    /// The role's colour for words.
    Color ink(Role role) const { return word_color(theme, role); }

    TextStyle title() const { return {Face::bold, px(theme.title_px), color(Role::text)}; }
    TextStyle panel_title() const { return {Face::bold, px(theme.caption_px), color(Role::text)}; }
    TextStyle caption(Role role = Role::dim) const {
        return {Face::regular, px(theme.caption_px), ink(role)};
    }
    TextStyle small(Role role = Role::dim) const {
        return {Face::regular, px(theme.small_px), ink(role)};
    }
    TextStyle mono(Role role = Role::dim) const {
        return {Face::mono, px(theme.small_px), ink(role)};
    }
    double line_height(const TextStyle& style) const { return painter.text_size("x", style).y; }
};

}  // namespace ropescope::plot
