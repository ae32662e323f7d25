// The systems of the layouts view: two compared, and every one beside every other, in panels.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/layouts/layouts.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "core/base/error.h"
#include "core/rope/layout.h"
#include "core/systems/properties.h"

namespace ropescope::figures {
namespace {

SystemOutput output_of(const System& system, const nd::Array& x, double base, const Scene& scene) {
    const SystemResult outcome = run_at_position(
        system, x, {.base = base, .offset = scene.query_position, .role = QkvRole::query});
    if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
        return {{}, error->exception + ": " + error->text};
    }
    const auto& image = std::get<nd::Array>(outcome);
    if (!std::ranges::all_of(image.values, [](double value) { return std::isfinite(value); })) {
        return {{}, "its output is not finite"};
    }
    return {image.values, {}};
}

/// x[p], of one vector.
nd::Array permuted(nd::Array x, const std::vector<Index>& p) {
    const std::vector<double> before = x.values;
    permute_channels<double>(before, x.values, p);
    return x;
}

/// A title with a comma of its own would run into its sentence.
std::string quoted(const std::string& title) {
    return title.find(',') == std::string::npos ? title : "“" + title + "”";
}

}  // namespace

const EquivalenceMatrix& system_matrix() {
    static const EquivalenceMatrix matrix =
        equivalence_matrix({.head_dims = {8, 64}, .bases = {1e4}, .offsets = {0, 3, 2000}});
    return matrix;
}

SystemComparison compare_systems(const Scene& scene) {
    const Index head_dim = std::min(scene.head_dim, kMostComparedChannels);
    const System& a = find_system(scene.system_a);
    const System& b = find_system(scene.system_b);
    const std::vector<System> two = {a, b};
    EquivalenceMatrix here = equivalence_matrix(
        {.head_dims = {head_dim}, .bases = {scene.base}, .offsets = {scene.query_position}}, two);
    PairVerdict verdict = std::move(here.pairs[1]);
    verdict.a = &a;
    verdict.b = &b;
    std::vector<Index> permutation;
    if (verdict.verdict == Equivalence::equal_after_permutation) {
        permutation = verdict.by_head_dim.front().permutation;
    }
    const double base = a.base(b.base(scene.base));  // as in the verdict
    const nd::Array x = probe_vectors(scene.content_seed, 1, 1, 1, head_dim);
    SystemComparison comparison{.verdict = std::move(verdict),
                                .a_rotates = here.rotation_tests[0].is_rotation(),
                                .b_rotates = here.rotation_tests[1].is_rotation(),
                                .head_dim = head_dim,
                                .permutation = std::move(permutation),
                                .base = base,
                                .a = output_of(a, x, base, scene),
                                .b = output_of(b, x, base, scene),
                                .b_permuted = {}};
    const std::vector<Index>& p = comparison.permutation;
    if (!p.empty()) {
        comparison.b_permuted = output_of(b, permuted(x, p), base, scene);
        const std::vector<double> there = comparison.b_permuted.values;
        for (Index c = 0; c < std::ssize(there); ++c) {
            comparison.b_permuted.values[p[c]] = there[c];
        }
    }
    return comparison;
}

const System* positionless(const SystemComparison& comparison) {
    constexpr double kSameProducts = 8.0 * 0x1p-24;  // of both scores, in another order of rounding
    const PairVerdict& verdict = comparison.verdict;
    if (verdict.a == verdict.b || verdict.verdict == Equivalence::not_a_rotation) {
        return nullptr;
    }
    for (const System* system : {verdict.a, verdict.b}) {
        if (position_response(*system, 8, system->base(1e4)) <= kSameProducts) {
            return system;
        }
    }
    return nullptr;
}

plot::Text verdict_sentence(const SystemComparison& comparison) {
    const PairVerdict& verdict = comparison.verdict;
    const bool a_runs = comparison.a.error.empty(), b_runs = comparison.b.error.empty();
    if (!a_runs || !b_runs) {
        return a_runs || b_runs ? plot::say("{} does not run at this base and position",
                                            quoted(a_runs ? verdict.b->title : verdict.a->title))
                                : plot::say("Neither {} nor {} runs at this base and position",
                                            quoted(verdict.a->title), quoted(verdict.b->title));
    }
    if (const System* system = positionless(comparison)) {
        return plot::say("{}: in a batch its scores carry no position", quoted(system->title));
    }
    const std::string a = quoted(verdict.a->title), b = quoted(verdict.b->title);
    if (verdict.a == verdict.b) {
        return plot::say("{} beside itself: select another system to compare", a);
    }
    switch (verdict.verdict) {
        case Equivalence::identical:
            return plot::say("{} and {} compute the same up to rounding", a, b);
        case Equivalence::equal_after_permutation:
            return plot::say("{} and {} agree once channels are reordered", a, b);
        case Equivalence::different:
            return plot::say("{} and {} both rotate, but differently", a, b);
        case Equivalence::not_a_rotation:
            break;
    }
    if (comparison.a_rotates || comparison.b_rotates) {
        return plot::say("{} rotates, {} does not", comparison.a_rotates ? a : b,
                         comparison.a_rotates ? b : a);
    }
    return plot::say("Neither {} nor {} rotates, and they differ", a, b);
}

