// Multiplies numbers of 8 bits by their scales.
#include "core/diagnosis/quantised/read_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/float8.h"

namespace ropescope::diagnosis {
namespace {

using Shape = std::vector<std::int64_t>;

[[noreturn]] void refuse(const TensorBytes& scale, const std::string& what) {
    throw InputError(fmt::format("tensor {}: {}", in_quotes(scale.name), what));
}

bool is_float_dtype(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

std::vector<double> numbers_of(const TensorBytes& tensor) {
    if (is_float_dtype(tensor.dtype) || tensor.dtype == Dtype::i8) {
        return to_f64(tensor);
    }
    const Float8 format = float8_of(tensor.dtype);
    std::array<double, 256> values{};
    for (std::size_t bits = 0; bits < values.size(); ++bits) {
        values[bits] = value_of(format, static_cast<std::uint8_t>(bits));
    }
    std::vector<double> numbers;
    numbers.reserve(tensor.bytes.size());
    for (const std::byte byte : tensor.bytes) {
        numbers.push_back(values[std::to_integer<std::size_t>(byte)]);
    }
    return numbers;
}

std::vector<double> read_scale(const TensorBytes& scale) {
    if (!is_float_dtype(scale.dtype)) {
        refuse(scale, fmt::format("dtype {}; scales are expected in F64, F32, F16 or BF16",
                                  to_string(scale.dtype)));
    }
    std::vector<double> values = to_f64(scale);
    if (values.empty()) {
        refuse(scale, "it is empty; one scale at least is expected");
    }
    for (const double value : values) {
        if (!std::isfinite(value) || value < 0.0) {
            refuse(scale, fmt::format("scale {}; finite numbers that are not negative are expected",
                                      value));
        }
    }
    return values;
}

/// Which axes of a tensor each axis of its scale lies along; empty if they do not.
using AxesOfScale = std::vector<std::size_t>;

bool fits(std::int64_t size, const Shape& tensor, std::size_t axis) {
    const bool last = axis + 1 == tensor.size();
    return size == tensor[axis] || (last && size > 1 && tensor[axis] % size == 0);
}

/// All increasing choices of axes, those with blocks of channels only if there is no other.
void choose(const Shape& scale, const Shape& tensor, bool blocks, AxesOfScale& chosen,
            std::vector<AxesOfScale>& all) {
    if (chosen.size() == scale.size()) {
        all.push_back(chosen);
        return;
    }
    const std::size_t from = chosen.empty() ? 0 : chosen.back() + 1;
    for (std::size_t axis = from; axis < tensor.size(); ++axis) {
        const std::int64_t size = scale[chosen.size()];
        if (blocks ? fits(size, tensor, axis) : size == tensor[axis]) {
            chosen.push_back(axis);
            choose(scale, tensor, blocks, chosen, all);
            chosen.pop_back();
        }
    }
}

std::vector<AxesOfScale> choices(const Shape& scale, const Shape& tensor) {
    std::vector<AxesOfScale> all;
    AxesOfScale chosen;
    choose(scale, tensor, false, chosen, all);
    if (all.empty()) {
        choose(scale, tensor, true, chosen, all);
    }
    return all;
}

/// The axes of a scale that has all axes of the tensor, with 1 for those that share it.
std::optional<AxesOfScale> of_all_axes(const Shape& scale, const Shape& tensor) {
    AxesOfScale axes;
    for (std::size_t axis = 0; axis < tensor.size(); ++axis) {
        if (scale[axis] == 1) {
            continue;
        }
        if (!fits(scale[axis], tensor, axis)) {
            return std::nullopt;
        }
        axes.push_back(axis);
    }
    return axes;
}

AxesOfScale axes_of(const TensorBytes& scale, const TensorBytes& tensor) {
    Shape sizes;
    std::ranges::copy_if(scale.shape, std::back_inserter(sizes),
                         [](std::int64_t size) { return size != 1; });
    if (scale.shape.size() == tensor.shape.size()) {
        if (const auto axes = of_all_axes(scale.shape, tensor.shape)) {
            return *axes;
        }
    }
    if (sizes.size() <= tensor.shape.size()) {
        const std::vector<AxesOfScale> found = choices(sizes, tensor.shape);
        if (found.size() == 1) {
            return found.front();
        }
        // One scale for each row of channels is the usual case of several.
        const bool rows =
            scale.shape.size() + 1 == tensor.shape.size() &&
            std::ranges::equal(scale.shape, std::span(tensor.shape).first(scale.shape.size()));
        if (rows) {
            AxesOfScale axes;
            for (std::size_t axis = 0; axis < scale.shape.size(); ++axis) {
                if (scale.shape[axis] != 1) {
                    axes.push_back(axis);
                }
            }
            return axes;
        }
        if (!found.empty()) {
            refuse(scale, fmt::format("shape {} may lie along several axes of {} {}; give it as "
                                      "many axes, with 1 for those that share a scale",
                                      shape_text(scale.shape), in_quotes(tensor.name),
                                      shape_text(tensor.shape)));
        }
    }
    refuse(scale,
           fmt::format("shape {} for {} {}; [1], or some of its axes are expected",
                       shape_text(scale.shape), in_quotes(tensor.name), shape_text(tensor.shape)));
}

/// The scales with one for each channel, if the channels of a tensor share them in blocks.
std::vector<double> without_blocks(const std::vector<double>& scales, std::int64_t size,
                                   std::int64_t channels) {
    if (size == channels || size <= 1) {
        return scales;
    }
    std::vector<double> all;
    for (std::size_t i = 0; i < scales.size(); ++i) {
        all.insert(all.end(), static_cast<std::size_t>(channels / size), scales[i]);
    }
    return all;
}

UnplacedGrid grid_with(NumberGrid grid, const TensorBytes& tensor, const TensorBytes* scale) {
    UnplacedGrid found{.quantised = {.grid = grid},
                       .strides = std::vector<Index>(tensor.shape.size(), 0)};
    if (scale == nullptr) {
        found.quantised.scales = std::make_shared<const std::vector<double>>(1, 1.0);
        return found;
    }
    // Its shape is held to that of the tensor before any number is read.
    const AxesOfScale axes = scale->count() <= 1 ? AxesOfScale() : axes_of(*scale, tensor);
    std::vector<double> scales = read_scale(*scale);
    found.quantised.scale_name = scale->name;
    const bool along_channels = !axes.empty() && axes.back() + 1 == tensor.shape.size();
    if (along_channels) {
        Shape sizes;
        std::ranges::copy_if(scale->shape, std::back_inserter(sizes),
                             [](std::int64_t size) { return size != 1; });
        scales = without_blocks(scales, sizes.back(), tensor.shape.back());
    }
    Index stride = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        found.strides[axes[i]] = stride;
        stride *= static_cast<Index>(tensor.shape[axes[i]]);
    }
    found.quantised.scales = std::make_shared<const std::vector<double>>(std::move(scales));
    return found;
}

/// The grid of 8 bits, at a scale of 1, that all numbers are of.
std::optional<NumberGrid> grid_of_numbers(std::span<const double> numbers) {
    for (const NumberGrid grid : {NumberGrid::e5m2, NumberGrid::e4m3, NumberGrid::int8}) {
        const double largest = grid == NumberGrid::int8 ? 128.0 : facts_of(grid).largest;
        if (std::ranges::all_of(numbers, [&](double number) {
                return std::abs(number) <= largest && nearest_on(grid, number) == number;
            })) {
            return grid;
        }
    }
    return std::nullopt;
}

/// Visits the place of the scale of each number in order.
template <typename Visit>
void for_numbers(const Shape& shape, const std::vector<Index>& strides, Visit visit) {
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    Index place = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(static_cast<std::size_t>(i), static_cast<std::size_t>(place));
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            place += strides[axis];
            if (++at[axis] < shape[axis]) {
                break;
            }
            place -= strides[axis] * static_cast<Index>(shape[axis]);
            at[axis] = 0;
        }
    }
}

}  // namespace

