// Makes positions from grids of patches.
#include "core/positions/grid_rule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope {
namespace {

void append_grid(const GridRule& rule, const PatchGrid& grid, Index number,
                 std::vector<TokenCoordinates>& tokens) {
    std::vector<GridLine> lines;
    for (const Coordinate& axis : rule.axes) {
        lines.push_back(grid_line(axis, rule, grid));
        lines.back().start += axis.per_grid * to_double(number);
    }
    for (const GridPatch& patch : patches_in_order(grid, rule.merge)) {
        TokenCoordinates token;
        for (std::size_t a = 0; a < lines.size(); ++a) {
            token.position.push_back(lines[a].at(patch.along(rule.axes[a].side)));
        }
        tokens.push_back(std::move(token));
    }
}

/// Where the text of TextPositions::beyond begins: half of the longest side of all grids.
double beyond_grids(const std::vector<PatchGrid>& grids) {
    Index longest = 0;
    for (const PatchGrid& grid : grids) {
        longest = std::max({longest, grid.rows / 2, grid.columns / 2});
    }
    return to_double(longest);
}

std::vector<TokenCoordinates> text_tokens(const GridRule& rule, const GridTokens& tokens) {
    std::vector<TokenCoordinates> text(tokens.text,
                                       {std::vector<double>(rule.axes.size(), 0.0), true});
    const double first = beyond_grids(tokens.grids);
    for (Index i = 0; i < tokens.text; ++i) {
        text[i].turns = rule.text != TextPositions::still;
        if (rule.text == TextPositions::last) {
            text[i].position.back() = to_double(i);
        } else if (rule.text == TextPositions::beyond) {
            std::ranges::fill(text[i].position, first + to_double(i));
        }
    }
    return text;
}

/// "2 x frame + 1"
std::string describe_plain(const Coordinate& axis) {
    if (axis.side == GridSide::none) {
        return fmt::format("{:g}", axis.offset);
    }
    const std::string scale = axis.scale == 1.0 ? "" : fmt::format("{:g} x ", axis.scale);
    const std::string offset =
        axis.offset == 0.0
            ? ""
            : fmt::format(" {} {:g}", axis.offset < 0 ? '-' : '+', std::abs(axis.offset));
    return fmt::format("{}{}{}", scale, to_string(axis.side), offset);
}

std::string describe_line(const Coordinate& axis) {
    const std::string_view side = to_string(axis.side);
    switch (axis.spacing) {
        case Spacing::plain:
            break;
        case Spacing::by_side:
            return fmt::format("{:g} x ({} + {:g}) / number of {}s", axis.scale, side, axis.offset,
                               side);
        case Spacing::centred:
            return fmt::format("{} from the middle", side);
        case Spacing::ends:
            return fmt::format("{} from -1 to 1", side);
        case Spacing::centres:
            return fmt::format("centre of the {} from -1 to 1", side);
        case Spacing::centres_of_longer:
            return fmt::format("centre of the {} in units of half the longer side, minus 1", side);
        case Spacing::centres_of_shorter:
            return fmt::format("centre of the {} in units of half the shorter side, minus 1", side);
        case Spacing::cropped:
            return fmt::format("{} on the crop of the base grid", side);
    }
    return describe_plain(axis);
}

std::string describe(const Coordinate& axis) {
    const std::string each =
        axis.per_grid == 0.0 ? ""
                             : fmt::format(" + {:g} for each image before this one", axis.per_grid);
    return fmt::format("{}: {}{}", axis.axis, describe_line(axis), each);
}

std::string_view describe(TextPositions text) {
    switch (text) {
        case TextPositions::origin:
            return "text at 0 in all axes";
        case TextPositions::last:
            return "text counted in the last axis";
        case TextPositions::beyond:
            return "text counted in all axes from half of the longest side on";
        case TextPositions::none:
        case TextPositions::still:
            break;
    }
    return {};
}

}  // namespace

