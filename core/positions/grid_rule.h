// How a model makes positions from grids of patches: which index of the grid each axis counts, from
// where and in which unit, in which order the patches come, and what the other tokens get.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/positions/token_positions.h"

namespace ropescope {

/// Patches of an image, or of the frames of a video.
struct PatchGrid {
    Index frames = 1;
    Index rows = 1;
    Index columns = 1;

    Index tokens() const { return frames * rows * columns; }
    bool operator==(const PatchGrid&) const = default;
};

/// The index of the grid that an axis counts.
enum class GridSide : std::uint8_t { none, frame, row, column };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<GridSide> = {"none", "frame", "row",
                                                                         "column"};

/// The coordinate of index i of a side with n patches.
enum class Spacing : std::uint8_t {
    plain,              ///< scale * i + offset
    by_side,            ///< scale * (i + offset) / n (EVA-02: a grid of another size is stretched)
    centred,            ///< i - (n - floor(n / 2)) (Qwen-Image)
    ends,               ///< n numbers from -1 to 1 (timm's pixel frequencies)
    centres,            ///< 2 (i + 0.5) / n - 1 (DINOv3)
    centres_of_longer,  ///< the same with the longer of the grid's height and width for n
    centres_of_shorter,
    cropped  ///< n numbers from the start of a crop of GridRule::base (CogVideoX)
};

/// How one axis is made.
struct Coordinate {
    std::string axis = {};  ///< "t", "h", "w", "x", "y", ...
    GridSide side = GridSide::none;
    Spacing spacing = Spacing::plain;
    double scale = 1.0;
    double offset = 0.0;
    double per_grid = 0.0;  ///< added for each grid before this one (images after the first)
};

/// What the text beside the grids gets.
enum class TextPositions : std::uint8_t {
    none,    ///< the model has no text in this sequence
    still,   ///< text does not turn
    origin,  ///< 0 in all axes (FLUX.1)
    last,    ///< 0, 1, 2, ... in the last axis, 0 in the others (FLUX.2)
    beyond   ///< counted in all axes from half of the longest side on (Qwen-Image)
};

struct GridRule {
    std::vector<Coordinate> axes = {};
    Index merge = 1;  ///< patches come in blocks of merge x merge (Qwen's vision towers)
    /// Tokens without a place in the grid, which do not turn: CLS, registers.
    Index still_before = 0;
    Index still_after = 0;
    TextPositions text = TextPositions::none;
    bool text_first = true;
    bool square = false;  ///< the source makes square grids only
    PatchGrid base = {};  ///< of Spacing::cropped: the grid that the model was trained on
    /// Layers with window attention take squares of window x window blocks one after the other; 0:
    /// there are none. Positions here are those before that.
    Index window = 0;
};

/// Grids in their order, and tokens of text beside them.
struct GridTokens {
    std::vector<PatchGrid> grids;
    Index text = 0;
};

/// Largest number of tokens of one sequence.
inline constexpr Index kMaxTokens = Index{1} << 24;

/// Throws InputError that begins with `place` unless the grid has 1 to kMaxTokens patches.
void validate_size(const PatchGrid& grid, const std::string& place);

/// The tokens of the grids and of what stands before and after them, without text. Throws
/// InputError as grid_positions() does.
Index tokens_beside_text(const GridRule& rule, const std::vector<PatchGrid>& grids);

/// Patches of a grid come frame by frame, row by row. Throws InputError for a grid without patches,
/// one that the rule's blocks do not fill, one that is not square if it must be, and for text that
/// the model does not have.
TokenPositions grid_positions(const GridRule& rule, const GridTokens& tokens);

/// "h: row; w: column; patches in blocks of 2 x 2": how positions are made, for people.
std::string describe(const GridRule& rule);
/// Which tokens turn, for people: "patches; these do not turn: 5 before the patches".
std::string describe_turning(const GridRule& rule);

// Coordinates along the sides of one grid, and the order of its patches. Source: grid_rule.cpp
// makes whole sequences of them.

/// Index i of the side that an axis counts lies at start + step * i.
struct GridLine {
    double start = 0.0;
    double step = 0.0;

    double at(Index i) const { return start + step * to_double(i); }
};

/// The place of a patch in its grid.
struct GridPatch {
    Index frame = 0, row = 0, column = 0;

    Index along(GridSide side) const {
        return side == GridSide::frame ? frame : side == GridSide::row ? row : column;
    }
};

/// The patches of a grid in the order of the sequence: frame by frame, row by row; the rows and
/// columns of blocks of merge x merge patches if the patches come in blocks.
std::vector<GridPatch> patches_in_order(const PatchGrid& grid, Index merge);

/// The patches of a side; 1 for Side::none.
Index patches_of(const PatchGrid& grid, GridSide side);

/// The coordinates of `axis`, which is one of the rule's axes, for a grid that is the first one.
GridLine grid_line(const Coordinate& axis, const GridRule& rule, const PatchGrid& grid);

/// Throws InputError for a grid without patches, one that the rule's blocks do not fill, and one
/// that is not square if it must be.
void validate(const GridRule& rule, const PatchGrid& grid);

// Grids of patches as a person types them.

/// "4x6" is 4 rows of 6 columns, "3x4x6" the same in 3 frames. Empty if the text has another form
/// or a side is not a whole number from 1 on.
std::optional<PatchGrid> parse_grid(std::string_view text);

}  // namespace ropescope
