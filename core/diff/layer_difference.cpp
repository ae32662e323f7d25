// Compares the tensors of a layer in the order in which a model makes them.
#include "core/diff/layer_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "core/base/error.h"
#include "core/diff/order.h"
#include "core/diff/score_difference.h"
#include "core/diff/unjudged.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;
using diagnosis::LayerTensors;

/// In the order in which a model makes them.
constexpr std::array<std::string_view, 8> kVectors = {"q",     "k",     "v",     "k_cache",
                                                      "q_rot", "k_rot", "v_rot", "k_cache_after"};
/// What stands beside them, of any shape.
constexpr std::array<std::string_view, 4> kBeside = {"q_norm", "k_norm", "q_scale", "k_scale"};

bool has_floats(const TensorBytes& tensor) {
    const bool floats = tensor.dtype == Dtype::f64 || tensor.dtype == Dtype::f32 ||
                        tensor.dtype == Dtype::f16 || tensor.dtype == Dtype::bf16;
    return floats && tensor.count() > 0;
}

/// A tensor of any shape as one row of numbers.
DumpTensor as_row(const TensorBytes& tensor) {
    return {.name = tensor.name,
            .dtype = tensor.dtype,
            .data = tensor.bytes.data(),
            .length = 1,
            .channels = tensor.count()};
}

class LayerComparison {
  public:
    LayerComparison(const LayerTensors& a, const LayerTensors& b, const BothDumps& both)
        : layer_(a, b, both) {}

    LayerDifference run() {
        compare_positions();
        for (const std::string_view name : kBeside) {
            compare_beside(name);
        }
        for (const std::string_view name : kVectors) {
            compare_vectors(name);
        }
        if (found_.tensors == 0) {
            throw InputError(fmt::format(
                "{} and {} have none of q, k, q_rot and k_rot in common; --map q=NAME says what "
                "the files call them",
                layer_.both().a, layer_.both().b));
        }
        refuse_without_rotation();
        compare_stored_scores();
        compare_others();
        judge();
        locate();
        return std::move(found_);
    }

  private:
    void compare_positions() {
        for (const char* name : {"positions", "q_positions", "k_positions"}) {
            const Matched tensor = layer_.matched(name);
            if (!tensor.in_both()) {
                continue;
            }
            seen_.insert(name);
            if (tensor.a->count() != tensor.b->count()) {
                layer_.refuse(
                    tensor, fmt::format("has the shapes {} and {}; dump the same tokens",
                                        shape_text(tensor.a->shape), shape_text(tensor.b->shape)));
            }
            const std::vector<double> a = to_f64(*tensor.a), b = to_f64(*tensor.b);
            const auto [x, y] = std::ranges::mismatch(a, b);
            if (x == a.end()) {
                continue;
            }
            TensorDifference difference{.name = name, .bit_for_bit = false};
            const std::vector<std::int64_t>& shape = tensor.a->shape;
            const Index tokens = shape.empty() ? 1 : std::max<Index>(1, shape.back());
            difference.vectors = std::ssize(a);
            difference.first = NumberPair{{.token = (x - a.begin()) % tokens}, *x, *y, 0.0};
            difference.largest = difference.first;
            for (std::size_t i = 0; i < a.size(); ++i) {
                difference.different += a[i] != b[i] ? 1 : 0;
            }
            found_.different.push_back(std::move(difference));
        }
    }

    /// Weights of norms and scales were given to both codes, and rounded once.
    void compare_beside(std::string_view name) {
        const Matched tensor = layer_.matched(name);
        if (!tensor.in_both() || !has_floats(*tensor.a) || !has_floats(*tensor.b) ||
            tensor.a->count() != tensor.b->count()) {
            return;  // compare_others() says so
        }
        seen_.insert(std::string(name));
        ++found_.tensors;
        if (!tensor.same()) {
            add(std::string(name),
                compare(as_row(*tensor.a), as_row(*tensor.b),
                        Allowance({whole_format(*tensor.a), whole_format(*tensor.b)})));
        }
    }

