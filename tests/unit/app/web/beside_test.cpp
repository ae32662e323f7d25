// Tests of what the page asks its worker for, and of the answers: the worker is a second set of
// engine and cache in this process.
#include "app/web/beside.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/state/actions.h"
#include "app/scene/settings.h"
#include "app/web/link.h"
#include "app/web/outcome.h"
#include "core/base/error.h"
#include "core/checks/check_run.h"
#include "tests/support/figure_text.h"

namespace ropescope::web {
namespace {

using nlohmann::json;
using Phase = gui::ChecksState::Phase;

/// The first line in which two texts differ; empty if none does.
std::string difference(const std::string& a, const std::string& b) {
    const auto lines = [](const std::string& text) {
        std::vector<std::string> all;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            all.push_back(line.substr(0, 200));
        }
        return all;
    };
    const std::vector<std::string> first = lines(a), second = lines(b);
    const auto [at, other] = std::ranges::mismatch(first, second);
    const bool same = at == first.end() && other == second.end();
    return same ? ""
                : (at == first.end() ? "nothing" : *at) +
                      " != " + (other == second.end() ? "nothing" : *other);
}

/// "name value" of each.
std::vector<std::string> texts(const std::vector<plot::Readout>& readouts) {
    std::vector<std::string> all;
    for (const plot::Readout& readout : readouts) {
        all.push_back(readout.name + " " + readout.value);
    }
    return all;
}

/// Views that draw drafts, each in a scene whose picture takes longer than a frame may.
const std::vector<std::vector<std::string>> kLongScenes = {
    {"view=precision", "precision_chain=bf16_positions", "head_dim=32"},
    {"view=precision", "query_position=7"},
    {"view=decay", "base=500"},
    {"view=decay", "content_source=encoder", "attention_tokens=80"},
    {"view=scores", "content_source=encoder", "attention_tokens=80", "attention_layer=1"},
    {"view=encodings",
     "attention_text=a person who makes small things of wood for people, a person who makes large "
     "things of stone for towns, and a person who sells all of them to others"},
    {"view=attention", "attention_tokens=80"},
    {"view=attention", "attention_tokens=80", "attention_shift=100"},
    {"view=attention", "attention_tokens=80", "attention_compare=no_position"},
    {"view=attention", "attention_tokens=80", "attention_compare=reversed"},
    {"view=attention", "attention_tokens=300", "attention_source=random", "attention_padding=9"}};

class BesideThePage : public ::testing::TestWithParam<std::vector<std::string>> {
  protected:
    BesideThePage() {
        state_.engine = engine_.get();
        state_.shown.may_draft = true;
        state_.shown.live = false;
    }
    json requests() { return json::parse(beside_.next_requests(state_)); }
    void show(const std::vector<std::string>& settings) {
        state_.scene = apply_settings(Scene(), settings);
        gui::update_figure(state_);
    }
    /// What the worker answers to a request for a picture.
    std::string computed(const json& request) {
        return figures::carried_results(read_link(request["link"].get<std::string>()).scene,
                                        *worker_engine_, {.cache = &worker_cache_});
    }
    std::string text() const { return plot::figure_text(*state_.shown.figure()); }
    std::string whole() const {
        return plot::figure_text(figures::make_figure(state_.scene, *engine_));
    }

