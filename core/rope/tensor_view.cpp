// Reads axis orders such as "blhd" and views dense tensors through them.
#include "core/rope/tensor_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

bool holds(std::string_view axes, char axis) {
    return axes.find(axis) != std::string_view::npos;
}

bool well_formed(std::string_view axes) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!holds("bhld", axes[i]) || holds(axes.substr(0, i), axes[i])) {
            return false;
        }
    }
    return holds(axes, 'l') && axes.ends_with('d');
}

}  // namespace

AxisOrder default_axis_order(Index rank, Index heads, const std::string& origin) {
    const bool merged = heads > 0;
    if (rank == 2) {
        return {"ld", merged ? heads : 1};
    }
    if (rank == 3) {
        return merged ? AxisOrder{"bld", heads} : AxisOrder{"hld"};
    }
    if (rank == 4 && !merged) {
        return {"bhld"};
    }
    throw InputError(fmt::format("{}: {} axes; expected {}", origin, rank,
                                 merged
                                     ? "[L, heads * d] or [B, L, heads * d] where heads are given"
                                     : "[L, d], [H, L, d] or [B, H, L, d]"));
}

AxisOrder parse_axis_order(std::string_view axes, Index heads) {
    if (!well_formed(axes)) {
        throw InputError(
            fmt::format("axes: '{}' is not an axis order; give letters of b, h, l, d, "
                        "each once, l among them and d last, such as bhld or blhd",
                        axes));
    }
    if (holds(axes, 'h') && heads > 0) {
        throw InputError(
            fmt::format("heads: the axes {} have an axis for heads already; leave --heads out, or "
                        "give axes without h",
                        axes));
    }
    return {std::string(axes), heads > 0 ? heads : 1};
}

TensorView<float> view_by_axes(float* data, std::span<const Index> shape, const AxisOrder& order,
                               const std::string& origin) {
    if (shape.size() != order.axes.size()) {
        throw InputError(fmt::format("{}: shape [{}] has {} axes; the axes {} need {}", origin,
                                     fmt::join(shape, ", "), shape.size(), order.axes,
                                     order.axes.size()));
    }
    if (shape.back() % order.heads != 0) {
        throw InputError(fmt::format("{}: the last axis of shape [{}] does not split into {} heads",
                                     origin, fmt::join(shape, ", "), order.heads));
    }
    TensorView<float> view;
    view.data = data;
    view.heads = order.heads;
    view.head_dim = shape.back() / order.heads;
    view.head_stride = view.head_dim;  // of heads side by side; an h axis sets its own below
    Index stride = 1;
    for (Index i = std::ssize(shape) - 1; i >= 0; --i) {
        if (order.axes[i] == 'b') {
            view.batch = shape[i];
            view.batch_stride = stride;
        } else if (order.axes[i] == 'h') {
            view.heads = shape[i];
            view.head_stride = stride;
        } else if (order.axes[i] == 'l') {
            view.positions = shape[i];
            view.position_stride = stride;
        }
        stride *= shape[i];
    }
    return view;
}

}  // namespace ropescope
