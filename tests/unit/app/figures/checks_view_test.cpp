// The view of the checks: what it lists, what it says, where its links lead.
#include <algorithm>
#include <gtest/gtest.h>

#include "app/figures/checks/checks.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/checks/check_run.h"

namespace ropescope::figures {
namespace {

/// Every check passes but the first of the systems; what comes after it has not been run.
CheckRun half_a_run() {
    CheckRun run;
    for (const Check& check : all_checks()) {
        const bool fails = family_of(check.id) == "systems";
        run.results.push_back({&check, at_most(fails ? 2.0 : 0.5, 1.0, "", ""), 0});
        if (fails) {
            break;
        }
    }
    return run;
}

Scene listing(const std::vector<std::string>& settings) {
    Scene scene;
    scene.view = "checks";
    return apply_settings(scene, settings);
}

Picture checks_picture_of(const Scene& scene, const CheckRun& run) {
    return make_picture(scene, *make_cpu_engine(1), {.check_run = &run});
}

plot::Figure checks_figure_of(const Scene& scene, const CheckRun& run) {
    return checks_picture_of(scene, run).figure;
}

std::vector<std::string> shown_ids(const std::vector<std::string>& settings) {
    const CheckRun run = half_a_run();
    std::vector<std::string> ids;
    for (const CheckRow* row : list_checks(listing(settings), run).shown) {
        ids.push_back(row->check->id);
    }
    return ids;
}

TEST(ChecksView, EveryCheckOpensAFigureThatIsDrawn) {
    const auto engine = make_cpu_engine(1);
    const CheckRun run = run_all_checks(*engine);
    FigureCache cache;
    std::vector<std::string> drawn;
    for (const Check* each : select_checks("*", lessons::further_checks())) {
        const Check& check = *each;
        const std::vector<std::string> settings = settings_of(check);
        // Remarks about a text have nothing to show.
        if (settings.empty() && check.figure.empty()) {
            const auto found = std::ranges::find(run.results, &check, &CheckResult::check);
            const Finding& finding = found->finding;
            EXPECT_EQ(finding.status, Status::note) << check.id;
            continue;
        }
        ASSERT_FALSE(settings.empty()) << check.id << ": '" << check.figure << "' names no view";
        if (std::ranges::find(drawn, check.figure) != drawn.end()) {
            continue;
        }
        drawn.push_back(check.figure);
        Scene scene = listing({});
        ASSERT_NO_THROW(scene = apply_settings(scene, settings)) << check.id;
        EXPECT_NO_THROW(EXPECT_FALSE(make_figure(scene, *engine, {.cache = &cache}).panels.empty()))
            << check.id;
    }
}

TEST(ChecksView, ListsWhatTheRunWasAskedFor) {
    const Check further{.id = "lesson.one-pair.1",
                        .title = "",
                        .source = "",
                        .statement = "",
                        .figure = "rotation",
                        .run = [](const CheckContext&) { return note(""); }};
    const CheckRun run{.results = {}, .asked = {&all_checks().front(), &further}};
    const CheckList list = list_checks(listing({"selected_check=lesson.one-pair.1"}), run);
    ASSERT_EQ(list.all.size(), 2U);
    EXPECT_EQ(list.all[1].check, &further);
    EXPECT_EQ(list.selected, &list.all[1]);
    EXPECT_FALSE(list.finished()) << "neither has a result";
}

TEST(ChecksView, RunsTheFurtherChecksOfItsCaller) {
    int runs = 0;
    const std::vector<Check> further{{.id = "lesson.one-pair.1",
                                      .title = "",
                                      .source = "",
                                      .statement = "",
                                      .figure = "rotation",
                                      .run = [&runs](const CheckContext&) {
                                          ++runs;
                                          return note("");
                                      }}};
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    FigureCache cache;
    const Scene scene = listing({"check_family=lesson"});
    for (int i = 0; i < 2; ++i) {
        const plot::Figure figure =
            make_figure(scene, *engine, {.cache = &cache, .more_checks = further});
        EXPECT_NE(figure.report.find("lesson.one-pair.1"), std::string::npos);
    }
    EXPECT_EQ(runs, 1) << "the second figure has the results of the first";
}

TEST(ChecksView, FiltersByFamilyStatusAndWords) {
    EXPECT_EQ(shown_ids({}).size(), all_checks().size());
    EXPECT_EQ(shown_ids({"check_family=table"}),
              (std::vector<std::string>{"table.contiguous", "table.positions", "table.rotate",
                                        "table.sizes", "table.attention_factor", "table.axes",
                                        "table.rows"}));
    EXPECT_EQ(shown_ids({"check_status=failed"}).size(), 1U);
    EXPECT_EQ(shown_ids({"check_status=skipped"}).size(), 0U);
    EXPECT_EQ(shown_ids({"check_filter=layout.p*"}),
              (std::vector<std::string>{"layout.partner_map", "layout.permutation",
                                        "layout.projection_rows"}));
    EXPECT_EQ(
        shown_ids({"check_filter=MISTRAL", "check_family=systems"}),
        (std::vector<std::string>{"systems.mistral", "systems.mistral_axes", "systems.matrix"}));
    EXPECT_THROW(shown_ids({"selected_check=rope.nrom"}), InputError);
}

TEST(ChecksView, AFilterThatLeavesNothingSaysWhyAndAClickListsAll) {
    const CheckRun run = half_a_run();
    const auto nothing = [&](const std::vector<std::string>& settings) {
        const CheckList list = list_checks(listing(settings), run);
        EXPECT_TRUE(list.shown.empty());
        return list.nothing;
    };
    EXPECT_EQ(
        nothing({"check_filter=orthogonalty"}),
        "No check matches 'orthogonalty'; did you mean 'orthogonality' or 'rope.orthogonality'?");
    EXPECT_NE(nothing({"check_filter=rope.nrom*"}).find("'rope.norm'"), std::string::npos);
    EXPECT_EQ(nothing({"check_filter=qqqqqqqqqqqq"}), "No check matches 'qqqqqqqqqqqq'");
    EXPECT_EQ(nothing({"check_filter=rope.norm", "check_family=table"}),
              "No check of the family table that matches 'rope.norm' is listed");
    EXPECT_EQ(nothing({"check_status=failed", "check_family=table"}),
              "No check of the family table failed");
    const Scene none = listing({"check_filter=orthogonalty"});
    const Picture picture = checks_picture_of(none, run);
    EXPECT_NE(picture.figure.title.find("did you mean"), std::string::npos) << picture.figure.title;
    const Scene all = picture.scene_after_click(none, "list", {50, 5});
    EXPECT_EQ(list_checks(all, run).shown.size(), all_checks().size());
}

TEST(ChecksView, TheWheelMovesThreeLinesAndStopsAtTheEnds) {
    using Key = plot::Link::Key;
    const CheckRun run = half_a_run();
    const auto after = [&](const std::string& selected, Key key) -> std::string {
        const plot::Figure figure =
            checks_figure_of(listing({"check_family=table", "selected_check=" + selected}), run);
        const plot::Link* link = plot::link_of(figure, key);
        return link == nullptr ? "" : link->settings.front();
    };
    EXPECT_EQ(after("table.contiguous", Key::wheel_down), "selected_check=table.sizes");
    EXPECT_EQ(after("table.axes", Key::wheel_down), "selected_check=table.rows");
    EXPECT_EQ(after("table.contiguous", Key::wheel_up), "");
    EXPECT_EQ(after("table.positions", Key::wheel_up), "selected_check=table.contiguous");
}

TEST(ChecksView, PagesFillWithoutAHeadingAtTheirEnd) {
    const CheckRun run = half_a_run();
    for (const char* lines : {"check_lines=2", "check_lines=7", "check_lines=18"}) {
        const Scene scene = listing({lines, "selected_check=" + all_checks().back().id});
        const CheckList list = list_checks(scene, run);
        std::size_t checks = 0;
        for (const std::vector<CheckLine>& page : list.pages) {
            EXPECT_LE(page.size(), static_cast<std::size_t>(scene.check_lines));
            EXPECT_EQ(page.front().row, nullptr);
            EXPECT_NE(page.back().row, nullptr);
            checks += static_cast<std::size_t>(std::ranges::count_if(
                page, [](const CheckLine& line) { return line.row != nullptr; }));
        }
        EXPECT_EQ(checks, list.all.size());
        EXPECT_EQ(list.page, list.pages.size() - 1);
    }
}

TEST(ChecksView, TellsOfARunUnderWayAndOfAFailure) {
    const CheckRun run = half_a_run();
    const plot::Figure figure = checks_figure_of(listing({"check_status=failed"}), run);
    EXPECT_NE(figure.title.find("1 of "), std::string::npos) << figure.title;
    EXPECT_NE(figure.title.find("systems.notebook_bf16"), std::string::npos) << figure.title;
    EXPECT_NE(figure.subtitle.find(" are done"), std::string::npos) << figure.subtitle;
    EXPECT_NE(figure.report.find("FAIL systems.notebook_bf16"), std::string::npos) << figure.report;
}

TEST(ChecksView, KeysWalkTheListAndEnterOpensTheFigure) {
    using Key = plot::Link::Key;
    const CheckRun run = half_a_run();
    Scene scene = listing({"selected_check=layout.permutation"});
    const auto press = [&](Key key) {
        const plot::Figure figure = checks_figure_of(scene, run);
        const plot::Link* link = plot::link_of(figure, key);
        ASSERT_NE(link, nullptr);
        scene = apply_settings(scene, link->settings);
    };
    press(Key::down);
    EXPECT_EQ(scene.selected_check, "layout.vectors");
    press(Key::up);
    press(Key::up);
    EXPECT_EQ(scene.selected_check, "layout.partner_map");
    press(Key::page_down);
    EXPECT_NE(scene.selected_check, "layout.partner_map");
    scene = listing({"selected_check=systems.mistral"});
    press(Key::enter);
    EXPECT_EQ(scene.view, "layouts");
    EXPECT_EQ(scene.system_b, "mistral");
    scene = listing({});
    EXPECT_EQ(plot::link_of(checks_figure_of(scene, run), Key::up), nullptr) << "the first";
}

TEST(ChecksView, AClickSelectsAndASecondOneOpens) {
    const CheckRun run = half_a_run();
    const plot::Point third{50, 18 - 3 + 0.5};  // under the heading and two checks
    Scene scene = listing({});
    scene = checks_picture_of(scene, run).scene_after_click(scene, "list", third);
    EXPECT_EQ(scene.selected_check, all_checks()[1].id);
    const Picture selected = checks_picture_of(scene, run);
    EXPECT_EQ(selected.readouts_at("list", third).front().value, all_checks()[1].id);
    EXPECT_EQ(selected.readouts_at("list", {50, -3}).front().value, all_checks()[1].id)
        << "away from the list: the selected one";
    EXPECT_EQ(selected.scene_after_click(scene, "list", third).view, "rotation");
    EXPECT_EQ(selected.scene_after_click(scene, "detail", {0.5, 0.5}).view, "rotation");
    EXPECT_EQ(selected.scene_after_click(scene, "list", {50, -3}), scene);
}

TEST(ChecksView, AClickOnACheckThatTheFiltersHideLetsThemGo) {
    const CheckRun run = half_a_run();
    const Scene scene = listing({"check_family=table"});
    const Picture picture = checks_picture_of(scene, run);
    const double top = picture.figure.panels.front().y.max;
    const plot::Point first{0.5, top - 1.2 - 0.5};  // under the first family's heading
    const Scene next = picture.scene_after_click(scene, "families", first);
    EXPECT_EQ(next.selected_check, all_checks().front().id);
    EXPECT_EQ(next.check_family, "all");
}

}  // namespace
}  // namespace ropescope::figures
