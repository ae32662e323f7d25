// Where the patches of one grid lie in every axis of a scheme.
#pragma once

#include <vector>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// The place of a patch in a grid.
struct PatchIndex {
    Index frame = 0, row = 0, column = 0;
    bool operator==(const PatchIndex&) const = default;
};

/// All schemes place patches by frame, row and column apart: patch (f, r, c) lies at first[a] +
/// frames[a][f] + rows[a][r] + columns[a][c] in axis a.
struct PatchPositions {
    using Steps = std::vector<std::vector<double>>;  ///< [axes][patches of a side], from 0 on
    std::vector<double> first;                       ///< [axes]
    Steps frames, rows, columns;

    double at(Index axis, const PatchIndex& patch) const { return first[axis] + step(axis, patch); }
    /// From patch `from` to patch `to`. Exactly 0 in an axis that does not tell them apart.
    double between(Index axis, const PatchIndex& from, const PatchIndex& to) const;

  private:
    double step(Index axis, const PatchIndex& patch) const {
        return frames[axis][patch.frame] + rows[axis][patch.row] + columns[axis][patch.column];
    }
};

/// Tokens of text between the frames of a video, for models whose frames have time stamps.
inline constexpr Index kTimeStampTokens = 6;

/// The positions of an image or a video that begins the sequence. For a language model the grid is
/// that of its tokens, behind the merging of patches, and positions are those of transformers 5;
/// frames that have time stamps have kTimeStampTokens tokens of text before each. Throws InputError
/// for a grid that the model does not take, and for a model of text alone.
PatchPositions patch_positions(const RotaryScheme& scheme, const PatchGrid& grid);

/// The positions of as many tokens of text as the grid has patches, frame by frame and line by
/// line. Throws InputError if the model has no text that turns.
PatchPositions text_positions(const RotaryScheme& scheme, const PatchGrid& grid);

}  // namespace ropescope