    std::unique_ptr<Engine> engine_ = make_cpu_engine(1), worker_engine_ = make_cpu_engine(1);
    figures::FigureCache worker_cache_;
    gui::AppState state_;
    Beside beside_;
};

TEST_P(BesideThePage, AWholeFigureIsDelivered) {
    show(GetParam());
    ASSERT_TRUE(state_.shown.is_draft());
    const json asked = requests();
    ASSERT_TRUE(asked["picture"].is_object()) << asked;
    EXPECT_EQ(requests(), json::object()) << "it is asked for once";
    const std::string bytes = computed(asked["picture"]);
    const EngineTime before = engine_->time();
    beside_.take_picture(state_, asked["picture"]["ticket"], bytes);
    EXPECT_FALSE(state_.shown.is_draft());
    EXPECT_EQ(state_.shown.error, "");
    if (state_.scene.view == "attention") {
        EXPECT_EQ(engine_->time().calls, before.calls) << "nothing is computed again";
    }
    const figures::Work frame{.cache = &state_.shown.cache, .may_draft = true};
    EXPECT_FALSE(figures::make_picture(state_.scene, *engine_, frame).draft)
        << "the view does not find what was delivered, and has made it again";
    EXPECT_EQ(difference(text(), whole()), "");
    EXPECT_EQ(requests(), json::object());
}
INSTANTIATE_TEST_SUITE_P(OfEveryView, BesideThePage, ::testing::ValuesIn(kLongScenes));

/// Each view that carries results has a scene above.
TEST_F(BesideThePage, NoViewIsLeftOut) {
    for (const figures::View& view : figures::views()) {
        const bool listed = std::ranges::any_of(kLongScenes, [&](const auto& settings) {
            return settings.front() == "view=" + view.id;
        });
        EXPECT_EQ(listed, view.carries_results) << view.id;
    }
}

TEST_F(BesideThePage, TheValuesUnderTheMouseAreThoseOfTheWholeFigure) {
    show({"view=attention", "attention_tokens=80"});
    const json asked = requests();
    beside_.take_picture(state_, asked["picture"]["ticket"], computed(asked["picture"]));
    const figures::Picture local = figures::make_picture(state_.scene, *engine_);
    for (const plot::Panel& panel : local.figure.panels) {
        const plot::Point at{(2 * panel.x.min + panel.x.max) / 3, (panel.y.min + panel.y.max) / 2};
        EXPECT_EQ(texts(state_.shown.picture->readouts_at(panel.id, at)),
                  texts(local.readouts_at(panel.id, at)));
        EXPECT_EQ(state_.shown.picture->scene_after_click(state_.scene, panel.id, at),
                  local.scene_after_click(state_.scene, panel.id, at));
    }
}

TEST_F(BesideThePage, ADraftThatCarriesNothingIsCompletedHereOneFrameLater) {
    show({"view=axes"});
    ASSERT_TRUE(state_.shown.is_draft());
    EXPECT_EQ(requests(), json::object());
    EXPECT_TRUE(state_.shown.is_draft()) << "it was not drawn yet";
    EXPECT_EQ(requests(), json::object());
    EXPECT_FALSE(state_.shown.is_draft());
    EXPECT_EQ(difference(text(), whole()), "");
}

TEST_F(BesideThePage, AFileThatIsGoneIsSaidInTheFiguresPlace) {
    show({"view=diagnose", "dump=/nowhere/dump.npz"});
    ASSERT_TRUE(state_.shown.is_draft());
    requests();
    EXPECT_EQ(requests(), json::object());
    EXPECT_NE(state_.shown.error.find("/nowhere/dump.npz"), std::string::npos)
        << state_.shown.error;
    EXPECT_FALSE(state_.shown.is_draft()) << "it would be tried in every frame";
    EXPECT_EQ(std::string(state_.shown.figure()->title), "The figure could not be made");
}

TEST_F(BesideThePage, WhatCannotBeReadIsSaidAndNotAskedForAgain) {
    show({"view=precision"});
    const json asked = requests()["picture"];
    beside_.take_picture(state_, asked["ticket"], computed(asked).substr(0, 1000));
    EXPECT_NE(state_.shown.error, "");
    EXPECT_EQ(requests(), json::object());
}

TEST_F(BesideThePage, WhatTheWorkerRefusesIsSaidInTheFiguresPlace) {
    show({"view=scores", "content_source=encoder", "attention_tokens=1200"});
    const json asked = requests()["picture"];
    std::string why;
    try {
        computed(asked);
    } catch (const InputError& refused) {
        why = refused.what();
    }
    ASSERT_NE(why.find("smaller attention_tokens"), std::string::npos) << why;
    beside_.refuse_picture(state_, asked["ticket"], why);
    EXPECT_EQ(state_.shown.error, why);
    EXPECT_EQ(state_.error, "");
    EXPECT_EQ(requests(), json::object());
}

/// As in the window (tests/gui/figure_refiner_test.cpp): the worker's sentence, by every view.
TEST_F(BesideThePage, EveryViewSaysWhatTheWorkerRefuses) {
    for (const figures::View& view : figures::views()) {
        if (!view.carries_results) {
            continue;  // completed in the page itself: AFileThatIsGoneIsSaidInTheFiguresPlace
        }
        show({"view=" + view.id});
        state_.shown.picture->draft = true;
        ++state_.shown.drafts;
        const json asked = requests()["picture"];
        ASSERT_TRUE(asked.is_object()) << view.id;
        beside_.refuse_picture(state_, asked["ticket"], view.id + " cannot be made");
        EXPECT_EQ(state_.shown.error, view.id + " cannot be made");
        EXPECT_EQ(state_.shown.current(), nullptr);
        EXPECT_FALSE(state_.shown.is_draft());
        EXPECT_EQ(requests(), json::object());
    }
}

TEST_F(BesideThePage, AnotherSceneEndsTheWorkAndItsAnswerIsNotShown) {
    show({"view=decay", "base=500"});
    const json first = requests()["picture"];
    show({"view=decay", "base=700"});
    const json second = requests()["picture"];
    EXPECT_NE(first["ticket"], second["ticket"]);
    beside_.take_picture(state_, first["ticket"], computed(first));
    EXPECT_TRUE(state_.shown.is_draft());
    beside_.take_picture(state_, second["ticket"], computed(second));
    EXPECT_EQ(difference(text(), whole()), "");
    show({"view=decay", "base=900"});
    requests();
    show({"view=rotation"});
    EXPECT_TRUE(requests()["picture"].is_null()) << "what nobody waits for is stopped";
}

TEST_F(BesideThePage, AnAnswerThatComesBeforeTheNextRequestIsNotTakenForTheNewScene) {
    show({"view=decay", "base=500"});
    const json first = requests()["picture"];
    show({"view=decay", "base=700"});
    beside_.take_picture(state_, first["ticket"], computed(first));
    EXPECT_TRUE(state_.shown.is_draft());
    const json second = requests()["picture"];
    beside_.take_picture(state_, second["ticket"], computed(second));
    EXPECT_EQ(difference(text(), whole()), "");
}

TEST_F(BesideThePage, ItWaitsWhileAKnobIsHeldAndStopsForTheUser) {
    state_.drag_start = state_.scene;
    show({"view=decay", "base=500"});
    EXPECT_EQ(requests(), json::object());
    state_.drag_start.reset();
    state_.playback.playing = true;
    EXPECT_EQ(requests(), json::object());
    state_.playback.playing = false;
    const json asked = requests()["picture"];
    ASSERT_TRUE(asked.is_object());
    beside_.picture_progress(state_, asked["ticket"], 0.5);
    EXPECT_EQ(state_.shown.refining.done, 0.5);
    state_.shown.refining = {.done = std::nullopt, .stopped = true};
    const json stop = requests();
    EXPECT_TRUE(stop.contains("picture") && stop["picture"].is_null());
    state_.shown.refining.stopped = false;
    EXPECT_TRUE(requests()["picture"].is_object()) << "it goes on";
}

TEST_F(BesideThePage, AFailureIsSaidOnceAndTheDraftStays) {
    show({"view=decay", "base=500"});
    const json asked = requests()["picture"];
    const std::string draft = text();
    beside_.fail_picture(state_, asked["ticket"], "the worker failed");
    EXPECT_EQ(state_.error, "the worker failed");
    EXPECT_EQ(state_.shown.error, "");
    EXPECT_EQ(difference(text(), draft), "");
    EXPECT_EQ(requests(), json::object()) << "it is not tried for ever";
}

TEST_F(BesideThePage, ChecksAreRunOneByOne) {
    state_.checks.phase = Phase::asked;
    const json asked = requests()["checks"];
    EXPECT_EQ(asked["fault"], "none");
    EXPECT_EQ(asked["ids"].size(), static_cast<std::size_t>(state_.checks.total()));
    EXPECT_EQ(state_.checks.phase, Phase::running);
    for (const json& id : asked["ids"]) {
        const CheckOutcome outcome{id, at_most(1, 2, "a bound", "a detail"), 0.25};
        beside_.take_check(state_, asked["ticket"], pack_outcome(outcome));
    }
    EXPECT_EQ(state_.checks.phase, Phase::over);
    ASSERT_EQ(state_.checks.done(), state_.checks.total());
    const CheckResult& last = state_.checks.run.results.back();
    EXPECT_EQ(last.check->id, asked["ids"].back().get<std::string>());
    EXPECT_EQ(last.finding.bound_reason, "a bound");
    EXPECT_EQ(last.finding.detail, "a detail");
    EXPECT_EQ(last.finding.measured, 1);
    EXPECT_EQ(last.seconds, 0.25);
}

TEST_F(BesideThePage, ARunThatIsAskedForAgainBeginsAgain) {
    state_.checks.phase = Phase::asked;
    const json first = requests()["checks"];
    const auto tell = [&](const json& run) {
        const CheckOutcome outcome{run["ids"][0], at_most(1, 2, "", ""), 0};
        beside_.take_check(state_, run["ticket"], pack_outcome(outcome));
    };
    tell(first);
    EXPECT_EQ(state_.checks.done(), 1);
    state_.checks.phase = Phase::asked;
    state_.checks.fault = EngineFault::wrong_sign;
    const json second = requests()["checks"];
    EXPECT_EQ(second["fault"], "wrong_sign");
    EXPECT_EQ(state_.checks.done(), 0);
    tell(first);
    EXPECT_EQ(state_.checks.done(), 0) << "an answer of the run before";
    tell(second);
    EXPECT_EQ(state_.checks.done(), 1);
    beside_.fail_checks(state_, second["ticket"], "the worker failed");
    EXPECT_EQ(state_.checks.phase, Phase::over);
    EXPECT_EQ(state_.error, "the worker failed");
}

}  // namespace
}  // namespace ropescope::web
