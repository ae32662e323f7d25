// The values under the cursor, at the lower end of the controls where they stay in sight.
#include <algorithm>

#include "app/gui/panels/panels.h"
#include "core/base/index.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 24, kTop = 10, kHeading = 26, kRow = 20, kBottom = 12;
constexpr double kMostOfPanel = 0.45;

/// The point under the cursor, else the middle of the selected panel.
std::optional<Hover> readout_place(const plot::Figure& figure, const std::optional<Hover>& hover) {
    if (hover) {
        return hover;
    }
    const auto selected = std::ranges::find(figure.panels, true, &plot::Panel::selected);
    if (selected == figure.panels.end()) {
        return std::nullopt;
    }
    return Hover{
        selected->id,
        {(selected->x.min + selected->x.max) / 2, (selected->y.min + selected->y.max) / 2}};
}

}  // namespace

double readouts_height(const Ui& ui) {
    const double rows = to_double(std::max<std::int64_t>(1, ui.state().shown.readout_rows));
    const double needed = kTop + kHeading + kRow * rows + kBottom;
    return std::min(ui.px(needed), ui.regions.controls.height * kMostOfPanel);
}

void draw_readouts(const Ui& ui, plot::Rect area, const std::optional<Hover>& hover) {
    ui.rule({area.x + ui.px(kSide), area.y}, area.width - 2 * ui.px(kSide), false);
    // Values belong to the scene of the figure, not to one that a control has changed and that may
    // be invalid.
    const plot::Figure* figure = ui.state().shown.current();
    if (figure == nullptr) {
        return;
    }
    const std::optional<Hover> place = readout_place(*figure, hover);
    std::vector<plot::Readout> values;
    if (place) {
        values = ui.state().shown.picture->readouts_at(place->panel, place->at);
    }
    const Surface surface(ui, "readouts", area, Surface::Kind::child);
    plot::Rect row{surface.origin().x + ui.px(kSide), surface.origin().y + ui.px(kTop),
                   area.width - 2 * ui.px(kSide), ui.px(kRow)};
    ui.text(row, upper_case(hover || values.empty() ? "Under the cursor" : "Selected"),
            ui.small(plot::Role::dim));
    row.y += ui.px(kHeading);
    if (values.empty()) {
        ui.text(row, "Move the mouse over the figure.", ui.caption(plot::Role::dim));
    }
    const plot::TextStyle mono = ui.mono(plot::Role::text, ui.theme.small_px);
    for (const plot::Readout& readout : values) {
        const double used = ui.text(row, readout.value, mono, 1);
        ui.text({row.x, row.y, row.width - used - ui.px(8), row.height}, readout.name,
                ui.style(plot::Role::dim, ui.theme.small_px));
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
}

}  // namespace ropescope::gui
