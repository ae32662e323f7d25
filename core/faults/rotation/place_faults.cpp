// Faults in the position that a token turns by, and in which tokens turn.
#include <algorithm>
#include <cmath>

#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"

namespace ropescope::faults {
namespace {

using Changed = std::optional<RotationPlan>;

/// The plan with position(plan, axis, b, l) for each token.
template <typename Position>
Changed with_positions(const FaultSubject& subject, Position position) {
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

Changed one_later(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(a, b, l) + 1;
    });
}
Changed one_earlier(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(a, b, l) - 1;
    });
}
/// The positions that are given are not read.
Changed counted_from_zero(const FaultSubject& subject) {
    return with_positions(
        subject, [](const RotationPlan&, Index, Index, Index l) { return static_cast<double>(l); });
}
Changed first_row_for_all(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index, Index l) {
        return right.position_at(a, 0, l);
    });
}
Changed first_token_for_all(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index) {
        return right.position_at(a, b, 0);
    });
}
Changed by_row_of_batch(const FaultSubject& subject) {
    return with_positions(
        subject, [](const RotationPlan&, Index, Index b, Index) { return static_cast<double>(b); });
}
/// The plan with some heads of some rows as they were.
template <typename Rests>
Changed with_rest(const FaultSubject& subject, Rests rests) {
    RotationPlan plan = subject.right;
    for (Index b = 0; b < plan.shape.batch; ++b) {
        for (Index h = 0; h < plan.shape.heads; ++h) {
            plan.at_rest.push_back(rests(b, h));
        }
    }
    return std::ranges::find(plan.at_rest, true) == plan.at_rest.end() ? Changed{} : plan;
}
Changed later_rows_at_rest(const FaultSubject& subject) {
    return with_rest(subject, [](Index b, Index) { return b > 0; });
}
Changed later_heads_at_rest(const FaultSubject& subject) {
    return with_rest(subject, [](Index, Index h) { return h > 0; });
}

/// The plan with position(plan, axis, b, h, l) for each head at each token.
template <typename Position>
Changed with_head_positions(const FaultSubject& subject, Position position) {
    RotationPlan plan = subject.right;
    if (plan.shape.heads == 1) {
        return {};
    }
    for (Index a = 0; a < plan.axes; ++a) {
        for (Index b = 0; b < plan.shape.batch; ++b) {
            for (Index h = 0; h < plan.shape.heads; ++h) {
                for (Index l = 0; l < plan.shape.length; ++l) {
                    plan.head_positions.push_back(position(subject.right, a, b, h, l));
                }
            }
        }
    }
    return plan;
}
Changed by_head(const FaultSubject& subject) {
    return with_head_positions(subject, [](const RotationPlan&, Index, Index, Index h, Index) {
        return static_cast<double>(h);
    });
}
/// The memory is read as if all heads of a token came one after the other.
Changed heads_and_tokens_exchanged(const FaultSubject& subject) {
    if (subject.right.shape.length == 1) {
        return {};
    }
    return with_head_positions(subject,
                               [](const RotationPlan& right, Index a, Index b, Index h, Index l) {
                                   const Index place = h * right.shape.length + l;
                                   return right.position_at(a, b, place / right.shape.heads);
                               });
}
Changed clamped(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return std::min(right.position_at(a, b, l), 4095.0);
    });
}
Changed quarter(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(a, b, l) / 4;
    });
}
/// The patches of a grid are merged twice.
Changed coarse_grid(const FaultSubject& subject) {
    if (subject.right.axes < 2) {
        return {};
    }
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        const double position = right.position_at(a, b, l);
        return a + 2 < right.axes ? position : std::floor(position / 2);
    });
}
Changed reversed_axes(const FaultSubject& subject) {
    if (subject.right.axes < 3) {
        return {};  // two change places, which has a name of its own
    }
    return with_positions(subject, [](const RotationPlan& right, Index a, Index b, Index l) {
        return right.position_at(right.axes - 1 - a, b, l);
    });
}
Changed first_axis_for_all(const FaultSubject& subject) {
    return with_positions(subject, [](const RotationPlan& right, Index, Index b, Index l) {
        return right.position_at(0, b, l);
    });
}
Changed not_turned(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    std::ranges::fill(plan.omega_rad, 0.0);
    plan.gain = 1;
    return plan;
}
Changed turned_twice(const FaultSubject& subject) {
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
        {code("positions.offset"), "offset", "each token was taken for the next", one_later},
        {code("positions.offset"), "offset", "each token was taken for the one before",
         one_earlier},
        {code("positions.restart"), "offset", "the positions were not read, and counted from 0",
         counted_from_zero},
        {code("positions.per_row"), "batch_decode",
         "all rows of the batch had the positions of the first", first_row_for_all},
        {code("positions.wrong_axis"), "batch_decode",
         "all tokens of a row had the position of its first", first_token_for_all},
        {code("positions.wrong_axis"), "batch_decode", "tokens were counted along the batch",
         by_row_of_batch},
        {code("rows.unrotated"), "batch_decode", "the rows after the first were not turned",
         later_rows_at_rest},
        {code("rows.unrotated"), "heads", "the heads after the first were not turned",
         later_heads_at_rest},
        {code("positions.wrong_axis"), "heads", "tokens were counted along the heads", by_head},
        {code("answer.order"), "heads",
         "the tensor was read as [batch, positions, heads, head_dim]", heads_and_tokens_exchanged},
        {code("positions.clamped"), "far",
         "a table of 4096 rows gave its last row for all later tokens", clamped},
        {code("positions.scaled"), "far", "the positions were divided by 4", quarter},
        {code("axes.map"), "axis_map", "the first axis turned the pairs of all axes",
         first_axis_for_all},
        {code("axes.map"), "axis_map", "the axes of the positions were in reverse order",
         reversed_axes},
        {code("positions.scaled"), "axis_map", "height and width were divided by 2", coarse_grid},
        {code("spectrum.zero"), "layout", "the tensor was not turned at all", not_turned},
        {code("positions.scaled"), "layout", "the tensor was turned twice", turned_twice},
    };
}

}  // namespace ropescope::faults
