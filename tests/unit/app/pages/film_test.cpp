// The figures of pages on a phone: letters that can be read, and whole titles.
#include "app/pages/film.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_checks.h"
#include "app/lessons/main_panels.h"
#include "app/pages/step_controls.h"
#include "core/engine/engine.h"

namespace ropescope::pages {
namespace {

struct Written {
    std::string face, text;
    double size_px = 0;
};

/// What is written in a drawing: a line of text may have several pieces.
std::vector<Written> written(const std::string& svg) {
    static const std::regex kText(
        "<text class=\"([^\"]*)\"[^>]*font-size=\"([0-9.]+)\"[^>]*>([^<]*)</text>");
    std::vector<Written> all;
    for (std::sregex_iterator at(svg.begin(), svg.end(), kText), end; at != end; ++at) {
        all.push_back({(*at)[1], (*at)[3], std::stod((*at)[2])});
    }
    return all;
}

/// Raised and lowered letters are as much smaller as everywhere: 0.72 of what they belong to, from
/// 12 to the 13.5 of captions. Sizes are written with one decimal.
bool is_raised_or_lowered(const Written& piece) {
    return piece.text.size() <= 5 && piece.size_px >= 0.72 * 12 - 0.05 &&
           piece.size_px <= 0.72 * 13.5 + 0.05;
}

/// Returns how many pieces it has looked at.
std::size_t expect_readable(const Scene& scene, FilmKind kind, const lessons::Step* step,
                            Engine& engine, const std::string& where) {
    Palette palette;
    FilmFrames frames{.scenes = {}, .kind = kind, .step = step};
    frames.scenes.push_back({"", scene});
    const std::vector<Written> pieces = written(make_film(frames, engine, palette).first_svgs[1]);
    for (const Written& piece : pieces) {
        EXPECT_TRUE(piece.size_px >= 12 || is_raised_or_lowered(piece))
            << where << ": " << piece.text << " at " << piece.size_px;
        const bool bold = piece.face.ends_with(" b");  // titles of panels
        EXPECT_FALSE(bold && piece.text.ends_with("…")) << where << ": " << piece.text;
    }
    return pieces.size();
}

TEST(FilmOnAPhone, HasLettersOfTwelvePixelsAndWholeTitles) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    std::size_t pieces = 0;
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        for (const FilmKind kind : {FilmKind::whole, FilmKind::beside_words}) {
            pieces += expect_readable(scene, kind, nullptr, *engine, std::string(view.id));
        }
    }
    std::set<std::string> seen;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const lessons::Step& step = lesson.steps[i];
            const std::string panels =
                fmt::format("{}", fmt::join(lessons::names_of_panels(step), ","));
            if (seen.insert(lesson.id + panels).second) {
                pieces += expect_readable(step.scene, FilmKind::beside_words, &step, *engine,
                                          fmt::format("{} step {}", lesson.id, i + 1));
            }
        }
    }
    EXPECT_GT(pieces, 500U);
}

/// What a phone shows of a scene, of two between which a control moves.
std::string on_a_phone(const Scene& start, const Scene& moved, std::size_t first,
                       const lessons::Step* step, Engine& engine) {
    Palette palette;
    FilmFrames frames{.scenes = {}, .first = first, .kind = FilmKind::beside_words, .step = step};
    frames.scenes.push_back({"", start});
    frames.scenes.push_back({"", moved});
    return make_film(frames, engine, palette).first_svgs[1];
}

TEST(FilmOnAPhone, ShowsWhatItsControlChanges) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    std::size_t films = 0;
    const auto expect_change = [&](const Scene& scene, const std::vector<StepControl>& controls,
                                   const lessons::Step* step, const std::string& where) {
        ++films;
        // A task may be to move two things so that the figure stays: then another frame differs.
        const std::vector<std::size_t> others = {solved_frame(controls), frame_count(controls) - 1,
                                                 0, 1};
        EXPECT_TRUE(std::ranges::any_of(others, [&](std::size_t other) {
            const Scene moved = frame_scene(scene, controls, other);
            return on_a_phone(scene, moved, 0, step, *engine) !=
                   on_a_phone(scene, moved, 1, step, *engine);
        })) << where;
    };
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        const std::vector<StepControl> controls = controls_of(view, scene, 3, *engine);
        EXPECT_FALSE(controls.empty()) << view.id;
        if (!controls.empty()) {
            expect_change(scene, controls, nullptr, std::string(view.id));
        }
    }
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const lessons::Step& step = lesson.steps[i];
            const std::vector<StepControl> controls = controls_of(step);
            if (!controls.empty()) {
                expect_change(step.scene, controls, &step,
                              fmt::format("{} step {}", lesson.id, i + 1));
            }
        }
    }
    EXPECT_GT(films, 60U);
}

}  // namespace
}  // namespace ropescope::pages
