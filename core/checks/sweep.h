// The specs and positions that the checks of the rotation go through, and the vector arithmetic
// that they share.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/checks/check.h"
#include "core/checks/reference/error_model.h"
#include "core/rope/spectrum.h"

namespace ropescope {

struct Rope {
    RopeSpec spec;
    Spectrum spectrum;
};

/// head_dim {2 .. 256} x base {100 .. 1e7} x both layouts x {full, partial rotary}. Partial rotates
/// about the first quarter of the channels, as GPT-NeoX does. Without those whose case_name() says
/// that they are not wanted.
std::vector<Rope> rope_sweep(const Cases& wanted);

/// The interleaved part of the sweep. half_split() gives the partner that differs only in its
/// layout.
std::vector<Rope> interleaved_sweep(const Cases& wanted);
Rope half_split(Rope rope);

/// One rope for each different spectrum of the sweep.
std::vector<Rope> spectrum_sweep(const Cases& wanted);

/// {0, 1, 40, 2000, 70000, 131071, 1048575}
std::span<const std::int64_t> sweep_positions();

/// The sweep in words: the beginning of a finding's detail.
std::string sweep_text();

/// "head_dim=128 rotary_dim=32 base=10000 layout=half_split", the beginning of a case's name
/// (check.h).
std::string case_name(const RopeSpec& spec);

/// Head vectors one after the other.
struct HeadRows {
    Index head_dim = 0;
    std::vector<double> values;

    std::size_t count() const { return values.size() / static_cast<std::size_t>(head_dim); }
    std::span<const double> operator[](std::size_t row) const {
        const auto width = static_cast<std::size_t>(head_dim);
        return std::span(values).subspan(row * width, width);
    }
};

/// `count` rows of numbers from [-1, 1) that fp32 holds exactly. A seed gives the same numbers on
/// every machine.
HeadRows random_rows(std::size_t count, Index head_dim, std::uint64_t seed);

/// One head vector `count` times.
HeadRows repeat_row(std::span<const double> row, std::size_t count);

double dot(std::span<const double> a, std::span<const double> b);
double norm(std::span<const double> a);
/// |a - b| in the 2-norm.
double distance(std::span<const double> a, std::span<const double> b);

// One signature for everything that can rotate head vectors: the three routes in double and the
// engines. Each identity is written once and checked on all of them.

struct Rotator {
    using Rotate = std::function<HeadRows(const Rope& rope, const HeadRows& x,
                                          std::span<const std::int64_t> positions, Direction)>;

    std::string name;
    Precision precision;
    Rotate rotate;  ///< turns row r of x to position positions[r]
    /// Error of the rotated vector relative to |x| that grows with the position, beyond what the
    /// precision explains. Null: there is none.
    double (*position_error)(std::int64_t position) = nullptr;

    double error_at(std::int64_t position) const {
        return rotation_error(precision) +
               (position_error == nullptr ? 0.0 : position_error(position));
    }

    HeadRows forward(const Rope& rope, const HeadRows& x,
                     std::span<const std::int64_t> positions) const {
        return rotate(rope, x, positions, Direction::forward);
    }
};

/// The words of a case: which rotator turned to which position.
std::string where(const Rotator& rotator, const Rope& rope, std::int64_t m);

/// Rotates one head vector to one position, as rotate_by_complex and the other routes do.
using VectorRoute = std::vector<double> (*)(const RopeSpec&, const Spectrum&,
                                            std::span<const double>, std::int64_t position);
/// A rotator from a route in double. Its inverse is the rotation to the negative position.
Rotator route_rotator(std::string name, VectorRoute route);

/// A rotator from an engine's table and rotation, in fp32. Each distinct position is one row of the
/// table.
Rotator engine_rotator(Engine& engine);

Rotator complex_rotator();
Rotator matrix_rotator();
Rotator elements_rotator();

/// The complex and the element-wise route and every engine, unless the wanted cases are by another.
/// The matrix route is left out because it takes head_dim times as long; rope.routes_agree and
/// rope.orthogonality hold it to these.
std::vector<Rotator> rotators(const CheckContext& context);

}  // namespace ropescope
