// Explains the first answer side by side.
#include "core/probe/behaviour.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/norm_faults.h"

namespace ropescope::probe {
namespace {

using diagnosis::PairingKind;
using faults::RotationPlan;

/// The result rounds as in core/vectors (6 units), and a factor on cos and sin adds 2 roundings; a
/// table in 16 bits moves cos and sin by half a unit each, and each of the two products by as much.
vectors::Exactness exactness_of(const RotationPlan& plan, const diagnosis::FloatFormat& format,
                                std::optional<Dtype> table) {
    const double of_table =
        table && *table != Dtype::f32 ? 2.0 * diagnosis::format_of(*table).unit : 0.0;
    return {8.0 * format.unit + of_table, vectors::angle_errors(plan, 0x1p-24)};
}

RotationPlan recovered_plan(RotationPlan plan, const diagnosis::Explanation& side) {
    plan.pairs = side.pairing.pairs;
    plan.written = side.pairing.rotated;
    plan.omega_rad = side.model->omega;
    plan.omega_rad.resize(plan.pairs.size(), 0.0);
    for (double& omega : plan.omega_rad) {
        omega *= side.sign;
    }
    plan.gain = side.gain.value;
    for (double& position : plan.positions) {
        position += side.offset.value_or(0.0);
    }
    return plan;
}

/// Frequencies that were measured pair by pair, or times a factor that was: no formula makes them
/// exact.
bool is_measured(const diagnosis::SpectrumModel& model) {
    return model.fitted_factor != 1.0 || std::holds_alternative<LongRopeScaling>(model.scaling);
}

/// How far a fitted base is exact: to a hundredth of a radian in the fastest pair that it changes.
Index reach_of(const diagnosis::SpectrumModel& model) {
    if (!model.base || model.base_error == 0.0) {
        return kMaxPosition;
    }
    const double reach = 0.01 * *model.base / model.base_error;
    return static_cast<Index>(std::min(reach, to_double(kMaxPosition)));
}

SideBehaviour explained_side(const Part& subject, const Reply& reply, bool of_keys) {
    SideBehaviour side;
    const diagnosis::DumpPositions positions = stated_positions(*reply.request);
    const diagnosis::Expectation expected = expectation_of(subject, reply.request->reach());
    diagnosis::Explanation explained =
        explain(dump_side(reply, of_keys), of_keys ? diagnosis::Side::k : diagnosis::Side::q,
                positions, {.specs = expected.specs, .schemes = expected.schemes});
    side.table = explained.table;
    if (explained.still) {
        side.kind = SideBehaviour::Kind::still;
    } else if (explained.pairing.kind == PairingKind::found && explained.model &&
               positions.axes == 1 && !explained.heads_differ) {
        side.kind = SideBehaviour::Kind::recovered;
        side.reach = reach_of(*explained.model);
        if (is_measured(*explained.model)) {
            side.speed_error = explained.speeds.error;
            side.speed_error.resize(explained.pairing.pairs.size(), 0.0);
        }
        side.explanation = std::move(explained);
    } else {
        side.kind = SideBehaviour::Kind::unknown;
    }
    return side;
}

SideBehaviour behaviour_of_side(const Part& subject, const Reply& reply, bool of_keys) {
    const RotationPlan right = expected_plan(subject, *reply.request, of_keys);
    if (difference_from(reply, of_keys, right, {}).none()) {
        return {};
    }
    SideBehaviour side = explained_side(subject, reply, of_keys);
    const bool sixteen = side.table == Dtype::f16 || side.table == Dtype::bf16;
    if (sixteen && difference_from(reply, of_keys, right, side.table).none()) {
        side.kind = SideBehaviour::Kind::expected;
        return side;
    }
    if (held_as_expected(subject, reply)) {
        return {};
    }
    if (side.kind == SideBehaviour::Kind::recovered &&
        !difference_from(reply, of_keys, plan_of_side(subject, *reply.request, of_keys, side),
                         side.table)
             .none()) {
        side.kind = SideBehaviour::Kind::unknown;  // the explanation is not all of it
    }
    if (side.kind == SideBehaviour::Kind::unknown) {
        const auto faults = matching_faults(subject, reply, of_keys, right, side.table);
        if (!faults.empty()) {
            side.kind = SideBehaviour::Kind::fault;
            side.fault = faults.front();
        }
    }
    return side;
}

}  // namespace

diagnosis::Expectation expectation_of(const Part& subject, Index reach) {
    return diagnosis::expectation_of(subject.at_length(reach), subject.model);
}

RotationPlan expected_plan(const Part& subject, const Request& request, bool of_keys) {
    return faults::plan_of(subject.at_length(request.reach()).scheme,
                           of_keys ? request.k_shape : request.q_shape, request.positions);
}

RotationPlan plan_of_side(const Part& subject, const Request& request, bool of_keys,
                          const SideBehaviour& side) {
    RotationPlan plan = expected_plan(subject, request, of_keys);
    switch (side.kind) {
        case SideBehaviour::Kind::fault: {
            const std::optional<RopeSpec> spec = subject.at_length(request.reach()).spec;
            return plan_with(*side.fault, {plan, spec ? &*spec : nullptr}).value_or(plan);
        }
        case SideBehaviour::Kind::recovered:
            return recovered_plan(std::move(plan), *side.explanation);
        case SideBehaviour::Kind::still:
            std::ranges::fill(plan.omega_rad, 0.0);
            plan.gain = 1.0;
            return plan;
        default:
            return plan;
    }
}

std::vector<double> allowance(const Reply& reply, bool of_keys, const RotationPlan& plan,
                              std::optional<Dtype> table, std::span<const double> speed_error) {
    vectors::Exactness exactness = exactness_of(plan, reply.format, table);
    exactness.rounding += reply.norm_share;
    for (std::size_t i = 0; i < std::min(speed_error.size(), exactness.angle.size()); ++i) {
        const double omega = std::abs(plan.omega_rad[i]);
        exactness.angle[i] += omega > 0.0 ? speed_error[i] / omega : 0.0;
    }
    std::vector<double> allowed = vectors::tolerances(plan, reply.taken(of_keys), exactness);
    // Channels of no pair are not computed with, but their dtype may round them.
    for (double& each : allowed) {
        each += reply.format.smallest;
    }
    return allowed;
}

Difference difference_from(const Reply& reply, bool of_keys, const RotationPlan& plan,
                           std::optional<Dtype> table, std::span<const double> speed_error) {
    const std::vector<double> wanted = rotated(plan, reply.taken(of_keys));
    const std::vector<double> allowed = allowance(reply, of_keys, plan, table, speed_error);
    const std::vector<double>& values = reply.values(of_keys);
    Difference difference{.numbers = std::ssize(values)};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = std::abs(values[i] - wanted[i]);
        if (!(off <= allowed[i])) {
            ++difference.off;
            // Channels of no pair are exact: half a unit of the dtype stands for a tolerance.
            difference.worst_in_tolerances = std::max(
                difference.worst_in_tolerances, off / std::max(allowed[i], reply.format.unit));
        }
    }
    return difference;
}