namespace {

using plot::Role;

constexpr double kNames = 13;      ///< room for the systems' names and numbers, in cells
constexpr double kNumbers = 1.6;   ///< of it for their numbers
constexpr double kGap = 0.3;       ///< between a name or a number and what follows
constexpr double kDigit = 0.41;    ///< of a cell's width: all numbers shrink and go together
constexpr double kSmallest = 0.7;  ///< share of their size that marks shrink to in small cells

/// Moderate colours of the map, so that the marks in the cells stay legible.
float shade(Equivalence verdict) {
    switch (verdict) {
        case Equivalence::identical:
            return -0.44F;
        case Equivalence::equal_after_permutation:
            return -0.2F;
        case Equivalence::different:
            return 0.15F;
        case Equivalence::not_a_rotation:
            break;
    }
    return 0.4F;
}

/// Row 0 stands on top.
double row_middle(Index row) {
    return to_double(std::ssize(system_matrix().systems) - row) - 0.5;
}

plot::HeatMap heat(const EquivalenceMatrix& matrix) {
    const Index count = std::ssize(matrix.systems);
    plot::HeatMap heat{
        .columns = count, .rows = count, .min = -1, .max = 1, .map = plot::ColorMap::agreement};
    for (Index row = count; row-- > 0;) {
        for (Index column = 0; column < count; ++column) {
            heat.values.push_back(shade(matrix.at(row, column).verdict));
        }
    }
    return heat;
}

void add_cell_marks(plot::Panel& panel, const EquivalenceMatrix& matrix) {
    for (Index row = 0; row < std::ssize(matrix.systems); ++row) {
        for (Index column = 0; column < std::ssize(matrix.systems); ++column) {
            panel.marks.emplace_back(
                plot::Label{.at = {to_double(column) + 0.5, row_middle(row)},
                            .text = verdict_mark(matrix.at(row, column).verdict),
                            .role = Role::text,
                            .anchor_x = 0.5,
                            .anchor_y = 0.5,
                            .height = 1.1,
                            .smallest = kSmallest});
        }
    }
}

/// The two systems stay, and the names.
void add_tracks(plot::Panel& panel, const Scene& scene, const EquivalenceMatrix& matrix) {
    // Units: a mark or a number of two digits, the same with a gap, and the longest brief name.
    constexpr double kCell = 17, kNumber = 24, kName = 84;
    const double top = to_double(std::ssize(matrix.systems));
    panel.columns = {
        {.first = -kNames, .last = -kNumbers, .keep = 3, .least_px = kName, .counted = false},
        {.first = -kNumbers, .last = 0, .keep = 3, .least_px = kNumber, .counted = false}};
    panel.rows = {{.first = top, .last = top + 1.1, .keep = 3, .counted = false}};
    for (Index at = 0; at < std::ssize(matrix.systems); ++at) {
        const System& system = *matrix.systems[at];
        const int keep = system.id == scene.system_a || system.id == scene.system_b ? 1 : 0;
        const double column = to_double(at), row = row_middle(at);
        panel.columns.push_back(
            {.first = column, .last = column + 1, .keep = keep, .least_px = kCell});
        panel.rows.push_back({.first = row - 0.5, .last = row + 0.5, .keep = keep});
    }
}

/// Titles at the rows, their numbers at rows and columns; a's row and b's column in their colours.
void add_names(plot::Panel& panel, const Scene& scene, const EquivalenceMatrix& matrix) {
    const double top = to_double(std::ssize(matrix.systems));
    for (Index at = 0; at < std::ssize(matrix.systems); ++at) {
        const System& system = *matrix.systems[at];
        const bool is_a = system.id == scene.system_a, is_b = system.id == scene.system_b;
        // Ends before x, and has the room from there.
        const auto add = [&](double x, double width, const std::string& words,
                             const std::string& brief) {
            panel.marks.emplace_back(plot::Label{.at = {x - kGap, row_middle(at)},
                                                 .text = words,
                                                 .brief = brief,
                                                 .role = is_a ? Role::first : Role::dim,
                                                 .anchor_x = 1,
                                                 .anchor_y = 0.5,
                                                 .width = width - kGap,
                                                 .whole = true,
                                                 .height = 1.1,
                                                 .smallest = kSmallest});
        };
        const std::string number = fmt::format("{}", at + 1);
        add(0, kNumbers, number, "");
        add(-kNumbers, kNames - kNumbers, system.title, system.brief);
        panel.marks.emplace_back(plot::Label{.at = {to_double(at) + 0.5, top + 0.55},
                                             .text = number,
                                             .role = is_b ? Role::second : Role::dim,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .width = kDigit * to_double(std::ssize(number)),
                                             .whole = true,
                                             .height = 1.1,
                                             .smallest = kSmallest});
        if (is_a) {
            const double y = row_middle(at);
            const auto found = std::ranges::find(matrix.systems, scene.system_b,
                                                 [](const System* s) { return s->id; });
            const double b = to_double(
                std::min<Index>(found - matrix.systems.begin(), std::ssize(matrix.systems) - 1));
            panel.marks.emplace_back(plot::Line{
                .points =
                    {{b, y - 0.5}, {b + 1, y - 0.5}, {b + 1, y + 0.5}, {b, y + 0.5}, {b, y - 0.5}},
                .role = Role::text,
                .of_selection = true});
        }
    }
}

}  // namespace

