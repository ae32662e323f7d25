// Chooses the tracks that are shown, and lays them one behind the other.
#include "app/plot/tracks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ropescope::plot {
namespace {

/// The last of those that are kept least.
std::size_t least_kept(std::span<const Track> tracks, const std::vector<bool>& shown) {
    std::size_t least = tracks.size();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (shown[i] && (least == tracks.size() || tracks[i].keep <= tracks[least].keep)) {
            least = i;
        }
    }
    return least;
}

double sum_of(std::span<const double> needed, const std::vector<bool>& shown) {
    double sum = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        sum += shown[i] ? needed[i] : 0;
    }
    return sum;
}

}  // namespace

double TrackMap::to_unit(double value) const {
    for (const Piece& piece : pieces) {
        if (value <= piece.last) {
            const double share = (value - piece.first) / (piece.last - piece.first);
            return std::lerp(piece.from, piece.to, std::clamp(share, 0.0, 1.0));
        }
    }
    return pieces.back().to;
}

double TrackMap::from_unit(double unit) const {
    const auto in = [&](const Piece& piece) {
        return std::min(piece.from, piece.to) <= unit && unit <= std::max(piece.from, piece.to) &&
               piece.from != piece.to;
    };
    const auto found = std::ranges::find_if(pieces, in);
    if (found == pieces.end()) {
        return std::nan("");  // beside the tracks
    }
    const double share = (unit - found->from) / (found->to - found->from);
    return std::lerp(found->first, found->last, share);
}

bool TrackMap::shows(double value) const {
    return std::ranges::any_of(pieces, [&](const Piece& piece) {
        return piece.first <= value && value <= piece.last && piece.from != piece.to;
    });
}

TrackMap fit_tracks(std::span<const Track> tracks, std::span<const double> needed,
                    const TrackRoom& room) {
    std::vector<bool> shown(tracks.size(), true);
    auto count = tracks.size();
    while (count > 1 && sum_of(needed, shown) > room.room + 0.5) {
        shown[least_kept(tracks, shown)] = false;
        --count;
    }
    TrackMap map;
    double values = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        values += shown[i] ? tracks[i].last - tracks[i].first : 0;
        map.left_out += !shown[i] && tracks[i].counted ? 1 : 0;
    }
    const double over = std::max(0.0, room.room - sum_of(needed, shown));
    double at = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const double share = (tracks[i].last - tracks[i].first) / values;
        const double length =
            shown[i] ? std::min(needed[i] + over * share, needed[i] * room.most_growth) : 0;
        const double from = at / room.room, to = (at + length) / room.room;
        map.pieces.push_back({tracks[i].first, tracks[i].last, room.from_the_end ? 1 - to : from,
                              room.from_the_end ? 1 - from : to});
        at += length;
    }
    std::ranges::sort(map.pieces, {}, &TrackMap::Piece::first);
    return map;
}

}  // namespace ropescope::plot
