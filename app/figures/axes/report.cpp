// Writes the axes view's table for CSV and its text report.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "app/figures/axes/panels.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "core/schemes/scheme_facts.h"

namespace ropescope::figures {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The scene parameter that names a model, and the model: both may be of one name.
struct Source {
    const char* parameter;
    std::string model;
};

/// The columns of the CSV while they grow.
struct Rows {
    std::vector<std::string> table, parameter, model, axis;
    std::vector<double> pair, frame, row, column, value;

    /// The rows of the maps, which are made again in every frame of a drag.
    void reserve(std::size_t rows) {
        for (std::vector<std::string>* words : {&table, &parameter, &model, &axis}) {
            words->reserve(rows);
        }
        for (std::vector<double>* numbers : {&pair, &frame, &row, &column, &value}) {
            numbers->reserve(rows);
        }
    }
    void add(const char* in, const Source& of, const std::string& along, double number,
             double at_pair = kNone) {
        table.emplace_back(in);
        parameter.emplace_back(of.parameter);
        model.push_back(of.model);
        axis.push_back(along);
        pair.push_back(at_pair);
        for (std::vector<double>* none : {&frame, &row, &column}) {
            none->push_back(kNone);
        }
        value.push_back(number);
    }
};

Source source_of(const AxesState& state, const AxesScheme& scheme) {
    return {&scheme == &state.one ? "axes_model" : "axes_other", scheme.name};
}

void add_scheme(Rows& rows, const AxesState& state, const AxesScheme& scheme) {
    const Source name = source_of(state, scheme);
    for (Index pair = 0; pair < scheme.pairs(); ++pair) {
        const auto omega_rad = scheme.spectrum().omega_rad(pair);
        for (Index a = 0; a < scheme.axes(); ++a) {
            if (omega_rad[a] != 0) {
                rows.add("omega_rad", name, scheme.scheme().axes[a], omega_rad[a], to_double(pair));
            }
        }
        rows.add("turn_rad", name, scheme.axis_words(pair), scheme.turn_rad[pair], to_double(pair));
    }
    for (Index a = 0; a < scheme.axes(); ++a) {
        rows.add("position", name, scheme.scheme().axes[a],
                 scheme.places.between(a, state.fixed, state.chosen));
    }
}

void add_map(Rows& rows, const AxesState& state, const char* table, const Source& of,
             const std::vector<double>& values) {
    // At once: a drag makes the map again in every frame.
    const std::size_t cells = values.size();
    rows.table.insert(rows.table.end(), cells, table);
    rows.parameter.insert(rows.parameter.end(), cells, of.parameter);
    rows.model.insert(rows.model.end(), cells, of.model);
    rows.axis.insert(rows.axis.end(), cells, "");
    rows.pair.insert(rows.pair.end(), cells, kNone);
    rows.frame.insert(rows.frame.end(), cells, to_double(state.chosen.frame));
    rows.value.insert(rows.value.end(), values.begin(), values.end());
    for (Index row = 0; row < state.grid.rows; ++row) {
        rows.row.insert(rows.row.end(), state.grid.columns, to_double(row));
        for (Index column = 0; column < state.grid.columns; ++column) {
            rows.column.push_back(to_double(column));
        }
    }
}

std::string place_words(const PatchIndex& patch) {
    return fmt::format("frame {}, row {}, column {}", patch.frame, patch.row, patch.column);
}

std::string scheme_text(const AxesState& state, const AxesScheme& scheme) {
    const RotaryScheme& of = scheme.scheme();
    const SchemeFacts& facts = scheme_facts(of.id);
    std::string text = fmt::format(
        "{}: {}, {} part\nscheme {}: {}\nsource: {}\nhead_dim {}, {} pairs ({}): {}\n"
        "positions: {}\nthese turn: {}\n",
        scheme.name, scheme.title, scheme.part.kind, of.id, facts.title, facts.source, of.head_dim,
        scheme.pairs(), layout_name(of.pairs), scheme.counts_words(false), describe_positions(of),
        describe_turning(of));
    if (of.heads.size() > 1) {
        text += fmt::format("heads turn at speeds of their own: head {} of {} is shown\n",
                            scheme.head, of.heads.size());
    }
    for (const std::string& assumption : scheme.part.assumptions) {
        text += "assumed: " + assumption + "\n";
    }
    text += fmt::format("from q to k: {} {}; score {}\n\n", counted(scheme.turning(), "pair"),
                        agreeing(scheme.turning(), "turns", "turn"),
                        signed_text(scheme.scores[state.chosen_cell()], 5));
    return text;
}

std::string pair_table(const AxesScheme& scheme) {
    const std::vector<Index> shown = evenly_chosen(scheme.pairs(), 64);
    std::vector<std::vector<std::string>> rows;
    for (const Index pair : shown) {
        const ChannelPair channels = scheme.scheme().pairs[pair];
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{}, {}", channels.first, channels.second),
                        scheme.axis_words(pair), fmt::format("{:.6g}", scheme.speed_rad(pair)),
                        fmt::format("{:.6g}", scheme.wavelength(pair)),
                        fmt::format("{:.6g}", scheme.turn_rad[pair])});
    }
    std::string text =
        text_table({"pair", "channels", "axis", "ω rad/unit", "λ units", "turn rad"}, rows);
    if (std::ssize(shown) < scheme.pairs()) {
        text += fmt::format("{} of {} pairs, evenly chosen; the CSV has all\n", shown.size(),
                            scheme.pairs());
    }
    return text;
}

}  // namespace

plot::DataTable axes_data(const AxesState& state) {
    Rows rows;
    const auto pairs = static_cast<std::size_t>(state.one.pairs());
    rows.reserve((state.other ? 3 : 1) * state.one.scores.size() + 8 * pairs);
    add_scheme(rows, state, state.one);
    add_map(rows, state, "score", source_of(state, state.one), state.one.scores);
    if (state.other) {
        add_scheme(rows, state, *state.other);
        add_map(rows, state, "score", source_of(state, *state.other), state.other->scores);
        add_map(rows, state, "difference", {"", ""}, state.difference);
    }
    // Not as a list in braces, which would copy each column once more.
    plot::DataTable data;
    const auto add = [&](const char* name, auto& values) {
        data.columns.push_back({name, std::move(values)});
    };
    add("table", rows.table);
    add("parameter", rows.parameter);
    add("model", rows.model);
    add("axis", rows.axis);
    add("pair", rows.pair);
    add("frame", rows.frame);
    add("row", rows.row);
    add("column", rows.column);
    add("value", rows.value);
    return data;
}

std::string axes_report(const AxesState& state) {
    std::string text = fmt::format("Grid of {} x {} x {} {}; q: {}; k: {}.\n\n", state.grid.frames,
                                   state.grid.rows, state.grid.columns,
                                   state.tokens == AxesTokens::text ? "tokens of text" : "patches",
                                   place_words(state.fixed), place_words(state.chosen));
    text += scheme_text(state, state.one);
    if (state.other) {
        text += scheme_text(state, *state.other);
        text += fmt::format("The scores differ by up to {}.\n\n",
                            plot::number_text(two_digits_up(state.largest_difference)));
    }
    return text + "Pairs of " + state.one.name + "\n" + pair_table(state.one);
}

}  // namespace ropescope::figures
