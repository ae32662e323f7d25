// Puts the layouts view together: its two figures, its numbers, and what clicks and keys do.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/layouts/layouts.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/systems/equivalence.h"

namespace ropescope::figures {
namespace {

/// The columns of the CSV while they grow.
struct Rows {
    std::vector<std::string> panel, series, note;
    std::vector<double> x, y;

    void add(const std::string& in, const std::string& name, plot::Point at,
             const std::string& words = {}) {
        panel.push_back(in);
        series.push_back(name);
        note.push_back(words);
        x.push_back(at.x);
        y.push_back(at.y);
    }
    void add_channels(const char* in, const std::string& name, const std::vector<double>& values) {
        for (Index c = 0; c < std::ssize(values); ++c) {
            add(in, name, {to_double(c), values[c]});
        }
    }
};

void add_walk(Rows& rows, const Walk& walk) {
    for (Index channel = 0; channel < walk.spec.head_dim; ++channel) {
        const auto add = [&](const char* series, double y) {
            rows.add("walk", series, {to_double(channel), y});
        };
        add("half_split_slot", to_double(walk.slot[channel]));
        add("slot_now", slot_now(walk, channel));
        add("walked", walked(walk, channel));
        add("value", walk.rotated[channel]);
    }
}

/// The named lines of the panels that have curves.
void add_curves(Rows& rows, const std::vector<plot::Panel>& panels) {
    for (const plot::Panel& panel : panels) {
        if (panel.id != "norm" && panel.id != "shift" && panel.id != "score") {
            continue;
        }
        for (const plot::Mark& mark : panel.marks) {
            if (const auto* line = std::get_if<plot::Line>(&mark)) {
                for (const plot::Point& point : line->points) {
                    rows.add(panel.id, line->label, point);
                }
            }
        }
    }
}

plot::DataTable table_of(Rows rows) {
    return {{{"panel", std::move(rows.panel)},
             {"series", std::move(rows.series)},
             {"x", std::move(rows.x)},
             {"y", std::move(rows.y)},
             {"verdict", std::move(rows.note)}}};
}

std::string matrix_text(const EquivalenceMatrix& matrix) {
    std::vector<std::string> header = {"system", "no"};
    std::vector<std::vector<std::string>> rows;
    for (Index a = 0; a < std::ssize(matrix.systems); ++a) {
        header.push_back(fmt::format("{}", a + 1));
        rows.push_back({matrix.systems[a]->id, fmt::format("{}", a + 1)});
        for (Index b = 0; b < std::ssize(matrix.systems); ++b) {
            rows.back().push_back(verdict_mark(matrix.at(a, b).verdict));
        }
    }
    return text_table(header, rows);
}

std::string channel_text(const SystemComparison& comparison) {
    const auto value = [](const SystemOutput& output, Index channel) {
        return output.values.empty() ? std::string("-") : signed_text(output.values[channel], 6);
    };
    std::vector<std::vector<std::string>> rows;
    const Index shown = std::min(comparison.head_dim, kMostNumberedChannels);
    for (Index channel = 0; channel < shown; ++channel) {
        rows.push_back({fmt::format("{}", channel), value(comparison.a, channel),
                        value(comparison.b, channel), value(comparison.b_permuted, channel)});
    }
    return text_table({"channel", "a", "b", "b after P"}, rows);
}

/// Everything that is drawn, with a row for each number: panel, series, x, y, verdict.
plot::DataTable layouts_data(const SystemComparison& comparison, const Walk& walk,
                             const std::vector<plot::Panel>& panels) {
    Rows rows;
    const EquivalenceMatrix& matrix = system_matrix();
    for (Index a = 0; a < std::ssize(matrix.systems); ++a) {
        for (Index b = 0; b < std::ssize(matrix.systems); ++b) {
            rows.add("matrix", matrix.systems[a]->id + " ~ " + matrix.systems[b]->id,
                     {to_double(a + 1), to_double(b + 1)},
                     std::string(to_string(matrix.at(a, b).verdict)));
        }
    }
    rows.add_channels("outputs", "a", comparison.a.values);
    rows.add_channels("outputs", "b", comparison.b.values);
    rows.add_channels("outputs", "b_after_permutation", comparison.b_permuted.values);
    add_curves(rows, panels);
    add_walk(rows, walk);
    return table_of(std::move(rows));
}

/// The walk alone, in the same columns.
plot::DataTable walk_data(const Walk& walk, const std::vector<plot::Panel>& panels) {
    Rows rows;
    add_walk(rows, walk);
    add_curves(rows, panels);
    return table_of(std::move(rows));
}

plot::Text layouts_report(const Scene& scene, const SystemComparison& comparison) {
    const PairVerdict& verdict = comparison.verdict;
    plot::Text text =
        plot::say("a: {}, {} ({})\nb: {}, {} ({})\nverdict: {}; {}\n", verdict.a->id,
                  verdict.a->title, verdict.a->source, verdict.b->id, verdict.b->title,
                  verdict.b->source, to_string(verdict.verdict), verdict.explanation);
    for (const SystemOutput* output : {&comparison.a, &comparison.b}) {
        if (!output->error.empty()) {
            text += plot::say("{} does not run here: {}\n", output == &comparison.a ? "a" : "b",
                              output->error);
        }
    }
    if (!comparison.permutation.empty()) {
        text += plot::say("P: {}\n", describe_permutation(comparison.permutation));
    }
    return text +
           plot::say("\none vector (seed {}) of {} channels at position {}\n\n", scene.content_seed,
                     comparison.head_dim, scene.query_position) +
           channel_text(comparison) + "\n" + matrix_text(system_matrix()) +
           "\n= identical, P equal after a permutation, ≠ different, × not a rotation\n";
}

/// Everything that the figure shows.
struct LayoutsState {
    Walk walk;
    std::optional<SystemComparison> comparison;  ///< nullopt while only the walk is shown
    std::vector<plot::Readout> pair;             ///< about the selected pair
};

/// Arrow keys walk through the matrix: up and down change a, left and right b; none goes round.
std::vector<plot::Link> matrix_keys(const Scene& scene) {
    using Key = plot::Link::Key;
    const std::vector<const System*>& systems = system_matrix().systems;
    std::vector<plot::Link> links;
    const auto add = [&](const char* parameter, const std::string& now, Key before, Key after) {
        const auto at = std::ranges::find(systems, now, [](const System* s) { return s->id; });
        const auto link = [&](Key key, const System& system) {
            links.push_back({.key = key, .settings = {fmt::format("{}={}", parameter, system.id)}});
        };
        if (at != systems.end() && at != systems.begin()) {
            link(before, **(at - 1));
        }
        if (at != systems.end() && at + 1 != systems.end()) {
            link(after, **(at + 1));
        }
    };
    add("system_a", scene.system_a, Key::up, Key::down);
    add("system_b", scene.system_b, Key::left, Key::right);
    return links;
}

/// A system with a base written in is compared at that one.
plot::Text base_words(const SystemComparison& comparison, double base) {
    const plot::Number turned_by = plot::exact_number_text(comparison.base);
    return comparison.base == base ? plot::say("base {}", turned_by)
                                   : plot::say("base {} (written in)", turned_by);
}

/// "10 000, 500 000"
std::string listed(const auto& numbers) {
    std::string text;
    for (const auto number : numbers) {
        text += (text.empty() ? "" : ", ") + plot::exact_number_text(static_cast<double>(number));
    }
    return text;
}

/// Its panels stand in it already.
void describe_systems(plot::Figure& figure, const Scene& scene, const Walk& walk,
                      const SystemComparison& comparison) {
    using Kind = plot::LegendEntry::Kind;
    const EquivalenceOptions& all = system_matrix().options;
    figure.title = verdict_sentence(comparison);
    figure.subtitle =
        (positionless(comparison) == nullptr
             ? plot::Text()
             : plot::say("It turns by batch index; the vector shown is a batch of one. ")) +
        plot::say(
            "These two: head_dim {}{}, {}, position {}. All: head_dim {}, base {} or "
            "the one written in, positions {}.",
            comparison.head_dim,
            comparison.head_dim < scene.head_dim ? " (the widest compared)" : "",
            base_words(comparison, scene.base), whole_text(scene.query_position),
            listed(all.head_dims), listed(all.bases), listed(all.offsets));
    figure.subtitle += without_scaling_text(scene_scaling(scene));
    const System &a = *comparison.verdict.a, &b = *comparison.verdict.b;
    figure.legend = {{a.title, plot::Role::first, Kind::point}};
    if (&a != &b) {
        figure.legend.push_back({b.title, plot::Role::second, Kind::ring});
    }
    if (!comparison.permutation.empty()) {
        figure.legend.push_back(
            {plot::say("difference after reordering"), plot::Role::text, Kind::point});
    }
    figure.row_weights = {0.9, 0.85, 1.0, 1.0};
    figure.column_weights = {1.4, 1.0};
    figure.data = layouts_data(comparison, walk, figure.panels);
    figure.report = report_head(figure, walk.spec) + layouts_report(scene, comparison) + "\n" +
                    walk_report(walk);
}

plot::Text walk_title(const Walk& walk) {
    if (walk.spec.pairs() == 1) {
        return plot::say("With one pair both layouts are the same");
    }
    if (!walk.same_score()) {
        return plot::say("The score changes by {} on the way, which is more than rounding",
                         plot::few_digits_text(std::abs(walk.half_split_score - walk.score), 2));
    }
    return plot::say("Two layouts, one vector in two orders: the score stays {}",
                     fixed_text(walk.score, 3));
}

/// Its panels stand in it already.
void describe_walk(plot::Figure& figure, const Scene& scene, const Walk& walk) {
    figure.title = walk_title(walk);
    figure.subtitle = plot::say(
        "R_{{m}} q, m = {}, walks pair by pair to half-split: {} % of the way. Score with k at "
        "n = {}; {}.",
        whole_text(walk.m), fixed_text(100 * walk.walked, 1), whole_text(walk.n),
        encoding_sizes(walk.spec));
    figure.subtitle += without_scaling_text(scene_scaling(scene));
    figure.row_weights = {1.2, 1.0};
    figure.column_weights = {1.15, 1.0};
    figure.data = walk_data(walk, figure.panels);
    figure.report = report_head(figure, walk.spec) + walk_report(walk);
}

std::vector<plot::Readout> verdict_readouts(const PairVerdict& verdict) {
    return {{"first", verdict.a->title},
            {"second", verdict.b->title},
            {"verdict", std::string(to_string(verdict.verdict))},
            {"largest difference", plot::few_digits_text(verdict.same_input.largest_output, 3)},
            {"reordered", verdict.verdict == Equivalence::equal_after_permutation
                              ? plot::few_digits_text(verdict.permuted.largest_output, 3)
                              : std::string("-")}};
}

std::vector<plot::Readout> channel_readouts(const LayoutsState& state, plot::Point at) {
    const SystemComparison& comparison = *state.comparison;
    const Index channel = plot::pick_index(at.x, comparison.head_dim);
    std::vector<plot::Readout> readouts = {{"channel", fmt::format("{}", channel)}};
    const auto add = [&](const char* name, const SystemOutput& output) {
        if (!output.values.empty()) {
            readouts.push_back({name, signed_text(output.values[channel], 6)});
        }
    };
    add("first", comparison.a);
    add("second", comparison.b);
    add("second, reordered", comparison.b_permuted);
    return readouts;
}

/// The slot under the cursor: what stands there before the walk, and where that goes.
std::vector<plot::Readout> walk_readouts(const LayoutsState& state, plot::Point at) {
    const Walk& walk = state.walk;
    const Index channel = plot::pick_index(at.x, walk.spec.head_dim);
    const bool rotated = channel < walk.spec.rotary_dim;
    return {{"channel", fmt::format("{}", channel)},
            {"pair, interleaved", rotated ? fmt::format("{}", channel / 2) : "not rotated"},
            {"goes to", fmt::format("{}", walk.slot[channel])},
            {"half-split takes", fmt::format("{}", walk.p[channel])}};
}

std::vector<plot::Readout> selected_pair_readouts(const LayoutsState& state, plot::Point) {
    return state.pair;
}

std::vector<plot::Readout> cell_readouts(const LayoutsState&, plot::Point at) {
    return verdict_readouts(system_matrix().at(system_of_row(at.y), system_of_column(at.x)));
}

std::vector<plot::Readout> shown_verdict_readouts(const LayoutsState& state, plot::Point) {
    const PairVerdict& verdict = state.comparison->verdict;
    return verdict_readouts(system_matrix().at(verdict.a->id, verdict.b->id));
}

/// A cell of the matrix opens its two systems; a name at the left takes that system as a.
Scene open_systems(const LayoutsState&, Scene scene, plot::Point at) {
    const EquivalenceMatrix& matrix = system_matrix();
    scene.system_a = matrix.systems[system_of_row(at.y)]->id;
    if (at.x >= 0) {
        scene.system_b = matrix.systems[system_of_column(at.x)]->id;
    }
    return scene;
}

/// The walk is enlarged, and made small again.
Scene change_size(const LayoutsState&, Scene scene, plot::Point) {
    scene.layouts_show =
        scene.layouts_show == LayoutsShow::walk ? LayoutsShow::systems : LayoutsShow::walk;
    return scene;
}

void show_systems(Picture& picture, const Scene& scene,
                  const std::shared_ptr<const LayoutsState>& state) {
    const SystemComparison& comparison = *state->comparison;
    picture.add(walk_panel(scene, state->walk, false), {state, walk_readouts, change_size});
    picture.add(matrix_panel(scene), {state, cell_readouts, open_systems});
    picture.add(output_panel(scene, comparison), {state, channel_readouts});
    picture.add(difference_panel(comparison), {state, channel_readouts});
    picture.add(norm_panel(scene, comparison), {state, shown_verdict_readouts});
    picture.add(shift_panel(scene, comparison), {state, shown_verdict_readouts});
    describe_systems(picture.figure, scene, state->walk, comparison);
}

void show_walk(Picture& picture, const Scene& scene,
               const std::shared_ptr<const LayoutsState>& state, Engine& engine) {
    picture.add(walk_panel(scene, state->walk, true), {state, walk_readouts, change_size});
    picture.add(permutation_panel(scene, state->walk), {state, selected_pair_readouts});
    picture.add(walk_score_panel(scene, state->walk, engine), {state, selected_pair_readouts});
    describe_walk(picture.figure, scene, state->walk);
}

Picture make(const Scene& scene, Engine& engine, const Work&) {
    const auto state = std::make_shared<LayoutsState>();
    state->walk = make_walk(scene, engine);
    const RopeSpec& spec = state->walk.spec;
    state->pair = describe_pair(spec, make_spectrum(spec), scene.selected_pair);
    Picture picture{.figure = {.view = "layouts", .links = matrix_keys(scene)}};
    if (scene.layouts_show == LayoutsShow::walk) {
        show_walk(picture, scene, state, engine);
    } else {
        state->comparison = compare_systems(scene);
        show_systems(picture, scene, state);
    }
    return picture;
}

}  // namespace

View layouts_view() {
    return {
        .id = "layouts",
        .key = '4',
        .name = "Layouts",
        .group = "Implementations",
        .question = "Which implementations agree?",
        .parameters = {"layouts_show", "walk", "system_a", "system_b", "query_position",
                       "key_position", "head_dim", "rotary_dim", "base", "layout", "pairs",
                       "selected_pair", "content_seed", "distance_range"},
        .also_read = {"scaling"},
        .make = make,
        .played = "walk",
        .what_you_see =
            "The channels of a pair stand side by side, or half of the rotated channels apart, "
            "with a permutation between. The large map says whether any two systems "
            "(from the page Sources of the book) compute the same. The other panels show the "
            "selected two, and "
            "whether they keep a vector's norm and a score's dependence on distance alone. Dashed: "
            "the strided LLaMA, which keeps neither. Choose \"walk\" to see the vector alone.",
        .what_to_try =
            "Space starts and stops the vector's walk; click it for its numbers. A cell or the "
            "arrows open two systems. P: they are equal once channels "
            "are reordered. ×: at least one of them does not rotate.",
        .formulas = {"P R_{m} q = R'_{m} P q", "b(P x) = P a(x)", "|R_{m} q| = |q|",
                     "(R_{m+s} q)^{T} R_{n+s} k = (R_{m} q)^{T} R_{n} k"},
        .formula_source = "RoFormer, eq. 14–16; P: even channels, then odd channels",
    };
}

}  // namespace ropescope::figures