std::string verdict_mark(Equivalence verdict) {
    switch (verdict) {
        case Equivalence::identical:
            return "=";
        case Equivalence::equal_after_permutation:
            return "P";
        case Equivalence::different:
            return "≠";
        case Equivalence::not_a_rotation:
            break;
    }
    return "×";
}

Index system_of_row(double y) {
    const Index count = std::ssize(system_matrix().systems);
    return plot::pick_cell(to_double(count) - y, count);
}

Index system_of_column(double x) {
    return plot::pick_cell(x, std::ssize(system_matrix().systems));
}

plot::Panel matrix_panel(const Scene& scene) {
    const EquivalenceMatrix& matrix = system_matrix();
    const double count = to_double(std::ssize(matrix.systems));
    plot::Panel panel{.id = "matrix",
                      .title = "every system against every other",
                      .corners = {.bottom_left = "= same  P permuted  ≠ other  × no rotation"},
                      .x = {.min = -kNames, .max = count, .visible = false},
                      .y = {.min = 0, .max = count + 1.1, .visible = false},
                      .row = 1,
                      .row_span = 3};
    panel.marks.emplace_back(heat(matrix));
    add_cell_marks(panel, matrix);
    add_names(panel, scene, matrix);
    add_tracks(panel, scene, matrix);
    return panel;
}

