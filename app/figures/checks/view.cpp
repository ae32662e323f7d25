// The checks view: its title, its figure, and the run that it shows.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/checks/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "core/base/memo.h"

namespace ropescope::figures {
namespace {

std::string first_failed(const CheckList& list) {
    for (const CheckRow& row : list.all) {
        if (row.is(Status::failed)) {
            return row.check->id;
        }
    }
    return "";
}

std::string title(const CheckList& list) {
    if (list.shown.empty()) {
        return fmt::format("Nothing to list: {}", list.nothing);
    }
    const int passed = list.count(Status::passed), failed = list.count(Status::failed);
    if (failed > 0) {
        return fmt::format("{} of {} {}, the first is {}", failed,
                           counted(passed + failed, "statement"), agreeing(failed, "fails", "fail"),
                           first_failed(list));
    }
    if (list.finished()) {
        return fmt::format("All {} hold, each within the bound derived for it",
                           counted(passed, "statement"));
    }
    return fmt::format("{} {} so far, none fails", counted(passed, "statement"),
                       agreeing(passed, "holds", "hold"));
}

std::string subtitle(const CheckList& list) {
    if (!list.finished()) {
        const auto known = std::ranges::count_if(
            list.all, [](const CheckRow& row) { return row.finding.has_value(); });
        return fmt::format("Computing: {} of {} {} done.", known,
                           counted(std::ssize(list.all), "check"), agreeing(known, "is", "are"));
    }
    const int skipped = list.count(Status::skipped), notes = list.count(Status::note);
    return fmt::format(
        "Computed just now; {}{} without a measurement. Bars: measured / bound from 10^{{−4}}, "
        "log scale.",
        skipped > 0 ? fmt::format("{} skipped, ", skipped) : "", counted(notes, "note"));
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
    figure.report = figure.title + "\n" + checks_report(list);
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
            "Each line is a statement, computed just now: the largest error found, and the bound "
            "that rounding allows; \"exact\" means no error. A claim comes from one of the five "
            "texts in docs/sources.md; the numbers must lead to our verdict on it.",
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
