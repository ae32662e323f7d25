// Arrays with broadcasting, slicing and rounding as the frameworks define them.
#include "core/systems/nd.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "core/formats/tensor.h"

namespace ropescope::nd {

namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

/// Nearest value of the dtype, ties to even. Sums, products and quotients of fp32 values formed in
/// double and rounded once are the fp32 results bit for bit (53 >= 2 * 24 + 2 digits); those of
/// bf16 values are formed in fp32, as PyTorch does.
double rounded(NumberFormat dtype, double value) {
    return round_to(dtype,
                    dtype == NumberFormat::bf16 ? round_to(NumberFormat::fp32, value) : value);
}

void round_all(NumberFormat dtype, std::vector<double>& values) {
    std::ranges::transform(values, values.begin(),
                           [&](double value) { return rounded(dtype, value); });
}

std::int64_t normal_axis(const Array& a, std::int64_t axis) {
    const std::int64_t from_start = axis < 0 ? axis + a.axes() : axis;
    if (from_start < 0 || from_start >= a.axes()) {
        throw Error(Fault::index,
                    fmt::format("axis {} of an array of shape {}", axis, shape_text(a.shape)));
    }
    return from_start;
}

Shape broadcast_shape(const Shape& a, const Shape& b) {
    const std::size_t axes = std::max(a.size(), b.size());
    Shape out(axes);
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t length_a = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t length_b = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (length_a != length_b && length_a != 1 && length_b != 1) {
            throw Error(Fault::broadcast, fmt::format("shapes {} and {} do not broadcast: axis {} "
                                                      "has {} against {}",
                                                      shape_text(a), shape_text(b), axes - 1 - i,
                                                      length_a, length_b));
        }
        out[axes - 1 - i] = length_a == 1 ? length_b : length_a;
    }
    return out;
}

/// Steps through `shape` as seen from `out`: 0 along the axes that are repeated.
Shape broadcast_strides(const Shape& shape, const Shape& out) {
    Shape strides(out.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t length = shape[shape.size() - 1 - i];
        strides[out.size() - 1 - i] = length == 1 ? 0 : stride;
        stride *= length;
    }
    return strides;
}

/// Calls row(a_offset, b_offset) for every index of all axes but the last.
template <typename Row>
void for_each_row(const Shape& out, const Shape& step_a, const Shape& step_b, Row row) {
    const std::int64_t rows =
        std::accumulate(out.begin(), out.end() - 1, std::int64_t{1}, std::multiplies<>());
    Shape index(out.size() - 1, 0);
    std::int64_t offset_a = 0;
    std::int64_t offset_b = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        row(offset_a, offset_b);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            offset_a += step_a[axis];
            offset_b += step_b[axis];
            if (++index[axis] < out[axis]) {
                break;
            }
            offset_a -= step_a[axis] * out[axis];
            offset_b -= step_b[axis] * out[axis];
            index[axis] = 0;
        }
    }
}

template <typename Op>
Array combine(const Array& a, const Array& b, Op op) {
    Array out{broadcast_shape(a.shape, b.shape), {}, wider(a.dtype, b.dtype)};
    const std::int64_t total = count(out.shape);
    if (out.shape.empty()) {
        out.values = {op(a.values[0], b.values[0])};
    } else if (total > 0) {
        out.values.reserve(at(total));
        const Shape step_a = broadcast_strides(a.shape, out.shape);
        const Shape step_b = broadcast_strides(b.shape, out.shape);
        for_each_row(out.shape, step_a, step_b, [&](std::int64_t from_a, std::int64_t from_b) {
            for (std::int64_t c = 0; c < out.shape.back(); ++c) {
                out.values.push_back(op(a.values[at(from_a + c * step_a.back())],
                                        b.values[at(from_b + c * step_b.back())]));
            }
        });
    }
    round_all(out.dtype, out.values);
    return out;
}

}  // namespace