void validate_size(const PatchGrid& grid, const std::string& place) {
    const auto fits = [](Index n) { return n >= 1 && n <= kMaxTokens; };
    if (!fits(grid.frames) || !fits(grid.rows) || !fits(grid.columns) ||
        grid.rows > kMaxTokens / grid.columns ||
        grid.frames > kMaxTokens / (grid.rows * grid.columns)) {
        throw InputError(
            fmt::format("{}: {} x {} x {}; give frames, rows and columns of 1 to {} patches in all",
                        place, grid.frames, grid.rows, grid.columns, kMaxTokens));
    }
}

Index tokens_beside_text(const GridRule& rule, const std::vector<PatchGrid>& grids) {
    Index count = rule.still_before + rule.still_after;
    for (const PatchGrid& grid : grids) {
        validate(rule, grid);
        count += grid.tokens();
    }
    return count;
}

TokenPositions grid_positions(const GridRule& rule, const GridTokens& tokens) {
    const Index count = tokens.text + tokens_beside_text(rule, tokens.grids);
    if (tokens.text < 0 || count > kMaxTokens ||
        (tokens.text > 0 && rule.text == TextPositions::none)) {
        throw InputError(fmt::format(
            "grid: {} tokens of text beside {} others; {}", tokens.text, count - tokens.text,
            rule.text == TextPositions::none
                ? std::string("this model has no text beside its patches, give 0")
                : fmt::format("give at most {} tokens in all", kMaxTokens)));
    }
    const std::vector<double> nowhere(rule.axes.size(), 0.0);
    std::vector<TokenCoordinates> places(rule.still_before, {nowhere, false});
    const std::vector<TokenCoordinates> text = text_tokens(rule, tokens);
    if (rule.text_first) {
        places.insert(places.end(), text.begin(), text.end());
    }
    for (Index i = 0; i < std::ssize(tokens.grids); ++i) {
        append_grid(rule, tokens.grids[i], i, places);
    }
    if (!rule.text_first) {
        places.insert(places.end(), text.begin(), text.end());
    }
    places.insert(places.end(), rule.still_after, {nowhere, false});
    return token_positions(places, std::ssize(rule.axes));
}

