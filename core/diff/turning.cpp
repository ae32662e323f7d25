// Measures the rotation of a layer as far as rounding depends on it.
#include "core/diff/turning.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/diagnosis/measure/speeds.h"
#include "core/diagnosis/measure/turns.h"
#include "core/diagnosis/read_dump.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpSide;
using diagnosis::DumpTensor;
using diagnosis::PairingKind;

/// Speeds are measured on a part of the tensors: more of them would only narrow a bound.
constexpr Index kMeasuredHeads = 8, kMeasuredTokens = 256;

/// Looks at the numbers in pieces, which take little memory.
bool all_finite(const TensorBytes& tensor) {
    constexpr Index kPiece = 1 << 14;
    const Index size = static_cast<Index>(dtype_size(tensor.dtype));
    std::atomic<bool> finite = true;
    parallel_for(tensor.count(), kPiece, default_threads(), [&](Index begin, Index end) {
        for (Index at = begin; at < end && finite; at += kPiece) {
            TensorBytes piece = tensor;
            piece.shape = {std::min(kPiece, end - at)};
            piece.bytes = tensor.bytes.subspan(at * size, piece.shape[0] * size);
            for (const double value : to_f64(piece)) {
                if (!std::isfinite(value)) {
                    finite = false;
                }
            }
        }
    });
    return finite;
}

/// A side whose angles can be looked at.
std::optional<diagnosis::UnplacedSide> usable_side(const MultipliedLayer& layer,
                                                   const std::string& side) {
    const TensorBytes* before = layer.find(side);
    const TensorBytes* after = layer.find(side + "_rot");
    const auto floats = [](const TensorBytes& tensor) {
        return tensor.dtype == Dtype::f64 || tensor.dtype == Dtype::f32 ||
               tensor.dtype == Dtype::f16 || tensor.dtype == Dtype::bf16;
    };
    const bool usable = before != nullptr && after != nullptr && before->shape == after->shape &&
                        before->shape.size() >= 2 && before->shape.size() <= 4 &&
                        before->count() > 0 && before->shape.back() >= 2 && floats(*before) &&
                        floats(*after) && all_finite(*before) && all_finite(*after);
    if (!usable) {
        return std::nullopt;
    }
    const auto grid = [&](const std::string& name) {
        const diagnosis::UnplacedGrid* const found = layer.grid_of(name);
        return found == nullptr ? std::nullopt : std::optional(*found);
    };
    return diagnosis::UnplacedSide{.before = *before,
                                   .after = *after,
                                   .grid_before = grid(side),
                                   .grid_after = grid(side + "_rot")};
}

std::string usual_axes(std::size_t rank) {
    return std::string("bhld").substr(4 - std::min<std::size_t>(rank, 4));
}

}  // namespace

LayerTurning::LayerTurning(const MultipliedLayer& layer, const std::string& origin,
                           const std::string& axes)
    : layer_(layer), origin_(origin), axes_(axes) {
    if (!axes_.empty()) {
        return;
    }
    const auto q = usable_side(layer, "q"), k = usable_side(layer, "k");
    const bool alike = !q || !k || q->before.shape.size() == k->before.shape.size();
    if ((!q && !k) || !alike) {
        return;
    }
    const diagnosis::UnplacedSide& either = q ? *q : *k;
    if (either.before.shape.size() == 2) {
        const std::int64_t other = (k ? *k : *q).before.shape.back();
        const std::int64_t channels = std::gcd(either.before.shape.back(), other);
        head_width_ = diagnosis::heads_side_by_side(either, channels, false);
        return;
    }
    const TensorBytes* positions = layer.find("positions");
    axes_ = diagnosis::find_axes("", q ? &*q : nullptr, k ? &*k : nullptr,
                                 positions != nullptr ? std::span(positions->shape)
                                                      : std::span<const std::int64_t>(),
                                 origin)
                .axes;
}

