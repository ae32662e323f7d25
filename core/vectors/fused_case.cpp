// Makes what right and wrong fused kernels return.
#include "core/vectors/fused_case.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/number_format.h"
#include "core/faults/codes.h"

namespace ropescope::vectors {
namespace {

double rounded(const FusedStep& step, double x) {
    return step.sixteen_bits ? round_to(NumberFormat::bf16, x) : x;
}

/// The numbers that one norm is taken over: a head of a token, or all of them.
std::vector<double> row_of(const FusedStep& step, const faults::HeadShape& shape,
                           std::span<const double> x, Index b, Index h, Index l) {
    std::vector<double> row;
    for (Index head = 0; head < shape.heads; ++head) {
        if (head == h || step.over_all_heads) {
            const auto first = x.begin() + shape.row(b, head, l);
            row.insert(row.end(), first, first + shape.head_dim);
        }
    }
    return row;
}

/// Whether an answer differs from the right one somewhere by more than three times what it is
/// compared with, in fp32.
bool is_told_apart(const std::vector<double>& wrong, const RotationCase& made) {
    const std::vector<double>& tolerance = made.tolerance[1];
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        if (std::abs(wrong[i] - made.expected[i]) >
            3.0 * width_of_wrong(tolerance[i], 1.0, unit_of(Dtype::f32))) {
            return true;
        }
    }
    return false;
}

void add_wrong(RotationCase& made, std::string code, std::string text, std::string flag,
               std::vector<double> values) {
    if (!is_told_apart(values, made)) {
        return;
    }
    made.wrong.push_back({std::move(code), std::move(text), std::move(values), 1.0});
    if (std::ranges::find(made.flags, flag) == made.flags.end()) {
        made.flags.push_back(std::move(flag));
    }
}

/// The weights of a side: 0.5 to 1.5 in steps of 1/32, or as far from 0 if a 1 is added.
std::vector<double> weights_of(const QkNorm& norm, const std::string& seed, Index channels) {
    std::vector<double> weights;
    const double one = norm.kind == NormKind::rms_plus_one ? 0.0 : 1.0;
    for (const double number : input_numbers(seed, channels)) {
        weights.push_back(one + std::round(8.0 * number) / 32.0);
    }
    return weights;
}

void add_wrong_norms(RotationCase& made, const FusedStep& right,
                     const std::vector<double>& other_weights) {
    const auto add = [&](const char* code, std::string text, const FusedStep& step) {
        add_wrong(made, code, std::move(text), "norm", fused(step, made.plan, made.input));
    };
    for (const double eps : {1e-6, 1e-5, 1e-3, 0.0}) {
        if (eps != right.norm->eps) {
            FusedStep step = right;
            step.norm->eps = eps;
            add(faults::code("norm.eps"), "the norm has another eps", step);
        }
    }
    FusedStep step = right;
    const bool adds_one = right.norm->kind == NormKind::rms_plus_one;
    if (adds_one || right.norm->kind == NormKind::rms) {
        step.norm->kind = adds_one ? NormKind::rms : NormKind::rms_plus_one;
        add(faults::code("norm.plus_one"),
            adds_one ? "1 is not added to the weights" : "1 is added to the weights", step);
    }
    step = right;
    step.weight = other_weights;
    add(faults::code("norm.weights"), "the weights of q and k are exchanged", step);
    step.weight.clear();
    step.norm->kind = adds_one ? NormKind::rms : right.norm->kind;
    add(faults::code("norm.weights"), "the weights are not multiplied", step);
    step = right;
    const bool before = right.norm->order == NormOrder::before;
    step.norm->order = before ? NormOrder::after : NormOrder::before;
    add(faults::code("norm.order"),
        before ? "the norm stands behind the rotation" : "the norm stands before the rotation",
        step);
    step = right;
    step.over_all_heads = true;
    add(faults::code("norm.width"), "the norm is taken over all heads of a token", step);
    for (const NormKind kind : {NormKind::layer, NormKind::l2}) {
        step = right;
        step.norm->kind = kind;
        if (kind != right.norm->kind) {
            add(faults::code("norm.kind"), "the norm is of another kind", step);
        }
    }
    step = right;
    step.norm.reset();
    add(faults::code("norm.missing"), "nothing is normalised", step);
    step = right;
    step.sixteen_bits = true;
    add(faults::code("norm.low_precision"), "the norm is computed in bfloat16", step);
}

void add_wrong_rotations(RotationCase& made, const FusedStep& right, const RopeSpec& spec) {
    std::set<std::string_view> codes;
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        const std::optional<faults::RotationPlan> plan = plan_with(fault, {made.plan, &spec});
        if (plan && codes.insert(fault.code).second) {
            add_wrong(made, std::string(fault.code), std::string(fault.text),
                      std::string(fault.flag), fused(right, *plan, made.input));
        }
    }
}

