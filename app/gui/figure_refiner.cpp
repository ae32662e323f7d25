#include "app/gui/figure_refiner.h"

#include <exception>

namespace ropescope::gui {

void FigureRefiner::update(AppState& state, void (*wake)()) {
    if (std::optional<Refined> done = job_.take();
        done && state.draft_shown && done->draft == state.drafts) {
        if (done->figure) {
            state.figure = std::move(done->figure);
            ++state.figures;
        }
        state.draft_shown = false;
    }
    if (job_.running() && (started_ != state.drafts || !state.draft_shown)) {
        job_.ask_to_stop();
    }
    // A held knob makes drafts only: the next one would come before this is done.
    if (!state.draft_shown || job_.running() || state.drag_start || started_ == state.drafts) {
        return;
    }
    started_ = state.drafts;
    job_.start(
        [this, draft = state.drafts, scene = *state.figure_scene, gpu = on_gpu(*state.engine)](
            const std::stop_token& stop, const BackgroundJob<Refined>::Tell& tell) {
            Refined refined{.draft = draft, .figure = {}};
            try {
                refined.figure = figures::make_figure(scene, engine_.get(gpu), stop);
            } catch (const std::exception&) {
                // The draft stays: it was made of the same scene.
            }
            if (!stop.stop_requested()) {
                tell(std::move(refined));
            }
        },
        wake);
}

}  // namespace ropescope::gui
