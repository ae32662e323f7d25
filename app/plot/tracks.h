// Shares the room of a plot among columns or rows of texts, and leaves out those that have none.
#pragma once

#include <span>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::plot {

/// Where tracks lie: pieces of an axis, each stretched by itself. Empty for other axes.
struct TrackMap {
    struct Piece {
        double first = 0, last = 1;  ///< values
        double from = 0, to = 1;     ///< places, 0 .. 1; from == to: left out
    };
    std::vector<Piece> pieces;  ///< values ascend
    int left_out = 0;           ///< tracks that count and have no room

    bool empty() const { return pieces.empty(); }
    double to_unit(double value) const;
    double from_unit(double unit) const;
    /// Whether the value lies in a track that is shown.
    bool shows(double value) const;
};

/// How tracks share a length. `needed` has the length that each needs, in the same unit as `room`.
struct TrackRoom {
    double room = 0;
    double most_growth = 1e9;   ///< no track becomes longer than this many times what it needs
    bool from_the_end = false;  ///< the first track lies at the end of the axis: rows from the top
};

/// Leaves out tracks with the least `keep`, the last of them first, until the rest fits; at least
/// one stays. What is over is shared by the tracks' lengths in values.
TrackMap fit_tracks(std::span<const Track> tracks, std::span<const double> needed,
                    const TrackRoom& room);

}  // namespace ropescope::plot
