// One signature for everything that can rotate head vectors: the three routes in double and the
// engines. Each identity is written once and checked on all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/checks/check.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/sweep.h"

namespace ropescope {

struct Rotator {
    using Rotate = std::function<Rows(const Rope& rope, const Rows& x,
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

    Rows forward(const Rope& rope, const Rows& x, std::span<const std::int64_t> positions) const {
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
