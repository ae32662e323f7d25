// Rotates by positions in several axes: from a file, or made from a grid of patches.
#include "app/cli/rotate_axes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/output.h"
#include "app/cli/positions_input.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/formats/schemes/schemes.h"
#include "core/positions/grid_rule.h"

namespace ropescope::cli {
namespace {

/// The positions of all tokens of a batch, and the row of the table for each.
struct BatchPositions {
    std::vector<double> values;  ///< [axes, tokens of the table]
    std::vector<Index> rows;     ///< [positions] or [batch, positions]
};

/// "3 axes (t, h, w)"
std::string axes_text(const RotaryScheme& scheme) {
    return fmt::format("{} {} ({})", scheme.axes.size(), scheme.axes.size() == 1 ? "axis" : "axes",
                       fmt::join(scheme.axes, ", "));
}

std::vector<PatchGrid> parse_grids(const std::string& text) {
    std::vector<PatchGrid> grids;
    for (const std::string_view part : split_list(text)) {
        if (const std::string wrong = misread(split_list(part, 'x')); !wrong.empty()) {
            throw InputError("--grid: " + wrong);
        }
        const std::optional<PatchGrid> grid = parse_grid(part);
        if (!grid) {
            throw InputError(fmt::format(
                "--grid: {} is not a grid; give rows and columns like 4x6, frames before them like "
                "3x4x6, several grids with commas",
                in_quotes(text)));
        }
        grids.push_back(*grid);
    }
    return grids;
}

/// Positions as the model makes them of the grids; tokens that are left over are text, if the model
/// has text.
BatchPositions positions_of_grid(const RotaryScheme& scheme, const std::string& text,
                                 Index tokens) {
    const auto* rule = std::get_if<GridRule>(&scheme.positions);
    if (rule == nullptr) {
        throw InputError(
            "--grid: this part of the model does not make positions of a grid alone; "
            "give --positions");
    }
    GridTokens grid{parse_grids(text), 0};
    const Index beside_text = tokens_beside_text(*rule, grid.grids);
    const Index left = tokens - beside_text;
    if (left < 0 || (left > 0 && rule->text == TextPositions::none)) {
        throw InputError(
            fmt::format("--grid: {} makes {} tokens, and the tensor has {}; give the "
                        "grid of its patches",
                        printable(text, kLongestName), beside_text, tokens));
    }
    grid.text = left;
    const TokenPositions all = grid_positions(*rule, grid);
    return {all.values, table_rows(all)};
}

/// Positions of a file, put into the order axis, batch, position.
BatchPositions positions_of_file(const RotaryScheme& scheme, const Tensor& file,
                                 const std::string& asked_order, const TensorView<float>& x) {
    const Index axes = std::ssize(scheme.axes);
    const bool single = axes == 1 && asked_order.empty() && file.shape.size() == 1;
    const PositionArray read = single ? PositionArray{1, 1, file.shape[0], to_f64(file.view())}
                                      : read_positions(file, asked_order);
    if (read.axes != axes || (read.batch != 1 && read.batch != x.batch) ||
        read.length != x.positions) {
        throw InputError(fmt::format("{}: shape {}; this model turns in {}, give [{}, {}]",
                                     file.name, shape_text(file.shape), axes_text(scheme), axes,
                                     read.batch == 1
                                         ? fmt::format("{}", x.positions)
                                         : fmt::format("{}, {}", x.batch, x.positions)));
    }
    BatchPositions positions{read.values, {}};
    for (Index row = 0; row < read.batch * read.length; ++row) {
        positions.rows.push_back(row);
    }
    return positions;
}

/// A part, and which tokens of --spec turn; empty if all do.
struct ReadScheme {
    Part part;
    std::vector<bool> turns;
};

/// The scheme of --spec or of the part of --config.
ReadScheme read_scheme(const std::optional<Model>& model, const AxisArguments& arguments,
                       const TensorView<float>& x) {
    if (arguments.layer && arguments.spec.empty()) {
        throw InputError("--layer: it chooses a layer of learned frequencies; give --spec");
    }
    if (!arguments.spec.empty()) {
        if (model) {
            throw InputError("--spec: it replaces what --config describes; give one of them");
        }
        if (!arguments.part.empty()) {
            throw InputError("--part: it chooses a part of the model of --config; leave it out");
        }
        OwnScheme own = read_scheme_tensors(
            arguments.spec,
            {.head_dim = x.head_dim, .heads = x.heads, .layer = arguments.layer.value_or(0)});
        return {{.model = arguments.spec, .scheme = std::move(own.scheme)}, std::move(own.turns)};
    }
    if (!model) {
        const std::vector<std::string> given = arguments.given();
        throw InputError(
            fmt::format("rotate: {} {} for models of several axes; give --config or --spec",
                        fmt::join(given, " and "), given.size() == 1 ? "is" : "are"));
    }
    return {model->part(arguments.part), {}};
}

/// Whether one position a token says all: text alone has equal positions in all axes, and a file
/// may give them once, [L] or [batch, L].
bool is_one_axis(const RotaryScheme& scheme, const std::optional<Tensor>& positions,
                 const AxisArguments& arguments, Index batch) {
    if (scheme.axes.size() == 1) {
        return arguments.spec.empty();
    }
    if (!std::holds_alternative<MultimodalRule>(scheme.positions) || !arguments.grid.empty() ||
        !arguments.position_axes.empty()) {
        return false;
    }
    if (!positions) {
        return true;
    }
    const std::vector<Index>& shape = positions->shape;
    return shape.size() == 1 || (shape.size() == 2 && shape[0] != std::ssize(scheme.axes) &&
                                 (shape[0] == 1 || shape[0] == batch));
}

/// Takes the rows of the tokens away that do not turn.
void keep_still(const std::vector<bool>& turns, Index tokens, const std::string& origin,
                std::vector<Index>& rows) {
    if (turns.empty()) {
        return;
    }
    if (std::ssize(turns) != tokens) {
        throw InputError(
            fmt::format("{}: turns has {} tokens, and the tensor has {}; give one for "
                        "each",
                        origin, turns.size(), tokens));
    }
    for (Index i = 0; i < std::ssize(rows); ++i) {
        rows[i] = turns[i % tokens] ? rows[i] : kNotRotated;
    }
}

}  // namespace

std::vector<std::string> names_given(
    std::initializer_list<std::pair<bool, std::string_view>> options) {
    std::vector<std::string> names;
    for (const auto& [is_there, name] : options) {
        if (is_there) {
            names.emplace_back(name);
        }
    }
    return names;
}

std::optional<Part> rotate_by_axes(TensorView<float> x, const ModelAndPositions& read,
                                   const AxisArguments& arguments, Engine& engine,
                                   Direction direction) {
    const auto [part, turns] = read_scheme(read.model, arguments, x);
    const RotaryScheme& scheme = part.scheme;
    if (is_one_axis(scheme, read.positions, arguments, x.batch)) {
        if (!arguments.grid.empty() || !arguments.position_axes.empty()) {
            const auto given = names_given({{!arguments.grid.empty(), "--grid"},
                                            {!arguments.position_axes.empty(), "--position-axes"}});
            throw InputError(fmt::format("rotate: this model turns in one axis; leave {} out",
                                         fmt::join(given, " and ")));
        }
        return std::nullopt;
    }
    if (scheme.head_dim != x.head_dim) {
        throw InputError(fmt::format("{}: head_dim {}, but the tensor has heads of {} channels",
                                     part.model, scheme.head_dim, x.head_dim));
    }
    if (scheme.heads.size() > 1 && std::ssize(scheme.heads) != x.heads) {
        throw InputError(
            fmt::format("rotate: frequencies of {} heads, and the tensor has {}; give "
                        "a tensor of all heads",
                        scheme.heads.size(), x.heads));
    }
    if (arguments.grid.empty() != read.positions.has_value()) {
        throw InputError(fmt::format(
            "rotate: this model turns in {}; give their positions by --positions or, for "
            "patches of an image, by --grid, and not both",
            axes_text(scheme)));
    }
    BatchPositions positions =
        read.positions ? positions_of_file(scheme, *read.positions, arguments.position_axes, x)
                       : positions_of_grid(scheme, arguments.grid, x.positions);
    const AxisPositions view{positions.values, std::ssize(scheme.axes)};
    validate(view, std::ssize(scheme.axes));
    keep_still(turns, x.positions, arguments.spec, positions.rows);
    if (x.size() == 0) {
        return part;
    }
    const RotationTable table =
        table_of_heads(scheme, [&](const Spectrum& head) { return engine.table(head, view); });
    RotateOptions options = rotate_options(scheme, positions.rows);
    options.rows_per_head = scheme.heads.size() > 1 ? view.tokens() : 0;
    options.direction = direction;
    engine.rotate_in_place(x, table.view(), options);
    return part;
}

}  // namespace ropescope::cli
