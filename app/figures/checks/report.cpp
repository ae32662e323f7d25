// Writes the checks view as CSV columns and as a report.
#include <fmt/format.h>
#include <limits>

#include "app/figures/checks/panels.h"
#include "app/figures/text.h"

namespace ropescope::figures {
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

std::string checks_report(const CheckList& list) {
    std::size_t width = 0;
    for (const CheckRow* row : list.shown) {
        width = std::max(width, row->check->id.size());
    }
    std::string text, family;
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
        text += fmt::format("\n> {}\n  states: {}\n  source: {}\n", check.id, check.statement,
                            check.source);
        if (list.selected->finding) {
            text += "  found: " + list.selected->finding->detail + "\n";
        }
        text += check.figure.empty() ? "" : "  shown by: ropescope figure " + check.figure + "\n";
    }
    return text;
}

}  // namespace ropescope::figures
