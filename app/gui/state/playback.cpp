// Moves a scene on as time passes.
#include "app/gui/state/playback.h"

#include <algorithm>
#include <cmath>

#include "app/figures/view.h"
#include "app/scene/parameters.h"
#include "app/scene/sliders.h"
#include "core/base/index.h"

namespace ropescope::gui {
namespace {

constexpr int kStepsOfAWalk = 16;
constexpr double kSweepSeconds = 12;  ///< from one end of a slider to the other at speed 1

/// Null if the scene's view plays its positions.
double* played_number(Scene& scene) {
    const Parameter* parameter = find_parameter(figures::view_by_id(scene.view).played);
    const auto* member =
        parameter == nullptr ? nullptr : std::get_if<double Scene::*>(&parameter->member);
    return member == nullptr ? nullptr : &(scene.*(*member));
}

Scene with_played_moved(Scene scene, double by) {
    double& number = *played_number(scene);
    number = std::clamp(number + by, 0.0, 1.0);
    return scene;
}

double played(Scene scene) {
    return *played_number(scene);
}

/// Whether the scene's view plays a number in place of the positions.
bool plays_number(const Scene& scene) {
    return !figures::view_by_id(scene.view).played.empty();
}

}  // namespace

Scene moved(const Scene& scene, std::int64_t by, bool both) {
    Scene next = scene;
    const auto fits = [&](std::int64_t at) { return at + by >= 0 && at + by <= kMaxPosition; };
    if (fits(next.query_position) && (!both || fits(next.key_position))) {
        next.query_position += by;
        next.key_position += both ? by : 0;
    }
    return next;
}

Scene stepped(const Scene& scene, int by) {
    return plays_number(scene) ? with_played_moved(scene, 1.0 * by / kStepsOfAWalk)
                               : moved(scene, by, true);
}

bool moves_positions(const Scene& scene) {
    const figures::View& view = figures::view_by_id(scene.view);
    return view.reads("query_position") || view.reads("key_position");
}

bool moves(const Scene& scene) {
    return plays_number(scene) || moves_positions(scene);
}

bool plays_in(const Scene& scene, const Playback& playback) {
    return playback.parameter.empty() ? moves(scene)
                                      : figures::view_by_id(scene.view).reads(playback.parameter);
}

void Playback::play(const Scene& scene, const std::string& parameter_name) {
    playing = !playing || parameter != parameter_name;
    parameter = parameter_name;
    fraction = slider_fraction(scene, parameter_by_name(parameter));
    back = fraction >= 1 || (back && fraction > 0);
}

void Playback::toggle(const Scene& scene) {
    playing = !playing;
    parameter.clear();
    remainder = 0;
    if (playing && plays_number(scene)) {
        const double number = played(scene);
        back = number >= 1 || (back && number > 0);
    }
}

Scene Playback::advance(const Scene& scene, double seconds) {
    if (!playing) {
        return scene;
    }
    if (!parameter.empty()) {
        const double by = seconds * scene.speed / kSweepSeconds;
        fraction = std::clamp(fraction + (back ? -by : by), 0.0, 1.0);
        playing = fraction > 0 && fraction < 1;
        const Parameter& played_one = parameter_by_name(parameter);
        return with_slider(scene, parameter, slider_value(scene, played_one, fraction));
    }
    if (plays_number(scene)) {
        const double by = seconds * scene.speed / kWalkSeconds;
        Scene next = with_played_moved(scene, back ? -by : by);
        const double number = played(next);
        playing = number > 0 && number < 1;
        return next;
    }
    remainder += seconds * scene.speed;
    const double whole = std::floor(remainder);
    remainder -= whole;
    const double room =
        to_double(kMaxPosition - std::max(scene.query_position, scene.key_position));
    playing = whole < 1 || whole <= room;
    return moved(scene, static_cast<std::int64_t>(std::min(whole, room)), true);
}

double Playback::between_steps(const Scene& scene) const {
    return playing && parameter.empty() && !plays_number(scene) ? remainder : 0;
}

double Playback::seconds_to_next(const Scene& scene) const {
    return !parameter.empty() || plays_number(scene) ? 0 : (1 - remainder) / scene.speed;
}

}  // namespace ropescope::gui
