// The list of the views, and how a picture of one is made.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/absolute/absolute.h"
#include "app/figures/attention/attention.h"
#include "app/figures/axes/axes.h"
#include "app/figures/cache/cache.h"
#include "app/figures/checks/checks.h"
#include "app/figures/context/context.h"
#include "app/figures/decay/decay.h"
#include "app/figures/diagnose/diagnose.h"
#include "app/figures/encodings/encodings.h"
#include "app/figures/layouts/layouts.h"
#include "app/figures/model/model.h"
#include "app/figures/positions/positions.h"
#include "app/figures/precision/precision.h"
#include "app/figures/rotation/rotation.h"
#include "app/figures/scores/scores.h"
#include "app/figures/spectrum/spectrum.h"
#include "app/figures/stretch/stretch.h"
#include "app/figures/table/table.h"
#include "app/figures/view.h"
#include "app/scene/axes_grid.h"
#include "core/base/characters.h"
#include "core/base/names.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::figures {
namespace {

/// Whether the view shows the scene's encoding, which has one axis.
bool shows_encoding(const View& view) {
    return std::ranges::find(view.parameters, "base") != view.parameters.end();
}

/// Along an axis, pairs may be chosen that the scene's own encoding does not have.
Scene drawn_scene(const Scene& given, const View& view) {
    return view.reads("axis") ? given : with_existing_pairs(given);
}

}  // namespace

const std::vector<View>& views() {
    static const std::vector<View> list = {
        rotation_view(),  spectrum_view(),  table_view(),     layouts_view(), scores_view(),
        decay_view(),     precision_view(), absolute_view(),  context_view(), model_view(),
        attention_view(), stretch_view(),   encodings_view(), cache_view(),   axes_view(),
        positions_view(), diagnose_view(),  checks_view()};
    return list;
}

bool View::reads(std::string_view parameter) const {
    const auto has = [parameter](const std::vector<std::string>& names) {
        return std::ranges::find(names, parameter) != names.end();
    };
    return has(parameters) || has(also_read) ||
           (shows_encoding(*this) && (parameter == "model" || parameter == "axes_model"));
}

bool View::needs(std::string_view parameter, const Scene& scene) const {
    return std::ranges::all_of(only_when, [&](const OnlyWhen& only) {
        return std::ranges::find(only.parameters, parameter) == only.parameters.end() ||
               only.holds(scene);
    });
}

const View& view_by_id(std::string_view id) {
    return element_named(views(), &View::id, id, [&](const std::string& near) {
        std::string list;
        for (const View& view : views()) {
            list += (list.empty() ? "; give one of " : ", ") + view.id;
        }
        return "view: '" + std::string(id) + "' is unknown" + (near.empty() ? list : near);
    });
}

namespace {

/// What a reader of any view must know about the model that the scene names; empty if nothing.
std::string remark_about_model(const Scene& scene, const View& view) {
    if (!shows_encoding(view)) {
        return {};
    }
    if (shows_text_alone(scene) && !(view.reads("axis") && scene.axis != kNoAxisChosen)) {
        return view.reads("axis")
                   ? "For text: choose an axis to see it alone, or the view axes for images."
                   : "For text: the view axes shows how images turn this model's pairs.";
    }
    return {};
}

/// Below the title, and in the report.
void add_remark(plot::Figure& figure, const std::string& remark) {
    if (!remark.empty()) {
        figure.subtitle += " " + remark;
        figure.report += remark + "\n";
    }
}

/// Says that the model is not known, where the view does not say it itself.
void add_inference(plot::Figure& figure, const Scene& scene, const View& view) {
    if (shows_encoding(view) && !scene.inferred.empty()) {
        figure.subtitle += fmt::format(" The model is not known: {}.", printable(scene.inferred));
        figure.report = fmt::format("INFERRED, not known: {}\n{}", printable(scene.inferred),
                                    std::string(figure.report));
    }
}

}  // namespace

Picture make_picture(const Scene& given, Engine& engine, const Work& work) {
    const View& view = view_by_id(given.view);
    validate(given);
    const Scene scene = drawn_scene(given, view);
    FigureCache own;
    Work asked = work;
    asked.cache = work.cache != nullptr ? work.cache : &own;
    return with_fallback(engine, [&] {
        if (asked.carried != nullptr) {
            asked.carried->begin_again();
        }
        const EngineTime before = engine.time();
        Picture picture = view.make(scene, engine, asked);
        add_inference(picture.figure, scene, view);
        add_remark(picture.figure, remark_about_model(scene, view));
        const EngineTime used = engine.time() - before;
        if (!picture.figure.engine_seconds && used.calls > 0) {
            picture.figure.engine_seconds = used.seconds;
        }
        return picture;
    });
}

std::string carried_results(const Scene& scene, Engine& engine, const Work& work) {
    Carried carried;
    Work asked = work;
    asked.carried = &carried;
    make_picture(scene, engine, asked);
    return carried.collected();
}

Picture picture_of_carried(std::string_view bytes, const Scene& scene, Engine& engine,
                           const Work& work) {
    Carried carried(bytes);
    Work asked = work;
    asked.carried = &carried;
    Picture picture = make_picture(scene, engine, asked);
    carried.end();
    return picture;
}

plot::Figure make_figure(const Scene& scene, Engine& engine, const Work& work) {
    return make_picture(scene, engine, work).figure;
}

}  // namespace ropescope::figures
