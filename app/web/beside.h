// Work beside the page's frame: what the second instance of the program (worker.h) is asked to do,
// and what becomes of its answers. It knows no worker: page/beside.js carries requests and answers.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/gui/state/app_state.h"

namespace ropescope::web {

/// Every request has a ticket, which its answers carry; an answer to an earlier ticket changes
/// nothing.
class Beside {
  public:
    /// Called after each frame. What is to be done from now on, as JSON, "{}" if nothing new:
    ///   "picture": {"ticket": 7, "link": "view=..."}, which ends what was asked before; null: stop
    ///   "checks": {"ticket": 2, "fault": "none", "ids": [...]}
    /// A draft whose view has nothing to be delivered is completed here, one frame later.
    std::string next_requests(gui::AppState& state);

    void picture_progress(gui::AppState& state, std::uint64_t ticket, double done) const;
    void take_picture(gui::AppState& state, std::uint64_t ticket, std::string_view bytes);
    /// The scene cannot be drawn: `why` takes the figure's place.
    void refuse_picture(gui::AppState& state, std::uint64_t ticket, const std::string& why);
    /// The worker failed: the draft stays, and the window says why.
    void fail_picture(gui::AppState& state, std::uint64_t ticket, const std::string& why);
    void take_check(gui::AppState& state, std::uint64_t ticket, std::string_view bytes) const;
    void fail_checks(gui::AppState& state, std::uint64_t ticket, const std::string& why) const;

  private:
    void request_picture(gui::AppState& state, nlohmann::json& requests);
    void request_checks(gui::AppState& state, nlohmann::json& requests);
    /// Whether this answer is of the draft that is shown; then its request is over.
    bool answers_request(const gui::AppState& state, std::uint64_t ticket);

    std::uint64_t draft_ = 0;  ///< ShownFigure::drafts of the picture that was asked for; 0: none
    std::uint64_t drawn_ = 0;  ///< the same of the draft that is completed after the next frame
    std::uint64_t run_ = 0;    ///< the runs of checks that were asked for
};

}  // namespace ropescope::web
