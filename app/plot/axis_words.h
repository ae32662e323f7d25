// The words of labels in the room that they have. Words along an axis are read beside each other,
// so they have one size, and one form: whole names, or the brief ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

inline constexpr double kWordMargin = 4;  ///< units that words keep from the frame

/// Labels along an axis: those with one anchor that are written smaller before they are left out,
/// and never cut.
struct RowOfWords {
    double anchor_x = 0, anchor_y = 0;
    bool brief = false;  ///< one of the whole names has no room
    double share = 1;    ///< of its size, at which the word with the least room has it
    /// Where the words stand that are below each other, and which of them are written: each, or so
    /// few that every one of these has the height that it needs.
    std::vector<double> lines = {};
    std::size_t every = 1;
    bool has(const Label& label) const;
    bool writes(const Label& label) const;
};

std::vector<RowOfWords> words_along_axes(const PlacedPanel& placed, const Pen& pen);

struct Wording {
    std::string text;
    TextStyle style;
};

/// How the label is written, along an axis as the other words of its row; nothing if it has no
/// room.
std::optional<Wording> wording_of(const Label& label, const std::vector<RowOfWords>& rows,
                                  const PlacedPanel& placed, const Pen& pen);

}  // namespace ropescope::plot
