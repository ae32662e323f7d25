// Faults in which channels turn, which way, and by which axis.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"
#include "core/rope/layout.h"

namespace ropescope::faults {
namespace {

using Changed = std::optional<RotationPlan>;

Index rotary_dim(const RotationPlan& plan) {
    return 2 * std::ssize(plan.pairs);
}

/// The same frequencies on the pairs of a layout; nothing if the plan has that layout already.
Changed in_layout(const FaultSubject& subject, Layout layout) {
    RotationPlan plan = subject.right;
    plan.pairs = channel_pairs(layout, rotary_dim(plan));
    plan.written = plan.pairs;
    return plan.pairs == subject.right.pairs ? Changed{} : plan;
}
Changed interleaved(const FaultSubject& subject) {
    return in_layout(subject, Layout::interleaved);
}
Changed half_split(const FaultSubject& subject) {
    return in_layout(subject, Layout::half_split);
}

/// Reads pairs of neighbours and writes all first halves before all second ones.
Changed concatenated(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (layout_of(plan.pairs) != Layout::interleaved) {
        return {};
    }
    plan.written = channel_pairs(Layout::half_split, rotary_dim(plan));
    return plan;
}

/// Reads pairs of both halves and writes each as neighbours.
Changed in_turn(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (layout_of(plan.pairs) != Layout::half_split || plan.pairs.size() < 2) {
        return {};
    }
    plan.written = channel_pairs(Layout::interleaved, rotary_dim(plan));
    return plan;
}

/// Pairs channel i with i + head_dim / 2 where only the first channels of a head turn.
Changed partner_in_the_other_half(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (rotary_dim(plan) == plan.shape.head_dim || layout_of(plan.pairs) != Layout::half_split) {
        return {};
    }
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        plan.pairs[i] = {i, i + plan.shape.head_dim / 2};
    }
    plan.written = plan.pairs;
    return plan;
}

/// Turns all channels of a head of which only some should turn.
Changed whole_head(const FaultSubject& subject) {
    if (subject.spec == nullptr || subject.spec->rotary_dim == subject.spec->head_dim) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.rotary_dim = spec.head_dim;
    spec.scaling = {};
    return plan_of(scheme_of(spec), subject.right.shape, subject.right.positions);
}

/// Turns only the first half of the pairs that should turn.
Changed half_of_the_pairs(const FaultSubject& subject) {
    if (subject.spec == nullptr || subject.spec->rotary_dim < 4 ||
        subject.spec->rotary_dim % 4 != 0) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.rotary_dim /= 2;
    spec.scaling = {};
    return plan_of(scheme_of(spec), subject.right.shape, subject.right.positions);
}

/// Turns the last channels of a head in place of the first.
Changed last_channels(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    const Index from = plan.shape.head_dim - rotary_dim(plan);
    const bool first_ones = std::ranges::all_of(plan.pairs, [&](const ChannelPair& pair) {
        return std::max(pair.first, pair.second) < rotary_dim(plan);
    });
    if (from == 0 || !first_ones) {
        return {};
    }
    for (ChannelPair& pair : plan.pairs) {
        pair = {pair.first + from, pair.second + from};
    }
    plan.written = plan.pairs;
    return plan;
}

/// Takes cos and sin from a table that repeats each entry for neighbours where the halves are
/// pairs, or the reverse.
Changed table_of_other_layout(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    const std::optional<Layout> layout = layout_of(plan.pairs);
    const Index pairs = std::ssize(plan.pairs);
    if (!layout || pairs < 2) {
        return {};
    }
    for (const ChannelPair& pair : plan.pairs) {
        const bool halves = *layout == Layout::half_split;
        plan.first_entry.push_back(halves ? pair.first / 2 : pair.first % pairs);
        plan.second_entry.push_back(halves ? pair.second / 2 : pair.second % pairs);
    }
    return plan;
}

Changed without_minus(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.map = [](double c, double s) { return PairMap{c, s, s, c}; };
    return plan;
}

Changed cos_for_sin(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.map = [](double c, double s) { return PairMap{s, -c, c, s}; };
    return plan;
}

Changed other_way(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    for (double& omega : plan.omega_rad) {
        omega = -omega;
    }
    return plan;
}

/// The two last axes change places: height and width.
Changed swapped_axes(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (plan.axes < 2) {
        return {};
    }
    for (Index b = 0; b < plan.shape.batch; ++b) {
        for (Index l = 0; l < plan.shape.length; ++l) {
            std::swap(plan.position_at(plan.axes - 2, b, l), plan.position_at(plan.axes - 1, b, l));
        }
    }
    return plan;
}

/// The axis that alone turns a pair; -1 if there is none.
Index only_axis(const RotationPlan& plan, Index pair) {
    Index only = -1;
    for (Index a = 0; a < plan.axes; ++a) {
        if (plan.omega_rad[pair * plan.axes + a] != 0) {
            only = only == -1 ? a : plan.axes;
        }
    }
    return only == plan.axes ? -1 : only;
}

/// The plan with the axes of its pairs in the order that `arrange` makes of them.
template <typename Arrange>
Changed with_axes(const FaultSubject& subject, Arrange arrange) {
    RotationPlan plan = subject.right;
    if (plan.axes < 2 || std::ssize(plan.omega_rad) != std::ssize(plan.pairs) * plan.axes) {
        return {};  // one axis, or heads that differ
    }
    std::vector<Index> axis;
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        axis.push_back(only_axis(plan, i));
    }
    if (std::ranges::find(axis, -1) != axis.end()) {
        return {};
    }
    const std::vector<Index> arranged = arrange(axis, plan.axes);
    if (arranged == axis) {
        return {};
    }
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        std::swap(plan.omega_rad[i * plan.axes + axis[i]],
                  plan.omega_rad[i * plan.axes + arranged[i]]);
    }
    return plan;
}

