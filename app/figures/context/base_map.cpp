// Computes and draws the map of the bases that allow a length.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/figures/context/context.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "core/base/memo.h"
#include "core/formats/presets.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

constexpr double kLeastBase = 1e3, kMostBase = 1e10;
constexpr Index kShortest = 1024;  ///< positions at the lower edge
constexpr double kDraftStep = 1.3;

struct KnownMaps {
    Memo<Index, BaseMap> memo{16};                          ///< by channels
    Memo<std::pair<Index, Index>, WorkingBases> bases{16};  ///< by channels and length
};

/// Steps that take about as long for any number of pairs.
double step_of(Index rotary_dim) {
    return std::pow(1.02, std::max(1.0, to_double(rotary_dim) / 128));
}

BaseMap computed_map(Index rotary_dim, double step) {
    BaseMap map{.step = step, .bases = bases_between(kLeastBase, kMostBase, step)};
    map.first_negative = first_negative_distances(rotary_dim, map.bases, kMaxPosition);
    map.models = placed_models(rotary_dim);
    return map;
}

double reached(const BaseMap& map, Index i) {
    return to_double(map.first_negative[i].value_or(kMaxPosition));
}

/// The target, as far as the map goes.
Index target_of(const ContextState& state) {
    return std::clamp<Index>(state.scene.target_length, 1, kMaxPosition);
}

/// A base that is known to a step: to two digits.
plot::Number about(double base) {
    const double unit = std::pow(10.0, std::floor(std::log10(base)) - 1);
    const double rounded = std::round(base / unit) * unit;
    return {plot::number_text(rounded), rounded};
}

/// The region of bases and lengths, with steps half-way between the bases tried.
void add_region(plot::Panel& panel, const BaseMap& map) {
    plot::Area area{.low = {}, .high = {}, .role = Role::first, .opacity = 0.3};
    plot::Line edge{.points = {}, .role = Role::first, .width = 0.6};
    double left = kLeastBase;
    for (Index i = 0; i < std::ssize(map.bases); ++i) {
        const bool last = i + 1 == std::ssize(map.bases);
        const double right =
            last ? kMostBase : std::min(kMostBase, std::sqrt(map.bases[i] * map.bases[i + 1]));
        for (const double x : {left, right}) {
            area.low.push_back({x, to_double(kShortest)});
            area.high.push_back({x, std::max(reached(map, i), to_double(kShortest))});
            edge.points.push_back(area.high.back());
        }
        left = right;
    }
    panel.marks.emplace_back(std::move(area));
    panel.marks.emplace_back(std::move(edge));
}

/// The set for the target, as pieces of a line.
void add_set(plot::Panel& panel, const WorkingBases& bases) {
    const double half = std::sqrt(kBaseStep), y = to_double(bases.length);
    for (const BaseRange& range : bases.ranges) {
        // Beyond the last base tried larger ones turn all slower.
        const bool open = bases.open_end && &range == &bases.ranges.back();
        panel.marks.emplace_back(
            plot::Line{.points = {{std::max(range.least / half, kLeastBase), y},
                                  {open ? kMostBase : std::min(range.most * half, kMostBase), y}},
                       .role = Role::third,
                       .width = 2.2});
    }
}

void add_paper(plot::Panel& panel) {
    plot::Line line{.points = {}, .role = Role::second, .width = 1, .dash = plot::Dash::dashed};
    for (double length = 1 << 10; length <= to_double(kMaxPosition); length *= 2) {
        line.points.push_back({paper_base(length), length});
    }
    panel.marks.emplace_back(std::move(line));
}

/// Models at one place share a point and a name.
struct ModelPlace {
    const PlacedModel* first = nullptr;
    Index more = 0;

    plot::Text name() const {
        return more > 0 ? say("{} + {}", first->title, more) : plot::Text(first->title);
    }
    plot::Point at() const { return {first->base, to_double(first->context)}; }
    /// Names stand where there is room: beside the least bases and inside the region at the right.
    bool name_at_right() const { return first->base < 3e4 || !first->first_negative; }
};

std::vector<ModelPlace> places_of(const std::vector<PlacedModel>& models) {
    std::vector<ModelPlace> places;
    for (const PlacedModel& model : models) {
        const auto place = std::ranges::find_if(places, [&](const ModelPlace& known) {
            return known.first->base == model.base && known.first->context == model.context &&
                   known.first->first_negative.has_value() == model.first_negative.has_value();
        });
        if (place == places.end()) {
            places.push_back({&model});
        } else {
            ++place->more;
        }
    }
    return places;
}

