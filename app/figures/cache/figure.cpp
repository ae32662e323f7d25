// Puts the view cache together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <numbers>

#include "app/figures/cache/cache.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/encoding_look.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/demo/demo_models.h"
#include "core/demo/twins.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

constexpr double kLongestDrawn = 131072;
/// Errors below are drawn there: a logarithmic axis has no zero.
constexpr double kErrorFloor = 1e-9;

struct CurveLook {
    const char* name;
    double ShiftError::*error;
    Role role;
    plot::Dash dash;
};
constexpr CurveLook kCurves[] = {
    {"fp32", &ShiftError::fp32, Role::first, plot::Dash::none},
    {"fp16", &ShiftError::fp16, Role::second, plot::Dash::dashed},
    {"bf16", &ShiftError::bf16, Role::third, plot::Dash::dash_dot},
    {"other speeds", &ShiftError::other_speeds, Role::text, plot::Dash::long_dash}};

/// A row for each query head: what it reads of each token.
plot::Panel slots_panel(const CacheState& state) {
    const double tokens = to_double(state.count()), heads = to_double(kCacheQueryHeads);
    plot::Panel panel{
        .id = "slots",
        .title = say("keys of pair {}: cosine of the angle turned", state.pair),
        .x = {.label = "token", .min = -0.5, .max = tokens - 0.5, .integers = true},
        .y = {.label = "query head", .min = heads - 0.5, .max = -0.5, .integers = true},
        .color_bar = true,
        .column_span = 2};
    plot::HeatMap map{.columns = state.count(),
                      .rows = kCacheQueryHeads,
                      .values = {},
                      .x0 = -0.5,
                      .y0 = -0.5,
                      .min = -1,
                      .max = 1,
                      .map = plot::ColorMap::diverging,
                      .label = "cos"};
    for (Index head = 0; head < kCacheQueryHeads; ++head) {
        for (Index token = 0; token < state.count(); ++token) {
            map.values.push_back(state.tokens[token] == CachedToken::dropped
                                     ? std::numeric_limits<float>::quiet_NaN()
                                     : static_cast<float>(std::cos(state.angle_rad(token))));
        }
    }
    panel.marks.emplace_back(std::move(map));
    const Index group = kCacheQueryHeads / state.key_heads;
    for (Index head = group; head < kCacheQueryHeads; head += group) {
        panel.marks.emplace_back(plot::Rule{.vertical = false,
                                            .at = to_double(head) - 0.5,
                                            .role = Role::background,
                                            .dashed = false});
    }
    return panel;
}

std::vector<plot::Readout> slots_readouts(const CacheState& state, plot::Point at) {
    const Index token = plot::pick_index(at.x, state.count());
    const Index head = plot::pick_index(at.y, kCacheQueryHeads);
    const CachedToken kept = state.tokens[token];
    std::vector<plot::Readout> values = {
        {"token", whole_text(token)},
        {"query head", whole_text(head)},
        {"reads key head", whole_text(state.key_head_of(head))},
        {"kept", kept == CachedToken::kept    ? "yes"
                 : kept == CachedToken::first ? "yes, as one of the first"
                                              : "no, the window has left it"}};
    if (kept != CachedToken::dropped) {
        values.push_back(
            {"turned by",
             say("{}°", signed_text(state.angle_rad(token) * 180 / std::numbers::pi, 2))});
    }
    return values;
}

constexpr Role kModelRoles[] = {Role::first, Role::second, Role::third, Role::text, Role::dim};
constexpr plot::Dash kModelDashes[] = {plot::Dash::none, plot::Dash::dashed, plot::Dash::dash_dot,
                                       plot::Dash::long_dash, plot::Dash::dotted};

plot::Panel bytes_panel(const CacheState&) {
    constexpr double kGiB = 1024.0 * 1024 * 1024;
    plot::Panel panel{.id = "bytes",
                      .title = "cache of published models, GiB",
                      .x = {.label = "tokens in the context",
                            .min = 1024,
                            .max = kLongestDrawn,
                            .scale = plot::AxisScale::log10,
                            .integers = true},
                      .y = {.min = 0.01, .max = 1000, .scale = plot::AxisScale::log10},
                      .row = 1};
    for (std::size_t i = 0; i < cached_models().size(); ++i) {
        const CachedModel& model = cached_models()[i];
        plot::Line line{.points = {},
                        .role = kModelRoles[i],
                        .dash = kModelDashes[i],
                        .label = std::string(model.name)};
        for (double tokens = 1024; tokens <= kLongestDrawn; tokens *= 2) {
            line.points.push_back({tokens, tokens * to_double(model.bytes()) / kGiB});
        }
        panel.marks.emplace_back(std::move(line));
    }
    return panel;
}

