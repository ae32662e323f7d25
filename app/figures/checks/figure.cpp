// Puts the checks view together: its words, its panels, and the run that it shows.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/checks/checks.h"
#include "app/figures/shared/text.h"
#include "app/figures/view.h"
#include "app/plot/number_text.h"
#include "app/plot/rich_text.h"
#include "core/base/memo.h"

namespace ropescope::figures {

using plot::Label;
using plot::Line;
using plot::Points;
using plot::Role;
using plot::say;

namespace {

/// Columns of the list, in hundredths of its width.
constexpr double kName = 7, kTitle = 32, kNumbers = 99.5, kNumbersWidth = 27;
constexpr double kBarLeft = 58, kBound = 68.5, kBarRight = 71.5;
constexpr double kBarHalf = 0.2;   ///< of a bar's height, in lines
constexpr double kLegend = 3;      ///< height below the map of all checks, in cells
constexpr double kSmallest = 0.7;  ///< share of their size that texts shrink to in low lines
constexpr double kMostDot = 0.4;   ///< radius, in cells, so that dots never touch
constexpr double kDecades = 4;     ///< from the left end of a bar's track to the bound

/// Where measured / bound lies on the track; the part beyond the bound has its own decades' scale.
double bar_end(const CheckFinding& finding) {
    const double decades = std::log10(finding.measured / finding.bound);
    return std::isnan(decades)
               ? kBarRight
               : std::clamp(kBound + decades / kDecades * (kBound - kBarLeft), kBarLeft, kBarRight);
}

std::string short_number(double value) {
    return value == 0 ? std::string("0") : plot::few_digits_text(value, 2);
}

std::string numbers_text(const CheckRow& row) {
    if (!row.is_measured()) {
        return "";
    }
    const CheckFinding& finding = *row.finding;
    return fmt::format("{} {} {:>8}", short_number(finding.measured),
                       finding.status == Status::passed ? "≤" : ">", short_number(finding.bound));
}

void add_text(plot::Panel& panel, double x, double y, plot::Text text, Role role, double width,
              bool mono = true, bool whole = false) {
    panel.marks.emplace_back(Label{.at = {x, y},
                                   .text = std::move(text),
                                   .role = role,
                                   .anchor_x = width < 0 ? 1.0 : 0.0,
                                   .anchor_y = 0.5,
                                   .mono = mono,
                                   .width = std::abs(width),
                                   .whole = whole,
                                   .height = 1.15,
                                   .smallest = kSmallest});
}

void add_bar(plot::Panel& panel, const CheckRow& row, double y) {
    if (!row.is_measured()) {
        return;
    }
    const CheckFinding& finding = *row.finding;
    if (finding.status == Status::passed && finding.measured == 0) {
        add_text(panel, kBarLeft, y, "exact", Role::dim, kBound - kBarLeft);
        return;
    }
    const double end = finding.bound > 0 ? bar_end(finding) : kBarRight;
    // As high as its line, however low that is.
    panel.marks.emplace_back(plot::Area{.low = {{kBarLeft, y - kBarHalf}, {end, y - kBarHalf}},
                                        .high = {{kBarLeft, y + kBarHalf}, {end, y + kBarHalf}},
                                        .role = status_role(row),
                                        .opacity = 1});
}

void add_check(plot::Panel& panel, const CheckRow& row, bool selected, double y) {
    const std::string& id = row.check->id;
    add_text(panel, 1, y, status_word(row), status_role(row), kName - 1);
    add_text(panel, kName, y, id.substr(id.find('.') + 1), selected ? Role::text : Role::dim,
             kTitle - kName - 1);
    add_text(panel, kTitle, y, say("{}", plot::formula_markup(row.check->title)), Role::text,
             kBarLeft - kTitle - 1, false);
    add_bar(panel, row, y);
    add_text(panel, kNumbers, y, numbers_text(row), selected ? Role::text : Role::dim,
             -kNumbersWidth, true, true);  // half a number is none
}

/// Names of the columns, and what the bars mean.
void add_header(plot::Panel& panel, double y) {
    add_text(panel, kName, y, "check", Role::dim, 20, false);
    add_text(panel, kTitle, y, "states", Role::dim, 20, false);
    add_text(panel, kBound + 2, y, "bound", Role::dim, -12, false);
    add_text(panel, kNumbers, y, "measured ≤ bound", Role::dim, -kNumbersWidth, false);
    panel.marks.emplace_back(
        Line{.points = {{0, y - 0.55}, {100, y - 0.55}}, .role = Role::line, .width = 0.5});
}

void add_cell(plot::Panel& panel, const CheckRow& row, plot::Point at, bool selected) {
    if (selected) {
        panel.marks.emplace_back(Points{.points = {at},
                                        .role = Role::text,
                                        .radius_px = 8,
                                        .most_radius = 0.6,
                                        .ring = true,
                                        .of_selection = true});
    }
    const Role role = status_role(row);
    if (!row.finding) {
        panel.marks.emplace_back(
            Points{.points = {at}, .role = Role::line, .radius_px = 4, .most_radius = kMostDot});
        return;
    }
    switch (row.finding->status) {
        case Status::passed:
            panel.marks.emplace_back(
                Points{.points = {at}, .role = role, .radius_px = 5, .most_radius = kMostDot});
            return;
        case Status::failed:
            panel.marks.emplace_back(
                Label{.at = at, .text = "✗", .role = role, .anchor_x = 0.5, .anchor_y = 0.5});
            return;
        case Status::skipped:
            panel.marks.emplace_back(Points{.points = {at},
                                            .role = role,
                                            .radius_px = 5,
                                            .most_radius = kMostDot,
                                            .ring = true});
            return;
        case Status::note:
            panel.marks.emplace_back(
                Points{.points = {at}, .role = role, .radius_px = 2, .most_radius = kMostDot / 2});
            return;
    }
}

/// "16 of 16": what of a family holds so far, remarks apart.
plot::Text family_text(const CheckList& list, std::string_view family) {
    int holds = 0, decides = 0;
    for (const CheckRow& row : list.all) {
        if (family_of(row.check->id) == family) {
            decides += row.is(Status::note) ? 0 : 1;
            holds += row.is(Status::passed) ? 1 : 0;
        }
    }
    return say("{} of {}", holds, decides);
}

}  // namespace

std::string status_word(const CheckRow& row) {
    if (!row.finding) {
        return "...";
    }
    switch (row.finding->status) {
        case Status::passed:
            return "ok";
        case Status::failed:
            return "FAIL";
        case Status::skipped:
            return "skip";
        case Status::note:
            break;
    }
    return "note";
}

plot::Role status_role(const CheckRow& row) {
    if (!row.is_measured()) {
        return Role::dim;
    }
    return row.is(Status::passed) ? Role::right : Role::wrong;
}

namespace {

plot::Panel families_panel(const CheckList& list, const FamilyPlaces& places) {
    plot::Panel panel{.id = "families",
                      .title = "all checks",
                      .x = {.min = 0, .max = FamilyPlaces::kWidth, .visible = false},
                      .y = {.min = -kLegend, .max = places.height(), .visible = false},
                      .row_span = 2};
    for (const FamilyPlaces::Heading& heading : places.headings()) {
        add_text(panel, 0, heading.y, heading.family, Role::text, 5, false);
        add_text(panel, FamilyPlaces::kWidth, heading.y, family_text(list, heading.family),
                 Role::dim, -6, false);
    }
    const double half = 0.55 * FamilyPlaces::kWidth;
    add_text(panel, 0, 1.6 - kLegend, "● holds", Role::dim, half);
    add_text(panel, half, 1.6 - kLegend, "✗ fails", Role::dim, half);
    add_text(panel, 0, 0.5 - kLegend, "○ skipped", Role::dim, half);
    add_text(panel, half, 0.5 - kLegend, "· note", Role::dim, half);
    for (Index i = 0; i < std::ssize(list.all); ++i) {
        add_cell(panel, list.all[i], places.of(i), &list.all[i] == list.selected);
    }
    return panel;
}

plot::Panel list_panel(const CheckList& list) {
    const double height = list_height(list);
    plot::Panel panel{.id = "list",
                      .x = {.min = 0, .max = 100, .visible = false},
                      .y = {.min = 0, .max = height, .visible = false},
                      .column = 1};
    if (list.pages.empty()) {
        panel.title = say("{} of {} checks", 0, list.all.size());
        plot::Facts facts{
            {{"", say("{}", list.nothing)}, {"", "Click here to list all.", Role::dim}}};
        panel.marks.emplace_back(std::move(facts));
        return panel;
    }
    const std::vector<CheckLine>& lines = list.pages[list.page];
    panel.title = say("{} of {} checks", list.shown.size(), list.all.size());
    if (list.pages.size() > 1) {
        panel.corners.top_right = say("page {} of {}", list.page + 1, list.pages.size());
    }
    for (Index i = 0; i < std::ssize(lines); ++i) {
        const double y = line_middle(list, i);
        if (lines[i].row != nullptr && lines[i].row == list.selected) {
            panel.marks.emplace_back(plot::Band{.vertical = false,
                                                .first = y - 0.5,
                                                .last = y + 0.5,
                                                .role = Role::selected,
                                                .opacity = 1,
                                                .of_selection = true});
            panel.marks.emplace_back(Line{.points = {{0, y - 0.45}, {0, y + 0.45}},
                                          .role = Role::accent,
                                          .width = 2,
                                          .of_selection = true});
        }
    }
    // Names are needed most, then whether a check holds, the numbers, what it states, and the bar.
    panel.columns = {{.first = 0, .last = kName, .keep = 3, .least_px = 32},
                     {.first = kName, .last = kTitle, .keep = 4, .least_px = 96},
                     {.first = kTitle, .last = kBarLeft, .keep = 1, .least_px = 110},
                     {.first = kBarLeft, .last = kBarRight + 0.5, .keep = 0, .least_px = 60},
                     {.first = kBarRight + 0.5, .last = 100, .keep = 2, .least_px = 132}};
    panel.rows = {{.first = height - 1.2, .last = height, .keep = 2, .counted = false}};
    for (Index i = 0; i < list.lines; ++i) {
        const double y = line_middle(list, i);
        const bool filled = i < std::ssize(lines);
        const bool selected = filled && lines[i].row != nullptr && lines[i].row == list.selected;
        panel.rows.push_back({.first = y - 0.5,
                              .last = y + 0.5,
                              .keep = selected ? 1
                                      : filled ? 0
                                               : -1,
                              .counted = filled && lines[i].row != nullptr});
    }
    panel.marks.emplace_back(
        Line{.points = {{kBound, height - 1.2},
                        {kBound, line_middle(list, std::ssize(lines) - 1) - 0.4}},
             .role = Role::line,
             .width = 0.5});
    add_header(panel, height - 0.5);
    for (Index i = 0; i < std::ssize(lines); ++i) {
        const double y = line_middle(list, i);
        if (lines[i].row == nullptr) {
            add_text(panel, 1, y, lines[i].heading, Role::text, 40, false);
        } else {
            add_check(panel, *lines[i].row, lines[i].row == list.selected, y);
        }
    }
    return panel;
}

plot::Panel detail_panel(const CheckList& list) {
    plot::Panel panel{.id = "detail",
                      .x = {.visible = false},
                      .y = {.visible = false},
                      .selected = true,
                      .row = 1,
                      .column = 1};
    if (list.selected == nullptr) {
        panel.selected = false;
        return panel;
    }
    const Check& check = *list.selected->check;
    panel.title = check.id;
    const std::vector<std::string> settings = settings_of(check);
    if (!settings.empty()) {
        const std::string view = settings.front().substr(settings.front().find('=') + 1);
        panel.corners.top_right = "shown by " + view_by_id(view).name;
    }
    const auto says = [](const std::string& text) { return say("{}", plot::formula_markup(text)); };
    const bool claim = family_of(check.id) == "claim";  // its title is another's words
    plot::Facts facts{{{claim ? "claim" : "in short", says(check.title)},
                       {claim ? "correct" : "states", says(check.statement), Role::dim}}};
    const std::optional<CheckFinding>& finding = list.selected->finding;
    if (list.selected->is_measured()) {
        facts.rows.push_back({"measured",
                              say("{} {} {}: {}", plot::few_digits_text(finding->measured, 3),
                                  finding->status == Status::passed ? "≤" : ">",
                                  plot::few_digits_text(finding->bound, 3),
                                  plot::formula_markup(finding->bound_reason)),
                              status_role(*list.selected)});
    }
    facts.rows.push_back({"source", says(check.source), Role::dim});
    facts.rows.push_back(
        {"found", says(finding ? finding->detail : "not computed yet"), Role::dim});
    panel.marks.emplace_back(std::move(facts));
    return panel;
}

std::string first_failed(const CheckList& list) {
    for (const CheckRow& row : list.all) {
        if (row.is(Status::failed)) {
            return row.check->id;
        }
    }
    return "";
}

plot::Text title(const CheckList& list) {
    if (list.shown.empty()) {
        return say("Nothing to list: {}", list.nothing);
    }
    const int passed = list.count(Status::passed), failed = list.count(Status::failed);
    if (failed > 0) {
        return say("{} of {} {}, the first is {}", failed, counted(passed + failed, "statement"),
                   agreeing(failed, "fails", "fail"), first_failed(list));
    }
    if (list.finished()) {
        return say("All {} hold, each within the bound derived for it",
                   counted(passed, "statement"));
    }
    return say("{} {} so far, none fails", counted(passed, "statement"),
               agreeing(passed, "holds", "hold"));
}

plot::Text subtitle(const CheckList& list) {
    if (!list.finished()) {
        const auto known = std::ranges::count_if(
            list.all, [](const CheckRow& row) { return row.finding.has_value(); });
        return say("Computing: {} of {} {} done.", known, counted(std::ssize(list.all), "check"),
                   agreeing(known, "is", "are"));
    }
    const int skipped = list.count(Status::skipped), notes = list.count(Status::note);
    return say(
        "Computed for this figure; {}{} without a measurement. Bars: measured / bound from "
        "10^{{−4}}, log scale.",
        skipped > 0 ? say("{} skipped, ", skipped) : plot::Text(), counted(notes, "note"));
}

plot::Figure figure_of(const CheckList& list) {
    plot::Figure figure;
    figure.view = "checks";
    figure.title = title(list);
    figure.subtitle = subtitle(list);
    figure.row_weights = {1.0, 0.42};
    figure.column_weights = {0.3, 1.0};
    figure.links = check_keys(list);
    figure.data = checks_data(list);
    figure.report = std::string(figure.title) + "\n" + checks_report(list);
    return figure;
}

/// `row_at(list, at)` finds the check at a point; null if there is none.
template <typename RowAt>
Answers check_answers(const std::shared_ptr<const CheckList>& list, const RowAt& row_at) {
    return {list,
            [row_at](const CheckList& of, plot::Point at) {
                return check_readouts(of, row_at(of, at));
            },
            [row_at](const CheckList& of, const Scene& scene, plot::Point at) {
                return after_check_click(of, row_at(of, at), scene);
            }};
}

Picture picture_of(const Scene& scene, const CheckRun& run) {
    const auto list = std::make_shared<const CheckList>(list_checks(scene, run));
    const FamilyPlaces places(*list);
    Picture picture{.figure = figure_of(*list)};
    picture.add(families_panel(*list, places),
                check_answers(list, [places](const CheckList& of, plot::Point at) {
                    return check_in_map(of, places, at);
                }));
    Answers of_lines = check_answers(list, check_in_list);
    if (list->shown.empty()) {
        of_lines.clicked = [](const Scene& from, plot::Point) { return listing_all(from); };
    }
    picture.add(list_panel(*list), std::move(of_lines));
    picture.add(detail_panel(*list),
                check_answers(list, [](const CheckList& of, plot::Point) { return of.selected; }));
    return picture;
}

/// All checks on an engine take seconds and depend on the engine alone.
struct FinishedRuns {
    struct Key {
        EngineKind engine = EngineKind::cpu;
        std::string device;
        const Check* more = nullptr;  ///< the first of the further checks
        bool operator==(const Key&) const = default;
    };
    Memo<Key, CheckRun> memo{2};
};

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    if (work.check_run != nullptr) {
        return picture_of(scene, *work.check_run);
    }
    const auto run = work.cache->results<FinishedRuns>().memo.get(
        {engine.kind(), engine.device(), work.more_checks.data()},
        [&] { return run_all_checks(engine, work.more_checks); });
    return picture_of(scene, *run);
}

}  // namespace

View checks_view() {
    return {
        .id = "checks",
        .key = 'C',
        .name = "Checks",
        .group = "Is it true?",
        .question = "Is all of it true?",
        .parameters = {"check_family", "check_status", "check_filter", "selected_check",
                       "check_lines"},
        .make = make,
        .what_you_see =
            "Each line is a statement that the program has computed for this figure: the largest "
            "error found, and the bound that rounding allows; \"exact\" means no error. A claim "
            "comes from one of the five texts on the page Sources of the book; the numbers must "
            "lead to our verdict on it.",
        .what_to_try =
            "Move with ↑ ↓, PgUp, PgDn or the wheel; Enter or a second click opens the figure that "
            "shows the statement, and undo brings you back. List one family, or the checks that "
            "contain a word: norm, Keras. Ctrl + K computes all of them again.",
        .formulas = {"measured ≤ bound"},
        .formula_source = "each check names where its bound comes from",
        .shows_check_run = true,
    };
}

}  // namespace ropescope::figures