Dequantised dequantised(const TensorBytes& tensor, const TensorBytes* scale) {
    const bool eight = is_grid_dtype(tensor.dtype);
    if (!eight && (scale == nullptr || !is_float_dtype(tensor.dtype))) {
        return {.tensor = tensor};
    }
    std::vector<double> numbers = numbers_of(tensor);
    const std::optional<NumberGrid> grid =
        eight ? std::optional(grid_of(tensor.dtype)) : grid_of_numbers(numbers);
    if (!grid) {
        return {.tensor = tensor};  // multiplied already
    }
    const UnplacedGrid found = grid_with(*grid, tensor, scale);
    const std::vector<double>& scales = *found.quantised.scales;
    for_numbers(tensor.shape, found.strides,
                [&](std::size_t i, std::size_t place) { numbers[i] *= scales[place]; });
    const auto owner = std::make_shared<const std::vector<double>>(std::move(numbers));
    Dequantised made{.tensor = tensor, .owner = owner, .grid = found};
    made.tensor.dtype = Dtype::f64;
    made.tensor.bytes = std::as_bytes(std::span(*owner));
    return made;
}

Quantised placed(const UnplacedGrid& grid, const std::string& axes) {
    Quantised found = grid.quantised;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const Index stride = grid.strides[axis];
        switch (axes[axis]) {
            case 'b':
                found.batch_stride = stride;
                break;
            case 'h':
                found.head_stride = stride;
                break;
            case 'd':
                found.channel_stride = stride;
                break;
            default:
                found.position_stride = stride;
        }
    }
    const bool h = found.head_stride != 0, l = found.position_stride != 0,
               c = found.channel_stride != 0, b = found.batch_stride != 0;
    found.scale_of = !h && !l && !c && !b ? ScaleOf::tensor
                     : h && !l && !c      ? ScaleOf::head
                     : !h && l && !c      ? ScaleOf::token
                     : h && l && !c       ? ScaleOf::row
                     : !l && c && !b      ? ScaleOf::channel
                                          : ScaleOf::other;
    return found;
}

}  // namespace ropescope::diagnosis
