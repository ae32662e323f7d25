// Computes the whole figure of a draft on a thread of its own.
#include "app/gui/background/figure_refiner.h"

#include <cmath>
#include <memory>
#include <utility>

namespace ropescope::gui {

void FigureRefiner::take_over(AppState& state) {
    std::optional<BackgroundJob<Refined>::Message> message = job_.take();
    ShownFigure& shown = state.shown;
    if (!message || !shown.is_draft()) {
        return;
    }
    if (const auto* failure = std::get_if<Failure>(&*message)) {
        if (started_ == shown.drafts) {
            shown.refuse(failure->why);
        }
        return;
    }
    auto& news = std::get<Refined>(*message);
    if (news.draft != shown.drafts) {
        return;
    }
    shown.refining.done = news.done;
    if (news.picture) {
        shown.show(*std::move(news.picture));
        shown.settle();
    }
}

void FigureRefiner::update(AppState& state, void (*wake)()) {
    take_over(state);
    const ShownFigure& shown = state.shown;
    const bool wanted = shown.wants_whole();
    if (job_.running() && (started_ != shown.drafts || !wanted)) {
        job_.ask_to_stop();
        started_ = 0;  // the work cannot be continued, only begun again
    }
    // While the user holds a knob we stay with drafts: the next one comes before this is done.
    if (!wanted || job_.running() || state.drag_start || started_ == shown.drafts) {
        return;
    }
    started_ = shown.drafts;
    cache_.share_results_of(shown.cache);
    job_.start(
        [this, draft = shown.drafts, scene = *shown.scene, kind = state.engine->kind(),
         live = shown.live](const std::stop_token& stop, const BackgroundJob<Refined>::Tell& tell) {
            const auto percent = std::make_shared<int>(-1);
            const figures::Work work{.stop = stop,
                                     .progress =
                                         [&tell, draft, percent](double done) {
                                             const int now =
                                                 static_cast<int>(std::floor(100 * done));
                                             if (now != std::exchange(*percent, now)) {
                                                 tell({.draft = draft, .done = done});
                                             }
                                         },
                                     .cache = &cache_,
                                     .live = live};
            Refined refined{.draft = draft};
            refined.picture = make_(scene, engine_.of_window(kind), work);
            if (!stop.stop_requested()) {
                tell(std::move(refined));
            }
        },
        wake);
}

}  // namespace ropescope::gui
