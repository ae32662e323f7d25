// Lists the checks of a scene, and places them in the panels of their view.
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

#include "app/figures/checks/checks.h"
#include "app/figures/shared/text.h"
#include "app/figures/view.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope::figures {
namespace {

/// A glob over the id; without wildcards also a part of what the check says of itself.
bool says(const Check& check, const std::string& filter) {
    if (glob_matches(filter, check.id)) {
        return true;
    }
    if (filter.find_first_of("*?") != std::string::npos) {
        return false;
    }
    const std::string word = lower_case(filter);
    return std::ranges::any_of(
        std::array{&check.id, &check.title, &check.source, &check.statement},
        [&](const std::string* text) { return lower_case(*text).find(word) != std::string::npos; });
}

bool is_listed(const CheckRow& row, const Scene& scene) {
    const bool family =
        scene.check_family == "all" || family_of(row.check->id) == scene.check_family;
    const bool status =
        scene.check_status == ListedStatus::all ||
        (row.finding && to_string(row.finding->status) == to_string(scene.check_status));
    return family && status && says(*row.check, scene.check_filter);
}

std::vector<CheckRow> all_rows(const CheckRun& run) {
    std::vector<CheckRow> rows;
    std::vector<const Check*> asked = run.asked;
    if (asked.empty()) {
        asked = select_checks("*");
    }
    for (const Check* check : asked) {
        const auto found = std::ranges::find(run.results, check, &CheckResult::check);
        rows.push_back({check});
        if (found != run.results.end()) {
            rows.back().finding = found->finding;
        }
    }
    return rows;
}

const CheckRow* selected_row(const CheckList& list, const std::string& id) {
    const auto id_of = [](const CheckRow& row) { return row.check->id; };
    const CheckRow& row = element_named(list.all, id_of, id, [&](const std::string& near) {
        return "selected_check: '" + id + "' is not a check" +
               (near.empty() ? "; ropescope check --list names every check" : near);
    });
    return list.shows(row) ? &row : list.shown.empty() ? nullptr : list.shown.front();
}

/// Ids, their parts and the words that checks say: what a filter could have meant.
std::vector<std::string> filter_words(const std::vector<CheckRow>& rows) {
    constexpr Index kShortest = 4;  // shorter words are near to anything
    std::vector<std::string> words;
    const auto add = [&](std::string word) {
        if (std::ssize(word) >= kShortest && std::ranges::find(words, word) == words.end()) {
            words.push_back(std::move(word));
        }
    };
    for (const CheckRow& row : rows) {
        add(row.check->id);
        add(std::string(family_of(row.check->id)));
        add(row.check->id.substr(row.check->id.find('.') + 1));
        std::string word;
        for (const char c : lower_case(row.check->title + " ")) {
            if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
                word += c;
            } else {
                add(std::exchange(word, {}));
            }
        }
    }
    return words;
}

/// What became of a check with this status, after "No check".
std::string_view outcome_words(ListedStatus status) {
    switch (status) {
        case ListedStatus::passed:
            return "holds";
        case ListedStatus::failed:
            return "failed";
        case ListedStatus::skipped:
            return "was skipped";
        case ListedStatus::note:
            return "is a note";
        case ListedStatus::all:
            break;
    }
    return "is listed";
}

std::string why_nothing(const Scene& scene, const std::vector<CheckRow>& rows) {
    const auto matching = std::ranges::count_if(
        rows, [&](const CheckRow& row) { return says(*row.check, scene.check_filter); });
    if (matching > 0) {
        const std::string family =
            scene.check_family == "all" ? "" : fmt::format(" of the family {}", scene.check_family);
        const std::string words =
            scene.check_filter == "*" ? "" : fmt::format(" that matches '{}'", scene.check_filter);
        return fmt::format("No check{}{} {}", family, words, outcome_words(scene.check_status));
    }
    std::string word = lower_case(scene.check_filter);
    std::erase_if(word, [](char c) { return c == '*' || c == '?'; });
    return fmt::format("No check matches '{}'{}", scene.check_filter,
                       did_you_mean(word, filter_words(rows)));
}

