// How far two right codes may be apart in one number of a dump, from the arithmetic alone.
//
// Before the rotation both numbers are one number that was rounded once in each format, so they are
// at most (u_a + u_b) |x| apart, u being half a unit in the last place of 1 in the format that the
// values show (a bf16 tensor may be saved as float32).
//
// Behind it the number belongs to a pair of the length r, and each code may be off from the exact
// rotation by 4 u r: cos and sin are rounded (|cos| u |x| + |sin| u |y| <= u r), so are the two
// products (u r), their sum (u r) and what is stored (u r). A difference of q and k themselves is
// carried along: (u_a + u_b) r of their formats, unless they are the same bit for bit. In fp32 the
// angle is off too, by a share of itself: the exponent, the power, its reciprocal and the product
// with the position (angle_units()), and one unit more for each pair before it if frequencies are
// multiplied up from pair to pair, as in ggml.
//
// A number that was rounded to 8 bits behind the rotation was computed in the format of the numbers
// before it (bf16 if those have 8 bits, too), and divided by its scale: one unit of that format and
// 4 of fp32 more. The step of the grid is not in here: vector_reader.h takes the cells. Where q or
// k themselves have 8 bits in one of the dumps, half a step of theirs is carried along, sqrt(2)
// times for both channels of a pair.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diff {

/// The format that all values of the tensor belong to; looks at every one of them.
diagnosis::FloatFormat whole_format(const TensorBytes& tensor);

/// The formats of one tensor in both dumps.
struct FormatPair {
    diagnosis::FloatFormat a = {}, b = {};
    double quotients = 0.0;  ///< what the products with scales of 8 bits cost, as a share

    double units() const { return a.unit + b.unit; }
    /// Half of the smallest steps: what rounding costs a number near 0.
    double steps() const { return (a.smallest + b.smallest) / 2.0; }
};

/// What is known of the rotation of a side: which channels turn together, and how fast at most.
struct Turning {
    diagnosis::Pairing pairing = {};
    std::vector<double> fastest_rad = {};  ///< [pairs], radians per position
    /// [rows, tokens] or [1, tokens]: how far from 0 a token stands.
    std::vector<double> distance = {};
    Index rows = 1, tokens = 0;
};

class Allowance {
  public:
    /// Of numbers that both dumps hold as they were: q and k.
    explicit Allowance(FormatPair formats) : formats_(formats) {}
    /// Of numbers behind the rotation. `before` are the formats of what was turned; empty if that
    /// is the same bit for bit. The turning must outlive the result.
    Allowance(FormatPair formats, std::optional<FormatPair> before, const Turning& turning);

    /// Writes what each channel of a vector of the first dump may be off by.
    void write(std::span<const double> vector, Index row, Index token, std::span<double> out) const;

  private:
    FormatPair formats_ = {};
    std::optional<FormatPair> before_ = {};
    const Turning* turning_ = nullptr;
    /// [channels]: the pair and the other channel of it; -1 for a channel that stays.
    std::vector<Index> pair_ = {}, partner_ = {};
};

}  // namespace ropescope::diff