std::string describe(const GridRule& rule) {
    std::vector<std::string> parts;
    for (const Coordinate& axis : rule.axes) {
        parts.push_back(describe(axis));
    }
    if (rule.merge > 1) {
        parts.push_back(fmt::format("patches in blocks of {} x {}", rule.merge, rule.merge));
    }
    if (const std::string_view text = describe(rule.text); !text.empty()) {
        parts.emplace_back(text);
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string describe_turning(const GridRule& rule) {
    std::vector<std::string> still;
    if (rule.still_before > 0) {
        still.push_back(fmt::format("{} before the patches", rule.still_before));
    }
    if (rule.still_after > 0) {
        still.push_back(fmt::format("{} after the patches", rule.still_after));
    }
    if (rule.text == TextPositions::still) {
        still.emplace_back("text");
    }
    return still.empty() ? "all tokens"
                         : fmt::format("patches; these do not turn: {}", fmt::join(still, " and "));
}

// Computes coordinates along the sides of a grid.

namespace {

/// `count` numbers from first to last, both included.
GridLine from_to(double first, double last, Index count) {
    return {first, count > 1 ? (last - first) / to_double(count - 1) : 0.0};
}

GridLine centres(Index patches) {
    const double n = to_double(patches);
    return {1.0 / n - 1.0, 2.0 / n};
}

/// Where the crop of the base grid lies that has the shape of `grid`. Rounds as Python does, halves
/// to even. Source: huggingface/diffusers, pipelines/cogvideo/pipeline_cogvideox.py,
/// get_resize_crop_region_for_grid; models/embeddings.py, get_3d_rotary_pos_embed.
GridLine cropped(const PatchGrid& base, const PatchGrid& grid, GridSide side) {
    const double height = to_double(base.rows), width = to_double(base.columns);
    const double rows = to_double(grid.rows), columns = to_double(grid.columns);
    const bool tall = rows / columns > height / width;
    const double resized_height = tall ? height : std::nearbyint(width / columns * rows);
    const double resized_width = tall ? std::nearbyint(height / rows * columns) : width;
    const bool down = side == GridSide::row;
    const double size = down ? resized_height : resized_width;
    const double start = std::nearbyint(((down ? height : width) - size) / 2.0);
    const double n = down ? rows : columns;
    return from_to(start, (start + size) * (n - 1.0) / n, patches_of(grid, side));
}

}  // namespace

Index patches_of(const PatchGrid& grid, GridSide side) {
    switch (side) {
        case GridSide::frame:
            return grid.frames;
        case GridSide::row:
            return grid.rows;
        case GridSide::column:
            return grid.columns;
        case GridSide::none:
            break;
    }
    return 1;
}

std::vector<GridPatch> patches_in_order(const PatchGrid& grid, Index merge) {
    std::vector<GridPatch> patches;
    patches.reserve(grid.tokens());
    for (Index frame = 0; frame < grid.frames; ++frame) {
        for (Index block = 0; block < grid.rows * grid.columns; block += merge * merge) {
            const Index column_blocks = grid.columns / merge;
            const Index at = block / (merge * merge);
            for (Index k = 0; k < merge * merge; ++k) {
                patches.push_back({frame, at / column_blocks * merge + k / merge,
                                   at % column_blocks * merge + k % merge});
            }
        }
    }
    return patches;
}

GridLine grid_line(const Coordinate& axis, const GridRule& rule, const PatchGrid& grid) {
    const Index count = patches_of(grid, axis.side);
    const double n = to_double(count);
    switch (axis.spacing) {
        case Spacing::plain:
            return {axis.offset, axis.side == GridSide::none ? 0.0 : axis.scale};
        case Spacing::by_side:
            return {axis.scale * axis.offset / n, axis.scale / n};
        case Spacing::centred:
            return {-to_double(count - count / 2), 1.0};
        case Spacing::ends:
            return from_to(-1.0, 1.0, count);
        case Spacing::centres:
            return centres(count);
        case Spacing::centres_of_longer:
            return centres(std::max(grid.rows, grid.columns));
        case Spacing::centres_of_shorter:
            return centres(std::min(grid.rows, grid.columns));
        case Spacing::cropped:
            return cropped(rule.base, grid, axis.side);
    }
    return {};
}

void validate(const GridRule& rule, const PatchGrid& grid) {
    validate_size(grid, "grid");
    const auto text = fmt::format("{} x {} x {}", grid.frames, grid.rows, grid.columns);
    if (grid.rows % rule.merge != 0 || grid.columns % rule.merge != 0) {
        throw InputError(
            fmt::format("grid: {} is not made of blocks of {} x {} patches; give multiples of {}",
                        text, rule.merge, rule.merge, rule.merge));
    }
    if (rule.square && grid.rows != grid.columns) {
        throw InputError(fmt::format(
            "grid: {} is not square, and this model takes the side as the root of the number of "
            "patches; give as many rows as columns",
            text));
    }
}

// Reads grids of patches from text.

std::optional<PatchGrid> parse_grid(std::string_view text) {
    std::vector<Index> sides;
    for (const std::string_view piece : split_list(text, 'x')) {
        const std::optional<Index> side = parse_number<Index>(piece);
        if (!side || *side < 1) {
            return std::nullopt;
        }
        sides.push_back(*side);
    }
    if (sides.size() == 2) {
        return PatchGrid{1, sides[0], sides[1]};
    }
    return sides.size() == 3 ? std::optional(PatchGrid{sides[0], sides[1], sides[2]})
                             : std::nullopt;
}

}  // namespace ropescope
