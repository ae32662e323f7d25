// Compares the tensors of a layer in the order in which a model makes them.
#include "core/diff/layer_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diff/order.h"
#include "core/diff/turning.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;
using diagnosis::LayerTensors;

/// In the order in which a model makes them.
constexpr std::array<std::string_view, 4> kVectors = {"q", "k", "q_rot", "k_rot"};

bool is_float(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

const TensorBytes* find(const LayerTensors& layer, std::string_view name) {
    const auto found = std::ranges::find(layer.tensors, name, &TensorBytes::name);
    return found == layer.tensors.end() ? nullptr : &*found;
}

/// A tensor in both dumps.
struct Matched {
    const TensorBytes* a = nullptr;
    const TensorBytes* b = nullptr;
};

class LayerComparison {
  public:
    LayerComparison(const LayerTensors& a, const LayerTensors& b, const BothDumps& both)
        : a_(a), b_(b), both_(both) {}

    LayerDifference run() {
        compare_positions();
        for (const std::string_view name : kVectors) {
            compare_vectors(std::string(name));
        }
        if (found_.tensors == 0) {
            throw InputError(fmt::format(
                "{} and {} have none of q, k, q_rot and k_rot in common; --map q=NAME says what "
                "the files call them",
                both_.a, both_.b));
        }
        list_left_out();
        refuse_without_rotation();
        judge();
        locate();
        return std::move(found_);
    }

  private:
    Matched matched(std::string_view name) const { return {find(a_, name), find(b_, name)}; }

    [[noreturn]] void refuse(const Matched& tensor, const std::string& why) const {
        throw InputError(fmt::format("{} and {}: tensor {} {}", both_.a, both_.b,
                                     in_quotes(tensor.a->name), why));
    }

    void compare_positions() {
        for (const char* name : {"positions", "q_positions", "k_positions"}) {
            const Matched tensor = matched(name);
            if (tensor.a == nullptr || tensor.b == nullptr) {
                continue;
            }
            if (tensor.a->count() != tensor.b->count()) {
                refuse(tensor,
                       fmt::format("has the shapes {} and {}; dump the same tokens",
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

    void compare_vectors(const std::string& name) {
        const Matched tensor = matched(name);
        if (tensor.a == nullptr || tensor.b == nullptr) {
            return;
        }
        ++found_.tensors;
        if (!is_float(tensor.a->dtype) || !is_float(tensor.b->dtype)) {
            refuse(tensor, fmt::format("is {} and {}; F64, F32, F16 or BF16 is expected",
                                       to_string(tensor.a->dtype), to_string(tensor.b->dtype)));
        }
        if (tensor.a->shape == tensor.b->shape && same_bytes(*tensor.a, *tensor.b)) {
            return;
        }
        turning();
        const auto [a, b] = placed(tensor);
        const FormatPair formats{whole_format(*tensor.a), whole_format(*tensor.b)};
        const Allowance allowance = allowance_of(name, formats);
        TensorDifference difference = compare(a, b, allowance);
        difference.name = name;
        if (difference.same()) {
            note_within(difference);
        } else if (auto heads = head_order(a, b, allowance)) {
            found_.orders.push_back({name, "heads", *std::move(heads)});
        } else if (auto channels = channel_order(a, b, allowance)) {
            found_.orders.push_back({name, "channels", *std::move(channels)});
        } else {
            found_.different.push_back(std::move(difference));
        }
        formats_[name] = formats;
    }

    /// Queries alone are what both were given: that they are the same says nothing about what was
    /// made of them. A difference in them is one, whatever else is there.
    void refuse_without_rotation() const {
        const auto in_both = [&](const char* name) {
            const Matched tensor = matched(name);
            return tensor.a != nullptr && tensor.b != nullptr;
        };
        if (in_both("q_rot") || in_both("k_rot") || !found_.different.empty()) {
            return;
        }
        const auto lacks = [](const LayerTensors& layer) {
            return find(layer, "q_rot") == nullptr && find(layer, "k_rot") == nullptr;
        };
        const auto short_name = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        const std::string neither = " has neither q_rot nor k_rot";
        const std::string which = lacks(a_) && lacks(b_) ? "neither file has q_rot or k_rot"
                                  : lacks(a_)            ? short_name(both_.a) + neither
                                  : lacks(b_)            ? short_name(both_.b) + neither
                                                         : "one has q_rot and the other k_rot";
        throw InputError(fmt::format(
            "{} and {}: nothing of the rotation can be compared, because {}; dump q_rot, "
            "k_rot or both in each, or say by --map what they are called",
            both_.a, both_.b, which));
    }

    void note_within(const TensorDifference& difference) {
        if (difference.largest) {
            found_.within =
                std::max(found_.within.value_or(0.0), difference.largest->in_allowances());
        }
    }

    /// The reference says how tensors are laid out and how they turn.
    void turning() {
        if (!turning_) {
            turning_.emplace(a_, both_.a, both_.axes);
        }
    }

    std::pair<DumpTensor, DumpTensor> placed(const Matched& tensor) {
        const DumpTensor a = turning_->placed(*tensor.a);
        if (tensor.a->shape == tensor.b->shape) {
            return {a, turning_->placed(*tensor.b)};
        }
        if (!other_) {
            other_.emplace(b_, both_.b, both_.axes);
        }
        const DumpTensor b = other_->placed(*tensor.b);
        if (a.batch != b.batch || a.heads != b.heads || a.length != b.length ||
            a.channels != b.channels) {
            refuse(tensor, fmt::format("is {} and {}, which do not hold the same tokens, heads and "
                                       "channels; dump the same, or give --axes",
                                       shape_text(tensor.a->shape), shape_text(tensor.b->shape)));
        }
        return {a, b};
    }

    Allowance allowance_of(const std::string& name, const FormatPair& formats) {
        if (!name.ends_with("_rot")) {
            return Allowance(formats);
        }
        const std::string side = name.substr(0, 1);
        const auto before = formats_.find(side);
        return {formats, before == formats_.end() ? std::nullopt : std::optional(before->second),
                turning_->of(side)};
    }

    void list_left_out() {
        const auto known = [](const std::string& name) {
            return std::ranges::find(kVectors, name) != kVectors.end() ||
                   name.ends_with("positions");
        };
        for (const auto* layer : {&a_, &b_}) {
            for (const TensorBytes& tensor : layer->tensors) {
                const Matched both = matched(tensor.name);
                const bool compared = both.a != nullptr && both.b != nullptr && known(tensor.name);
                if (!compared &&
                    std::ranges::find(found_.left_out, tensor.name) == found_.left_out.end()) {
                    found_.left_out.push_back(tensor.name);
                }
            }
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
            const auto both_have = [&](const char* name) {
                const Matched tensor = matched(name);
                return tensor.a != nullptr && tensor.b != nullptr;
            };
            const bool q = both_have("q_rot"), k = both_have("k_rot");
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
        if (stage_of(first.name) != Stage::behind) {
            return;
        }
        const Matched tensor = matched(first.name);
        const auto [a, b] = placed(tensor);
        const diagnosis::Pairing& pairing = turning_->of(first.name.substr(0, 1)).pairing;
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

    const LayerTensors& a_;
    const LayerTensors& b_;
    const BothDumps& both_;
    LayerDifference found_ = {};
    std::optional<LayerTurning> turning_ = {}, other_ = {};
    /// Of q and k that are not the same bit for bit.
    std::map<std::string, FormatPair> formats_ = {};
};

}  // namespace

Stage stage_of(const std::string& tensor) {
    if (tensor.ends_with("positions")) {
        return Stage::positions;
    }
    if (tensor == "q" || tensor == "k") {
        return Stage::before;
    }
    return tensor == "q_rot" || tensor == "k_rot" ? Stage::behind : Stage::other;
}

LayerDifference compare_layers(const LayerTensors& a, const LayerTensors& b,
                               const BothDumps& both) {
    return LayerComparison(a, b, both).run();
}

}  // namespace ropescope::diff