std::int64_t count(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Array make(NumberFormat dtype, Shape shape, std::vector<double> values) {
    if (count(shape) != static_cast<std::int64_t>(values.size())) {
        throw std::invalid_argument("nd::make: the shape and the number of values disagree");
    }
    round_all(dtype, values);
    return {std::move(shape), std::move(values), dtype};
}

Array arange(NumberFormat dtype, std::int64_t start, std::int64_t stop, std::int64_t step) {
    std::vector<double> values;
    for (std::int64_t value = start; value < stop; value += step) {
        values.push_back(static_cast<double>(value));
    }
    const auto length = static_cast<std::int64_t>(values.size());
    return make(dtype, {length}, std::move(values));
}

Array cast(Array a, NumberFormat dtype) {
    if (dtype > a.dtype) {
        round_all(dtype, a.values);
    }
    a.dtype = dtype;
    return a;
}

Array map(Array a, const std::function<double(double)>& f) {
    std::ranges::transform(a.values, a.values.begin(), f);
    round_all(a.dtype, a.values);
    return a;
}

Array negate(Array a) {
    std::ranges::transform(a.values, a.values.begin(), std::negate<>());
    return a;
}

std::int64_t size(const Array& a, std::int64_t axis) {
    return a.shape[at(normal_axis(a, axis))];
}

Array add(const Array& a, const Array& b) {
    return combine(a, b, std::plus<>());
}
Array subtract(const Array& a, const Array& b) {
    return combine(a, b, std::minus<>());
}
Array multiply(const Array& a, const Array& b) {
    return combine(a, b, std::multiplies<>());
}

Array slice(const Array& a, std::int64_t axis, std::int64_t start, std::int64_t stop,
            std::int64_t step) {
    axis = normal_axis(a, axis);
    const std::int64_t length = a.shape[at(axis)];
    start = std::clamp<std::int64_t>(start, 0, length);
    stop = std::clamp<std::int64_t>(stop, start, length);
    const std::int64_t inner = std::accumulate(a.shape.begin() + axis + 1, a.shape.end(),
                                               std::int64_t{1}, std::multiplies<>());
    const std::int64_t outer = std::accumulate(a.shape.begin(), a.shape.begin() + axis,
                                               std::int64_t{1}, std::multiplies<>());
    Array out{a.shape, {}, a.dtype};
    out.shape[at(axis)] = (stop - start + step - 1) / step;
    out.values.reserve(at(count(out.shape)));
    for (std::int64_t o = 0; o < outer; ++o) {
        for (std::int64_t i = start; i < stop; i += step) {
            const auto from = a.values.begin() + (o * length + i) * inner;
            out.values.insert(out.values.end(), from, from + inner);
        }
    }
    return out;
}

Array last(const Array& a, std::int64_t index) {
    Array out = slice(a, -1, index, index + 1);
    out.shape.pop_back();
    return out;
}

Array concatenate(const Array& a, const Array& b) {
    const std::int64_t width_a = size(a, -1);
    const std::int64_t width_b = size(b, -1);
    if (!std::equal(a.shape.begin(), a.shape.end() - 1, b.shape.begin(), b.shape.end() - 1)) {
        throw Error(Fault::broadcast, fmt::format("shapes {} and {} do not join on the last axis",
                                                  shape_text(a.shape), shape_text(b.shape)));
    }
    Array out{a.shape, {}, wider(a.dtype, b.dtype)};
    out.shape.back() = width_a + width_b;
    out.values.reserve(a.values.size() + b.values.size());
    const std::int64_t rows =
        std::accumulate(a.shape.begin(), a.shape.end() - 1, std::int64_t{1}, std::multiplies<>());
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto from_a = a.values.begin() + r * width_a;
        const auto from_b = b.values.begin() + r * width_b;
        out.values.insert(out.values.end(), from_a, from_a + width_a);
        out.values.insert(out.values.end(), from_b, from_b + width_b);
    }
    return out;
}

Array stack(const Array& a, const Array& b) {
    return concatenate(unsqueeze(a, a.axes()), unsqueeze(b, b.axes()));
}