/// Whether two names would cover each other in a small picture, where a letter is 0.085 of a decade
/// of the base wide and a line 1.6 octaves of the length high.
bool names_meet(const ModelPlace& a, const ModelPlace& b) {
    const auto span = [](const ModelPlace& place) {
        const double at = std::log10(place.first->base);
        const double width = 0.085 * to_double(std::ssize(place.name()) + 2);
        return place.name_at_right() ? std::pair(at, at + width) : std::pair(at - width, at);
    };
    const auto [a_first, a_last] = span(a);
    const auto [b_first, b_last] = span(b);
    const double octaves = std::log2(to_double(a.first->context) / to_double(b.first->context));
    return a_first < b_last && b_first < a_last && std::abs(octaves) < 1.6;
}

void add_models(plot::Panel& panel, const BaseMap& map) {
    std::vector<ModelPlace> named;
    for (const ModelPlace& place : places_of(map.models)) {
        const bool right = place.name_at_right();
        // A ring goes around a dot at its place.
        const bool falls = place.first->first_negative.has_value();
        panel.marks.emplace_back(plot::Points{.points = {place.at()},
                                              .role = Role::text,
                                              .radius_px = falls ? 6.5 : 4.0,
                                              .ring = falls});
        if (std::ranges::none_of(
                named, [&](const ModelPlace& other) { return names_meet(place, other); })) {
            named.push_back(place);
            panel.marks.emplace_back(plot::Label{.at = place.at(),
                                                 .text = place.name(),
                                                 .anchor_x = right ? 0.0 : 1.0,
                                                 .anchor_y = 0.5,
                                                 .away_px = 8});
        }
    }
}

plot::Panel bases_panel(const ContextState& state, const BaseMap& map, const WorkingBases& bases) {
    plot::Panel panel{.id = "bases",
                      .x = {.label = "base",
                            .min = kLeastBase,
                            .max = kMostBase,
                            .scale = plot::AxisScale::log10},
                      .y = {.label = "length (positions)",
                            .min = to_double(kShortest),
                            .max = to_double(kMaxPosition),
                            .scale = plot::AxisScale::log10,
                            .integers = true}};
    add_region(panel, map);
    if (bases.length >= kShortest) {
        panel.marks.emplace_back(
            plot::Rule{.vertical = false, .at = to_double(bases.length), .label = "target"});
        add_set(panel, bases);
    }
    if (state.scene.base >= kLeastBase && state.scene.base <= kMostBase) {
        panel.marks.emplace_back(plot::Rule{.at = state.scene.base, .label = "base"});
    }
    add_paper(panel);
    add_models(panel, map);
    return panel;
}

/// Where each row's sum first falls below zero: "none 1 707, linear 13 656".
plot::Text methods_fact(const ContextState& state, Index target) {
    plot::Text text = say("first below zero, to {}: ", whole_text(target));
    bool first = true;
    for (const MethodRow& row : state.rows()) {
        const auto at = first_negative_distance(row.spectrum, target);
        text += (first ? "" : ", ") + (at ? say("{} {}", scaling_name(row.name), whole_text(*at))
                                          : say("{} nowhere", scaling_name(row.name)));
        first = false;
    }
    return text;
}

/// One line in a small window.
plot::Text models_fact(const BaseMap& map, Index pairs) {
    const Index stay = std::ranges::count_if(
        map.models, [](const PlacedModel& model) { return !model.first_negative; });
    return say("{} of {} of {} stay at or above zero to their own context (dots)", whole_text(stay),
               counted(std::ssize(map.models), "model"), counted(pairs, "pair"));
}

plot::Panel base_facts_panel(const ContextState& state, const BaseMap& map, Index target) {
    plot::Panel panel{.id = "facts",
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0, .max = 1, .visible = false},
                      .row = 1};
    plot::Facts facts;
    facts.rows.push_back({"models", models_fact(map, state.scene.rotary_dim / 2)});
    facts.rows.push_back({"methods", methods_fact(state, target)});
    facts.rows.push_back(
        {"limits",
         "Men et al. derive the bound for q and k of independent components; below it "
         "long contexts failed in their experiments. It says nothing of how well a model "
         "was trained. Channels that pass through are left out; each pair of them would "
         "add one."});
    panel.marks.emplace_back(std::move(facts));
    return panel;
}

plot::Text base_title(const WorkingBases& bases) {
    const plot::Number length = counted(bases.length, "position");
    if (bases.ranges.empty()) {
        return say("No base that was tried will do for {}", length);
    }
    const plot::Number least = about(bases.ranges.front().least);
    if (bases.ranges.size() == 1) {
        return say("For {} all bases from about {} on will do", length, least);
    }
    return bases.all_from
               ? say("For {} some bases from about {} on will do, and all from about {} on", length,
                     least, about(*bases.all_from))
               : say("For {} some bases from about {} on will do", length, least);
}

