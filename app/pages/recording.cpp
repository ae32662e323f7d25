// Draws the frames of a recording.
#include "app/pages/recording.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "core/base/error.h"

namespace ropescope::pages {
namespace {

std::size_t count_of(const Recording& recording) {
    return (recording.variation.values.size() - 1) * static_cast<std::size_t>(recording.steps) + 1;
}

/// The picture of the variation's i-th value.
figures::Picture picture_of(const Recording& recording, std::size_t i, Engine& engine,
                            figures::FigureCache& cache) {
    return figures::make_picture(varied(recording.scene, recording.variation, i), engine,
                                 {.cache = &cache, .more_checks = lessons::further_checks()});
}

[[noreturn]] void refuse_steps(const Recording& recording, std::string_view why) {
    throw InputError(fmt::format("{} steps from one position to the next: {}; give 1 step",
                                 recording.steps, why));
}

void require_steps(const Recording& recording) {
    const Variation& variation = recording.variation;
    if (variation.name != "position") {
        refuse_steps(recording, "only position has them, not " + variation.name);
    }
    for (std::size_t i = 1; i < variation.values.size(); ++i) {
        if (std::stoll(variation.values[i]) != std::stoll(variation.values[i - 1]) + 1) {
            refuse_steps(recording, "they need every position from the first to the last");
        }
    }
}

/// Whole units, since a film has whole pixels.
std::string drawn(const Recording& recording, plot::Figure figure) {
    plot::ExportOptions picture = recording.picture;
    picture.width_px = std::round(picture.width_px);
    picture.height_px = std::round(picture.height_px);
    return plot::render_figure(plot::as_seen(std::move(figure), recording.look),
                               plot::ImageFormat::png, picture);
}

}  // namespace

void require_recording(const Recording& recording) {
    if (recording.steps < 1) {
        refuse_steps(recording, "there is at least one");
    }
    if (recording.steps > 1) {
        require_steps(recording);
    }
    if (const std::size_t count = count_of(recording); count > kMostRecorded) {
        throw InputError(
            fmt::format("a recording of {} frames is too long; at most {} are drawn: "
                        "give fewer values or steps",
                        count, kMostRecorded));
    }
}

std::vector<std::string> recorded_frames(const Recording& recording, Engine& engine,
                                         const std::function<void(double done)>& progress) {
    require_recording(recording);
    figures::FigureCache cache;
    std::vector<std::string> frames;
    const auto all = static_cast<double>(count_of(recording));
    const std::size_t values = recording.variation.values.size();
    for (std::size_t i = 0; i < values; ++i) {
        const figures::Picture picture = picture_of(recording, i, engine, cache);
        if (recording.steps > 1 && !picture.between) {
            refuse_steps(recording, "the view '" + recording.scene.view + "' shows whole ones");
        }
        const int steps = i + 1 < values ? recording.steps : 1;
        for (int step = 0; step < steps; ++step) {
            const double fraction = static_cast<double>(step) / recording.steps;
            frames.push_back(
                drawn(recording, step == 0 ? picture.figure : picture.between(fraction)));
            progress(static_cast<double>(frames.size()) / all);
        }
    }
    return frames;
}

}  // namespace ropescope::pages
