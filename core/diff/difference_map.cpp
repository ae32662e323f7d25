// Reads one layer again, and keeps every difference of it that is drawn.
#include "core/diff/difference_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/diff/matched_layer.h"
#include "core/diff/vector_reader.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpFile;
using diagnosis::DumpTensor;

/// As many columns as a picture can show; more tokens share one.
constexpr Index kMostColumns = 1024;

/// What is drawn: the place of the layer in the comparison, the side, and where in its tensors.
struct Focus {
    std::size_t layer = 0;
    std::string side = "q";
    Index row = 0, head = 0;
};

Focus focus_of(const DumpDifference& difference) {
    Focus focus;
    for (std::size_t i = 0; i < difference.layers.size(); ++i) {
        const LayerDifference& layer = difference.layers[i];
        if (layer.sameness == Sameness::equal) {
            continue;
        }
        focus.layer = i;
        if (!layer.orders.empty()) {
            focus.side = layer.orders.front().tensor.substr(0, 1);
        }
        const auto vector = std::ranges::find_if(layer.different, [](const TensorDifference& each) {
            return each.name == "q" || each.name == "k" || each.name == "v" ||
                   each.name.ends_with("_rot");
        });
        if (vector != layer.different.end()) {
            focus.side = vector->name.substr(0, 1);
            focus.row = vector->first->spot.row;
            focus.head = vector->first->spot.head;
        }
        break;
    }
    return focus;
}

void raise(double& to, double value) {
    to = std::isnan(to) ? value : std::max(to, value);
}

/// The pair of each channel, or the channel itself if pairs are not known; -1 for one that stays.
struct Places {
    std::vector<Index> of_channel = {};
    Index count = 0;
    bool by_pair = false;
};

Places channel_places(const diagnosis::Pairing& pairing, Index channels) {
    Places places{.of_channel = std::vector<Index>(static_cast<std::size_t>(channels), -1)};
    if (pairing.kind != diagnosis::PairingKind::found) {
        for (Index c = 0; c < channels; ++c) {
            places.of_channel[c] = c;
        }
        places.count = channels;
        return places;
    }
    places.by_pair = true;
    places.count = std::ssize(pairing.rotated);
    for (Index i = 0; i < places.count; ++i) {
        const auto [first, second] = pairing.rotated[i];
        for (const Index c : {first, second}) {
            if (c < channels) {
                places.of_channel[c] = i;
            }
        }
    }
    return places;
}

DifferenceMap map_of(MatchedLayer& layer, const std::string& name, const Focus& focus,
                     const Places& places) {
    const Matched tensor = layer.matched(name);
    const PlacedPair both = layer.placed(tensor);
    const DumpTensor &a = both.first, &b = both.second;
    const Allowance allowance = layer.allowance(tensor);
    DifferenceMap map{.tensor = name,
                      .row = std::min<Index>(focus.row, a.batch - 1),
                      .head = std::min<Index>(focus.head, a.heads - 1),
                      .heads = a.heads,
                      .tokens = a.length,
                      .places = places.count,
                      .by_pair = places.by_pair,
                      .together = (a.length + kMostColumns - 1) / kMostColumns};
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    map.of_head.assign(static_cast<std::size_t>(map.places * map.columns()), unknown);
    map.of_heads.assign(static_cast<std::size_t>(map.heads * map.columns()), unknown);
    // Every thread writes columns of its own.
    parallel_for(map.columns(), 8, default_threads(), [&](Index begin, Index end) {
        VectorReader reader(a, b, allowance);
        for (Index token = begin * map.together; token < std::min(end * map.together, a.length);
             ++token) {
            const Index column = token / map.together;
            for (Index head = 0; head < a.heads; ++head) {
                reader.read(map.row, token, head, head);
                for (Index c = 0; c < a.channels; ++c) {
                    const double apart =
                        NumberPair{{}, reader.a(c), reader.b(c), reader.allowed(c, c)}
                            .in_allowances();
                    raise(map.of_heads[head * map.columns() + column], apart);
                    if (head == map.head && places.of_channel[c] >= 0) {
                        raise(map.of_head[places.of_channel[c] * map.columns() + column], apart);
                    }
                }
            }
        }
    });
    return map;
}

/// Where the layer of the comparison lies in a file.
std::size_t place_in(const DumpFile& file, std::optional<Index> layer) {
    return layer ? static_cast<std::size_t>(std::ranges::find(file.layers(), *layer) -
                                            file.layers().begin())
                 : 0;
}

}  // namespace

DifferenceMaps map_differences(const DumpFile& a, const DumpFile& b,
                               const DumpDifference& difference) {
    Focus focus = focus_of(difference);
    const std::optional<Index> number = difference.layers[focus.layer].layer;
    const BothDumps both{a.origin(), b.origin(), a.options().axes};
    const diagnosis::LayerTensors left = a.tensors(place_in(a, number));
    const diagnosis::LayerTensors right = b.tensors(place_in(b, number));
    MatchedLayer layer(left, right, both);
    if (!layer.in_both(focus.side) && !layer.in_both(focus.side + "_rot")) {
        focus = {.layer = focus.layer, .side = focus.side == "k" ? "q" : "k"};
    }
    DifferenceMaps found{.layer = number};
    const std::string behind = focus.side + "_rot";
    const Matched any = layer.matched(layer.in_both(behind) ? behind : focus.side);
    if (!any.in_both()) {
        return found;
    }
    const Index channels = layer.placed(any).first.channels;
    const Places places = layer.in_both(behind)
                              ? channel_places(layer.turning(focus.side).pairing, channels)
                              : channel_places({.kind = diagnosis::PairingKind::unclear}, channels);
    for (const std::string& name : {focus.side, behind}) {
        if (layer.in_both(name)) {
            found.maps.push_back(map_of(layer, name, focus, places));
        }
    }
    return found;
}

}  // namespace ropescope::diff