plot::DataTable base_data(const BaseMap& map) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> series, model;
    std::vector<double> base, context, first;
    for (Index i = 0; i < std::ssize(map.bases); ++i) {
        series.emplace_back("base");
        model.emplace_back();
        base.push_back(map.bases[i]);
        context.push_back(kNone);
        first.push_back(map.first_negative[i] ? to_double(*map.first_negative[i]) : kNone);
    }
    for (const PlacedModel& placed : map.models) {
        series.emplace_back("model");
        model.push_back(placed.title);
        base.push_back(placed.base);
        context.push_back(to_double(placed.context));
        first.push_back(placed.first_negative ? to_double(*placed.first_negative) : kNone);
    }
    return {{{"series", series},
             {"model", model},
             {"base", base},
             {"context_positions", context},
             {"first_negative_positions", first}}};
}

plot::Text base_report(const plot::Figure& figure, const BaseMap& map) {
    plot::Text text;
    for (const plot::Panel& panel : figure.panels) {
        for (const plot::Mark& mark : panel.marks) {
            if (const auto* facts = std::get_if<plot::Facts>(&mark)) {
                for (const plot::Facts::Fact& fact : facts->rows) {
                    text += fact.name + ": " + fact.text + "\n";
                }
            }
        }
    }
    std::vector<std::vector<std::string>> rows;
    for (const PlacedModel& model : map.models) {
        rows.push_back({model.title, plot::exact_number_text(model.base), whole_text(model.context),
                        model.first_negative ? std::string(whole_text(*model.first_negative))
                                             : std::string("nowhere")});
    }
    return text + "\n" + text_table({"model", "base", "context", "first below zero"}, rows);
}

/// What was computed of the base nearest to the cursor.
std::vector<plot::Readout> base_readouts(const BaseMap& map, plot::Point at) {
    const auto distance = [&](double base) { return std::abs(std::log(base / at.x)); };
    const auto nearest = std::ranges::min_element(map.bases, {}, [&](double base) {
        const double away = distance(base);
        return std::isfinite(away) ? away : std::numeric_limits<double>::max();
    });
    const auto first = map.first_negative[nearest - map.bases.begin()];
    std::vector<plot::Readout> readouts = {
        {"base", plot::number_text(*nearest)},
        {"first below zero", first ? plot::Text(whole_text(*first)) : plot::Text("nowhere")}};
    for (const PlacedModel& model : map.models) {
        const double octaves = std::log2(at.y / to_double(model.context));
        if (distance(model.base) < 0.2 && std::abs(octaves) < 0.6) {
            readouts.push_back({"model", model.title});
        }
    }
    return readouts;
}

}  // namespace

std::shared_ptr<const BaseMap> base_map(Index rotary_dim, const Work& work) {
    auto& known = work.cache->results<KnownMaps>().memo;
    if (work.may_draft && !known.find(rotary_dim)) {
        BaseMap draft = computed_map(rotary_dim, kDraftStep);
        draft.draft = true;
        return std::make_shared<const BaseMap>(std::move(draft));
    }
    return known.get(rotary_dim, [&] { return computed_map(rotary_dim, step_of(rotary_dim)); });
}

void show_base_map(Picture& picture, const ContextState& state, const Work& work) {
    const Index rotary_dim = state.scene.rotary_dim, target = target_of(state);
    const std::shared_ptr<const BaseMap> map = base_map(rotary_dim, work);
    auto& known = work.cache->results<KnownMaps>().bases;
    const std::pair key(rotary_dim, target);
    picture.draft = map->draft || (work.may_draft && !known.find(key));
    const WorkingBases bases =
        picture.draft ? working_bases(map->bases, map->first_negative, target)
                      : *known.get(key, [&] { return find_working_bases(rotary_dim, target); });
    plot::Figure& figure = picture.figure;
    picture.add(bases_panel(state, *map, bases), {map, base_readouts});
    picture.add(base_facts_panel(state, *map, target), {});
    figure.view = "context";
    figure.title = base_title(bases);
    figure.subtitle =
        say("Shaded: the sum of the cosines of {} is at or above zero at every distance to the "
            "length, without scaling",
            counted(rotary_dim / 2, "pair"));
    figure.legend = {
        {.label = "model that stays", .role = Role::text, .kind = plot::LegendEntry::Kind::point},
        {.label = "model that does not", .role = Role::text, .kind = plot::LegendEntry::Kind::ring},
        {.label = "bases for the target", .role = Role::third},
        {.label = "Men et al., figure 1", .role = Role::second, .dash = plot::Dash::dashed}};
    figure.row_weights = {1.0, 0.42};
    figure.column_weights = {1.0};
    figure.data = base_data(*map);
    figure.report =
        report_head(figure, unscaled_rope_spec(state.scene)) + base_report(figure, *map);
}

}  // namespace ropescope::figures
