// Answers clicks, keys and the cursor in the checks view, and writes its numbers.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "app/figures/checks/checks.h"
#include "app/figures/shared/text.h"
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
    return {{"", row->check->id},
            {"", plot::formula_markup(row->check->title)},
            {"status", status_word(*row)},
            {"measured / bound",
             compared ? plot::few_digits_text(row->finding->measured / row->finding->bound, 3)
                      : std::string("–")}};
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

namespace {

std::string padded(const std::string& text, std::size_t width) {
    return fmt::format("{:<{}}", text, width);
}

}  // namespace

plot::DataTable checks_data(const CheckList& list) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> id, family, title, status, source, statement, detail, figure;
    std::vector<double> measured, bound;
    for (const CheckRow* row : list.shown) {
        id.push_back(row->check->id);
        family.emplace_back(family_of(row->check->id));
        title.push_back(row->check->title);
        status.emplace_back(row->finding ? to_string(row->finding->status) : "not run");
        measured.push_back(row->is_measured() ? row->finding->measured : kNone);
        bound.push_back(row->is_measured() ? row->finding->bound : kNone);
        source.push_back(row->check->source);
        statement.push_back(row->check->statement);
        detail.push_back(row->finding ? row->finding->detail : "");
        figure.push_back(row->check->figure);
    }
    return {{{"id", std::move(id)},
             {"family", std::move(family)},
             {"title", std::move(title)},
             {"status", std::move(status)},
             {"measured", std::move(measured)},
             {"bound", std::move(bound)},
             {"source", std::move(source)},
             {"statement", std::move(statement)},
             {"detail", std::move(detail)},
             {"figure", std::move(figure)}}};
}

plot::Text checks_report(const CheckList& list) {
    std::size_t width = 0;
    for (const CheckRow* row : list.shown) {
        width = std::max(width, row->check->id.size());
    }
    plot::Text text;
    std::string family;
    for (const CheckRow* row : list.shown) {
        if (family_of(row->check->id) != family) {
            family = family_of(row->check->id);
            text += "\n" + family + "\n";
        }
        const std::string numbers =
            row->is_measured() ? fmt::format("{:8.2e} {} {:8.2e}", row->finding->measured,
                                             row->finding->status == Status::passed ? "<=" : "> ",
                                             row->finding->bound)
                               : "";
        text += fmt::format("  {}{} {}  {}  {}\n", row == list.selected ? "> " : "  ",
                            padded(status_word(*row), 4), padded(row->check->id, width),
                            padded(numbers, 20), row->check->title);
    }
    if (list.selected != nullptr) {
        const Check& check = *list.selected->check;
        text += "\n" + plot::say("> {}", check.id) +
                fmt::format("\n  states: {}\n  source: {}\n", check.statement, check.source);
        if (list.selected->finding) {
            text += "  found: " + list.selected->finding->detail + "\n";
        }
        text += check.figure.empty() ? "" : "  shown by: ropescope figure " + check.figure + "\n";
    }
    return text;
}

}  // namespace ropescope::figures