/// What the rotation and the norm may be off by together. A channel of no pair carries the rounding
/// of the norm and of the result alone.
std::vector<double> tolerance_of(const RotationCase& made, const FusedStep& right, Dtype dtype) {
    const bool before = right.norm->order == NormOrder::before;
    const Index channels = made.plan.shape.head_dim;
    const double share = norm_share(dtype, channels);
    Exactness exactness = exactness_of(dtype, made.plan);
    exactness.rounding += share;
    const std::vector<double> turned =
        before ? normalised(right, made.plan.shape, made.input) : made.input;
    std::vector<double> tolerance = tolerances(made.plan, turned, exactness);
    for (std::size_t i = 0; i < tolerance.size(); ++i) {
        const double own = (6.0 * unit_of(dtype) + share) * std::abs(made.expected[i]);
        if (!before) {
            // The length of a turned pair, normalised and weighed as its channel is.
            const std::size_t row = i - i % static_cast<std::size_t>(channels);
            const std::span<const double> x =
                std::span(made.input).subspan(row, static_cast<std::size_t>(channels));
            tolerance[i] *= norm_of(*right.norm, x).scale *
                            std::abs(factor_of_weight(*right.norm, right.weight[i - row]));
        }
        tolerance[i] = std::max(tolerance[i], own);
    }
    return tolerance;
}

}  // namespace

std::vector<double> normalised(const FusedStep& step, const faults::HeadShape& shape,
                               std::span<const double> x) {
    std::vector<double> result(x.begin(), x.end());
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                const NormOfRow norm = norm_of(*step.norm, row_of(step, shape, x, b, h, l));
                const Index row = shape.row(b, h, l);
                for (Index c = 0; c < shape.head_dim; ++c) {
                    const double factor =
                        step.weight.empty() ? 1.0 : factor_of_weight(*step.norm, step.weight[c]);
                    const double scaled =
                        rounded(step, (x[row + c] - norm.shift) * rounded(step, norm.scale));
                    result[row + c] = rounded(step, scaled * factor);
                }
            }
        }
    }
    return result;
}

std::vector<double> fused(const FusedStep& step, const faults::RotationPlan& plan,
                          std::span<const double> x) {
    if (!step.norm) {
        return rotated(plan, x);
    }
    return step.norm->order == NormOrder::before ? rotated(plan, normalised(step, plan.shape, x))
                                                 : normalised(step, plan.shape, rotated(plan, x));
}

double norm_share(Dtype result, Index head_dim) {
    const double unit = unit_of(result);
    const bool sixteen = unit > unit_of(Dtype::f32);
    return norm_units(head_dim) * std::min(unit, unit_of(Dtype::f32)) + (sixteen ? unit : 0.0);
}

RotationCase fused_case(const std::string& id, const Part& part, const QkNorm& norm,
                        const std::string& side) {
    constexpr Index kFar = 4097;
    const Part meant = part.at_length(kFar + 1);
    const faults::HeadShape shape{2, 2, 2, meant.spec->head_dim};
    RotationCase made;
    made.id = id + "/" + side;
    made.axes = meant.scheme.axes;
    made.layout = layout_name(meant.scheme.pairs);
    made.part = part.kind;
    made.seq_len = meant.spec->seq_len;
    made.plan = plan_of(meant.scheme, shape, {3, to_double(kFar), 0, 257});
    made.input = input_numbers(made.id, shape.size());
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index at = shape.row(b, 1, 0); at < shape.row(b, 1, 0) + 2 * shape.head_dim; ++at) {
            made.input[at] *= 0x1p-10;
        }
    }
    const std::string other = side == "q" ? "k" : "q";
    const FusedStep right{norm, weights_of(norm, id + side, shape.head_dim)};
    made.norm = norm;
    made.weight = right.weight;
    made.expected = fused(right, made.plan, made.input);
    for (std::size_t i = 0; i < kResultDtypes.size(); ++i) {
        made.tolerance[i] = tolerance_of(made, right, kResultDtypes[i]);
    }
    add_wrong_norms(made, right, weights_of(norm, id + other, shape.head_dim));
    add_wrong_rotations(made, right, *meant.spec);
    return made;
}

}  // namespace ropescope::vectors