std::vector<plot::Readout> bytes_readouts(const CacheState&, plot::Point at) {
    const Index tokens = plot::pick_whole(at.x, 1, round_to_index(kLongestDrawn));
    std::vector<plot::Readout> values = {{"tokens", whole_text(tokens)}};
    for (const CachedModel& model : cached_models()) {
        values.push_back({std::string(model.name), bytes_text(tokens * model.bytes())});
    }
    return values;
}

plot::Panel shift_error_panel(const CacheState& state) {
    plot::Panel panel{.id = "shift",
                      .title = state.shift == 0 ? plot::Text("error of a stored key")
                                                : say("error of a stored key moved back by {}",
                                                      whole_text(state.shift)),
                      .x = {.label = "position at which it was stored",
                            .min = 1,
                            .max = kLongestDrawn,
                            .scale = plot::AxisScale::log10},
                      .y = {.min = kErrorFloor, .max = 4, .scale = plot::AxisScale::log10},
                      .row = 1,
                      .column = 1};
    for (const CurveLook& look : kCurves) {
        plot::Line line{.points = {}, .role = look.role, .dash = look.dash, .label = look.name};
        for (const ShiftError& at : state.errors) {
            line.points.push_back({at.position, std::max(at.*look.error, kErrorFloor)});
        }
        panel.marks.emplace_back(std::move(line));
    }
    return panel;
}

std::vector<plot::Readout> shift_error_readouts(const CacheState& state, plot::Point at) {
    if (state.errors.empty()) {
        return {{"rotary_dim", whole_text(state.spec.rotary_dim)}};  // one pair has no base
    }
    const auto nearest = std::ranges::min_element(state.errors, {}, [&](const ShiftError& each) {
        return std::isfinite(at.x)
                   ? std::abs(std::log(each.position) - std::log(std::max(at.x, 1.0)))
                   : each.position;
    });
    std::vector<plot::Readout> values = {
        {"position", whole_text(round_to_index(nearest->position))}};
    for (const CurveLook& look : kCurves) {
        values.push_back({look.name, error_text((*nearest).*look.error)});
    }
    return values;
}

Index sink_heads() {
    return demo::demo_config(demo::DemoModel::rope).n_heads;
}

/// The share of the first token, for each layer and head of each trained decoder.
plot::Panel sinks_panel(const CacheState&) {
    plot::Panel panel{
        .id = "sinks",
        .title = "what the first token gets, %",
        .corners = {.top_right = say("evenly {} %", fixed_text(100 * even_first_share(), 1))},
        .x = {.label = "layer", .min = -0.25, .max = 3.95, .integers = true},
        .y = {.min = 0, .max = 5},
        .row = 2};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 100 * even_first_share(), .role = Role::dim});
    for (const demo::Twin& twin : demo::demo_twins()) {
        const bool shipped = twin.seed == demo::kShippedSeed;
        plot::Points points{.points = {},
                            .role = encoding_look(twin.position).role,
                            .radius_px = 4,
                            .ring = !shipped,
                            .label = encoding_look(twin.position).name};
        for (std::size_t layer = 0; layer < twin.first_token_shares.size(); ++layer) {
            const std::vector<double>& heads = twin.first_token_shares[layer];
            for (std::size_t head = 0; head < heads.size(); ++head) {
                const double place = to_double(static_cast<Index>(head)) / to_double(sink_heads());
                points.points.push_back(
                    {to_double(static_cast<Index>(layer)) + place, 100 * heads[head]});
                panel.y.max = std::max(panel.y.max, 110 * heads[head]);
            }
        }
        if (!points.points.empty()) {
            panel.marks.emplace_back(std::move(points));
        }
    }
    return panel;
}

