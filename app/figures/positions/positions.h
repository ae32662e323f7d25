// The positions view: where the tokens of a sequence stand on each axis. Sources: state.cpp,
// figure.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/positions/id_faults.h"
#include "core/positions/layout_positions.h"

namespace ropescope::figures {

/// Ids of the layout's sequence, and the runs of its segments.
struct CountedTokens {
    std::string name;  ///< "transformers-5", "ids.axes_swapped"
    LayoutPositions positions;
    std::vector<SegmentRange> ranges;
};

struct PositionsState {
    IdPlan plan;
    CountedTokens right = {};
    /// The ids below. Empty if nothing is compared, or if no way to make the fault changes an id.
    std::optional<CountedTokens> below = {};
    std::string how = {};               ///< a sentence about the fault below; empty for a version
    const IdFault* unseen = nullptr;    ///< the fault that the layout does not show
    std::vector<Index> differing = {};  ///< tokens with other ids below

    /// Tokens of the sequence, padding included.
    Index length() const { return right.positions.length; }
    bool is_padding(Index token) const {
        return right.positions.origin(0, token).kind == TokenKind::padding;
    }
    Index tokens() const;   ///< without padding
    Index largest() const;  ///< position of all axes
    bool compares() const { return below.has_value() || unseen != nullptr; }
};

/// Throws InputError that begins with the parameter's name if the layout cannot be read or counted.
PositionsState make_positions_state(const Scene& scene);

/// "image 4 × 6", "text", "padding".
plot::Text kind_words(const PositionsState& state, const TokenOrigin& token);

/// CSV: a row for each token.
plot::DataTable positions_data(const PositionsState& state);

/// A table of the segments.
std::string positions_report(const PositionsState& state);

View positions_view();

}  // namespace ropescope::figures
