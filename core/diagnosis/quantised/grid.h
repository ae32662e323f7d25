// Tensors behind a rotation that were quantised to 8 bits, FP8 or int8 with scales: the numbers
// that one number of the grid may have been before it was rounded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope::diagnosis {

enum class NumberGrid : std::uint8_t { e4m3, e5m2, e4m3fnuz, e5m2fnuz, int8 };
/// How numbers are rounded to it.
enum class GridRounding : std::uint8_t { nearest, zero, below };
/// What shares a scale; other: any other part of the axes.
enum class ScaleOf : std::uint8_t { tensor, head, token, row, channel, other };

/// Steps of the grid at a scale of 1.
struct GridFacts {
    int fraction = 3;  ///< bits of it; 0 for int8, whose steps are 1
    int lowest = -6;   ///< exponent of the smallest normal number
    double largest = 448.0;
};
GridFacts facts_of(NumberGrid grid);

/// The grid of a dtype in 8 bits: one of FP8, or I8.
bool is_grid_dtype(Dtype dtype);
NumberGrid grid_of(Dtype dtype);

/// The numbers that were rounded to one: all from low to high.
struct RoundedRange {
    double low = 0.0, high = 0.0;
};

/// The cell of a number of the grid; from `end` on, if it is one of its numbers, everything larger
/// was cut to it. `end` is infinite if nothing was.
RoundedRange cell_of(NumberGrid grid, double number, GridRounding rounding, double end);

/// From so many times the largest number on, numbers are cut to it and not rounded.
double share_cut_from(NumberGrid grid);

/// The number of the grid that is nearest, whatever the largest is.
double nearest_on(NumberGrid grid, double number);

/// A tensor's grid and its scales. Strides count scales, and are 0 along axes that share one.
struct Quantised {
    NumberGrid grid = NumberGrid::e4m3;
    ScaleOf scale_of = ScaleOf::tensor;
    std::string scale_name = {};  ///< "q_rot_scale"; empty: no scale was given
    bool recognised = false;      ///< by the numbers of a tensor of floats
    double scale_error = 0.0;     ///< of recognised scales, as a share of each
    GridRounding rounding = GridRounding::nearest;
    std::shared_ptr<const std::vector<double>> scales = {};
    /// Of each scale: the end of the grid in its steps; null: that of the format.
    std::shared_ptr<const std::vector<double>> ends = {};
    Index first = 0, batch_stride = 0, head_stride = 0, position_stride = 0, channel_stride = 0;

    Index place(Index b, Index h, Index l, Index c) const {
        return first + b * batch_stride + h * head_stride + l * position_stride +
               c * channel_stride;
    }
    double scale(Index b, Index h, Index l, Index c) const {
        return (*scales)[static_cast<std::size_t>(place(b, h, l, c))];
    }
    double end(Index b, Index h, Index l, Index c) const {
        return ends ? (*ends)[static_cast<std::size_t>(place(b, h, l, c))] : facts_of(grid).largest;
    }
    /// What `value`, a number of the tensor, may have been.
    RoundedRange cell(Index b, Index h, Index l, Index c, double value) const;
};

}  // namespace ropescope::diagnosis

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<diagnosis::NumberGrid> = {
    "FP8 (e4m3)", "FP8 (e5m2)", "FP8 (e4m3fnuz)", "FP8 (e5m2fnuz)", "int8"};
template <>
inline constexpr std::array<std::string_view, 6> kEnumNames<diagnosis::ScaleOf> = {
    "the tensor",   "each head", "each token", "each head at each token",
    "each channel", "each part"};
}  // namespace ropescope
