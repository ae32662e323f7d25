// Answers calls by the rotation of their subject.
#include "tests/support/probed_rotation.h"

#include <cmath>

#include "core/rope/spectrum.h"

namespace ropescope::test {
namespace {

Tensor answered_side(const Part& subject, const probe::Request& request, bool of_keys,
                     const ChangeCall& change) {
    ProbedCall call{request, subject, of_keys};
    const RotaryScheme scheme = subject.at_length(request.reach()).scheme;
    const faults::HeadShape& shape = of_keys ? request.k_shape : request.q_shape;
    EmulatedRotation& how = call.rotation;
    how.batch = shape.batch;
    how.heads = shape.heads;
    how.length = shape.length;
    how.head_dim = shape.head_dim;
    how.axes = request.axes;
    how.pairs = how.written = scheme.pairs;
    for (const Spectrum& head : scheme.heads) {
        how.omega.insert(how.omega.end(), head.inv_freq_rad.begin(), head.inv_freq_rad.end());
    }
    how.positions = request.positions;
    how.gain = scheme.heads.front().attention_factor;
    if (change) {
        change(call);
    }
    return make_tensor_as(request.dtype, of_keys ? "k_rot" : "q_rot",
                          {shape.batch, shape.heads, shape.length, shape.head_dim},
                          emulated(how, of_keys ? request.k : request.q));
}

}  // namespace

void ProbedCall::use_spec(const RopeSpec& spec) {
    const Spectrum spectrum = make_spectrum(spec);
    rotation.omega = spectrum.inv_freq_rad;
    rotation.gain = spectrum.attention_factor;
    if (spec.layout != subject.spec->layout || spec.rotary_dim != subject.spec->rotary_dim) {
        rotation.pairs = rotation.written = channel_pairs(spec.layout, spec.rotary_dim);
    }
}

probe::Answer answer_call(const Part& subject, const probe::Request& request,
                          const ChangeCall& change) {
    return {.q_rot = answered_side(subject, request, false, change),
            .k_rot = answered_side(subject, request, true, change)};
}

probe::Ask implementation(Part subject, ChangeCall change) {
    return [subject = std::move(subject), change = std::move(change)](
               const probe::Request& request) { return answer_call(subject, request, change); };
}

Tensor scores_of(const probe::Answer& answer, const probe::Request& request, double factor) {
    const std::vector<double> q = to_f64(answer.q_rot->view()), k = to_f64(answer.k_rot->view());
    const faults::HeadShape &of_q = request.q_shape, &of_k = request.k_shape;
    std::vector<double> scores;
    for (Index b = 0; b < of_q.batch; ++b) {
        for (Index h = 0; h < of_q.heads; ++h) {
            for (Index m = 0; m < of_q.length; ++m) {
                for (Index n = 0; n < of_k.length; ++n) {
                    const Index row = of_q.row(b, h, m);
                    const Index column = of_k.row(b, h * of_k.heads / of_q.heads, n);
                    double sum = 0.0;
                    for (Index c = 0; c < of_q.head_dim; ++c) {
                        sum += q[row + c] * k[column + c];
                    }
                    scores.push_back(factor * sum / std::sqrt(to_double(of_q.head_dim)));
                }
            }
        }
    }
    return make_tensor_as(Dtype::f32, "scores", {of_q.batch, of_q.heads, of_q.length, of_k.length},
                          scores);
}

}  // namespace ropescope::test