std::vector<plot::Readout> sinks_readouts(const CacheState&, plot::Point at) {
    const Index heads = sink_heads();
    const Index last = demo::demo_config(demo::DemoModel::rope).n_layers * heads - 1;
    const Index place = plot::pick_whole(at.x * to_double(heads), 0, last);
    std::vector<plot::Readout> values = {{"layer", whole_text(place / heads)},
                                         {"head", whole_text(place % heads)}};
    for (const demo::Twin& twin : demo::demo_twins()) {
        if (!twin.first_token_shares.empty()) {
            const double share = twin.first_token_shares[static_cast<std::size_t>(place / heads)]
                                                        [static_cast<std::size_t>(place % heads)];
            values.push_back(
                {fmt::format("{}, seed {}", encoding_look(twin.position).name, twin.seed),
                 say("{} %", fixed_text(100 * share, 1))});
        }
    }
    return values;
}

plot::Panel cache_facts_panel(const CacheState& state) {
    plot::Panel panel{.id = "facts",
                      .title = "what it costs (operations: × and +)",
                      .x = {.visible = false},
                      .y = {.visible = false},
                      .row = 2,
                      .column = 1};
    panel.marks.emplace_back(plot::Facts{cache_facts(state)});
    return panel;
}

std::vector<plot::Readout> cache_facts_readouts(const CacheState& state, plot::Point) {
    return {{"key heads", whole_text(state.key_heads)},
            {"query heads to each", whole_text(kCacheQueryHeads / state.key_heads)}};
}

plot::Figure figure(const Scene& scene, const CacheState& state) {
    plot::Figure figure;
    figure.view = "cache";
    figure.title =
        say("{} of {} are kept, with {} for {} query heads: {} a layer instead of {}", state.kept(),
            counted(state.count(), "token"), counted(state.key_heads, "key head"), kCacheQueryHeads,
            bytes_text(state.bytes()), bytes_text(state.all_bytes()));
    figure.subtitle =
        say("A layer of a decoder: keys and values of {} channels at two bytes a "
            "number.",
            state.spec.head_dim);
    figure.subtitle += without_scaling_text(scene_scaling(scene));
    figure.row_weights = {0.8, 1.1, 0.9};
    figure.column_weights = {1.0, 1.0};
    figure.data = cache_data(state);
    figure.report = report_head(figure, state.spec) + cache_report(state);
    return figure;
}

/// The number of tokens under the cursor becomes the number that have arrived.
Scene arrive(const CacheState& state, Scene scene, plot::Point at) {
    if (std::isfinite(at.x)) {
        scene.cache_tokens = plot::pick_index(at.x, state.count()) + 1;
    }
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const CacheState>(make_cache_state(scene));
    Picture picture{.figure = figure(scene, *state)};
    picture.add(slots_panel(*state), {state, slots_readouts, arrive});
    picture.add(bytes_panel(*state), {state, bytes_readouts});
    picture.add(shift_error_panel(*state), {state, shift_error_readouts});
    picture.add(sinks_panel(*state), {state, sinks_readouts});
    picture.add(cache_facts_panel(*state), {state, cache_facts_readouts});
    return picture;
}

}  // namespace

View cache_view() {
    return {
        .id = "cache",
        .key = 'H',
        .name = "Cache",
        .group = "Real models",
        .question = "What does a decoder keep of what it has read?",
        .parameters = {"cache_tokens", "cache_key_heads", "cache_window", "cache_sinks",
                       "cache_rotated", "cache_shift", "selected_pair", "head_dim", "rotary_dim",
                       "base", "layout"},
        .also_read = {"scaling"},
        .make = make,
        .what_you_see =
            "Top: the keys of one layer, a column for each token; rows without a line between "
            "them share a key, and grey ones have left the window. Below: caches of published "
            "models, and the error of a moved key. Bottom: what trained decoders give to the first "
            "token (two seeds).",
        .what_to_try =
            "Let fewer key heads serve: the bytes fall. Store keys as they are: each token then "
            "turns all of them. Shift the positions: one more rotation moves a turned key. If the "
            "speeds have changed since, the error is as large as the key.",
        .formulas = {"R(n − s) k = R(−s) R(n) k", "2 · tokens · key heads · head_dim",
                     "MLA: q_{C} · k_{C} + q_{R} · R(n − m) k_{R}"},
        .formula_source = "arXiv:2305.13245; arXiv:2309.17453; arXiv:2405.04434",
    };
}

}  // namespace ropescope::figures