    void compare_vectors(std::string_view named) {
        const std::string name(named);
        const Matched tensor = layer_.matched(name);
        if (!tensor.in_both()) {
            return;
        }
        seen_.insert(name);
        ++found_.tensors;
        const auto [a, b] = layer_.placed(tensor);
        for (const DumpTensor* each : {&a, &b}) {
            if (each->quantised) {
                found_.grids.push_back(
                    {name, each == &a, each->quantised->grid, each->quantised->scale_of});
            }
        }
        if (tensor.same()) {
            return;
        }
        const Allowance allowance = layer_.allowance(tensor);
        TensorDifference difference = compare(a, b, allowance);
        if (difference.same()) {
            note_within(difference);
        } else if (auto heads = head_order(a, b, allowance)) {
            found_.orders.push_back({name, "heads", *std::move(heads)});
        } else if (auto channels = channel_order(a, b, allowance)) {
            found_.orders.push_back({name, "channels", *std::move(channels)});
        } else {
            add(name, std::move(difference));
        }
    }

    void add(const std::string& name, TensorDifference difference) {
        difference.name = name;
        if (difference.same()) {
            note_within(difference);
        } else {
            found_.different.push_back(std::move(difference));
        }
    }

    /// The scores of one dump with what was multiplied; empty if it does not have all of it.
    std::optional<ScoredSide> scored(bool of_a) {
        const auto one = [&](std::string_view name) {
            const Matched tensor = layer_.matched(name);
            return of_a ? tensor.a : tensor.b;
        };
        const TensorBytes& scores = *one("scores");
        const std::size_t rank = scores.shape.size();
        if (!layer_.in_both("q_rot") || !layer_.in_both("k_rot") || rank < 2 || rank > 4 ||
            !has_floats(scores)) {
            return std::nullopt;
        }
        const PlacedPair q = layer_.placed(layer_.matched("q_rot"));
        const PlacedPair k = layer_.placed(layer_.matched("k_rot"));
        ScoredSide side{of_a ? q.first : q.second, of_a ? k.first : k.second,
                        diagnosis::placed(scores, std::string("bhld").substr(4 - rank))};
        return belong_together(side) ? std::optional(std::move(side)) : std::nullopt;
    }

    /// Scores are held to what was multiplied; without that nobody knows how they were rounded.
    void compare_stored_scores() {
        const Matched tensor = layer_.matched("scores");
        if (!tensor.in_both() || tensor.same()) {
            return;
        }
        const auto a = scored(true), b = scored(false);
        if (a && b) {
            seen_.insert("scores");
            ++found_.tensors;
            add("scores", compare_scores(*a, *b));
        }
    }

    /// Nothing that both have is passed over in silence.
    void compare_others() {
        for (const MultipliedLayer* side : {&layer_.a(), &layer_.b()}) {
            for (const TensorBytes& each : side->layer.tensors) {
                if (!seen_.insert(each.name).second) {
                    continue;
                }
                const Matched tensor = layer_.matched(each.name);
                if (!tensor.in_both()) {
                    found_.left_out.push_back(each.name);
                } else if (tensor.same()) {
                    ++found_.tensors;
                } else {
                    found_.unjudged.push_back(describe_unjudged(each.name, tensor));
                }
            }
        }
    }

    /// Queries alone are what both were given: that they are the same says nothing about what was
    /// made of them. A difference in them is one, whatever else is there.
    void refuse_without_rotation() const {
        if (layer_.in_both("q_rot") || layer_.in_both("k_rot") || !found_.different.empty()) {
            return;
        }
        const auto lacks = [](const MultipliedLayer& layer) {
            return layer.find("q_rot") == nullptr && layer.find("k_rot") == nullptr;
        };
        const auto short_name = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        const BothDumps& both = layer_.both();
        const std::string neither = " has neither q_rot nor k_rot";
        const bool lacks_a = lacks(layer_.a()), lacks_b = lacks(layer_.b());
        const std::string which = lacks_a && lacks_b ? "neither file has q_rot or k_rot"
                                  : lacks_a          ? short_name(both.a) + neither
                                  : lacks_b          ? short_name(both.b) + neither
                                                     : "one has q_rot and the other k_rot";
        throw InputError(fmt::format(
            "{} and {}: nothing of the rotation can be compared, because {}; dump q_rot, "
            "k_rot or both in each, or say by --map what they are called",
            both.a, both.b, which));
    }

