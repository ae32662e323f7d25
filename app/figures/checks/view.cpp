#include "app/figures/checks/view.h"

#include <fmt/format.h>
#include <map>
#include <mutex>

#include "app/figures/checks/panels.h"

namespace ropescope::figures {
namespace {

std::string first_failed(const CheckList& list) {
    for (const CheckRow& row : list.all) {
        if (row.finding != nullptr && row.finding->status == Status::failed) {
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
        return fmt::format("{} of {} statements fail, first {}", failed, passed + failed,
                           first_failed(list));
    }
    if (list.finished()) {
        return fmt::format("All {} statements hold, each within the bound derived for it", passed);
    }
    return fmt::format("{} statements hold so far, none fails", passed);
}

std::string subtitle(const CheckList& list) {
    std::size_t known = 0;
    for (const CheckRow& row : list.all) {
        known += row.finding != nullptr ? 1 : 0;
    }
    if (!list.finished()) {
        return fmt::format("Computing: {} of {} are done.", known, list.all.size());
    }
    const int skipped = list.count(Status::skipped), notes = list.count(Status::note);
    return fmt::format(
        "Computed now by the engine; {}{} remarks that no number decides. Bars: "
        "measured / bound from 10^{{−4}}, log scale.",
        skipped > 0 ? fmt::format("{} not measured here, ", skipped) : "", notes);
}

plot::Figure figure_of_run(const Scene& scene, const CheckRun& run) {
    const CheckList list = list_checks(scene, run);
    plot::Figure figure;
    figure.view = "checks";
    figure.title = title(list);
    figure.subtitle = subtitle(list);
    figure.panels = {families_panel(list), list_panel(list, scene), detail_panel(list)};
    figure.row_weights = {1.0, 0.42};
    figure.column_weights = {0.3, 1.0};
    figure.links = check_links(list, scene);
    figure.data = checks_data(list);
    figure.report = figure.title + "\n" + checks_report(list);
    return figure;
}

plot::Figure figure(const Scene& scene, Engine& engine, const Work&) {
    return figure_of_run(scene, finished_run(engine));
}

/// What is under the cursor is told by the figure's links; elsewhere this.
std::vector<plot::Readout> readouts(const Scene& scene, std::string_view, plot::Point) {
    return {{"selected", scene.selected_check}};
}

Scene clicked(const Scene& scene, std::string_view, plot::Point) {
    return scene;
}

}  // namespace

const CheckRun& finished_run(Engine& engine) {
    static std::mutex mutex;
    static std::map<std::string, CheckRun> runs;
    const std::lock_guard lock(mutex);
    const std::string key = engine.name() + "\n" + engine.device();
    const auto known = runs.find(key);
    if (known != runs.end()) {
        return known->second;
    }
    return runs.emplace(key, run_checks(select_checks("*"), {.engines = {&engine}})).first->second;
}

View checks_view() {
    return {
        .id = "checks",
        .name = "Checks",
        .group = "Is it true?",
        .question = "Is all of it true?",
        .parameters = {"check_family", "check_status", "check_filter", "selected_check",
                       "check_lines"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "A line is a statement, computed just now: the largest error found and the bound that "
            "rounding allows; exact means no error at all. A claim is what a seed document "
            "states, with our verdict, which the numbers must give.",
        .what_to_try =
            "Walk with ↑ ↓, PgUp, PgDn or the wheel; Enter or a second click opens the figure that "
            "shows "
            "the statement, undo comes back. List one family, or what says a word: norm, Keras. "
            "Ctrl + K computes all again.",
        .formulas = {"measured ≤ bound"},
        .formula_source = "each check names where its bound comes from",
        .figure_of_run = figure_of_run,
    };
}

}  // namespace ropescope::figures
