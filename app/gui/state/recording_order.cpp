// Says what can change in a recording.
#include "app/gui/state/recording_order.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/figures/view.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/parameters.h"
#include "app/scene/values.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

constexpr std::int64_t kPositions = 24;  // with four steps each, some six seconds

OfferedVariation of_positions(const Scene& scene, bool draws_between) {
    const std::int64_t last = std::min(scene.query_position + kPositions, kMaxPosition);
    return {.label = "both positions",
            .vary = fmt::format("position={}:{}", last - kPositions, last),
            .has_steps = draws_between};
}

OfferedVariation of_parameter(const Scene& scene, const Parameter& parameter) {
    return {.label = label_of(parameter), .vary = recorded_range(scene, parameter)};
}

}  // namespace

std::vector<OfferedVariation> offered_variations(const Scene& scene, const Playback& playback,
                                                 bool draws_between) {
    constexpr std::size_t kMost = 4;
    std::vector<OfferedVariation> offered;
    const auto offer = [&](const OfferedVariation& one) {
        if (offered.size() < kMost &&
            std::ranges::find(offered, one.vary, &OfferedVariation::vary) == offered.end()) {
            offered.push_back(one);
        }
    };
    const std::string& played = figures::view_by_id(scene.view).played;
    for (const std::string& name : {playback.parameter, played}) {
        if (!name.empty() && figures::view_by_id(scene.view).reads(name)) {
            offer(of_parameter(scene, parameter_by_name(name)));
        }
    }
    if (played.empty() && moves_positions(scene)) {
        offer(of_positions(scene, draws_between));
    }
    for (const Parameter* parameter : shown_controls(scene)) {
        if (is_number(*parameter)) {
            offer(of_parameter(scene, *parameter));
        }
    }
    return offered;
}

OfferedVariation chosen_variation(const std::vector<OfferedVariation>& offered,
                                  const RecordingState& state) {
    if (offered.empty()) {
        throw InputError("record: nothing in this view changes with a number; export a picture");
    }
    const auto found = std::ranges::find(offered, state.label, &OfferedVariation::label);
    return found == offered.end() ? offered.front() : *found;
}

}  // namespace ropescope::gui
