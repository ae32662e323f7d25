// Places tensors of two dumps side by side.
#include "core/diff/matched_layer.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/read_dump.h"
#include "core/diff/tensor_difference.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;

bool is_float(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

bool is_cache(std::string_view name) {
    return name == "k_cache" || name == "k_cache_after";
}

/// What was rotated, of a tensor behind the rotation or in the cache; else the tensor itself.
std::string made_of(const std::string& name) {
    return is_cache(name)           ? "k"
           : name.ends_with("_rot") ? name.substr(0, name.size() - std::string_view("_rot").size())
                                    : name;
}

/// The format in which the numbers of a tensor were computed: see allowance.h.
diagnosis::FloatFormat arithmetic_of(const MultipliedLayer& layer, const TensorBytes& tensor) {
    if (layer.grid_of(tensor.name) == nullptr) {
        return whole_format(tensor);
    }
    const std::string before = made_of(tensor.name);
    const TensorBytes* const source = layer.find(before);
    return source == nullptr || layer.grid_of(before) != nullptr || !is_float(source->dtype)
               ? diagnosis::format_of(Dtype::bf16)
               : whole_format(*source);
}

/// What a product with a scale costs, if the tensor has any.
double quotient_of(const MultipliedLayer& layer, const TensorBytes& tensor,
                   const diagnosis::FloatFormat& arithmetic) {
    return layer.grid_of(tensor.name) == nullptr ? 0.0
                                                 : arithmetic.unit + 4.0 * diagnosis::kUnitOfF32;
}

/// What the numbers before a rotation lost in one dump: half a step of 8 bits, for both channels of
/// a pair.
diagnosis::FloatFormat lost_before(const MultipliedLayer& layer, const std::string& name,
                                   const diagnosis::FloatFormat& format) {
    const diagnosis::UnplacedGrid* const grid = layer.grid_of(name);
    if (grid == nullptr) {
        return format;
    }
    diagnosis::FloatFormat steps = diagnosis::format_of_grid(grid->quantised);
    const bool whole = diagnosis::facts_of(grid->quantised.grid).fraction == 0;
    steps.unit = format.unit + (whole ? 0.0 : steps.unit);  // steps of int8 are no share
    steps.smallest *= std::numbers::sqrt2;
    return steps;
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
    return {a_.find(name), b_.find(name)};
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

LayerTurning& MatchedLayer::other() {
    if (!other_) {
        other_.emplace(b_, both_.b, both_.axes);
    }
    return *other_;
}

/// Numbers of 8 bits show angles badly, so a dump without them is preferred.
const Turning& MatchedLayer::turning(const std::string& side) {
    const std::string behind = side + "_rot";
    const bool by_other = a_.grid_of(behind) != nullptr && b_.grid_of(behind) == nullptr &&
                          a_.find(behind)->shape == b_.find(behind)->shape;
    return by_other ? other().of(side) : reference().of(side);
}

PlacedPair MatchedLayer::placed(const Matched& tensor) {
    if (!is_float(tensor.a->dtype) || !is_float(tensor.b->dtype)) {
        refuse(tensor, fmt::format("is {} and {}; F64, F32, F16, BF16, FP8 or I8 is expected",
                                   to_string(tensor.a->dtype), to_string(tensor.b->dtype)));
    }
    for (const TensorBytes* each : {tensor.a, tensor.b}) {
        const std::string wrong =
            each->shape.size() < 2 ? "" : diagnosis::beyond_limits(each->shape);
        if (!wrong.empty()) {
            refuse(tensor, "has " + wrong);
        }
    }
    const DumpTensor a = reference().placed(*tensor.a, a_.grid_of(tensor.a->name));
    const diagnosis::UnplacedGrid* const grid = b_.grid_of(tensor.b->name);
    if (tensor.a->shape == tensor.b->shape) {
        return {a, reference().placed(*tensor.b, grid)};
    }
    const DumpTensor b = other().placed(*tensor.b, grid);
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
    if (known != formats_.end()) {
        return known->second;
    }
    const diagnosis::FloatFormat a = arithmetic_of(a_, *tensor.a), b = arithmetic_of(b_, *tensor.b);
    const double quotients = quotient_of(a_, *tensor.a, a) + quotient_of(b_, *tensor.b, b);
    return formats_.emplace(tensor.a->name, FormatPair{a, b, quotients}).first->second;
}

/// Keys of earlier steps were turned as those of this one, at positions that no tensor states: none
/// of them is further from 0 than the last one here, or than the length of the cache.
const Turning& MatchedLayer::cache_turning(Index length) {
    if (!cache_) {
        cache_ = in_both("k_rot") ? turning("k")
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
        return {formats(tensor), std::nullopt,
                cache_turning(reference().placed(*tensor.a, nullptr).length)};
    }
    if (!name.ends_with("_rot")) {
        return Allowance(formats(tensor));
    }
    const std::string side = made_of(name);
    const Matched before = matched(side);
    std::optional<FormatPair> carried;
    if (before.in_both() && !before.same()) {
        const FormatPair own = formats(before);
        carried = FormatPair{lost_before(a_, side, own.a), lost_before(b_, side, own.b)};
    }
    return {formats(tensor), carried, turning(side)};
}

}  // namespace ropescope::diff
