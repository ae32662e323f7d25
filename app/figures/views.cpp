#include <algorithm>

#include "app/figures/absolute/view.h"
#include "app/figures/attention/view.h"
#include "app/figures/checks/view.h"
#include "app/figures/context/view.h"
#include "app/figures/decay/view.h"
#include "app/figures/layouts/view.h"
#include "app/figures/model/view.h"
#include "app/figures/precision/view.h"
#include "app/figures/rotation/view.h"
#include "app/figures/scores/view.h"
#include "app/figures/spectrum/view.h"
#include "app/figures/table/view.h"
#include "app/figures/view.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/engine/fallback_engine.h"
#include "core/engine/timed_engine.h"

namespace ropescope::figures {

const std::vector<View>& views() {
    static const std::vector<View> list = {rotation_view(),  spectrum_view(),  table_view(),
                                           layouts_view(),   scores_view(),    decay_view(),
                                           precision_view(), absolute_view(),  context_view(),
                                           model_view(),     attention_view(), checks_view()};
    return list;
}

bool View::reads(std::string_view parameter) const {
    return std::ranges::find(parameters, parameter) != parameters.end() ||
           std::ranges::find(also_read, parameter) != also_read.end();
}

const View& view_by_id(std::string_view id) {
    const auto found = std::ranges::find(views(), id, &View::id);
    if (found != views().end()) {
        return *found;
    }
    std::vector<std::string> ids;
    std::string list;
    for (const View& view : views()) {
        ids.push_back(view.id);
        list += (list.empty() ? "" : ", ") + view.id;
    }
    const std::string nearest = did_you_mean(id, ids);
    throw InputError("view: '" + std::string(id) + "' is unknown" +
                     (nearest.empty() ? "; give one of " + list : nearest));
}

namespace {

/// With another engine from the beginning where the first fails in the middle.
template <typename Make>
plot::Figure timed(Engine& engine, const Make& make) {
    return with_fallback(engine, [&] {
        TimedEngine watched(engine);
        plot::Figure figure = make(watched);
        if (!figure.engine_seconds && watched.calls() > 0) {
            figure.engine_seconds = watched.seconds();
        }
        return figure;
    });
}

}  // namespace

plot::Figure make_figure(const Scene& scene, Engine& engine, const Work& work) {
    const View& view = view_by_id(scene.view);
    validate(scene);
    return timed(engine, [&](Engine& watched) {
        return view.refined != nullptr ? view.refined(scene, watched, work)
                                       : view.figure(scene, watched, work);
    });
}

plot::Figure draft_figure(const Scene& scene, Engine& engine, const Work& work) {
    if (!has_draft(scene, engine)) {
        return make_figure(scene, engine, work);
    }
    validate(scene);
    const View& view = view_by_id(scene.view);
    return timed(engine, [&](Engine& watched) { return view.figure(scene, watched, work); });
}

bool has_draft(const Scene& scene, const Engine& engine) {
    const View& view = view_by_id(scene.view);
    return view.refined != nullptr && !(view.quick != nullptr && view.quick(scene, engine));
}

}  // namespace ropescope::figures
