// Goes through the layers that two dumps have in common.
#include "core/diff/dump_diff.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "core/diff/matched_layer.h"
#include "core/diff/unjudged.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpFile;

/// Places of a layer in both files.
struct PlacePair {
    std::optional<Index> layer = {};
    std::size_t a = 0, b = 0;
};

std::vector<PlacePair> common_layers(const DumpFile& a, const DumpFile& b,
                                     DumpDifference& difference) {
    const std::vector<Index>&left = a.layers(), &right = b.layers();
    if (left.empty() && right.empty()) {
        return {{}};
    }
    if (left.empty() || right.empty()) {
        throw InputError(fmt::format(
            "{} has layers, and {} has one dump without a number; give the same of both, or say by "
            "--map which layer is meant",
            (left.empty() ? b : a).origin(), (left.empty() ? a : b).origin()));
    }
    std::vector<PlacePair> common;
    for (std::size_t place = 0; place < left.size(); ++place) {
        const auto other = std::ranges::lower_bound(right, left[place]);
        if (other == right.end() || *other != left[place]) {
            difference.only_a.push_back(left[place]);
        } else {
            common.push_back({left[place], place, static_cast<std::size_t>(other - right.begin())});
        }
    }
    std::ranges::set_difference(right, left, std::back_inserter(difference.only_b));
    if (common.empty()) {
        throw InputError(
            fmt::format("{} and {} have no layer in common; the first ones are {} and {}",
                        a.origin(), b.origin(), left.front(), right.front()));
    }
    return common;
}

/// Reads one after the other.
void compare_outside(const DumpFile& a, const DumpFile& b, DumpDifference& difference) {
    const std::vector<std::string> left = a.outside_layers(), right = b.outside_layers();
    const std::set<std::string_view> in_left(left.begin(), left.end()),
        in_right(right.begin(), right.end());
    for (const std::string& name : left) {
        if (!in_right.contains(name)) {
            difference.left_out.push_back(name);
            continue;
        }
        const diagnosis::LayerTensors x = a.tensor_named(name), y = b.tensor_named(name);
        const Matched tensor{&x.tensors.front(), &y.tensors.front()};
        if (tensor.same()) {
            ++difference.same_outside;
        } else {
            difference.unjudged.push_back(describe_unjudged(name, tensor));
        }
    }
    std::ranges::copy_if(right, std::back_inserter(difference.left_out),
                         [&](const std::string& name) { return !in_left.contains(name); });
}

}  // namespace

DumpDifference compare_dumps(const DumpFile& a, const DumpFile& b) {
    DumpDifference difference{.a = a.origin(), .b = b.origin()};
    const BothDumps both{a.origin(), b.origin(), a.options().axes};
    for (const PlacePair& place : common_layers(a, b, difference)) {
        LayerDifference layer = compare_layers(a.tensors(place.a), b.tensors(place.b), both);
        layer.layer = place.layer;
        difference.layers.push_back(std::move(layer));
    }
    compare_outside(a, b, difference);
    return difference;
}

}  // namespace ropescope::diff
