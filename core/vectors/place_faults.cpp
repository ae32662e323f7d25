// Faults in the position that a token turns by, and in which tokens turn.
#include <algorithm>
#include <cmath>

#include "core/vectors/rotation_fault.h"

namespace ropescope::vectors {
namespace {

using Changed = std::optional<RotationPlan>;

/// The plan with position(plan, axis, b, l) for each token.
template <typename Position>
Changed with_positions(const Subject& subject, Position position) {
    RotationPlan plan = subject.right;
    for (Index a = 0; a < plan.axes; ++a) {
        for (Index b = 0; b < plan.shape.batch; ++b) {
            for (Index l = 0; l < plan.shape.length; ++l) {
                plan.position_at(a, b, l) = position(subject.right, a, b, l);
            }
        }
    }
    return plan.positions == subject.right.positions ? Changed{} : plan;
}

Changed one_later(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(a, b, l) + 1;
    });
}
/// The positions that are given are not read.
Changed counted_from_zero(const Subject& subject) {
    return with_positions(
        subject, [](const RotationPlan&, Index, Index, Index l) { return static_cast<double>(l); });
}
Changed first_row_for_all(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index, Index l) {
        return right.position_at(a, 0, l);
    });
}
Changed first_token_for_all(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index) {
        return right.position_at(a, b, 0);
    });
}
Changed by_row_of_batch(const Subject& subject) {
    return with_positions(
        subject, [](const RotationPlan&, Index, Index b, Index) { return static_cast<double>(b); });
}
Changed later_rows_at_rest(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return b == 0 ? right.position_at(a, b, l) : 0.0;
    });
}
Changed clamped(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return std::min(right.position_at(a, b, l), 4095.0);
    });
}
Changed quarter(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(a, b, l) / 4;
    });
}
Changed first_axis_for_all(const Subject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index, Index b, Index l) {
        return right.position_at(0, b, l);
    });
}
Changed not_turned(const Subject& subject) {
    RotationPlan plan = subject.right;
    std::ranges::fill(plan.omega_rad, 0.0);
    plan.gain = 1;
    return plan;
}
Changed turned_twice(const Subject& subject) {
    RotationPlan plan = subject.right;
    for (double& omega : plan.omega_rad) {
        omega *= 2;
    }
    plan.gain *= plan.gain;
    return plan;
}

}  // namespace

std::vector<RotationFault> place_faults() {
    return {
        {"positions.offset", "offset", "each token was taken for the next", one_later},
        {"positions.restart", "offset", "the positions were not read, and counted from 0",
         counted_from_zero},
        {"positions.per_row", "batch_decode",
         "all rows of the batch had the positions of the first", first_row_for_all},
        {"positions.wrong_axis", "batch_decode",
         "all tokens of a row had the position of its first", first_token_for_all},
        {"positions.wrong_axis", "batch_decode", "tokens were counted along the batch",
         by_row_of_batch},
        {"rows.unrotated", "batch_decode", "the rows after the first were not turned",
         later_rows_at_rest},
        {"positions.clamped", "far", "a table of 4096 rows gave its last row for all later tokens",
         clamped},
        {"positions.scaled", "far", "the positions were divided by 4", quarter},
        {"axes.map", "axis_map", "the first axis turned the pairs of all axes", first_axis_for_all},
        {"spectrum.zero", "layout", "the tensor was not turned at all", not_turned},
        {"positions.scaled", "layout", "the tensor was turned twice", turned_twice},
    };
}

}  // namespace ropescope::vectors