    void note_within(const TensorDifference& difference) {
        if (difference.largest) {
            found_.within =
                std::max(found_.within.value_or(0.0), difference.largest->in_allowances());
        }
    }

    const OrderFound* order_of(const std::string& tensor) const {
        const auto found = std::ranges::find(found_.orders, tensor, &OrderFound::tensor);
        return found == found_.orders.end() ? nullptr : &*found;
    }

    /// Whether both tensors stand in one order, for heads of q that share a head of k.
    bool alike(const std::string& one, const std::string& other) const {
        const OrderFound *left = order_of(one), *right = order_of(other);
        if (left == nullptr || right == nullptr) {
            return left == right;
        }
        if (left->noun != right->noun || left->noun == "channels") {
            return left->noun == right->noun && left->order == right->order;
        }
        const Index shared = std::ssize(left->order) / std::ssize(right->order);
        for (Index h = 0; shared > 0 && h < std::ssize(left->order); ++h) {
            const Index group = std::min<Index>(h / shared, std::ssize(right->order) - 1);
            if (left->order[h] / shared != right->order[group]) {
                return false;
            }
        }
        return shared > 0;
    }

    /// Scores are the same if q and k are in one order behind the rotation. Of one side alone the
    /// order before the rotation says that it is a name of the channels and not a fault.
    void judge() {
        if (!found_.different.empty()) {
            found_.sameness = Sameness::different;
        } else if (!found_.orders.empty()) {
            const bool q = layer_.in_both("q_rot"), k = layer_.in_both("k_rot");
            const std::string side = q ? "q" : "k";
            const bool equivalent =
                q && k ? alike("q_rot", "k_rot") : (q || k) && alike(side, side + "_rot");
            found_.sameness = equivalent ? Sameness::equivalent : Sameness::different;
        }
    }

    /// The pair of the first number that differs behind the rotation.
    void locate() {
        if (found_.different.empty()) {
            return;
        }
        const TensorDifference& first = found_.different.front();
        if (!first.name.ends_with("_rot")) {
            return;
        }
        const auto [a, b] = layer_.placed(layer_.matched(first.name));
        const diagnosis::Pairing& pairing = layer_.turning(first.name.substr(0, 1)).pairing;
        const Spot& spot = first.first->spot;
        const auto pair = std::ranges::find_if(pairing.rotated, [&](const ChannelPair& each) {
            return each.first == spot.channel || each.second == spot.channel;
        });
        if (pairing.kind != diagnosis::PairingKind::found || pair == pairing.rotated.end()) {
            return;
        }
        found_.pair = pair - pairing.rotated.begin();
        std::vector<double> x(a.channels), y(b.channels);
        a.read(spot.row, spot.head, spot.token, x);
        b.read(spot.row, spot.head, spot.token, y);
        const double angle =
            std::atan2(x[pair->first] * y[pair->second] - x[pair->second] * y[pair->first],
                       x[pair->first] * y[pair->first] + x[pair->second] * y[pair->second]);
        if (std::isfinite(angle)) {
            found_.angle_rad = angle;
        }
    }

    MatchedLayer layer_;
    LayerDifference found_ = {};
    std::set<std::string> seen_ = {};  ///< tensors that were compared, or are said
};

}  // namespace

LayerDifference compare_layers(const LayerTensors& a, const LayerTensors& b,
                               const BothDumps& both) {
    return LayerComparison(a, b, both).run();
}

}  // namespace ropescope::diff
