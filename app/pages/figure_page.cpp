// Makes the page of a figure with a slider, with as many frames as fit.
#include <fmt/format.h>

#include "app/figures/view.h"
#include "app/pages/page.h"
#include "core/base/error.h"

namespace ropescope::pages {
namespace {

std::string page_with(const Scene& scene, const Variation& variation, Engine& engine,
                      const Progress& progress) {
    std::vector<FrameScene> frames;
    for (std::size_t i = 0; i < variation.values.size(); ++i) {
        frames.push_back({value_label(variation, i), varied(scene, variation, i)});
    }
    Palette palette;
    const Film film = make_film(frames, engine, palette, progress);
    const figures::View& view = figures::view_by_id(scene.view);
    return page({.title = fmt::format("{}: {}", view.name, view.question),
                 .about = fmt::format("{} Move the slider to change {}.", view.what_you_see,
                                      variation.name),
                 .body = film_html(film, frames.size(), Motion::slider, variation.name)},
                palette);
}

}  // namespace

std::string figure_page(const Scene& scene, const Variation& variation, Engine& engine,
                        const Progress& progress) {
    Variation fitting = variation;
    while (true) {
        std::string html = page_with(scene, fitting, engine, progress);
        if (html.size() <= kMostPageBytes) {
            return html;
        }
        const std::size_t frames = fitting.values.size();
        if (frames <= 2) {
            throw InputError(fmt::format(
                "figure: two frames of {} already make a page of {} bytes, more than {}; show "
                "less, for example with a smaller range or fewer tokens",
                scene.view, html.size(), kMostPageBytes));
        }
        // Frames differ in size; a little less than the share that fits.
        const std::size_t fit = frames * kMostPageBytes / html.size();
        fitting = thinned(variation, std::max<std::size_t>(2, std::min(frames - 1, fit)));
    }
}

}  // namespace ropescope::pages
