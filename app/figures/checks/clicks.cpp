// Answers clicks, keys and the cursor in the checks view.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/checks/list.h"
#include "app/figures/checks/panels.h"
#include "app/plot/number_text.h"
#include "app/plot/rich_text.h"
#include "app/scene/settings.h"

namespace ropescope::figures {
namespace {

using plot::Link;

std::vector<std::string> select(const CheckRow& row) {
    return {"selected_check=" + row.check->id};
}

void add_key(std::vector<Link>& links, Link::Key key, const CheckRow& row) {
    links.push_back({.key = key, .settings = select(row)});
}

}  // namespace

std::vector<Link> check_keys(const CheckList& list) {
    std::vector<Link> links;
    const auto& shown = list.shown;
    const auto at = std::ranges::find(shown, list.selected);
    if (at == shown.end()) {
        return links;
    }
    if (at != shown.begin()) {
        add_key(links, Link::Key::up, **(at - 1));
    }
    if (at + 1 != shown.end()) {
        add_key(links, Link::Key::down, **(at + 1));
    }
    constexpr Index kNotch = 3;  // lines that a notch of the wheel moves
    if (const auto up = std::min<Index>(kNotch, at - shown.begin()); up > 0) {
        add_key(links, Link::Key::wheel_up, **(at - up));
    }
    if (const auto down = std::min<Index>(kNotch, shown.end() - 1 - at); down > 0) {
        add_key(links, Link::Key::wheel_down, **(at + down));
    }
    const auto first_of = [&](Index page) { return list.pages[page][1].row; };
    if (list.page > 0) {
        add_key(links, Link::Key::page_up, *first_of(list.page - 1));
    }
    if (list.page + 1 < std::ssize(list.pages)) {
        add_key(links, Link::Key::page_down, *first_of(list.page + 1));
    }
    if (std::vector<std::string> opens = settings_of(*list.selected->check); !opens.empty()) {
        links.push_back({.key = Link::Key::enter, .settings = std::move(opens)});
    }
    return links;
}

std::vector<plot::Readout> check_readouts(const CheckList& list, const CheckRow* at) {
    const CheckRow* row = at != nullptr ? at : list.selected;
    if (row == nullptr) {
        return {{"listed", "no check"}};
    }
    const bool compared = row->finding && row->finding->bound > 0;
    return {
        {"", row->check->id},
        {"", plot::formula_markup(row->check->title)},
        {"status", status_word(*row)},
        {"measured / bound",
         compared ? plot::few_digits_text(row->finding->measured / row->finding->bound, 3) : "–"}};
}

Scene listing_all(const Scene& scene) {
    return apply_settings(scene, {"check_family=all", "check_status=all", "check_filter=*"});
}

Scene after_check_click(const CheckList& list, const CheckRow* at, const Scene& scene) {
    if (at == nullptr) {
        return scene;
    }
    if (at == list.selected) {
        return apply_settings(scene, settings_of(*at->check));
    }
    // A check that the filters hide could not be selected, so the filters are cleared.
    return apply_settings(list.shows(*at) ? scene : listing_all(scene), select(*at));
}

}  // namespace ropescope::figures
