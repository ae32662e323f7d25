// What clicks and keys do in the checks view.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/checks/panels.h"
#include "app/figures/checks/places.h"
#include "app/figures/checks/view.h"
#include "app/plot/formula_text.h"

namespace ropescope::figures {
namespace {

using plot::Link;

std::vector<std::string> select(const CheckRow& row) {
    return {"selected_check=" + row.check->id};
}

std::vector<plot::Readout> described(const CheckRow& row) {
    std::vector<plot::Readout> readouts = {{"", row.check->id},
                                           {"", plot::formula_markup(row.check->title)},
                                           {"status", status_word(row)}};
    if (row.finding != nullptr && row.finding->bound > 0) {
        readouts.push_back({"measured / bound",
                            fmt::format("{:.3g}", row.finding->measured / row.finding->bound)});
    }
    return readouts;
}

/// A click selects; on the selected one it opens what shows it.
Link area(const CheckList& list, const CheckRow& row, const char* panel, plot::Point low,
          plot::Point high) {
    const std::vector<std::string> opens = settings_of(*row.check);
    const bool open = &row == list.selected && !opens.empty();
    return {.panel = panel,
            .low = low,
            .high = high,
            .settings = open ? opens : select(row),
            .readouts = described(row)};
}

void add_key(std::vector<Link>& links, Link::Key key, const CheckRow& row) {
    links.push_back({.key = key, .settings = select(row)});
}

/// Up and down through what is listed, page by page; neither goes round.
void add_keys(std::vector<Link>& links, const CheckList& list) {
    const auto& shown = list.shown;
    const auto at = std::ranges::find(shown, list.selected);
    if (at == shown.end()) {
        return;
    }
    if (at != shown.begin()) {
        add_key(links, Link::Key::up, **(at - 1));
    }
    if (at + 1 != shown.end()) {
        add_key(links, Link::Key::down, **(at + 1));
    }
    constexpr std::ptrdiff_t kNotch = 3;  // lines that a notch of the wheel moves
    if (const auto up = std::min(kNotch, at - shown.begin()); up > 0) {
        add_key(links, Link::Key::wheel_up, **(at - up));
    }
    if (const auto down = std::min(kNotch, shown.end() - 1 - at); down > 0) {
        add_key(links, Link::Key::wheel_down, **(at + down));
    }
    const auto first_of = [&](std::size_t page) { return list.pages[page][1].row; };
    if (list.page > 0) {
        add_key(links, Link::Key::page_up, *first_of(list.page - 1));
    }
    if (list.page + 1 < list.pages.size()) {
        add_key(links, Link::Key::page_down, *first_of(list.page + 1));
    }
    if (std::vector<std::string> opens = settings_of(*list.selected->check); !opens.empty()) {
        links.push_back({.key = Link::Key::enter,
                         .panel = "detail",
                         .low = {0, 0},
                         .high = {1, 1},
                         .settings = std::move(opens),
                         .readouts = described(*list.selected)});
    }
}

}  // namespace

std::vector<Link> check_links(const CheckList& list, const Scene& scene) {
    std::vector<Link> links;
    add_keys(links, list);
    const std::vector<std::string> everything = {"check_family=all", "check_status=all",
                                                 "check_filter=*"};
    if (list.shown.empty()) {
        links.push_back({.panel = "list",
                         .low = {0, 0},
                         .high = {100, list_height(scene)},
                         .settings = everything});
    }
    const FamilyPlaces places(list);
    for (std::size_t i = 0; i < list.all.size(); ++i) {
        const plot::Point p = places.of(i);
        Link link =
            area(list, list.all[i], "families", {p.x - 0.5, p.y - 0.5}, {p.x + 0.5, p.y + 0.5});
        // One that the filters hide could not be selected: they let go.
        if (std::ranges::find(list.shown, &list.all[i]) == list.shown.end()) {
            link.settings.insert(link.settings.end(), everything.begin(), everything.end());
        }
        links.push_back(std::move(link));
    }
    if (!list.pages.empty()) {
        const std::vector<CheckLine>& lines = list.pages[list.page];
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].row != nullptr) {
                const double y = line_middle(scene, i);
                links.push_back(area(list, *lines[i].row, "list", {0, y - 0.5}, {100, y + 0.5}));
            }
        }
    }
    return links;
}

}  // namespace ropescope::figures
