// Takes norms from answers, and names what is wrong with them.
#include "core/probe/reply_norm.h"

#include <algorithm>

#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/norm_faults.h"
#include "core/diagnosis/held/taken_norm.h"
#include "core/probe/behaviour.h"

namespace ropescope::probe {
namespace {

using diagnosis::DumpTensor;
using diagnosis::Side;
using diagnosis::StatedSide;

/// The rotation of the subject as `diagnose` holds it.
diagnosis::ExpectedRotation rotation_of_subject(const Part& subject, const Request& request) {
    const Index reach = request.reach();
    for (const diagnosis::ExpectedPart& part :
         expected_parts(expectation_of(subject, reach), reach)) {
        if (part.axes() == subject.axes()) {
            if (auto rotation = diagnosis::rotation_of(part, request.q_shape.head_dim,
                                                       stated_positions(request))) {
                return *std::move(rotation);
            }
        }
    }
    return {.axes = subject.axes(), .heads = {diagnosis::HeldHead()}};
}

std::vector<double> numbers_of(const DumpTensor& tensor) {
    std::vector<double> numbers(
        static_cast<std::size_t>(tensor.batch * tensor.heads * tensor.length * tensor.channels));
    const std::span<double> all(numbers);
    Index at = 0;
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l, at += tensor.channels) {
                tensor.read(b, h, l,
                            all.subspan(static_cast<std::size_t>(at),
                                        static_cast<std::size_t>(tensor.channels)));
            }
        }
    }
    return numbers;
}

void take_norm_of_side(const Part& subject, const std::optional<diagnosis::SideNorm>& norm,
                       bool of_keys, Reply& reply) {
    const Request& request = *reply.request;
    if (!norm || (of_keys && !request.has_keys())) {
        return;
    }
    const diagnosis::Dump whole = dump_of(reply);
    StatedSide side{.name = of_keys ? Side::k : Side::q,
                    .tensors = of_keys ? *whole.k : *whole.q,
                    .positions = stated_positions(request),
                    .norm = norm};
    diagnosis::ExpectedRotation rotation = rotation_of_subject(subject, request);
    take_norm(side, rotation);
    reply.before[of_keys ? 1 : 0] = numbers_of(side.tensors.before);
    reply.norm_share = std::max(reply.norm_share, rotation.norm_share);
    if (norm->norm.order == NormOrder::after) {
        const Tensor& answered = of_keys ? reply.k_rot : reply.q_rot;
        std::vector<double>& values = of_keys ? reply.k_values : reply.q_values;
        values = numbers_of(side.tensors.after);
        reply.unweighted[of_keys ? 1 : 0] =
            make_tensor_as(answered.dtype, answered.name, answered.shape, values);
    }
}

/// Normalises rows in place, and multiplies the weights.
void normalise(const diagnosis::SideNorm& norm, Index channels, std::vector<double>& numbers) {
    for (std::size_t first = 0; first < numbers.size();
         first += static_cast<std::size_t>(channels)) {
        const std::span<double> row(numbers.data() + first, static_cast<std::size_t>(channels));
        const NormOfRow found = norm_of(norm.norm, row);
        for (Index c = 0; c < channels; ++c) {
            row[static_cast<std::size_t>(c)] = (row[static_cast<std::size_t>(c)] - found.shift) *
                                               found.scale * norm.factor(0, c, channels);
        }
    }
}

}  // namespace

void take_norms(const Part& subject, const Norms& norms, Reply& reply) {
    reply.norm_share = 0.0;
    take_norm_of_side(subject, norms.q, false, reply);
    take_norm_of_side(subject, norms.k, true, reply);
    reply.norm_share += norms.extra_share;
}

std::optional<WrongNorms> wrong_norms(const Part& subject, const Reply& reply) {
    if (!reply.request->q_norm) {
        return std::nullopt;
    }
    const diagnosis::Dump dump = dump_of(reply);
    const auto held = diagnosis::hold_to(dump, expectation_of(subject, reply.request->reach()));
    if (!held) {
        return std::nullopt;
    }
    auto found = diagnosis::held_with_norm_faults(dump, *held);
    if (!found) {
        return std::nullopt;
    }
    WrongNorms wrong{.faults = std::move(found->faults)};
    for (std::size_t i = 0; i < found->held.sides.size(); ++i) {
        const StatedSide& side = found->held.sides[i];
        (side.name == Side::k ? wrong.norms.k : wrong.norms.q) = side.norm;
        const double more = found->held.rotations[i].norm_share - held->rotations[i].norm_share;
        wrong.norms.extra_share = std::max(wrong.norms.extra_share, more);
    }
    return wrong;
}

std::vector<double> expected_numbers(const Part& subject, const Request& request, bool of_keys) {
    const faults::RotationPlan plan = expected_plan(subject, request, of_keys);
    std::vector<double> numbers = of_keys ? request.k : request.q;
    const std::optional<diagnosis::SideNorm>& norm = request.norm_of(of_keys);
    if (norm && norm->norm.order == NormOrder::before) {
        normalise(*norm, plan.shape.head_dim, numbers);
    }
    numbers = rotated(plan, numbers);
    if (norm && norm->norm.order == NormOrder::after) {
        normalise(*norm, plan.shape.head_dim, numbers);
    }
    return numbers;
}

}  // namespace ropescope::probe
