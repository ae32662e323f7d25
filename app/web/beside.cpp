// Decides what is asked of the worker, and hands its answers to the window.
#include "app/web/beside.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/figures/view.h"
#include "app/web/link.h"
#include "app/web/outcome.h"
#include "core/base/error.h"

namespace ropescope::web {
namespace {

using Json = nlohmann::json;
using Phase = gui::ChecksState::Phase;

/// The whole picture, of what the worker computed if there is anything. What it refuses is said in
/// the figure's place, as for any picture.
void complete_here(gui::AppState& state, std::optional<std::string_view> bytes = {}) {
    gui::ShownFigure& shown = state.shown;
    const figures::Work work{.cache = &shown.cache};
    try {
        shown.show(bytes ? figures::picture_of_carried(*bytes, *shown.scene, *state.engine, work)
                         : figures::make_picture(*shown.scene, *state.engine, work));
        shown.settle();
    } catch (const std::exception& refused) {
        shown.refuse(reason_of(refused));
    }
}

}  // namespace

void Beside::request_picture(gui::AppState& state, Json& requests) {
    gui::ShownFigure& shown = state.shown;
    const bool wanted = shown.wants_whole();
    if (draft_ != 0 && (!wanted || draft_ != shown.drafts)) {
        draft_ = 0;
        requests["picture"] = nullptr;
    }
    // While a knob is held or positions are played, the next draft comes before this one is done.
    if (!wanted || draft_ == shown.drafts || state.drag_start || state.playback.playing) {
        return;
    }
    if (!figures::view_by_id(shown.scene->view).carries_results) {
        // The draft is drawn once before, so that the page says what it is busy with.
        if (std::exchange(drawn_, shown.drafts) == shown.drafts) {
            complete_here(state);
        }
        return;
    }
    draft_ = shown.drafts;
    requests["picture"] = {{"ticket", draft_}, {"link", link_of(*shown.scene)}};
}

void Beside::request_checks(gui::AppState& state, Json& requests) {
    gui::ChecksState& checks = state.checks;
    if (checks.phase != Phase::asked) {
        return;
    }
    checks = {.phase = Phase::running, .fault = checks.fault};
    Json ids = Json::array();
    for (const Check* check : checks.run.asked) {
        ids.push_back(check->id);
    }
    requests["checks"] = {
        {"ticket", ++run_}, {"fault", to_string(checks.fault)}, {"ids", std::move(ids)}};
}

std::string Beside::next_requests(gui::AppState& state) {
    Json requests = Json::object();
    request_picture(state, requests);
    request_checks(state, requests);
    return requests.dump();
}

void Beside::picture_progress(gui::AppState& state, std::uint64_t ticket, double done) const {
    if (ticket == draft_ && state.shown.is_draft()) {
        state.shown.refining.done = done;
    }
}

bool Beside::answers_request(const gui::AppState& state, std::uint64_t ticket) {
    if (ticket != draft_) {
        return false;
    }
    draft_ = 0;
    return state.shown.is_draft() && state.shown.drafts == ticket;
}

void Beside::take_picture(gui::AppState& state, std::uint64_t ticket, std::string_view bytes) {
    if (answers_request(state, ticket)) {
        complete_here(state, bytes);
    }
}

void Beside::refuse_picture(gui::AppState& state, std::uint64_t ticket, const std::string& why) {
    if (answers_request(state, ticket)) {
        state.shown.refuse(why);
    }
}

void Beside::fail_picture(gui::AppState& state, std::uint64_t ticket, const std::string& why) {
    if (answers_request(state, ticket)) {
        state.error = why;
        state.shown.settle();
    }
}

void Beside::take_check(gui::AppState& state, std::uint64_t ticket, std::string_view bytes) const {
    gui::ChecksState& checks = state.checks;
    if (ticket != run_ || checks.phase != Phase::running) {
        return;
    }
    CheckOutcome outcome = unpack_outcome(bytes);
    const auto check = std::ranges::find(checks.run.asked, outcome.id, &Check::id);
    if (check == checks.run.asked.end()) {
        throw InputError("check: the worker of this page answered about '" + outcome.id +
                         "', which was not asked for; load the page again");
    }
    checks.run.results.push_back({*check, std::move(outcome.finding), outcome.seconds});
    if (checks.done() == checks.total()) {
        checks.phase = Phase::over;
    }
}

void Beside::fail_checks(gui::AppState& state, std::uint64_t ticket, const std::string& why) const {
    if (ticket == run_ && state.checks.phase == Phase::running) {
        state.checks.phase = Phase::over;
        state.error = why;
    }
}

}  // namespace ropescope::web