DumpTensor LayerTurning::placed(const TensorBytes& tensor,
                                const diagnosis::UnplacedGrid* grid) const {
    TensorBytes shaped = tensor;
    const auto in_order = [&](const std::string& axes) {
        DumpTensor view = diagnosis::placed(shaped, axes);
        if (grid != nullptr) {
            diagnosis::UnplacedGrid own = *grid;
            if (own.strides.size() < axes.size()) {  // heads were side by side with the channels
                own.strides.insert(own.strides.end() - 1, own.strides.back() * head_width_);
            }
            view.quantised = diagnosis::placed(own, axes);
        }
        return view;
    };
    if (head_width_ > 0 && shaped.shape.size() == 2 && shaped.shape.back() % head_width_ == 0) {
        shaped.shape = {shaped.shape[0], shaped.shape[1] / head_width_, head_width_};
        return in_order("lhd");
    }
    const std::size_t rank = shaped.shape.size();
    const std::string axes = axes_.empty() ? usual_axes(rank) : axes_;
    if (rank < 2 || axes.size() != rank || shaped.count() == 0) {
        throw InputError(
            fmt::format("{}: tensor {} has the shape {}; {} is expected", origin_,
                        in_quotes(tensor.name), shape_text(tensor.shape),
                        axes_.empty() ? "[B, H, L, D], [B, L, H, D], [H, L, D] or [L, D]" : axes_));
    }
    return in_order(axes);
}

std::vector<double> LayerTurning::stated(const std::string& side, Index batch, Index tokens) const {
    const TensorBytes* tensor = layer_.find(side + "_positions");
    if (tensor == nullptr) {
        tensor = layer_.find("positions");
    }
    std::vector<double> distance;
    if (tensor == nullptr || tensor->shape.empty() || tensor->count() == 0) {
        for (Index token = 0; token < tokens; ++token) {
            distance.push_back(to_double(token));
        }
        return distance;
    }
    const std::vector<double> values = to_f64(*tensor);
    const bool by_token = std::ssize(values) % tokens == 0 && tensor->shape.back() == tokens;
    if (by_token && (std::ssize(values) == tokens || std::ssize(values) == batch * tokens)) {
        return values;
    }
    // Several axes, or the positions of a cache: no token is further from 0 than all of them.
    double far = 0.0;
    for (const double value : values) {
        far = std::max(far, std::abs(value));
    }
    const bool several_axes = tensor->shape.size() > 1;
    return std::vector<double>(
        tokens, several_axes
                    ? far * to_double(std::min(tensor->shape.front(), tensor->shape.back()))
                    : far);
}

const Turning& LayerTurning::of(const std::string& side) {
    const auto known = sides_.find(side);
    return known != sides_.end() ? known->second
                                 : sides_.emplace(side, measured(side)).first->second;
}

Turning LayerTurning::measured(const std::string& side) const {
    const auto tensors = usable_side(layer_, side);
    const TensorBytes* after = layer_.find(side + "_rot");
    const DumpTensor shape = placed(*after, layer_.grid_of(side + "_rot"));
    Turning turning{.pairing = {.kind = PairingKind::unclear}};
    const std::vector<double> positions = stated(side, shape.batch, shape.length);
    turning.tokens = shape.length;
    turning.rows = std::ssize(positions) == shape.length ? 1 : shape.batch;
    std::ranges::transform(positions, std::back_inserter(turning.distance),
                           [](double p) { return std::abs(p); });
    if (!tensors) {
        return turning;
    }
    DumpSide part{placed(tensors->before, layer_.grid_of(side)), shape};
    const diagnosis::FloatFormat format = diagnosis::effective_format(part.after);
    turning.pairing = diagnosis::find_pairing(part, format);
    turning.fastest_rad.assign(turning.pairing.pairs.size(), 1.0);
    if (turning.pairing.kind != PairingKind::found) {
        return turning;
    }
    for (DumpTensor* tensor : {&part.before, &part.after}) {
        tensor->batch = 1;
        tensor->heads = std::min(tensor->heads, kMeasuredHeads);
        tensor->length = std::min(tensor->length, kMeasuredTokens);
    }
    const auto first = std::span(positions).first(static_cast<std::size_t>(part.before.length));
    const diagnosis::Speeds speeds = diagnosis::recover_speeds(
        diagnosis::recover_turns(part, turning.pairing, format), first, {});
    for (std::size_t i = 0; i < speeds.omega.size() && speeds.known() && speeds.step <= 1.0; ++i) {
        turning.fastest_rad[i] = std::abs(speeds.omega[i]) + speeds.error[i];
    }
    return turning;
}

}  // namespace ropescope::diff