Array view(Array a, Shape shape) {
    const auto hole = std::ranges::find(shape, -1);
    const Shape wanted = shape;
    const std::int64_t held = count(a.shape);
    if (hole != shape.end()) {
        const std::int64_t known = -count(shape);
        *hole = known > 0 ? held / known : 0;
    }
    if (count(shape) != held) {
        throw Error(Fault::view, fmt::format("shape {} does not hold the {} values of shape {}",
                                             shape_text(wanted), held, shape_text(a.shape)));
    }
    a.shape = std::move(shape);
    return a;
}

Array unsqueeze(Array a, std::int64_t axis) {
    a.shape.insert(a.shape.begin() + axis, 1);
    return a;
}

Array flatten(Array a, std::int64_t axis) {
    axis = normal_axis(a, axis);
    const std::int64_t merged = std::accumulate(a.shape.begin() + axis, a.shape.end(),
                                                std::int64_t{1}, std::multiplies<>());
    a.shape.resize(at(axis));
    a.shape.push_back(merged);
    return a;
}

void assign_every_second(Array& a, std::int64_t start, const Array& values) {
    const Array target = slice(a, -1, start, size(a, -1), 2);
    const Array zero{target.shape, std::vector<double>(target.values.size(), 0.0), values.dtype};
    const Array source = add(zero, values);
    if (source.shape != target.shape) {
        throw Error(Fault::broadcast,
                    fmt::format("values of shape {} do not fit a slice of shape {}",
                                shape_text(values.shape), shape_text(target.shape)));
    }
    const std::int64_t width = size(a, -1);
    const std::int64_t narrow = size(source, -1);
    for (std::int64_t i = 0; i < count(source.shape); ++i) {
        a.values[at(i / narrow * width + start + 2 * (i % narrow))] =
            rounded(a.dtype, source.values[at(i)]);
    }
}

Array transpose(const Array& a, const std::vector<int>& order) {
    const Shape strides = broadcast_strides(a.shape, a.shape);
    Array out{{}, {}, a.dtype};
    Shape step;
    for (const int axis : order) {
        out.shape.push_back(a.shape.at(static_cast<std::size_t>(axis)));
        step.push_back(strides.at(static_cast<std::size_t>(axis)));
    }
    out.values.reserve(a.values.size());
    if (!a.values.empty()) {
        for_each_row(out.shape, step, step, [&](std::int64_t from, std::int64_t) {
            for (std::int64_t c = 0; c < out.shape.back(); ++c) {
                out.values.push_back(a.values[at(from + c * step.back())]);
            }
        });
    }
    return out;
}

}  // namespace ropescope::nd

namespace ropescope::systems {

// Computes rotate_half and the complex product on arrays.

ComplexArray adjacent_as_complex(const nd::Array& x) {
    nd::size(x, -1);  // refuses a scalar
    nd::Shape paired(x.shape.begin(), x.shape.end() - 1);
    paired.insert(paired.end(), {-1, 2});
    const nd::Array pairs = nd::view(x, paired);
    return {nd::last(pairs, 0), nd::last(pairs, 1)};
}

ComplexArray view(const ComplexArray& z, const nd::Shape& shape) {
    return {nd::view(z.real, shape), nd::view(z.imaginary, shape)};
}

ComplexArray multiply(const ComplexArray& z, const ComplexArray& w) {
    return {nd::subtract(nd::multiply(z.real, w.real), nd::multiply(z.imaginary, w.imaginary)),
            nd::add(nd::multiply(z.real, w.imaginary), nd::multiply(z.imaginary, w.real))};
}

nd::Array as_real(const ComplexArray& z) {
    return nd::stack(z.real, z.imaginary);
}

nd::Array rotate_half(const nd::Array& x) {
    const std::int64_t half = nd::size(x, -1) / 2;
    return nd::concatenate(nd::negate(nd::slice(x, -1, half, nd::size(x, -1))),
                           nd::slice(x, -1, 0, half));
}

nd::Array blend(const nd::Array& x, const nd::Array& cos, const nd::Array& rotated,
                const nd::Array& sin) {
    return nd::add(nd::multiply(x, cos), nd::multiply(rotated, sin));
}

}  // namespace ropescope::systems
