// Writes the layouts view as CSV columns and as a report.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/layouts/panels.h"
#include "app/figures/text.h"
#include "core/systems/permutation_search.h"

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

}  // namespace

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

plot::DataTable walk_data(const Walk& walk, const std::vector<plot::Panel>& panels) {
    Rows rows;
    add_walk(rows, walk);
    add_curves(rows, panels);
    return table_of(std::move(rows));
}

std::string layouts_report(const Scene& scene, const SystemComparison& comparison) {
    const PairVerdict& verdict = comparison.verdict;
    std::string text =
        fmt::format("a: {}, {} ({})\nb: {}, {} ({})\nverdict: {}; {}\n", verdict.a->id,
                    verdict.a->title, verdict.a->source, verdict.b->id, verdict.b->title,
                    verdict.b->source, to_string(verdict.verdict), verdict.explanation);
    for (const SystemOutput* output : {&comparison.a, &comparison.b}) {
        if (!output->error.empty()) {
            text += fmt::format("{} does not run here: {}\n", output == &comparison.a ? "a" : "b",
                                output->error);
        }
    }
    if (!comparison.permutation.empty()) {
        text += "P: " + describe_permutation(comparison.permutation) + "\n";
    }
    return text +
           fmt::format("\none vector (seed {}) of {} channels at position {}\n\n{}\n",
                       scene.content_seed, comparison.head_dim, scene.query_position,
                       channel_text(comparison)) +
           matrix_text(system_matrix()) +
           "\n= identical, P equal after a permutation, ≠ different, × not a rotation\n";
}

}  // namespace ropescope::figures