namespace {

using plot::Point;
using plot::Role;

constexpr Index kVectors = 4;          ///< probe vectors of a curve's point
constexpr int kLastPower = 17;         ///< curves run over 2^0 .. 2^17
constexpr double kFloor = 1e-9;        ///< what is smaller is drawn here
constexpr double kRounding = 0x1p-18;  ///< of an output: more than a few roundings of 2^-24 make
constexpr const char* kBroken = "strided_llama_as_written";

/// value(x) at the powers of two; what cannot be computed is left out.
template <typename Value>
std::vector<Point> curve(Value value) {
    std::vector<Point> points;
    for (int power = 0; power <= kLastPower; ++power) {
        const Index at = Index{1} << power;
        try {
            const double y = value(at);
            if (std::isfinite(y)) {
                points.push_back({to_double(at), std::clamp(y, kFloor, 1e3)});
            }
        } catch (const InputError&) {
            return {};  // it does not run at this head_dim; the panel above says why
        }
    }
    return points;
}

/// Draws b first, so that a lies on top; for comparison also a broken system, dashed, unless a or b
/// is one.
template <typename Value>
void add_curves(plot::Panel& panel, const SystemComparison& comparison, Value value) {
    const auto add = [&](const System& system, Role role, double width, plot::Dash dash,
                         const std::string& label) {
        std::vector<Point> points = curve([&](std::int64_t at) { return value(system, at); });
        if (!points.empty()) {
            panel.marks.emplace_back(plot::Line{.points = std::move(points),
                                                .role = role,
                                                .width = width,
                                                .dash = dash,
                                                .label = label});
        }
    };
    const System& a = *comparison.verdict.a;
    const System& b = *comparison.verdict.b;
    if (a.id != kBroken && b.id != kBroken) {
        add(find_system(kBroken), Role::wrong, 0.75, plot::Dash::dashed, "strided LLaMA");
    }
    if (&a != &b) {
        add(b, Role::second, 1.75, plot::Dash::long_dash, b.title);
    }
    add(a, Role::first, 1, plot::Dash::none, a.title);
}

plot::Panel curve_panel(const char* id, const char* title, const char* x, int row) {
    return {.id = id,
            .title = title,
            .x = {.label = x, .min = 1, .max = 1 << kLastPower, .scale = plot::AxisScale::log10},
            .y = {.min = kFloor / 3, .max = 1e2, .scale = plot::AxisScale::log10},
            .row = row,
            .column = 1};
}

std::vector<Point> channel_points(const std::vector<double>& values) {
    std::vector<Point> points;
    for (Index c = 0; c < std::ssize(values); ++c) {
        points.push_back({to_double(c), values[c]});
    }
    return points;
}

plot::Axis channel_axis(const SystemComparison& comparison) {
    return {.min = -0.7, .max = to_double(comparison.head_dim) - 0.3, .integers = true};
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

/// 1, 2 or 5 times a power of ten: the ends of an axis that have ticks however low it is.
double rounded_up(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    return decade * (value <= decade ? 1 : value <= 2 * decade ? 2 : value <= 5 * decade ? 5 : 10);
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (Index c = 0; c < std::min(std::ssize(a), std::ssize(b)); ++c) {
        out.push_back(b[c] - a[c]);
    }
    return out;
}

void add_stems(plot::Panel& panel, const std::vector<double>& values, Role role) {
    for (const Point& point : channel_points(values)) {
        panel.marks.emplace_back(
            plot::Line{.points = {{point.x, 0}, point}, .role = role, .width = 0.75});
    }
    panel.marks.emplace_back(
        plot::Points{.points = channel_points(values), .role = role, .radius_px = 2.2});
}

}  // namespace

plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison) {
    const double limit =
        1.15 * std::max({largest(comparison.a.values), largest(comparison.b.values), 0.1});
    plot::Panel panel{
        .id = "outputs",
        .title = plot::say("one vector at position {}", whole_text(scene.query_position)),
        .x = channel_axis(comparison),
        .y = {.min = -limit, .max = limit},
        .column = 1};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::grid, .dashed = false});
    const double size = comparison.head_dim <= kMostNumberedChannels ? 5 : 3.2;
    panel.marks.emplace_back(plot::Points{.points = channel_points(comparison.b.values),
                                          .role = Role::second,
                                          .radius_px = size,
                                          .ring = true});
    panel.marks.emplace_back(plot::Points{.points = channel_points(comparison.a.values),
                                          .role = Role::first,
                                          .radius_px = 0.55 * size});
    const std::string& error = comparison.a.error.empty() ? comparison.b.error : comparison.a.error;
    if (!error.empty()) {
        panel.corners.bottom_left = plot::say("does not run: {}", error);
    }
    return panel;
}

plot::Panel difference_panel(const SystemComparison& comparison) {
    const std::vector<double> plain = difference(comparison.a.values, comparison.b.values);
    const std::vector<double> permuted =
        difference(comparison.a.values, comparison.b_permuted.values);
    const double outputs = std::max(largest(comparison.a.values), 0.1);
    const double most = std::max(largest(plain), largest(permuted));
    // What fp32's rounding alone makes stays flat on the scale of the outputs.
    const double limit = 1.1 * rounded_up(most > kRounding * outputs ? most : outputs);
    plot::Panel panel{.id = "difference",
                      .title = "difference, channel by channel",
                      .x = channel_axis(comparison),
                      .y = {.min = -limit, .max = limit},
                      .row = 1,
                      .column = 1};
    panel.x.label = "channel";
    panel.corners.top_right =
        permuted.empty()
            ? plot::say("largest {}", plot::few_digits_text(largest(plain), 2))
            : plot::say("largest {}, with P {}", plot::few_digits_text(largest(plain), 2),
                        plot::few_digits_text(largest(permuted), 2));
    add_stems(panel, plain, permuted.empty() ? Role::text : Role::faint);
    if (!permuted.empty()) {
        panel.marks.emplace_back(
            plot::Points{.points = channel_points(permuted), .role = Role::text, .radius_px = 1.5});
    }
    return panel;
}

plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison) {
    plot::Panel panel =
        curve_panel("norm", "change of the norm, | |f(x)| / |x| − 1 |", "position", 2);
    add_curves(panel, comparison, [&](const System& system, std::int64_t position) {
        return norm_ratio(system, comparison.head_dim, scene.base, position, kVectors).change();
    });
    return panel;
}

plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison) {
    plot::Panel panel = curve_panel("shift", "change of the score when both move",
                                    "shift of query and key (positions)", 3);
    add_curves(panel, comparison, [&](const System& system, std::int64_t shift) {
        return relative_violation(system, comparison.head_dim, scene.base, scene.query_position,
                                  scene.key_position, shift, kVectors);
    });
    return panel;
}

}  // namespace ropescope::figures
