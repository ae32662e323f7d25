// Places tensors of two dumps side by side.
#include "core/diff/matched_layer.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diff/tensor_difference.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;
using diagnosis::LayerTensors;

bool is_float(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

const TensorBytes* find(const LayerTensors& layer, std::string_view name) {
    const auto found = std::ranges::find(layer.tensors, name, &TensorBytes::name);
    return found == layer.tensors.end() ? nullptr : &*found;
}

bool is_cache(std::string_view name) {
    return name == "k_cache" || name == "k_cache_after";
}

}  // namespace

Stage stage_of(std::string_view tensor) {
    if (tensor.ends_with("positions")) {
        return Stage::positions;
    }
    if (tensor == "q" || tensor == "k" || tensor == "v" || tensor == "k_cache" ||
        tensor == "q_norm" || tensor == "k_norm" || tensor == "q_scale" || tensor == "k_scale") {
        return Stage::before;
    }
    if (tensor == "scores") {
        return Stage::scores;
    }
    return tensor == "q_rot" || tensor == "k_rot" || tensor == "v_rot" || is_cache(tensor)
               ? Stage::behind
               : Stage::other;
}

bool Matched::same() const {
    return a->shape == b->shape && same_bytes(*a, *b);
}

Matched MatchedLayer::matched(std::string_view name) const {
    return {find(a_, name), find(b_, name)};
}

void MatchedLayer::refuse(const Matched& tensor, const std::string& why) const {
    throw InputError(
        fmt::format("{} and {}: tensor {} {}", both_.a, both_.b, in_quotes(tensor.a->name), why));
}

/// The reference says how tensors are laid out and how they turn.
LayerTurning& MatchedLayer::reference() {
    if (!reference_) {
        reference_.emplace(a_, both_.a, both_.axes);
    }
    return *reference_;
}

const Turning& MatchedLayer::turning(const std::string& side) {
    return reference().of(side);
}

PlacedPair MatchedLayer::placed(const Matched& tensor) {
    if (!is_float(tensor.a->dtype) || !is_float(tensor.b->dtype)) {
        refuse(tensor, fmt::format("is {} and {}; F64, F32, F16 or BF16 is expected",
                                   to_string(tensor.a->dtype), to_string(tensor.b->dtype)));
    }
    const DumpTensor a = reference().placed(*tensor.a);
    if (tensor.a->shape == tensor.b->shape) {
        return {a, reference().placed(*tensor.b)};
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

FormatPair MatchedLayer::formats(const Matched& tensor) {
    const auto known = formats_.find(tensor.a->name);
    return known != formats_.end()
               ? known->second
               : formats_
                     .emplace(tensor.a->name,
                              FormatPair{whole_format(*tensor.a), whole_format(*tensor.b)})
                     .first->second;
}

/// Keys of earlier steps were turned as those of this one, at positions that no tensor states: none
/// of them is further from 0 than the last one here, or than the length of the cache.
const Turning& MatchedLayer::cache_turning(Index length) {
    if (!cache_) {
        cache_ = in_both("k_rot") ? reference().of("k")
                                  : Turning{.pairing = {.kind = diagnosis::PairingKind::unclear}};
        if (cache_->pairing.kind == diagnosis::PairingKind::still) {
            cache_->pairing.kind = diagnosis::PairingKind::unclear;
        }
        double far = to_double(length);
        for (const double distance : cache_->distance) {
            far = std::max(far, distance);
        }
        cache_->distance.assign(static_cast<std::size_t>(length), far);
        cache_->rows = 1;
        cache_->tokens = length;
    }
    return *cache_;
}

Allowance MatchedLayer::allowance(const Matched& tensor) {
    const std::string& name = tensor.a->name;
    if (is_cache(name)) {
        return {formats(tensor), std::nullopt, cache_turning(reference().placed(*tensor.a).length)};
    }
    if (!name.ends_with("_rot")) {
        return Allowance(formats(tensor));
    }
    const std::string side = name.substr(0, name.size() - std::string_view("_rot").size());
    const Matched before = matched(side);
    const bool carried = before.in_both() && !before.same();
    return {formats(tensor), carried ? std::optional(formats(before)) : std::nullopt,
            turning(side)};
}

}  // namespace ropescope::diff