Difference difference_from(const Reply& reply, bool of_keys, const RotationPlan& plan,
                           std::optional<Dtype> table) {
    return difference_from(reply, of_keys, plan, table, {});
}

bool held_as_expected(const Part& subject, const Reply& reply) {
    const diagnosis::Dump dump = dump_of(reply);
    const auto held = diagnosis::hold_to(dump, expectation_of(subject, reply.request->reach()));
    return held && held->met() && !(reply.request->q_norm && held_with_norm_faults(dump, *held));
}

Difference difference_from_model(const Part& subject, const Reply& reply,
                                 const Behaviour& behaviour) {
    Difference both;
    for (const bool of_keys : {false, true}) {
        const Difference side =
            difference_from(reply, of_keys, expected_plan(subject, *reply.request, of_keys),
                            behaviour.of(of_keys).table);
        both.off += side.off;
        both.numbers += side.numbers;
        both.worst_in_tolerances = std::max(both.worst_in_tolerances, side.worst_in_tolerances);
    }
    if (!both.none() && held_as_expected(subject, reply)) {
        return {.numbers = both.numbers};
    }
    return both;
}

std::vector<const faults::RotationFault*> matching_faults(const Part& subject, const Reply& reply,
                                                          bool of_keys, const RotationPlan& right,
                                                          std::optional<Dtype> table) {
    std::vector<const faults::RotationFault*> matching;
    const std::optional<RopeSpec> spec = subject.at_length(reply.request->reach()).spec;
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        const std::optional<RotationPlan> wrong =
            plan_with(fault, {right, spec ? &*spec : nullptr});
        if (wrong && difference_from(reply, of_keys, *wrong, table).none()) {
            matching.push_back(&fault);
        }
    }
    return matching;
}

Behaviour behaviour_of(const Part& subject, const Reply& reply) {
    SideBehaviour q = behaviour_of_side(subject, reply, false);
    // Code that takes one tensor does the same to any other.
    SideBehaviour k = reply.request->has_keys() ? behaviour_of_side(subject, reply, true) : q;
    return {std::move(q), std::move(k)};
}

}  // namespace ropescope::probe