/// All pairs of one axis, then all of the next.
Changed in_sections(const FaultSubject& subject) {
    return with_axes(subject, [](std::vector<Index> axis, Index) {
        std::ranges::sort(axis);
        return axis;
    });
}

/// The axes by turns, as long as each has pairs left.
Changed by_turns(const FaultSubject& subject) {
    return with_axes(subject, [](const std::vector<Index>& axis, Index axes) {
        std::vector<Index> left(axes), order;
        for (const Index a : axis) {
            ++left[a];
        }
        for (Index a = 0; order.size() < axis.size(); a = (a + 1) % axes) {
            if (left[a]-- > 0) {
                order.push_back(a);
            }
        }
        return order;
    });
}

}  // namespace

std::vector<RotationFault> layout_faults() {
    return {
        {code("layout.interleaved"), "layout", "the channels 2i and 2i + 1 were turned as pairs",
         interleaved},
        {code("layout.half_split"), "layout",
         "the channels i and i + rotary_dim / 2 were turned as pairs", half_split},
        {code("layout.other"), "layout",
         "pairs of neighbours were read, and their halves written one behind the other",
         concatenated},
        {code("layout.other"), "layout",
         "pairs of both halves were read, and each written as neighbours", in_turn},
        {code("layout.other"), "partial", "channel i was paired with i + head_dim / 2",
         partner_in_the_other_half},
        {code("partial_rotary"), "partial", "all channels of a head were turned", whole_head},
        {code("partial_rotary"), "partial", "only half of the rotary channels were turned",
         half_of_the_pairs},
        {code("partial_rotary"), "partial",
         "the last channels of a head were turned in place of the first", last_channels},
        {code("not_a_rotation"), "layout", "cos and sin stood in the order of the other layout",
         table_of_other_layout},
        {code("not_a_rotation"), "layout", "the minus sign of the rotated half was missing",
         without_minus},
        {code("phase"), "layout", "cos and sin were exchanged", cos_for_sin},
        {code("sign.reversed"), "layout", "each pair was turned the other way", other_way},
        {code("axes.swapped"), "axis_map", "the two last axes of the positions changed places",
         swapped_axes},
        {code("axes.map"), "axis_map", "the pairs were given to the axes in sections", in_sections},
        {code("axes.map"), "axis_map", "the pairs were given to the axes by turns", by_turns},
    };
}

}  // namespace ropescope::faults
