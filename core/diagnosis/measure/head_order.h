// Finds heads or tokens that come out in another order than they went in, by their lengths, which a
// rotation keeps.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis {

/// [heads]: the head before that each head after has the lengths of, token by token: a rotation
/// keeps them. Empty if that is each head itself, if lengths fit none or several, or if there are
/// too few tokens to tell.
std::optional<std::vector<Index>> find_head_order(const DumpSide& side);

/// A place in a tensor [heads, length].
struct HeadToken {
    Index head = 0, token = 0;
};

/// A mistake that moves whole rows: a reshape in place of a transpose, or tokens that are shifted
/// or reversed.
struct RowOrder {
    const Phrase* cause = nullptr;  ///< as a reshape does where a transpose is meant
    HeadToken to = {}, from = {};   ///< the first row after that is another one before
};
/// Empty if rows stand where they were, or follow none of these orders.
std::optional<RowOrder> find_row_order(const DumpSide& side);

/// The two heads whose first channels turn together, if heads were split after a half-split
/// rotation over the channels of all of them.
std::optional<std::pair<Index, Index>> heads_that_turn_together(const DumpSide& side);

}  // namespace ropescope::diagnosis