/// Every page begins with the name of its family; none ends with one.
std::vector<std::vector<CheckLine>> pages_of(const std::vector<const CheckRow*>& rows,
                                             Index lines) {
    std::vector<std::vector<CheckLine>> pages;
    std::string family;
    for (const CheckRow* row : rows) {
        const std::string of_row(family_of(row->check->id));
        const Index needed = of_row == family ? 1 : 2;
        const bool turns = pages.empty() || std::ssize(pages.back()) + needed > lines;
        if (turns) {
            pages.emplace_back();
        }
        if (turns || of_row != family) {
            pages.back().push_back({nullptr, of_row == family ? of_row + ", continued" : of_row});
        }
        pages.back().push_back({row, {}});
        family = of_row;
    }
    return pages;
}

}  // namespace

int CheckList::count(Status status) const {
    return narrow<int>(
        std::ranges::count_if(all, [&](const CheckRow& row) { return row.is(status); }));
}

bool CheckList::finished() const {
    return std::ranges::all_of(all, [](const CheckRow& row) { return row.finding.has_value(); });
}

bool CheckList::shows(const CheckRow& row) const {
    return std::ranges::find(shown, &row) != shown.end();
}

CheckList list_checks(const Scene& scene, const CheckRun& run) {
    CheckList list{.all = all_rows(run), .shown = {}, .pages = {}, .lines = scene.check_lines};
    for (const CheckRow& row : list.all) {
        if (is_listed(row, scene)) {
            list.shown.push_back(&row);
        }
    }
    if (list.shown.empty()) {
        list.nothing = why_nothing(scene, list.all);
    }
    list.selected = selected_row(list, scene.selected_check);
    list.pages = pages_of(list.shown, list.lines);
    const auto page = std::ranges::find_if(list.pages, [&](const std::vector<CheckLine>& lines) {
        return std::ranges::find(lines, list.selected, &CheckLine::row) != lines.end();
    });
    list.page = page == list.pages.end() ? 0 : page - list.pages.begin();
    return list;
}

std::vector<std::string> settings_of(const Check& check) {
    std::vector<std::string> settings;
    for (std::size_t begin = 0; begin < check.figure.size();) {
        const std::size_t end = std::min(check.figure.find(' ', begin), check.figure.size());
        settings.push_back(check.figure.substr(begin, end - begin));
        begin = end + 1;
    }
    if (settings.empty() ||
        std::ranges::find(views(), settings.front(), &View::id) == views().end()) {
        return {};
    }
    settings.front() = "view=" + settings.front();
    return settings;
}

namespace {

constexpr double kHeader = 1.2;      ///< lines above the first
constexpr double kHeading = 1.2;     ///< in cells
constexpr double kLeastHeight = 22;  ///< few families keep the look of many

bool near(double place, double middle) {
    return place >= middle - 0.5 && place < middle + 0.5;
}

}  // namespace

FamilyPlaces::FamilyPlaces(const CheckList& list) {
    // From the top down first, then turned over: y runs upwards.
    double down = 0;
    int column = 0;
    for (const CheckRow& row : list.all) {
        const std::string family(family_of(row.check->id));
        if (headings_.empty() || headings_.back().family != family) {
            down += headings_.empty() ? 0 : 1.0;
            headings_.push_back({family, down + kHeading / 2});
            down += kHeading;
            column = 0;
        } else if (column == kColumns) {
            down += 1;
            column = 0;
        }
        cells_.push_back({column + 0.5, down + 0.5});
        ++column;
    }
    height_ = std::max(kLeastHeight, down + 1);
    for (Heading& heading : headings_) {
        heading.y = height_ - heading.y;
    }
    for (plot::Point& cell : cells_) {
        cell.y = height_ - cell.y;
    }
}

double list_height(const CheckList& list) {
    return to_double(list.lines) + kHeader;
}

double line_middle(const CheckList& list, Index line) {
    return list_height(list) - kHeader - to_double(line) - 0.5;
}

const CheckRow* check_in_map(const CheckList& list, const FamilyPlaces& places, plot::Point at) {
    for (Index i = 0; i < std::ssize(list.all); ++i) {
        const plot::Point cell = places.of(i);
        if (near(at.x, cell.x) && near(at.y, cell.y)) {
            return &list.all[i];
        }
    }
    return nullptr;
}

const CheckRow* check_in_list(const CheckList& list, plot::Point at) {
    if (list.pages.empty() || at.x < 0 || at.x >= 100) {
        return nullptr;
    }
    const std::vector<CheckLine>& lines = list.pages[list.page];
    for (Index i = 0; i < std::ssize(lines); ++i) {
        if (near(at.y, line_middle(list, i))) {
            return lines[i].row;
        }
    }
    return nullptr;
}

}  // namespace ropescope::figures
